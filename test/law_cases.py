"""How many cases a law is tested with: a tenth of its full count, unless LAWS=full is set."""

import os

FULL = os.getenv('LAWS') == 'full'


def cases(full_count):
    """Cases of a law in this run, and what scales with them."""
    return full_count if FULL else full_count // 10
