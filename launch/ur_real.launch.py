# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A real UR: ur_control.launch.py of ur_robot_driver, and ik_node; see docs/how_to/ur.md.

It was not tried on an arm. Other arguments of ur_control.launch.py go on to it, too.
"""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

SHARE = Path(get_package_share_directory('ik_circles'))
DRIVER = FindPackageShare('ur_robot_driver'), 'launch', 'ur_control.launch.py'
#: The driver's arguments that have no default: an include has to name these.
WITHOUT_DEFAULT = 'ur_type', 'robot_ip'


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([
        DeclareLaunchArgument('ur_type', description='Such as ur5e'),
        DeclareLaunchArgument('robot_ip', description='Address of the robot'),
        DeclareLaunchArgument(
            'params_file',
            default_value=str(SHARE / 'config' / 'real_ur.yaml'),
            description='Parameters of ik_node',
        ),
        DeclareLaunchArgument(
            'viewer', default_value='false', description='Serve the page at http://127.0.0.1:8080'
        ),
        IncludeLaunchDescription(
            PathJoinSubstitution([*DRIVER]),
            launch_arguments=[(name, LaunchConfiguration(name)) for name in WITHOUT_DEFAULT],
        ),
        # An argument of the driver; its default differs from release to release.
        IncludeLaunchDescription(
            str(SHARE / 'launch' / 'real_arm.launch.py'),
            launch_arguments=[
                ('controller', LaunchConfiguration('initial_joint_controller')),
                *((name, LaunchConfiguration(name)) for name in ('params_file', 'viewer')),
            ],
        ),
    ])  # fmt: skip
