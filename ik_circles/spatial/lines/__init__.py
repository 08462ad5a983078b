# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines in space: the plane follows the line, and the wrist keeps the orientation."""
