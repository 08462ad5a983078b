"""The verdict on a target: reachable or not, why and by how much, and the nearest that works."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import (
    Interval,
    middle_of_widest,
    nearest_orientation,
    stand_ins,
)
from ik_circles.planar.inverse import least_excess, solutions
from ik_circles.planar.orientations import intervals, orientation_cuts, stationary_orientations
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import (
    UNNAMED,
    Code,
    Labels,
    Reason,
    excess_text,
    metres_text,
    reachable_with,
    with_nearest,
)

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions, Pose2D










class Reachability:
    """Answer of `check_reachability`.

    Attributes
    ----------
    code, reachable, message : the verdict, whether it is OK, and the sentence with the figure
    position_reachable : whether the arm can take the target's position, with whatever orientation
    wanted_orientation : what was asked for, if an orientation was [rad]
    nearest : the target itself where it is reachable (with the given orientation, or the middle of
        the widest interval); else the same position with the nearest orientation that works; else
        the nearest reachable point. None only if safe zones and limits share no point.
    nearest_joint_positions : joint positions [rad] at `nearest`
    orientation_intervals : orientations with which the position can be reached [rad]
    margin : distance of the position to the workspace's boundary [m]; negative outside, where it
        is the distance to `nearest`
    solutions : every joint triple at `nearest` if reachable, else []

    What the verdict does not need is computed when it is asked for.
    """

    def __init__(
        self,
        code: Code,
        arm: PlanarArm,
        target: Point,
        phi: float | None,
        zones: SafeZones,
        labels: Labels,
        cuts: Sequence[float] = (),
    ) -> None:
        """`labels` are how messages speak of the joints, `cuts` the orientations at which the
        answer may change, if they are known."""
        self.code, self.wanted_orientation = code, phi
        self.reachable = code is Code.OK
        self.position_reachable = self.reachable or code is Code.ORIENTATION
        self._arm, self._target, self._zones = arm, target, zones
        self._labels, self._cuts = labels, cuts
        # lazy by hand: with cached_property a service's answer took 4 to 12 us longer (Python 3.11)
        self._intervals: list[Interval] | None = None
        self._solved: tuple[float, list[JointPositions]] | None = None

    def __repr__(self) -> str:
        return f'Reachability({self.code.name}: {self.message}; nearest {self.nearest})'

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations with which the position can be reached [rad]."""
        if self._intervals is None:
            self._intervals = self._found_intervals() if self.position_reachable else []
        return self._intervals

    def _found_intervals(self) -> list[Interval]:
        (x, y), phi = self._target, self.wanted_orientation
        found = intervals(self._arm, x, y, self._cuts or orientation_cuts(self._arm, x, y))
        if phi is not None and not found:  # rounding decides, and it was reached
            found = [(wrap(phi), wrap(phi))]
        return found

    @cached_property
    def message(self) -> str:
        """The reason as a sentence with its figure."""
        if self.reachable:
            return reachable_with(self.orientation_intervals)
        if self.position_reachable and self.nearest is not None:
            return self._wrong_orientation(self.nearest.phi)
        place = None if self.nearest is None else self.nearest[:2]
        return with_nearest(self.reason, self._target, place, self._arm.max_reach)

    @cached_property
    def nearest(self) -> Pose2D | None:
        """The nearest pose that the arm can take; see the class."""
        if self.position_reachable:
            return self._arm.pose(*self._target, self._at_position[0])
        joints = self.nearest_joint_positions
        return None if joints is None else self._arm.forward_kinematics(joints)

    @property
    def nearest_joint_positions(self) -> JointPositions | None:
        """Joint positions [rad] at `nearest`."""
        if self.position_reachable:
            return next(iter(self._at_position[1]), None)
        return self._at_nearest_point

    @property
    def margin(self) -> float:
        """Signed distance to the boundary [m]; see the class."""
        if self.position_reachable:
            return self._distance_to_boundary()
        nearest = self.nearest
        return math.nan if nearest is None else -math.dist(self._target, nearest[:2])

    @property
    def solutions(self) -> list[JointPositions]:
        """Every joint triple that reaches the target; see the class."""
        return self._at_position[1] if self.reachable else []

    @property
    def _at_position(self) -> tuple[float, list[JointPositions]]:
        """Orientation of `nearest` where the position can be reached, and the solutions there."""
        if self._solved is None:
            self._solved = self._solved_at_position()
        return self._solved

    def _solved_at_position(self) -> tuple[float, list[JointPositions]]:
        """See _at_position.

        Where rounding leaves that orientation out it is the first of `stand_ins` that is reached,
        and on the outline, if none is, that of the place on the outline.
        """
        arm, target, phi = self._arm, self._target, self.wanted_orientation
        if phi is None:
            near = middle_of_widest(self.orientation_intervals)
        elif self.reachable:
            near = wrap(phi)
        else:
            near = nearest_orientation(self.orientation_intervals, phi)
        found = solutions(arm, *target, near)
        if found:
            return near, found
        for orientation in stand_ins(self.orientation_intervals):
            found = solutions(arm, *target, orientation)
            if found:
                return orientation, found
        joints = arm.workspace.nearest(target, self._zones)
        return (orientation, []) if joints is None else (wrap(sum(joints)), [joints])

    @cached_property
    def _at_nearest_point(self) -> JointPositions | None:
        """Joint positions [rad] at the nearest point of a position that is out of reach."""
        return self._arm.workspace.nearest(self._target, self._zones)

    # --- figures and reasons ---

    def _distance_to_boundary(self) -> float:
        """Distance of a reachable position to the workspace's outline and the safe zones [m]."""
        distance = math.hypot(*self._target)
        to_outer, to_inner = self._zones.outer - distance, distance - self._zones.inner
        to_zones = min(to_outer, to_inner) if self._zones.inner > 0.0 else to_outer
        return max(0.0, min(self._arm.workspace.distance_to_boundary(self._target), to_zones))

    @property
    def reason(self) -> Reason:
        """Why the position is out of reach, without the nearest that is not."""
        arm, zones, first = self._arm, self._zones, self._labels[0].name
        distance = math.hypot(*self._target)
        margin = f' and the safe zone margin is {metres_text(zones.margin)}' if zones.margin else ''
        if self.code is Code.TOO_FAR:
            missing = distance - zones.outer
            why = f'the links reach {metres_text(arm.max_reach)} from {first}{margin}'
            return Reason(f'too far by {metres_text(missing)}: {why}', missing)
        if self.code is Code.TOO_CLOSE:
            missing = zones.inner - distance
            why = f'the links reach to within {metres_text(arm.min_reach)} of {first}{margin}'
            return Reason(f'too close by {metres_text(missing)}: {why}', missing)
        return Reason(self._passed_limit(None), 0.0)

    def _passed_limit(self, phi: float | None) -> str:
        """Which joint would pass which limit, by how much at least, with the others inside theirs
        (or, where one alone is not enough, as few others as possible past theirs)."""
        x, y = self._target
        passed = [] if phi is None else least_excess(self._arm, x, y, [phi])
        if not passed:
            turning = stationary_orientations(self._arm, x, y)
            passed = least_excess(self._arm, x, y, [*turning, *self._cuts])
        if not passed:
            return 'the joint limits keep the arm from it'
        return ' and '.join(excess_text(self._labels[joint], over) for joint, over in passed)

    def _wrong_orientation(self, works: float) -> str:
        length_1, length_2, length_3 = self._arm.link_lengths
        (x, y), phi = self._target, self.wanted_orientation or 0.0
        wrist = math.hypot(x - length_3 * math.cos(phi), y - length_3 * math.sin(phi))
        too_far, too_close = wrist - length_1 - length_2, abs(length_1 - length_2) - wrist
        if too_far > self._arm.tolerance:
            why = f'the wrist would be too far by {metres_text(too_far)}'
        elif too_close > self._arm.tolerance:
            why = f'the wrist would be too close by {metres_text(too_close)}'
        else:
            why = self._passed_limit(phi)
        return (
            f'not with tool orientation {math.degrees(wrap(phi)):.1f} deg: {why}; '
            f'the nearest that works is {math.degrees(works):.1f} deg'
        )


