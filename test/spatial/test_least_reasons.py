# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Behind a yaw joint, the reason is the least over both shoulders: fewest joints, least figure."""

import math
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from law_cases import cases
from robot_texts import X_AXIS, Z_AXIS, joint, robot
from spatial_arms import (
    FREE,
    LINKS,
    checked,
    limits_of,
    random_arm,
    rotation_by,
    somewhere,
    spatial_arm,
    yaw_joint,
)
from three_joints import shipped_text
from tilted_robots import TiltedRobot, leaned
from wrist_robots import pose_of, random_robots, singular, without_limits

from ik_circles import PlanarArm, load_arm
from ik_circles.reasons import Code

PASSED = re.compile(r'(the yaw joint|joint \d) would exceed its (\w+) limit by (?:at most )?(\S+) ')
WHOLE = re.compile(r'(\S+) would exceed its (?:lower|upper) limit by (?:at most )?(\S+) deg')
NAMES = ('the yaw joint', 'joint 1', 'joint 2', 'joint 3')
SIDES = ('lower', 'upper')
#: Messages are rounded to a tenth of a degree.
ROUNDED = math.radians(0.051)
REFUSED = Code.TOO_FAR, Code.TOO_CLOSE, Code.JOINT_LIMIT


def widened(arm, by):
    """The arm with limits moved outwards: `by` maps (joint, side) to an angle [rad]."""
    yaw, *three = (
        (lower - by.get((name, 'lower'), 0.0), upper + by.get((name, 'upper'), 0.0))
        for name, (lower, upper) in zip(NAMES, (arm.yaw.limits, *arm.planar.limits))
    )
    three = [None if math.isinf(lower) else (lower, upper) for lower, upper in three]
    planar = PlanarArm(arm.planar.link_lengths, three)
    plane = replace(arm.plane, yaw=arm.yaw._replace(limits=yaw))
    return replace(arm, planar=planar, tool=replace(arm.tool, plane=plane))


def lifted(arm, names):
    """The arm with no limits on some joints."""
    return widened(arm, {(name, side): math.tau for name in names for side in SIDES})


def refusals(beside, count, codes=REFUSED):
    """Random arms, targets that they do not reach, and the answers; with ORIENTATION among the
    codes, the targets have an orientation."""
    rng = np.random.default_rng(7)
    while count:
        limits = FREE if rng.random() < 0.3 else limits_of(rng, 4.0)
        arm = random_arm(rng, beside, limits)
        for _ in range(8):
            target = somewhere(rng, arm, 1.1)
            phi = rng.uniform(-math.pi, math.pi) if Code.ORIENTATION in codes else None
            answer = checked(arm, target, phi)
            if answer.code in codes and count:
                count -= 1
                yield arm, (target, phi), answer


@pytest.mark.parametrize('beside', [False, True])
def test_only_what_no_limit_explains_is_too_far_or_too_close(beside):
    limited = 0
    for arm, target, answer in refusals(beside, cases(10_000, 333)):
        free = checked(lifted(arm, NAMES), *target)
        assert free.reachable == (answer.code is Code.JOINT_LIMIT)
        limited += free.reachable
        if not free.reachable and 'axis of' not in answer.message:
            ways = [shoulder.point for shoulder, _ in arm.plane.shoulders(target[0])]
            zones, away = arm.planar.safe_zones, [math.hypot(*point) for point in ways]
            least = min(max(far - zones.outer, zones.inner - far) for far in away)
            said = re.search(r'too \w+ by (\S+) m', answer.message)[1]
            assert float(said) == pytest.approx(least, abs=5.1e-4)
    assert limited > cases(3000, 333)


@pytest.mark.parametrize('code', [Code.JOINT_LIMIT, Code.ORIENTATION])
@pytest.mark.parametrize('beside', [False, True])
def test_moving_the_limits_that_are_named_is_what_it_takes(beside, code):
    """All joints that are named, by what is said: then it is reached. Not with fewer joints, and
    not with one joint by less."""
    several = 0
    for arm, target, answer in refusals(beside, cases(10_000, 650, least=15), [code]):
        if 'for the links' in answer.message:
            assert not checked(lifted(arm, NAMES), *target).reachable
            continue
        named = PASSED.findall(answer.message)
        figures = [math.radians(float(figure)) for *_, figure in named]
        told = arm, target, answer.message
        assert figures and figures == sorted(figures, reverse=True), told
        moved = {(name, side): by + ROUNDED for (name, side, _), by in zip(named, figures)}
        assert checked(widened(arm, moved), *target).reachable, told
        assert answer.message.count('by at most') == (len(named) > 1) * len(named), told
        several += len(named) > 1
        if len(named) > 1:
            for names in combinations(NAMES, len(named) - 1):
                assert not checked(lifted(arm, names), *target).reachable, told
        else:
            for name in NAMES:
                less = dict.fromkeys(((name, side) for side in SIDES), figures[0] - ROUNDED)
                nearly = widened(arm, less if figures[0] > ROUNDED else {})
                assert not checked(nearly, *target).reachable, told
    assert several > cases(300, 650)


