# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Each `ros2` command of the documents fits this package: topics, types, fields, programs, names.

The command itself comes with a full ROS 2, not as a wheel; the programs and messages are here.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from ros_processes import PREFIX

from ik_circles.control.parameters import parameters_of
from ik_circles.control.settings import ModelParameters, MotionParameters, Settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / 'README.md', *sorted((ROOT / 'docs').rglob('*.md'))
GROUPS = ModelParameters, MotionParameters, Settings
PARAMETERS = {one.name for group in GROUPS for one in parameters_of(group)}
#: Services of vendors' drivers, which the pages about their arms call.
OF_VENDORS = ('dynamixel_hardware_interface/set_dxl_torque',)
#: Where a command of the command line says what it sends: after its options.
SENDS = ('topic', 'pub'), ('service', 'call'), ('action', 'send_goal')


def commands() -> Iterator[tuple[str, list[str]]]:
    """The words of each command after `ros2`, with its document."""
    for document in DOCUMENTS:
        for block in re.findall(r'```sh\n(.*?)```', document.read_text(), re.DOTALL):
            for line in block.replace('\\\n', ' ').splitlines():
                words = shlex.split(line, comments=True)
                if words[:1] == ['ros2']:
                    yield document.name, words[1:]


COMMANDS = list(commands())
TABLE = (ROOT / 'docs' / 'topics.md').read_text() + (ROOT / 'docs' / 'moveit.md').read_text()


def of_package(verb: str) -> list[Any]:
    """The commands with this verb that start something of this package."""
    return [
        pytest.param(words[2:], id=f'{document}-{" ".join(words)[:50]}')
        for document, words in COMMANDS
        if words[:2] == [verb, 'ik_circles']
    ]


def sent() -> list[Any]:
    """Topic or service, type and content of each message that a command sends."""
    found = []
    for document, words in COMMANDS:
        if tuple(words[:2]) in SENDS:
            name, kind, content = words[-3:]
            found.append(pytest.param(name, kind, content, id=f'{document}-{name}-{content[:30]}'))
    return found


def fill(message: Any, values: dict[str, Any]) -> None:
    """Set fields of a message as `ros2` does: each has to exist, and to take its value."""
    for name, value in values.items():
        field = getattr(message, name)
        if isinstance(value, dict):
            fill(field, value)
        else:
            setattr(message, name, float(value) if isinstance(field, float) else value)
            assert getattr(message, name) == value or list(getattr(message, name)) == value


@pytest.mark.parametrize(('name', 'kind', 'content'), sent())
def test_what_a_command_sends_is_a_message_of_a_documented_topic(
    name: str, kind: str, content: str
) -> None:
    package, group, base = kind.split('/')
    documented = name.replace('/ik_node/', '~/') if '/ik_node/' in name else name[1:]
    assert f'`{documented}`' in TABLE or documented in OF_VENDORS
    if importlib.util.find_spec(package) is None:
        assert package == 'moveit_msgs'  # it has no wheel
        return
    found = getattr(importlib.import_module(f'{package}.{group}'), base)
    message = {'srv': 'Request', 'action': 'Goal'}.get(group)
    fill(getattr(found, message)() if message else found(), yaml.safe_load(content))


@pytest.mark.parametrize('words', of_package('run'))
def test_a_program_that_a_command_runs_is_here_and_has_the_parameters(words: list[str]) -> None:
    assert (PREFIX / 'lib' / 'ik_circles' / words[0]).exists()
    changed = [words[at + 1] for at, word in enumerate(words) if word == '-p']
    assert {one.partition(':=')[0] for one in changed} <= PARAMETERS
    moved = [words[at + 1] for at, word in enumerate(words) if word == '-r']
    assert all(f'`{one.partition(":=")[0]}`' in TABLE for one in moved)


@pytest.mark.parametrize('words', of_package('launch'))
def test_a_launch_file_that_a_command_starts_has_the_arguments(words: list[str]) -> None:
    file, *arguments = words
    text = (PREFIX / 'share' / 'ik_circles' / 'launch' / file).read_text()
    declared = re.findall(r"(?:DeclareLaunchArgument|switch)\(\s*'(\w+)'", text)
    assert {one.partition(':=')[0] for one in arguments} <= {*declared}


def test_each_kind_of_command_is_documented() -> None:
    assert {verb for _, (verb, *_) in COMMANDS} >= {'launch', 'run', 'topic', 'service', 'action'}
    assert sent() and of_package('run') and of_package('launch')
