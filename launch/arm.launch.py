# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node, a simulated arm and what shows them; its arguments: add `-s` to `ros2 launch`."""

from pathlib import Path
from tempfile import mkstemp

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
    SetLaunchConfiguration,
    Shutdown,
    TimerAction,
)
from launch.conditions import IfCondition
from launch.event_handlers import OnShutdown
from launch.events.process import ProcessExited
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from ik_circles.control.settings import HIGHEST_PORT, NO_FLOOR
from ik_circles.errors import IkCirclesError
from ik_circles.robot.shipped import shipped
from ik_circles.ros.descriptions import text_in
from ik_circles.ros.floors import floor_under, height, links_in
from ik_circles.ros.launch_arguments import check_arguments
from ik_circles.ros.rviz import configured

SHARE = Path(get_package_share_directory('ik_circles'))
#: Value of the argument urdf for a robot whose description somebody else publishes.
TOPIC = 'topic'
COMMON = {'namespace': LaunchConfiguration('namespace'), 'output': 'screen'}
SWITCH = ['true', 'false', 'True', 'False', '1', '0']
#: After a node was killed, a goal under way has this long to end with NO_FEEDBACK [s].
LAST_WORDS = 5.0


def generate_launch_description() -> LaunchDescription:
    text = ParameterValue(LaunchConfiguration('robot_description'), value_type=str)
    description = {'robot_description': text}
    return LaunchDescription([
        DeclareLaunchArgument(
            'urdf',
            default_value='planar_3r',
            description='URDF file of the robot, package://PACKAGE/PATH, or the name of a shipped '
            f'robot ({", ".join(shipped())}); "topic": the topic robot_description is used',
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
        DeclareLaunchArgument(
            'viewer_port',
            default_value='',
            description='Port of the page; 0: any free one; empty: that of params_file, or 8080',
        ),
        switch('demo', 'false', 'Send the demonstration targets'),
        switch('move_real_arm', 'false', 'Allow demo:=true with sim:=false'),
        DeclareLaunchArgument(
            'motion',
            default_value='',
            description='direct or smooth (see docs/motion.md); empty: with sim:=false smooth, '
            'else that of params_file',
        ),
        DeclareLaunchArgument(
            'enabled',
            default_value='',
            description='Whether the arm may move before ~/enable is called; empty: not with '
            'sim:=false, else as in params_file',
        ),
        DeclareLaunchArgument(
            'floor',
            default_value='auto',
            description='Height of a floor along the z of base_link [m]; auto: 0 for arms that '
            'stand on base_link, and that of params_file for others; none: no floor',
        ),
        OpaqueFunction(function=prepare),
        node('ik_node', [*files('params_file', 'tolerances', 'gently'), description]),
        node('sim_arm', [*files('params_file'), description], 'sim'),
        node('viewer', files('params_file', 'page'), 'viewer'),
        Node(package='ik_circles', executable='demo', condition=given('demo'), **COMMON),
        Node(
            package='rviz2',
            executable='rviz2',
            arguments=['-d', LaunchConfiguration('rviz_config')],
            condition=given('rviz'),
            **COMMON,
        ),
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            parameters=[description],
            condition=given('publish_links'),
            **COMMON,
        ),
    ])


def files(*names: str) -> list[LaunchConfiguration]:
    """Files with parameters, of which a later one counts more."""
    return [LaunchConfiguration(name) for name in names]


def given(name: str) -> IfCondition:
    """Whether a switch is on."""
    return IfCondition(LaunchConfiguration(name))


def node(name: str, parameters: list, condition: str | None = None) -> Node:
    """A node of this package; if it ends by itself, everything ends.

    It has a name: without one, params_file would override the parameters that follow it.
    """

    def ended(event: ProcessExited, context: LaunchContext) -> list:
        if context.is_shutdown:
            return []
        if event.returncode == 0:  # a Ctrl-C may end the node before launch hears of it
            return [Shutdown(reason=f'{name} was told to end')]

        def fail(context: LaunchContext) -> None:
            raise RuntimeError(
                f'{name} has ended with exit code {event.returncode}, so this launch ends; '
                'its last lines say why'
            )

        if event.returncode > 0:
            fail(context)
        said = LogInfo(msg=f'{name} was killed; this launch ends in {LAST_WORDS:.0f} s')
        return [said, TimerAction(period=LAST_WORDS, actions=[OpaqueFunction(function=fail)])]

    return Node(
        package='ik_circles',
        executable=name,
        name=name,
        parameters=parameters,
        condition=given(condition) if condition else None,
        on_exit=ended,
        **COMMON,
    )


def switch(name: str, default: str, description: str) -> DeclareLaunchArgument:
    """An argument that is refused here if it is neither on nor off, before any node has started."""
    return DeclareLaunchArgument(
        name, default_value=default, description=description, choices=SWITCH
    )


