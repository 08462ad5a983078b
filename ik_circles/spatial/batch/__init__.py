# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many points and poses in space at once, in numpy: the geometry of one target, in columns."""
