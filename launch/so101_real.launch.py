# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A real SO-101: ros2_control with feetech_ros2_driver, and ik_node; see docs/how_to/so101.md.

It was not tried on an arm. `urdf` is what examples/so101_description.py writes.
"""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.substitutions import Command, LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

SHARE = Path(get_package_share_directory('ik_circles'))
CONTROLLERS = 'joint_state_broadcaster', 'joint_trajectory_controller', 'gripper_controller'


def generate_launch_description() -> LaunchDescription:
    text = ParameterValue(Command(['cat ', LaunchConfiguration('urdf')]), value_type=str)
    return LaunchDescription([
        DeclareLaunchArgument('urdf', description='URDF with ros2_control'),
        DeclareLaunchArgument(
            'params_file',
            default_value=str(SHARE / 'config' / 'real_so101.yaml'),
            description='Parameters of ik_node',
        ),
        DeclareLaunchArgument(
            'viewer', default_value='false', description='Serve the page at http://127.0.0.1:8080'
        ),
        # The controller manager takes the description from the topic.
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            parameters=[{'robot_description': text}],
        ),
        Node(
            package='controller_manager',
            executable='ros2_control_node',
            parameters=[str(SHARE / 'config' / 'so101_controllers.yaml')],
            remappings=[('~/robot_description', '/robot_description')],
            output='screen',
        ),
        Node(package='controller_manager', executable='spawner', arguments=[*CONTROLLERS]),
        IncludeLaunchDescription(
            str(SHARE / 'launch' / 'real_arm.launch.py'),
            launch_arguments=[
                ('controller', 'joint_trajectory_controller'),
                *((name, LaunchConfiguration(name)) for name in ('params_file', 'viewer')),
            ],
        ),
    ])
