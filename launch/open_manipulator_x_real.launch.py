# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A real OpenManipulator-X: open_manipulator_x.launch.py of open_manipulator_bringup, and ik_node.

See docs/how_to/open_manipulator_x.md. It was not tried on an arm. Other arguments of the vendor's
launch file go on to it, but for init_position: the driver must not move the arm by itself.
"""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

SHARE = Path(get_package_share_directory('ik_circles'))
DRIVER = FindPackageShare('open_manipulator_bringup'), 'launch', 'open_manipulator_x.launch.py'


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([
        DeclareLaunchArgument(
            'port_name', default_value='/dev/ttyUSB0', description='Port of the servos'
        ),
        DeclareLaunchArgument(
            'use_mock_hardware',
            default_value='false',
            description="ros2_control's own stand-in in place of the arm",
        ),
        DeclareLaunchArgument(
            'params_file',
            default_value=str(SHARE / 'config' / 'real_open_manipulator_x.yaml'),
            description='Parameters of ik_node',
        ),
        DeclareLaunchArgument(
            'viewer', default_value='false', description='Serve the page at http://127.0.0.1:8080'
        ),
        IncludeLaunchDescription(
            PathJoinSubstitution([*DRIVER]),
            launch_arguments=[('init_position', 'false')],  # else it moves the arm at once
        ),
        IncludeLaunchDescription(
            str(SHARE / 'launch' / 'real_arm.launch.py'),
            launch_arguments=[
                ('controller', 'arm_controller'),
                *((name, LaunchConfiguration(name)) for name in ('params_file', 'viewer')),
            ],
        ),
    ])
