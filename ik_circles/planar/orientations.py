# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The tool orientations with which a point can be reached.

The wrist lies on a circle about the target. That circle is cut where a joint meets a limit, and
where the elbow is straight or folded. Each cut is an intersection of two circles. Nothing changes
between two neighboring cuts, so one look between each pair of cuts decides everything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, compress, pairwise, repeat
from operator import sub
from typing import NamedTuple

from ik_circles.geometry.angles import TURN, Limits, ends, nearest_in, turns_into, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point, meeting_directions, span
from ik_circles.geometry.intervals import EVERY_ORIENTATION, WIDTH_ROUNDING, Interval, united
from ik_circles.geometry.tolerances import STRAIGHT, TOLERANCE
from ik_circles.planar.corners import corner_orientations
from ik_circles.planar.families import family_orientations
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import ArmModel, JointPositions

#: If a cut works but the gaps on both sides do not, two cuts meet there. Rounding may have parted
#: them by less than this [rad].
SPLIT_CUT = 1e-4
#: The elbow may be straight or folded only if its limits allow that to within this [rad]. This is
#: far more than rounding, because a superfluous cut is harmless.
ELBOW_WINDOW = 0.1
#: The lengths of the three links [m].
Lengths = tuple[float, float, float]
#: The gaps between the cuts of a point [rad], and whether each one looked at so far is open.
Looks = tuple[list[Interval], list[bool]]


class Rigid(NamedTuple):
    """Links 2 and 3 as one link: its length [m], and the tool's direction relative to it [rad]."""

    length: float
    angle: float

    @classmethod
    def at(cls, length_2: float, length_3: float, q3: float) -> Rigid:
        """Make it from their lengths [m], with joint 3 at an angle [rad]."""
        along, across = length_2 + length_3 * math.cos(q3), length_3 * math.sin(q3)
        return cls(math.hypot(along, across), q3 - math.atan2(across, along))


class CutCircles(NamedTuple):
    """Circles that cut the wrist's circle about a target.

    Attributes
    ----------
    spans : radii about the base [m]: the wrist's distance with joint 2 at a limit, or with the
        elbow straight or folded if its limits allow that
    elbows : positions of the elbow with joint 1 at a limit [m]
    rigid : links 2 and 3 with joint 3 at a limit
    """

    spans: tuple[float, ...]
    elbows: tuple[Point, ...]
    rigid: tuple[Rigid, ...]

    @classmethod
    def of(cls, model: ArmModel) -> CutCircles:
        """Make the circles of an arm; a joint with a whole turn between its limits cuts nothing."""
        both_1, both_2, both_3 = (
            limits if limits[1] - limits[0] < TURN else () for limits in model.limits
        )
        lower, upper = model.limits[1]
        # Limits of joint 2 that mirror each other give the same cuts: one of them is enough. Other
        # limits may do so by rounding. Their cuts stay double, with a gap without width in between.
        return cls.through(model, both_1, both_2[:1] if lower == -upper else both_2, both_3)

    @classmethod
    def through(
        cls,
        model: ArmModel,
        all_q1: Iterable[float],
        all_q2: Iterable[float],
        all_q3: Iterable[float],
    ) -> CutCircles:
        """Make the circles of the wrist with one of the joints at one of its angles [rad].

        The circles of a straight or folded elbow are among them.
        """
        length_1, length_2, length_3 = model.link_lengths
        bent = [span(length_1, length_2, q2) for q2 in all_q2]
        straight = [length_1 + length_2] if _elbow_may_be_at(0.0, model) else []
        folded = [abs(length_1 - length_2)] if _elbow_may_be_at(math.pi, model) else []
        return cls(
            spans=(*straight, *folded, *bent),
            elbows=tuple((length_1 * math.cos(q1), length_1 * math.sin(q1)) for q1 in all_q1),
            rigid=tuple(Rigid.at(length_2, length_3, q3) for q3 in all_q3),
        )


def _elbow_may_be_at(angle: float, model: ArmModel) -> bool:
    """Whether joint 2 can be at an angle, or so near to it that rounding may put it there.

    With families, the position of joint 2 says nothing about the triangle.
    """
    lower, upper = model.limits[1]
    nearby = turns_into(angle, (lower - ELBOW_WINDOW, upper + ELBOW_WINDOW))
    return model.has_families or bool(nearby)


