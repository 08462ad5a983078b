# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Five joints that cannot take an orientation: the yaw from the wrist center, the pitch as given,
and the roll that turns the tip least away from it, found here by a dense search."""

import math
import re
from copy import copy

import numpy as np
import pytest
from law_cases import cases
from screw_solver import Awkward, ScrewSolver, roots
from spatial_arms import direction, rotation_by
from wrist_robots import (
    SHIPPED,
    gap,
    pose_of,
    random_robots,
    shipped_robots,
    turned_away,
    without_limits,
)

from ik_circles.control import Settings, Target, decide
from ik_circles.reasons import Code

CLOSES = 1e-9  # [m]
ROLLS = np.linspace(-math.pi, math.pi, 361)[1:]
STEP = ROLLS[1] - ROLLS[0]
SAME = 1e-6  # [rad]
SAID = re.compile(r'the nearest of those tried is (\S+) deg away')
FIVE = [name for name, count in SHIPPED.items() if count == 1]


def with_pitch(solver, yaw, wanted):
    """How far the last link is turned in the plane to have the wrist's axis as steep as wanted, and
    pointing outwards or inwards as wanted."""
    (axis, _), (first, _), n = solver.yaw, solver.wrist[0], solver.normal
    seen = rotation_by(axis, -yaw) @ wanted
    phis = roots(axis, n, first, axis @ wanted)
    return max(phis, key=lambda phi: seen @ rotation_by(n, phi) @ first)


def can_have_pitch(robot, solver, positions, point, rotation):
    """Whether the first links reach a point with the roll held and the pitch of an orientation, the
    plane being turned as positions have it."""
    roll, held = robot.arm.wrist_joints[0], copy(solver)
    held.center = robot.tip({roll: positions[roll]})[:3, 3]
    wanted = rotation @ solver.at_zero[:3, :3].T @ solver.wrist[0][0]
    try:
        (back,) = (
            back for yaw, back in held.planes(np.array(point))
            if abs(math.remainder(yaw - positions[robot.arm.yaw_joint], math.tau)) <= SAME
        )  # fmt: skip
        phi = with_pitch(solver, positions[robot.arm.yaw_joint], wanted)
        return any(True for _ in held.three(back(np.array(point)), phi))
    except Awkward:
        return False


def nearest_rolls(solver, point, rotation):
    """For each shoulder of the wrist center that the orientation asks for: the roll that is best of
    many, with the plane turned there and the pitch as given."""
    moved = rotation @ solver.at_zero[:3, :3].T
    center = moved @ (solver.center - solver.at_zero[:3, 3]) + point
    (axis, _), (first, _), n = solver.yaw, solver.wrist[0], solver.normal
    rolled = [rotation_by(first, roll) for roll in ROLLS]
    for yaw, _ in solver.planes(center):
        turned, phi = rotation_by(axis, yaw), with_pitch(solver, yaw, moved @ first)
        before = turned @ rotation_by(n, phi)
        traces = [np.sum(before @ one * moved) for one in rolled]  # least away: the largest trace
        yield float(ROLLS[int(np.argmax(traces))])


def steepness(solver, rotation):
    """How steeply the wrist's axis points along the yaw axis, in an orientation [1]."""
    return solver.yaw[0] @ rotation @ solver.at_zero[:3, :3].T @ solver.wrist[0][0]


def check_preferred(robot, solver, rng):
    """An own position with any orientation: whether the arm gives the nearest roll; None in an
    awkward place, out of reach, or where the wrist as it is held leaves less."""
    (point, own), arm = pose_of(robot, robot.drawn(rng)), robot.arm
    rotation = rotation_by(direction(rng), rng.uniform(0.05, 1.0)) @ own
    told = arm.check_reachability(point, rotation=rotation)
    if told.code is not Code.ORIENTATION:
        return None
    found, name = arm.solve(point, rotation=rotation), arm.wrist_joints[0]
    place, turned = pose_of(robot, found)
    away = turned_away(turned, rotation)
    assert math.dist(place, point) <= CLOSES
    (said,) = SAID.findall(told.message)
    assert float(said) == pytest.approx(math.degrees(away), rel=0.01, abs=0.06)
    decided = decide(arm, Settings(), Target(point, rotation), None)
    assert decided.code is Code.OK and decided.message == f'reachable, but {told.message}'
    assert gap(decided.command, found) <= SAME
    try:
        rolls = [*nearest_rolls(solver, point, rotation)]
    except Awkward:
        return None
    is_held = abs(math.remainder(found[name] - arm.wrist_at[name], math.tau)) <= SAME
    if is_held:
        return None
    if not any(abs(math.remainder(found[name] - roll, math.tau)) <= STEP for roll in rolls):
        held = (arm.holding({name: roll}).check_reachability(point) for roll in rolls)
        # The point may also be reached only with the plane turned round.
        assert not rolls or not all(one.reachable for one in held)
        return None
    has_pitch = abs(steepness(solver, turned) - steepness(solver, rotation)) <= SAME
    assert has_pitch or not can_have_pitch(robot, solver, found, point, rotation)
    return has_pitch


def test_law_random_arms_without_limits_have_pitch_and_nearest_roll():
    rng, seen = np.random.default_rng(0), []
    for robot in random_robots(rng, cases(2000, least=32), each=4, kinds=[(True, 1)]):
        if not robot.arm.whole.is_leaning:
            free = without_limits(robot)
            seen.append(check_preferred(free, ScrewSolver(free), rng))
    assert sum(map(bool, seen)) > len(seen) / 3


@pytest.mark.parametrize('name', FIVE)
def test_law_shipped_arms_without_limits_have_pitch_and_nearest_roll(name):
    free, rng = without_limits(shipped_robots()[name]), np.random.default_rng(1)
    solver = ScrewSolver(free)
    seen = [check_preferred(free, solver, rng) for _ in range(cases(600, least=10))]
    assert sum(map(bool, seen)) > len(seen) / 3