def check(
    arm: PlanarArm,
    target: Point,
    phi: float | None,
    zones: SafeZones,
    labels: Labels = UNNAMED,
) -> Reachability:
    """The verdict for a position inside the safe zones, and an orientation if one is given."""
    question = arm, target, phi, zones, labels
    x, y = target
    distance = math.hypot(x, y)
    if distance > zones.outer + arm.tolerance:
        return Reachability(Code.TOO_FAR, *question)
    if distance < zones.inner - arm.tolerance:
        return Reachability(Code.TOO_CLOSE, *question)
    if phi is not None:
        wrapped = wrap(phi)
        reached = solutions(arm, x, y, wrapped)
        if reached:
            answer = Reachability(Code.OK, *question)
            answer._solved = wrapped, reached
            return answer
    cuts = orientation_cuts(arm, x, y)
    found = intervals(arm, x, y, cuts)
    if not found:
        joints = arm.workspace.nearest(target, zones)
        found = _on_outline(arm, target, joints)
        if not found:
            answer = Reachability(Code.JOINT_LIMIT, *question, cuts)
            answer._at_nearest_point = joints
            return answer
    answer = Reachability(Code.OK if phi is None else Code.ORIENTATION, *question, cuts)
    answer._intervals = found
    return answer


def orientations(arm: PlanarArm, x: float, y: float) -> list[Interval]:
    """Orientations for the position; on the outline, to within the tolerance, the outline's own."""
    if not arm.safe_zones.contains(math.hypot(x, y), arm.tolerance):
        return []
    found = intervals(arm, x, y, orientation_cuts(arm, x, y))
    if found:
        return found
    return _on_outline(arm, (x, y), arm.workspace.nearest((x, y), arm.safe_zones))


def _on_outline(arm: PlanarArm, target: Point, nearest: JointPositions | None) -> list[Interval]:
    """The orientation of the nearest point, if that is the target to within the tolerance.

    A point of the outline may be out of reach by rounding alone, for each joint frozen alone.
    """
    if nearest is None:
        return []
    pose = arm.forward_kinematics(nearest)
    near = math.dist(target, pose[:2]) <= arm.tolerance
    return [(pose.phi, pose.phi)] if near else []


# --- reasons --------------------------------------------------------------------------------------










