# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Timed motion of joints, without ROS and without a robot: limits hold on the curve that is played.

Positions are tuples in the order of a list of joints that the caller keeps.
"""

from ik_circles.control.motion.braking import braked
from ik_circles.control.motion.chain import Chain
from ik_circles.control.motion.follower import Follower
from ik_circles.control.motion.joint_moves import joint_move, to_rest
from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.paths import along
from ik_circles.control.motion.trajectory import Trajectory, Waypoint

__all__ = [
    'Chain',
    'Follower',
    'MotionLimits',
    'Trajectory',
    'Waypoint',
    'along',
    'braked',
    'joint_move',
    'to_rest',
]
