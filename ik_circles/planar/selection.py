"""Choosing one solution: which tool orientation first, then which elbow, then which turn."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain

from ik_circles.geometry import checks
from ik_circles.geometry.angles import TURN, nearest_in, wrap
from ik_circles.geometry.intervals import nearest_orientation, stand_ins, taken_orientation
from ik_circles.geometry.tolerances import STRAIGHT
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import ArmModel, JointPositions
from ik_circles.planar.orientations import Orientations
from ik_circles.planar.workspace import Workspace

BRANCHES = ('nearest', 'elbow_up', 'elbow_down')
FIXED, PREFERRED, FREE, CENTERED = ORIENTATION_MODES = ('fixed', 'preferred', 'free', 'centered')


@dataclass(frozen=True)
class Policy:
    """How one solution is chosen; see PlanarArm.solve."""

    branch: str = 'nearest'
    orientation_mode: str = PREFERRED
    orientation_tolerance: float = math.pi

    def __post_init__(self) -> None:
        checks.choice('branch', self.branch, BRANCHES)
        checks.choice('orientation_mode', self.orientation_mode, ORIENTATION_MODES)
        checks.at_least_zero('orientation_tolerance', self.orientation_tolerance, 'rad')

    @property
    def mirrored(self) -> Policy:
        """The policy with the other elbow, for an arm that is seen from behind."""
        branch = {'elbow_up': 'elbow_down', 'elbow_down': 'elbow_up'}.get(self.branch, self.branch)
        return replace(self, branch=branch)

    @property
    def is_fixed(self) -> bool:
        """Whether the target's orientation is taken or none."""
        return self.orientation_mode == FIXED

    @property
    def heeds_target(self) -> bool:
        """Whether the target's orientation counts, if it has one."""
        return self.orientation_mode in (FIXED, PREFERRED)

    @property
    def heeds_seed(self) -> bool:
        """Whether the seed's orientation counts, if there is a seed but no target's orientation."""
        return self.orientation_mode != CENTERED


def solve(
    workspace: Workspace,
    x: float,
    y: float,
    phi: float | None,
    seed: JointPositions | None,
    policy: Policy,
) -> JointPositions | None:
    """One solution or None; see PlanarArm.solve."""
    solver, asked = workspace.solver, phi if policy.heeds_target else None
    if asked is not None:
        candidates = solver.solutions(x, y, asked, seed)
        if candidates or policy.is_fixed:
            return choose(workspace.model, candidates, seed, policy.branch)
    found = workspace.orientation_intervals(x, y)
    if not found:
        return None
    of_seed = sum(seed) if seed is not None and policy.heeds_seed else None
    taken = taken_orientation(found, of_seed if asked is None else asked)
    if asked is not None and abs(wrap(taken - asked)) > policy.orientation_tolerance:
        return None
    any_will_do = policy.orientation_tolerance >= math.pi
    others = stand_ins(found) if any_will_do else ()
    _, candidates = solver.first_solutions(x, y, chain((taken,), others), seed)
    if any_will_do and not candidates:
        candidates = workspace.joints_on_outline(x, y)
    return choose(workspace.model, candidates, seed, policy.branch)


def solve_on_each_branch(
    workspace: Workspace, x: float, y: float, seed: JointPositions, branch: str
) -> list[JointPositions]:
    """With any orientation, the solution of each elbow that is nearest to the seed's orientation.

    Where a joint limit ends the seed's branch at the seed's orientation only, an arm follows its
    branch to the next orientation and does not flip its elbow.
    """
    orientations = _within_half_a_turn(workspace.orientations, seed)
    near = {
        nearest_orientation(found, sum(seed))
        for found in orientations.intervals_by_elbow(x, y)
        if found
    }
    solver, model = workspace.solver, workspace.model
    candidates = (solver.solutions(x, y, orientation, seed) for orientation in sorted(near))
    chosen = (choose(model, found, seed, branch) for found in candidates)
    return [q for q in chosen if q is not None]


def _within_half_a_turn(orientations: Orientations, seed: JointPositions) -> Orientations:
    """The orientations with all joints within half a turn of the seed.

    A joint with a whole turn between its limits could otherwise go on at a limit, a turn away.
    """
    model = orientations.model
    if all(upper - lower < TURN or lower == -math.inf for lower, upper in model.limits):
        return orientations
    a, b, c = (
        None if lower == -math.inf else (max(lower, near - math.pi), min(upper, near + math.pi))
        for (lower, upper), near in zip(model.limits, map(nearest_in, seed, model.limits))
    )
    return Orientations(PoseSolver(replace(model, joint_limits=(a, b, c))))


def choose(
    model: ArmModel, candidates: list[JointPositions], seed: JointPositions | None, branch: str
) -> JointPositions | None:
    """The candidate of the branch whose largest joint change from the seed is smallest.

    Any candidate will do where none is of the branch. Continuous joints are turned next to the
    seed, so they never unwind. Without a seed, the arm's home stands in for it.
    """
    start = model.home if seed is None else seed
    if branch != 'nearest':
        candidates = [q for q in candidates if is_on_branch(q, branch)] or candidates
    if model.has_continuous_joints:
        candidates = [turned_to(model, q, start) for q in candidates]
    return min(candidates, key=lambda q: _changes(q, start), default=None)


def turned_to(model: ArmModel, q: JointPositions, start: JointPositions) -> JointPositions:
    """The joint positions with continuous joints turned next to `start`."""
    q1, q2, q3 = (
        near + wrap(angle - near) if lower == -math.inf else angle
        for angle, near, (lower, _) in zip(q, start, model.limits)
    )
    return q1, q2, q3


def is_on_branch(q: JointPositions, branch: str) -> bool:
    """Whether the elbow is up (joint 2 bends clockwise) or down as asked; straight is both."""
    bend = math.sin(q[1])
    return branch == 'nearest' or (bend if branch == 'elbow_up' else -bend) <= STRAIGHT


def _changes(q: JointPositions, start: JointPositions) -> tuple[float, float]:
    """Largest joint change and their sum [rad]."""
    change_1, change_2, change_3 = abs(q[0] - start[0]), abs(q[1] - start[1]), abs(q[2] - start[2])
    return max(change_1, change_2, change_3), change_1 + change_2 + change_3
