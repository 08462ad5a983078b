# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms with a wrist over topics and the service: every joint is commanded and answered."""

import math
import re
import time
from collections.abc import Iterator

import numpy as np
import pytest
from ros_processes import URDF, running

# isort: split
from ros_probe import AGAIN, IkProbe, probed
from sensor_msgs.msg import JointState
from transforms3d.quaternions import mat2quat, qmult

from ik_circles import load_arm
from ik_circles.geometry.rigid import angle_between_rotations
from ik_circles.reasons import Code

TEXTS = {name: (URDF / f'{name}.urdf').read_text() for name in ('so101', 'ur5e')}
ARMS = {name: load_arm(text) for name, text in TEXTS.items()}
#: The simulated arm's tip ends up this near to its target [m, rad].
ARRIVED = 1e-6
#: An orientation that joints give is what was asked for up to this [rad]: TILT_TOLERANCE.
TILT = 0.01


class Arm:
    """A node and a simulated arm of one robot, with a probe that hears both."""

    def __init__(self, name: str, probe: IkProbe) -> None:
        self.arm, self.probe = ARMS[name], probe
        self.measured: dict[str, float] = {}
        probe.node.create_subscription(JointState, 'joint_states', self._hear, 10)
        self.random = np.random.default_rng(7)
        self.lead()

    def _hear(self, message: JointState) -> None:
        self.measured = dict(zip(message.name, message.position, strict=True))

    def lead(self) -> None:
        """Move the arm; what is sent before the nodes have found each other is lost."""
        due, pose = 0.0, self.own_pose()[1]

        def arrived() -> bool:
            nonlocal due
            if time.monotonic() > due:
                self.probe.aim(*asked(pose))
                due = time.monotonic() + AGAIN
            return bool(self.measured) and self.is_at(pose)

        self.probe.wait(arrived, 'the arm at its first pose')

    def own_pose(self) -> tuple[dict[str, float], np.ndarray]:
        """Joint positions, each clearly away from 0, and the tip's pose there (4x4)."""
        q = {
            joint.name: float(self.random.uniform(0.2, 0.8)) * min(1.0, joint.upper)
            for joint in self.arm.naming.joints.values()
        }
        return q, self.arm.forward_kinematics(q)

    def is_at(self, pose: np.ndarray) -> bool:
        now = self.arm.forward_kinematics(self.measured)
        away = math.dist(now[:3, 3], pose[:3, 3])
        return max(away, angle_between_rotations(now[:3, :3], pose[:3, :3])) <= ARRIVED


def asked(pose: np.ndarray) -> tuple[list[float], list[float]]:
    """Position, and quaternion x y z w."""
    w, *xyz = mat2quat(pose[:3, :3]).tolist()
    return pose[:3, 3].tolist(), [*xyz, w]


def named(message: JointState) -> dict[str, float]:
    return dict(zip(message.name, message.position, strict=True))


@pytest.fixture(scope='module', params=ARMS)
def robot(request: pytest.FixtureRequest) -> Iterator[Arm]:
    description = {'robot_description': TEXTS[request.param]}
    with probed(description) as probe, running('sim_arm', description):
        yield Arm(request.param, probe)


def test_a_pose_moves_all_joints_and_the_tip_arrives(robot: Arm) -> None:
    for _ in range(3):
        q, pose = robot.own_pose()
        before = dict(robot.measured)
        status = robot.probe.send(*asked(pose))
        assert Code(status.code) is Code.OK, status.message
        assert tuple(status.command.name) == robot.arm.commanded_joints
        robot.probe.wait(lambda pose=pose: robot.is_at(pose), 'the arm at the pose')
        moved = [abs(robot.measured[name] - before[name]) for name in q]
        assert min(moved) > 1e-3
        assert status.nearest.pose.position.x == pytest.approx(pose[0, 3], abs=1e-9)
        assert math.isfinite(status.margin)


def test_asked_for_the_pose_that_it_is_in_it_does_not_move(robot: Arm) -> None:
    _, pose = robot.own_pose()
    robot.probe.send(*asked(pose))
    robot.probe.wait(lambda: robot.is_at(pose), 'the arm at the pose')
    measured = dict(robot.measured)
    for _ in range(3):
        now = robot.arm.forward_kinematics(measured)
        assert named(robot.probe.send(*asked(now)).command) == pytest.approx(
            {name: measured[name] for name in robot.arm.commanded_joints}, abs=1e-6
        )


