# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two bones in space: the three cases of the source, and its gaps."""

import math

import pytest

from ik_circles.limbs import BoneLimits, place_bones
from ik_circles.limbs.space import rotated, rotation_between

HIP, KNEE, FOOT = (0.0, 0.0, 0.0), (0.0, 0.0, -2.0), (0.0, 0.1, -3.0)
LOWER = math.hypot(0.1, 1.0)


def test_too_far_stretches_both_bones_towards_the_target():
    placed = place_bones(HIP, KNEE, FOOT, (9.0, 0.0, 0.0))
    assert placed.outcome == 'too_far'
    assert placed.knee == pytest.approx((2.0, 0.0, 0.0))
    assert placed.foot == pytest.approx((2.0 + LOWER, 0.0, 0.0))
    assert placed.miss == pytest.approx(7.0 - LOWER)


def test_too_near_points_the_longer_bone_towards_the_target():
    placed = place_bones(HIP, KNEE, FOOT, (0.5, 0.0, 0.0))
    assert placed.outcome == 'too_near'
    assert placed.knee == pytest.approx((2.0, 0.0, 0.0))
    assert placed.foot == pytest.approx((2.0 - LOWER, 0.0, 0.0))
    longer_lower = place_bones(HIP, (0.0, 0.0, -1.0), (0.0, 0.0, -3.0), (0.5, 0.0, 0.0))
    assert longer_lower.knee == pytest.approx((-1.0, 0.0, 0.0))
    assert longer_lower.foot == pytest.approx((1.0, 0.0, 0.0))


def test_reachable_keeps_the_knee_in_its_plane():
    placed = place_bones(HIP, (0.0, 0.6, -0.8), (0.0, 0.0, -1.6), (0.0, 0.0, -1.0))
    assert placed.outcome == 'reached'
    assert placed.knee == pytest.approx((0.0, math.sqrt(0.75), -0.5))


def test_target_on_the_hip_leaves_the_knee_where_it_is():
    placed = place_bones(HIP, KNEE, FOOT, HIP)
    assert placed.outcome == 'too_near'
    assert placed.knee == pytest.approx(KNEE, abs=1e-12)
    equal = place_bones(HIP, (0.0, 1.0, 0.0), (0.0, 1.0, 1.0), HIP)
    assert equal.outcome == 'reached' and equal.miss == 0.0
    assert equal.knee == (0.0, 1.0, 0.0)
    held = place_bones(HIP, KNEE, FOOT, HIP, limits=BoneLimits((0.2, 2.0)))
    assert held.knee == pytest.approx(KNEE, abs=1e-12)


def test_knee_on_the_line_to_the_target_bends_to_the_pole_or_somewhere():
    straight = HIP, (0.0, 0.0, -1.0), (0.0, 0.0, -2.0), (0.0, 0.0, -1.0)
    anywhere = place_bones(*straight)
    assert math.hypot(*anywhere.knee[:2]) == pytest.approx(math.sqrt(0.75))
    assert anywhere == place_bones(*straight)
    assert place_bones(*straight, pole=(0.0, 5.0, 5.0)).knee == pytest.approx(
        (0.0, math.sqrt(0.75), -0.5)
    )
    assert place_bones(*straight, pole=(0.0, 0.0, 5.0)).outcome == 'reached'
    assert place_bones(*straight, pole=(0.0, 0.0, 0.0)).outcome == 'reached'


def test_opposite_directions_are_half_a_turn():
    placed = place_bones(HIP, (0.0, 0.0, -1.0), (0.0, 0.0, -2.0), (0.0, 0.0, 2.0))
    assert placed.hip_rotation[0] == pytest.approx(0.0, abs=1e-15)
    assert rotated(placed.hip_rotation, (0.0, 0.0, -1.0)) == pytest.approx((0.0, 0.0, 1.0))
    assert placed.knee_rotation == pytest.approx((1.0, 0.0, 0.0, 0.0))
    about = rotation_between((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (1.0, 3.0, 0.0))
    assert about == pytest.approx((0.0, 0.0, 1.0, 0.0))


def test_bones_that_are_right_are_not_turned():
    placed = place_bones(HIP, KNEE, FOOT, FOOT)
    assert placed.knee == pytest.approx(KNEE, abs=1e-14)
    assert placed.hip_rotation == pytest.approx((1.0, 0.0, 0.0, 0.0), abs=1e-12)
    assert placed.knee_rotation == pytest.approx((1.0, 0.0, 0.0, 0.0), abs=1e-12)


def test_a_knee_that_cannot_straighten_shortens_the_reach():
    limits = BoneLimits((math.pi / 2.0, math.pi))
    placed = place_bones(HIP, (0.0, 0.0, -1.0), (0.0, 0.0, -2.0), (0.0, 0.0, -2.0), limits=limits)
    assert placed.outcome == 'too_far'
    assert placed.foot == pytest.approx((0.0, 0.0, -math.sqrt(2.0)))


def test_a_hip_cone_of_no_width_leaves_the_knee_alone():
    limits = BoneLimits(hip_axis=(0.0, 0.0, -1.0), hip_angle=0.0)
    placed = place_bones(HIP, (0.0, 0.0, -1.0), (0.0, 0.0, -2.0), (3.0, 0.0, -1.0), limits=limits)
    assert placed.outcome == 'hip_limit'
    assert placed.knee == pytest.approx((0.0, 0.0, -1.0))
    assert placed.foot == pytest.approx((1.0, 0.0, -1.0))
