# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a straight line costs, whether it can be followed or not: a node plans between two commands.
"""

import math

import numpy as np
from law_cases import cases

from ik_circles import load_arm
from ik_circles.planar.lines.met_circles import MetCircles

STANDING = 'so101', 'px100', 'open_manipulator_x', 'braccio', 'xarm5', 'youbot_arm', 'ur5e'
LENGTH = 0.2  # [m]
#: Places of a line at which an arm is looked at, at most.
MOST_LOOKS = 4000


def random_lines(rng, count):
    """Shipped robots, above a floor or without one, from anywhere to any side."""
    robots = [load_arm(name, floor=floor) for name in STANDING for floor in (None, 0.0)]
    for number in range(count):
        arm = robots[number % len(robots)]
        joints = arm.joints.values()
        limits = [(max(one.lower, -math.pi), min(one.upper, math.pi)) for one in joints]
        start = dict(zip(arm.commanded_joints, rng.uniform(*np.transpose(limits)).tolist()))
        way = rng.normal(size=3)
        yield arm, start, arm.forward_kinematics(start)[:3, 3] + LENGTH * way / math.hypot(*way)


def test_no_line_takes_many_looks(monkeypatch):
    """Windows of orientations that close slowly, and ends beside a limit, do not either."""
    looks, misses = [], MetCircles.misses

    def counted(circles, x, y, phi):
        looks.append(len(x))
        return misses(circles, x, y, phi)

    monkeypatch.setattr(MetCircles, 'misses', counted)
    ended = 0
    for arm, start, target in random_lines(np.random.default_rng(0), cases(4000, 60)):
        for orientation in ('held', 'free'):
            looks.clear()
            line = arm.straight_line(start, target, orientation=orientation)
            assert sum(looks) <= MOST_LOOKS
        ended += line.share < 1.0
    assert ended > cases(1000, 60)
