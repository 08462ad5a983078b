"""Choosing one configuration among the solutions of both shoulders."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from operator import sub
from typing import NamedTuple, TypeVar

from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.planar import selection as planar_selection
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.policy import Redundancy, candidates
from ik_circles.planar.selection import Policy
from ik_circles.spatial.model import Configuration, SpatialModel
from ik_circles.spatial.question import SAME_ORIENTATION, Question, Way, tilt_of

#: Planes that differ by less than this are the same [rad]: what rounding of a rotation matrix
#: leaves of an angle is its root.
SAME_TILT = 1e-6

T = TypeVar('T')


class Choice(NamedTuple):
    """A configuration and the way it belongs to."""

    way: Way
    configuration: Configuration


def choose(
    arm: SpatialModel,
    question: Question,
    ways: Sequence[Way],
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> Configuration | None:
    """The one configuration that the policy chooses; None if there is none.

    These count, in this order: the orientation in the plane and then of the plane, the branch, and
    the largest change of a joint. Both shoulders may do equally well except for rounding.
    """
    start = seed or arm.home
    choices = [
        Choice(way, Configuration(yaw, q))
        for way in ways
        if way.is_level and way.found.position_reachable
        for yaw, q in product(
            _yaws(arm, question, way, start.yaw),
            _joint_angles(arm, way, seed, policy, redundancy),
        )
    ]
    if len(choices) <= 1:
        return choices[0].configuration if choices else None
    choices = least(choices, _turned_away, SAME_ORIENTATION)
    choices = least(choices, lambda one: tilt_of(arm, question, one.way), SAME_TILT)

    def cost(one: Choice) -> tuple[bool, float]:
        yaw, q = one.configuration
        changes = map(abs, map(sub, (yaw, *q), (start.yaw, *start.q)))
        return not planar_selection.is_on_branch(q, policy.branch), max(changes)

    return min(choices, key=cost).configuration


def least(some: Sequence[T], cost: Callable[[T], float], same: float) -> list[T]:
    """Those of the least cost; costs that differ by no more than `same` are the same."""
    costs = list(map(cost, some))
    most = min(costs) + same
    return [one for one, its in zip(some, costs) if its <= most]


def _yaws(arm: SpatialModel, question: Question, way: Way, near: float) -> Sequence[float]:
    """The yaw angles of a way [rad]; where there is a choice, next to `near`."""
    yaw = arm.yaw
    if yaw is None or not way.yaws:
        return way.yaws
    if way.shoulder.on_axis and question.rotation is None:
        return [nearest_in(near, yaw.limits)]
    if yaw.limits[0] == -math.inf:
        return [near + wrap(angle - near) for angle in way.yaws]
    return way.yaws


def _joint_angles(
    arm: SpatialModel,
    way: Way,
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[JointPositions]:
    """Joint angles in the plane of a way to choose from."""
    planar, near = arm.planar, None if seed is None else seed.q
    if way.phi is None:
        return candidates(planar.workspace, *way.shoulder.point, near, policy, redundancy)
    if way.found.reachable and not planar.has_families:  # a family's member depends on the seed
        chosen = planar_selection.choose(planar, way.found.solutions, near, policy.branch)
    else:
        chosen = planar_selection.solve(
            planar.workspace, *way.shoulder.point, way.phi, near, policy
        )
    return [] if chosen is None else [chosen]


def _turned_away(choice: Choice) -> float:
    """How far the tool is from the orientation wanted in the plane [rad]."""
    phi = choice.way.phi
    return 0.0 if phi is None else abs(wrap(sum(choice.configuration.q) - phi))
