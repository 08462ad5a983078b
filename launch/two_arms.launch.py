"""An example: two arms beside each other, one in the namespace left and one in right."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import GroupAction, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import SetRemap

SHARE = Path(get_package_share_directory('ik_circles'))
ARMS = {'left': 'planar_3r.urdf', 'right': 'open_manipulator_x.urdf'}


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([_arm(namespace, urdf) for namespace, urdf in ARMS.items()])


def _arm(namespace: str, urdf: str) -> GroupAction:
    """Each has a tf of its own, because both may name a link alike."""
    return GroupAction([
        SetRemap('/tf', 'tf'),
        SetRemap('/tf_static', 'tf_static'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(SHARE / 'launch' / 'arm.launch.py')),
            launch_arguments={
                'namespace': namespace,
                'urdf': str(SHARE / 'urdf' / urdf),
            }.items(),
        ),
    ])
