"""The verdict on a point in space, for an arm in a fixed plane or behind a yaw joint.

Each shoulder - facing the target, or reaching backwards - asks the planar question in its own
plane; this module puts the answers together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from operator import sub
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ik_circles.errors import NotFiniteError
from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import Interval, united
from ik_circles.geometry.rigid import Rotation
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.redundancy.policy import Redundancy, candidates
from ik_circles.planar.selection import Policy, choose, is_on_branch
from ik_circles.planar.selection import solve as choose_planar
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import Code, Reason, excess_text, meters_text, reachable_with, with_nearest
from ik_circles.spatial.yaw import Place, Shoulder, Yaw

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions
    from ik_circles.robot.arm import NamedPositions, RobotArm

#: Orientations that differ by less than this are the same [rad]; of the plane, by less than that.
SAME_ORIENTATION, SAME_TILT = 1e-9, 1e-6
#: So many times the reach away, the distances from a target to two places on the arm round to the
#: same: the place towards a target that is farther away is that towards one this far.
FAR = 1e6
#: A target whose distance from the yaw axis differs from the plane's by less than this share of the
#: reach is on the edge of what turning the plane can meet.
EDGE = 1e-7

Point3 = tuple[float, float, float]
T = TypeVar('T')


class SpatialPose(NamedTuple):
    """Position of the tip in base_link [m], orientation of the tool in the arm's plane [rad], and
    the yaw angle of that plane [rad], 0 without a yaw joint."""

    x: float
    y: float
    z: float
    phi: float
    yaw: float = 0.0


class Configuration(NamedTuple):
    """The yaw angle and the arm's joint angles [rad]."""

    yaw: float
    q: JointPositions


class Wanted(NamedTuple):
    """What is asked for: a point in base_link [m], and if it matters the tool's orientation, as the
    angle in the plane [rad] or as that of tip_link in base_link (3x3).

    `tilt_tolerance` [rad]: an orientation that no joint can give may differ by that.
    """

    point: Point3
    phi: float | None
    rotation: Rotation | None
    zones: SafeZones
    out_of_plane_tolerance: float
    tilt_tolerance: float


class Way(NamedTuple):
    """One shoulder: the plane at `shoulder.yaw`, which the yaw joint can take at `yaws` [rad]; the
    orientation wanted in that plane [rad], and how far that is from the one asked for [rad], None
    where that does not matter yet; whether it is near enough; the planar answer."""

    shoulder: Shoulder
    yaws: list[float]
    phi: float | None
    tilt: float | None
    is_level: bool
    found: Reachability


#: A way, and a yaw angle and joint angles there [rad].
Choice = tuple[Way, float, 'JointPositions']


