"""Nearest point, outline, area and margin; dense sampling of joints decides."""

import cmath
import math

import numpy as np
import pytest
from random_arms import TURN, inside, random_arm, random_joints, ranges, tip, turn_between

from ik_circles import Code, PlanarArm

CLOSURE = 1e-12  # of the arm's reach
SIDESTEP = 1e-10  # of the arm's reach: well above rounding, below the width of slivers
ROUNDING = 1e-12  # [m], of arms of a metre or so


def sampled_tips(arm, rng, count):
    """Tips at joint positions inside the limits, a good share of them on limits."""
    lower, upper = ranges(arm).T
    joints = lower + (upper - lower) * rng.uniform(-0.2, 1.2, (count, 3)).clip(0.0, 1.0)
    return np.exp(1j * np.cumsum(joints, axis=1)) @ np.array(arm.link_lengths)


def test_nearest_is_reachable_and_no_farther_than_any_sample():
    rng = np.random.default_rng(0)
    unreachable = 0
    for _ in range(1500):
        arm = random_arm(rng)
        rounding = CLOSURE * arm.max_reach
        target = complex(*rng.uniform(-1.2, 1.2, 2)) * arm.max_reach
        phi = None if rng.integers(2) else rng.uniform(-7.0, 7.0)
        answer = arm.check_reachability(target.real, target.imag, phi)
        place = complex(*answer.nearest[:2])
        reached, orientation = tip(arm, answer.nearest_joint_positions)
        assert inside(arm, answer.nearest_joint_positions)
        assert abs(reached - place) <= rounding
        assert turn_between(orientation, answer.nearest.phi) <= CLOSURE
        assert arm.check_reachability(*answer.nearest).code is Code.OK, (arm, target, phi)
        away = abs(place - target)
        sampled = np.abs(sampled_tips(arm, rng, 2000) - target).min()
        assert away <= sampled + rounding, (arm, target)
        # verdict, code, intervals, solutions and nearest tell the same
        assert answer.reachable == (answer.code is Code.OK) == bool(answer.solutions)
        assert bool(answer.orientation_intervals) == (answer.code in (Code.OK, Code.ORIENTATION))
        assert answer.reachable or answer.nearest.phi != phi
        if not answer.orientation_intervals:
            unreachable += 1
            assert away > 0.0
            assert answer.margin == pytest.approx(-away, rel=1e-12)
        else:
            assert away == 0.0
    assert unreachable > 700


def has_point(arm, point):
    return bool(arm.orientation_intervals(*point))


def test_outline_has_the_workspace_on_one_side_and_encloses_the_area():
    rng = np.random.default_rng(0)
    divided = 0
    for _ in range(60):
        arm = random_arm(rng)
        reach = arm.max_reach
        outline = arm.workspace_boundary()
        is_area = min(arm.link_lengths) > 0.0 and np.diff(ranges(arm)).min() > 0.0
        for arc in outline.arcs:
            if arc.radius * arc.sweep > 1e-5 * reach:
                middle = arc.start + rng.uniform(0.1, 0.9) * arc.sweep
                inner, outer = (
                    has_point(arm, arc._replace(radius=arc.radius + step).point_at(middle))
                    for step in (-SIDESTEP * reach, SIDESTEP * reach)
                )
                assert not (inner and outer), (arm, arc)
                assert inner or outer or not is_area, (arm, arc)
                divided += inner or outer
        share = np.mean([has_point(arm, point) for point in rng.uniform(-reach, reach, (500, 2))])
        expected = outline.area / (2.0 * reach) ** 2
        deviation = math.sqrt(max(expected * (1.0 - expected), 1e-3) / 500.0)
        assert abs(share - expected) <= 4.0 * deviation, arm
    assert divided > 100


