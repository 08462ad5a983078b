"""How low an arm may get while its joints move, and which arms stand on z = 0 of base_link."""

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from ik_circles.geometry.angles import TURN
from ik_circles.planar.model import JointPositions
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.floor import LEANING, lean_of

#: For each joint by name two positions between which it stays [rad], in any order.
Box = Mapping[str, tuple[float, float]]


def stands(arm: RobotArm) -> bool:
    """Whether the arm turns about base_link's z, with its first joint above z = 0."""
    plane = arm.spatial.plane
    return plane.yaw is not None and lean_of(plane) < LEANING and bool(arm.plane[2, 3] > 0.0)


def lowest(arm: RobotArm, start: NamedPositions, end: NamedPositions) -> float:
    """Nothing of an arm gets lower than this while each joint moves from `start` to `end` at a
    speed of its own [m]; see `lowest_in`."""
    return lowest_in(arm, {name: (start[name], end[name]) for name in arm.commanded_joints})


def lowest_in(arm: RobotArm, box: Box) -> float:
    """Elbow, wrist, wrist center and tip get no lower than this along base_link's z [m], while each
    commanded joint stays inside an interval.

    It is for an arm that may have a floor. The absolute angle of a link is somewhere in the sum of
    the intervals of the joints before it. The bound adds the lowest end of each link over its
    range. It holds for every motion inside the box, and is exact without motion. While the wrist
    moves, the tip is somewhere on a sphere about the wrist center.
    """
    start, end = ({name: ends[side] for name, ends in box.items()} for side in (0, 1))
    whole, naming = arm.whole, arm.whole_naming
    if whole is None:
        return min(_heights(arm.spatial, [*map(naming.arm_angles, (start, end))]))
    hand = _heights(whole.hand, [*map(naming.arm_angles, (start, end))])
    if any(start[name] != end[name] for name in arm.wrist_joints):
        return min(*hand, hand[-1] - float(np.linalg.norm(whole.wrist.center)))
    wrist = {name: end[name] for name in arm.wrist_joints}
    angles = tuple(wrist.values())
    held, naming = whole.held_at(angles), naming.held_at(wrist, whole.later(angles))
    return min(*hand, *_heights(held, [*map(naming.arm_angles, (start, end))]))


def _heights(arm: SpatialArm, ends: Sequence[JointPositions]) -> list[float]:
    """How low the elbow, the wrist and the tip get between two positions [m]."""
    (_, _, up_x), (_, _, up_y), _, (_, _, height) = arm.plane.columns
    level = math.atan2(up_y, up_x) - math.pi / 2.0
    lower = accumulate(map(min, *ends))
    upper = accumulate(map(max, *ends))
    found = []
    for length, first, last in zip(arm.planar.link_lengths, lower, upper):
        height += length * _least_sine(first - level, last - level)
        found.append(height)
    return found


def _least_sine(first: float, last: float) -> float:
    """The least sine of the angles from `first` to `last` [rad]."""
    to_lowest = (-math.pi / 2.0 - first) % TURN
    return -1.0 if first + to_lowest <= last else min(math.sin(first), math.sin(last))
