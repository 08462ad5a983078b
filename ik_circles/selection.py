"""Choosing one solution: which tool orientation, and which elbow branch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ik_circles.errors import InvalidSettingError
from ik_circles.inverse import solutions
from ik_circles.limits import home
from ik_circles.orientation import intervals, middle_of_widest, nearest_orientation

if TYPE_CHECKING:
    from ik_circles.arm import JointPositions, PlanarArm

BRANCHES = ('nearest', 'elbow_up', 'elbow_down')
ORIENTATION_MODES = ('fixed', 'preferred', 'free')


@dataclass(frozen=True)
class Policy:
    """How one solution is chosen; see PlanarArm.solve."""

    branch: str = 'nearest'
    orientation_mode: str = 'preferred'

    def __post_init__(self) -> None:
        check_choice('branch', self.branch, BRANCHES)
        check_choice('orientation_mode', self.orientation_mode, ORIENTATION_MODES)


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
    if phi is not None and policy.orientation_mode != 'free':
        candidates = solutions(arm, x, y, phi, seed)
        if candidates or policy.orientation_mode == 'fixed':
            return choose(arm, candidates, seed, policy.branch)
    found = intervals(arm, x, y)
    if not found:
        return None
    if phi is not None and policy.orientation_mode == 'preferred':
        orientation = nearest_orientation(found, phi)
    elif seed is not None:
        orientation = nearest_orientation(found, sum(seed))
    else:
        orientation = middle_of_widest(found)
    return choose(arm, solutions(arm, x, y, orientation, seed), seed, policy.branch)


def choose(
    arm: PlanarArm,
    candidates: list[JointPositions],
    seed: JointPositions | None,
    branch: str,
) -> JointPositions | None:
    """The candidate of the branch (any, if it has none) whose largest joint change is smallest."""
    start = home(arm) if seed is None else seed
    preferred = [q for q in candidates if _is_on(q, branch)] or candidates
    return min(
        preferred,
        key=lambda q: max(abs(a - b) for a, b in zip(q, start, strict=True)),
        default=None,
    )


def _is_on(q: JointPositions, branch: str) -> bool:
    """Elbow up: left of the line from base to wrist, so that joint 2 bends clockwise."""
    bend = math.sin(q[1])
    return branch == 'nearest' or (bend <= 0.0 if branch == 'elbow_up' else bend >= 0.0)
