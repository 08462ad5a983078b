# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Geometry that knows no arm: angles, intervals, circles, arcs, rigid transforms and checks."""
