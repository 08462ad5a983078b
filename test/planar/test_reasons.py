# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The figure of a reason: how far the one joint that is in the way would be past its limit."""

import math
import re
from itertools import combinations

import numpy as np
import pytest
from law_cases import cases
from random_arms import TURN, random_arm

from ik_circles import Code, Floor, PlanarArm
from ik_circles.planar.verdict import Reachability
from ik_circles.reasons import JointLabel, wrong_orientation

ORIENTATIONS = np.linspace(-math.pi, math.pi, 2881)
#: Messages are rounded to a tenth of a degree.
SIDES = 'lower', 'upper'
SCANNED = 0.05  # what a joint may turn between two orientations of the scan [rad]
ROUNDED = math.radians(0.051)


def past_limits(lengths, limits, target):
    """Excess [rad] of each joint (2, 3, N) in both branches of a scan of orientations."""
    l1, l2, l3 = lengths
    wrist = complex(*target) - l3 * np.exp(1j * ORIENTATIONS)
    cosine = (l1**2 + abs(wrist) ** 2 - l2**2) / (2.0 * l1 * abs(wrist))
    at_base = np.arccos(np.where(abs(cosine) <= 1.0, cosine, np.nan))
    excesses = []
    for sign in (1.0, -1.0):
        upper_arm = np.angle(wrist) + sign * at_base
        forearm = np.angle(wrist - l1 * np.exp(1j * upper_arm))
        q = np.array([upper_arm, forearm - upper_arm, ORIENTATIONS - forearm])
        turns = q[..., None] + TURN * np.arange(-2, 3)
        inside = [np.clip(turn, *limit) for turn, limit in zip(turns, limits)]
        excesses.append(np.abs(turns - np.array(inside)).min(axis=-1))
    return np.array(excesses)


@pytest.mark.parametrize('limited', [(0, 1, 2), (0,), (1,), (2,)], ids=str)
def test_no_orientation_needs_less_of_a_single_joint_than_the_reason_says(limited):
    rng = np.random.default_rng(0)
    checked = 0
    while checked < cases(300, 40):
        lengths = rng.uniform(0.1, 1.0, 3)
        limits = [tuple(np.sort(rng.uniform(-2.5, 2.5, 2))) for _ in range(3)]
        limits = [limits[joint] if joint in limited else (-math.pi, math.pi) for joint in range(3)]
        target = rng.uniform(-0.8, 0.8, 2) * lengths.sum()
        answer = PlanarArm(tuple(lengths), limits).check_reachability(*target)
        if answer.code is not Code.JOINT_LIMIT:
            continue
        figures = re.findall(r'(\d) would exceed its \w+ limit by ([\d.]+) deg', answer.message)
        over = past_limits(lengths, limits, target)
        alone = np.where((over > 1e-9).sum(axis=1) == 1, over.max(axis=1), np.inf).min()
        if np.isfinite(alone):
            ((joint, figure),) = figures
            assert int(joint) - 1 in limited
            told = lengths, limits, target, answer.message
            assert math.radians(float(figure)) <= alone + ROUNDED, told
            step = len(limited) == 1  # then an end or a stationary orientation is the least
            assert not step or math.radians(float(figure)) >= alone - SCANNED - ROUNDED, told
            checked += 1


PASSED = re.compile(r'joint (\d) would exceed its (\w+) limit by (?:at most )?([\d.e-]+) deg')


def widened(arm, by):
    """The arm with limits moved outwards: `by` maps (joint, side) to an angle [rad]."""
    limits = [
        None if math.isinf(lower) else
        (lower - by.get((joint, 'lower'), 0.0), upper + by.get((joint, 'upper'), 0.0))
        for joint, (lower, upper) in enumerate(arm.limits)
    ]  # fmt: skip
    return PlanarArm(arm.link_lengths, limits)


def test_moving_the_limits_that_are_named_is_what_it_takes():
    """Awkward arms among them. All joints that are named, by what is said: then it is reached. Not
    with fewer joints, and not with one joint by less."""
    rng, checked, several = np.random.default_rng(4), 0, 0
    while checked < cases(400, least=20):
        arm = random_arm(rng)
        target = rng.uniform(-0.8, 0.8, 2) * arm.max_reach
        answer = arm.check_reachability(*target)
        if answer.code is not Code.JOINT_LIMIT:
            continue
        named = PASSED.findall(answer.message)
        figures = [math.radians(float(figure)) for _, _, figure in named]
        told = arm, target, answer.message
        assert figures == sorted(figures, reverse=True) and figures, told
        moved = {
            (int(joint) - 1, side): figure + ROUNDED
            for (joint, side, _), figure in zip(named, figures)
        }
        assert widened(arm, moved).check_reachability(*target).reachable, told
        less = math.pi if len(named) > 1 else figures[0] - ROUNDED
        for joints in combinations(range(3), max(1, len(named) - 1)):
            fewer = {(joint, side): max(0.0, less) for joint in joints for side in SIDES}
            assert not widened(arm, fewer).check_reachability(*target).reachable, told
        checked, several = checked + 1, several + (len(named) > 1)
    assert several >= cases(40)


