# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How an arm is moved: from a request to the commands that are sent, one motion at a time."""
