# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far a straight motion to a target would get: for pictures of the way before it is begun."""

from collections.abc import Mapping
from typing import NamedTuple

from ik_circles.control.moves.goal import check_orientation, line_to
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.angles import nearest_in
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm


class Ahead(NamedTuple):
    """The straight line from the tip to a target.

    Parameters
    ----------
    start, end : tuple of three floats
        Where the tip is, and the target [m].
    share : float
        How much of the line the arm can follow: 0 to 1.
    code, message : Code, str
        Why the arm cannot follow more of it, with the figure.
    """

    start: Point3
    end: Point3
    share: float
    code: Code
    message: str

    @property
    def done_to(self) -> Point3:
        """The point up to which the arm can follow the line [m]."""
        x, y, z = (a + self.share * (b - a) for a, b in zip(self.start, self.end))
        return x, y, z


def ahead(
    arm: RobotArm, settings: Settings, target: Target, measured: Mapping[str, float]
) -> Ahead | None:
    """The way to a target, as `plan` would take or refuse it; None if a joint is not measured.

    Raises
    ------
    IkCirclesError
        If the target is not a point.
    """
    start = _inside(arm, measured)
    if start is None:
        return None
    line = line_to(arm, settings, target, start)
    code, message, share = line.code, line.message, line.share
    try:
        if share == 1.0:
            check_orientation(arm, settings, target, line)
    except Refusal as refusal:
        code, message, share = refusal.code, str(refusal), 0.0
    x, y, z = line.start_point
    return Ahead((x, y, z), target.position, share, code, message)


class Held(NamedTuple):
    """The target of a line that keeps the tip's orientation, and whether the line gets there."""

    target: Target
    gets_there: bool


def held(arm: RobotArm, position: Point3, measured: Mapping[str, float]) -> Held:
    """The target at a position [m], in the orientation in which a straight line gets there.

    If the line ends before the position, the orientation is that at the line's end. If joints are
    not measured, the target has no orientation.
    """
    start = _inside(arm, measured)
    if start is None:
        return Held(Target(position), False)
    line = arm.straight_line(start, position)
    pose = arm.forward_kinematics(line.positions(line.share))
    return Held(Target(position, pose[:3, :3]), line.share == 1.0)


def _inside(arm: RobotArm, measured: Mapping[str, float]) -> NamedPositions | None:
    """The measured positions of the commanded joints, inside their limits; None if one is missing.
    """
    if not measured.keys() >= arm.joints.keys():
        return None
    return {
        name: nearest_in(measured[name], (joint.lower, joint.upper))
        for name, joint in arm.joints.items()
    }
