# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Choosing one solution: the orientation asked for, the branch, the policy, the joint change."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from ik_circles.geometry import checks
from ik_circles.geometry.angles import HALFWAY, TURN, wrap
from ik_circles.geometry.intervals import (
    Interval,
    middle_of_widest,
    nearest_orientation,
    stand_ins,
)
from ik_circles.geometry.tolerances import CLOSURE, EITHER_ELBOW
from ik_circles.planar.floor import is_above
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import LARGE_ROUNDING, ArmModel, JointPositions
from ik_circles.planar.orientations import Orientations
from ik_circles.planar.workspace import Workspace

ELBOWS = ('elbow_up', 'elbow_down')
NEAREST = 'nearest'
BRANCHES = (NEAREST, *ELBOWS)
FIXED, PREFERRED, FREE, CENTERED = ORIENTATION_MODES = ('fixed', 'preferred', 'free', 'centered')

#: Changes of joints that differ by no more than this are the same [rad]. It is far more than
#: rounding, which would otherwise decide between two ways that mirror each other. The changes to
#: the turns above and below differ by twice as much as an angle is off half a turn.
SAME_CHANGE = 2.0 * HALFWAY
#: If an orientation gives way, angles to it that differ by no more than this count as equal [rad].
SAME_ANGLE_AWAY = 0.02
#: To keep the orientation, joints may always move by this [rad]: a step of an ordinary stream.
SMALL_STEP = 0.05
#: To keep the orientation, joints may move this many times as far as to the closest solution found.
DETOUR = 1.5
#: Axes that lean bend an elbow that is straight or folded by up to this many times the lean [1]. A
#: pose with such an elbow then has a second one next to it, which bends either way.
LEAN_BENDS = 4.0
#: A solution farther away than this is not near the seed, and any way to it is long [rad].
NEAR_SEED = 0.4

T = TypeVar('T')


@dataclass(frozen=True)
class Policy:
    """How one solution is chosen; see PlanarArm.solve."""

    branch: str = NEAREST
    orientation_mode: str = PREFERRED
    orientation_tolerance: float = math.pi

    def __post_init__(self) -> None:
        checks.choice('branch', self.branch, BRANCHES)
        checks.choice('orientation_mode', self.orientation_mode, ORIENTATION_MODES)
        most = checks.at_least_zero('orientation_tolerance', self.orientation_tolerance, 'rad')
        object.__setattr__(self, 'orientation_tolerance', most)

    @property
    def mirrored(self) -> Policy:
        """The policy with the other elbow, for an arm seen from behind."""
        branch = {'elbow_up': 'elbow_down', 'elbow_down': 'elbow_up'}.get(self.branch, self.branch)
        return replace(self, branch=branch)

    @property
    def is_fixed(self) -> bool:
        """Whether only the target's orientation is allowed."""
        return self.orientation_mode == FIXED

    @property
    def heeds_target(self) -> bool:
        """Whether the target's orientation counts, if it has one."""
        return self.orientation_mode in (FIXED, PREFERRED)

    @property
    def heeds_seed(self) -> bool:
        """Whether the seed's orientation counts, if the target has no orientation."""
        return self.orientation_mode != CENTERED

    def takes(self, phi: float, wanted: float) -> bool:
        """Whether an orientation is near enough to the target's [rad]."""
        return abs(wrap(phi - wanted)) <= self.orientation_tolerance


def solve(
    workspace: Workspace,
    x: float,
    y: float,
    phi: float | None,
    seed: JointPositions | None,
    policy: Policy,
) -> JointPositions | None:
    """One solution or None; see PlanarArm.solve."""
    model, solver, branch = workspace.model, workspace.solver, policy.branch
    if phi is None or not policy.heeds_target:
        if seed is not None and policy.heeds_seed:
            return _solve_near(workspace, x, y, seed, branch)
        candidates = solve_at(workspace, x, y, _middle, seed, branch)
        return choose(model, candidates, seed, branch)
    candidates = solver.solutions(x, y, phi, seed)
    if not candidates and not policy.is_fixed and (found := workspace.orientation_intervals(x, y)):
        taken = nearest_orientation(found, phi)
        if not policy.takes(taken, phi):
            return None
        near = (one for one in stand_ins(found, (taken,)) if policy.takes(one, phi))
        _, candidates = solver.first_solutions(x, y, chain((taken,), near), seed)
    return choose(model, candidates, seed, branch)


