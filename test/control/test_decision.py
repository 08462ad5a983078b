# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""From target to command or reason: every decision of the node."""

import math

import numpy as np
import pytest
from law_cases import cases
from three_joints import shipped_arm

from ik_circles.control import Refusal, Settings, Target, decide
from ik_circles.control.decision import Decision, assess, sentence_for
from ik_circles.control.target import finite
from ik_circles.errors import IkCirclesError, InvalidArmError, InvalidSettingError, NotFiniteError
from ik_circles.geometry.rigid import rotation_about
from ik_circles.planar.redundancy.rules import REDUNDANCIES
from ik_circles.reasons import Code

ARM = shipped_arm('planar_3r')  # 0.4, 0.3, 0.2 m
SPATIAL = shipped_arm('open_manipulator_x')
SHOULDER, ELBOW, WRIST = ARM.joint_names
STRAIGHT = {SHOULDER: 0.0, ELBOW: 0.0, WRIST: 0.0}
CLOSURE = 1e-12
HAND_LEFT = math.pi / 2.0


def target(x, y, phi=None, z=0.0):
    return Target((x, y, z), None if phi is None else ARM.spatial.tool.rotation(phi))


def tip(command):
    """Where the full robot really is after the command: x, y [m] and tool angle [rad]."""
    pose = ARM.forward_kinematics(command)
    return pose[0, 3], pose[1, 3], math.atan2(pose[1, 0], pose[0, 0])


def test_a_reachable_pose_is_taken_exactly():
    rng = np.random.default_rng(0)
    for arm in (ARM, SPATIAL):
        for _ in range(cases(2000)):
            angles = [rng.uniform(*limits) for limits in arm.arm.limits]
            pose = arm.forward_kinematics(arm.naming.named((0.0, angles)))
            for mode in ('fixed', 'preferred'):
                wanted = Target(tuple(pose[:3, 3]), pose[:3, :3])
                decision = decide(arm, Settings(orientation_mode=mode), wanted, None)
                assert decision.code is Code.OK
                assert decision.margin >= 0.0
                reached = arm.forward_kinematics(decision.command)
                np.testing.assert_allclose(reached, pose, atol=CLOSURE)


def test_an_orientation_that_does_not_work_is_refused_or_gives_way():
    wanted = target(0.85, 0.0, HAND_LEFT)
    refused = decide(ARM, Settings(orientation_mode='fixed'), wanted, STRAIGHT)
    assert (refused.code, refused.command) == (Code.ORIENTATION, None)
    wrist = math.hypot(0.85, 0.2) - 0.7
    assert f'wrist_joint would be {wrist:.3f} m too far from' in refused.message
    taken = decide(ARM, Settings(), wanted, STRAIGHT)
    assert taken.code is Code.OK
    assert taken.message.startswith('reachable, but not with tool orientation 90.0 deg')
    # the elbow is straight at the nearest orientation: a triangle of 0.7, 0.2 and 0.85 m
    nearest = math.acos((0.2**2 + 0.85**2 - 0.7**2) / (2.0 * 0.2 * 0.85))
    assert tip(taken.command) == pytest.approx((0.85, 0.0, nearest), abs=CLOSURE)
    assert taken.nearest.phi == pytest.approx(nearest, abs=CLOSURE)


def test_free_keeps_the_orientation_of_the_seed():
    seed = {SHOULDER: 0.3, ELBOW: 0.4, WRIST: -0.2}
    decision = decide(ARM, Settings(orientation_mode='free'), target(0.6, 0.1, HAND_LEFT), seed)
    assert tip(decision.command) == pytest.approx((0.6, 0.1, 0.5), abs=CLOSURE)
    point_only = decide(ARM, Settings(), target(0.6, 0.1), seed)
    assert point_only.command == decision.command


@pytest.mark.parametrize(('branch', 'sign'), [('elbow_up', -1), ('elbow_down', 1)])
def test_branch(branch, sign):
    seed = {**STRAIGHT, ELBOW: -sign * 0.5}
    decision = decide(ARM, Settings(branch=branch), target(0.6, 0.0, 0.0), seed)
    assert decision.command[ELBOW] * sign > 0.0
    nearest = decide(ARM, Settings(), target(0.6, 0.0, 0.0), seed)
    assert nearest.command[ELBOW] * sign < 0.0


@pytest.mark.parametrize('code', [Code.TOO_FAR, Code.JOINT_LIMIT, Code.ORIENTATION])
def test_on_unreachable_nearest_moves_to_the_nearest_pose(code):
    wanted, place = {
        Code.TOO_FAR: (target(1.0, 0.0), (0.9, 0.0, 0.0)),
        Code.JOINT_LIMIT: (target(-0.85, 0.0), None),
        Code.ORIENTATION: (target(0.9, 0.0, HAND_LEFT), (0.9, 0.0, 0.0)),
    }[code]
    settings = Settings(on_unreachable='nearest', orientation_mode='fixed')
    decision = decide(ARM, settings, wanted, None)
    assert decision.code is code
    assert decision.message.endswith('; moving to the nearest pose instead')
    x, y, phi = tip(decision.command)
    assert math.dist((x, y), decision.nearest[:2]) <= CLOSURE
    if place:
        assert (x, y, phi) == pytest.approx(place, abs=1e-7)  # straight: the root of rounding
    else:
        assert decision.margin == pytest.approx(-math.dist((x, y), (-0.85, 0.0)), abs=CLOSURE)
    rejected = decide(ARM, Settings(orientation_mode='fixed'), wanted, None)
    assert (rejected.code, rejected.command) == (code, None)