class SpatialReachability:
    """Answer of `RobotArm.check_reachability`: as Reachability, in the robot's own terms.

    `nearest` is in space and joint positions go by name. Out of the plane, `margin` [m] is minus
    the distance to `nearest`. Behind a yaw joint, a positive `margin` is certified: every point
    nearer than that can be reached, too, by the same shoulder.
    """

    def __init__(self, chain: RobotArm, wanted: Wanted) -> None:
        self._chain, self._wanted = chain, wanted
        self._ways = [_way(chain, wanted, *one) for one in _shoulders(chain, wanted)]
        self._off = self._ways[0].shoulder.beside if self._ways else 0.0
        self._working, self.code = self._verdict()
        self.reachable = self.code is Code.OK

    def __repr__(self) -> str:
        return f'SpatialReachability({self.code.name}: {self.message}; nearest {self.nearest})'

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations in the plane with which the point can be reached, by either shoulder."""
        found = [way.found.orientation_intervals for way in self._ways if way.yaws]
        return list(found[0]) if len(found) == 1 else united([one for way in found for one in way])

    @property
    def is_tilted(self) -> bool:
        """Whether the orientation is refused because no joint can give it, whatever the limits."""
        return self.code is Code.ORIENTATION and not self._working[0].is_level

    @property
    def as_wanted(self) -> bool:
        """Whether the arm can take the target as it is, in the plane and with its orientation to
        within SAME_TILT: then `nearest` is the target."""
        wanted = self._wanted.rotation is not None and self.reachable
        exact = wanted and self._off == 0.0 and self._chain.slack == 0.0
        return exact and self._tilt(self._way_of_nearest) <= SAME_TILT

    def tilt_of(self, positions: Mapping[str, float]) -> float:
        """How far the orientation at these joint positions by name is from the wanted one [rad]."""
        if self._wanted.rotation is None:
            return 0.0
        yaw, q = self._chain.configuration(positions)
        return self._chain.tilt(self._wanted.rotation, sum(q), yaw)

    @property
    def solutions(self) -> list[NamedPositions]:
        """Every set of joint positions at `nearest` if reachable, else []."""
        return [
            self._chain.named(q, yaw)
            for way in (self._working if self.reachable else [])
            for yaw in way.yaws
            for q in way.found.solutions
        ]

    @property
    def message(self) -> str:
        """The reason as a sentence with its figure."""
        if self.reachable:
            return reachable_with(self.orientation_intervals)
        if self.code is Code.OUT_OF_PLANE:
            return self._out_of_plane()
        if self.code is Code.ORIENTATION:
            way = self._working[0]
            return self._tilted(way) if self.is_tilted else way.found.message
        reach = self._chain.arm.max_reach
        return with_nearest(self._why_not(), self._wanted.point, self._nearest_place, reach)

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take."""
        found = self._configuration
        if found is None:
            return None
        return SpatialPose(*self._place_at(found), wrap(sum(found.q)), found.yaw)

    @property
    def nearest_joint_positions(self) -> NamedPositions | None:
        """Joint positions by name [rad] at `nearest`."""
        found = self._configuration
        return None if found is None else self._chain.named(found.q, found.yaw)

    @property
    def margin(self) -> float:
        """Signed distance to the workspace's boundary [m]; see the class."""
        yaw, zones, point = self._chain.yaw, self._wanted.zones, self._wanted.point
        if not self._working:
            nearest = self._nearest_place
            return math.nan if nearest is None else 0.0 - math.dist(point, nearest)
        if yaw is None:
            return self._ways[0].found.margin
        place = self._chain.place_of(yaw, point)
        inside = [way for way in self._ways if way.yaws and way.found.position_reachable]
        return max(_margin(self._chain.arm, yaw, place, way, zones) for way in inside)

    def solve(
        self,
        seed: Mapping[str, float] | None = None,
        policy: Policy = Policy(),  # noqa: B008  (it is frozen)
        redundancy: Redundancy = Redundancy(),  # noqa: B008
    ) -> NamedPositions | None:
        """The one set of joint positions that the policy chooses; see RobotArm.solve."""
        complete = seed is not None and self._chain.velocity_limits.keys() <= seed.keys()
        known = self._chain.configuration(seed) if seed is not None and complete else None
        if known is not None and not math.isfinite(known.yaw + sum(known.q)):
            raise NotFiniteError(f'seed {dict(seed or {})} must be finite numbers of radians')
        start = known or self._chain.home
        choices = [
            (way, yaw, q)
            for way in self._ways
            if way.is_level and way.found.position_reachable
            for yaw, q in product(
                self._yaws_next_to(start.yaw, way),
                _candidates(self._chain.arm, way, known, policy, redundancy),
            )
        ]
        if not choices:
            return None
        _, yaw, q = choices[0] if len(choices) == 1 else self._best(choices, start, policy)
        return self._chain.named(q, yaw)

    def _best(self, choices: list[Choice], start: Configuration, policy: Policy) -> Choice:
        """What counts, in this order: the orientation in the plane, and of the plane; the branch;
        the largest change. Both shoulders may do equally well but for rounding."""
        choices = _least(choices, _turned_away, SAME_ORIENTATION)
        choices = _least(choices, lambda one: self._tilt(one[0]), SAME_TILT)

        def cost(one: Choice) -> tuple[bool, float]:
            _, yaw, q = one
            changes = map(abs, map(sub, (yaw, *q), (start.yaw, *start.q)))
            return not is_on_branch(q, policy.branch), max(changes)

        return min(choices, key=cost)

    def _yaws_next_to(self, near: float, way: Way) -> Sequence[float]:
        """The yaw angles of a way; next to `near`, where there is a choice."""
        yaw, wanted = self._chain.yaw, self._wanted
        if yaw is None or not way.yaws:
            return way.yaws
        if wanted.rotation is None and yaw.is_on_axis(self._chain.place_of(yaw, wanted.point)):
            return [nearest_in(near, yaw.limits)]
        if yaw.limits[0] == -math.inf:
            return [near + wrap(angle - near) for angle in way.yaws]
        return way.yaws

    # --- verdict and nearest ---

    def _verdict(self) -> tuple[list[Way], Code]:
        """The ways that decide, best first, and the code."""
        if self._off > self._wanted.out_of_plane_tolerance:
            return [], Code.OUT_OF_PLANE
        working = [way for way in self._ways if way.yaws and way.is_level and way.found.reachable]
        return (working, Code.OK) if working else self._refusal()

    def _refusal(self) -> tuple[list[Way], Code]:
        """The verdict where no way works as it is."""
        turned = [way for way in self._ways if way.yaws]
        other = [way for way in turned if way.is_level and way.found.position_reachable]
        if other:
            return _least(other, _turn_needed, SAME_ORIENTATION), Code.ORIENTATION
        tilted = [way for way in turned if way.found.position_reachable]
        if tilted:
            return _least(tilted, self._tilt, SAME_TILT), Code.ORIENTATION
        on_edge = self._way_on_edge()
        if on_edge is not None:
            self._ways.append(on_edge)
            taken = on_edge.found.reachable and on_edge.is_level
            return [on_edge], Code.OK if taken else Code.ORIENTATION
        if not self._ways:
            return [], Code.TOO_CLOSE
        way = self._least_wrong()
        return [], Code.JOINT_LIMIT if way.found.position_reachable else way.found.code

    def _way_on_edge(self) -> Way | None:
        """Where the plane passes the axis, and the target as far from it, rounding moves the place
        in the plane by its root: what the nearest configuration reaches is reached."""
        chain, wanted = self._chain, self._wanted
        yaw = chain.yaw
        if yaw is None or yaw.holds_axis:
            return None
        place = chain.place_of(yaw, wanted.point)
        if not abs(place.radius - abs(yaw.aside)) <= EDGE * chain.arm.max_reach:
            return None
        near = _nearest(chain.arm, yaw, place, wanted.zones)
        if near is None:
            return None
        tip = chain.arm.forward_kinematics(near.q)[:2]
        if math.dist(chain.from_plane(*tip, near.yaw), wanted.point) > CLOSURE * yaw.rounding:
            return None
        way = _way(chain, wanted, Shoulder(near.yaw, tip), [near.yaw])
        return way if way.found.position_reachable else None

    def _tilt(self, way: Way) -> float:
        """How far the tool's orientation in the way's plane is from the one asked for [rad]."""
        rotation = self._wanted.rotation
        if rotation is None or way.phi is None:
            return 0.0
        if way.tilt is not None:
            return way.tilt
        return self._chain.tilt(rotation, way.phi, way.shoulder.yaw)

    @property
    def _way_of_nearest(self) -> Way:
        """Of the ways that work, the one whose orientation is most like the one asked for."""
        if len(self._working) > 1 and self.reachable:
            return self._least_tilted
        return (self._working or self._ways)[0]

    @cached_property
    def _least_tilted(self) -> Way:
        return _least(self._working, self._tilt, SAME_TILT)[0]

    @property
    def _configuration(self) -> Configuration | None:
        """The configuration at `nearest`."""
        if not self._working and self._chain.yaw is not None:
            return self._nearest_turned
        way = self._way_of_nearest
        q = way.found.nearest_joint_positions
        return None if q is None else Configuration(way.yaws[0], q)

    @cached_property
    def _nearest_turned(self) -> Configuration | None:
        """Behind a yaw joint, the configuration nearest to a point out of reach."""
        arm, yaw = self._chain.arm, self._chain.yaw
        if yaw is None:
            return None
        seen = self._chain.place_of(yaw, self._wanted.point).brought_within(FAR * arm.max_reach)
        return _nearest(arm, yaw, seen, self._wanted.zones)

    def _place_at(self, found: Configuration) -> Point3:
        """Where the tip is at the configuration of `nearest` in base_link [m]."""
        if self._working and self._off == 0.0:
            return self._wanted.point
        tip = self._chain.arm.forward_kinematics(found.q)
        return self._chain.from_plane(tip.x, tip.y, found.yaw)

    @property
    def _nearest_place(self) -> Point3 | None:
        found = self._configuration
        return None if found is None else self._place_at(found)

    # --- reasons ---

    def _least_wrong(self) -> Way:
        """The shoulder that a reason is given for: the one with less in its way, facing first."""
        yaw = self._chain.yaw

        def wrong(way: Way) -> tuple[int, bool]:
            count = (not way.yaws) + (not way.found.position_reachable)
            return count, yaw is not None and not yaw.faces(way.shoulder)

        return min(self._ways, key=wrong)

    def _why_not(self) -> Reason:
        """Why the position is out of reach."""
        yaw, label = self._chain.yaw, self._chain.yaw_label
        if not self._ways and yaw is not None:
            aside = abs(yaw.aside)
            missing = aside - self._chain.place_of(yaw, self._wanted.point).radius
            why = f"the arm's plane passes it at {meters_text(aside)}"
            too_close = f'too close to the axis of {label.name} by {meters_text(missing)}: {why}'
            return Reason(too_close, missing)
        way = self._least_wrong()
        if yaw is None:
            return way.found.reason
        turn = excess_text(label, yaw.excess(way.shoulder.yaw))
        if way.found.position_reachable:
            return Reason(turn, 0.0)
        sentence, explains = way.found.reason
        if not yaw.faces(way.shoulder):
            sentence = f'reaching backwards, {sentence}'
        return Reason(sentence, explains) if way.yaws else Reason(f'{sentence}, and {turn}', 0.0)

    def _out_of_plane(self) -> str:
        found = self._ways[0].found
        message = (
            f'out of the plane of {", ".join(self._chain.joint_names)} by {self._off:.3g} m, '
            f'{self._wanted.out_of_plane_tolerance:.3g} m are allowed'
        )
        return message if found.reachable else f'{message}; in the plane: {found.message}'

    def _tilted(self, way: Way) -> str:
        tilt = f'{math.degrees(self._tilt(way)):.1f} deg'
        if self._chain.yaw is None:
            return (
                f"the orientation tilts the arm's plane by {tilt}, which no joint can do; turn the "
                'tool about the joint axes only, or set orientation_mode to free'
            )
        return (
            f'the orientation is {tilt} away from what the arm can do there: only its pitch is '
            "free, the position decides the tool's heading; set orientation_mode to preferred"
        )


