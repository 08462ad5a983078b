"""Choosing one solution: which tool orientation, and which elbow branch."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import TURN, nearest_in, wrap
from ik_circles.geometry.intervals import middle_of_widest, nearest_orientation, stand_ins
from ik_circles.planar.inverse import solutions
from ik_circles.planar.limits import home
from ik_circles.planar.orientations import intervals_of_branches, orientation_cuts
from ik_circles.planar.verdict import orientations

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions

#: An elbow bent by no more than this is straight, and on both branches.
STRAIGHT = 1e-9
BRANCHES = ('nearest', 'elbow_up', 'elbow_down')
ORIENTATION_MODES = ('fixed', 'preferred', 'free', 'centred')


@dataclass(frozen=True)
class Policy:
    """How one solution is chosen; see PlanarArm.solve."""

    branch: str = 'nearest'
    orientation_mode: str = 'preferred'
    orientation_tolerance: float = math.pi

    def __post_init__(self) -> None:
        check_choice('branch', self.branch, BRANCHES)
        check_choice('orientation_mode', self.orientation_mode, ORIENTATION_MODES)
        if not self.orientation_tolerance >= 0.0:
            raise InvalidSettingError(
                f'orientation_tolerance is {self.orientation_tolerance} rad; it must be at least 0'
            )


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """InvalidSettingError unless `value` is one of the choices."""
    if value not in choices:
        raise InvalidSettingError(f"{name} is '{value}'; choose one of {', '.join(choices)}")


def solve(
    arm: PlanarArm,
    x: float,
    y: float,
    phi: float | None,
    seed: JointPositions | None,
    policy: Policy,
) -> JointPositions | None:
    """One solution or None; see PlanarArm.solve."""
    wants_phi = phi is not None and policy.orientation_mode in ('fixed', 'preferred')
    if phi is not None and wants_phi:
        candidates = solutions(arm, x, y, phi, seed)
        if candidates or policy.orientation_mode == 'fixed':
            return choose(arm, candidates, seed, policy.branch)
    found = orientations(arm, x, y)
    if not found:
        return None
    if phi is not None and wants_phi:
        orientation = nearest_orientation(found, phi)
        if abs(wrap(orientation - phi)) > policy.orientation_tolerance:
            return None
    elif seed is not None and policy.orientation_mode != 'centred':
        orientation = nearest_orientation(found, sum(seed))
    else:
        orientation = middle_of_widest(found)
    candidates = solutions(arm, x, y, orientation, seed)
    if not candidates and policy.orientation_tolerance >= math.pi:
        others = (solutions(arm, x, y, other, seed) for other in stand_ins(found))
        candidates = next(filter(None, others), [])
    return choose(arm, candidates, seed, policy.branch)


def solve_near(
    arm: PlanarArm, x: float, y: float, seed: JointPositions, branch: str
) -> list[JointPositions]:
    """With any orientation: for each branch, the solution at the seed's orientation, or at the
    nearest to it that has this branch. Following the seed's branch, an arm does not flip its elbow
    where a joint limit ends it at the seed's orientation only."""
    within = _half_a_turn_around(arm, seed)
    near = {
        nearest_orientation(found, sum(seed))
        for found in intervals_of_branches(within, x, y, orientation_cuts(within, x, y))
        if found
    }
    candidates = (solutions(arm, x, y, orientation, seed) for orientation in sorted(near))
    chosen = (choose(arm, found, seed, branch) for found in candidates)
    return [q for q in chosen if q is not None]


def _half_a_turn_around(arm: PlanarArm, seed: JointPositions) -> PlanarArm:
    """The arm whose joints stay within half a turn of the seed: one that has a whole turn between
    its limits can otherwise go on at a limit, a turn away."""
    if all(upper - lower < TURN or lower == -math.inf for lower, upper in arm.limits):
        return arm
    a, b, c = (
        None if lower == -math.inf else (max(lower, near - math.pi), min(upper, near + math.pi))
        for (lower, upper), near in zip(arm.limits, map(nearest_in, seed, arm.limits), strict=True)
    )
    return replace(arm, joint_limits=(a, b, c))


def choose(
    arm: PlanarArm,
    candidates: list[JointPositions],
    seed: JointPositions | None,
    branch: str,
) -> JointPositions | None:
    """The candidate of the branch (any, if it has none) whose largest joint change is smallest.

    Continuous joints are turned next to the seed, so that they never unwind.
    """
    start = home(arm) if seed is None else seed
    if branch != 'nearest':
        candidates = [q for q in candidates if is_on_branch(q, branch)] or candidates
    if arm.has_continuous_joints:
        candidates = [turned_to(arm, q, start) for q in candidates]
    return min(candidates, key=lambda q: _changes(q, start), default=None)


def turned_to(arm: PlanarArm, q: JointPositions, start: JointPositions) -> JointPositions:
    """The same with continuous joints turned next to `start`."""
    q1, q2, q3 = (
        near + wrap(angle - near) if lower == -math.inf else angle
        for angle, near, (lower, _) in zip(q, start, arm.limits)
    )
    return q1, q2, q3


def is_on_branch(q: JointPositions, branch: str) -> bool:
    """Elbow up: left of the line from base to wrist, so that joint 2 bends clockwise."""
    bend = math.sin(q[1])
    return branch == 'nearest' or (bend if branch == 'elbow_up' else -bend) <= STRAIGHT


def _changes(q: JointPositions, start: JointPositions) -> tuple[float, float]:
    change_1, change_2, change_3 = abs(q[0] - start[0]), abs(q[1] - start[1]), abs(q[2] - start[2])
    return max(change_1, change_2, change_3), change_1 + change_2 + change_3
