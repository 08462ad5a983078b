"""The IK node, a simulated arm and what shows them; its arguments: add `-s` to `ros2 launch`."""

from pathlib import Path
from tempfile import mkstemp

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
    SetLaunchConfiguration,
)
from launch.conditions import IfCondition
from launch.event_handlers import OnShutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from ik_circles.ros.rviz import configured

SHARE = Path(get_package_share_directory('ik_circles'))
#: Value of the argument urdf for a robot whose description somebody else publishes.
TOPIC = 'topic'
SWITCH = ['true', 'false', 'True', 'False', '1', '0']


def generate_launch_description() -> LaunchDescription:
    common = {'namespace': LaunchConfiguration('namespace'), 'output': 'screen'}
    params_file = LaunchConfiguration('params_file')
    text = ParameterValue(LaunchConfiguration('robot_description'), value_type=str)
    description = {'robot_description': text}
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
        switch('sim', 'true', 'Start a simulated arm'),
        switch('rviz', 'false', 'Start RViz'),
        switch('viewer', 'false', 'Serve the page at http://127.0.0.1:8080'),
        switch('demo', 'false', 'Send the demonstration targets'),
        OpaqueFunction(function=prepare),
        Node(  # with a name: without one, params_file would override the parameters given here
            package='ik_circles',
            executable='ik_node',
            name='ik_node',
            parameters=[params_file, LaunchConfiguration('tolerances'), description],
            **common,
        ),
        Node(
            package='ik_circles',
            executable='sim_arm',
            parameters=[params_file, description],
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
            parameters=[params_file],
            condition=IfCondition(LaunchConfiguration('viewer')),
            **common,
        ),
        Node(
            package='rviz2',
            executable='rviz2',
            arguments=['-d', LaunchConfiguration('rviz_config')],
            condition=IfCondition(LaunchConfiguration('rviz')),
            **common,
        ),
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            parameters=[description],
            condition=IfCondition(LaunchConfiguration('publish_links')),
            **common,
        ),
    ])


def switch(name: str, default: str, description: str) -> DeclareLaunchArgument:
    """An argument that is refused here if it is neither on nor off, before any node has started."""
    return DeclareLaunchArgument(
        name, default_value=default, description=description, choices=SWITCH
    )


def prepare(context: LaunchContext) -> list:
    """Check what the user asks for, before any node has started, and set what nodes are given."""
    urdf = LaunchConfiguration('urdf').perform(context)
    from_topic = urdf == TOPIC
    description = '' if from_topic else text_of(Path(urdf))
    actions = [
        SetLaunchConfiguration('robot_description', description),
        SetLaunchConfiguration('tolerances', LaunchConfiguration('params_file')),
        SetLaunchConfiguration('publish_links', str(not from_topic)),
    ]
    if not from_topic and not installed('robot_state_publisher'):
        actions += [
            SetLaunchConfiguration('publish_links', 'false'),
            LogInfo(msg='robot_state_publisher is not installed: no tf of the links'),
        ]
    if IfCondition(LaunchConfiguration('rviz')).evaluate(context):
        actions += prepare_rviz(description)
    return actions


def prepare_rviz(description: str) -> list:
    """Write RViz's configuration for this robot, and remove it in the end."""
    if not installed('rviz2'):
        raise RuntimeError('rviz: rviz2 is not installed; viewer:=true works without')
    file = Path(mkstemp(prefix='arm_', suffix='.rviz')[1])
    file.write_text(configured((SHARE / 'rviz' / 'arm.rviz').read_text(), description))
    return [
        SetLaunchConfiguration('rviz_config', str(file)),
        SetLaunchConfiguration('tolerances', str(SHARE / 'config' / 'rviz.yaml')),
        RegisterEventHandler(OnShutdown(on_shutdown=lambda *_: file.unlink(missing_ok=True))),
    ]


def text_of(urdf: Path) -> str:
    """The text of a URDF file; RuntimeError says why there is none."""
    if not urdf.is_file():
        raise RuntimeError(f'urdf: there is no file {urdf.absolute()}; name a URDF file')
    try:
        text = urdf.read_text(encoding='utf-8')
    except UnicodeDecodeError:
        raise RuntimeError(f'urdf: {urdf} is not UTF-8; convert it') from None
    if not text.strip():
        raise RuntimeError(f'urdf: {urdf} is empty; name the file of a robot')
    return text


def installed(package: str) -> bool:
    """Whether ROS knows a package of that name."""
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return False
    return True
