# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Turning, scaling and mirroring an arm and its target does the same to every answer."""

import cmath
import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import joint_difference, random_arm, random_joints, tip

from ik_circles import PlanarArm
from ik_circles.planar.redundancy import REDUNDANCIES

ARMS = cases(1_200)
CLEAR = 1e-4  # [rad] from limits and from a straight elbow, so that rounding decides nothing
SAME = 1e-9  # [rad], and of the arm's reach


def targets(rng, arm):
    for _ in range(2):
        point, phi = tip(arm, random_joints(rng, arm))
        yield point, phi
    for _ in range(2):
        yield complex(*rng.uniform(-1.1, 1.1, 2)) * arm.max_reach, rng.uniform(-4.0, 4.0)


def turned(arm, angle):
    first, *others = arm.joint_limits
    first = None if first is None else (first[0] + angle, first[1] + angle)
    return PlanarArm(arm.link_lengths, (first, *others))


def mirrored(arm):
    limits = [None if one is None else (-one[1], -one[0]) for one in arm.joint_limits]
    return PlanarArm(arm.link_lengths, limits)


def is_clear(arm, solutions):
    """Whether no solution is so near to a limit or a straight elbow that rounding decides."""
    return all(
        abs(math.sin(q[1])) > CLEAR
        and all(
            min(abs(angle - lower), abs(upper - angle)) > CLEAR or lower == upper
            for angle, (lower, upper) in zip(q, arm.limits)
        )
        for q in solutions
    )


def assert_same_solutions(arm, expected, found, told):
    assert len(found) == len(expected), told
    for q in expected:
        assert min(joint_difference(arm, q, other) for other in found) < SAME, told


def test_scaling_by_a_power_of_two_scales_every_answer_to_the_last_bit():
    rng = np.random.default_rng(0)
    for _ in range(ARMS):
        arm = random_arm(rng)
        factor = 2.0 ** rng.integers(-15, 15)
        scaled = PlanarArm(tuple(factor * length for length in arm.link_lengths), arm.joint_limits)
        for point, phi in targets(rng, arm):
            told = f'{arm!r}, {point!r}, {phi!r}, {factor}'
            x, y = factor * point.real, factor * point.imag
            answer = arm.check_reachability(point.real, point.imag, phi)
            after = scaled.check_reachability(x, y, phi)
            assert after.code is answer.code, told
            assert after.orientation_intervals == answer.orientation_intervals, told
            assert after.solutions == answer.solutions, told
            assert after.nearest_joint_positions == answer.nearest_joint_positions, told
            near = answer.nearest
            assert after.nearest == (factor * near.x, factor * near.y, near.phi), told
            found = arm.inverse_kinematics(point.real, point.imag, phi)
            assert scaled.inverse_kinematics(x, y, phi) == found, told


def test_scaling_by_a_power_of_two_changes_no_choice_no_batch_and_no_line():
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        arm, factor = random_arm(rng), 2.0 ** rng.choice([-15, -8, 8, 15])
        scaled = PlanarArm(tuple(factor * length for length in arm.link_lengths), arm.joint_limits)
        seed, place = random_joints(rng, arm), np.array(tip(arm, random_joints(rng, arm))[:1])
        x, y, phi = place.real[0], place.imag[0], rng.uniform(-3.0, 3.0)
        for choice in REDUNDANCIES:
            found = arm.solve(x, y, redundancy=choice)
            assert scaled.solve(factor * x, factor * y, redundancy=choice) == found, (arm, x, y)
        near = arm.solve(x, y, phi, seed=seed)
        assert scaled.solve(factor * x, factor * y, phi, seed=seed) == near
        far = arm.max_reach * 10.0 ** rng.uniform(0.0, 9.0)
        others = np.array([arm.max_reach, far]) * (rng.uniform(-1.0, 1.0, (2, 2)) @ (1.0, 1.0j))
        given = np.concatenate((place, others))
        points, phis = np.column_stack((given.real, given.imag)), np.array([phi, 0.5, 1.0])
        one, other = arm.check_reachability_batch(points), scaled.check_reachability_batch(
            factor * points
        )  # fmt: skip
        assert one.code.tolist() == other.code.tolist()
        assert np.array_equal(factor * one.margin, other.margin)
        assert np.array_equal(one.nearest_joint_positions, other.nearest_joint_positions)
        for columns in ((points,), (points, phis)):
            targets = np.column_stack(columns)
            larger = np.column_stack((factor * points, *columns[1:]))
            for given in ({}, {'seed': seed}, {'branch': 'elbow_up'}):
                answers = arm.solve_batch(targets, **given), scaled.solve_batch(larger, **given)
                assert np.array_equal(*answers, equal_nan=True)
        for end in points:
            line = arm.straight_line(seed, tuple(end))
            larger = scaled.straight_line(seed, tuple(factor * end))
            assert larger.share == pytest.approx(line.share, abs=1e-9)
            assert larger.code == line.code


