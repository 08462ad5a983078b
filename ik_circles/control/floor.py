"""The floor under an arm that stands on it: z = 0 of base_link, and how low a motion may get."""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from ik_circles.geometry.angles import TURN
from ik_circles.planar.model import JointPositions
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.spatial.arm import SpatialArm

#: A yaw axis that leans by less than this is along base_link's z [1, a sine]; it is rounding.
LEANING = 1e-6


def stands(arm: RobotArm) -> bool:
    """Whether the arm turns about base_link's z, with its first joint above z = 0."""
    x, y, z = arm.spatial.plane.yaw_axis
    upright = arm.spatial.yaw is not None and math.hypot(x, y) < LEANING * abs(z)
    return upright and bool(arm.plane[2, 3] > 0.0)


def lowest(arm: RobotArm, start: NamedPositions, end: NamedPositions) -> float:
    """Neither a joint nor the tip of an arm that stands gets lower than this [m].

    Each joint moves from `start` to `end` at a speed of its own, so that an absolute angle of a
    link is somewhere in the sum of the ranges of the joints before it, from the level x of the
    arm's plane. The bound adds the lowest end of each link over its range: it holds for every such
    motion, and is exact without motion. While the wrist moves, the tip is somewhere on a sphere
    about the wrist center.
    """
    if any(start[name] != end[name] for name in arm.wrist_joints) and arm.whole is not None:
        away = float(np.linalg.norm(arm.whole.wrist.center))
        ends = [arm.whole_naming.arm_angles(one) for one in (start, end)]
        return _lowest(arm.whole.hand, ends, away)
    arm = arm.holding({name: end[name] for name in arm.wrist_joints})
    return _lowest(arm.spatial, [arm.naming.arm_angles(one) for one in (start, end)])


def _lowest(arm: SpatialArm, ends: Sequence[JointPositions], below: float = 0.0) -> float:
    """How low the joints get between two positions, and a place `below` the tip [m]."""
    height = least = float(arm.plane.pose[2, 3])
    lower = accumulate(map(min, *ends))
    upper = accumulate(map(max, *ends))
    for length, first, last in zip(arm.planar.link_lengths, lower, upper):
        height += length * _least_sine(first, last)
        least = min(least, height)
    return min(least, height - below)


def _least_sine(first: float, last: float) -> float:
    """The least sine of the angles from `first` to `last` [rad]."""
    to_lowest = (-math.pi / 2.0 - first) % TURN
    return -1.0 if first + to_lowest <= last else min(math.sin(first), math.sin(last))
