"""What the interface files promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ik_circles.reasons import Code

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize('interface', ['msg/IkStatus.msg', 'srv/CheckReachability.srv'])
def test_reason_codes_are_those_of_python(interface: str) -> None:
    constants = re.findall(r'^uint8 (\w+)=(\d+)', (ROOT / interface).read_text(), re.MULTILINE)

    assert {name: int(number) for name, number in constants} == {c.name: c.value for c in Code}
