# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight behind the base, where limits of 3.14159 leave out a hair of a turn."""

import math

import numpy as np
import pytest
from viewer_arms import URDF

from ik_circles import Code, RobotArm, load_arm
from ik_circles.control.decision import decide
from ik_circles.control.settings import Settings
from ik_circles.robot.arm import Point3
from ik_circles.spatial.points.ways import TILT_TOLERANCE
from ik_circles.viewer.dragging import axis_of
from ik_circles.viewer.orientation import target_at
from ik_circles.viewer.targets import beside_a_hair, farthest_turn, tilt_of

SETTINGS = Settings()
#: Farther from the ball, a person would see that the tip is not there [m].
SEEN = 1e-5


def at(arm: RobotArm, azimuth: float) -> Point3:
    """A place in reach at the height of the tip at rest, in a direction about the base [rad]."""
    q = dict.fromkeys(arm.commanded_joints, 0.0)
    axis, height = axis_of(arm), float(arm.forward_kinematics(q)[2, 3])
    assert axis is not None
    away = 0.6 * arm.arm.max_reach
    x, y, _ = axis.point + away * np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    return float(x), float(y), height


@pytest.mark.parametrize('name', ['px100', 'open_manipulator_x'])
@pytest.mark.parametrize('off', [0.0, 1e-6, -1e-6, 1e-12])
def test_behind_the_base_the_base_turns_and_the_tool_does_not(name: str, off: float) -> None:
    """It reached backwards over its head, "tilted by 180 deg"."""
    arm = load_arm((URDF / f'{name}.urdf').read_text())
    rest, behind = dict.fromkeys(arm.commanded_joints, 0.0), at(arm, math.pi + off)
    level = (0.0,) * (1 + len(arm.wrist_joints))
    target = target_at(arm, behind, level)
    decision = decide(arm, SETTINGS, target, rest)
    assert decision.code is Code.OK and decision.command
    assert tilt_of(arm, SETTINGS, target, decision.command) < TILT_TOLERANCE
    turn = farthest_turn(arm, decision.command, rest)
    assert turn == (arm.yaw_joint, pytest.approx(math.pi, abs=1e-4))
    assert math.dist(arm.forward_kinematics(decision.command)[:3, 3], behind) < SEEN


@pytest.mark.parametrize('yaw', [-1.0, 0.4])
def test_behind_the_base_it_turns_the_shorter_way(yaw: float) -> None:
    arm = load_arm((URDF / 'open_manipulator_x.urdf').read_text())
    rest = {**dict.fromkeys(arm.commanded_joints, 0.0), arm.yaw_joint or '': yaw}
    target = target_at(arm, at(arm, math.pi), (0.0,), rest)
    decision = decide(arm, SETTINGS, target, rest)
    assert decision.command
    turn = farthest_turn(arm, decision.command, rest)
    assert turn == (arm.yaw_joint, pytest.approx(math.pi - abs(yaw), abs=1e-4))


@pytest.mark.parametrize('name', sorted(path.stem for path in URDF.glob('*.urdf')))
def test_no_other_place_is_moved(name: str) -> None:
    """Law: it stays where the base can turn to it, and where limits leave out more than a hair."""
    arm, rng = load_arm((URDF / f'{name}.urdf').read_text()), np.random.default_rng(3)
    yaw = arm.spatial.plane.yaw
    for _ in range(200):
        position = tuple((arm.arm.max_reach * rng.uniform(-1.0, 1.0, 3)).tolist())
        assert beside_a_hair(arm.spatial, position) == position
    if yaw is not None and math.tau - (yaw.limits[1] - yaw.limits[0]) > 1e-3:
        assert beside_a_hair(arm.spatial, at(arm, math.pi)) == at(arm, math.pi)
