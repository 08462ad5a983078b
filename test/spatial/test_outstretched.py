# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Outstretched wrists, and those with the tip at a distance off the plane: by a dense search."""

import math

import numpy as np
from law_cases import cases
from wrist_robots import random_robots

from ik_circles.geometry.angles import stops
from ik_circles.spatial.poses.outstretched import STILL, Outstretched
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain

CLOSES = 1e-9  # [m]
ANGLES = np.linspace(-math.pi, math.pi, 400)
STEP = math.tau / 399


def test_with_the_first_joint_on_a_limit_every_angle_of_the_last_one_is_found():
    rng, seen = np.random.default_rng(0), 0
    for robot in random_robots(rng, cases(400, least=10), each=1, kinds=[(True, 2), (False, 2)]):
        stretch = robot.arm.whole.stretch
        for first in stops(stretch.limits[0]):
            heights = np.array([stretch.wrist.tip((first, angle))[2] for angle in ANGLES])
            off = float(rng.uniform(heights.min(), heights.max()))
            found = [*stretch.with_tip_off(off)]
            for wrist in found:
                assert abs(stretch.wrist.tip(wrist)[2] - off) <= CLOSES
                pairs = zip(wrist, stretch.limits)
                assert all(lower <= angle <= upper for angle, (lower, upper) in pairs)
            lower, upper = stretch.limits[1]
            some = [last for one, last in found if one == first]
            for angle in ANGLES[:-1][np.diff(heights > off)]:
                turns = angle + math.tau * np.arange(-3, 4)
                if ((lower <= turns) & (turns + STEP <= upper)).any():
                    away = (abs(math.remainder(one - angle, math.tau)) for one in some)
                    assert min(away, default=math.inf) <= 2.0 * STEP
                    seen += 1
    assert seen


def reach(stretch, wrist, off):
    """How far the tip gets from where the plane is `off` the yaw axis, with the links before the
    wrist stretched [m]."""
    x, y, z = stretch.wrist.tip(wrist)
    return math.hypot(stretch.links + math.dist((x, y), stretch.third[:2]), off - z)


def test_no_angle_of_the_first_joint_gets_the_tip_farther_from_where_the_plane_passes_the_axis():
    """With the last joint where one of the wrists has it."""
    rng = np.random.default_rng(1)
    for robot in random_robots(rng, cases(400), each=1):
        stretch, off = robot.arm.whole.stretch, float(rng.uniform(-0.2, 0.2))
        found, (lower, upper) = stretch.wrists(off), stretch.limits[0]
        best = max(reach(stretch, one, off) for one in found)
        lower = max(lower, -math.pi)
        for angle in np.linspace(lower, min(upper, lower + math.tau), 90):
            for last in {one[1:] for one in found}:
                assert reach(stretch, (angle, *last), off) <= best + CLOSES


def test_the_last_joint_turns_on_the_tip_if_that_is_on_its_axis_up_to_what_counts_as_still():
    """The first joint turns about x, the last about y; the tip is somewhere along y, and beside."""
    hinges = Hinge((1.0, 0.0, 0.0), (0.0,) * 3, 0.0), Hinge((0.0, 1.0, 0.0), (0.0,) * 3, 0.0)
    for off, is_still in ((0.0, True), (STILL, True), (math.nextafter(STILL, 1.0), False)):
        for tip in ((off, 0.3, 0.0), (-off, 0.3, 0.0), (0.0, -0.2, off)):
            two = Outstretched(HingeChain(hinges, tip), [(-1.0, 1.0)] * 2, (-0.1, 0.0, 0.0), 0.5)
            assert two.turns_on_tip == is_still
    one = Outstretched(HingeChain(hinges[:1], (0.1, 0.0, 0.0)), [(-1.0, 1.0)], (0.0,) * 3, 0.5)
    assert not one.turns_on_tip
