# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Bad input to the planar arm: each sentence names the value, the rule and the fix."""

import math
import re
import warnings

import numpy as np
import pytest
from law_cases import cases
from random_arms import TURN, random_arm

from ik_circles import IkCirclesError, InvalidArmError, PlanarArm

ARM = PlanarArm((1.0, 1.0, 1.0))
ASK_WITH_POSITIONS = (
    lambda arm, q: arm.forward_kinematics(q),
    lambda arm, q: arm.forward_kinematics(np.array([q])),
    lambda arm, q: arm.solve(0.0, 0.0, seed=q),
    lambda arm, q: arm.solve_batch([(0.0, 0.0)], seed=q),
)


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        (lambda: PlanarArm((1, 1)), '2 link_lengths given; give 3'),
        (lambda: PlanarArm((1, -0.5, 1)), 'length -0.5 m is negative; lengths are at least 0'),
        (lambda: PlanarArm((0, 0, 0)), r'is 0 m; it must be between 1e-12 and 1e\+12 m'),
        (lambda: PlanarArm((1, math.nan, 1)), 'nan.*give finite numbers'),
        (lambda: PlanarArm((1, 1, math.inf)), 'inf.*give finite numbers'),
        (lambda: PlanarArm((1, 1, 1), [None, (1, 0), None]), 'joint 2.*lower 1.0.*0.0 rad; swap'),
        (lambda: PlanarArm((1, 1, 1), [(-1e9, 1e9)] * 3), 'joint 1 are -1e.09 to 1e.09 rad, more'),
        (lambda: ARM.inverse_kinematics('a', 0, 0), "x is 'a'; give a number"),
        (lambda: ARM.inverse_kinematics(0, 0, 1j), 'phi is 1j; give a number'),
        (lambda: ARM.inverse_kinematics(0, 0, math.inf), 'phi is inf; it must be a finite number'),
        (lambda: ARM.inverse_kinematics(9, 9, None), 'phi is None; give a number'),
        (lambda: ARM.check_reachability(0, None), 'y is None; give a number'),
        (lambda: ARM.check_reachability(0, 0, [1]), r'phi is \[1\]; give a number'),
        (lambda: ARM.solve(1, 1, seed={'a': 1}), "the seed is {'a': 1}; give a sequence"),
        (lambda: ARM.solve(1, 1, orientation_tolerance='a'), "tolerance is 'a' rad; it must be a"),
        (lambda: ARM.solve(1, 1, redundancy='any'), "redundancy is 'any'; choose one of keep_or"),
        (lambda: ARM.solve(1, 1, redundancy='z_form', z_form_k=2), 'z_form_k is 2.0; it is a s'),
        (lambda: ARM.solve_batch([(1, 1)], seed='abc'), 'seeds are not all numbers; give .3,'),
        (lambda: ARM.inverse_kinematics(math.nan, 0, 0), 'x is nan; it must be a finite number'),
        (lambda: ARM.check_reachability(0, math.inf), 'y is inf; it must be a finite number'),
        (lambda: ARM.orientation_intervals(0, -math.inf), 'y is -inf; it must be a finite number'),
        (lambda: ARM.solve(0, 0, math.nan), 'phi is nan; it must be a finite number'),
        (lambda: ARM.solve(1, 1, seed=(0, 0)), 'the seed has 2 numbers; give 3'),
        (lambda: ARM.solve(1, 1, branch='left'), "branch is 'left'; choose .*nearest, elbow_up"),
        (lambda: ARM.solve(1, 1, orientation_mode='any'), "'any'; choose one of fixed, preferred"),
        (lambda: ARM.forward_kinematics((1, 2)), r'shape \(2,\); give \(3,\) or \(N, 3\)'),
    ],
)
def test_bad_input_names_the_value_the_rule_and_the_fix(make, message):
    with pytest.raises(IkCirclesError) as raised:
        make()
    assert re.search(message, str(raised.value))


DEGREES = [(-90.0, 90.0), (-180.0, 180.0), (0.0, 45.0), (170.0, 180.0), (-90.0, -80.0)]


@pytest.mark.parametrize('limits', DEGREES, ids=str)
@pytest.mark.parametrize('joint', [0, 1, 2])
def test_limits_in_degrees_are_refused(joint, limits):
    """Three joints of -90 to 90 rad have 47,096 solutions of a pose, which took 25 s."""
    three = [None, None, None]
    three[joint] = limits
    with pytest.raises(InvalidArmError, match=f'joint {joint + 1} are .* in degrees.*None'):
        PlanarArm((1, 1, 1), three)


def test_limits_of_five_turns_are_taken():
    five = 5.0 * math.pi
    arm = PlanarArm((1, 1, 1), [(-five, five), (0.0, 2.0 * five), None])
    assert len(arm.inverse_kinematics(1.0, 1.0, 0.5)) == 2 * 5 * 5


