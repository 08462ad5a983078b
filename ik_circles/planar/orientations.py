"""Tool orientations with which a point can be reached.

The wrist lies on a circle about the target. That circle is cut where a joint meets a limit or the
elbow is straight or folded; each cut is an intersection of two circles, and between two cuts side
by side nothing changes, so that one look between each pair of cuts decides all of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import compress, repeat
from typing import TYPE_CHECKING, NamedTuple

from ik_circles.geometry.angles import TURN, Limits, turns_into
from ik_circles.geometry.circles import Point, angle_between_sides
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval, _joined
from ik_circles.planar.inverse import reached_with, solutions

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm

#: An orientation that works while those beside it do not is where two cuts meet. Rounding may have
#: split them by less than this [rad].
SPLIT_CUT = 1e-4
#: An elbow is straight or folded only if its limits are not farther away than this [rad].
ON_LIMIT = 0.1


def intervals(arm: PlanarArm, x: float, y: float, at: Iterable[float]) -> list[Interval]:
    """Orientations between the cuts `at` that reach the point; see orientation_intervals."""
    cuts, ends, middles = _gaps(at)
    is_open = reached_with(arm, x, y, middles)
    if all(is_open):
        return [EVERY_ORIENTATION]
    pieces: list[Interval] = []
    is_split = False
    for cut, end, works in zip(cuts, ends, is_open):
        if works:
            pieces.append((cut, end))
        is_split = is_split or end - cut < SPLIT_CUT
    if is_split:
        narrow = [index for index, cut in enumerate(cuts) if ends[index] - cut < SPLIT_CUT]
        alone = [
            cuts[index]
            for index in sorted({*narrow, *((index + 1) % len(cuts) for index in narrow)})
            if not (is_open[index] or is_open[index - 1])
        ]
        reached_alone = reached_with(arm, x, y, alone)
        pieces += [(cut, cut) for cut in compress(alone, reached_alone)]
        pieces.sort()
    return _joined(pieces)


def intervals_of_branches(
    arm: PlanarArm, x: float, y: float, at: list[float]
) -> tuple[list[Interval], list[Interval]]:
    """Orientations between the cuts `at` that reach the point with elbow up, and with elbow down;
    without those that are reached alone."""
    cuts, ends, middles = _gaps(at)
    bends = [[math.sin(q[1]) for q in solutions(arm, x, y, middle)] for middle in middles]
    up = compress(zip(cuts, ends), (any(bend < 0.0 for bend in some) for some in bends))
    down = compress(zip(cuts, ends), (any(bend > 0.0 for bend in some) for some in bends))
    return _joined(list(up)), _joined(list(down))


def _gaps(at: Iterable[float]) -> tuple[list[float], list[float], list[float]]:
    """Where the gaps between cuts start, where they end, and their middles."""
    cuts = sorted(map(math.remainder, at, repeat(TURN))) or [0.0]
    ends = [*cuts[1:], cuts[0] + TURN]
    return cuts, ends, [(start + end) / 2.0 for start, end in zip(cuts, ends)]














class CutCircles(NamedTuple):
    """Circles that the wrist's circle about a target is cut with, computed once for an arm [m].

    `spans`: about the base, the wrist's distance with joint 2 at a limit, or with a straight or
    folded elbow if its limits allow that. `elbows`: where joint 1 at a limit puts it. `rigid`: with
    joint 3 at a limit, the length of links 2 and 3 as one, and the angle from its direction to the
    tool's [rad]. A joint with a whole turn between its limits has none.
    """

    spans: tuple[float, ...]
    elbows: tuple[Point, ...]
    rigid: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, arm: PlanarArm) -> CutCircles:
        """The circles of an arm."""
        length_1, length_2, length_3 = arm.link_lengths
        both_1, both_2, both_3 = (
            limits if limits[1] - limits[0] < TURN else () for limits in arm.limits
        )
        limited = [span(length_1, length_2, q2) for q2 in both_2]
        if arm.limits[1][0] < arm.limits[1][1]:  # a joint that cannot move has two cuts of one
            limited = list(dict.fromkeys(limited))
        rigid = (
            (span(length_2, length_3, q3), q3 - bend(length_2, length_3, q3)) for q3 in both_3
        )
        return cls(
            (
                *((length_1 + length_2,) if _elbow_may_be_at(0.0, arm) else ()),
                *((abs(length_1 - length_2),) if _elbow_may_be_at(math.pi, arm) else ()),
                *limited,
            ),
            tuple((length_1 * math.cos(q1), length_1 * math.sin(q1)) for q1 in both_1),
            tuple((reach, turn) for reach, turn in rigid if reach > arm.tolerance),
        )


def _elbow_may_be_at(angle: float, arm: PlanarArm) -> bool:
    """Whether joint 2 can be at `angle`, or so near that rounding may say so; where a link without
    length makes families, its position says nothing about the triangle."""
    lower, upper = arm.limits[1]
    return arm.has_families or bool(turns_into(angle, (lower - ON_LIMIT, upper + ON_LIMIT)))


def orientation_cuts(arm: PlanarArm, x: float, y: float) -> list[float]:
    """Orientations at which the answer may change: the only places where it can."""
    cuts = _cuts_with(arm.cut_circles, arm, x, y)
    if arm.has_families:
        cuts += 2 * _family_cuts(arm, math.atan2(y, x))
    return cuts


def stationary_orientations(arm: PlanarArm, x: float, y: float) -> list[float]:
    """Orientations at which a joint angle turns back while the wrist goes round the target.

    Base, elbow, wrist and target make a linkage of four bars. The angle between two of its bars is
    largest or smallest where the other two are aligned: joint 1 with links 2 and 3 aligned, joint 2
    with link 3 along the line to the base, joint 3 with link 1 along it.
    """
    length_1, length_2, length_3 = arm.link_lengths
    outwards = math.atan2(y, x)
    along = length_1 * math.cos(outwards), length_1 * math.sin(outwards)
    folded = 0.0 if length_3 >= length_2 else math.pi
    aligned = CutCircles(
        (),
        (along, (-along[0], -along[1])),
        ((length_2 + length_3, 0.0), (abs(length_2 - length_3), folded)),
    )
    return [outwards, outwards + math.pi, *_cuts_with(aligned, arm, x, y)]


def _cuts_with(circles: CutCircles, arm: PlanarArm, x: float, y: float) -> list[float]:
    length_1, length_2, length_3 = arm.link_lengths
    tolerance = arm.tolerance
    distance = math.hypot(x, y)
    outwards = math.atan2(y, x)
    cuts: list[float] = []
    if distance > tolerance:
        for reach, turn in circles.rigid:
            angle = angle_between_sides(distance, reach, length_1, tolerance)
            if angle >= 0.0 and reach > tolerance:
                cuts += outwards + turn + angle, outwards + turn - angle
    if length_3 <= tolerance:
        return cuts
    if distance > tolerance:
        for reach in circles.spans:
            angle = angle_between_sides(distance, length_3, reach, tolerance)
            if angle >= 0.0:
                cuts += outwards + angle, outwards - angle
    for elbow_x, elbow_y in circles.elbows:
        away_x, away_y = x - elbow_x, y - elbow_y
        away = math.hypot(away_x, away_y)
        if away > tolerance:
            angle = angle_between_sides(away, length_3, length_2, tolerance)
            if angle >= 0.0:
                direction = math.atan2(away_y, away_x)
                cuts += direction + angle, direction - angle
    return cuts


def _family_cuts(arm: PlanarArm, direction: float) -> list[float]:
    """Where a link has no length, a family of triples may share the point: the ends of its
    orientations are where all of its joints are at limits."""
    length_1, length_2, length_3 = arm.link_lengths
    limits_1, limits_2, limits_3 = arm.limits
    if length_3 > arm.tolerance:  # links 2 and 3 may fold onto a base that links 1 and 2 share
        sums = [a + b + math.pi for a in limits_1 for b in limits_2]
    elif length_1 <= arm.tolerance and length_2 <= arm.tolerance:
        sums = [a + b + c for a in limits_1 for b in limits_2 for c in limits_3]
    elif length_2 <= arm.tolerance:
        sums = [direction + b + c for b in limits_2 for c in limits_3]
    else:
        sums = [a + math.pi + c for a in limits_1 for c in limits_3]
    return [total for total in sums if math.isfinite(total)]


def ends(limits: Limits) -> tuple[float, ...]:
    """Both limits of a joint, one if they are the same, none if it is continuous."""
    if limits[0] == -math.inf:
        return ()
    return limits if limits[0] < limits[1] else limits[:1]


def span(first: float, second: float, angle: float) -> float:
    """Length of two links with `angle` between their directions, frozen into one."""
    return math.hypot(first + second * math.cos(angle), second * math.sin(angle))


def bend(first: float, second: float, angle: float) -> float:
    """Direction of the two frozen links, from the direction of the first."""
    return math.atan2(second * math.sin(angle), first + second * math.cos(angle))
