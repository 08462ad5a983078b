# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The sliders turn a target of five and of six joints: what the page asks for, and what arms do."""

import math
from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np
import pytest
from page_user import User
from viewer_arms import ARMS

from ik_circles import Code
from ik_circles.control.decision import decide
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.viewer.orientation import target_at
from ik_circles.viewer.target_fields import ORIENTATION

#: The sliders as they are called at first, and how many of them an arm has.
SLIDERS = [name for name, _ in ORIENTATION[-1]]
COUNTS = {'so101': 2, 'ur5e': 3}
SAME = 1e-9
BENT = {
    'so101': (0.3, -0.4, 0.5, 0.6, -0.7),
    'ur5e': (0.3, -1.2, 1.4, 0.5, -0.9, 0.7),
}


@pytest.fixture(params=COUNTS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def user(name: str) -> Iterator[User]:
    with ExitStack() as stack:
        yield User(stack, name)


def turned(user: User, number: int, degrees: float) -> Target:
    """What the page asks for after a user has moved a slider."""
    user.set(SLIDERS[number], degrees)
    user.stop()
    target = user.asked.newest
    assert target is not None and target.rotation is not None
    return target


def test_each_slider_turns_the_target_where_it_is(user: User, name: str) -> None:
    """For six joints, roll, pitch and yaw of the tip; for five, pitch and roll of the last axis."""
    random, arm, count = np.random.default_rng(0), ARMS[name], COUNTS[name]
    home, values = dict.fromkeys(arm.commanded_joints, 0.0), [0.0] * count
    for step, number in enumerate([*range(count), *random.integers(0, count, 5).tolist()]):
        values[number] = round(float(random.uniform(-170.0, 170.0)), 1)
        target, place = turned(user, number, values[number]), user.ball
        assert target.position == pytest.approx(place, abs=1e-6)
        if step >= count - 1:  # else other sliders show where the arm is
            expected = target_at(arm, target.position, tuple(map(math.radians, values)), home)
            assert np.asarray(target.rotation) == pytest.approx(
                np.asarray(expected.rotation), abs=SAME
            )


def rpy(roll: float, pitch: float, yaw: float) -> Matrix:
    """The orientation of angles about the fixed axes x, y, z [deg], as in a URDF."""
    x, y, z = map(math.radians, (roll, pitch, yaw))
    about_x, about_y, about_z = np.eye(3)
    tilted = rotation_about(about_y, y) @ rotation_about(about_x, x)
    turned: Matrix = rotation_about(about_z, z) @ tilted
    return turned


def test_what_six_joints_are_turned_to_is_what_the_arm_takes() -> None:
    """The page's handle, and the arm's own kinematics: nothing in between loses an angle."""
    arm = ARMS['ur5e']
    bent = dict(zip(arm.commanded_joints, BENT['ur5e']))
    with ExitStack() as stack:
        user = User(stack, 'ur5e')
        user.show(measured=bent)
        tip = arm.forward_kinematics(bent)
        user.hear(lambda: user.ball == pytest.approx(tip[:3, 3]))
        wanted = (20.0, -30.0, 40.0)
        for number, degrees in enumerate(wanted):
            target = turned(user, number, degrees)
        decision = decide(arm, Settings(orientation_mode='fixed'), target, bent)
        assert decision.code is Code.OK and decision.command is not None, decision.message
        there = arm.forward_kinematics(decision.command)
        assert there[:3, :3] == pytest.approx(rpy(*wanted), abs=1e-8)
        assert there[:3, 3] == pytest.approx(tip[:3, 3], abs=1e-6)
