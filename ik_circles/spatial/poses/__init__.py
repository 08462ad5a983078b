# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses of an arm with a wrist: all solutions, the verdict, its reason, the nearest pose."""
