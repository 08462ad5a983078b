# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Declares to ROS the parameters in `ik_circles/control/settings.py`, and reads their values."""

from collections.abc import Mapping, Sequence
from typing import Any

import rclpy
from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import InvalidParameterTypeException
from rclpy.node import Node

from ik_circles.control.parameters import Group, Parameter, parameters_of
from ik_circles.errors import InvalidSettingError
from ik_circles.ros.descriptions import text_in

#: A range in ROS needs an upper end. A number above this is a mistake.
LARGEST = 1e6


def names_of(*groups: type) -> list[str]:
    """Names of the parameters of some groups."""
    return [one.name for group in groups for one in parameters_of(group)]


def declare(node: Node, *groups: type) -> dict[str, Any]:
    """Declare the parameters of some groups on the node; return the values it starts with."""
    for group in groups:
        for one in sorted(parameters_of(group), key=lambda one: one.name != 'urdf_file'):
            default = list(one.default) if isinstance(one.default, tuple) else one.default
            if one.name == 'robot_description' and node.get_parameter('urdf_file').value:
                _declare_from_file(node, one)
            else:
                _declare(node, one.name, default, descriptor(one))
    return {name: node.get_parameter(name).value for name in names_of(*groups)}


def _declare(node: Node, name: str, default: Any, described: ParameterDescriptor) -> None:
    """Declare a parameter. A float given as a whole number raises InvalidSettingError, because ROS
    recognizes the type by the decimal point."""
    try:
        node.declare_parameter(name, default, described)
    except InvalidParameterTypeException as error:
        if not isinstance(default, float):
            raise
        raise InvalidSettingError(
            f'{name} needs a number with a decimal point, such as 1.0 in place of 1 ({error})'
        ) from None


def _declare_from_file(node: Node, description: Parameter) -> None:
    """Declare robot_description with the text of urdf_file, so that other nodes can read it."""
    file = node.get_parameter('urdf_file').value
    text, given = text_in(file), node.declare_parameter(description.name, '').value
    if given not in ('', text):
        raise InvalidSettingError(
            f'urdf_file is {file}, but robot_description has another text; give only one of them'
        )
    node.undeclare_parameter(description.name)
    described = descriptor(description)
    node.declare_parameter(description.name, text, described, ignore_override=True)


def check_start_only(start: Mapping[str, Any], values: Mapping[str, Any], *groups: type) -> None:
    """Raise InvalidSettingError if a parameter that is read at the start gets another value."""
    for one in (one for group in groups for one in parameters_of(group)):
        if one.start_only and values[one.name] != start[one.name]:
            raise InvalidSettingError(f'{one.name} is read at the start; {one.start_only}')


def changed(before: Mapping[str, Any], changes: list[rclpy.Parameter]) -> dict[str, Any]:
    """The values after changes. A text with other white space is the one before, because
    `ros2 param load` folds lines."""
    own = {one.name: one.value for one in changes if one.name in before}
    new = (name for name, value in own.items() if not _is_same(value, before[name]))
    return {**before, **{name: own[name] for name in new}}


def _is_same(one: object, other: object) -> bool:
    """Whether values are the same apart from white space."""
    if isinstance(one, str) and isinstance(other, str):
        return one.split() == other.split()
    return one == other


def keep(node: Node, start: Mapping[str, Any], group: type) -> None:
    """Refuse to change parameters of a node that reads all of them at the start."""

    def on_parameters(changes: list[rclpy.Parameter]) -> SetParametersResult:
        try:
            check_start_only(start, changed(start, changes), group)
        except InvalidSettingError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    node.add_on_set_parameters_callback(on_parameters)


def descriptor(parameter: Parameter) -> ParameterDescriptor:
    """The declaration in ROS's terms."""
    unit = f' [{parameter.unit}]' if parameter.unit else ''
    # For ROS, no parameter is read-only, so that a file with the present values can be loaded. If a
    # parameter is read at the start, the nodes themselves refuse another value.
    described = ParameterDescriptor(description=parameter.sentence + unit)
    lower, upper = parameter.lower, min(parameter.upper, LARGEST)
    if parameter.choices:
        described.additional_constraints = f'one of {", ".join(parameter.choices)}'
    elif isinstance(parameter.default, float):
        described.floating_point_range = [FloatingPointRange(from_value=lower, to_value=upper)]
    elif isinstance(parameter.default, int) and not isinstance(parameter.default, bool):
        largest = int(parameter.upper)
        described.integer_range = [IntegerRange(from_value=int(lower), to_value=largest, step=1)]
    elif isinstance(parameter.default, tuple):
        # An empty list has no type in rclpy (ros2/rclpy#912) or in YAML, so `read` checks it.
        described.dynamic_typing = True
    return described


def read(group: type[Group], values: Mapping[str, Any]) -> Group:
    """The group with its values; InvalidSettingError if one of them is not allowed."""
    return group(**{
        one.name: _texts(one.name, values[one.name])
        if isinstance(one.default, tuple)
        else values[one.name]
        for one in parameters_of(group)
    })


def _texts(parameter: str, value: Any) -> tuple[str, ...]:
    """A list of texts; an empty list may come with any type, or with none at all."""
    if value is None:
        return ()
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        value = [value]
    for item in value:
        if not isinstance(item, str):
            raise InvalidSettingError(f'{parameter} has {item!r}; give a list of texts')
    return tuple(value)
