# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How little an arm whose axes lean corrects for a target that it cannot take: that is what takes
its time."""

import math

import numpy as np
from law_cases import cases
from spatial_arms import random_rotation, rotation_by
from tilted_robots import TiltedRobot, leaned
from wrist_robots import pose_of, random_robot, turned_away

from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.poses.least_angle import least_angle
from ik_circles.spatial.true_axes.hinges import HingeChain

#: Lean of the axes, as in vendors' files [rad].
LEAN = 1e-5
#: A refused pose takes no more looks at joints in their places than this [1]; before the starts
#: that cannot close were left out, it took up to 15,000.
MOST = 1000


def refused(rng):
    """A robot with two wrist joints, most of them beside the yaw axis, and a pose that it cannot
    take: mostly a position of its own, nearer or farther, with another orientation."""
    while True:
        robot = TiltedRobot(leaned(random_robot(rng, True, 2).text, rng, LEAN))
        point, _ = pose_of(robot, robot.drawn(rng))
        point = (rng.uniform(0.7, 1.3) * np.array(point)).tolist()
        found = robot.arm.check_reachability(point, rotation=random_rotation(rng))
        if not found.reachable and robot.arm.whole.is_leaning:
            return found


def test_a_refused_pose_of_leaning_axes_takes_few_corrections(monkeypatch):
    """In all of its answer: the code, the reason and the nearest pose."""
    placed, counts = HingeChain.placed, list[int]()

    def counted(*asked):
        counts[-1] += 1
        return placed(*asked)

    rng = np.random.default_rng(0)
    for _ in range(cases(1000, least=50)):
        found = refused(rng)
        with monkeypatch.context() as patched:
            patched.setattr(HingeChain, 'placed', counted)
            counts.append(0)
            assert found.message
            assert found.nearest or found.nearest is None
    counts.sort()
    assert sum(counts) <= 40 * len(counts)
    assert counts[-1] <= MOST
    assert counts[len(counts) * 49 // 50] <= MOST / 2


def test_the_verdict_on_a_target_that_the_plane_just_misses_lifts_no_limits(monkeypatch):
    """Only the code needs that: a solution may be asked for without it."""
    rng, asked, codes = np.random.default_rng(1), list[SpatialArm](), set()
    lifted = SpatialArm.lifted

    def counted(arm, joints):
        asked.append(arm)
        return lifted(arm, joints)

    monkeypatch.setattr(SpatialArm, 'lifted', counted)
    for _ in range(cases(600, least=30)):
        arm = TiltedRobot(leaned(random_robot(rng, True, 1, on_axis=False).text, rng, LEAN)).arm
        plane = arm.spatial.plane
        radius = abs(plane.yaw.aside) - rng.uniform(0.0, 1.0) * plane.slack
        angle, height = rng.uniform(-3.0, 3.0), rng.uniform(-0.3, 0.3)
        beside = plane.yaw.aside - radius * math.sin(angle)
        x, y = plane.yaw.in_plane(radius * math.cos(angle), height)
        point = plane.in_space(x, y, beside)
        found = arm.check_reachability(point)
        if not found.reachable:
            assert arm.solve(point) is None
            assert not asked
            codes.add(found.code)
            asked.clear()
    assert len(codes) > 1


def test_no_joint_positions_leave_less_than_the_least_angle_of_leaning_axes():
    """So a wrist is not solved if it certainly leaves more than another one."""
    rng, told = np.random.default_rng(2), 0
    for number in range(cases(6000)):
        robot = TiltedRobot(leaned(random_robot(rng, True, 1 + number % 2).text, rng, LEAN))
        own, arm = robot.drawn(rng), robot.arm.whole
        whole, (point, here) = robot.arm.whole_naming.whole(own), pose_of(robot, own)
        held = arm.holding(whole.wrist)
        rotation = here @ rotation_by(random_rotation(rng)[0], rng.uniform(0.0, math.pi))
        sight, away = arm.wrist.sight(rotation.tolist()), turned_away(here, rotation)
        some = [at for at, _ in arm.shoulders_at(arm.carrier.plane.into(point), held)]
        if some and not some[0].on_axis:
            least = [least_angle(arm, sight, at, held) for at in some]
            assert min(least) <= away
            nearest = min(some, key=lambda at: abs(math.remainder(at.yaw - whole.yaw, math.tau)))
            assert least[some.index(nearest)] <= away
            told += max(least) > 0.1
    assert told > cases(2000)


def test_an_orientation_that_gives_way_takes_few_corrections(monkeypatch):
    """The verdict and the choice ask each shoulder for the same: most of it is corrected once. More
    than half of all corrections were repeated; the slowest answer of 360 took 0.4 s."""
    corrected, seen, counts = HingeChain.corrected, set(), [0, 0]

    def counted(chain, angles, limits, target, *count):
        asked = tuple(angles), tuple(limits), tuple(target)
        counts[asked in seen] += 1
        seen.add(asked)
        return corrected(chain, angles, limits, target, *count)

    monkeypatch.setattr(HingeChain, 'corrected', counted)
    rng = np.random.default_rng(3)
    for number in range(cases(600, least=30)):
        text = random_robot(rng, True, 1 + number % 2).text
        robot = TiltedRobot(leaned(text, rng, LEAN))
        own = robot.drawn(rng, 2) | robot.arm.wrist_at
        point, _ = pose_of(robot, own)
        seen.clear()
        robot.arm.solve(point, rng.uniform(-3.0, 3.0), seed=own)
    once, again = counts
    assert again <= 0.7 * once
    assert once > cases(3000)
