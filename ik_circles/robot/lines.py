# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines of a robot's tip, from joint positions by name to a point in base_link."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.arguments import takes_one
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.lines.straight import (
    HELD,
    ORIENTATIONS,
    JointEnds,
    NearPart,
    StraightLine,
    check_inside,
    line_between,
    near_part,
)
from ik_circles.planar.lines.track import Cause, End
from ik_circles.robot.many import ManyPoints
from ik_circles.robot.naming import AngleOf, JointNaming, NamedPositions, named_positions
from ik_circles.robot.text import listed
from ik_circles.spatial.arm import Configuration, SpatialArm, checked_point
from ik_circles.spatial.lines.straight import SpatialLine
from ik_circles.spatial.lines.turned_way import YAW
from ik_circles.spatial.lines.whole_line import WholeLine
from ik_circles.spatial.points.ways import TILT_TOLERANCE
from ik_circles.spatial.true_axes.bounds import CLOSES

#: For axes that lean, the end of a line is found by this many halvings.
HALVINGS = 40


class StraightLines(ManyPoints):
    """The questions about straight lines to an arm in a robot."""

    @takes_one('the point', 'start, ({})', after=1)
    def straight_line(
        self, start: Mapping[str, float], target: Sequence[float], *, orientation: str = HELD
    ) -> StraightLine[NamedPositions]:
        """Return how much of a straight line the tip can follow without a jump.

        The line ends with the code FLOOR where a part of the arm would go below a floor; at share 0
        if it starts there.

        Parameters
        ----------
        start : mapping of str to float
            Positions of all commanded joints by name [rad] at the start of the line, inside the
            limits. The line keeps their branch and their turns.
        target : sequence of three floats
            End of the line in base_link [m].
        orientation : str
            'held': six joints keep the whole orientation of the tip. A singular wrist would end the
            line there; instead it stands still if that turns the tip by no more than 0.01 rad.
            Three joints behind a yaw joint keep the pitch; a single wrist joint keeps its angle.
            'free': the pitch may change, unless a joint can move by less than 1e-3 rad, and a wrist
            keeps its angles.

        Returns
        -------
        StraightLine
            The share that can be followed, why it ends there, and the joint positions by name on
            the way.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If the start lacks a commanded joint, or if a joint starts past its limit.
        InvalidSettingError
            If `orientation` has another value.
        """
        checks.choice('orientation', orientation, ORIENTATIONS)
        far, known = checked_point(target), self._checked_start(start)
        near = self._near_part(known, far)
        place = checked_point(near.end)
        whole = self._whole_line(known, place) if orientation == HELD else None
        if whole is not None:
            return self._followed_by_all(whole, far, near)
        return _followed_by_three(*self._still_line(known, place, orientation), far, near)

    def _followed_by_all(
        self, line: WholeLine, target: Point3, near: NearPart
    ) -> StraightLine[NamedPositions]:
        """The line to a target with a moving wrist; `line` is its near part."""
        naming, ends = self.whole_naming, (line.start_point, checked_point(near.end))

        def off(share: float) -> float:
            tip = line.arm.pose(line.configuration(share))[0]
            return math.dist(tip, point_between(ends, share))

        def at(share: float) -> NamedPositions:
            return naming.named_whole(line.configuration(share))

        return line_between(
            (line.start_point, target),
            near,
            up_to_closing(line.end, off) if line.arm.is_leaning else line.end,
            joint_ends(naming),
            line.branch.solver,
            line.breaks,
            at,
            lambda shares: np.array([[*at(share).values()] for share in shares.tolist()]),
        )

    def _near_part(self, known: NamedPositions, target: Point3) -> NearPart:
        """The part of the line to a target that is examined."""
        yaw, reach = self.spatial.yaw, self.arm.max_reach
        if yaw is not None:
            reach += math.hypot(*yaw.foot, yaw.aside)
        if self.whole is not None:  # a wrist may turn the tip to the other side of its center
            reach += 2.0 * math.hypot(*self.whole.wrist.center)
        return near_part(self.forward_kinematics(known)[:3, 3].tolist(), target, reach)

    def _whole_line(self, known: NamedPositions, target: Point3) -> WholeLine | None:
        """The line with six joints that keep the orientation; None if the wrist may stay still."""
        if self.whole is None or self.whole.carrier.yaw is None or not self.whole.wrist.has_two:
            return None
        start = self.whole.angles(self.whole_naming.whole(known))
        inside = self.whole.of_angles([*map(nearest_in, start, self.whole.limits)])
        line = WholeLine(self.whole, self.whole.carrier.yaw, inside, target)
        still, _ = self._still_line(known, target, HELD)
        if not line.yaw_moves:  # the tip may pass the yaw axis where the wrist center is on it
            return line if still.turned > CLOSES else None
        if line.end.stop is None or line.end.stop.cause is not Cause.SINGULAR:
            return line
        is_near = still.turned <= TILT_TOLERANCE and still.end.share > line.end.share
        return None if is_near else line

    def _still_line(
        self, known: NamedPositions, target: Point3, orientation: str
    ) -> tuple[SpatialLine, JointNaming]:
        """The line with the joints before a wrist that stands still, and the naming of the joints.
        """
        arm, held = self.reduction.at({name: known[name] for name in self.wrist_joints})
        start = _inside(arm, held.configuration(known))
        return SpatialLine(arm, start, target, orientation), held

    def _checked_start(self, start: Mapping[str, float]) -> NamedPositions:
        """The start of a line, with each commanded joint inside its limits [rad]."""
        known = named_positions('start', start)
        missing = [name for name in self.joints if name not in known]
        if missing:
            raise InvalidArmError(
                f'start lacks {listed(missing)}; give the position of every commanded joint'
            )
        return {
            name: check_inside(
                name, checks.number(f'the start of {name}', known[name]), joint.lower, joint.upper
            )
            for name, joint in self.joints.items()
        }


