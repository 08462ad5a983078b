# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the axes of a picture of the arm's plane are called."""

from ik_circles.robot.arm import RobotArm

#: How much the vertical part of y may lack for the plane to count as upright [1].
UPRIGHT_WITHIN = 1e-9
#: A shoulder that is this near to the yaw axis is on it [m].
ON_YAW_AXIS = 1e-6


def axis_labels(robot: RobotArm | None) -> tuple[str, str]:
    """What x and y of the arm's plane are: where the plane stands upright, distance and height.

    The plane's origin is the first of the three joints, the shoulder. Up is the z of base_link.
    """
    if robot is None or robot.spatial.plane.columns[1][2] < 1.0 - UPRIGHT_WITHIN:
        return 'x in the plane [m]', 'y in the plane [m]'
    plane = robot.spatial.plane
    height, yaw = 'height above the shoulder [m]', plane.yaw
    if yaw is None:
        return 'distance ahead of the shoulder [m]', height
    ahead = -yaw.foot[0]
    if abs(ahead) <= ON_YAW_AXIS:
        along = '' if yaw.holds_axis else " along the arm's plane"
        return f'distance from the yaw axis{along} [m]', height
    side = 'ahead of' if ahead > 0.0 else 'behind'
    where = f'{1e3 * abs(ahead):.3g} mm {side} the yaw axis'
    return f'distance ahead of the shoulder, which is {where} [m]', height
