# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`python -m ik_circles` is the command line `ik-circles`."""

import sys

from ik_circles.cli.main import main

if __name__ == '__main__':
    sys.exit(main())
