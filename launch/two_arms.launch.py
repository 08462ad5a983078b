"""An example of two arms side by side, one in the namespace left and one in right."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import GroupAction, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import SetRemap

SHARE = Path(get_package_share_directory('ik_circles'))
ARMS = {'left': 'planar_3r.urdf', 'right': 'open_manipulator_x.urdf'}


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([arm(namespace, urdf) for namespace, urdf in ARMS.items()])


def arm(namespace: str, urdf: str) -> GroupAction:
    """One arm, with a tf of its own, because both may use the same names of links."""
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
