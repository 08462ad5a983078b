"""The floor under an arm that stands on it: z = 0 of base_link, and how low a motion may get."""

import math
from itertools import accumulate

from ik_circles.geometry.angles import TURN
from ik_circles.robot.arm import NamedPositions, RobotArm

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
    motion, and is exact without motion.
    """
    height = least = float(arm.plane[2, 3])
    angles = [arm.naming.arm_angles(positions) for positions in (start, end)]
    lower = accumulate(map(min, *angles))
    upper = accumulate(map(max, *angles))
    for length, first, last in zip(arm.arm.link_lengths, lower, upper):
        height += length * _least_sine(first, last)
        least = min(least, height)
    return least


def _least_sine(first: float, last: float) -> float:
    """The least sine of the angles from `first` to `last` [rad]."""
    to_lowest = (-math.pi / 2.0 - first) % TURN
    return -1.0 if first + to_lowest <= last else min(math.sin(first), math.sin(last))
