# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines: how much of one can be followed on one branch, without a jump, and why no more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.lines.branch import Branch, elbows_at
from ik_circles.planar.lines.proven_path import freed
from ik_circles.planar.lines.track import ON_LIMIT_OF_LINE, Cause, End, PlaneWay, Stop
from ik_circles.planar.lines.turning_branch import RatedWay
from ik_circles.planar.model import JointPositions
from ik_circles.planar.selection import FREE
from ik_circles.reasons import Code, in_millimeters, meters_text, percent_text

#: A share that a caller has computed may be past the end by this share of it.
ULPS = 1e-15
#: A line is looked at up to this many times the reach [1]: no arm follows more than twice its reach
#: and a hair if axes lean. Where a line ends is found to a share of what is looked at.
FAR = 2.1
#: What happens to the orientation along a line.
HELD = 'held'
ORIENTATIONS = HELD, FREE

#: What ends a line, as a code.
CODES = {
    Cause.STRAIGHT: Code.TOO_FAR,
    Cause.FOLDED: Code.TOO_CLOSE,
    Cause.LIMIT: Code.JOINT_LIMIT,
    Cause.AXIS: Code.TOO_CLOSE,
    Cause.THROUGH_AXIS: Code.TOO_CLOSE,
    Cause.SINGULAR: Code.ORIENTATION,
    Cause.OUT_OF_PLANE: Code.OUT_OF_PLANE,
    Cause.FLOOR: Code.FLOOR,
}

#: Joint positions: three angles of a planar arm, or those of a robot by name [rad].
Positions = TypeVar('Positions')


class JointEnds(NamedTuple):
    """How messages name a joint, and its positions where its angle is at a limit [rad]."""

    name: str
    lower: float
    upper: float


class NearPart(NamedTuple):
    """The part of a line that is looked at: where it ends [m], and its share of the line."""

    end: tuple[float, ...]
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class StraightLine(Generic[Positions]):
    """A straight line of the tip, from where it is with joint positions to a target.

    Attributes
    ----------
    start_point, end_point : tuple of float
        Where the whole line starts and ends [m]; the end is the target.
    share : float
        How much of it can be followed on this branch, without a jump: 0 to 1.
    code : Code
        OK if it is all of it, else why it ends there.
    message : str
        The same as a sentence with its figure.
    breaks : tuple of float
        The shares, ascending, between which the joint path is smooth: where the orientation that is
        followed changes its rule. () if it is held.
    at : callable
        What `positions` gives, of a share that is not checked.
    rows : callable
        The same at many shares (N,): a row of joint positions for each, those of a robot in the
        order of its commanded joints.
    """

    start_point: tuple[float, ...]
    end_point: tuple[float, ...]
    share: float
    code: Code
    message: str
    breaks: tuple[float, ...]
    at: Callable[[float], Positions]
    rows: Callable[[Floats], Floats]

    @property
    def length(self) -> float:
        """Length of the whole line [m]."""
        return math.dist(self.start_point, self.end_point)

    def positions(self, share: float) -> Positions:
        """Return the joint positions at a share of the whole line.

        Parameters
        ----------
        share : float
            From 0 to `share`.

        Returns
        -------
        tuple of three floats, or dict of str to float
            Joint positions [rad], by name for a robot. The tip is on the line.

        Raises
        ------
        InvalidSettingError
            If the line cannot be followed so far.
        """
        return self.at(share_up_to(share, self.share))


def near_part(start: Sequence[float], target: tuple[float, ...], reach: float) -> NearPart:
    """The part of a line that an arm of some reach may follow [m]: all of it unless it is far."""
    way = [b - a for a, b in zip(start, target)]
    longest = max(map(abs, way))
    if longest <= reach:
        return NearPart(target)
    share = FAR * reach / longest / math.hypot(*(along / longest for along in way))
    if share >= 1.0:
        return NearPart(target)
    return NearPart(tuple(a + share * along for a, along in zip(start, way)), share)


def line_between(
    ends: tuple[tuple[float, ...], tuple[float, ...]],
    near: NearPart,
    end: End,
    joints: Mapping[int, JointEnds],
    solver: PoseSolver,
    breaks: tuple[float, ...],
    at: Callable[[float], Positions],
    rows: Callable[[Floats], Floats],
) -> StraightLine[Positions]:
    """The line between two points, `ends` [m]. Its near part can be followed as far as `end` says;
    shares of `end`, `breaks`, `at` and `rows` are those of the near part. Where a branch ends
    sooner than its orientation was planned to lead it, breaks past that are left out."""
    code, message = _said(ends, near, end, joints, solver)
    breaks = tuple(share for share in breaks if share < end.share)
    if near.share == 1.0:
        return StraightLine(*ends, end.share, code, message, breaks, at, rows)

    def far_at(share: float) -> Positions:
        return at(min(share / near.share, end.share))

    def far_rows(shares: Floats) -> Floats:
        return rows(np.minimum(shares / near.share, end.share))

    breaks = tuple(near.share * share for share in breaks)
    share = near.share * end.share
    return StraightLine(*ends, share, code, message, breaks, far_at, far_rows)


