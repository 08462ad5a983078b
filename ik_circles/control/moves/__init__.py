# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How an arm is moved: from what is asked of it to what is sent, one motion at a time."""