class Orientations:
    """Finds the orientations of points; owns the circles that give their cuts."""

    def __init__(self, solver: PoseSolver, circles: CutCircles | None = None) -> None:
        self.solver, self.model = solver, solver.model
        if circles is not None:
            self.circles = circles

    @cached_property
    def circles(self) -> CutCircles:
        """The circles of the arm's limits."""
        return CutCircles.of(self.model)

    def cuts(self, x: float, y: float) -> list[float]:
        """The only orientations at which the answer for a point may change [rad]."""
        cuts = wrist_cuts(self.circles, self.model.link_lengths, x, y)
        if self.model.has_families:  # twice each: a gap without width examines the cut alone
            cuts += 2 * family_orientations(self.model, math.atan2(y, x))
        return cuts

    def of_point(self, x: float, y: float) -> list[Interval]:
        """Every orientation with which a point can be reached, in normal form."""
        return self.intervals(x, y, (_gaps(self.cuts(x, y)), []))

    def reach(self, x: float, y: float) -> bool:
        """Whether any orientation reaches a point; the first open gap is enough."""
        looks = self.looks(x, y, self.cuts(x, y))
        return looks[1][-1] or bool(self.intervals(x, y, looks))

    def looks(self, x: float, y: float, cuts: Iterable[float]) -> Looks:
        """The gaps of a point inside the outer safe zone with known cuts, looked at up to the first
        open one: a verdict needs no more."""
        gaps, reaches = _gaps(cuts), self.solver.reaches
        for closed, (start, end) in enumerate(gaps):
            if reaches(x, y, (start + end) / 2.0):
                return gaps, [False] * closed + [True]
        return gaps, [False] * len(gaps)

    def intervals(self, x: float, y: float, looks: Looks) -> list[Interval]:
        """`of_point` for a point inside the outer safe zone; it looks at the remaining gaps."""
        (gaps, first), reaches = looks, self.solver.reaches
        rest = gaps[len(first) :]
        is_open = first + [reaches(x, y, (start + end) / 2.0) for start, end in rest]
        if all(is_open):
            return [EVERY_ORIENTATION]
        alone = [(cut, cut) for cut in _alone(gaps, is_open) if reaches(x, y, cut)]
        return united([*compress(gaps, is_open), *alone])

    def nearest(
        self, x: float, y: float, cuts: Iterable[float], wanted: float
    ) -> list[float] | None:
        """The orientation nearest to one without solutions, in (-pi, pi], for a point inside the
        outer safe zone with known cuts [rad]; see `nearest_reached`."""
        return nearest_reached(cuts, wanted, partial(self.solver.reaches, x, y))

    def intervals_by_elbow(self, x: float, y: float) -> tuple[list[Interval], list[Interval]]:
        """The orientations with elbow up and with elbow down; a straight elbow is neither."""
        gaps = _gaps(self.cuts(x, y))
        bends = [self._bends(x, y, (start + end) / 2.0) for start, end in gaps]
        found: list[list[Interval]] = []
        for side in (-1.0, 1.0):
            is_open = [side in some for some in bends]
            alone = [
                (cut, cut) for cut in _alone(gaps, is_open) if side in self._bends(x, y, cut)
            ]
            found.append(united([*compress(gaps, is_open), *alone]))
        return found[0], found[1]

    def _bends(self, x: float, y: float, phi: float) -> set[float]:
        """The sides to which joint 2 bends in the solutions of a pose, -1 or 1; straight is none.
        """
        sines = (math.sin(q[1]) for q in self.solver.solutions(x, y, phi))
        return {math.copysign(1.0, sine) for sine in sines if abs(sine) > STRAIGHT}

    def near(
        self, x: float, y: float, q: JointPositions, limits: Sequence[Limits] | None = None
    ) -> list[float]:
        """Orientations at a point; one of them is about as near to joint positions as any [rad].

        The solutions at a point form curves in joint space. Along a curve, the joint that moves
        most passes its position in `q`, turns back before that, or meets a limit. By default, the
        limits are the model's: a joint that takes every angle has none, but may have to turn round.
        """
        angles = [
            (nearest_in(near, one), *ends(one)) for near, one in zip(q, limits or self.model.limits)
        ]
        cuts = wrist_cuts(CutCircles.through(self.model, *angles), self.model.link_lengths, x, y)
        return [*cuts, *self.stationary(x, y), *corner_orientations(self.model, x, y, angles)]

    @cached_property
    def _aligned(self) -> tuple[Rigid, Rigid]:
        """Links 2 and 3 aligned: straight, and folded."""
        _, length_2, length_3 = self.model.link_lengths
        return Rigid.at(length_2, length_3, 0.0), Rigid.at(length_2, length_3, math.pi)

    def stationary(self, x: float, y: float) -> list[float]:
        """Orientations at which a joint turns back while the wrist goes round a point [rad].

        Base, elbow, wrist and target form a linkage of four bars. The angle between two bars is
        largest or smallest when the other two are aligned: joint 1 with links 2 and 3 aligned,
        joint 2 with link 3 along the line to the base, joint 3 with link 1 along it.
        """
        length_1, outwards = self.model.link_lengths[0], math.atan2(y, x)
        along = length_1 * math.cos(outwards), length_1 * math.sin(outwards)
        elbows = along, (-along[0], -along[1])
        aligned = CutCircles(spans=(), elbows=elbows, rigid=self._aligned)
        return [outwards, outwards + math.pi, *wrist_cuts(aligned, self.model.link_lengths, x, y)]