@pytest.mark.parametrize('mirror', [False, True], ids=['turned', 'mirrored'])
def test_turning_and_mirroring(mirror):
    rng = np.random.default_rng(0)
    compared = 0
    for _ in range(ARMS):
        arm = random_arm(rng)
        angle = 0.0 if mirror else rng.uniform(-3.0, 3.0)
        sign = -1.0 if mirror else 1.0
        other = mirrored(arm) if mirror else turned(arm, angle)
        for point, phi in targets(rng, arm):
            told = f'{arm!r}, ({point.real!r}, {point.imag!r}, {phi!r}), turned by {angle}'
            moved = point.conjugate() if mirror else point * cmath.exp(1j * angle)
            answer = arm.check_reachability(point.real, point.imag)
            after = other.check_reachability(moved.real, moved.imag)
            away = abs(complex(*answer.nearest[:2]) - point)
            away_after = abs(complex(*after.nearest[:2]) - moved)
            assert away_after == pytest.approx(away, abs=1e-12 * arm.max_reach), told
            if away > SAME * arm.max_reach:
                assert after.code is answer.code, told
            widths = (
                sum(upper - lower for lower, upper in one.orientation_intervals)
                for one in (answer, after)
            )
            assert next(widths) == pytest.approx(next(widths), abs=1e-4), told
            expected = arm.inverse_kinematics(point.real, point.imag, phi)
            found = other.inverse_kinematics(moved.real, moved.imag, sign * phi + angle)
            if expected and is_clear(arm, expected) and is_clear(other, found):
                images = [(sign * q[0] + angle, sign * q[1], sign * q[2]) for q in expected]
                if min(arm.link_lengths[:2]) > 1e-6 * arm.max_reach:
                    assert_same_solutions(other, images, found, told)
                    compared += 1
    assert compared > cases(300, 40)


def test_area_and_margin_turn_scale_and_mirror():
    rng = np.random.default_rng(0)
    for _ in range(cases(50)):
        arm = random_arm(rng)
        reach, outline = arm.max_reach, arm.workspace_boundary()
        larger = PlanarArm(tuple(8.0 * one for one in arm.link_lengths), arm.joint_limits)
        assert larger.workspace_boundary().area == 64.0 * outline.area, arm
        point, _ = tip(arm, random_joints(rng, arm))
        margin = arm.check_reachability(point.real, point.imag).margin
        assert larger.check_reachability(8.0 * point.real, 8.0 * point.imag).margin == 8.0 * margin
        for other, moved in (
            (mirrored(arm), point.conjugate()), (turned(arm, 1.0), point * cmath.exp(1j)),
        ):
            area = other.workspace_boundary().area
            assert area == pytest.approx(outline.area, abs=1e-9 * reach**2), arm
            after = other.check_reachability(moved.real, moved.imag).margin
            assert after == pytest.approx(margin, abs=1e-9 * reach), arm