def test_safe_zone_margin_is_part_of_the_figures():
    settings = Settings(safe_zone_margin=0.05)
    far = decide(ARM, settings, target(0.87, 0.0), None)
    assert (far.code, far.margin) == (Code.TOO_FAR, pytest.approx(-0.02, abs=CLOSURE))
    assert far.message == (
        'too far by 0.020 m: the links reach 0.900 m from shoulder_joint'
        ' and the safe zone margin is 0.050 m'
    )
    close = decide(ARM, settings, target(0.01, 0.0), None)
    assert close.code is Code.TOO_CLOSE
    assert close.message.startswith('too close by 0.040 m: the links reach to within 0.000 m of')
    assert close.margin <= -0.04 + CLOSURE
    inside = decide(ARM, settings, target(0.84, 0.0), None)
    assert (inside.code, inside.margin) == (Code.OK, pytest.approx(0.01, abs=CLOSURE))
    moved = decide(ARM, Settings(safe_zone_margin=0.05, on_unreachable='nearest'),
                   target(0.87, 0.0), None)
    assert tip(moved.command)[:2] == pytest.approx((0.85, 0.0), abs=CLOSURE)
    with pytest.raises(InvalidSettingError, match=r'margin 0.5 m leaves nothing .* 0.9 m; make it'):
        decide(ARM, Settings(safe_zone_margin=0.5), target(0.5, 0.0), None)


def test_out_of_the_plane():
    for height, code in [(0.0009, Code.OK), (0.0011, Code.OUT_OF_PLANE), (-1.0, Code.OUT_OF_PLANE)]:
        decision = decide(ARM, Settings(), target(0.6, 0.1, z=height), STRAIGHT)
        assert decision.code is code
        assert (decision.command is None) == (code is not Code.OK)
    assert decision.margin == pytest.approx(-1.0, abs=CLOSURE)
    assert decision.message.endswith('by 1 m; at most 0.001 m is allowed')


def test_a_heading_that_the_position_does_not_allow_is_said():
    """Behind a yaw joint only the pitch counts, unless the orientation is fixed."""
    pose = SPATIAL.forward_kinematics(SPATIAL.naming.named((0.5, (0.3, 0.4, -0.2))))
    turned = rotation_about(np.array([0.0, 0.0, 1.0]), 0.3) @ pose[:3, :3]
    exact, wanted = (Target(tuple(pose[:3, 3]), rotation) for rotation in (pose[:3, :3], turned))
    words = '; the position decides the heading, which is 17.2 deg off'
    for one, said in ((exact, False), (wanted, True)):
        decision = decide(SPATIAL, Settings(), one, None)
        found = assess(SPATIAL, Settings(), one)
        assert decision.code is Code.OK and found.reachable
        assert decision.message.endswith(words) == sentence_for(SPATIAL, found).endswith(words)
        assert decision.message == found.message + (words if said else '')
    fixed = decide(SPATIAL, Settings(orientation_mode='fixed'), wanted, None)
    assert (fixed.code, fixed.command) == (Code.ORIENTATION, None)
    far = Target((2.0, 0.0, 0.0), turned)
    found = assess(SPATIAL, Settings(), far)
    assert sentence_for(SPATIAL, found) == found.message == decide(
        SPATIAL, Settings(), far, None
    ).message


def test_a_small_tilt_is_rounding():
    for angle, code in ((0.0099, Code.OK), (0.0101, Code.ORIENTATION)):
        tilted = rotation_about(np.array([1.0, 0.0, 0.0]), angle) @ ARM.spatial.tool.rotation(0.1)
        found = assess(ARM, Settings(), Target((0.6, 0.1, 0.0), tilted))
        assert found.code is code
        advice = '' if found.reachable else ', or set orientation_mode to free'
        assert sentence_for(ARM, found) == found.message + advice


def test_a_decision_without_an_answer_of_the_arm():
    decision = Decision(Code.STALE, 'too old')
    assert (decision.message, decision.command, decision.nearest) == ('too old', None, None)
    assert math.isnan(decision.margin)


@pytest.mark.parametrize('number', [math.nan, math.inf, -math.inf])
def test_a_position_must_be_finite(number):
    assert finite((0.1, -0.2, 1e308)) == (0.1, -0.2, 1e308)
    for place in range(3):
        position = [0.5, 0.25, 0.0]
        position[place] = number
        with pytest.raises(Refusal, match=f'{number}.* m; give finite numbers') as refused:
            finite(tuple(position))
        assert refused.value.code is Code.NOT_FINITE


