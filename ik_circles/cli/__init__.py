# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The command line `ik-circles`: can this arm get there, and with which joint angles?

`main` reads the arguments and turns errors into a sentence. Each command is a module of its name:
its `SUMMARY` is its line in the help, `add_arguments` declares what it takes, and `run` does it and
returns whether the target can be reached.
"""
