# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An arm with another last link is the arm that would be made anew."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_arm, random_joints

from ik_circles import PlanarArm
from ik_circles.geometry.angles import wrap
from ik_circles.planar import last_link
from ik_circles.planar.last_link import CarriedPlace, with_last_link


def both(rng):
    """An arm with another last link, now and then of no length, and the same made anew."""
    arm = random_arm(rng)
    length = rng.choice([0.0, rng.uniform(0.0, 1.0) * max(arm.link_lengths), arm.link_lengths[2]])
    shift = float(rng.choice([0.0, rng.uniform(-math.pi, math.pi)]))
    if max(*arm.link_lengths[:2], length) == 0.0:
        return both(rng)
    a, b, (lower, upper) = arm.limits
    limits = a, b, (lower + shift, upper + shift)
    limits = [None if one[0] == -math.inf else one for one in limits]
    return (
        with_last_link(arm, float(length), shift),
        PlanarArm((*arm.link_lengths[:2], float(length)), limits),
    )


def test_it_is_the_arm_made_anew():
    rng, solved = np.random.default_rng(0), 0
    for _ in range(cases(2000)):
        found, anew = both(rng)
        assert found == anew and found.limits == anew.limits
        x, y, phi = anew.forward_kinematics(random_joints(rng, anew))
        own, expected = (one.inverse_kinematics(x, y, phi) for one in (found, anew))
        assert len(own) == len(expected)
        for q, other in zip(own, expected):
            assert q == pytest.approx(other, abs=1e-9)
        solved += len(own)
        intervals, others = (one.orientation_intervals(x, y) for one in (found, anew))
        assert np.shape(intervals) == np.shape(others)
        assert np.abs(np.subtract(intervals, others)).max(initial=0.0) <= 1e-7
        told = found.check_reachability(1.3 * x, 1.3 * y, phi + 1.0)
        assert told.code == anew.check_reachability(1.3 * x, 1.3 * y, phi + 1.0).code
    assert solved > cases(2000)


def test_a_carried_place_is_the_tip_of_another_last_link():
    rng, met, turned, refused = np.random.default_rng(1), 0, 0, 0
    for _ in range(cases(2000, 5)):
        arm = PlanarArm(tuple(rng.uniform(0.1, 0.5, 3)), random_arm(rng).joint_limits)
        length, shift = float(rng.uniform(0.0, 0.5)), float(rng.uniform(-math.pi, math.pi))
        other, place = with_last_link(arm, length, shift), CarriedPlace(arm, length, shift)
        own_x, own_y, phi = other.forward_kinematics(random_joints(rng, other))
        any_phi, outwards = rng.uniform(-math.pi, math.pi, 2).tolist(), float(rng.uniform(0.5, 1.5))
        for wanted, away in ((phi, 1.0), (any_phi[0], 1.0), (any_phi[1], outwards)):
            x, y = away * own_x, away * own_y
            told, found = (
                other.check_reachability(x, y, wanted), place.solutions((x, y), wanted - shift)
            )  # fmt: skip
            met += bool(found)
            if not found:
                nearest = place.nearest((x, y), wanted - shift)
                found, turned = nearest or [], turned + bool(nearest)
                refused += nearest == []
                assert nearest != [] or not told.position_reachable
            for q1, q2, q3 in found:
                at = other.forward_kinematics((q1, q2, q3 + shift))
                assert (at.x, at.y) == pytest.approx((x, y), abs=1e-9)
                away, least = (abs(wrap(one - wanted)) for one in (at.phi, told.nearest.phi))
                assert away == pytest.approx(least, abs=1e-9)
    assert min(met, turned, refused) > cases(200, 5)


def test_of_two_orientations_as_near_it_is_the_one_counter_clockwise():
    """With the last link wanted towards the base, or away from it, both sides are alike."""
    rng, told = np.random.default_rng(2), 0
    for _ in range(cases(2000)):
        length_1, length_2, length = rng.uniform(0.1, 0.5, 3)
        arm, other = (PlanarArm((length_1, length_2, one)) for one in (length, 0.2))
        angle, radius = rng.uniform(-math.pi, math.pi), rng.uniform(0.0, 1.0)
        point = radius * math.cos(angle), radius * math.sin(angle)
        for wanted in (angle, angle + math.pi):
            found = CarriedPlace(other, length, 0.0).nearest(point, wanted) or []
            verdict = arm.check_reachability(*point, wanted)
            if verdict.position_reachable and not verdict.reachable:
                found += [verdict.nearest_joint_positions]
            assert all(wrap(sum(q) - wanted) > 0.0 for q in found)
            told += len(found)
    assert told > cases(600)


def test_where_the_third_joint_is_out_of_reach_the_nearest_orientation_is_known_without_cuts(
    monkeypatch,
):
    """The elbow is straight or folded there; apart from limits, that is the answer."""
    asked, rng, told = [], np.random.default_rng(3), 0
    own = last_link.wrist_cuts
    monkeypatch.setattr(last_link, 'wrist_cuts', lambda *given: asked.append(given) or own(*given))
    for _ in range(cases(2000)):
        length_1, length_2, length_3 = rng.uniform(0.1, 0.5, 3)
        length, shift = rng.uniform(0.1, 0.5), rng.uniform(-math.pi, math.pi)
        arm = PlanarArm((length_1, length_2, length_3))
        other = PlanarArm((length_1, length_2, length))
        x, y, _ = other.forward_kinematics(rng.uniform(-3.0, 3.0, 3))
        wanted = float(rng.uniform(-math.pi, math.pi))
        third = math.hypot(x - length * math.cos(wanted), y - length * math.sin(wanted))
        if abs(length_1 - length_2) <= third <= length_1 + length_2:
            continue
        told += 1
        (q1, q2, q3), *_ = CarriedPlace(arm, length, shift).nearest((x, y), wanted - shift)
        expected = other.check_reachability(x, y, wanted).nearest.phi
        assert abs(wrap(q1 + q2 + q3 + shift - expected)) <= 1e-6
    assert told > cases(400)
    assert not asked
