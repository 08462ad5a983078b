# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The viewer node in a real browser: what a user does there, the simulated arm does."""

import math
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from ros_processes import PLANAR_3R, URDF

# isort: split
from browser import Browser, browsing
from ik_circles.msg import IkStatus
from msgspec import msgpack
from selenium.webdriver.common.keys import Keys
from viewer_stack import ARM, MARGIN, Stack, position
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ik_circles.viewer.frame_rate import FRAMES_PER_CORE
from ik_circles.viewer.plain_words import plain
from ik_circles.viewer.settings_controls import KEEP
from ik_circles.viewer.theme import CARDS

#: The button below the card.
BELOW_THE_CARD = f'div:has(> .{CARDS}) + div button'


@pytest.fixture(scope='module')
def stack() -> Iterator[Stack]:
    with ExitStack() as exits:
        yield Stack(exits)


@pytest.fixture(scope='module')
def page(stack: Stack) -> Iterator[Browser]:
    with browsing(stack.address, ARM) as browser:
        yield browser


def test_the_arm_goes_where_the_target_is_dragged(
    stack: Stack, page: Browser, tmp_path: Path
) -> None:
    to = stack.drag(page, (0.5, 0.3, 0.0))
    stack.arrives(to)
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
    page.wait(lambda: page.html('.plane-view').count('class="meeting"') == 2, 'both elbows')
    assert stack.targets[-1].header.frame_id == 'base_link'
    page.picture('dragged.png', tmp_path)


def test_nothing_is_fetched_from_elsewhere(page: Browser) -> None:
    requests = page.requests()
    assert any(url.startswith('http://127.0.0.1:') for url in requests)
    elsewhere = {url for url in requests if not re.match(r'(blob:)?http://127\.|data:', url)}
    assert not elsewhere


def test_a_processor_that_draws_rests_in_between(page: Browser) -> None:
    processors = page.driver.execute_script('return navigator.hardwareConcurrency')
    begin = time.monotonic()
    page.frames(6)
    assert time.monotonic() - begin > 0.9 * 6 / (FRAMES_PER_CORE * processors)


def test_out_of_reach_the_page_says_why_and_the_arm_stays(
    stack: Stack, page: Browser, tmp_path: Path
) -> None:
    stack.probe.wait(lambda: stack.measured, 'the joint states')
    at = stack.drag(page, (0.75, 0.75, 0.0))
    status = stack.status()
    page.wait(lambda: page.text('.verdict').startswith('TOO FAR\n'), status.message)
    assert plain(status.message) in page.text('.verdict')
    far = math.hypot(*at) - (ARM.arm.max_reach - MARGIN)
    assert status.message.startswith(f'too far by {far:.3f} m')
    assert not status.command.name
    assert math.dist(ARM.forward_kinematics(stack.measured)[:3, 3], at) > far
    page.picture('refused.png', tmp_path)


def test_the_controls_set_the_nodes_parameters(stack: Stack, page: Browser) -> None:
    page.choose('Out of reach', 'go to the nearest point')
    stack.probe.wait(lambda: stack.parameter('on_unreachable') == 'nearest', 'the parameter')
    # the refused target is sent again, and the arm goes to the nearest point
    x, y, _ = position(stack.targets[-1])
    share = (ARM.arm.max_reach - MARGIN) / math.hypot(x, y)
    stack.arrives((share * x, share * y, 0.0))
    assert stack.probe.set(branch='elbow_down').successful
    page.wait(lambda: page.chosen('Elbow') == 'down', 'the page')
    page.choose('Out of reach', 'stay')
    stack.probe.wait(lambda: stack.parameter('on_unreachable') == 'reject', 'the parameter')
    page.type(KEEP, '0.9', Keys.ENTER)
    page.wait(lambda: f'It stays at {MARGIN} m.' in page.text('.notice'), 'the refusal')
    page.wait(lambda: page.value(KEEP) == f'{MARGIN}', 'the margin that counts')


def test_the_orientation_turns_the_target_where_it_is(stack: Stack, page: Browser) -> None:
    at = stack.drag(page, (0.5, 0.3, 0.0))
    stack.targets.clear()
    page.press(20 * Keys.ARROW_RIGHT)
    assert stack.dropped() == pytest.approx(at)
    angle = 2.0 * math.atan2(
        stack.targets[-1].pose.orientation.z, stack.targets[-1].pose.orientation.w
    )
    assert math.degrees(angle) == pytest.approx(10.0)
    stack.arrives(at)
    assert sum(stack.measured.values()) == pytest.approx(angle)
    page.type('Tool angle [°]', '22.5', Keys.ENTER)
    typed = pytest.approx(math.radians(22.5))
    stack.probe.wait(lambda: sum(stack.measured.values()) == typed, 'half a degree')


