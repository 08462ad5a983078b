# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The launch files of real arms, with stand-ins for the vendors' own launch files."""

import os
from pathlib import Path

import pytest
from ros_processes import URDF
from test_launch_file import launching

# isort: split
from ros_probe import IkProbe
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory

from ik_circles import load_arm
from ik_circles.reasons import Code

#: A vendor's launch file: it declares arguments, of which those with None have no default, and says
#: what it was given.
VENDORS = """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo
from launch.substitutions import LaunchConfiguration

def generate_launch_description():
    given = {given!r}
    declared = [DeclareLaunchArgument(name, default_value=one) for name, one in given.items()]
    said = [LogInfo(msg=[name, ' is ', LaunchConfiguration(name)]) for name in given]
    return LaunchDescription([*declared, *said])
"""
CONTROLLER = 'initial_joint_controller'
#: Stances above the floor of the parameter files [rad]; other joints are in the middle.
RAISED = {'ur5e': {'shoulder_lift_joint': -1.2, 'elbow_joint': 1.0}, 'open_manipulator_x': {}}


def stand_in(
    prefix: Path, package: str, launch_file: str, given: dict[str, str | None]
) -> None:
    """A package with a launch file of these arguments and their defaults."""
    index = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages' / package
    file = prefix / 'share' / package / 'launch' / launch_file
    for one in (index, file):
        one.parent.mkdir(parents=True, exist_ok=True)
    index.touch()
    file.write_text(VENDORS.format(given=given))


@pytest.mark.parametrize(
    ('file', 'package', 'vendors', 'given', 'arguments', 'said', 'robot', 'controller'),
    [
        (
            'ur_real.launch.py', 'ur_robot_driver', 'ur_control.launch.py',
            {'ur_type': None, 'robot_ip': None, CONTROLLER: 'scaled_joint_trajectory_controller'},
            ['ur_type:=ur5e', 'robot_ip:=10.0.0.7'], 'robot_ip is 10.0.0.7',
            'ur5e', 'scaled_joint_trajectory_controller',
        ),
        (
            'ur_real.launch.py', 'ur_robot_driver', 'ur_control.launch.py',
            {'use_mock_hardware': 'false', CONTROLLER: 'joint_trajectory_controller'},
            ['ur_type:=ur5e', 'robot_ip:=x', 'use_mock_hardware:=true'],
            'use_mock_hardware is true', 'ur5e', 'joint_trajectory_controller',
        ),
        (
            'open_manipulator_x_real.launch.py', 'open_manipulator_bringup',
            'open_manipulator_x.launch.py', {'init_position': 'true', 'port_name': '/dev/null'},
            ['port_name:=/dev/ttyACM3'], 'port_name is /dev/ttyACM3',
            'open_manipulator_x', 'arm_controller',
        ),
    ],
)  # fmt: skip
def test_the_driver_gets_its_arguments_and_its_controller_the_path_once_enabled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, package: str, vendors: str,
    given: dict[str, str | None], arguments: list[str], said: str, robot: str, controller: str,
) -> None:  # fmt: skip
    stand_in(tmp_path, package, vendors, given)
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'{tmp_path}:{os.environ["AMENT_PREFIX_PATH"]}')
    text = (URDF / f'{robot}.urdf').read_text().replace('wrist_3_link', 'tool0')
    arm = load_arm(text)
    with launching(tmp_path, file, *arguments) as launch:
        probe = IkProbe(launch)
        probe.wait(lambda: said in launch.output, said)
        assert 'init_position is true' not in launch.output
        paths: list[tuple[JointTrajectory, int]] = []
        probe.collect(JointTrajectory, f'{controller}/joint_trajectory', paths)
        probe.connect()
        probe.descriptions.publish(String(data=text))
        middle = {name: 0.5 * (one.lower + one.upper) for name, one in arm.joints.items()}
        home = middle | RAISED[robot]
        x, y, z = arm.forward_kinematics({**home, **dict.fromkeys(arm.wrist_joints, 0.3)})[:3, 3]
        at, frame = (float(x), float(y), float(z)), arm.base_link
        probe.wait(lambda: probe.check(at, frame=frame).code == Code.OK, 'the model')
        assert probe.send(at, frame=frame).code == Code.DISABLED
        enable = probe.node.create_client(SetBool, 'ik_node/enable')
        assert probe.call(enable, SetBool.Request(data=True)).success
        assert not paths
        measured = JointState(name=[*home], position=[*home.values()])

        def moves() -> bool:
            probe.joint_states.publish(measured)
            probe.aim(at, frame=frame)
            return bool(paths)

        probe.wait(moves, 'a path')
        assert paths[0][0].joint_names == [*arm.commanded_joints]
        probe.close()
