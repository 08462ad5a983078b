# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A jog stays above the floor, slides along it, and rises from below it."""

import numpy as np
import pytest
from law_cases import cases
from moving_arms import beside_a_floor, height
from test_jogging import BENT, LONG, SETTINGS, SO101, Jogged

from ik_circles.control.floor import GRAZE
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.reasons import Code


def test_it_slides_along_the_floor_and_rises():
    arm = SO101.above(-0.06)
    jogged = Jogged(arm, BENT, period=LONG)
    jogged.steps(0.8, (0.0, 0.0, -0.1))
    low = jogged.tip()[:3, 3]
    assert low[2] == pytest.approx(-0.06, abs=1e-3)
    jogged.steps(1.0, (0.0, 0.05, -0.05))
    slid = jogged.tip()[:3, 3]
    assert slid[1] - low[1] > 0.02
    jogged.steps(1.0, (0.0, 0.0, 0.05))
    assert jogged.tip()[2, 3] - slid[2] > 0.03
    jogged.comes_to_rest()


@pytest.mark.parametrize('depth', [1e-3, 0.1])
@pytest.mark.parametrize('settings', (SETTINGS, Settings(orientation_mode='free')))
def test_an_arm_below_the_floor_rises_and_then_stays_above_it(settings, depth):
    """Every step checks that it sinks no lower. Joints that were solved for above would jump."""
    arm = SO101.above(height(SO101, BENT) + depth)
    jogged = Jogged(arm, BENT, settings=settings, period=LONG)
    start = jogged.tip()[2, 3]
    jogged.steps(0.4, (0.0, 0.0, -0.1))
    assert set(jogged.told) == {Code.FLOOR} and jogged.tip()[2, 3] == start
    jogged.steps(depth / 0.1 + 0.5, (0.0, 0.0, 0.1))
    assert Code.JUMP not in jogged.told
    assert height(arm, jogged.jogging.state(jogged.now).positions) > arm.floor + 0.01
    jogged.steps(1.0, (0.0, 0.0, -0.1))
    assert height(arm, jogged.jogging.state(jogged.now).positions) >= arm.floor - GRAZE
    jogged.comes_to_rest()


@pytest.mark.parametrize('seed', range(cases(20)))
def test_long_steps_stay_above_the_floor(seed):
    """Law: a step that a busy machine makes ten times as long is known before it is made."""
    random = np.random.default_rng(seed)
    jogged = Jogged(SO101.above(-0.06), BENT)
    while jogged.now < 1.5:
        jogged.hear((0.0, 0.03 * random.normal(), -0.1))
        jogged.step(float(random.choice([0.01, 0.02, 0.05, 0.1])))


def test_a_jog_that_begins_in_motion_beside_the_floor():
    """Law: it stays above it, or begins later: then the motion before it stops above it."""
    begun = refused = 0
    for _, random, arm, playing, moment in beside_a_floor(cases(1500, 300, least=5)):
        try:
            jogged = Jogged(arm, *playing.state(moment)[:2])
        except Refusal as error:
            assert error.code is Code.FLOOR
            refused += 1
            continue
        begun += 1
        way = random.normal(size=3) * random.choice([0.02, 0.1, 0.5])
        jogged.steps(random.uniform(0.0, 0.08), (way[0], way[1], -abs(way[2])))
        if random.random() < 0.5:
            jogged.jogging.stop()
        jogged.comes_to_rest()
    assert begun > 0 < refused
