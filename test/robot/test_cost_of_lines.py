# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a straight line costs, whether it can be followed or not: a node plans between two commands.
"""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles import load_arm
from ik_circles.planar.lines.met_circles import MetCircles

STANDING = 'so101', 'px100', 'open_manipulator_x', 'braccio', 'xarm5', 'youbot_arm', 'ur5e'
LENGTH = 0.2  # [m]
#: Places of a line at which an arm is looked at, at most.
MOST_LOOKS = 4000
#: A line whose window of orientations closes ever more slowly [rad, m].
CLOSING_START = -2.053553009919832, 1.3967052919271175, -1.4909852905590464, -0.5080241150560056
CLOSING_TARGET = -0.22338445950805386, -0.33151120524735184, -0.049909064391474994


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


@pytest.fixture
def looks(monkeypatch):
    """Numbers of places at which arms were looked at."""
    numbers, misses = [], MetCircles.misses

    def counted(circles, x, y, phi):
        numbers.append(len(x))
        return misses(circles, x, y, phi)

    monkeypatch.setattr(MetCircles, 'misses', counted)
    return numbers


def test_a_path_that_looks_refuse_is_mended_before_it_is_proven(looks):
    """The last window that is kept is a needle: a path cannot be inside, and looks go on."""
    arm = load_arm('open_manipulator_x')
    start = dict(zip(arm.commanded_joints, CLOSING_START))
    line = arm.straight_line(start, CLOSING_TARGET, orientation='free')
    assert line.share == pytest.approx(0.4015187)
    assert sum(looks) <= MOST_LOOKS


def test_no_line_takes_many_looks(looks):
    """Windows of orientations that close slowly, and ends beside a limit, do not either."""
    ended = 0
    for arm, start, target in random_lines(np.random.default_rng(0), cases(4000, 60)):
        for orientation in ('held', 'free'):
            looks.clear()
            line = arm.straight_line(start, target, orientation=orientation)
            assert sum(looks) <= MOST_LOOKS
        ended += line.share < 1.0
    assert ended > cases(1000, 60)
