# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A line on which six joints keep the tip's orientation ends where the tip meets the floor."""

import math

import numpy as np
from law_cases import cases
from wrist_robots import random_robots, upright, without_limits

from ik_circles.planar.floor.parts import TIP
from ik_circles.planar.lines.track import Cause
from ik_circles.spatial.lines.whole_line import WholeLine

CLOSES = 1e-9


def downwards(rng, count):
    """Robots whose yaw axis is upright, where they start, and points below and beside the tip."""
    for one in random_robots(rng, count, each=4, kinds=[(True, 2)]):
        robot = without_limits(upright(one))
        arm = robot.arm.whole
        start = arm.of_angles(rng.uniform(-3.0, 3.0, 6).tolist())
        tip = np.array(arm.pose(start)[0])
        yield arm, start, tip, tip + rng.uniform(-0.1, 0.1, 3) - (0.0, 0.0, 0.15)


def test_the_tip_goes_down_to_the_floor_and_no_farther():
    """Another part of the arm may meet it before, or the line may end elsewhere."""
    rng, ended = np.random.default_rng(0), 0
    for arm, start, tip, target in downwards(rng, cases(800, least=24)):
        share = rng.uniform(0.1, 1.5)
        height = float(tip[2] + share * (target[2] - tip[2]))
        line = WholeLine(arm.above(height), arm.carrier.yaw, start, tuple(target.tolist()))
        end, stop = line.end
        assert end <= share + CLOSES
        free = WholeLine(arm, arm.carrier.yaw, start, tuple(target.tolist())).end.share
        if end < free - CLOSES:
            assert stop.cause is Cause.FLOOR
            if stop.part == TIP:
                assert abs(end - share) <= CLOSES
                ended += 1
    assert ended


def test_a_tip_that_starts_below_the_floor_goes_nowhere():
    rng = np.random.default_rng(1)
    for arm, start, tip, target in downwards(rng, cases(400)):
        for below in (1e-6, 0.1):
            above = arm.above(float(tip[2] + below))
            line = WholeLine(above, arm.carrier.yaw, start, tuple(target.tolist()))
            end, stop = line.end
            assert end == 0.0 and stop.cause is Cause.FLOOR
            if stop.part == TIP:
                assert math.isclose(stop.figures[0], below, rel_tol=1e-3)


def test_a_tip_on_the_floor_goes_up():
    rng = np.random.default_rng(2)
    for arm, start, tip, _ in downwards(rng, cases(400)):
        above = arm.above(float(tip[2]))
        target = tuple((tip + np.array((0.05, 0.0, 0.1))).tolist())
        end = WholeLine(above, arm.carrier.yaw, start, target).end
        assert end.stop is None or (end.stop.cause, end.stop.part) != (Cause.FLOOR, TIP)


def test_with_the_last_axis_exactly_at_the_bound_a_line_ends_though_both_sides_are_allowed():
    rng, seen = np.random.default_rng(3), 0
    for arm, start, _, target in downwards(rng, cases(60, least=4)):
        way = WholeLine(arm, arm.carrier.yaw, start, tuple(target.tolist())).ways[0]
        way.wrist.along_normal = 0.0
        if way.stop(0.5) or way.stop_at(0.5):  # the yaw joint's axis ends it
            continue
        level = way.wrist.level(way.yaw_at(0.5))
        for bound, is_allowed, ends in (
            (level, True, True),
            (math.nextafter(level, 0.0), True, False),
            (math.nextafter(level, 2.0), False, True),
        ):
            way.wrist.along_normal = bound
            stop, stop_at = way.stop(0.5), way.stop_at(0.5)
            assert is_allowed == (stop is None) and ends == (stop_at is not None)
            assert {one.cause for one in (stop, stop_at) if one} <= {Cause.SINGULAR}
        seen += 1
    assert seen
