"""A full pose of the tip: every way of the whole arm to take it.

The orientation tells where the wrist center is. Each shoulder brings it into the plane. There, the
orientation gives the wrist's angles and that of the last link, and two circles give the rest.
"""

import math
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import chain, product
from typing import NamedTuple

from ik_circles.geometry import checks
from ik_circles.geometry.angles import ends, nearest_in, nearest_turn, wrap
from ik_circles.geometry.angles import where_turning_gives as turning_to
from ik_circles.geometry.intervals import nearest_orientation, shared, stand_ins
from ik_circles.geometry.limits import ON_LIMIT, nearest_turns
from ik_circles.geometry.rigid import Rotation, nearest_rotation
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE, checked_point
from ik_circles.spatial.whole_arm import Whole, WholeArm
from ik_circles.spatial.wrist import SINGULAR, Posture, Singular
from ik_circles.spatial.yaw import Shoulder, Turns

#: A solution is given if it closes to this [m], and with two wrist joints to this [rad].
CLOSES = 1e-9
#: Rounding of an orientation [rad]; loose postures multiply it.
ROUNDING = 1e-14
#: A plane that has to be tilted by no more than this is not tilted [rad].
LEVEL = 1e-10
#: Solutions whose angles differ by no more than this are the same [rad].
SAME_SOLUTION = 1e-7
#: What rounding makes of one solution differs by up to this many times a posture's looseness [1].
FROM_ROUNDING = 10.0
#: How many times the lean of axes may make an orientation look singular that is not [1], or
#: the other way round.
LEANS = 4.0
#: A correction starts with the wrist at least this many times the slack away from where the elbow
#: is straight or folded [1].
BENT = 2.0


class Way(NamedTuple):
    """One shoulder and one posture of the wrist.

    Attributes
    ----------
    shoulder : Shoulder
        Where the wrist center is in the plane.
    yaws : list of float
        The angles that the yaw joint can take for it [rad].
    posture : Posture
        What the orientation asks of the other joints.
    rounded : float
        How far rounding may put joints beside what it asks [rad].
    """

    shoulder: Shoulder
    yaws: list[float]
    posture: Posture
    rounded: float


