"""The verdict on a target: reachable or not, why and by how much, and the nearest that works."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import (
    Interval,
    middle_of_widest,
    nearest_orientation,
    stand_ins,
)
from ik_circles.planar.model import JointPositions, Pose2D
from ik_circles.planar.workspace import Workspace
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import (
    UNNAMED_JOINTS,
    Code,
    JointLabels,
    Reason,
    excess_text,
    meters_text,
    reachable_with,
    with_nearest,
)


class Question(NamedTuple):
    """Can the tip be at a point [m], with an orientation [rad] if one is given?

    Attributes
    ----------
    workspace : the arm that is asked
    point, phi : the target
    zones : safe zones that the target must be in
    labels : how messages name the joints
    """

    workspace: Workspace
    point: Point
    phi: float | None
    zones: SafeZones
    labels: JointLabels = UNNAMED_JOINTS


class Stance(NamedTuple):
    """An orientation of the tool [rad], and every joint triple that gives it at the point."""

    phi: float
    solutions: list[JointPositions]


class Reachability:
    """Answer of `check_reachability`.

    What the verdict does not need is computed when it is first asked for.

    Attributes
    ----------
    code : Code
        The verdict.
    reachable : bool
        Whether the code is OK.
    position_reachable : bool
        Whether the arm can take the target's position, with whatever orientation.
    wanted_orientation : float or None
        The orientation that was asked for, if one was [rad].
    """

    # Lazy by hand: functools.cached_property takes a lock before Python 3.12, which made the
    # answer of the node's service 4 to 12 us slower (Python 3.11).

    def __init__(
        self,
        code: Code,
        question: Question,
        *,
        cuts: Sequence[float] = (),
        intervals: list[Interval] | None = None,
        stance: Stance | None = None,
        at_nearest_point: JointPositions | None = None,
    ) -> None:
        """Keep the verdict, and what was already computed for it."""
        self.code, self.wanted_orientation = code, question.phi
        self.reachable = code is Code.OK
        self.position_reachable = self.reachable or code is Code.ORIENTATION
        self._question, self._cuts = question, cuts
        self._intervals, self._stance = intervals, stance
        self._at_nearest_point = at_nearest_point

    def __repr__(self) -> str:
        return f'Reachability({self.code.name}: {self.message}; nearest {self.nearest})'

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations with which the position can be reached [rad], as list of pairs."""
        if self._intervals is None:
            self._intervals = self._found_intervals() if self.position_reachable else []
        return self._intervals

    @property
    def message(self) -> str:
        """The verdict as a sentence with its figure."""
        if self.reachable:
            return reachable_with(self.orientation_intervals)
        if self.position_reachable:
            return self._wrong_orientation()
        nearest, question = self.nearest, self._question
        place = None if nearest is None else nearest[:2]
        reach = question.workspace.model.max_reach
        return with_nearest(self.reason, question.point, place, reach)

    @property
    def nearest(self) -> Pose2D | None:
        """The nearest pose that the arm can take.

        It is the target itself where that is reachable, with the orientation asked for or the
        middle of the widest interval. Else it is the same position with the nearest orientation
        that works, else the nearest reachable point. None only if the safe zones and the joint
        limits have no point in common.
        """
        if self.position_reachable:
            return Pose2D(*self._question.point, self._at_position.phi)
        joints = self.nearest_joint_positions
        model = self._question.workspace.model
        return None if joints is None else model.forward_kinematics(joints)

    @property
    def nearest_joint_positions(self) -> JointPositions | None:
        """Joint positions at `nearest` [rad]."""
        if self.position_reachable:
            return next(iter(self._at_position.solutions), None)
        if self._at_nearest_point is None:
            workspace, point, _, zones, _ = self._question
            self._at_nearest_point = workspace.nearest(point, zones)
        return self._at_nearest_point

    @property
    def margin(self) -> float:
        """Distance of the position to the workspace's boundary [m].

        Outside it is minus the distance to `nearest`, and NaN if there is none.
        """
        if self.position_reachable:
            return self._distance_to_boundary()
        nearest = self.nearest
        return math.nan if nearest is None else -math.dist(self._question.point, nearest[:2])

    @property
    def solutions(self) -> list[JointPositions]:
        """Every joint triple at `nearest` if the target is reachable, else none [rad]."""
        return self._at_position.solutions if self.reachable else []

    @property
    def reason(self) -> Reason:
        """Why the position is out of reach, without the nearest that is not."""
        model, zones = self._question.workspace.model, self._question.zones
        distance, first = math.hypot(*self._question.point), self._question.labels[0].name
        margin = f' and the safe zone margin is {meters_text(zones.margin)}' if zones.margin else ''
        if self.code is Code.TOO_FAR:
            missing = distance - zones.outer
            why = f'the links reach {meters_text(model.max_reach)} from {first}{margin}'
            return Reason(f'too far by {meters_text(missing)}: {why}', missing)
        if self.code is Code.TOO_CLOSE:
            missing = zones.inner - distance
            why = f'the links reach to within {meters_text(model.min_reach)} of {first}{margin}'
            return Reason(f'too close by {meters_text(missing)}: {why}', missing)
        return Reason(self._passed_limits(None), 0.0)

    # --- computed when they are first asked for ---

    def _found_intervals(self) -> list[Interval]:
        workspace, (x, y), phi, _, _ = self._question
        orientations = workspace.orientations
        found = orientations.intervals(x, y, self._cuts or orientations.cuts(x, y))
        if phi is not None and not found:  # rounding decides, and the pose was reached
            return [(wrap(phi), wrap(phi))]
        return found

    @property
    def _at_position(self) -> Stance:
        """How the arm stands at the position, which can be reached."""
        if self._stance is None:
            self._stance = self._found_stance()
        return self._stance

    def _found_stance(self) -> Stance:
        """The stance with the wanted orientation, or the first stand-in for it that is reached.

        On the outline none may be, by rounding: then it is that of the place on the outline.
        """
        workspace, point, phi, zones, _ = self._question
        if phi is None:
            wanted = middle_of_widest(self.orientation_intervals)
        elif self.reachable:
            wanted = wrap(phi)
        else:
            wanted = nearest_orientation(self.orientation_intervals, phi)
        for orientation in (wanted, *stand_ins(self.orientation_intervals)):
            found = workspace.solver.solutions(*point, orientation)
            if found:
                return Stance(orientation, found)
        joints = workspace.nearest(point, zones)
        return Stance(orientation, []) if joints is None else Stance(wrap(sum(joints)), [joints])

    def _distance_to_boundary(self) -> float:
        """Distance of a reachable position to the workspace's outline and the safe zones [m]."""
        workspace, point, _, zones, _ = self._question
        distance = math.hypot(*point)
        to_zones = zones.outer - distance
        if zones.inner > 0.0:
            to_zones = min(to_zones, distance - zones.inner)
        return max(0.0, min(workspace.distance_to_boundary(point), to_zones))

    # --- sentences ---

    def _passed_limits(self, phi: float | None) -> str:
        """Which joints would pass which limits: the fewest, and the worst of them by the least."""
        workspace, (x, y), _, _, labels = self._question
        passed = [] if phi is None else workspace.solver.least_excess(x, y, [phi])
        if not passed:
            turning = workspace.orientations.stationary(x, y)
            passed = workspace.solver.least_excess(x, y, [*turning, *self._cuts])
        if not passed:
            return 'the joint limits keep the arm from it'
        return ' and '.join(excess_text(labels[joint], excess) for joint, excess in passed)

    def _wrong_orientation(self) -> str:
        workspace, point, phi, _, _ = self._question
        model, wanted = workspace.model, phi or 0.0
        length_1, length_2, _ = model.link_lengths
        wrist = math.hypot(*model.wrist(*point, wanted))
        too_far, too_close = wrist - length_1 - length_2, abs(length_1 - length_2) - wrist
        if too_far > model.tolerance:
            why = f'the wrist would be too far by {meters_text(too_far)}'
        elif too_close > model.tolerance:
            why = f'the wrist would be too close by {meters_text(too_close)}'
        else:
            why = self._passed_limits(wanted)
        return (
            f'not with tool orientation {math.degrees(wrap(wanted)):.1f} deg: {why}; '
            f'the nearest that works is {math.degrees(self._at_position.phi):.1f} deg'
        )


def check(question: Question) -> Reachability:
    """The verdict: the safe zones first, then the pose, then the position with any orientation."""
    workspace, (x, y), phi, zones, _ = question
    distance, tolerance = math.hypot(x, y), workspace.model.tolerance
    if distance > zones.outer + tolerance:
        return Reachability(Code.TOO_FAR, question)
    if distance < zones.inner - tolerance:
        return Reachability(Code.TOO_CLOSE, question)
    if phi is not None:
        wrapped = wrap(phi)
        reached = workspace.solver.solutions(x, y, wrapped)
        if reached:
            return Reachability(Code.OK, question, stance=Stance(wrapped, reached))
    cuts = workspace.orientations.cuts(x, y)
    found = workspace.orientations.intervals(x, y, cuts)
    if not found:
        joints = workspace.nearest((x, y), zones)
        found = workspace.on_outline((x, y), joints)
        if not found:
            return Reachability(Code.JOINT_LIMIT, question, cuts=cuts, at_nearest_point=joints)
    code = Code.OK if phi is None else Code.ORIENTATION
    return Reachability(code, question, cuts=cuts, intervals=found)
