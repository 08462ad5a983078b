"""Parameters of the IK node: declared, described and turned into Settings in one place."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter

from ik_circles.chain import PlanarChain
from ik_circles.planner import ON_UNREACHABLE, ORIENTATION_MODES, Settings
from ik_circles.reduction import load_planar_chain
from ik_circles.selection import BRANCHES

#: What makes the model; a change of these reads the robot description again.
MODEL = {
    'robot_description': "Text of the robot's URDF; empty: taken from the topic of that name.",
    'base_link': 'Link that the arm starts at; empty: the root of the robot.',
    'tip_link': 'Link that is to reach the target; empty: found, where there is only one answer.',
}
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
    'on_unreachable': (
        'What to send for a target out of reach: reject (nothing), nearest (the nearest pose).',
        ON_UNREACHABLE,
    ),
}
LENGTHS = {
    'safe_zone_margin': 'Distance [m] by which both safe zones are shrunk.',
    'out_of_plane_tolerance': "Distance [m] from the arm's plane within which a target is taken.",
}
LONGEST = 1e6


def declare(node: Node) -> dict[str, Any]:
    """Declare every parameter on the node; the values it starts with."""
    defaults = Settings()
    for name, description in MODEL.items():
        node.declare_parameter(name, '', ParameterDescriptor(description=description))
    for name, (description, choices) in CHOICES.items():
        descriptor = ParameterDescriptor(
            description=description, additional_constraints=f'one of {", ".join(choices)}'
        )
        node.declare_parameter(name, getattr(defaults, name), descriptor)
    for name, description in LENGTHS.items():
        bounds = FloatingPointRange(from_value=0.0, to_value=LONGEST)
        descriptor = ParameterDescriptor(description=description, floating_point_range=[bounds])
        node.declare_parameter(name, getattr(defaults, name), descriptor)
    return {name: node.get_parameter(name).value for name in (*MODEL, *CHOICES, *LENGTHS)}


def changed(values: Mapping[str, Any], parameters: list[Parameter]) -> dict[str, Any]:
    """The node's values with those of `parameters` that are its own put in their place."""
    return {**values, **{p.name: p.value for p in parameters if p.name in values}}


def chain_of(values: Mapping[str, Any]) -> PlanarChain:
    """The planar chain that the node's values describe."""
    return load_planar_chain(values['robot_description'], values['base_link'], values['tip_link'])


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Settings from the node's values; InvalidSettingError if one of them is not allowed."""
    return Settings(**{field.name: values[field.name] for field in fields(Settings)})
