# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Distances of many points to arcs, and the nearest reachable points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.arcs import Arc, nearest_on
from ik_circles.geometry.arrays import Floats
from ik_circles.planar.workspace import Workspace

#: Distances are compared in this unit [m], or in units of the distance to the base if that is
#: larger: the square of 1e300 m overflows.
UNIT = 1.0
#: Smallest number that is divided by [1].
SMALLEST = 1e-300


def nearest_joints(workspace: Workspace, x: Floats, y: Floats) -> Floats:
    """Joint positions at the reachable points nearest to unreachable points (N, 3) [rad]."""
    critical = workspace.critical_arcs
    arcs, same = [one.arc for one in critical], workspace.same_distance
    _, which, offset = distance_to_arcs(arcs, x, y, same)
    joints = np.array([one.joints for one in critical])[which]
    turning = np.array([one.turning for one in critical])[which]
    upper = np.array([one.upper for one in critical])[which]
    rows = np.arange(len(x))
    joints[rows, turning] = np.minimum(joints[rows, turning] + offset, upper)
    return np.asarray(joints)


def on_outline(workspace: Workspace, x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Whether each point (N,) is on the outline except for rounding; see Workspace.on_outline."""
    arcs = [one.arc for one in workspace.critical_arcs]
    return distance_to_arcs(arcs, x, y)[0] <= workspace.model.tolerance


def distance_to_arcs(
    arcs: Sequence[Arc], x: Floats, y: Floats, same: float = 0.0
) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Distance to the nearest of the arcs [m], its number, and the offset along it [rad].

    Of arcs whose distances differ by no more than `same` [m], it is the first one.
    """
    least: Floats = np.full(len(x), np.inf)
    least_beyond: Floats = np.full(len(x), np.inf)
    which, offset_on = np.zeros(len(x), np.intp), np.zeros(len(x))
    base = np.hypot(x, y)
    scale = np.maximum(base, UNIT)
    for index, arc in enumerate(arcs):
        offset, place_x, place_y = nearest_on(arc, x, y)
        distance = np.hypot(x - place_x, y - place_y)
        # The excess over the distance to the base: from afar, only this has enough digits.
        beyond = place_x * (place_x / scale) + place_y * (place_y / scale)
        beyond -= 2.0 * (place_x * (x / scale) + place_y * (y / scale))
        beyond /= np.maximum(distance / scale + base / scale, SMALLEST)
        nearer = beyond < least_beyond
        least_beyond = np.where(nearer, beyond - same, least_beyond)
        least = np.where(nearer, distance, least)
        which[nearer], offset_on[nearer] = index, offset[nearer]
    return least, which, offset_on