class FullPose:
    """A pose of the tip: a point in space [m] and an orientation (3x3).

    `ways` are its shoulders and postures, those that face the wrist center first.

    With a single wrist joint, the direction of its axis may leave the plane by `tilt_tolerance`
    [rad]. The wrist center must be farther than `margin` from both safe zones [m]. Where the pose
    leaves a joint free, `near` decides.
    """

    def __init__(
        self,
        arm: WholeArm,
        point: Sequence[float],
        rotation: Rotation,
        tilt_tolerance: float,
        near: Whole | None = None,
        margin: float = 0.0,
    ) -> None:
        self.arm, self.point = arm, checked_point(point)
        self.rotation = nearest_rotation(checks.rotation('rotation', rotation))
        self.tilt_tolerance = checks.at_least_zero('tilt_tolerance', tilt_tolerance, 'rad')
        self.near, self.margin = arm.home if near is None else near, margin
        self.center = arm.wrist.center_at(self.point, self.rotation)
        self.sight = arm.wrist.sight(self.rotation)
        self._beside_axis = arm.hand.plane.shoulders(self.center)
        self.ways = self._all_ways()

    def seen_from(self, near: Whole) -> 'FullPose':
        """The same pose, with each joint at the turn nearest to another configuration."""
        other = copy(self)
        other.near = near
        if self.leaves_choice:
            other.ways = other._all_ways()
        for name in ('solutions', 'allowed_ways', '_doubtful'):
            other.__dict__.pop(name, None)
        if not (self.leaves_choice or self._doubtful):
            other.__dict__['solutions'] = [self.arm.turned(one, near) for one in self.solutions]
        return other

    @cached_property
    def solutions(self) -> list[Whole]:
        """Every configuration inside the limits, each joint at the turn nearest to `near`."""
        ways = [way for way in self.allowed_ways if self._is_plain(way)]
        plain = [one for way in ways for one in self._plain(way)]
        return self._with_corrected(plain) if self._doubtful or self.leaves_choice else plain

    @cached_property
    def allowed_ways(self) -> list[Way]:
        """The ways whose tip may be there, with an orientation near enough."""
        return [way for way in self.ways if self._is_allowed(way)]

    @cached_property
    def _doubtful(self) -> list[Way]:
        """The ways in which correction decides."""
        ways = self.allowed_ways
        return [way for way in ways if way.rounded > ON_LIMIT or not self._is_plain(way)]

    def _with_corrected(self, plain: list[Whole]) -> list[Whole]:
        """The solutions, with those that correction adds; of those that are the same up to whole
        turns, the one nearest to `near`."""
        found: list[Whole] = []
        same = max([SAME_SOLUTION, *(FROM_ROUNDING * way.rounded for way in self._doubtful)])
        for one in chain(plain, *map(self._corrected, self._doubtful)):
            twins = [i for i, other in enumerate(found) if _is_same(one, other, same)]
            if not twins:
                found.append(one)
            elif one.change(self.near) < found[twins[0]].change(self.near):
                found[twins[0]] = one
        return found

    def _all_ways(self) -> list[Way]:
        """The shoulders and postures of the pose, those that face the wrist center first."""
        return [way for turns in self._shoulders() for way in self._ways_of(*turns)]

    @property
    def leaves_choice(self) -> bool:
        """Whether the pose leaves a joint free, so that `near` decides."""
        return (
            self.arm.hand.planar.has_families
            or self._is_on_axis
            or any(way.posture.is_singular for way in self.ways)
        )

    @property
    def _is_on_axis(self) -> bool:
        """Whether the wrist center is on the yaw axis."""
        return bool(self._beside_axis) and self._beside_axis[0][0].on_axis

    def _shoulders(self) -> list[Turns]:
        """The shoulders of the wrist center; on the yaw axis, those that may solve the pose."""
        if not self._is_on_axis:
            return self._beside_axis
        point, yaws = self._beside_axis[0][0].point, self._beside_axis[0][1]
        return [(Shoulder(yaw, point), [yaw]) for yaw in self._yaws_on_axis(point)] if yaws else []

    def _ways_of(self, shoulder: Shoulder, yaws: list[float]) -> list[Way]:
        wrist, rounding = self.arm.wrist, self._rounding(shoulder)
        postures = wrist.postures(self.sight, shoulder.yaw)
        ways = [
            Way(shoulder, yaws, one, min(one.loose * rounding, math.pi)) for one in postures
        ]
        below = self._singular_below(shoulder)
        if postures[0].loose * below < 1.0:
            return ways
        singular = wrist.singular(self.sight, shoulder.yaw)
        member = Way(shoulder, yaws, self._member(shoulder, singular), rounding)
        return [member, *ways] if self.arm.is_leaning else [member]

    def _singular_below(self, shoulder: Shoulder) -> float:
        """How near to the normal the last axis counts as along it [rad]."""
        return SINGULAR + self._turned_by_lean(shoulder)

    def _rounding(self, shoulder: Shoulder) -> float:
        """How far rounding may turn the plane [rad]."""
        yaw = self.arm.hand.yaw
        if yaw is None or yaw.holds_axis:
            return ROUNDING
        outwards = abs(yaw.from_axis(shoulder.point)[0])
        return ROUNDING * max(1.0, abs(yaw.aside) / max(outwards, ROUNDING))

    def _member(self, shoulder: Shoulder, singular: Singular) -> Posture:
        """Of the postures of a singular orientation, the one whose phi is nearest to `near`.

        If none is inside the limits, it is one that all joints but the last can take, if any.
        """
        arm = self.arm
        reached = arm.hand.planar.orientation_intervals(*shoulder.point)
        allowed = shared(reached, singular.allowed(arm.wrist.limits[-1])) or reached
        phi = wanted = sum(self.near.q)
        if allowed:
            wanted = nearest_orientation(allowed, wanted)
            tried = [wanted, *stand_ins(allowed, [wanted])]
            phi, _ = arm.hand.planar.solver.first_solutions(*shoulder.point, tried)
        return Posture(phi, (singular.first, singular.last(phi)), is_singular=True)

    # --- the wrist center on the yaw axis ---

    def _yaws_on_axis(self, point: tuple[float, float]) -> list[float]:
        """Yaw angles to try with the wrist center on the yaw axis, the nearest first [rad].

        Of all that solve the pose, the one nearest to `near` is that of `near` itself, or one at
        which a joint comes to a limit.
        """
        yaw, wrist = self.arm.hand.yaw, self.arm.wrist
        if yaw is None:
            return []
        wanted = self._yaws_of_two(point) if wrist.has_two else self._yaws_of_roll()
        some = [nearest_turn(one, self.near.yaw, yaw.limits) for one in wanted]
        some = [*some, nearest_in(self.near.yaw, yaw.limits), *ends(yaw.limits)]
        return sorted({one for one in some if one is not None}, key=self._turn_needed)

    def _turn_needed(self, yaw: float) -> float:
        return abs(yaw - self.near.yaw)

    def _yaws_of_roll(self) -> list[float]:
        """Where the wrist axis is in the plane, or if it always is, the roll joint on a limit."""
        (outwards, *_), (up, *_), (off, *_) = self.sight
        if math.hypot(outwards, off) > LEVEL:
            return [math.atan2(-off, outwards), wrap(math.atan2(-off, outwards) + math.pi)]
        (posture,) = self.arm.wrist.postures(self.sight, 0.0)
        sign = math.copysign(1.0, up)
        return [wrap(sign * (posture.wrist[0] - end)) for end in ends(self.arm.wrist.limits[0])]

    def _yaws_of_two(self, point: tuple[float, float]) -> Iterator[float]:
        """Where one of the joints is on a limit."""
        (o_x, o_y, o_z), (_, l_y, _), (n_x, n_y, n_z) = self.sight
        wrist, (first, last) = self.arm.wrist, self.arm.wrist.limits
        for end in ends(first):
            yield from turning_to(n_y, o_y, math.sin(end + wrist.first_at_zero))
        for end in ends(last):
            x, z = math.cos(end), math.sin(end)
            yield from turning_to(n_x * x + n_z * z, o_x * x + o_z * z, 0.0)
        for phi in chain.from_iterable(self.arm.hand.planar.orientation_intervals(*point)):
            x, y = math.cos(phi - wrist.phi_at_zero), math.sin(phi - wrist.phi_at_zero)
            yield from turning_to(o_y * x, -n_y * x, -l_y * y)

    # --- one way ---

    def _is_allowed(self, way: Way) -> bool:
        """Whether the tip may be there, and its orientation as near as that."""
        hand, tilt = self.arm.hand, way.posture.tilt
        if way.shoulder.beside > OUT_OF_PLANE_TOLERANCE + hand.plane.slack:
            return False
        if tilt and tilt > self.tilt_tolerance + self._leans(way)[0]:
            return False
        return not self.margin or self._is_in_zones(way)

    def _is_plain(self, way: Way) -> bool:
        """Whether the closed form is the answer."""
        return way.posture.tilt <= LEVEL and not self.arm.is_leaning

    def _is_in_zones(self, way: Way) -> bool:
        planar = self.arm.hand.planar
        away = math.hypot(*way.shoulder.point)
        inner, outer = planar.min_reach + self.margin, planar.max_reach - self.margin
        return inner - planar.tolerance <= away <= outer + planar.tolerance

    def _plain(self, way: Way) -> list[Whole]:
        """The solutions of exact axes."""
        arm, near, posture = self.arm, self.near, way.posture
        if not way.yaws:
            return []
        wrist = []
        for angle, its, limits in zip(posture.wrist, near.wrist, arm.wrist_limits):
            turned = nearest_turn(angle, its, limits, ON_LIMIT)
            if turned is None:
                return []
            wrist.append(turned)
        found = arm.hand.planar.solver.solutions(*way.shoulder.point, posture.phi, near.q)
        if not found:
            return []
        yaw, ends = arm.yaw_near(way.yaws[0], near.yaw), tuple(wrist)
        return [Whole(yaw, arm.q_near(q, near.q), ends) for q in found]

    def _corrected(self, way: Way) -> Iterator[Whole]:
        """The solutions of axes as they are, and those that rounding puts beside limits."""
        arm, near = self.arm, self.near
        of_wrist, of_hand = (max(way.rounded, lean) for lean in self._leans(way))
        wrist = [
            nearest_turns(angle, its, limits, of_wrist)
            for angle, its, limits in zip(way.posture.wrist, near.wrist, arm.wrist_limits)
        ]
        yaws = [0.0]
        if arm.hand.yaw is not None:
            yaws = nearest_turns(way.shoulder.yaw, near.yaw, arm.limits[0], of_hand)
        if not (yaws and all(wrist)):
            return
        place, turn = arm.hand.plane.into(self.point), arm.turn_of(self.rotation)
        for q in self._elbows(way):
            three = map(nearest_turns, q, near.q, arm.limits_of_three, [of_hand] * 3)
            for yaw, q1, q2, q3, *rest in product(yaws, *three, *wrist):
                start = arm.angles(Whole(yaw, (q1, q2, q3), tuple(rest)))
                one = arm.of_angles(arm.chain.posed(start, arm.limits, place, turn))
                if self._closes(one, way):
                    yield one

    def _elbows(self, way: Way) -> list[JointPositions]:
        """Joint angles in the plane with the elbow up and down, bent enough to tell them apart.

        Without a bend, correction could not tell which way to go.
        """
        planar, phi = self.arm.hand.planar, way.posture.phi
        triangle, reach = planar.solver.triangle, planar.max_reach
        room = BENT * (self.arm.hand.plane.slack + ROUNDING * reach) * reach
        middle = (triangle.inner + triangle.outer) / 2.0
        nearest = min(triangle.inner + room, middle)
        farthest = max(triangle.outer - room, middle)
        x, y = planar.wrist(*way.shoulder.point, phi)
        square = min(max(x * x + y * y, nearest), farthest)
        return [
            (upper_arm, forearm - upper_arm, phi - forearm)
            for upper_arm, forearm in triangle.elbow_up_and_down(x, y, square)
        ]

    def _leans(self, way: Way) -> tuple[float, float]:
        """How far leaning axes may move the wrist's joints, and the others [rad]."""
        turned = self._turned_by_lean(way.shoulder)
        return min(way.posture.loose * turned, math.pi), max(self.arm.room, turned)

    def _turned_by_lean(self, shoulder: Shoulder) -> float:
        """How far leaning axes may turn the last link, whose plane turns as the slack seen from
        the yaw axis [rad]."""
        arm, yaw = self.arm, self.arm.hand.yaw
        if not arm.is_leaning:
            return 0.0
        slack = arm.hand.plane.slack
        outwards = abs(yaw.from_axis(shoulder.point)[0]) if yaw else arm.hand.planar.max_reach
        return LEANS * (arm.lean + slack / max(outwards, slack))

    def _closes(self, one: Whole, way: Way) -> bool:
        """Whether a configuration is a solution; a single wrist joint leaves a tilt."""
        away, turned = self.arm.miss(one, self.point, self.rotation)
        allowed = CLOSES
        if not self.arm.wrist.has_two:
            allowed += min(self.tilt_tolerance, way.posture.tilt + self._leans(way)[0])
        return away <= max(CLOSES, self.arm.hand.planar.tolerance) and turned <= allowed


def _is_same(one: Whole, other: Whole, same: float) -> bool:
    """Whether two configurations are the same up to whole turns."""
    pairs = zip((one.yaw, *one.q, *one.wrist), (other.yaw, *other.q, *other.wrist))
    return all(abs(wrap(a - b)) <= same for a, b in pairs)
