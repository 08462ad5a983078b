# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the interface files promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ik_circles.reasons import Code, too_far

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    'interface', ['msg/IkStatus.msg', 'srv/CheckReachability.srv', 'action/MoveTo.action']
)
def test_reason_codes_are_those_of_python(interface: str) -> None:
    text = (ROOT / interface).read_text()
    codes = text.split('\n---\n')[1] if interface.startswith('action') else text
    constants = re.findall(r'^uint8 (\w+)=(\d+)', codes, re.MULTILINE)

    assert {name: int(number) for name, number in constants} == {c.name: c.value for c in Code}


@pytest.mark.parametrize('interface', ['msg/IkStatus.msg', 'srv/CheckReachability.srv'])
def test_the_reason_that_is_quoted_is_worded_as_reasons_are(interface: str) -> None:
    (quoted,) = re.findall(r'with its figure, such as "([^"]*)"', (ROOT / interface).read_text())
    assert too_far(0.034, 0.9, 'joint 1', 0.0).sentence.startswith(quoted)


@pytest.mark.parametrize('where', [ROOT, ROOT / 'test'], ids=['root', 'elsewhere'])
def test_messages_are_found_in_the_folder_of_the_repository_too(where: Path) -> None:
    pytest.importorskip('rclpy', reason='no ROS 2 is installed or sourced')
    ask = (
        'from ik_circles.msg import IkStatus; from ik_circles.srv import CheckReachability; '
        'from ik_circles.action import MoveTo; '
        'from rclpy.serialization import serialize_message; import ik_circles; '
        'print(len(serialize_message(IkStatus(code=3))) > 0, ik_circles.Code.OK.value)'
    )
    asked = subprocess.run(
        [sys.executable, '-c', ask], cwd=where, capture_output=True, text=True, timeout=30.0
    )
    assert asked.stdout == 'True 0\n', asked.stderr