@pytest.mark.parametrize('phi', [90.0, -45.0, 10.0 * math.pi + 1e-6])
def test_an_orientation_in_degrees_is_refused_by_every_question(phi):
    """The message has the angle as radians: 90 deg are 1.5708 rad."""
    for ask in (
        lambda: ARM.inverse_kinematics(1.0, 1.0, phi),
        lambda: ARM.check_reachability(1.0, 1.0, phi),
        lambda: ARM.solve(1.0, 1.0, phi),
        lambda: ARM.check_reachability_batch([(1.0, 1.0, 0.0), (1.0, 1.0, phi)]),
        lambda: ARM.solve_batch([(1.0, 1.0, phi)]),
    ):
        with pytest.raises(InvalidArmError, match=f'degrees.*deg are {math.radians(phi):.6g} rad'):
            ask()


def test_a_seed_in_degrees_is_refused_for_joints_with_limits_only():
    """A continuous joint may have wound up any number of turns."""
    arm = PlanarArm((1, 1, 1), [None, (-2.0, 2.0), None])
    target = arm.forward_kinematics((0.3, 0.5, 0.7))
    wound_up = 0.3 + 40.0 * math.pi, 0.5, 0.7 - 200.0 * math.pi
    assert arm.solve(*target, seed=wound_up) == pytest.approx(wound_up, abs=1e-9)
    assert arm.solve_batch([target], seed=wound_up)[0] == pytest.approx(wound_up, abs=1e-9)
    for ask in (
        lambda seed: arm.solve(*target, seed=seed),
        lambda seed: arm.inverse_kinematics(*target, seed=seed),
        lambda seed: arm.solve_batch([target], seed=seed),
        lambda seed: arm.solve_batch([target] * 2, seed=[(0.0, 0.0, 0.0), seed]),
    ):
        with pytest.raises(InvalidArmError, match=r'the seed of joint 2.* is 45 rad, .*degrees'):
            ask((90.0, 45.0, -90.0))


def test_joint_positions_in_degrees_are_asked_about():
    """By hand: 45 rad, where the limit is 2.2 rad. Any turn of a continuous joint is sound."""
    arm = PlanarArm((0.4, 0.3, 0.2), [None, (-2.2, 2.2), (3.0, 7.0)])
    assert arm.forward_kinematics((900.0, 8.4, -6.2)).phi == pytest.approx(
        math.remainder(902.2, TURN), abs=1e-12
    )
    for q, joint in (((0.0, 45.0, 3.0), 2), ((0.0, -8.6, 3.0), 2), ((0.0, 0.0, -6.3), 3)):
        for given in (q, list(q), np.array(q), np.array([(0.0, 0.0, 0.0), q])):
            with pytest.raises(InvalidArmError, match=rf'joint {joint}.* is it in degrees\?'):
                arm.forward_kinematics(given)


def test_a_joint_position_is_asked_about_if_it_is_a_turn_past_its_limits_and_from_0():
    rng = np.random.default_rng(0)
    asked = 0
    for _ in range(cases(2000, least=33)):
        arm = random_arm(rng)
        q = tuple(rng.uniform(-12.0, 12.0, 3).tolist())
        past = max(
            max(min(lower, 0.0) - one, one - max(upper, 0.0)) for one, (lower, upper) in
            zip(q, arm.limits)
        )
        asked += past > TURN
        for ask in ASK_WITH_POSITIONS:
            if past <= TURN:
                ask(arm, q)
                continue
            with pytest.raises(InvalidArmError, match='more than a turn past its limit of'):
                ask(arm, q)
    assert asked >= 20


def test_joint_positions_one_by_one_or_none():
    for given, said in (
        ((0, 0.5, 0), 'takes joint positions as one argument, and 3 numbers are given; give '
                      'forward_kinematics((0, 0.5, 0))'),
        ((ARM.solve(9.0, 9.0),), 'are None, which solve gives if there is no solution'),
    ):  # fmt: skip
        with pytest.raises(InvalidArmError, match=re.escape(said)):
            ARM.forward_kinematics(*given)


@pytest.mark.parametrize('q', [(0.1, 0.2), (0.1, 0.2, 0.3, 0.4)])
def test_the_joints_of_another_number_of_positions_are_nowhere(q):
    with pytest.raises(InvalidArmError, match=r'^q is \(0.1, 0.2.*; give \(a finite'):
        ARM.joint_points(q)


def test_lengths_in_millimeters_are_asked_about():
    with pytest.warns(UserWarning, match=r'^links of 400, 300, 200 m: are they in millimeters\?'):
        arm = PlanarArm((400, 300, 200))
    assert len(arm.inverse_kinematics(600, 200, 0.5)) == 2     # consistent, so it is answered
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        PlanarArm((40, 30, 30))


def test_the_warning_names_the_line_that_made_the_arm():
    with pytest.warns(UserWarning) as said:
        PlanarArm((400, 300, 200))
    assert said[0].filename == __file__
