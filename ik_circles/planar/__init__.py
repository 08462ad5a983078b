# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Three joints in their plane: every solution of a pose, the verdict on a target, the choice."""