def test_margin_inside_is_the_radius_of_the_largest_reachable_disc():
    rng = np.random.default_rng(0)
    around = np.exp(1j * np.linspace(0.0, TURN, 90))
    for _ in range(40):
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), [(-2.0, 1.5), (-2.5, 2.0), (-1.0, 2.5)])
        for _ in range(5):
            position, _ = tip(arm, random_joints(rng, arm))
            margin = arm.check_reachability(position.real, position.imag).margin
            assert margin >= 0.0
            for point in position + 0.999 * margin * around:
                assert has_point(arm, (point.real, point.imag))
            along = [
                arc.point_at(angle)
                for arc in arm.workspace_boundary().arcs
                for angle in np.linspace(arc.start, arc.end, 500)
            ]
            nearest = min(abs(complex(*point) - position) for point in along)
            assert margin <= nearest + ROUNDING <= margin + 0.02


def test_by_hand():
    ring = PlanarArm((1.0, 0.4, 0.2))
    assert ring.max_reach == pytest.approx(1.6, abs=1e-15)
    assert ring.min_reach == pytest.approx(0.4, abs=1e-15)
    outline = ring.workspace_boundary()
    assert outline.area == pytest.approx(math.pi * (1.6**2 - 0.4**2), abs=1e-13)
    assert sorted(arc.radius for arc in outline.arcs) == pytest.approx([0.4, 1.6], abs=1e-15)
    for distance, code, margin in [
        (0.1, Code.TOO_CLOSE, -0.3), (0.5, Code.OK, 0.1), (1.3, Code.OK, 0.3),
        (2.0, Code.TOO_FAR, -0.4),
    ]:
        answer = ring.check_reachability(0.0, distance)
        assert (answer.code, answer.margin) == (code, pytest.approx(margin, abs=1e-15))
    message = ring.check_reachability(0.0, 2.0).message
    assert message == 'too far by 0.400 m: the links reach 1.600 m from joint 1'
    quarter = PlanarArm((1.0, 1.0, 1.0), [(0.0, math.pi / 2.0), (0.0, 0.0), (0.0, 0.0)])
    answer = quarter.check_reachability(0.0, -3.0)
    assert answer.code is Code.JOINT_LIMIT
    assert answer.message.startswith('joint 1 would exceed its lower limit by 90.0 deg')
    assert answer.nearest == pytest.approx((3.0, 0.0, 0.0), abs=1e-15)
    assert answer.margin == pytest.approx(-math.sqrt(18.0), abs=1e-15)
    assert quarter.workspace_boundary().area == 0.0
    position = 2.0 + cmath.exp(0.5j)
    bent = PlanarArm((1.0, 1.0, 1.0), [(0.0, 0.0), (0.0, 0.0), (-1.0, 1.0)])
    (only,) = bent.orientation_intervals(position.real, position.imag)
    assert only == pytest.approx((0.5, 0.5), abs=1e-13)


def test_the_reason_names_the_joint_that_passes_its_limit_least():
    arm = PlanarArm((1.0, 1.0, 0.0), ((-0.1, 0.1), (-2.0, 2.0), None))
    left = arm.check_reachability(0.0, 2.0)  # only straight up, which turns joint 1 by 90 deg
    assert left.code is Code.JOINT_LIMIT
    over = 90.0 - math.degrees(0.1)
    assert left.message.startswith(f'joint 1 would exceed its upper limit by {over:.1f} deg; ')


@pytest.mark.parametrize('away', [1e2, 1e4, 1e9, 1e15, 4e15, 1e16, 1e100, 1e300])
def test_the_nearest_point_to_a_target_far_away_is_straight_towards_it(away):
    arm = PlanarArm((0.4, 0.3, 0.2), ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))
    answer = arm.check_reachability(away, away)
    straight = 0.9 * math.sqrt(0.5), 0.9 * math.sqrt(0.5), math.pi / 4.0
    assert answer.nearest == pytest.approx(straight, abs=1e-12)
    assert arm.check_reachability_batch([[away, away]]).nearest[0] == pytest.approx(straight)
