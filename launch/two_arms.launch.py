# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An example of two arms side by side, one in the namespace left and one in right."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    GroupAction,
    IncludeLaunchDescription,
    OpaqueFunction,
    SetLaunchConfiguration,
)
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import SetRemap

from ik_circles.ros.launch_arguments import check_arguments

SHARE = Path(get_package_share_directory('ik_circles'))
#: Robot and port of the page for each namespace.
ARMS = {'left': ('planar_3r', '8080'), 'right': ('open_manipulator_x', '8081')}
SWITCH = ['true', 'false', 'True', 'False', '1', '0']
#: What can be given for both arms: the default and what it means.
ARGUMENTS = {
    'params_file': (str(SHARE / 'config' / 'ik_circles.yaml'), 'Parameters of the nodes'),
    'sim': ('true', 'Start simulated arms'),
    'viewer': ('false', 'Serve pages at http://127.0.0.1:8080 and http://127.0.0.1:8081'),
}


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([
        OpaqueFunction(
            function=lambda context: check_arguments(__file__, context.argv, [*ARGUMENTS])
        ),
        *(
            DeclareLaunchArgument(
                name,
                default_value=default,
                description=description,
                choices=SWITCH if default in SWITCH else None,
            )
            for name, (default, description) in ARGUMENTS.items()
        ),
        *(arm(namespace, urdf, port) for namespace, (urdf, port) in ARMS.items()),
    ])


def arm(namespace: str, urdf: str, port: str) -> GroupAction:
    """One arm, with a tf of its own, because both may use the same names of links.

    It hears only of the arguments above: the others of arm.launch.py would do harm to two arms.
    """
    return GroupAction(
        [
            SetRemap('/tf', 'tf'),
            SetRemap('/tf_static', 'tf_static'),
            SetLaunchConfiguration(
                'viewer_port', port, condition=IfCondition(LaunchConfiguration('viewer'))
            ),
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(str(SHARE / 'launch' / 'arm.launch.py'))
            ),
        ],
        forwarding=False,
        launch_configurations={
            'namespace': namespace,
            'urdf': urdf,
            **{name: LaunchConfiguration(name) for name in ARGUMENTS},
        },
    )