def nearest_reached(
    cuts: Iterable[float], wanted: float, reaches: Callable[[float], bool]
) -> list[float] | None:
    """The orientation nearest to one without solutions, in (-pi, pi], if all cuts are known [rad];
    [] if no gap is open.

    It is an end of an open gap. The gaps closest to the wanted orientation are looked at first, so
    a few looks are enough. None if rounding may decide; then `Orientations.intervals` knows.
    """
    ahead = sorted([(cut - wanted) % TURN for cut in cuts])
    if not ahead or min(map(sub, [*ahead[1:], ahead[0] + TURN], ahead)) < SPLIT_CUT:
        return None
    first, last = ahead[0], ahead[-1] - TURN
    if min(first, -last) < SPLIT_CUT and reaches(wanted + (first + last) / 2.0):
        return None  # the wanted one is in an open gap
    found, least = None, math.inf
    low, high = 0, len(ahead) - 1  # the gaps between these cuts have not been looked at
    while low < high:
        away, back = ahead[low], TURN - ahead[high]
        if min(away, back) > least + WIDTH_ROUNDING:
            break
        if away <= back:
            nearest, low = ahead[low], low + 1
            middle = (nearest + ahead[low]) / 2.0
        else:
            nearest, high = ahead[high], high - 1
            middle = (nearest + ahead[high]) / 2.0
        if reaches(wanted + middle):
            if found is not None:
                return None  # there are two
            found, least = nearest, min(away, back)
    if found is None:
        return []
    if low == high and min(ahead[low], TURN - ahead[low]) <= least + WIDTH_ROUNDING:
        return None  # both ends of a gap are equally near
    return [wrap(wanted + found)]


def _gaps(cuts: Iterable[float]) -> list[Interval]:
    """The gaps between neighboring cuts; without cuts, one gap from 0 all the way round."""
    starts = sorted(map(math.remainder, cuts, repeat(TURN))) or [0.0]
    return list(pairwise([*starts, starts[0] + TURN]))


def _alone(gaps: list[Interval], is_open: list[bool]) -> list[float]:
    """Cuts at a narrow gap that are not an end of an open gap."""
    is_narrow = [end - start < SPLIT_CUT for start, end in gaps]
    if not any(is_narrow):
        return []
    return [
        gaps[index][0]
        for index in range(len(gaps))
        if (is_narrow[index] or is_narrow[index - 1])
        and not (is_open[index] or is_open[index - 1])
    ]


def wrist_cuts(circles: CutCircles, lengths: Lengths, x: float, y: float) -> list[float]:
    """Orientations at which the wrist's circle about a point meets the circles [rad]."""
    return [*chain.from_iterable(cuts_of_each(circles, lengths, x, y))]


def cuts_of_each(
    circles: CutCircles, lengths: Lengths, x: float, y: float
) -> Iterator[Sequence[float]]:
    """The same for each circle: two cuts, or none."""
    length_1, length_2, length_3 = lengths
    tolerance = TOLERANCE * (length_1 + length_2 + length_3)
    distance, outwards = math.hypot(x, y), math.atan2(y, x)
    for length, angle in circles.rigid:
        yield meeting_directions(outwards + angle, distance, length, length_1, tolerance)
    for reach in circles.spans:
        yield meeting_directions(outwards, distance, length_3, reach, tolerance)
    for elbow_x, elbow_y in circles.elbows:
        away_x, away_y = x - elbow_x, y - elbow_y
        away, direction = math.hypot(away_x, away_y), math.atan2(away_y, away_x)
        yield meeting_directions(direction, away, length_3, length_2, tolerance)
