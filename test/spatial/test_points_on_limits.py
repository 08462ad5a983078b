# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Leaning arms with joints on limits, or a hair inside them: they find their own points."""

import numpy as np
from law_cases import cases
from robot_texts import joint, limit, robot
from tilted_robots import TiltedRobot, leaned
from wrist_robots import gap, random_robot

CLOSES = 1e-9  # [m]
JOINTS = ('j0', 'j1', 'j2', 'j3')


def with_limits(rng, length, stopped, aside=0.2):
    """The text of an arm with a last link of this length [m]; a joint has one angle."""
    first, second = rng.uniform(0.1, 0.4, 2)
    places = (0, 0, 0), (0.05, rng.uniform(-aside, aside), 0.1), (0, 0, first), (0, 0, second)
    some = dict(zip(JOINTS, rng.uniform((-3.1, 0.3), (-0.3, 3.1), (4, 2)).tolist()))
    some[stopped] = [rng.uniform(-1.5, 1.5)] * 2
    joints = [
        joint(name, n, n + 1, 'revolute', place, (0, 0, 0), (0, n > 0, n == 0), limit(*some[name]))
        for n, (name, place) in enumerate(zip(JOINTS, places))
    ]
    tip = 0, rng.uniform(-aside, aside), length
    return robot(*joints, joint('tip', 4, 5, 'fixed', tip, (0, 0, 0), (0, 0, 1)))


def is_found(one, own):
    """Whether an own point is found without a seed."""
    point = one.tip(own)[:3, 3]
    found = one.arm.solve(point)
    assert (found is not None) == one.arm.check_reachability(point).reachable
    assert found is None or one.miss(found, point) <= CLOSES
    return found is not None


def test_law_own_points_with_the_last_links_nearly_in_line_are_found():
    """With joint 1 at its only angle, the others have one angle each, or two. The lean moves these
    by the root of the slack, and corrections only halved that: 92 of 2,000 were refused."""
    rng, refused = np.random.default_rng(0), 0
    for _ in range(cases(2000, least=100)):
        text = with_limits(rng, 10.0 ** rng.uniform(-5.0, -0.5), 'j1')
        one = TiltedRobot(leaned(text, rng, 10.0 ** rng.uniform(-7.0, -5.0)))
        own = one.drawn(rng)
        own['j3'] = rng.choice([-1, 1]) * 10.0 ** rng.uniform(-6.0, -1.5)
        refused += not is_found(one, own)
    assert refused == 0


def test_law_own_points_with_one_elbow_only_are_found():
    """The yaw joint and joint 2 are on limits, and joint 3 has one angle. Parallel axes have joint
    2 past its limit. They show the other elbow, but then the yaw joint is past its limit: 101 of
    1,000 were refused."""
    rng, refused = np.random.default_rng(1), 0
    for _ in range(cases(1000, least=60)):
        text = with_limits(rng, 0.0, 'j3', 0.0)
        one = TiltedRobot(leaned(text, rng, 10.0 ** rng.uniform(-7.0, -5.0)))
        own = one.drawn(rng)
        own['j0'], own['j2'] = one.limits['j0'][rng.integers(2)], min(one.limits['j2'], key=abs)
        refused += not is_found(one, own)
    assert refused == 0


def test_law_with_the_yaw_joint_a_hair_inside_its_limit_and_a_straight_elbow_no_joint_moves_far():
    """From a seed with the yaw joint on its limit, where corrections left it: 8 of 614 moved by 0.1
    to 0.26 rad, although a solution is within 0.01 rad."""
    rng, moved = np.random.default_rng(2), []
    for _ in range(cases(3000, least=300)):
        text = random_robot(rng, True, 1).text
        one = TiltedRobot(leaned(text, rng, 10.0 ** rng.uniform(-8.0, -5.5)))
        own, yaw = one.drawn(rng), one.arm.yaw_joint
        end, hair = rng.integers(2), 10.0 ** rng.uniform(-9.0, -6.0)
        own[yaw] = one.limits[yaw][end] + (-hair if end else hair)
        own = one.bent(own, 1, rng.choice([-1, 0, 1]) * 10.0 ** rng.uniform(-10.0, -3.0))
        if own is None:
            continue
        most = 10.0 ** rng.uniform(-5.0, -2.0)
        seed = {
            name: float(np.clip(angle + rng.uniform(-most, most), *one.limits[name]))
            for name, angle in own.items()
        }
        seed |= {name: own[name] for name in one.arm.wrist_joints}  # it is held
        found = one.arm.solve(one.tip(own)[:3, 3], seed=seed)
        assert found is not None, (one.text, own, seed)
        moved.append(gap(found, seed) - 3.0 * most)
    assert max(moved) <= 0.05
