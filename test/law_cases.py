# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How many cases a law is tested with: one in twenty of its full count, unless LAWS=full is set."""

import os

FULL = os.getenv('LAWS') == 'full'


def cases(full_count, share=20):
    """Cases of a law in this run, and what scales with them; one in `share` where each is slow."""
    return full_count if FULL else full_count // share
