# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Targets in a stream: their age, the step of one command, and sliding along the boundary."""

import math

import numpy as np
import pytest
from law_cases import cases
from three_joints import shipped_arm

from ik_circles.control.decision import decide
from ik_circles.control.settings import Settings
from ik_circles.control.stream import jump, staleness
from ik_circles.control.target import Target
from ik_circles.reasons import Code

ARM = shipped_arm('planar_3r')
SPATIAL = shipped_arm('open_manipulator_x')
SHOULDER, ELBOW, WRIST = ARM.joint_names
STRAIGHT = dict.fromkeys(ARM.joint_names, 0.0)
SECOND = 10**9


def target(x, y, phi=None):
    return Target((x, y, 0.0), None if phi is None else ARM.spatial.tool.rotation(phi))


@pytest.mark.parametrize(
    ('stamp', 'now', 'timeout', 'words'),
    [
        (100.0, 100.5, 0.5, None),  # not more than that
        (100.0, 100.6, 0.5, 'is 0.600 s old, target_timeout is 0.5 s'),
        (100.0, 1e9, 0.0, None),
        (0.0, 1e9, 0.5, None),  # a stamp of zero means now
        (100.5, 100.0, 0.5, None),
        (100.6, 100.0, 0.5, "0.600 s ahead of this node's clock"),
        (-5.0, 100.0, 0.5, 'is 105.000 s old'),
        (1e9, 0.0, 0.5, 'use_sim_time'),  # a simulated clock that has not started
        (3.0, 3.1, 0.5, None),  # after a bag has started over: stamp and clock went back
    ],
)
def test_the_age_of_a_stamp(stamp, now, timeout, words):
    sentence = staleness(round(stamp * SECOND), round(now * SECOND), timeout)
    assert (sentence is None) == (words is None)
    assert sentence is None or words in sentence


def test_a_jump_names_the_joint_and_the_figures():
    near = {**STRAIGHT, ELBOW: 0.3}
    assert jump(near, STRAIGHT, 0.3) is None
    assert jump(near, STRAIGHT, 0.0) is None
    assert jump(near, {}, 0.1) is None
    assert jump(near, {WRIST: 0.0}, 0.1) is None
    assert jump(near, STRAIGHT, 0.2).startswith(
        f'{ELBOW} would move by 17.2 deg in one command, max_joint_step allows 11.5 deg'
    )


def test_a_target_that_is_a_jump_away_is_not_sent():
    settings = Settings(max_joint_step=0.5)
    far = decide(ARM, settings, target(0.3, 0.3), STRAIGHT)
    assert (far.code, far.command) == (Code.JUMP, None)
    assert 'max_joint_step allows 28.6 deg' in far.message
    assert far.margin > 0.0 and far.nearest is not None
    assert decide(ARM, settings, target(0.3, 0.3), {}).code is Code.OK  # nobody can tell
    assert decide(ARM, settings, target(0.89, 0.05), STRAIGHT).code is Code.OK


def test_the_nearest_pose_may_be_a_jump_away_too():
    settings = Settings(max_joint_step=0.5, on_unreachable='nearest')
    far = decide(ARM, settings, target(0.0, 2.0), STRAIGHT)
    assert (far.code, far.command) == (Code.JUMP, None)
    assert far.message.startswith('too far by 1.100 m')
    assert 'not moving to the nearest pose' in far.message
    assert 'would move by 90.0 deg' in far.message
    near = decide(ARM, settings, target(2.0, 0.5), STRAIGHT)
    assert near.code is Code.TOO_FAR and near.command is not None


def test_the_branch_is_kept_along_a_straight_path():
    for sign in (1.0, -1.0):
        seed = decide(ARM, Settings(), target(0.55, -0.3, 0.0), {**STRAIGHT, ELBOW: sign}).command
        settings = Settings(max_joint_step=0.05)
        for y in np.linspace(-0.3, 0.3, 200):
            decision = decide(ARM, settings, target(0.55, y, 0.0), seed)
            assert decision.code is Code.OK, decision.message
            assert decision.command[ELBOW] * sign > 0.0
            seed = decision.command


def slide(arm, points, rotation, settings):
    """Largest joint step along unreachable points, each solved from the command before it."""
    seed, largest = None, 0.0
    for x, y in points:
        decision = decide(arm, settings, Target(arm.spatial.plane.point_at(x, y), rotation), seed)
        assert decision.code is not Code.OK
        assert decision.message.endswith('; moving to the nearest pose instead')
        tip = arm.forward_kinematics(decision.command)[:3, 3]
        assert math.dist(tip, decision.nearest[:3]) <= 1e-9
        if seed is not None:
            largest = max(largest, *(abs(decision.command[n] - seed[n]) for n in seed))
        seed = decision.command
    return largest


@pytest.mark.parametrize('oriented', [False, True])
@pytest.mark.parametrize('margin', [0.0, 0.02])
@pytest.mark.parametrize('arm', [ARM, SPATIAL], ids=['planar_3r', 'open_manipulator_x'])
def test_unreachable_targets_slide_along_the_boundary(arm, margin, oriented):
    settings = Settings(on_unreachable='nearest', safe_zone_margin=margin)
    rotation = arm.spatial.tool.rotation(0.0) if oriented else None
    away = 1.2 * arm.arm.max_reach
    steps = []
    for count in (4, 30, 225):
        line = [(away, y) for y in np.linspace(-0.4 * away, 0.4 * away, count)]
        steps.append(slide(arm, line[: cases(225, 1)], rotation, settings))
    # half: where an elbow gets straight, it moves by the root of the target's step; to keep the
    # orientation, joints may move by 0.05 more than they need to
    assert steps[1] <= 0.5 * steps[0] and steps[2] <= max(0.5 * steps[1], 0.05), steps
