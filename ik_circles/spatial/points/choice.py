# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The choice among the configurations that the ways to a target in space offer."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from operator import sub
from typing import NamedTuple

from ik_circles.geometry.angles import CONTINUOUS, nearest_in, wrap
from ik_circles.planar import selection
from ik_circles.planar.families import is_family
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.rules import KEEP_ORIENTATION, Z_FORM, Redundancy, candidates
from ik_circles.planar.selection import SAME_ANGLE_AWAY, Policy, least
from ik_circles.spatial.arm import Configuration, SpatialArm
from ik_circles.spatial.points.deciding import rotation_at, same_rotation, ways_by_rounding
from ik_circles.spatial.points.ways import (
    SAME_ORIENTATION,
    SAME_TILT,
    TILT_TOLERANCE,
    Question,
    Wanted,
    WayToPoint,
)
from ik_circles.spatial.true_axes.leaning import ArmAngles
from ik_circles.spatial.true_axes.true_way import TrueWay


class Choice(NamedTuple):
    """A configuration and the way it belongs to."""

    way: WayToPoint
    configuration: Configuration

    def is_on_branch(self, policy: Policy) -> bool:
        """Whether its elbow is as the policy asks."""
        return self.way.is_on_branch(self.configuration.q, policy)


def choose(
    question: Question,
    ways: Sequence[WayToPoint],
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> Configuration | None:
    """The one configuration that the policy chooses; None if there is none.

    At each shoulder, the orientation in the plane is the one asked for, or the nearest that works.
    Then these count, in this order: the least rotation to the orientation asked for; the branch;
    what `redundancy` asks of each shoulder; and the largest change of a joint. Rotations count as
    equal if they differ only by rounding, including that of the axes.

    Where the plane just meets the point, rounding may rule out ways. If nothing is found, or joints
    would have to move far, those are tried, too, and the one that the arm takes if it is there
    already. Next to that, with a straight elbow, rounding moves joints. There, too, it stays.
    """
    found = _choose(question, ways, seed, policy, redundancy)
    if seed and found and found != seed and _stays(question, seed, found, policy, redundancy):
        return seed
    start = seed or question.arm.home
    if found is None or _changes(found, start)[0] > selection.SMALL_STEP:
        others = ways_by_rounding(question, seed)
        if others:
            return _choose(question, [*ways, *others], seed, policy, redundancy)
    return found


def brought_to(
    wanted: Wanted,
    arm: SpatialArm,
    seed: Configuration | None,
    chosen: Configuration,
    policy: Policy,
) -> Configuration:
    """What parallel axes have at a point, corrected to leaning ones; an arm that is there stays.

    Where shoulders meet, correction may bend the elbow the other way: then it is left out, because
    an arm that is asked again would be bent back.
    """
    question = Question(arm, wanted)
    if seed and _stays(question, seed, chosen, policy, Redundancy()):
        return seed
    if arm.leaning is None:
        return chosen
    found = Configuration(*arm.leaning.next_to(chosen, wanted.point))
    keeps_branch = arm.is_on_branch(found.q, policy) or not arm.is_on_branch(chosen.q, policy)
    return found if keeps_branch else chosen


def _stays(
    question: Question,
    seed: Configuration,
    found: Configuration,
    policy: Policy,
    redundancy: Redundancy,
) -> bool:
    """Whether the arm is at the target already, as it is wanted, and may be there.

    The branch counts only if what was `found` is on it.
    """
    arm, wanted, phi = question.arm, question.orientation, question.phi_at(seed.yaw)
    if phi is None and not _keeps_orientation(policy, redundancy):
        return False
    leans = 0.0 if wanted is None or arm.leaning is None else arm.leaning.turns_on_limit
    if phi is not None and abs(wrap(sum(seed.q) - phi)) > SAME_ORIENTATION + leans:
        return False
    tolerance, (x, y, _) = arm.planar.tolerance, arm.planar.pose_at(seed.q)
    return (
        arm.meets(seed, question.point)
        and question.zones.contains(math.hypot(x, y), tolerance)
        and arm.may_be_at(seed)
        and (arm.is_on_branch(seed.q, policy) or not arm.is_on_branch(found.q, policy))
        and arm.tilt_at(seed, wanted) <= SAME_TILT
    )


def _choose(
    question: Question,
    ways: Sequence[WayToPoint],
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> Configuration | None:
    start = seed or question.arm.home
    leaning = question.arm.leaning
    same = 0.0 if leaning is None else leaning.turns_on_limit
    choices: list[Choice] = []
    for way in ways:
        if way.is_level:
            found = _configurations(question, way, seed, policy, redundancy)
            its = [Choice(way, one) for one in found]
            choices += least(its, _turned_away, SAME_ORIENTATION + same)
    may_stay = seed is not None and not policy.is_fixed
    choices = _least_rotated(question, choices, same_rotation(question) + same, may_stay)
    if policy.branch != selection.NEAREST:
        fits = [one for one in choices if one.is_on_branch(policy)]
        if not fits and redundancy.choice == Z_FORM and any(  # a Z of the other elbow comes last
            way.has_branch(policy) for way in ways if way.phi is None
        ):
            return None
        choices = fits or choices

    changes = [_changes(one.configuration, start) for one in choices]
    chosen = selection.closest(choices, changes)
    return chosen and chosen.configuration


def _configurations(
    question: Question,
    way: WayToPoint,
    seed: Configuration | None,
    wanted: Policy,
    redundancy: Redundancy,
) -> list[Configuration]:
    """The configurations of a way, to choose from."""
    arm, start, policy = question.arm, seed or question.arm.home, way.policy(wanted)
    if way.true is None:
        if not way.found.position_reachable:
            return []
        angles = _joint_angles(arm, way, seed, policy, redundancy)
        return [Configuration(*one) for one in product(_yaws(question, way, start.yaw), angles)]
    kept = seed if _keeps_orientation(policy, redundancy) else None
    found: list[ArmAngles] = []
    if way.phi is not None:
        found = [(yaw, q) for yaw, q in way.solutions_near(start)]
    elif kept:
        found = way.true.with_orientation(sum(kept.q), near=kept.q)
    if way.phi is None or not (found or policy.is_fixed):
        yaws = _yaws(question, way, start.yaw)
        for q in _joint_angles(arm, way, seed, policy, redundancy):
            found = [*found, *way.true.next_to(q, yaws)]
        if way.phi is not None:
            some = _taken(policy, found, way.phi)
            # joints on limits: parallel axes do not show all that they leave
            some += _taken(policy, way.true.least_turned, way.phi)
            found = [*some, *_taken(policy, way.true.in_corners(way.phi, some), way.phi)]
    if way.phi is None:
        is_met = any(selection.is_on_branch(q, policy.branch) for _, q in found)
        if not is_met and redundancy.choice != Z_FORM:
            found = [*found, *way.true.on_branch(policy.branch)] or way.true.nearly
        if kept:
            found = [*found, *_nearer(arm, way, way.true, found, kept, wanted)]
    return [_turned_to(arm, one, start) for one in found]


def _keeps_orientation(policy: Policy, redundancy: Redundancy) -> bool:
    """Whether a target without an orientation is reached with that of the seed, if it can be."""
    return redundancy.choice == KEEP_ORIENTATION and policy.heeds_seed


def _taken(policy: Policy, some: Sequence[ArmAngles], phi: float) -> list[ArmAngles]:
    """The solutions whose orientation in the plane is near enough to the wanted one [rad]."""
    return [one for one in some if policy.takes(sum(one[1]), phi)]


def _nearer(
    arm: SpatialArm,
    way: WayToPoint,
    true: TrueWay,
    found: Sequence[ArmAngles],
    seed: Configuration,
    policy: Policy,
) -> list[ArmAngles]:
    """Solutions on leaning axes near the seed, if the ones already found are a detour."""
    beside = abs(wrap(way.shoulder.yaw - seed.yaw))
    needed = _least_change(arm, way, found, seed, policy)
    if needed <= selection.SMALL_STEP or not (true.at.meeting or beside <= selection.NEAR_SEED):
        return []
    near = true.next_to_seed(seed)
    return near if selection.is_detour(needed, _least_change(arm, way, near, seed, policy)) else []


def _least_change(
    arm: SpatialArm,
    way: WayToPoint,
    some: Sequence[ArmAngles],
    seed: Configuration,
    policy: Policy,
) -> float:
    """The smallest largest joint change among solutions; only those on the branch count, if any."""
    turned = [_turned_to(arm, one, seed) for one in some]
    fits = [one for one in turned if way.is_on_branch(one.q, policy)]
    return min((_changes(one, seed)[0] for one in fits or turned), default=math.inf)


def _changes(one: Configuration, start: Configuration) -> tuple[float, float]:
    """Largest joint change and their sum [rad]."""
    found = abs(one.yaw - start.yaw), *map(abs, map(sub, one.q, start.q))
    return max(found), sum(found)


def _turned_to(arm: SpatialArm, angles: ArmAngles, start: Configuration) -> Configuration:
    """The configuration with continuous joints turned next to `start`."""
    yaw, q = angles
    if arm.yaw is not None and arm.yaw.limits == CONTINUOUS:
        yaw = start.yaw + wrap(yaw - start.yaw)
    return Configuration(yaw, selection.turned_to(arm.planar, q, start.q))


def _yaws(question: Question, way: WayToPoint, near: float) -> Sequence[float]:
    """The yaw angles of a way [rad], ascending; where there is a choice, next to `near`."""
    yaw = question.arm.yaw
    if yaw is None or not way.yaws:
        return way.yaws
    if way.shoulder.on_axis and question.orientation is None:
        return [nearest_in(near, yaw.limits)]
    if yaw.limits == CONTINUOUS:
        return [near + wrap(angle - near) for angle in way.yaws]
    return sorted(way.yaws)


def _joint_angles(
    arm: SpatialArm,
    way: WayToPoint,
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[JointPositions]:
    """Joint angles in the plane of a way to choose from.

    Without a seed they are near home, except for their orientation.
    """
    planar, near = arm.planar, (seed or arm.home).q
    if way.phi is None:
        policy = policy if seed else replace(policy, orientation_mode=selection.CENTERED)
        return candidates(planar.workspace, *way.shoulder.point, near, policy, redundancy)
    wrist = planar.wrist(*way.shoulder.point, way.phi)
    if way.found.reachable and not is_family(planar, math.hypot(*wrist)):
        chosen = selection.choose(planar, way.found.solutions, near, policy.branch)
    else:  # a family's member depends on the seed
        chosen = selection.solve(planar.workspace, *way.shoulder.point, way.phi, near, policy)
    return [] if chosen is None else [chosen]


def _turned_away(choice: Choice) -> float:
    """How far the tool is from the orientation wanted in the plane [rad]."""
    return choice.way.turned_in_plane(choice.configuration.q)


def _least_rotated(
    question: Question, choices: Sequence[Choice], same: float, may_stay: bool
) -> list[Choice]:
    """The choices with the least rotation to the orientation wanted.

    If the orientation gives way, the arm `may_stay` rather than turn round for SAME_ANGLE_AWAY.
    """

    def rotated(one: Choice) -> float:
        return rotation_at(question, one.configuration)

    found = least(choices, rotated, same)
    if not may_stay or len(found) == len(choices) or rotated(found[0]) <= TILT_TOLERANCE:
        return found
    return least(choices, rotated, SAME_ANGLE_AWAY)