def solve_at(
    workspace: Workspace,
    x: float,
    y: float,
    pick: Callable[[list[Interval]], list[float]],
    seed: JointPositions | None,
    branch: str,
) -> list[JointPositions]:
    """The solutions at the orientations that `pick` chooses among those that reach a point [m].

    If no such solution is on the branch, `pick` chooses among the orientations of the branch. If
    the branch has none, the other elbow is taken.
    """
    found = workspace.orientation_intervals(x, y)
    if not found:
        return []
    if branch != NEAREST:
        picked = _on_branch(workspace.solver, x, y, pick(found), seed, branch)
        own = [] if picked else orientations_of(workspace.orientations, x, y, branch)
        picked = picked or _picked(workspace.solver, x, y, own, pick, seed, branch)
        if picked:
            return picked
    return _picked(workspace.solver, x, y, found, pick, seed, NEAREST)


def orientations_of(orientations: Orientations, x: float, y: float, branch: str) -> list[Interval]:
    """The orientations with which the named elbow reaches a point."""
    return orientations.intervals_by_elbow(x, y)[ELBOWS.index(branch)]


def has_branch(workspace: Workspace, x: float, y: float, branch: str) -> bool:
    """Whether a point has a solution on the branch."""
    return branch == NEAREST or bool(orientations_of(workspace.orientations, x, y, branch))


def _picked(
    solver: PoseSolver,
    x: float,
    y: float,
    intervals: list[Interval],
    pick: Callable[[list[Interval]], list[float]],
    seed: JointPositions | None,
    branch: str,
) -> list[JointPositions]:
    """The solutions on a branch at orientations picked from intervals, or just beside them."""
    if not intervals:
        return []
    picked = pick(intervals)
    tried = chain((picked,), ([one] for one in stand_ins(intervals, picked)))
    return next(filter(None, (_on_branch(solver, x, y, one, seed, branch) for one in tried)), [])


def _on_branch(
    solver: PoseSolver,
    x: float,
    y: float,
    orientations: list[float],
    seed: JointPositions | None,
    branch: str,
) -> list[JointPositions]:
    """The solutions on a branch at some orientations."""
    found = (q for phi in orientations for q in solver.solutions(x, y, phi, seed))
    return [q for q in found if is_on_branch(q, branch)]


def _middle(intervals: list[Interval]) -> list[float]:
    return [middle_of_widest(intervals)]


def _solve_near(
    workspace: Workspace, x: float, y: float, seed: JointPositions, branch: str
) -> JointPositions | None:
    """The seed's orientation, or the nearest to it on the branch; but near the seed, a short way.

    Keeping the orientation may fling a joint round from one limit to the other, although there are
    solutions close to the seed. Then the closest solution at the orientations of
    `Orientations.near` is taken. Its largest joint change is at most about twice the least one.
    """

    def nearest(intervals: list[Interval]) -> list[float]:
        return [nearest_orientation(intervals, sum(seed))]

    solver, model = workspace.solver, workspace.model
    found = _on_branch(solver, x, y, [sum(seed)], seed, branch)
    kept = choose(
        model, found or solve_at(workspace, x, y, nearest, seed, branch), seed, branch
    )
    if kept is None or _changes(kept, seed)[0] <= SMALL_STEP:
        return kept
    branch = branch if is_on_branch(kept, branch) else NEAREST
    near = _on_branch(solver, x, y, workspace.orientations.near(x, y, seed), seed, branch)
    closest = choose(model, near, seed, branch)
    if closest is None:
        return kept
    least, needed = _changes(closest, seed)[0], _changes(kept, seed)[0]
    return closest if is_detour(needed, least) else kept


