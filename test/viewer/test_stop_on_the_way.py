# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Stop, or Enable off, while the arm is on its way to the ball."""

import math
import re
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from ros_processes import PLANAR_3R

# isort: split
from browser import Browser, browsing
from sensor_msgs.msg import JointState
from viewer_stack import ARM, Stack

#: So many joint states that are the same are those of an arm at rest.
STATES = 20


@pytest.mark.parametrize(
    ('ends', 'said'),
    [
        (lambda page: page.click('Stop'), 'STOPPED'),
        (lambda page: page.check('Enable'), 'DISABLED'),
    ],
    ids=['Stop', 'Enable off'],
)
def test_an_arm_on_its_way_to_the_ball_is_held(
    ends: Callable[[Browser], None], said: str
) -> None:
    """The node has sent all of its way at once."""
    slow = re.sub(r'velocity="[\d.]+"', 'velocity="0.05"', PLANAR_3R)
    with ExitStack() as exits:
        stack = Stack(exits, slow)
        page = exits.enter_context(browsing(stack.address, ARM))
        to, begin = stack.drag(page, (0.5, 0.3, 0.0)), dict(stack.measured)
        stack.probe.wait(lambda: change(begin, stack.measured) > 0.05, 'the arm on its way')
        ends(page)
        stack.probe.wait(lambda: said in page.text('.verdict'), 'the end')
        heard: list[dict[str, float]] = []

        def hear(message: JointState) -> None:
            heard.append(dict(zip(message.name, message.position)))

        stack.probe.node.create_subscription(JointState, 'joint_states', hear, 10)
        rests = lambda: heard[STATES:] and change(heard[-STATES], heard[-1]) < 1e-4  # noqa: E731
        stack.probe.wait(rests, 'the arm at rest')
        held = heard[-1]
        assert math.dist(ARM.forward_kinematics(held)[:3, 3], to) > 0.02


def change(one: dict[str, float], other: dict[str, float]) -> float:
    """The largest change of a joint [rad]."""
    return max(abs(one[name] - other[name]) for name in one)