def up_to_closing(end: End, off: Callable[[float], float]) -> End:
    """The end of a line for axes that lean: the last share with the corrected tip on the line.

    `end` is the end for parallel axes. With the true axes, the line may end a little earlier,
    within their slack. `off` gives how far the tip is from the line at a share [m].
    """
    if end.stop is None or off(end.share) <= CLOSES:
        return end
    good, bad = 0.0, end.share
    for _ in range(HALVINGS):
        middle = (good + bad) / 2.0
        if off(middle) <= CLOSES:
            good = middle
        else:
            bad = middle
    return End(good, end.stop)


def point_between(ends: tuple[Point3, Point3], share: float) -> Point3:
    """The point at a share of the way between two points [m]."""
    x, y, z = (a + share * (b - a) for a, b in zip(*ends))
    return x, y, z


def _inside(arm: SpatialArm, one: Configuration) -> Configuration:
    """The configuration inside its limits, which rounding may have put it past."""
    q1, q2, q3 = map(nearest_in, one.q, arm.planar.limits)
    yaw = nearest_in(one.yaw, arm.yaw.limits) if arm.yaw else one.yaw
    return Configuration(yaw, (q1, q2, q3))


def joint_ends(naming: JointNaming) -> dict[int, JointEnds]:
    """The name of each joint and its positions at the limits, by the joint's number in a `Stop`."""
    numbered: list[tuple[int, AngleOf]] = [*enumerate((*naming.three, *naming.wrist))]
    if naming.yaw is not None:
        numbered.append((YAW, naming.yaw))
    return {
        number: JointEnds(one.joint.name, *(one.joint.lower, one.joint.upper)[:: one.sign])
        for number, one in numbered
    }


def _followed_by_three(
    line: SpatialLine, held: JointNaming, target: Point3, near: NearPart
) -> StraightLine[NamedPositions]:
    """The line to a target with a wrist that stays still; `line` is its near part."""
    arm, ends = line.arm, (line.start_point, checked_point(near.end))

    def beside(share: float) -> float:
        places = arm.tip_at(line.configuration(share)), point_between(ends, share)
        tip, wanted = (arm.plane.into(place)[: arm.plane.count] for place in places)
        return math.dist(tip, wanted)

    return line_between(
        (line.start_point, target),
        near,
        up_to_closing(line.end, beside) if arm.leaning is not None else line.end,
        joint_ends(held),
        arm.planar.solver,
        line.breaks,
        lambda share: held.named(line.configuration(share)),
        lambda shares: held.positions_of_rows(line.rows(shares)),
    )
