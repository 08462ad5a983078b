# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One branch of the three joints along a straight line: one elbow, followed without a jump.

The wrist is a link's length behind the tip. At every share of the line, base, elbow and wrist make
a triangle, so the joint positions are exact. The direction from the base to the wrist is counted
through whole turns, so that the joints wind as the arm does.

The branch ends where the elbow would have to be straighter than straight, a joint past its limit,
or a part of the arm below its floor. For each of these, the wrist meets a circle, or a point of the
tool meets a line. Nothing changes between two neighboring meetings, so one look between each pair
decides. Derived in docs/derivation.md, section 16.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

import numpy as np

from ik_circles.geometry.angles import TURN, Limits, angle_between, nearest_in, wrap
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.geometry.tolerances import CLOSURE, EITHER_ELBOW
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.limits import inside_limits, tip_circles
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.track import Cause, End, LineWay, Piece, Stop, first_end, past_limit
from ik_circles.planar.model import JointPositions

#: A wrist this near to the base is on it, in tolerances [1].
ON_BASE = 10.0
#: A wrist that starts on the base leaves it within this share of the line, and square to the upper
#: arm to within this [rad]: else joint 1 would jump.
LEAVING, LEAVES_SQUARE = 1e-7, 1e-4


class Branch:
    """An elbow, 0 up and 1 down, along a way with the tool at an orientation `phi` [rad].

    `start` are joint positions at share 0, whose `turns` are kept [rad].
    """

    def __init__(
        self, solver: PoseSolver, way: LineWay, start: JointPositions, elbow: int
    ) -> None:
        self.solver, self.model, self.way, self.elbow = solver, solver.model, way, elbow
        floor = self.model.floor
        self.floor = None if floor is None else FloorAlong(self.model, floor)
        self.start = start

    @cached_property
    def turns(self) -> tuple[float, float]:
        """Whole turns of joints 1 and 2 that they have at the start [rad]."""
        q1, q2 = self._in_first_turn(0.0)
        return (
            round((self.start[0] - q1) / TURN) * TURN,
            round((self.start[1] - q2) / TURN) * TURN,
        )

    # --- the orientation: it is held ---

    #: The shares at which another rule begins to decide the orientation.
    breaks: tuple[float, ...] = ()

    def phi(self, share: float) -> float:
        """Orientation of the tool [rad]."""
        return sum(self.start)

    def phis(self, shares: Floats) -> Floats:
        """The same at many shares (N,)."""
        return np.full(len(shares), sum(self.start))

    @cached_property
    def events(self) -> list[float]:
        """The shares at which the branch may end, and others."""
        circles = tip_circles(self.model, sum(self.start))
        return [share for circle in circles for share in self.way.on_circle(*circle)]

    @cached_property
    def floor_events(self) -> list[float]:
        """Shares that include all those at which a part may meet the floor."""
        model, phi = self.model, sum(self.start)
        length_1, length_2, length_3 = model.link_lengths
        found = [*self.floor.meetings(self.way, phi)] if self.floor else []
        for q1 in self.elbow_ends:
            x = length_3 * math.cos(phi) + length_1 * math.cos(q1)
            y = length_3 * math.sin(phi) + length_1 * math.sin(q1)
            found += self.way.on_circle((x, y), length_2)
        return found

    @property
    def elbow_ends(self) -> tuple[float, ...]:
        """Angles of joint 1 that put the elbow on the floor, if there is one [rad]."""
        return self.floor.elbow_ends if self.floor else ()

    @cached_property
    def _pieces(self) -> list[Piece]:
        """Parts of the line: each is on one side of the line from the base to the first wrist, and
        the plane meets all of it or nothing."""
        x, y = self._seen(0.0)
        phi, length_3 = sum(self.start), self.model.link_lengths[2]
        normal = -y, x
        distance = length_3 * (x * math.sin(phi) - y * math.cos(phi))
        crossed = self.way.on_line(normal, distance)
        return self._wound(sorted((0.0, *crossed, *self.way.events(), 1.0)))

    @cached_property
    def _piece_starts(self) -> list[float]:
        return [piece.start for piece in self._pieces]

    @cached_property
    def _piece_columns(self) -> Floats:
        """Start, wrist and direction of each piece, a column each: shape (4, pieces)."""
        return np.array([(one.start, *one.wrist, one.direction) for one in self._pieces]).T

    # --- where it is ---

    def wrist(self, share: float) -> Point:
        """Where the wrist is at a share [m]."""
        return self.model.wrist(*self.way.at(share), self.phi(share))

    @cached_property
    def square(self) -> Point | None:
        """Which way a wrist that starts on the base can leave it: square to the upper arm [1]; None
        if it starts elsewhere."""
        if not self._is_on_base(0.0):
            return None
        sine, cosine = math.sin(self.start[0]), math.cos(self.start[0])
        return (-sine, cosine) if self.elbow else (sine, -cosine)

    def _seen(self, share: float) -> Point:
        """Where the wrist is, or where it goes from the base at the start [m]."""
        if self.square is not None and share <= LEAVING and self._is_on_base(share):
            return self.square
        return self.wrist(share)

    def _is_on_base(self, share: float) -> bool:
        return math.hypot(*self.wrist(share)) <= ON_BASE * self.model.tolerance

    def joints(self, share: float) -> JointPositions:
        """Joint positions at a share, inside their limits [rad]."""
        if share == 0.0:
            return self.start
        angles = self.joints_whatever_the_limits(share)
        q1, q2, q3 = put = tuple(map(nearest_in, angles, self.model.limits))
        return (q1, q2, q3) if put == angles else self._settled(share, angles, (q1, q2, q3))

    def rows(self, shares: Floats) -> Floats:
        """`joints` at many shares (N,): shape (N, 3) [rad]."""
        if self.square is not None:
            return np.array([self.joints(share) for share in shares.tolist()])
        (x, y), phi = self.way.places(shares), self.phis(shares)
        length_3 = self.model.link_lengths[2]
        x, y = x - length_3 * np.cos(phi), y - length_3 * np.sin(phi)
        upper_arm, forearm = self.solver.triangle.elbows_up_and_down(x, y)[self.elbow]
        start, from_x, from_y, direction = self._piece_columns
        piece = start.searchsorted(shares, 'right') - 1
        from_x, from_y = from_x[piece], from_y[piece]
        turned = np.arctan2(from_x * y - from_y * x, from_x * x + from_y * y)
        q1 = upper_arm - np.arctan2(y, x) + direction[piece] + turned + self.turns[0]
        q2 = forearm - upper_arm + self.turns[1]
        angles = np.column_stack((q1, q2, phi - q1 - q2))
        found: Floats = np.clip(angles, *np.transpose(self.model.limits))
        for row in np.flatnonzero((found != angles).any(axis=1) | (shares == 0.0)):
            found[row] = self.joints(float(shares[row]))
        return found

    def _settled(self, share: float, angles: JointPositions, put: JointPositions) -> JointPositions:
        """The same with joints that rounding put past a limit moved onto it, and the others solved
        again."""
        (x, y), phi = self.way.at(share), self.phi(share)
        away = math.hypot(*self.wrist(share))
        if away <= self.model.tolerance:
            return put
        found = inside_limits(self.model, angles, (x, y, phi), away, CLOSURE)
        turned = (
            tuple(near + wrap(angle - near) for angle, near in zip(one, angles)) for one in found
        )
        inside = (
            (q1, q2, q3)
            for q1, q2, q3 in turned
            if all(map(is_inside, (q1, q2, q3), self.model.limits))
        )
        return next(inside, put)

    def joints_whatever_the_limits(self, share: float) -> JointPositions:
        """Joint positions at a share, even past their limits [rad]."""
        (q1, q2), (turns_1, turns_2) = self._in_first_turn(share), self.turns
        q1, q2 = q1 + turns_1, q2 + turns_2
        return q1, q2, self.phi(share) - q1 - q2

    def _in_first_turn(self, share: float) -> tuple[float, float]:
        """Joints 1 and 2 at a share, in their first turn at the start [rad]."""
        x, y = seen = self._seen(share)
        if seen is self.square:
            x, y = (ON_BASE * self.model.tolerance * one for one in seen)
        both = self.solver.triangle.elbow_up_and_down(x, y, x * x + y * y)
        upper_arm, forearm = both[self.elbow]
        return upper_arm + self._direction(share, seen) - math.atan2(y, x), forearm - upper_arm

    def _direction(self, share: float, wrist: Point) -> float:
        """Direction from the base to the wrist, counted through whole turns [rad]."""
        piece = self._pieces[bisect_right(self._piece_starts, share) - 1]
        return piece.direction + angle_between(piece.wrist, wrist)

    def _wound(self, shares: Iterable[float]) -> list[Piece]:
        """The parts between neighboring shares; in each, the wrist stays within half a turn."""
        pieces: list[Piece] = []
        last = self._seen(0.0)
        direction = math.atan2(*reversed(last))
        for start, end in pairwise(shares):
            for share in (start, (start + end) / 2.0):
                wrist = self._seen(share)
                direction += angle_between(last, wrist)
                last = wrist
            pieces.append(Piece(start, last, direction))
        return pieces

    # --- how far it goes ---

    def end(self) -> End:
        """How far the branch can be followed, and why it ends there."""
        end = first_end([*self.events, *self.way.events()], self.stop, self._stop_at)
        if self.floor is None:
            return end
        starts_below = self.floor.stop_at_start(self.start)
        if starts_below is not None:
            return End(0.0, starts_below)
        below = first_end(self.floor_events, self.below, lambda _: None, end.share)
        return end if below.stop is None else below

    def stop(self, share: float) -> Stop | None:
        """What forbids a share that is not next to an event; the floor is left to `below`."""
        found = self.way.stop(share)
        if found is not None:
            return found
        x, y = self.wrist(share)
        square = x * x + y * y
        if not self.solver.triangle.closes(square):
            is_far = square > self.solver.triangle.outer
            return Stop(Cause.STRAIGHT if is_far else Cause.FOLDED)
        q = self.joints_whatever_the_limits(share)
        return next(filter(None, map(past_limit, range(3), q, self.model.limits)), None)

    def below(self, share: float) -> Stop | None:
        """What is below the floor at a share that is allowed without it."""
        if self.floor is None:
            return None
        return self.floor.stop(self.joints_whatever_the_limits(share))

    def _stop_at(self, share: float) -> Stop | None:
        """What ends the branch at an event: equal links that fold onto the base turn at once."""
        if self._is_on_base(share) and not (share <= LEAVING and self._leaves_square):
            return Stop(Cause.FOLDED)
        return self.way.stop_at(share)

    @cached_property
    def _leaves_square(self) -> bool:
        """Whether a wrist that starts on the base leaves it without a jump of joint 1."""
        (x, y), (half_x, half_y) = self.wrist(LEAVING), self.wrist(LEAVING / 2.0)
        # As it leaves the base, before its way bends.
        velocity = 4.0 * half_x - x, 4.0 * half_y - y
        off = angle_between(self.square or (0.0, 0.0), velocity)
        return self.square is not None and abs(off) <= LEAVES_SQUARE


def is_inside(angle: float, limits: Limits) -> bool:
    """Whether an angle is inside limits, to the last bit."""
    return limits[0] <= angle <= limits[1]


def elbows_at(q2: float) -> list[int]:
    """The elbows that an angle of joint 2 may be meant with [rad]: 0 up, 1 down."""
    bend = math.sin(q2)
    return [0, 1] if abs(bend) <= EITHER_ELBOW else [0 if bend < 0.0 else 1]


def farthest(branches: Iterable[Branch]) -> tuple[Branch, End]:
    """The branch that goes the farthest, and its end."""
    return max(((one, one.end()) for one in branches), key=lambda pair: pair[1].share)
