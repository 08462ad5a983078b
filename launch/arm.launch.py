"""The IK node, a simulated arm and what shows them; its arguments: add `-s` to `ros2 launch`."""

import math
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo, OpaqueFunction, RegisterEventHandler
from launch.conditions import IfCondition
from launch.event_handlers import OnShutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from ik_circles import RobotArm, load_arm
from ik_circles.errors import IkCirclesError
from ik_circles.geometry.rigid import rotation_about
from ik_circles.robot.urdf import parse_urdf

SHARE = Path(get_package_share_directory('ik_circles'))

#: Value of the argument urdf for a robot that somebody else publishes.
TOPIC = 'topic'
SWITCH = ['true', 'false', 'True', 'False', '1', '0']
#: Beside RViz, which finds what is under the mouse no better than to about a centimetre.
TOLERANT = {'out_of_plane_tolerance': 0.02}


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
    ik_parameters = [*parameters, TOLERANT] if with_rviz else parameters
    nodes = [
        Node(  # named, or what params_file says of it would count more than what is said here
            package='ik_circles',
            executable='ik_node',
            name='ik_node',
            parameters=ik_parameters,
            **common,
        ),
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
        file = rviz_config(description.get('robot_description', ''))
        remove = OnShutdown(on_shutdown=lambda *_: Path(file).unlink(missing_ok=True))
        rviz = Node(package='rviz2', executable='rviz2', arguments=['-d', file], **common)
        nodes = [RegisterEventHandler(remove), *nodes, rviz]
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
        text = Path(urdf).read_text(encoding='utf-8')
    except UnicodeDecodeError:
        raise RuntimeError(f'urdf: {urdf} is not UTF-8; save it as that') from None
    if not text.strip():
        raise RuntimeError(f'urdf: {urdf} is empty; name the file of a robot')
    return text


def rviz_config(description: str) -> str:
    """File of the configuration for this robot: its root as Fixed Frame, and a view of its plane.

    rviz2's own --fixed-frame comes after the displays have subscribed, and clears what they have
    heard by then: the workspace, which is sent once.
    """
    config = yaml.safe_load((SHARE / 'rviz' / 'arm.rviz').read_text())
    manager = config['Visualization Manager']
    with suppress(IkCirclesError):  # there is none yet, or ik_node says what is wrong with it
        manager['Global Options']['Fixed Frame'] = parse_urdf(description).root
        manager['Views']['Current'] = rviz_view(load_arm(description))
    with NamedTemporaryFile('w', prefix='arm_', suffix='.rviz', delete=False) as copy:
        yaml.safe_dump(config, copy)
    return copy.name


def rviz_view(chain: RobotArm) -> dict:
    """From above on a plane that lies flat, else on it from a little above; the yaw joint is where
    the simulated arm starts."""
    yaw, reach = chain.home.yaw, chain.arm.max_reach
    x, y, flat = rotation_about(np.array(chain.yaw_axis), yaw) @ chain.normal
    at_x, at_y, at_z = chain.from_plane(0.0, 0.0, yaw)
    if abs(flat) > math.cos(0.5):
        return {
            'Class': 'rviz_default_plugins/TopDownOrtho',
            'Name': 'Current View',
            'Scale': 252.0 / reach,
            'X': at_x,
            'Y': at_y,
        }
    side = 1.0 if flat > -1e-3 else -1.0  # from where more of the plane is seen from above
    return {
        'Class': 'rviz_default_plugins/Orbit',
        'Name': 'Current View',
        'Distance': 3.2 * reach,
        'Yaw': math.atan2(side * y, side * x) + 0.5,
        'Pitch': 0.5,
        'Focal Point': {'X': at_x, 'Y': at_y, 'Z': at_z},
    }


def _installed(package: str) -> bool:
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return False
    return True
