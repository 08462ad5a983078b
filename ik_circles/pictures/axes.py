# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The labels of the axes in a picture of the arm's plane."""

from ik_circles.robot.arm import RobotArm

#: The plane counts as upright if the vertical part of its y axis is at most this below 1 [1].
UPRIGHT_WITHIN = 1e-9
#: A shoulder this near to the yaw axis counts as on it [m].
ON_YAW_AXIS = 1e-6


def axis_labels(robot: RobotArm | None) -> tuple[str, str]:
    """The names of x and y of the arm's plane: distance and height if the plane stands upright.

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
