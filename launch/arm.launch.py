"""The IK node, a simulated arm and what shows them; its arguments: add `-s` to `ros2 launch`."""

import json
from pathlib import Path
from tempfile import NamedTemporaryFile

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from ik_circles.errors import InvalidUrdfError
from ik_circles.urdf import parse_urdf

SHARE = Path(get_package_share_directory('ik_circles'))

#: Value of the argument urdf for a robot that somebody else publishes.
TOPIC = 'topic'
SWITCH = ['true', 'false', 'True', 'False', '1', '0']


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
        _switch('sim', 'true', 'Start a simulated arm'),
        _switch('rviz', 'false', 'Start RViz'),
        _switch('viewer', 'false', 'Serve the page at http://127.0.0.1:8080'),
        _switch('demo', 'false', 'Send the demonstration targets'),
        OpaqueFunction(function=_nodes),
    ])


def _switch(name: str, default: str, description: str) -> DeclareLaunchArgument:
    """Refused here if it is neither on nor off: later, nodes that run already would be left."""
    return DeclareLaunchArgument(
        name, default_value=default, description=description, choices=SWITCH
    )


def _nodes(context: LaunchContext) -> list:
    urdf = LaunchConfiguration('urdf').perform(context)
    if urdf != TOPIC and not Path(urdf).is_file():
        raise RuntimeError(f'urdf: there is no file {Path(urdf).absolute()}; name a URDF file')
    with_rviz = IfCondition(LaunchConfiguration('rviz')).evaluate(context)
    if with_rviz and not _installed('rviz2'):
        raise RuntimeError('rviz: rviz2 is not installed; viewer:=true works without')
    description = {} if urdf == TOPIC else {'robot_description': _text(urdf)}
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
    ]
    if with_rviz:
        arguments = ['-d', rviz_config(description.get('robot_description', ''))]
        nodes.append(Node(package='rviz2', executable='rviz2', arguments=arguments, **common))
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


def _text(urdf: str) -> str:
    try:
        return Path(urdf).read_text(encoding='utf-8')
    except UnicodeDecodeError:
        raise RuntimeError(f'urdf: {urdf} is not UTF-8; save it as that') from None


def rviz_config(description: str) -> str:
    """File of the configuration, with the robot's root as Fixed Frame.

    rviz2's own --fixed-frame comes after the displays have subscribed, and clears what they have
    heard by then: the workspace, which is sent once.
    """
    file = SHARE / 'rviz' / 'arm.rviz'
    try:
        root = parse_urdf(description).root
    except InvalidUrdfError:  # there is none yet, or ik_node says what is wrong with it
        return str(file)
    if root == 'base_link':
        return str(file)
    text = file.read_text().replace('Fixed Frame: base_link', f'Fixed Frame: {json.dumps(root)}')
    with NamedTemporaryFile('w', prefix='arm_', suffix='.rviz', delete=False) as copy:
        copy.write(text)
    return copy.name


def _installed(package: str) -> bool:
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return False
    return True
