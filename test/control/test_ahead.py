# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What lies ahead on a straight line, and whether a motion to there is begun."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles import load_arm
from ik_circles.control.moves.ahead import ahead, held
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import NotBegun, State
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.target import Target
from ik_circles.reasons import Code

ARMS = {
    name: load_arm(name, floor=floor)
    for name, floor in {'planar_3r': None, 'px100': None, 'so101': 0.0, 'ur5e': None}.items()
}
#: The elbow is bent by a right angle and the tool points along x: the tip is at (0.6, 0.3, 0).
BENT = {'shoulder_joint': 0.0, 'elbow_joint': math.pi / 2.0, 'wrist_joint': -math.pi / 2.0}


def refusal(arm, target, start):
    """Why a straight motion is not begun, or None."""
    wish = Wish(target, straight=True)
    try:
        plan(arm, Settings(), MotionParameters(), wish, State(start))
    except NotBegun as refused:
        return refused
    return None


def test_a_target_too_far_is_refused_with_the_share_that_can_be_done() -> None:
    """Links of 0.4, 0.3 and 0.2 m; outwards, the wrist goes from 0.5 m to at most 0.7 m."""
    arm = ARMS['planar_3r']
    tip = arm.forward_kinematics(BENT)
    assert tip[:3, 3] == pytest.approx((0.6, 0.3, 0.0))
    far = Target((0.2 + 1.6 * 0.4, 1.6 * 0.3, 0.0), tip[:3, :3])
    way = ahead(arm, Settings(), far, BENT)
    assert (way.code, way.share) == (Code.TOO_FAR, pytest.approx(0.2 / 0.3))
    assert '(66.6 %)' in way.message
    assert way.start == pytest.approx((0.6, 0.3, 0.0))
    assert way.done_to == pytest.approx((0.2 + 1.4 * 0.4, 1.4 * 0.3, 0.0))
    turned = far._replace(rotation=np.diag([-1.0, -1.0, 1.0]))
    assert refusal(arm, turned, BENT).share == pytest.approx(0.2 / 0.3)


def test_a_target_that_turns_the_tool_is_refused_with_the_angle() -> None:
    arm = ARMS['planar_3r']
    near = Target((0.65, 0.3, 0.0), np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    way = ahead(arm, Settings(), near, BENT)
    assert (way.code, way.share) == (Code.ORIENTATION, 0.0)
    assert '90.0 deg' in way.message
    assert ahead(arm, Settings(orientation_mode='free'), near, BENT).code is Code.OK


def test_nothing_is_ahead_of_joints_that_nobody_has_measured() -> None:
    arm = ARMS['planar_3r']
    known = {'shoulder_joint': 0.0}
    assert ahead(arm, Settings(), Target((0.5, 0.3, 0.0)), known) is None
    assert held(arm, (0.5, 0.3, 0.0), known) == (Target((0.5, 0.3, 0.0)), False)


@pytest.mark.parametrize('name', ARMS)
def test_what_is_ahead_is_what_a_motion_does(name: str) -> None:
    """Law: a motion is refused with the code, message and share that were ahead, or begun."""
    arm, rng = ARMS[name], np.random.default_rng(1)
    begun = 0
    for _ in range(cases(200, 40, least=5)):
        start, end = (
            {
                joint: rng.uniform(max(one.lower, -1.5), min(one.upper, 1.5))
                for joint, one in arm.joints.items()
            }
            for _ in range(2)
        )
        here, there = (arm.forward_kinematics(one)[:3, 3] for one in (start, end))
        position = tuple((here + rng.uniform(0.0, 1.0) * (there - here)).tolist())
        target, gets_there = held(arm, position, start)
        way, refused = ahead(arm, Settings(), target, start), refusal(arm, target, start)
        if refused is None:
            assert (way.code, way.share) == (Code.OK, 1.0)
            assert gets_there
            begun += 1
        else:
            assert (way.code, way.share) == (refused.code, refused.share)
            assert way.message == str(refused)
            assert refused.code is not Code.ORIENTATION or way.share < 1.0
        assert math.dist(way.start, here) < 1e-6
    assert begun > 0


@pytest.mark.parametrize('name', ARMS)
def test_a_straight_motion_to_where_the_tip_is_takes_no_time(name: str) -> None:
    """Law: also where rounding puts the end of the line beside its start; it was an error."""
    arm, rng = ARMS[name], np.random.default_rng(2)
    for _ in range(cases(800, 30)):  # rounding strikes one in hundreds
        start = {
            joint: rng.uniform(max(one.lower, -1.5), min(one.upper, 1.5))
            for joint, one in arm.joints.items()
        }
        tip = arm.forward_kinematics(start)
        at = tip[:3, 3] + rng.uniform(-1.0, 1.0, 3) * 10.0 ** rng.uniform(-17.0, -9.0)
        if arm.floor is not None and at[2] < arm.floor + 0.01:
            continue
        wish = Wish(held(arm, tuple(at.tolist()), start).target, straight=True)
        try:
            planned = plan(arm, Settings(), MotionParameters(), wish, State(start))
        except NotBegun as refused:  # it starts at the end of a branch, or below the floor
            assert refused.share < 1.0
            continue
        assert planned.trajectory.duration < 0.01


@pytest.mark.parametrize('straight', (False, True))
def test_a_motion_may_be_longer_than_the_step_of_a_command(straight: bool) -> None:
    """A motion has many commands; it was refused."""
    arm = ARMS['planar_3r']
    wish = Wish(held(arm, (0.65, 0.3, 0.0), BENT).target, straight=straight)
    planned = plan(arm, Settings(max_joint_step=0.01), MotionParameters(), wish, State(BENT))
    assert arm.forward_kinematics(planned.end)[:3, 3] == pytest.approx((0.65, 0.3, 0.0))
    assert max(abs(planned.end[name] - BENT[name]) for name in BENT) > 0.01
