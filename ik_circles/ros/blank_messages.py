# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reads messages without the default messages that rclpy's converters make first.

To read a message, its converter makes a default message, and then replaces every field. The default
message comes with default parts, and the converter of each part makes another default for itself.
For a PoseStamped, that makes 14 objects, and only 6 are kept.

A converter looks up the class of its message by name, in the module that was generated for it. So
this module puts something else under that name. All other code takes the class from its package, as
before. If a release of ROS reads messages in another way, nothing is changed. Remove this module
once converters make no defaults: https://github.com/ros2/rosidl_python/issues/192
"""

import sys
from typing import Any

from rclpy.serialization import deserialize_message, serialize_message

#: Types of fields that a converter replaces. It fills in an array of numbers instead.
REPLACED = bool, int, float, str


def read_without_defaults(kind: Any) -> None:
    """Have messages of a class, and the messages in them, read without defaults.

    A class is left as it is if it has fields other than plain values and messages.
    """
    default = kind()
    fields = [getattr(default, name) for name in kind.get_fields_and_field_types()]
    parts = {type(field) for field in fields if hasattr(field, 'get_fields_and_field_types')}
    for part in parts:
        read_without_defaults(part)
    if all(isinstance(field, (*REPLACED, *parts)) for field in fields):
        module = sys.modules[kind.__module__]
        setattr(module, kind.__name__, _Blank(kind))
        if not _is_read_as(default):
            setattr(module, kind.__name__, kind)


def _is_read_as(message: Any) -> bool:
    """Whether a message is read as it was sent."""
    try:
        return bool(deserialize_message(serialize_message(message), type(message)) == message)
    except Exception:  # another release may do anything with it
        return False


class _Blank:
    """Makes messages of a class without values in their fields."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._has_checks = '_check_fields' in kind.__slots__  # from Jazzy on

    def __call__(self) -> Any:
        message = object.__new__(self._kind)
        if self._has_checks:
            message._check_fields = False
        return message

    def __getattr__(self, name: str) -> Any:
        """The class also uses its name in that module: to look up its own defaults."""
        return getattr(self._kind, name)