def _least(some: list[T], cost: Callable[[T], float], same: float) -> list[T]:
    """Those of the least cost, and those whose cost is the same but for rounding."""
    costs = list(map(cost, some))
    most = min(costs) + same
    return [one for one, its in zip(some, costs) if its <= most]


def _turned_away(choice: Choice) -> float:
    way, _, q = choice
    return 0.0 if way.phi is None else abs(wrap(sum(q) - way.phi))


def _turn_needed(way: Way) -> float:
    phi, nearest = way.found.wanted_orientation, way.found.nearest
    return math.inf if phi is None or nearest is None else abs(wrap(nearest.phi - phi))


def _shoulders(chain: RobotArm, wanted: Wanted) -> list[tuple[Shoulder, list[float]]]:
    """The ways to turn to the target; on the yaw axis, where any will do, that for the wanted
    orientation and the opposite one."""
    found = chain.shoulders(wanted.point)
    yaw = chain.yaw
    if yaw is None or not yaw.is_on_axis(chain.place_of(yaw, wanted.point)):
        return found
    (any_turn, _), = found  # fmt: skip
    if wanted.rotation is None:
        return found
    angle = chain.yaw_of(wanted.rotation)
    both = [
        (Shoulder(turns[0], any_turn.point), turns)
        for turns in (yaw.turns(wrap(angle + half), SAME_ORIENTATION) for half in (0.0, math.pi))
        if turns
    ]
    return both or found


