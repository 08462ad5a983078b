# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Axes that are parallel only up to rounding: solutions that close on the axes as they are."""
