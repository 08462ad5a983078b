# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""ik_node, and the page, for a real arm whose driver and controllers run already."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([
        DeclareLaunchArgument('params_file', description='Parameters of ik_node'),
        DeclareLaunchArgument('controller', description='Name of a joint_trajectory_controller'),
        DeclareLaunchArgument(
            'viewer', default_value='false', description='Serve the page at http://127.0.0.1:8080'
        ),
        Node(
            package='ik_circles',
            executable='ik_node',
            name='ik_node',
            parameters=[LaunchConfiguration('params_file')],
            remappings=[
                ('joint_trajectory', [LaunchConfiguration('controller'), '/joint_trajectory'])
            ],
            output='screen',
        ),
        Node(
            package='ik_circles',
            executable='viewer',
            name='viewer',
            condition=IfCondition(LaunchConfiguration('viewer')),
            output='screen',
        ),
    ])