def _way(chain: RobotArm, wanted: Wanted, shoulder: Shoulder, yaws: list[float]) -> Way:
    """The planar question of a shoulder."""
    phi, tilt = wanted.phi, None
    if wanted.rotation is not None:
        if wanted.tilt_tolerance < math.pi:
            phi, tilt = chain.tool_orientation(wanted.rotation, shoulder.yaw)
        else:
            phi = chain.tool_angle(wanted.rotation, shoulder.yaw)
    found = Reachability(chain.arm.workspace, shoulder.point, phi, wanted.zones, chain.labels)
    is_level = tilt is None or tilt <= wanted.tilt_tolerance
    return Way(shoulder, yaws, phi, tilt, is_level, found)


# --- nearest and margin behind a yaw joint --------------------------------------------------------


def _nearest(arm: PlanarArm, yaw: Yaw, place: Place, zones: SafeZones) -> Configuration | None:
    """The configuration with the tip nearest to a place that cannot be reached.

    The plane is turned to a limit, or freely: the tip then lies towards the place, seen from the
    axis.
    """
    best, least = None, math.inf
    for end in yaw.ends():
        outwards, off = yaw.seen_at(end, place)
        found = Reachability(arm.workspace, yaw.in_plane(outwards, place.height), None, zones)
        q = found.nearest_joint_positions
        if q is not None:
            distance = math.hypot(off, min(0.0, found.margin))
            if distance < least:
                best, least = Configuration(end, q), distance
    for tips in (_likely_tips, _stationary_tips):
        for tip, q in tips(arm, yaw, place, zones, least):
            distance = yaw.distance_turned(place, tip)
            turns = yaw.turns(yaw.facing(place, tip)) if distance < least else []
            if turns:
                best, least = Configuration(turns[0], q), distance
    return best