def test_the_service_gives_all_solutions_with_all_joints(robot: Arm) -> None:
    q, pose = robot.own_pose()
    before = len(robot.probe.commands)
    answer = robot.probe.check(*asked(pose), orientation=True)
    expected = robot.arm.inverse_kinematics(pose[:3, 3].tolist(), rotation=pose[:3, :3])
    found = [named(one) for one in answer.solutions]
    assert answer.reachable and len(found) == len(expected) > 0
    for one in found:
        assert tuple(one) == robot.arm.commanded_joints
        reached = robot.arm.forward_kinematics(one)
        assert reached[:3, 3] == pytest.approx(pose[:3, 3], abs=1e-8)
        assert angle_between_rotations(reached[:3, :3], pose[:3, :3]) <= TILT
    assert any(
        all(abs(math.remainder(one[name] - q[name], math.tau)) < 1e-6 for name in q)
        for one in found
    )
    assert len(robot.probe.commands) == before


def test_a_point_keeps_the_wrist_where_it_is_measured(robot: Arm) -> None:
    _, pose = robot.own_pose()
    robot.probe.send(*asked(pose))
    robot.probe.wait(lambda: robot.is_at(pose), 'the arm at the pose')
    point = robot.arm.forward_kinematics(robot.own_pose()[0])[:3, 3].tolist()
    status = robot.probe.send_point(point)
    if status.code == Code.OK:
        command = named(status.command)
        for name in robot.arm.wrist_joints:
            assert command[name] == pytest.approx(robot.measured[name], abs=2e-3)
        assert robot.arm.forward_kinematics(command)[:3, 3] == pytest.approx(point, abs=1e-8)
    far = robot.probe.send_point((3.0, 0.0, 0.2))
    held = [f'{name} at' for name in robot.arm.wrist_joints]
    assert far.code == Code.TOO_FAR and all(words in far.message for words in held)


def test_an_old_target_and_a_jump_of_the_wrist_move_nothing(robot: Arm) -> None:
    _, pose = robot.own_pose()
    robot.probe.send(*asked(pose))
    robot.probe.wait(lambda: robot.is_at(pose), 'the arm at the pose')
    name = robot.arm.wrist_joints[-1]
    there = robot.arm.forward_kinematics({**robot.measured, name: robot.measured[name] - 0.4})
    try:
        assert robot.probe.set(max_joint_step=0.3).successful
        before = len(robot.probe.commands)
        status = robot.probe.send(*asked(there))
        assert Code(status.code) is Code.JUMP and not status.command.name
        assert status.message.startswith(f'{name} would move by 22.9 deg in one command')
        assert robot.probe.set(target_timeout=5.0).successful
        status = robot.probe.send(*asked(there))  # its stamp is of 1970
        assert Code(status.code) is Code.STALE and not status.command.name
        assert len(robot.probe.commands) == before
    finally:
        for parameter in ('max_joint_step', 'target_timeout'):
            robot.probe.set(**{parameter: 0.0})


@pytest.mark.parametrize('robot', ['so101'], indirect=True)  # two wrist joints take every one
def test_a_pose_out_of_the_plane(robot: Arm) -> None:
    """`fixed` refuses it, `preferred` goes there turned away by the angle that the message says."""
    _, pose = robot.own_pose()
    position, (x, y, z, w) = asked(pose)
    aside = qmult((math.cos(0.15), 0.0, 0.0, math.sin(0.15)), (w, x, y, z)).tolist()
    turned = [*aside[1:], aside[0]]
    try:
        assert robot.probe.set(orientation_mode='fixed').successful
        status = robot.probe.send(position, turned)
        assert Code(status.code) is Code.ORIENTATION and not status.command.name
        assert "would have to leave the arm's plane by" in status.message
        answer = robot.probe.check(position, turned, orientation=True)
        assert (answer.code, answer.message) == (status.code, status.message)
        assert robot.probe.set(orientation_mode='preferred').successful
        status = robot.probe.send(position, turned)
        assert Code(status.code) is Code.OK and status.message.startswith('reachable, but not with')
        reached = robot.arm.forward_kinematics(named(status.command))
        assert reached[:3, 3] == pytest.approx(position, abs=1e-8)
        cosine, sine = math.cos(0.3), math.sin(0.3)
        about = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        away = math.degrees(angle_between_rotations(reached[:3, :3], about @ pose[:3, :3]))
        said = re.search(r'nearest of those tried is (\S+) deg away', status.message)
        assert said is not None and float(said[1]) == pytest.approx(away, abs=0.051) and away > 1.0
    finally:
        robot.probe.set(orientation_mode='preferred')
