# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Three joints in a plane: every solution of a pose, the verdict on a target, and the choice."""
