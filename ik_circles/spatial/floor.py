# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The floor under an arm in space: a height along base_link's z, as a half plane of its plane."""

import math
from collections.abc import Sequence

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.circles import Point
from ik_circles.planar.half_plane import Floor
from ik_circles.spatial.plane import ArmPlane

#: An axis, or a plane, that leans by less than this from base_link's z counts as along it
#: [1, a sine]. Figures of a URDF are rounded, such as 1.5708 for a quarter turn. That changes
#: heights by this share of the reach.
LEANING = 1e-5


def floor_in_plane(plane: ArmPlane, height: float, carried: Sequence[Point] = ()) -> Floor:
    """The floor at a height along base_link's z [m], as the plane sees it at every yaw angle.

    The last link may carry more points, see `Floor`. An InvalidArmError if the height changes as
    the arm turns.
    """
    height = checks.number('floor', height)
    lean = lean_of(plane)
    if lean > LEANING:
        what = f'the axis of {plane.yaw.label.name}' if plane.yaw else "the arm's plane"
        raise InvalidArmError(
            f'floor is {height:.6g} m, but {what} leans from the z of base_link by '
            f'{math.degrees(math.asin(min(lean, 1.0))):.3g} deg; choose a base_link whose z is '
            f'parallel to it, or leave the floor out'
        )
    (_, _, up_x), (_, _, up_y), _, (_, _, base) = plane.columns
    return Floor(height - base, math.atan2(up_y, up_x), tuple(carried))


def lean_of(plane: ArmPlane) -> float:
    """How far the yaw axis, or without a yaw joint the plane, leans from base_link's z [1, a sine].
    """
    if plane.yaw is None:
        return abs(plane.normal[2])
    return math.hypot(*plane.yaw_axis[:2])
