# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines in the plane: how much of one can be followed, and why no more."""