def test_the_shoulder_that_needs_less_gives_the_reason():
    """0.2 m beyond the links facing, and 4 deg past a limit reaching backwards."""
    straight = PlanarArm((0.4, 0.3, 0.2), [(0.0, math.pi - math.radians(4.0)), (0, 0), (0, 0)])
    arm = spatial_arm(straight, yaw_joint(straight, foot=(0.1, 0.0)))
    answer = checked(arm, (-0.9, 0.0, 0.0))
    assert answer.code is Code.JOINT_LIMIT
    words = 'reaching backwards, joint 1 would exceed its upper limit by 4.0 deg'
    assert answer.message.startswith(words)
    for beyond in (1.1, -1.1):  # from the axis, which is 0.1 m away from joint 1
        far = checked(arm, (0.1 + beyond, 0.0, 0.0))
        assert far.code is Code.TOO_FAR
        assert far.message.startswith('reaching backwards, too far by 0.100 m')


def test_several_joints_are_bounds():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, (-1.0, 1.0)))
    arm = replace(arm, planar=PlanarArm((0.4, 0.3, 0.2), [(0.1, 1.0), (0, 0), (0, 0)]))
    message = checked(arm, (0.9 * math.cos(1.2), 0.9 * math.sin(1.2), 0.0)).message
    assert message.startswith(
        'the yaw joint would exceed its upper limit by at most 11.5 deg and '
        'joint 1 would exceed its lower limit by at most 5.7 deg'
    )


def test_the_third_joint_is_too_far_from_the_first_or_too_close_to_it():
    """Links of 0.4 m and 0.2 m, and 0.3 m from the third joint to the tip, along x of the tip."""
    arm = load_arm(robot(
        joint('a', 0, 1, 'continuous', axis=Z_AXIS),
        joint('b', 1, 2, 'continuous', (0.4, 0.0, 0.0), axis=Z_AXIS),
        joint('c', 2, 3, 'continuous', (0.2, 0.0, 0.0), axis=Z_AXIS),
        joint('roll', 3, 4, 'continuous', (0.1, 0.0, 0.0), axis=X_AXIS),
        joint('tip', 4, 5, 'fixed', (0.2, 0.0, 0.0)),
    ))  # fmt: skip
    for x, phi, said in (
        (0.4, 0.0, 'c would be 0.100 m too close to a for the links between them'),
        (0.45, 0.0, 'c would be 0.050 m too close to a for the links between them'),
        (0.5, math.pi, 'c would be 0.200 m too far from a for the links between them'),
        (0.35, math.pi, 'c would be 0.050 m too far from a for the links between them'),
    ):
        told = arm.check_reachability((x, 0.0, 0.0), rotation=rotation_by(Z_AXIS, phi))
        assert told.code is Code.ORIENTATION
        assert said in told.message


def past_limits(arm, positions):
    """How far each joint is past its limits, of those that are [deg]."""
    found = []
    for name, angle in positions.items():
        joint = arm.joints[name]
        if not math.isinf(joint.lower):
            middle, half = (joint.lower + joint.upper) / 2.0, (joint.upper - joint.lower) / 2.0
            found.append(math.degrees(abs(math.remainder(angle - middle, math.tau)) - half))
    return [one for one in found if one > 1e-6]


def test_the_way_of_a_whole_arm_that_needs_least_gives_the_reason():
    """The fewest joints of all that it would have without limits, then the least figure. Of several
    joints, the one that is farthest past its limits is named first."""
    rng, free, told_so = np.random.default_rng(8), {}, 0
    for whole in random_robots(rng, cases(4000), kinds=[(True, 2), (False, 2)]):
        free[whole.text] = other = free.get(whole.text) or without_limits(whole)
        own = whole.drawn(rng)
        for name in rng.choice(list(own), rng.integers(1, 4), replace=False).tolist():
            own[name] = whole.limits[name][rng.integers(2)] + rng.uniform(-0.5, 0.5)
        point, rotation = pose_of(whole, own)
        told = whole.arm.check_reachability(point, rotation=rotation)
        said = [float(figure) for _, figure in WHOLE.findall(told.message)]
        if told.code is Code.ORIENTATION and said:
            told_so += 1
            every = other.arm.inverse_kinematics(point, rotation=rotation)
            passed = (past_limits(whole.arm, one) for one in every)
            count, worst = min((len(one), max(one)) for one in passed)
            assert said == sorted(said, reverse=True)
            assert (len(said), said[0]) == (count, pytest.approx(worst, abs=0.051))
    assert told_so