def prepare(context: LaunchContext) -> list:
    """Check what the user asks for, before any node has started, and set what nodes are given."""
    names = [one.name for one in generate_launch_description().get_launch_arguments()]
    check_arguments(__file__, context.argv, names)
    urdf = LaunchConfiguration('urdf').perform(context)
    from_topic = urdf == TOPIC
    description = '' if from_topic else text_of(urdf)
    params_file = LaunchConfiguration('params_file').perform(context)
    if not Path(params_file).is_file():
        raise RuntimeError(f'params_file: there is no file {Path(params_file).absolute()}')
    is_on = {name: given(name).evaluate(context) for name in ('demo', 'sim', 'move_real_arm')}
    if is_on['demo'] and not (is_on['sim'] or is_on['move_real_arm']):
        raise RuntimeError(
            'demo: with sim:=false it moves a real arm, and knows of nothing around it; '
            'if that is meant, add move_real_arm:=true'
        )
    actions = [
        SetLaunchConfiguration('robot_description', description),
        SetLaunchConfiguration('tolerances', params_file),
        SetLaunchConfiguration('page', params_file),
        SetLaunchConfiguration('publish_links', str(not from_topic)),
    ]
    if not from_topic and not installed('robot_state_publisher'):
        actions += [
            SetLaunchConfiguration('publish_links', 'false'),
            LogInfo(msg='robot_state_publisher is not installed: no tf of the links'),
        ]
    if given('rviz').evaluate(context):
        actions += prepare_rviz(description)
    actions += prepare_motion(context, description, is_on['sim'])
    port = LaunchConfiguration('viewer_port').perform(context)
    if port:
        actions += prepare_port(port)
        if not given('viewer').evaluate(context):
            actions.append(LogInfo(msg=f'viewer_port:={port} has no effect without viewer:=true'))
    return actions


def prepare_motion(context: LaunchContext, description: str, is_simulated: bool) -> list:
    """Write down how the arm may move: a real one gently, and none below what it stands on."""
    motion, enabled, floor = (
        LaunchConfiguration(name).perform(context) for name in ('motion', 'enabled', 'floor')
    )
    values: dict[str, str | bool | float] = {}
    if motion or not is_simulated:
        values['motion'] = choice('motion', motion or 'smooth', ['direct', 'smooth'])
    if enabled or not is_simulated:
        values['start_enabled'] = choice('enabled', enabled or 'false', SWITCH).lower() in '1true'
    said: list = []
    if floor == 'auto':
        said = put_floor(context, description, values)
    else:
        values['floor'] = NO_FLOOR if floor == 'none' else height(floor)
    if not values:  # the file before it once more, because a later file counts more
        return [*said, SetLaunchConfiguration('gently', LaunchConfiguration('tolerances'))]
    text = yaml.safe_dump({'/**': {'ros__parameters': values}})
    return [*said, *with_file('gently', 'motion_', '.yaml', text)]


def choice(name: str, value: str, choices: list[str]) -> str:
    """The value of an argument; RuntimeError says what it may be."""
    if value not in choices:
        raise RuntimeError(f"{name}: '{value}'; choose one of {', '.join(choices)}")
    return value


def put_floor(context: LaunchContext, description: str, values: dict) -> list:
    """Put a floor under an arm that stands on base_link; if nobody knows, say so."""
    if not description:
        return [LogInfo(msg='floor: auto is that of params_file if the URDF comes from a topic')]
    file, space = (one.perform(context) for one in files('params_file', 'namespace'))
    try:
        floor = floor_under(description, **links_in(file, space))
    except IkCirclesError as error:
        return [LogInfo(msg=f'floor: auto is that of params_file, as no arm was found: {error}')]
    if floor != NO_FLOOR:
        values['floor'] = floor
    return []


def prepare_port(port: str) -> list:
    """Write the port into a file of parameters, and remove it in the end."""
    if not (port.isdecimal() and int(port) <= HIGHEST_PORT):
        raise RuntimeError(f'viewer_port: {port} is no port; give one from 0 to {HIGHEST_PORT}')
    text = f'/**:\n  ros__parameters:\n    port: {int(port)}\n'
    return with_file('page', 'viewer_port_', '.yaml', text)


def prepare_rviz(description: str) -> list:
    """Write RViz's configuration for this robot, and remove it in the end."""
    if not installed('rviz2'):
        raise RuntimeError('rviz: rviz2 is not installed; viewer:=true works without')
    text = configured((SHARE / 'rviz' / 'arm.rviz').read_text(), description)
    return [
        *with_file('rviz_config', 'arm_', '.rviz', text),
        SetLaunchConfiguration('tolerances', str(SHARE / 'config' / 'rviz.yaml')),
    ]


def with_file(name: str, prefix: str, suffix: str, text: str) -> list:
    """Set an argument to the name of a file with this text, which is removed in the end."""
    file = Path(mkstemp(prefix=prefix, suffix=suffix)[1])
    file.write_text(text)
    return [
        SetLaunchConfiguration(name, str(file)),
        RegisterEventHandler(OnShutdown(on_shutdown=lambda *_: file.unlink(missing_ok=True))),
    ]


def text_of(urdf: str) -> str:
    """The text of a URDF; RuntimeError says why there is none."""
    try:
        return text_in(urdf)
    except IkCirclesError as error:
        raise RuntimeError(f'urdf: {error}') from None


def installed(package: str) -> bool:
    """Whether ROS knows a package of that name."""
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return False
    return True
