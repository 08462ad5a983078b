"""Parameters of the IK node: declared, described and turned into Settings in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter

from ik_circles.control.settings import (
    COMMAND_INTERFACES,
    ON_UNREACHABLE,
    ORIENTATION_MODES,
    Settings,
)
from ik_circles.errors import InvalidSettingError
from ik_circles.planar.redundancy.policy import REDUNDANCIES
from ik_circles.planar.selection import BRANCHES
from ik_circles.robot.arm import RobotArm, load_arm
from ik_circles.robot.urdf import MAX_BYTES

#: What makes the model.
MODEL = {
    'robot_description': "Text of the robot's URDF; empty: taken from the topic of that name.",
    'base_link': 'Link that the arm starts at; empty: the root of the robot.',
    'tip_link': 'Link that is to reach the target; empty: found, where there is only one answer.',
}
#: Names of parameters of which a change reads the robot description again.
MODEL_NAMES = (*MODEL, 'max_description_bytes')
CHOICES = {
    'orientation_mode': (
        'Orientation of a target pose: fixed (as given or not at all), preferred (as given, else '
        'the nearest that works), free (ignored: the present one, or the nearest that works).',
        ORIENTATION_MODES,
    ),
    'branch': (
        'Which of the solutions: nearest (largest joint change smallest), elbow_up or elbow_down '
        '(the other elbow only where the named one has no solution).',
        BRANCHES,
    ),
    'redundancy': (
        'With any orientation: keep_orientation (the present one, or the nearest that works), '
        'centred (amid those that work), outermost (the wrist as far out as possible), z_form '
        '(link 2 crosses the line to the target).',
        REDUNDANCIES,
    ),
    'on_unreachable': (
        'What to send for a target out of reach: reject (nothing), nearest (the nearest pose).',
        ON_UNREACHABLE,
    ),
    'command_interface': (
        'What is sent beside joint_command: joint_state (nothing), trajectory (joint_trajectory, '
        'for a joint_trajectory_controller), position_array (position_commands, for a '
        'forward_command_controller).',
        COMMAND_INTERFACES,
    ),
}
NUMBERS = {
    'safe_zone_margin': 'Distance [m] by which both safe zones are shrunk.',
    'out_of_plane_tolerance': (
        "Distance [m] from the arm's plane within which a target is taken, without a yaw joint."
    ),
    'seed_tolerance': 'A joint measured this little [rad] past its limit counts as on the limit.',
    'max_joint_step': 'Farthest that one command may move a joint [rad]; 0: any distance.',
    'target_timeout': 'Age [s] from which a target is not taken any more; 0: any age.',
}
SHARES = {
    'z_form_k': "Share of link 2's length at which it crosses the line to the target (z_form).",
}
LISTS = {
    'controller_joints': "Names of the controller's joints in its order; empty: the arm's own.",
}
NAMES = (*MODEL_NAMES, *CHOICES, *NUMBERS, *SHARES, *LISTS)
LARGEST = 1e6
LARGEST_DESCRIPTION = 1_000_000_000


def declare(node: Node) -> dict[str, Any]:
    """Declare every parameter on the node; the values it starts with."""
    defaults = Settings()
    for name, description in MODEL.items():
        node.declare_parameter(name, '', ParameterDescriptor(description=description))
    node.declare_parameter(
        'max_description_bytes',
        MAX_BYTES,
        ParameterDescriptor(
            description='A robot_description that is longer than this is refused unread.',
            integer_range=[IntegerRange(from_value=1, to_value=LARGEST_DESCRIPTION, step=1)],
        ),
    )
    for name, (description, choices) in CHOICES.items():
        descriptor = ParameterDescriptor(
            description=description, additional_constraints=f'one of {", ".join(choices)}'
        )
        node.declare_parameter(name, getattr(defaults, name), descriptor)
    for name, description in (NUMBERS | SHARES).items():
        largest = 1.0 if name in SHARES else LARGEST
        bounds = FloatingPointRange(from_value=0.0, to_value=largest)
        descriptor = ParameterDescriptor(description=description, floating_point_range=[bounds])
        node.declare_parameter(name, getattr(defaults, name), descriptor)
    for name, description in LISTS.items():
        # An empty list has no type in rclpy (ros2/rclpy#912) and YAML: settings_of checks it.
        descriptor = ParameterDescriptor(description=description, dynamic_typing=True)
        node.declare_parameter(name, [], descriptor)
    return {name: node.get_parameter(name).value for name in NAMES}


def changed(values: Mapping[str, Any], parameters: list[Parameter]) -> dict[str, Any]:
    """The node's values with those of `parameters` that are its own put in their place."""
    return {**values, **{p.name: p.value for p in parameters if p.name in values}}


def chain_of(values: Mapping[str, Any]) -> RobotArm:
    """The planar chain that the node's values describe."""
    return load_arm(
        values['robot_description'],
        values['base_link'],
        values['tip_link'],
        max_bytes=values['max_description_bytes'],
    )


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Settings from the node's values; InvalidSettingError if one of them is not allowed."""
    lists = {name: _names(name, values[name]) for name in LISTS}
    return Settings(**{field.name: values[field.name] for field in fields(Settings)} | lists)


def _names(parameter: str, value: Any) -> tuple[str, ...]:
    """A list of names; an empty one may come with any type, or with none at all."""
    if value is None:
        return ()
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        value = [value]
    for item in value:
        if not isinstance(item, str):
            raise InvalidSettingError(f'{parameter} has {item!r}; give a list of joint names')
    return tuple(value)
