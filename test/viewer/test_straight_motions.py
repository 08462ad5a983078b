# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight motions in a real browser, with the viewer's node and without ROS."""

import math
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from ros_processes import URDF

# isort: split
from browser import Browser, browsing
from ik_circles.action import MoveTo
from rclpy.action import ActionClient
from std_msgs.msg import Bool
from std_srvs.srv import SetBool
from test_view_command import viewing
from viewer_stack import ARM, Stack

from ik_circles import load_arm
from ik_circles.ros.qos import LATCHED

#: Two places that a straight line joins [m].
HERE, THERE = (0.5, 0.3, 0.0), (0.6, -0.2, 0.0)


@pytest.fixture(scope='module')
def stack() -> Iterator[Stack]:
    with ExitStack() as exits:
        yield Stack(exits)


@pytest.fixture(scope='module')
def page(stack: Stack) -> Iterator[Browser]:
    with browsing(stack.address, ARM) as browser:
        stack.arrives(stack.drag(browser, HERE))
        browser.check('Follow the ball')
        yield browser


def tip(stack: Stack) -> tuple[float, ...]:
    return tuple(ARM.forward_kinematics(stack.measured)[:3, 3].tolist())


def says(stack: Stack, page: Browser, words: str) -> None:
    """Wait until the verdict has these words, and hear the nodes meanwhile."""
    stack.probe.wait(lambda: words in page.text('.verdict'), words)


def test_a_ball_that_is_not_followed_shows_the_way_ahead_and_nothing_moves(
    stack: Stack, page: Browser, tmp_path: Path
) -> None:
    stack.targets.clear()
    page.drag(THERE)
    page.wait(lambda: 'The whole line of 0.5' in page.text('.verdict'), 'the way ahead')
    assert page.text('.verdict').startswith('OK')
    page.picture('ahead.png', tmp_path)
    page.choose('Elbow', 'up')
    stack.probe.wait(lambda: stack.parameter('branch') == 'elbow_up', 'the parameter')
    assert not stack.targets
    assert math.dist(tip(stack), HERE) < 0.01


def test_the_arm_goes_straight_and_stops(stack: Stack, page: Browser) -> None:
    begin = tip(stack)
    page.type('Speed', '0.1')  # a busy machine needs seconds for the click on Stop
    page.click('Straight to the ball')
    says(stack, page, '% of the motion is done.')
    stack.probe.wait(lambda: math.dist(tip(stack), begin) > 0.06, 'the arm on its way')
    page.click('Stop')
    says(stack, page, 'STOPPED')
    x, y, _ = tip(stack)
    at = (y - begin[1]) / (THERE[1] - begin[1])
    assert 0.1 < at < 0.95
    assert x == pytest.approx(begin[0] + at * (THERE[0] - begin[0]), abs=0.02)
    page.type('Speed', '0.5')
    page.click('Straight to the ball')
    says(stack, page, 'Arrived')
    assert math.dist(tip(stack), THERE) < 0.02


def test_stop_stops_goals_of_other_clients(stack: Stack, page: Browser) -> None:
    client = ActionClient(stack.probe.node, MoveTo, 'ik_node/move_to')
    goal = MoveTo.Goal(kind=MoveTo.Goal.JOINTS, speed=0.2)
    goal.joints.name, goal.joints.position = ['shoulder_joint'], [1.5]
    sent = client.send_goal_async(goal)
    stack.probe.wait(sent.done, 'the goal')
    result = sent.result().get_result_async()
    page.click('Stop')
    stack.probe.wait(result.done, 'its end')
    assert result.result().result.code == MoveTo.Result.CANCELED
    client.destroy()


def test_enable_shows_and_sets_whether_the_arm_may_move(stack: Stack, page: Browser) -> None:
    client = stack.probe.node.create_client(SetBool, 'ik_node/enable')
    heard: list[bool] = []
    listen = stack.probe.node.create_subscription
    listen(Bool, 'ik_node/enabled', lambda message: heard.append(message.data), LATCHED)
    page.drag(HERE)  # the other client has turned the tool
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the way ahead')
    assert page.checked('Enable')
    stack.probe.call(client, SetBool.Request(data=False))
    page.wait(lambda: not page.checked('Enable'), 'what the node says')
    page.click('Straight to the ball')
    says(stack, page, 'DISABLED')
    page.check('Enable')
    stack.probe.wait(lambda: heard and heard[-1], 'the node')
    page.click('Straight to the ball')
    says(stack, page, 'Arrived')


def test_a_refused_line_says_its_share(stack: Stack, page: Browser, tmp_path: Path) -> None:
    page.drag((-0.5, 0.3, 0.0))
    page.wait(lambda: 'The line can be followed for' in page.text('.verdict'), 'the way ahead')
    ahead, before = page.text('.verdict'), tip(stack)
    assert '%)' in ahead
    page.picture('refused_line.png', tmp_path)
    page.click('Straight to the ball')  # it is gray
    page.wait_until_still(lambda: page.text('.verdict'), 'the verdict')
    assert page.text('.verdict') == ahead
    assert tip(stack) == pytest.approx(before, abs=1e-6)


def test_a_node_that_goes_in_motion_is_noticed(stack: Stack, page: Browser) -> None:
    page.drag(THERE)
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the way ahead')
    page.click('Straight to the ball')
    says(stack, page, '% of the motion is done.')
    stack.node.close()
    page.wait(lambda: 'of the motion is' not in page.text('.verdict'), 'the end')
    stack.probe.process = stack.start_node()
    page.wait(lambda: not page.text('.notice'), 'the end of the notice')


def test_without_ros_the_drawn_arm_does_the_same_above_its_floor(tmp_path: Path) -> None:
    arm = load_arm(URDF / 'so101.urdf')
    above, low = (0.3, 0.0, 0.15), (0.34, 0.0, -0.03)
    with viewing(URDF / 'so101.urdf', '--floor', '0') as address, browsing(address, arm) as page:
        page.drag(above)
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
        page.check('Follow the ball')
        page.drag(low)
        page.wait(lambda: page.text('.verdict').startswith('FLOOR'), 'the floor in the way')
        page.picture('floor.png', tmp_path)
        refused = page.text('.verdict')
        page.click('Straight to the ball')
        page.wait_until_still(lambda: page.text('.verdict'), 'the refusal')
        assert page.text('.verdict') == refused
        page.drag((0.25, 0.0, 0.2))
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the way ahead')
        page.click('Straight to the ball')
        page.wait(lambda: page.text('.verdict') == 'OK\nArrived.', 'the arm')
