# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Stop, while the arm is on its way to the ball."""

import math
import re
from contextlib import ExitStack

from ros_processes import PLANAR_3R

# isort: split
from browser import browsing
from viewer_stack import ARM, Stack


def test_stop_holds_an_arm_on_its_way_to_the_ball() -> None:
    """The node has sent all of its way at once."""
    slow = re.sub(r'velocity="[\d.]+"', 'velocity="0.05"', PLANAR_3R)
    with ExitStack() as exits:
        stack = Stack(exits, slow)
        page = exits.enter_context(browsing(stack.address, ARM))
        to, begin = stack.drag(page, (0.5, 0.3, 0.0)), dict(stack.measured)
        stack.probe.wait(lambda: change(begin, stack.measured) > 0.05, 'the arm on its way')
        page.click('Stop')
        stack.probe.wait(lambda: 'arrived' in page.text('.verdict'), 'the end')
        held = dict(stack.measured)
        stack.probe.wait(lambda: change(held, stack.measured) < 1e-3, 'the arm at rest')
        assert not stack.is_at(to)
        assert math.dist(ARM.forward_kinematics(held)[:3, 3], to) > 0.02


def change(one: dict[str, float], other: dict[str, float]) -> float:
    """The largest change of a joint [rad]."""
    return max(abs(one[name] - other[name]) for name in one)
