# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How many cases a law is tested with: one in twenty of its full count, unless LAWS says otherwise.

LAWS=full draws all of them. LAWS=quick draws a fifth of the usual ones: so does `scripts/test` with
folders of floors without ROS. LAWS=usual has it draw the usual ones.
"""

import os

FULL, QUICK = (os.getenv('LAWS') == way for way in ('full', 'quick'))


def cases(full_count, share=20, least=1):
    """Cases of a law in this run, and what scales with them; one in `share` where each is slow.

    A law that has to find something is given the `least` among which it does, in a quick run, too.
    """
    if FULL:
        return full_count
    usual = full_count // share
    return max(usual // 5, min(usual, least)) if QUICK else usual
