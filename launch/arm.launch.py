"""The IK node, a simulated arm and what shows them; its arguments: add `-s` to `ros2 launch`."""

from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = Path(get_package_share_directory('ik_circles'))

#: Value of the argument urdf for a robot that somebody else publishes.
TOPIC = 'topic'


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription([
        DeclareLaunchArgument(
            'urdf',
            default_value=str(SHARE / 'urdf' / 'planar_3r.urdf'),
            description='URDF file of the robot; "topic": the topic robot_description is used',
        ),
        DeclareLaunchArgument(
            'params_file',
            default_value=str(SHARE / 'config' / 'ik_circles.yaml'),
            description='Parameters of the nodes',
        ),
        DeclareLaunchArgument('namespace', default_value='', description='Namespace of the nodes'),
        DeclareLaunchArgument('sim', default_value='true', description='Start a simulated arm'),
        DeclareLaunchArgument('rviz', default_value='false', description='Start RViz'),
        DeclareLaunchArgument(
            'viewer', default_value='false', description='Serve the page at http://127.0.0.1:8080'
        ),
        DeclareLaunchArgument(
            'demo', default_value='false', description='Send the demonstration targets'
        ),
        OpaqueFunction(function=_nodes),
    ])


def _nodes(context: LaunchContext) -> list:
    urdf = LaunchConfiguration('urdf').perform(context)
    if urdf != TOPIC and not Path(urdf).is_file():
        raise RuntimeError(f'urdf: there is no file {Path(urdf).absolute()}; name a URDF file')
    with_rviz = IfCondition(LaunchConfiguration('rviz'))
    if with_rviz.evaluate(context) and not _installed('rviz2'):
        raise RuntimeError('rviz: rviz2 is not installed; viewer:=true works without')
    description = {} if urdf == TOPIC else {'robot_description': Path(urdf).read_text()}
    common = {'namespace': LaunchConfiguration('namespace'), 'output': 'screen'}
    parameters = [LaunchConfiguration('params_file'), description]
    nodes = [
        Node(package='ik_circles', executable='ik_node', parameters=parameters, **common),
        Node(
            package='ik_circles',
            executable='sim_arm',
            parameters=parameters,
            condition=IfCondition(LaunchConfiguration('sim')),
            **common,
        ),
        Node(
            package='ik_circles',
            executable='demo',
            condition=IfCondition(LaunchConfiguration('demo')),
            **common,
        ),
        Node(
            package='ik_circles',
            executable='viewer',
            parameters=[LaunchConfiguration('params_file')],
            condition=IfCondition(LaunchConfiguration('viewer')),
            **common,
        ),
        Node(
            package='rviz2',
            executable='rviz2',
            arguments=['-d', str(SHARE / 'rviz' / 'arm.rviz')],
            condition=with_rviz,
            **common,
        ),
    ]
    if urdf == TOPIC:
        return nodes
    if not _installed('robot_state_publisher'):
        return [*nodes, LogInfo(msg='robot_state_publisher is not installed: no tf of the links')]
    publisher = Node(
        package='robot_state_publisher',
        executable='robot_state_publisher',
        parameters=[description],
        **common,
    )
    return [*nodes, publisher]


def _installed(package: str) -> bool:
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return False
    return True