def _said(
    ends: tuple[tuple[float, ...], tuple[float, ...]],
    near: NearPart,
    end: End,
    joints: Mapping[int, JointEnds],
    solver: PoseSolver,
) -> tuple[Code, str]:
    """The code and the sentence about the end of a line between two points [m]."""
    length = math.dist(*ends)
    if end.stop is None:
        return Code.OK, f'the whole line of {meters_text(length)} can be followed'
    gone = end.share * math.dist(ends[0], near.end)
    done = f'{meters_text(gone)[:-2]} of {meters_text(length)}'
    why = _why(end.stop, near.share, joints, solver)
    why += in_millimeters(length, solver.model.max_reach)
    share, code = near.share * end.share, CODES[end.stop.cause]
    return code, f'the line can be followed for {done} ({percent_text(share)}): there {why}'


def _why(stop: Stop, part: float, joints: Mapping[int, JointEnds], solver: PoseSolver) -> str:
    """Why a line ends, of which the near part is looked at [1]."""
    length_1, length_2, _ = solver.model.link_lengths
    name, lower, upper = joints[stop.joint]
    limit = round(math.degrees(upper if stop.upper else lower), 1) + 0.0  # no -0.0
    figures = map(meters_text, (*stop.figures, length_1 + length_2, abs(length_1 - length_2)))
    first, second, *_ = figures
    beside = meters_text(sum(stop.figures[:1]) / part)
    floor = f'is {first} below' if stop.figures else 'reaches'
    return {
        Cause.STRAIGHT: f'the elbow is straight: its links reach {first} from {name}',
        Cause.FOLDED: f'the elbow is folded: its links reach to within {second} of {name}',
        Cause.LIMIT: f'{name} reaches its limit of {limit:.1f} deg',
        Cause.AXIS: f"it passes {name}'s axis at {first}, but the arm's plane at {second}",
        Cause.THROUGH_AXIS: f"it meets {name}'s axis, where the arm's plane would turn at once",
        Cause.SINGULAR: f'{name} is singular: its neighbors would turn half round at once; bend it',
        Cause.FLOOR: f'{stop.part} {floor} the floor',
        Cause.OUT_OF_PLANE: f"it leaves the arm's plane: the target is {beside} beside the plane",
    }[stop.cause]


def check_inside(name: str, position: float, lower: float, upper: float) -> float:
    """The position of a joint that a line starts from; InvalidArmError past its limits [rad]."""
    limit = nearest_in(position, (lower, upper))
    if abs(position - limit) <= ON_LIMIT_OF_LINE:
        return limit
    past = 'below' if position < limit else 'above'
    raise InvalidArmError(
        f'start has {name} at {position:.6g} rad, {past} its limit of {limit:.6g} rad; '
        'give joint positions inside the limits'
    )


def share_up_to(share: object, most: float) -> float:
    """A share of a line [1]; InvalidSettingError past the most of it that can be followed."""
    found = checks.number('share', share)
    if 0.0 <= found <= most * (1.0 + ULPS):
        return min(found, most)
    raise InvalidSettingError(
        f'share is {found}; the line can be followed from 0 to {most}: give a share between them'
    )


def followed(
    solver: PoseSolver, ways: Sequence[RatedWay], q: JointPositions, orientation: str
) -> tuple[Branch, End]:
    """The branch that goes farthest from joint positions along one of some ways, and its end.

    There is more than one only where elbows or shoulders meet.
    """
    branches = [(Branch(solver, way, q, elbow), way) for way in ways for elbow in elbows_at(q[1])]
    found = [
        (one, one.end()) if orientation == HELD else freed(one, way) for one, way in branches
    ]
    return max(found, key=lambda pair: pair[1].share)


def straight_line(
    solver: PoseSolver, start: object, target: Point, orientation: str
) -> StraightLine[JointPositions]:
    """See `PlanarArm.straight_line`."""
    checks.choice('orientation', orientation, ORIENTATIONS)
    limits = solver.model.limits
    joints = {joint: JointEnds(f'joint {joint + 1}', *limits[joint]) for joint in range(3)}
    given = checks.vector('start', start, 3)
    q1, q2, q3 = (check_inside(joints[i].name, given[i], *limits[i]) for i in range(3))
    x, y, _ = solver.model.pose_at((q1, q2, q3))
    near = near_part((x, y), target, solver.model.max_reach)
    way = PlaneWay((x, y), (near.end[0] - x, near.end[1] - y))
    branch, end = followed(solver, [way], (q1, q2, q3), orientation)
    points = (x, y), target
    return line_between(
        points, near, end, joints, solver, branch.breaks, branch.joints, branch.rows
    )