def _likely_tips(
    arm: PlanarArm, yaw: Yaw, place: Place, zones: SafeZones, _: float
) -> Iterator[tuple[Point, JointPositions]]:
    """Points of the workspace in the arm's plane that may be nearest when turned, with joint
    positions: those nearest to where the plane meets the place; if it passes the axis beside it,
    also on each arc."""
    sides = [place.radius, -place.radius] if yaw.holds_axis else [0.0]
    for outwards in sides:
        point = yaw.in_plane(outwards, place.height)
        q = Reachability(arm.workspace, point, None, zones).nearest_joint_positions
        if q is not None:
            yield arm.forward_kinematics(q)[:2], q
    if not yaw.holds_axis:
        yield from arm.workspace.tips_on_arcs(lambda arc: yaw.likely_on(arc, place), zones)


def _stationary_tips(
    arm: PlanarArm, yaw: Yaw, place: Place, zones: SafeZones, least: float
) -> Iterator[tuple[Point, JointPositions]]:
    """All others that may be nearer than `least` [m]."""
    if not yaw.holds_axis:
        yield from arm.workspace.tips_on_arcs(
            lambda arc: yaw.stationary_on(arc, place, least), zones
        )


def _margin(arm: PlanarArm, yaw: Yaw, place: Place, way: Way, zones: SafeZones) -> float:
    """How far around a reachable place every point can be reached by the same shoulder [m]."""
    margin = yaw.distance_to_limit(way.shoulder, place)
    if yaw.holds_axis:
        return min(way.found.margin, margin)
    margin = min(margin, place.radius - abs(yaw.aside))
    faces = yaw.faces(way.shoulder)
    for arc in (*arm.workspace_boundary().arcs, *zones.circles):
        for points in (yaw.likely_on(arc, place), yaw.stationary_on(arc, place, margin)):
            for point in points:
                if (yaw.from_axis(point)[0] >= 0.0) == faces:
                    margin = min(margin, yaw.distance_turned(place, point))
    return max(0.0, margin)


# --- choosing -------------------------------------------------------------------------------------


def _candidates(
    arm: PlanarArm,
    way: Way,
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[JointPositions]:
    """What there is to choose from in the plane of a way."""
    near = None if seed is None else seed.q
    if way.phi is None:
        return candidates(arm.workspace, *way.shoulder.point, near, policy, redundancy)
    if way.found.reachable and not arm.has_families:  # whose member depends on the seed
        chosen = choose(arm, way.found.solutions, near, policy.branch)
    else:
        chosen = choose_planar(arm.workspace, *way.shoulder.point, way.phi, near, policy)
    return [] if chosen is None else [chosen]
