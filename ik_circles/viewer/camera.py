# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The first view of an arm, and what the pointer touches from there."""

import math
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.rigid import Matrix
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.targets import point_of

#: Position of the camera: out of the arm's plane, along its y and its x, in reaches of the arm.
POSITION = 2.55, 0.4, 0.3
#: The camera's vertical field of view [rad].
FIELD = math.radians(60.0)
#: A line of sight at less than this angle to the plane does not meet it usefully; its sine.
GRAZING = 0.02


class View(NamedTuple):
    """Where a camera is and what it looks at [m], and which direction is up."""

    position: Point3
    look_at: Point3
    up: Point3


def view_of(arm: RobotArm) -> View:
    """The first view of an arm: its plane from the side, x to the right."""
    x, y, normal, center = (arm.plane[:3, column] for column in range(4))
    out, up, aside = (share * arm.arm.max_reach for share in POSITION)
    return View(point_of(center + out * normal + up * y + aside * x), point_of(center), point_of(y))


def dragged_to(arm: RobotArm, eye: Matrix, point: Matrix) -> Point3:
    """Where a target goes that is dragged to what `eye` sees at `point` [m].

    To that point; without a yaw joint, to the point of the arm's plane that is seen there.
    """
    if arm.spatial.yaw is None:
        sight = np.subtract(point, eye)
        normal = arm.plane[:3, 2]
        slope = float(normal @ sight)
        if abs(slope) > GRAZING * float(np.linalg.norm(sight)):
            point = eye + sight * (float(normal @ (arm.plane[:3, 3] - eye)) / slope)
        x, y, _ = arm.spatial.plane.into(point.tolist())
        return arm.spatial.plane.point_at(x, y)
    return point_of(point)
