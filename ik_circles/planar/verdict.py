# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a target: reachable or not, why, by how much, and the nearest pose that works."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ik_circles import reasons
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import Interval, stand_ins, taken_orientation
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.planar.floor.parts import WRIST
from ik_circles.planar.floor.workspace import FloorWorkspace
from ik_circles.planar.model import JointPositions, Pose2D
from ik_circles.planar.orientations import Looks
from ik_circles.planar.workspace import Workspace
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import UNNAMED_JOINTS, Code, JointLabels, PassedLimit, Reason


class Reachability:
    """Verdict on a target, the answer of `check_reachability`.

    Values that the verdict does not need are computed when they are first asked for.

    Parameters
    ----------
    workspace : Workspace
        Workspace of the arm.
    point : tuple of two floats
        Position of the target `(x, y)` [m].
    phi : float or None
        Orientation of the target [rad]; without one, any orientation is good.
    zones : SafeZones
        Ring in which the target must lie.
    labels : three JointLabel
        The names of the joints in messages.
    """

    #: The verdict.
    code: Code
    #: Whether the code is OK.
    reachable: bool
    #: Whether the arm can reach the target's position, with any orientation.
    position_reachable: bool
    #: The orientation that was asked for [rad]; None if none was.
    wanted_orientation: float | None

    # Found on the way to the verdict; everything else is computed when first asked for.
    _orientation: float | None = None  # the one of `nearest`
    _solved: list[JointPositions] | None = None
    _cuts: Sequence[float] = ()
    _looks: Looks | None = None

    def __init__(
        self,
        workspace: Workspace,
        point: Point,
        phi: float | None,
        zones: SafeZones,
        labels: JointLabels = UNNAMED_JOINTS,
    ) -> None:
        self._workspace, self._point, self._zones = workspace, point, zones
        self._labels, self.wanted_orientation = labels, phi
        self.code = self._verdict()
        self.reachable = self.code is Code.OK
        self.position_reachable = self.reachable or self.code is Code.ORIENTATION
        if not self.reachable and isinstance(workspace, FloorWorkspace):
            self.code = self._code_above_floor(workspace.without_floor)

    def __repr__(self) -> str:
        return f'Reachability({self.code.name}: {self.message}; nearest {self.nearest})'

    def _verdict(self) -> Code:
        """The safe zones decide first, then the pose, then the position with any orientation."""
        workspace, (x, y), phi = self._workspace, self._point, self.wanted_orientation
        distance, tolerance = math.hypot(x, y), workspace.model.tolerance
        if not self._zones.contains(distance, tolerance):
            return Code.TOO_FAR if distance > self._zones.outer else Code.TOO_CLOSE
        if phi is not None:
            phi = wrap(phi)
            solutions = workspace.solver.solutions(x, y, phi)
            if solutions:
                self._orientation, self._solved = phi, solutions
                return Code.OK
        orientations = workspace.orientations
        self._cuts = orientations.cuts(x, y)
        nearest = None if phi is None else orientations.nearest(x, y, self._cuts, phi)
        if nearest is not None:
            self._orientation = nearest[0] if nearest else None
            return Code.ORIENTATION if nearest else Code.JOINT_LIMIT
        self._looks = orientations.looks(x, y, self._cuts)
        if not any(self._looks[1]) and not self.orientation_intervals:
            return Code.JOINT_LIMIT
        return Code.OK if phi is None else Code.ORIENTATION

    def _code_above_floor(self, free: Workspace) -> Code:
        """FLOOR if only the floor keeps the arm from the target, or from its position."""
        if self.code is Code.ORIENTATION and self.wanted_orientation is not None:
            x, y = self._point
            reaches = bool(free.solver.solutions(x, y, wrap(self.wanted_orientation)))
        else:
            reaches = self.code is Code.JOINT_LIMIT and bool(
                free.orientation_intervals(*self._point)
            )
        return Code.FLOOR if reaches else self.code

    @cached_property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations with which the position can be reached [rad], as a list of pairs."""
        workspace, point, phi = self._workspace, self._point, self._orientation
        if self._looks is not None:
            found = workspace.orientations.intervals(*point, self._looks)
            return found or workspace.on_outline(point, self._at_nearest_point)
        if phi is None:  # outside the safe zones
            return []
        # If none is found, that is rounding: the pose was reached.
        return workspace.orientations.of_point(*point) or [(phi, phi)]

    @property
    def message(self) -> str:
        """The verdict as a sentence with its figure."""
        if self.reachable:
            return reasons.reachable_with(self.orientation_intervals)
        if self.position_reachable:
            wanted, works = self.wanted_orientation or 0.0, self._taken[0]
            return reasons.wrong_orientation(wrap(wanted), self.why_not_oriented, wrap(works))
        nearest, model = self.nearest, self._workspace.model
        return reasons.with_nearest(
            self.reason, self._point, nearest and nearest[:2], model.max_reach, bool(model.floor)
        )

    @cached_property
    def nearest(self) -> Pose2D | None:
        """The nearest pose that the arm can reach.

        If the target is reachable, it is the target itself, with the orientation asked for or the
        middle of the widest interval. Otherwise it is the same position with the nearest
        orientation that works, or else the nearest reachable point. None only if no point is inside
        both the safe zones and the joint limits.
        """
        if self.position_reachable:
            return Pose2D(*self._point, self._taken[0])
        joints = self._at_nearest_point
        return joints and self._workspace.model.pose_at(joints)

    @property
    def nearest_joint_positions(self) -> JointPositions | None:
        """Joint positions at `nearest` [rad]."""
        if self.position_reachable:
            return next(iter(self._taken[1]), None)
        return self._at_nearest_point

    @property
    def margin(self) -> float:
        """Distance of the position to the workspace's boundary [m].

        Outside, it is minus the distance to `nearest`, or NaN if there is none.
        """
        if self.position_reachable:
            return self._workspace.margin(self._point, self._zones)
        nearest = self.nearest
        return math.nan if nearest is None else -math.dist(self._point, nearest[:2])

    @property
    def solutions(self) -> list[JointPositions]:
        """Every joint triple at `nearest` [rad]; [] if the target is not reachable."""
        return self._taken[1] if self.reachable else []

    @property
    def missing(self) -> float:
        """How far the position is outside the safe zones [m]; negative inside."""
        distance = math.hypot(*self._point)
        return max(distance - self._zones.outer, self._zones.inner - distance)

    @property
    def reason(self) -> Reason:
        """Why the position is out of reach, without the distance to the nearest reachable one."""
        model, margin, base = self._workspace.model, self._zones.margin, self._labels[0].name
        if self.code is Code.TOO_FAR:
            return reasons.too_far(self.missing, model.max_reach, base, margin)
        if self.code is Code.TOO_CLOSE:
            return reasons.too_close(self.missing, model.min_reach, base, margin)
        if self.code is Code.FLOOR:
            part, depth = self.depth
            return reasons.below_floor(part, depth)
        return Reason(reasons.passed_limits(self.passed_limits()), 0.0)

    @property
    def depth(self) -> tuple[str, float]:
        """With the code FLOOR: the part that would be below the floor, and how far below it is [m].

        It is the least depth of all solutions without the floor.
        """
        if self.code is not Code.FLOOR or not isinstance(self._workspace, FloorWorkspace):
            return '', 0.0
        wanted = self.wanted_orientation if self.position_reachable else None
        part, clearance = self._workspace.depth(self._point, wanted)
        if part == WRIST and self._labels != UNNAMED_JOINTS:
            part = self._labels[2].name  # the "wrist" of a robot is what comes after this joint
        return part, max(0.0, -clearance)

    # --- computed when they are first asked for ---

    @cached_property
    def _at_nearest_point(self) -> JointPositions | None:
        return self._workspace.nearest(self._point, self._zones)

    @cached_property
    def _taken(self) -> tuple[float, list[JointPositions]]:
        """The orientation of `nearest` at a reachable position, and every joint triple with it.

        It is the wanted orientation, or the first substitute for it that is reached. On the
        outline, rounding may put all of them out of reach. Then it is the outline's orientation
        there.
        """
        solver, point = self._workspace.solver, self._point
        if self._orientation is not None:
            solutions = self._solved or solver.solutions(*point, self._orientation)
            if solutions:
                return self._orientation, solutions
        intervals = self.orientation_intervals
        phi = taken_orientation(intervals, self.wanted_orientation)
        solutions = solver.solutions(*point, phi)
        if not solutions:
            phi, solutions = solver.first_solutions(*point, stand_ins(intervals, (phi,)))
        joints = None if solutions else self._at_nearest_point
        return (phi, solutions) if joints is None else (wrap(sum(joints)), [joints])

    # --- sentences ---

    @names_wrong_kinds
    def passed_limits(self, phi: float | None = None) -> list[PassedLimit]:
        """Return which joints would have to pass their limits.

        Parameters
        ----------
        phi : float, optional
            Orientation of the tool [rad]; by default, any orientation is good.

        Returns
        -------
        list of PassedLimit
            As few joints as possible, with the worst of them past its limit by as little as
            possible; the worst first.
        """
        workspace, (x, y) = self._workspace, self._point
        stationary = workspace.orientations.stationary
        tried = [*stationary(x, y), *self._cuts] if phi is None else [phi]
        passed = workspace.solver.least_excess(x, y, tried)
        return [PassedLimit(self._labels[joint], excess) for joint, excess in passed]

    @property
    def why_not_oriented(self) -> str:
        """Why a reachable position cannot have the orientation, as part of a sentence."""
        far, close = self._beyond_reach_oriented
        if self.code is Code.FLOOR:
            return self.reason.sentence
        if max(far, close) > self._workspace.model.tolerance:
            first, _, third = (label.name for label in self._labels)
            return reasons.links_too_short(third, first, far, close)
        return reasons.passed_limits(self.passed_limits(self.wanted_orientation or 0.0))

    @property
    def missing_oriented(self) -> float:
        """How much the links lack to reach the pose [m]; negative if they reach it."""
        return max(self._beyond_reach_oriented)

    @property
    def _beyond_reach_oriented(self) -> tuple[float, float]:
        model, wanted = self._workspace.model, self.wanted_orientation or 0.0
        return model.beyond_reach(math.hypot(*model.wrist(*self._point, wanted)))