def test_the_lean_of_axes_is_no_joint_limit():
    """Law: one joint past its limit, and others on theirs: only one joint is named, with an
    orientation by no more than it is past.

    No more than 1 in 500 reasons are others; 1 in 20 are if the lean counts, and 1 in 60 with an
    orientation if only estimates of the lean decide. It may also be that the lean alone is enough.
    """
    rng, named, others, before = np.random.default_rng(9), 0, 0, None
    for whole in random_robots(rng, cases(8000, least=200), kinds=[(True, 1), (False, 1)]):
        if whole is not before:
            before, leaning = whole, TiltedRobot(leaned(whole.text, rng))
        arm = leaning.arm
        own, past = leaning.drawn(rng, 2), rng.uniform(0.05, 0.5)
        own.update({name: min(max(0.0, whole.limits[name][0]), whole.limits[name][1])
                    for name in arm.wrist_joints})  # fmt: skip
        name = str(rng.choice([name for name in own if name not in arm.wrist_joints]))
        own[name] = leaning.limits[name][1] + past
        phi = math.remainder(leaning.phi(own), math.tau)
        point = pose_of(leaning, own)[0]
        told = arm.check_reachability(point, phi)
        if told.code in (Code.ORIENTATION, Code.JOINT_LIMIT):
            named += 1
            most = past if told.code is Code.ORIENTATION else math.inf
            if 'not exactly parallel' in told.message:
                asked = phi if told.code is Code.ORIENTATION else None
                wider = leaning.with_wider_limits(1e-3).arm
                others += not wider.check_reachability(point, asked).reachable
            else:
                others += not is_least(told, most)
    assert 500 * others <= named
    assert named


@pytest.mark.parametrize('yaw', [True, False])
def test_the_lean_of_a_wrist_is_no_joint_limit(yaw):
    """The same law of full poses: one joint is named, and by no more than it is past its limit.

    No more than 1 in 500 reasons are others; 1 in 30 if only estimates of the lean decide.
    """
    rng, named, others, before = np.random.default_rng(9), 0, 0, None
    kinds = [(yaw, 1), (yaw, 2)]
    for whole in random_robots(rng, cases(6000, least=120), kinds=kinds):
        if whole is not before:
            before, leaning = whole, TiltedRobot(leaned(whole.text, rng, 1e-6))
        own, past = leaning.drawn(rng, 2), rng.uniform(0.05, 0.5)
        name = str(rng.choice(list(own)))
        own[name] = leaning.limits[name][1] + past
        told = full_verdict(leaning, own)
        if told.message.startswith('not with this orientation'):
            named += 1
            others += not is_least(told, past)
    assert 500 * others <= named
    assert named


def full_verdict(robot, own):
    """The verdict on an own pose."""
    point, rotation = pose_of(robot, own)
    return robot.arm.check_reachability(point, rotation=rotation)


def is_least(told, past):
    """Whether one joint is named, and exceeds its limit by no more than an angle [rad]."""
    said = [math.radians(float(figure)) for _, figure in WHOLE.findall(told.message)]
    return len(said) == 1 and said[0] <= past + ROUNDED


def test_the_least_member_of_a_singular_wrist_gives_the_reason():
    """Law: with the last axis along the plane's normal, and one joint past its limit, one joint is
    named, by no more than it is past. If one member stands for its family, half of them fail."""
    rng, named = np.random.default_rng(4), 0
    for one in random_robots(rng, cases(8000, least=200), kinds=[(True, 2), (False, 2)]):
        own, past = singular(one, one.drawn(rng, 1), rng, 0.0), rng.uniform(0.05, 0.5)
        if own is not None:
            name = str(rng.choice([name for name in own if name != one.arm.wrist_joints[0]]))
            own[name] = one.limits[name][1] + past
            told = full_verdict(one, own)
            if told.message.startswith('not with this orientation'):
                named += 1
                assert is_least(told, past), (own, told.message)
    assert named


@pytest.mark.parametrize('own', [
    (-0.70745747757, 1.823873266902, 1.3946236057, -1.665758046647, -2.74385),
    (-1.573129403293, 0.155549492657, 1.691449623396, 0.0, -2.982219677867),
    (0.0, 1.746746632123, -0.254741767887, 1.920583846989, 2.097746467513),
    (-1.516278788562, -0.033779526384, 0.0, 1.665758668402, -3.09291265359),
    (1.424716543488, 1.505307462317, 0.0, 1.659604643941, 2.891879116067),
    (-1.345688396046, 2.420923953672, 1.489704816559, -1.658, 2.989399230804),
    (1.726215806264, -0.384414552654, -0.353090157961, 1.765498437488, -3.09291265359),
    (-1.9227257273, 0.0, -1.751066011805, -1.658, 0.462440545101),
    (0.0, 0.758412717422, 0.622686821171, 1.659883701551, -2.759908151192),
])  # fmt: skip
def test_with_more_of_the_tilt_that_is_allowed_one_joint_is_enough(own):
    """The plane of the so101 passes 11 micrometers beside its yaw axis: it may tilt a little."""
    so101 = TiltedRobot(shipped_text('so101'))
    own = dict(zip(so101.limits, own))
    (name, figure), *others = WHOLE.findall(full_verdict(so101, own).message)
    assert not others and float(figure) < 33.0
    point, rotation = pose_of(so101, own)
    assert without_limits(so101, [name]).arm.check_reachability(point, rotation=rotation).reachable