@pytest.mark.parametrize('lengths', [(0.0, 1.0, 0.5), (1.0, 0.0, 0.5), (1.0, 1.0, 0.5)], ids=str)
def test_of_joints_that_can_stand_in_for_each_other_one_is_named(lengths):
    """Two joints share an angle of 90 deg, and their limits leave 80 deg."""
    shared = {0.0: (0, 1)}.get(lengths[0], (1, 2) if lengths[1] == 0.0 else (0, 2))
    limits = [(-0.1, 0.1)] * 3
    for joint in shared:
        limits[joint] = (-math.radians(40.0), math.radians(40.0))
    if lengths == (1.0, 1.0, 0.5):  # the wrist on the base
        limits[1] = (3.0, 3.2)
        answer = PlanarArm(lengths, limits).check_reachability(0.0, -0.5)
    elif lengths[0] == 0.0:
        answer = PlanarArm(lengths, limits).check_reachability(0.0, 1.5)
    else:
        answer = PlanarArm(lengths, limits).check_reachability(1.0, 0.5)
    assert answer.code is Code.JOINT_LIMIT
    ((joint, _, figure),) = PASSED.findall(answer.message)
    assert int(joint) - 1 in shared and float(figure) <= 10.0, answer.message


@pytest.mark.parametrize(
    ('target', 'message'),
    [
        ((0.95, 0.0, 0.0), 'too far by 0.050 m: the links reach 0.900 m from joint 1'),
        ((0.85, 0.0, 1.0), 'not with tool orientation 57.3 deg: joint 3 would be 0.061 m'),
        ((0.28, 0.0, 0.0), 'not with tool orientation 0.0 deg: joint 3 would be 0.020 m'),
        ((-0.5, 0.0, None), 'joint 1 would exceed its upper limit by 10.4 deg; the nearest reach'),
    ],
)
def test_sentences(target, message):
    arm = PlanarArm((0.4, 0.3, 0.2), ((0.0, 1.8), (-2.2, 2.2), (-1.0, 1.0)))
    assert arm.check_reachability(*target).message.startswith(message)


def test_a_limit_does_not_explain_the_distance():
    stiff = PlanarArm((1.0, 1.0, 1.0), ((0.0, 0.0),) * 3)
    message = stiff.check_reachability(2.0, 0.0).message
    assert message.endswith('; the nearest reachable point is 1.000 m away')
    above = PlanarArm((1.0, 1.0, 1.0), ((0.0, 0.0),) * 3, floor=Floor(-1.0))
    message = above.check_reachability(2.0, 0.0).message
    assert message.endswith('; a reachable point is 1.000 m away')  # another one may be nearer


def test_two_joints_past_their_limits_are_both_named_the_worse_first():
    """The arm would have to be straight, with joints 1 and 2 at 0."""
    arm = PlanarArm((1.0, 1.0, 1.0), [(0.3, 1.0), (-2.0, -0.5), None])
    assert arm.check_reachability(3.0, 0.0, 0.0).message.startswith(
        'joint 2 would exceed its upper limit by at most 28.6 deg and '
        'joint 1 would exceed its lower limit by at most 17.2 deg; the nearest reachable point is '
    )


def test_only_what_is_50_reaches_away_is_asked_whether_it_is_in_millimeters():
    """An arm of 0.3 m: 200 mm are 200 m. In millimeters 50 reaches are a twentieth of the reach."""
    hint = '; is it in millimeters? give meters'
    arm = PlanarArm((0.1, 0.1, 0.1))
    message = arm.check_reachability(200.0, 100.0).message
    assert message == 'too far by 223.307 m: the links reach 0.300 m from joint 1' + hint
    rng = np.random.default_rng(7)
    for _ in range(cases(200)):
        arm = random_arm(rng)
        reaches, angle = 10.0 ** rng.uniform(0.0, 3.0), rng.uniform(0.0, TURN)
        away = arm.max_reach * (1.0 + reaches)
        answer = arm.check_reachability(away * math.cos(angle), away * math.sin(angle))
        assert answer.code is Code.TOO_FAR
        if not 49.0 < reaches < 50.0:  # limits may cut up to one reach off
            assert (hint in answer.message) == (reaches > 50.0)