def test_two_browsers_show_the_same(stack: Stack, page: Browser) -> None:
    with browsing(stack.address, ARM) as other:
        to = stack.drag(other, (0.3, -0.4, 0.0))
        stack.arrives(to)
        page.wait(lambda: page.text('.verdict') == other.text('.verdict'), 'the same verdict')
        to = stack.drag(page, (0.6, -0.2, 0.0))  # where the other one has left it
        stack.arrives(to)
        other.wait(lambda: page.html('.plane-view') == other.html('.plane-view'), 'the same view')


def test_a_browser_closed_in_mid_drag_leaves_no_trace(stack: Stack, page: Browser) -> None:
    stack.targets.clear()
    with browsing(stack.address, ARM) as other:
        other.drag((0.5, 0.2, 0.0), release=False)
    stack.arrives(stack.dropped())
    stack.arrives(stack.drag(page, (0.4, 0.4, 0.0)))


UNKNOWN = {'type': 'GuiUpdateMessage', 'uuid': 'none', 'updates': {'value': 'words'}}


WRONG = {
    'empty': b'',
    'noise': b'\xff' * 40,
    'no type': msgpack.encode({'type': 'None'}),
    'no such control': msgpack.encode(UNKNOWN),
    'words': 'words',
}


@pytest.mark.parametrize('wrong', WRONG.values(), ids=WRONG)
def test_a_wrong_message_costs_nobody_anything(
    stack: Stack, page: Browser, wrong: bytes | str
) -> None:
    import viser

    version = f'viser-v{viser.__version__}'
    with connect(stack.address.replace('http', 'ws'), subprotocols=[version]) as socket_:
        socket_.send(wrong)
        try:
            for _ in range(100):
                socket_.recv(timeout=0.2)
        except (TimeoutError, ConnectionClosed):
            pass
    stack.arrives(stack.drag(page, (0.5, 0.1 * (1 + len(wrong) % 3), 0.0)))


def test_the_node_may_start_again(stack: Stack, page: Browser) -> None:
    below = page.middle(BELOW_THE_CARD)
    stack.node.close()
    gone = 'Waiting for the IK node. Until it answers, nothing here moves or stops the arm.'
    page.wait(lambda: gone in page.text('.notice'), 'the notice')
    assert not page.text('.verdict')  # nobody answers
    assert page.middle(BELOW_THE_CARD) == below
    stack.probe.process = stack.start_node()
    page.wait(lambda: not page.text('.notice'), 'the end of the notice')
    stack.lead((0.6, 0.2, 0.0))
    page.wait(lambda: page.ball == (0.6, 0.2, 0.0), 'the ball, which has no target, at the tip')
    to = stack.drag(page, (0.3, 0.5, 0.0))
    assert stack.status().code == IkStatus.OK
    stack.arrives(to)


def test_who_does_not_answer_is_said_and_nothing_old_is_shown(stack: Stack, page: Browser) -> None:
    """Of a ball, of a motion that should begin, of one that is under way, and of a stop."""

    def is_said() -> bool:
        return 'does not answer' in page.text('.notice') and not page.text('.verdict')

    stack.arrives(stack.drag(page, (0.5, 0.3, 0.0)))
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
    with stack.probe.process.paused():
        page.drag((0.4, 0.5, 0.0))
        page.wait(is_said, 'the notice about a ball')
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the answer, which is late')
    page.wait(lambda: not page.text('.notice'), 'the end of the notice')
    with stack.probe.process.paused():
        page.click('Home')
        page.wait(is_said, 'the notice about a motion')
    page.wait(lambda: 'Arrived' in page.text('.verdict'), 'the motion, which is late')
    page.wait(lambda: not page.text('.notice'), 'the end of the notice')
    page.type('Speed', '0.05')
    page.type(next(one for one in page.labels if one.startswith('elbow_joint ')), '60', Keys.ENTER)
    page.wait(lambda: '% of the motion is done' in page.text('.verdict'), 'a slow motion')
    with stack.probe.process.paused():
        page.wait(is_said, 'the notice about a motion under way')
    page.wait(lambda: '% of the motion is done' in page.text('.verdict'), 'the motion, going on')
    page.wait(lambda: not page.text('.notice'), 'the end of the notice')
    with stack.probe.process.paused():
        page.click('Stop')
        page.wait(is_said, 'the notice about a stop')
    page.wait(lambda: 'brought to rest' in page.text('.verdict'), 'the stop, which is late')
    page.type('Speed', '0.5')