def is_detour(change: float, least: float) -> bool:
    """Whether a joint change [rad] is far larger than the least one, which is near the seed."""
    return least <= NEAR_SEED and change > DETOUR * least + SMALL_STEP


def choose(
    model: ArmModel, candidates: list[JointPositions], seed: JointPositions | None, branch: str
) -> JointPositions | None:
    """The candidate on the branch with the smallest largest joint change from the seed.

    If these are equal, the smaller sum of changes decides, then the order. If no candidate is on
    the branch, all of them are compared. Continuous joints are turned next to the seed, so they
    never unwind. Without a seed, the arm's home replaces it. An arm that is there already stays.
    """
    start = model.home if seed is None else seed
    if branch != NEAREST:
        candidates = [q for q in candidates if is_on_branch(q, branch)] or candidates
    if model.has_continuous_joints:
        candidates = [turned_to(model, q, start) for q in candidates]
    changes = [_changes(q, start) for q in candidates]
    best = closest(candidates, changes)
    if best is None or best == start:
        return best
    if min(changes)[0] > LARGE_ROUNDING and not model.has_tiny_links:
        return best
    return start if _stays(model, start, best, branch) else best


def _stays(model: ArmModel, start: JointPositions, best: JointPositions, branch: str) -> bool:
    """Whether `start` has the pose of the best solution, and is as good.

    Next to a straight or folded elbow, and with tiny links, rounding of a pose moves joints.
    """
    there, pose = model.pose_at(start), model.pose_at(best)
    turned = abs(wrap(there.phi - pose.phi)) * model.max_reach
    return (
        max(math.dist(there[:2], pose[:2]), turned) <= CLOSURE * model.tolerance
        and all(low <= angle <= high for angle, (low, high) in zip(start, model.limits))
        and is_above(model, start)
        and (is_on_branch(start, branch) or not is_on_branch(best, branch))
    )


def closest(candidates: Sequence[T], changes: Sequence[tuple[float, float]]) -> T | None:
    """The candidate with the smallest largest joint change; among equals, the smallest sum."""
    best, least = None, (math.inf, math.inf)
    for one, (largest, total) in zip(candidates, changes):
        more = largest - least[0]
        if more < -SAME_CHANGE or (more <= SAME_CHANGE and total < least[1] - SAME_CHANGE):
            best, least = one, (largest, total)
    return best


def least(some: Sequence[T], cost: Callable[[T], float], same: float) -> list[T]:
    """The items with the least cost; costs that differ by no more than `same` are equal."""
    if len(some) <= 1:
        return list(some)
    costs = list(map(cost, some))
    most = min(costs) + same
    return [one for one, its in zip(some, costs) if its <= most]


def turned_to(model: ArmModel, q: JointPositions, start: JointPositions) -> JointPositions:
    """The joint positions with continuous joints turned next to `start`; half a turn goes up."""
    q1, q2, q3 = (
        angle - TURN * math.ceil((angle - near - math.pi - SAME_CHANGE) / TURN)
        if lower == -math.inf
        else angle
        for angle, near, (lower, _) in zip(q, start, model.limits)
    )
    return q1, q2, q3


def is_on_branch(q: JointPositions, branch: str, lean: float = 0.0) -> bool:
    """Whether the elbow is up (joint 2 bends clockwise) or down, as asked; straight is both.

    The axes of the arm may lean [rad].
    """
    bend, either = math.sin(q[1]), EITHER_ELBOW + LEAN_BENDS * lean
    return branch == NEAREST or (bend if branch == 'elbow_up' else -bend) <= either


def _changes(q: JointPositions, start: JointPositions) -> tuple[float, float]:
    """The largest joint change, and the sum of all changes [rad]."""
    change_1, change_2, change_3 = abs(q[0] - start[0]), abs(q[1] - start[1]), abs(q[2] - start[2])
    return max(change_1, change_2, change_3), change_1 + change_2 + change_3