def test_above_a_floor_the_wrist_of_a_robot_is_called_by_its_joint():
    """As the case to check by hand of `test_floor_in_plane`."""
    arm = PlanarArm((0.4, 0.3, 0.2), floor=Floor(-0.1))
    labels = JointLabel('a'), JointLabel('b'), JointLabel('c')
    for point, said in (((0.5, 0.0), 'c would be 0.097 m below'), ((0.5, -0.12), 'the tip would')):
        asked = arm.workspace, point, math.radians(80.0), arm.safe_zones
        assert said in Reachability(*asked, labels).message
        assert said.replace('c would', 'the wrist would') in Reachability(*asked).message


def test_a_distance_that_is_no_number_is_said_in_words():
    """Both coordinates are numbers. The hypotenuse is none."""
    arm, far = PlanarArm((0.4, 0.3, 0.2)), (1.7e308, -1.7e308)
    line = arm.straight_line((0.1, 0.5, 0.3), far)
    assert re.search(r' of more than 9\.9e\+299 m \(0\.0 %\): there the elbow', line.message)
    assert arm.check_reachability(*far).message == (
        'too far by more than 9.9e+299 m: the links reach 0.900 m from joint 1; '
        'is it in millimeters? give meters'
    )


@pytest.mark.parametrize('height', [None, -0.2])
def test_an_orientation_of_0_has_the_reasons_of_a_whole_turn(height):
    rng, codes = np.random.default_rng(8), []
    for _ in range(cases(1500)):
        limits = [(-rng.uniform(0.2, 3.0), rng.uniform(0.2, 3.0)) for _ in range(3)]
        floor = None if height is None else Floor(height)
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits, floor)
        place = rng.uniform(-1.0, 1.0, 2) * arm.max_reach
        one, other = (arm.check_reachability(*place, turned) for turned in (0.0, math.tau))
        assert one.code is other.code
        assert one.message == other.message
        assert one.missing_oriented == pytest.approx(other.missing_oriented)
        passed = (answer.passed_limits(answer.wanted_orientation) for answer in (one, other))
        assert [joint.excess for joint in next(passed)] == pytest.approx(
            [joint.excess for joint in next(passed)]
        )
        codes.append(one.code)
    assert Code.ORIENTATION in codes


def test_two_orientations_that_differ_are_said_with_as_many_decimals_as_tell_them_apart():
    rng = np.random.default_rng(91)
    for _ in range(cases(2000)):
        wanted, away = rng.uniform(-3.0, 3.0), 10.0 ** rng.uniform(-11.0, 0.0)
        said = wrong_orientation(wanted, 'why', wanted + away)
        told, works = re.findall(r'-?\d+\.\d+(?= deg)', said)
        assert told != works
        fewer = len(told.partition('.')[2]) - 1
        angles = (round(math.degrees(one), fewer) for one in (wanted, wanted + away))
        assert fewer == 0 or len({*angles}) == 1
    assert wrong_orientation(0.1, 'why', 0.1) == (
        'not with tool orientation 5.7 deg: why; the nearest that works is 5.7 deg'
    )


def test_with_a_straight_elbow_rounding_is_no_reason():
    """A joint that cannot move was named, too: rounding turns a straight elbow by its root."""
    rng, told = np.random.default_rng(92), 0
    for _ in range(cases(2000, least=200)):
        lengths, (q1, q3) = rng.uniform(0.1, 0.6, 3).tolist(), rng.uniform(-2.0, 2.0, 2).tolist()
        past = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.01, 1.0))
        x, y, phi = PlanarArm(lengths).forward_kinematics((q1, 0.0, q3))
        ends = sorted((q3 - past, q3 - past - math.copysign(0.5, past)))
        answer = PlanarArm(lengths, ((q1, q1), (-3.0, 3.0), ends)).check_reachability(x, y, phi)
        assert not answer.reachable
        if answer.code is Code.ORIENTATION:
            told += 1
            ((label, excess),) = answer.passed_limits(phi)
            assert (label.name, excess) == ('joint 3', pytest.approx(past, abs=1e-6))
    assert told