def test_an_orientation_that_tilts_the_plane():
    tilted = rotation_about(np.array([1.0, 0.0, 0.0]), 0.2) @ ARM.spatial.tool.rotation(0.1)
    wanted = Target((0.6, 0.1, 0.0), tilted)
    for mode in ('fixed', 'preferred'):
        decision = decide(ARM, Settings(orientation_mode=mode), wanted, None)
        assert (decision.code, decision.command) == (Code.ORIENTATION, None)
        assert "tilts the arm's plane by 11.5 deg" in decision.message
    assert decide(ARM, Settings(orientation_mode='free'), wanted, None).code is Code.OK
    assert assess(ARM, Settings(), wanted).solutions == []


@pytest.mark.parametrize(
    'seed', [None, {}, {ELBOW: 0.5}, dict.fromkeys(STRAIGHT, 8.0), {**STRAIGHT, 'gripper': 0.02}]
)
def test_any_seed_gives_a_command_inside_the_limits(seed):
    for wanted in (target(0.6, 0.1), target(0.6, 0.1, 0.2), target(0.9, 0.0)):
        command = decide(ARM, Settings(), wanted, seed).command
        assert tip(command)[:2] == pytest.approx(wanted.position[:2], abs=CLOSURE)
        assert set(command) == set(STRAIGHT)
        limits = ARM.arm.joint_limits
        assert all(low <= command[j] <= up for j, (low, up) in zip(ARM.joint_names, limits))


def wrist_of(command):
    x, y, phi = tip(command)
    return complex(x - 0.2 * math.cos(phi), y - 0.2 * math.sin(phi))


def test_redundancy_chooses_among_the_orientations():
    rng = np.random.default_rng(0)
    z_forms = 0
    for _ in range(100):
        x, y, _ = ARM.arm.forward_kinematics(
            tuple(rng.uniform(*limits) for limits in ARM.arm.limits)
        )
        sent = {
            kind: decide(ARM, Settings(redundancy=kind, z_form_k=0.4), target(x, y), STRAIGHT)
            for kind in REDUNDANCIES
        }
        for decision in sent.values():
            assert decision.code is Code.OK
            assert tip(decision.command)[:2] == pytest.approx((x, y), abs=CLOSURE)
        farthest = max(
            abs(complex(x - 0.2 * math.cos(phi), y - 0.2 * math.sin(phi)))
            for lower, upper in ARM.arm.orientation_intervals(x, y)
            for phi in np.linspace(lower, upper, 200)
        )
        assert abs(wrist_of(sent['outermost'].command)) >= farthest - 1e-9
        intervals = ARM.arm.orientation_intervals(x, y)
        widest = max(upper - lower for lower, upper in intervals)
        phi = tip(sent['centered'].command)[2]
        assert any(
            upper - lower >= widest - 1e-9
            and abs(math.remainder(phi - (lower + upper) / 2.0, math.tau)) <= 1e-9
            for lower, upper in intervals
        )
        if 'kept the current orientation' in sent['z_form'].message:
            assert sent['z_form'].command == sent['keep_orientation'].command
            continue
        q1 = sent['z_form'].command[SHOULDER]
        elbow = 0.4 * complex(math.cos(q1), math.sin(q1))
        crossing = elbow + 0.4 * (wrist_of(sent['z_form'].command) - elbow)
        across = (crossing * complex(x, -y)).imag / math.hypot(x, y)
        assert across == pytest.approx(0.0, abs=1e-12)
        z_forms += 1
    assert z_forms > 20


def test_numbers_that_no_target_and_no_seed_has_are_refused():
    upside_down = np.diag([1.0, 1.0, -1.0])
    for arm in (ARM, SPATIAL):
        seed = dict.fromkeys(arm.commanded_joints, 0.0)
        with pytest.raises(NotFiniteError, match='point'):
            decide(arm, Settings(), Target((math.nan, 0.0, 0.0)), seed)
        with pytest.raises(InvalidArmError, match='right-handed'):
            decide(arm, Settings(), Target((0.2, 0.0, 0.1), upside_down), seed)
        with pytest.raises(NotFiniteError, match=f'the seed of {arm.joint_names[0]}'):
            lost = {**seed, arm.joint_names[0]: math.inf}
            decide(arm, Settings(), Target((0.2, 0.0, 0.1)), lost)
        for wrong in (math.nan, 'a', None):  # also if the seed is incomplete
            with pytest.raises(IkCirclesError, match=f'the seed of {arm.joint_names[0]}'):
                lost, step = {arm.joint_names[0]: wrong}, Settings(max_joint_step=0.1)
                decide(arm, step, Target((0.2, 0.0, 0.1)), lost)
        with pytest.raises(InvalidArmError, match='give joint positions by name'):
            decide(arm, Settings(), Target((0.2, 0.0, 0.1)), [0.0, 0.0, 0.0])