def test_another_arm_under_the_viewer(stack: Stack, page: Browser) -> None:
    other = (URDF / 'so101.urdf').read_text()
    assert stack.probe.set(robot_description=other).successful
    page.wait(lambda: page.text('.verdict').startswith('Ready'), 'the other arm')
    assert 'elbow_joint' not in page.text('.readings')
    assert stack.probe.set(robot_description=PLANAR_3R).successful
    page.wait(lambda: 'elbow_joint' in page.text('.readings'), 'the arm before')
    stack.arrives(stack.drag(page, (0.5, -0.2, 0.0)))


def test_the_buttons(stack: Stack, page: Browser) -> None:
    page.click('Home')
    stack.arrives((ARM.arm.max_reach, 0.0, 0.0))
    page.wait(lambda: 'Arrived' in page.text('.verdict'), 'the end')
    stack.targets.clear()
    page.click('Demo path')
    stack.probe.wait(lambda: len(stack.targets) == 3, 'three targets of the demo path')
    stack.arrives(position(stack.targets[-1]))
    page.click('Stop')  # else the path goes on through the tests below
    page.wait_until_still(lambda: page.text('.readings'), 'the end of the path')


def test_a_joint_slider_sends_a_goal_that_moves_that_joint(stack: Stack, page: Browser) -> None:
    def follows() -> bool:
        """The slider is where its joint is."""
        measured = math.degrees(stack.measured['elbow_joint'])
        return float(page.value(label)) == pytest.approx(measured, abs=0.06)

    label = next(one for one in page.labels if one.startswith('elbow_joint '))
    stack.probe.wait(follows, 'the slider to follow')
    stack.targets.clear()
    before = dict(stack.measured)
    wanted = {**before, 'elbow_joint': before['elbow_joint'] + math.radians(4.0)}
    page.slide('elbow_joint', 40 * Keys.ARROW_RIGHT)
    stack.probe.wait(lambda: stack.measured == pytest.approx(wanted, abs=2e-3), 'the joint')
    page.wait(lambda: 'Arrived' in page.text('.verdict'), 'the end')
    assert not stack.targets
    page.check('Enable')
    page.slide('elbow_joint', 40 * Keys.ARROW_RIGHT)
    page.wait(lambda: page.text('.verdict').startswith('DISABLED'), 'the refusal')
    stack.probe.wait(follows, 'the slider to be at its joint again')
    page.drag((0.4, 0.3, 0.0))
    page.wait(lambda: 'In reach' in page.text('.verdict'), 'what would be')
    assert 'The arm is disabled, and stays.' in page.text('.verdict')
    assert stack.measured == pytest.approx(wanted, abs=2e-3)
    assert not stack.targets
    page.check('Enable')
    page.wait(lambda: page.text('.verdict').startswith('Ready'), 'the question to be over')
    stack.arrives(stack.drag(page, (0.5, 0.2, 0.0)))


def test_a_typed_place_is_gone_to_at_speed_and_has_its_verdict(stack: Stack, page: Browser) -> None:
    stack.targets.clear()
    page.type('x [m]', '0.3')
    page.type('y [m]', '0.4', Keys.ENTER)
    page.wait(lambda: page.text('.verdict').startswith('Moving'), 'the motion')
    stack.arrives((0.3, 0.4, 0.0))
    page.wait(lambda: page.text('.verdict').startswith('OK, tilted by'), 'the verdict')
    assert not stack.targets
    page.choose('Elbow', 'down')  # the arm follows the ball that was typed
    stack.probe.wait(lambda: stack.targets, 'the target')
    stack.arrives((0.3, 0.4, 0.0))
    page.choose('Elbow', 'whichever is nearer')


def test_an_elbow_that_cannot_be_where_it_was_asked_for_is_said(
    stack: Stack, page: Browser
) -> None:
    words = 'The elbow cannot be up here: it is down.'
    assert stack.probe.set(branch='nearest').successful
    page.wait(lambda: page.chosen('Elbow') == 'whichever is nearer', 'the page')
    stack.drag(page, (0.1, 0.55, 0.0))
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
    for choice, is_said in (('up', True), ('down', False), ('up', True)):
        page.choose('Elbow', choice)
        page.wait(lambda is_said=is_said: (words in page.text('.verdict')) == is_said, choice)
        assert page.text('.verdict').startswith('OK')
    page.choose('Elbow', 'whichever is nearer')
    page.wait(lambda: words not in page.text('.verdict'), 'the card')


def test_the_nearest_point_is_gone_to(stack: Stack, page: Browser) -> None:
    x, y, _ = stack.drag(page, (0.75, 0.75, 0.0))
    page.wait(lambda: page.text('.verdict').endswith('The arm stays.'), 'the refusal')
    page.click('Go to the nearest point')
    share = (ARM.arm.max_reach - MARGIN) / math.hypot(x, y)
    stack.arrives((share * x, share * y, 0.0))
