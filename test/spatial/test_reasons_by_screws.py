# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Why a full pose is refused: the least of what a second solver finds to be wrong with any way."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from screw_solver import Awkward, ScrewSolver
from spatial_arms import direction, pose, rotation_by
from wrist_robots import KINDS, pose_of, random_robots, shipped_robots

from ik_circles.reasons import Code

TILT = 1e-7  # [rad] above rounding
#: Messages are rounded to a tenth of a degree, and to a millimeter.
DEGREES, METERS = 0.051, 0.00051
PAST = re.compile(r'(\S+) would exceed its (lower|upper) limit by (?:at most )?(\S+) deg')
OFF = re.compile(r'would be (\S+) m too (far from|close to) (\S+) for the links between them')


def past(angle, limits):
    """How far the nearest turn of an angle is past a limit [deg], negative below the lower."""
    lower, upper = limits
    if upper == math.inf:
        return 0.0
    turns = [angle + math.tau * number for number in range(-4, 5)]
    away = [one - min(max(one, lower), upper) for one in turns]
    return math.degrees(min(away, key=abs))


def troubles(solver, asked):
    """What is wrong with each way, whatever its limits: how far the third joint would be out of
    reach [m], negative if too close; or by name how far each joint would be past a limit [deg]."""
    moved = asked @ np.linalg.inv(solver.at_zero)
    center = moved[:3, :3] @ solver.center + moved[:3, 3]
    n, (one, two, three) = solver.normal, solver.places
    lengths = [float(np.linalg.norm(np.cross(n, v))) for v in (two - one, three - two)]
    for yaw, back in solver.planes(center):
        level = solver.level(moved[:3, :3], yaw)
        for phi, wrist in solver.wrists(level):
            third = back(center) - rotation_by(n, phi) @ (solver.center - three)
            away = float(np.linalg.norm(np.cross(n, third - one)))
            too_far, too_close = away - sum(lengths), abs(lengths[0] - lengths[1]) - away
            if max(too_far, too_close) > 0.0:
                yield (0, max(too_far, too_close)), too_far if too_far > 0.0 else -too_close
            for q in solver.three(back(center), phi):
                angles = [*([yaw] if solver.yaw else []), *q, *wrist]
                its = {name: past(*one) for name, *one in zip(solver.names, angles, solver.limits)}
                yield None, {name: off for name, off in its.items() if off}


def check_reason(robot, solver, rng):
    """The kind of reason that was told, if it is a clear one."""
    own = robot.drawn(rng)
    for name in rng.choice(list(own), rng.integers(1, 4), replace=False).tolist():
        own[name] = robot.limits[name][rng.integers(2)] + rng.uniform(-0.5, 0.5)
    point, rotation = pose_of(robot, own)
    if rng.random() < 0.3 and robot.arm.yaw_joint and len(robot.arm.wrist_joints) == 2:
        point = point + rng.uniform(0.0, 0.3) * direction(rng)
    told = robot.arm.check_reachability(point, rotation=rotation, tilt_tolerance=TILT)
    if told.reachable:
        return None
    its = pose(rotation, point)
    try:
        some = [*troubles(solver, its)]
    except Awkward:
        return None
    limits = [one for rank, one in some if rank is None]
    if limits:
        assert told.code in (Code.ORIENTATION, Code.JOINT_LIMIT)
        said = [(name, side, float(by)) for name, side, by in PAST.findall(told.message)]
        assert any(is_said(said, one) for one in limits), (told.message, limits)
        ranks = [(len(one), max(map(abs, one.values()))) for one in limits]
        assert len(said) == min(ranks)[0]
        assert said[0][2] == pytest.approx(min(ranks)[1], abs=DEGREES)
        return told.code.name
    if some and told.code is Code.ORIENTATION:
        ((by, words, first),) = OFF.findall(told.message)
        (_, least), off = min(some)
        assert first == robot.arm.joint_names[0]
        assert float(by) == pytest.approx(least, abs=METERS)
        assert words == ('far from' if off > 0.0 else 'close to')
        return 'links'
    return None


def is_said(said, limits):
    """Whether a message names exactly these joints, each with its side and its figure."""
    named = {name: (side, by) for name, side, by in said}
    return named.keys() == limits.keys() and all(
        named[name][0] == ('upper' if off > 0.0 else 'lower')
        and abs(named[name][1] - abs(off)) <= DEGREES
        for name, off in limits.items()
    )


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_law_random_arms_name_the_joints_and_the_distance_of_the_least_way(kind):
    rng, kinds = np.random.default_rng(0), []
    for robot in random_robots(rng, cases(2000, least=40), each=2, kinds=[kind]):
        if not robot.arm.whole.is_leaning:
            kinds.append(check_reason(robot, ScrewSolver(robot), rng))
    assert 'ORIENTATION' in kinds and ('links' in kinds or kind != (True, 2))


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_law_shipped_arms_name_the_joints_and_the_distance_of_the_least_way(name):
    robot, rng = shipped_robots()[name], np.random.default_rng(1)
    solver = ScrewSolver(robot)
    kinds = [check_reason(robot, solver, rng) for _ in range(cases(2000, least=100))]
    assert any(kinds)
