# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The command line `ik-circles`: can this arm get there, and with which joint angles?

`main` reads the arguments and turns an error into a sentence. Each command is a module with the
command's name. `SUMMARY` is its line in the help, and `add_arguments` declares its arguments. `run`
carries it out and returns whether the target can be reached.
"""
