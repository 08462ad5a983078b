# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Messages that are read without default ones before say the same."""

import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='no ROS 2 is installed or sourced')
# isort: split
from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped, TransformStamped
from ik_circles.srv import CheckReachability
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from ik_circles.ros import blank_messages
from ik_circles.ros.blank_messages import read_without_defaults

KINDS = [
    PoseStamped, TransformStamped, PoseWithCovarianceStamped, JointState,
    CheckReachability.Request, SetBool.Request,
]  # fmt: skip
GENERATED = re.compile(r'\w+\.(msg|srv)\._\w+')


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Other tests read messages as they are read without the node."""
    modules = [module for name, module in sys.modules.items() if GENERATED.fullmatch(name)]
    before = [(module, dict(vars(module))) for module in modules]
    yield
    for module, names in before:
        vars(module).update(names)


def filled(kind: Any, rng: np.random.Generator) -> Any:
    """A message of a class with some value in every field."""
    message = kind()
    for name in kind.get_fields_and_field_types():
        before = getattr(message, name)
        if hasattr(before, 'get_fields_and_field_types'):
            value = filled(type(before), rng)
        elif isinstance(before, (bool, int)):
            value = type(before)(rng.integers(2))
        elif isinstance(before, (float, str)):
            value = type(before)(rng.normal())
        elif isinstance(before, np.ndarray):
            value = rng.normal(size=len(before))
        else:
            value = [str(one) if name == 'name' else one for one in rng.normal(size=3)]
        setattr(message, name, value)
    return message


@pytest.mark.parametrize('kind', KINDS)
def test_a_message_is_read_as_it_was_sent(kind: Any) -> None:
    rng = np.random.default_rng(8)
    read_without_defaults(kind)
    read = []
    for _ in range(50):
        sent = filled(kind, rng)
        read.append((str(sent), deserialize_message(serialize_message(sent), kind)))
    for said, message in read:  # only now: none has a part of another one
        assert type(message) is kind
        assert str(message) == said
        assert deserialize_message(serialize_message(message), kind) == message


def test_a_request_is_read_without_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = serialize_message(CheckReachability.Request(check_orientation=True))
    read_without_defaults(CheckReachability.Request)
    defaults = []
    for kind in (PoseStamped, CheckReachability.Request):
        monkeypatch.setattr(kind, '__init__', lambda self, **_: defaults.append(self))
    assert deserialize_message(sent, CheckReachability.Request).check_orientation
    assert defaults == []


@pytest.mark.parametrize('kind', KINDS)
def test_messages_are_made_with_defaults_as_before(kind: Any) -> None:
    before = str(kind())
    read_without_defaults(kind)
    assert str(kind()) == before


def test_a_release_that_reads_messages_in_another_way_keeps_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blank_messages, 'deserialize_message', lambda *_: 1 / 0)
    read_without_defaults(PoseStamped)
    assert sys.modules[PoseStamped.__module__].PoseStamped is PoseStamped
