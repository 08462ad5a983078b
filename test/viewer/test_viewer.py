"""The viewer node in a real browser: what is dragged there, the simulated arm does."""

import math
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from ros_processes import PLANAR_3R, PREFIX, URDF, Process, running, started

# isort: split
from browser import Browser, browsing
from geometry_msgs.msg import PoseStamped
from ik_circles.msg import IkStatus
from msgspec import msgpack
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python
from ros_probe import AGAIN, IkProbe
from selenium.webdriver.common.keys import Keys
from sensor_msgs.msg import JointState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ik_circles import load_arm
from ik_circles.robot.arm import Point3
from ik_circles.viewer.frame_rate import PICTURES

CHAIN = load_arm(PLANAR_3R)
VIEWER = PREFIX / 'lib' / 'ik_circles' / 'viewer'
START = (0.9, 0.0, 0.0)
MARGIN = 0.02
#: What is dragged to may be missed by this much: some pixels [m].
NEAR = 0.01
#: A target has been dropped when there is no other for this time [s].
STILL = 0.5
ARM = {'robot_description': PLANAR_3R, 'safe_zone_margin': MARGIN}


class Stack:
    """The node, the arm and the viewer as processes, and a probe on their topics."""

    def __init__(self, stack: ExitStack) -> None:
        self.node = stack.enter_context(ExitStack())
        self.probe = IkProbe(self.start_node())
        stack.callback(self.probe.close)
        stack.enter_context(running('sim_arm', {'robot_description': PLANAR_3R}))
        self.viewer = stack.enter_context(running('viewer', {'port': 0}))
        self.targets: list[PoseStamped] = []
        self.measured: dict[str, float] = {}
        subscribe = self.probe.node.create_subscription
        subscribe(PoseStamped, 'target_pose', self.targets.append, 10)
        subscribe(JointState, 'joint_states', self._hear, 10)
        self.probe.connect()
        self.address = _address(self.probe, self.viewer)
        self.at: Point3 = START

    def start_node(self) -> Process:
        return self.node.enter_context(running('ik_node', ARM))

    def _hear(self, message: JointState) -> None:
        self.measured = dict(zip(message.name, message.position, strict=True))

    def drag(self, browser: Browser, to: Point3) -> Point3:
        """Drag the target there; where it was really dropped."""
        self.targets.clear()
        browser.drag(self.at, to)
        self.probe.wait(
            lambda: self.targets and math.dist(_position(self.targets[-1]), to) < NEAR,
            f'a target near {to}',
        )
        return self.dropped()

    def dropped(self) -> Point3:
        """Where the target is once it is not moved any more."""
        count, since = 0, time.monotonic()

        def still() -> bool:
            nonlocal count, since
            if len(self.targets) != count:
                count, since = len(self.targets), time.monotonic()
            return count > 0 and time.monotonic() - since > STILL

        self.probe.wait(still, 'a target that stays')
        self.at = _position(self.targets[-1])
        return self.at

    def status(self) -> IkStatus:
        """What the node has said of the newest target."""
        found: list[IkStatus] = []

        def answered() -> bool:
            found[:] = [s for s, _ in self.probe.statuses if s.header == self.targets[-1].header]
            return bool(found)

        self.probe.wait(answered, 'the status')
        return found[0]

    def is_at(self, at: Point3) -> bool:
        """Whether the measured joints have the tip there."""
        return math.dist(CHAIN.forward_kinematics(self.measured)[:3, 3], at) < 1e-6

    def arrives(self, at: Point3) -> None:
        self.probe.wait(lambda: self.is_at(at), f'the arm at {at}')

    def lead(self, to: Point3) -> None:
        """Have the arm there without the page, however often that has to be said.

        What a node sends before those who hear it have found it is lost.
        """

        due = 0.0

        def arrived() -> bool:
            nonlocal due
            if time.monotonic() > due:
                self.probe.aim(to)
                due = time.monotonic() + AGAIN
            return self.is_at(to)

        self.probe.wait(arrived, f'the arm at {to}, led there')

    def parameter(self, name: str) -> object:
        client = self.probe.node.create_client(GetParameters, 'ik_node/get_parameters')
        answer = self.probe.call(client, GetParameters.Request(names=[name]))
        return parameter_value_to_python(answer.values[0])


def _address(probe: IkProbe, viewer: Process) -> str:
    found: list[str] = []

    def said() -> bool:
        found[:] = re.findall(r'http://127\.0\.0\.1:\d+', viewer.output)
        return bool(found)

    probe.wait(said, 'the address of the page')
    return found[0]


def _position(message: PoseStamped) -> Point3:
    return message.pose.position.x, message.pose.position.y, message.pose.position.z


@pytest.fixture(scope='module')
def stack() -> Iterator[Stack]:
    with ExitStack() as exits:
        yield Stack(exits)


@pytest.fixture(scope='module')
def page(stack: Stack) -> Iterator[Browser]:
    with browsing(stack.address, CHAIN) as browser:
        yield browser


def test_the_arm_goes_where_the_target_is_dragged(
    stack: Stack, page: Browser, tmp_path: Path
) -> None:
    to = stack.drag(page, (0.5, 0.3, 0.0))
    stack.arrives(to)
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
    page.wait(lambda: page.html('.side-view').count('class="meeting"') == 2, 'both elbows')
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
    assert time.monotonic() - begin > 0.9 * 6 / (PICTURES * processors)


def test_out_of_reach_the_page_says_why_and_the_arm_stays(
    stack: Stack, page: Browser, tmp_path: Path
) -> None:
    stack.probe.wait(lambda: stack.measured, 'the joint states')
    stack.drag(page, (0.75, 0.75, 0.0))
    status = stack.status()
    page.wait(lambda: page.text('.verdict') == f'TOO FAR\n{status.message}', status.message)
    far = math.hypot(*stack.at) - (CHAIN.arm.max_reach - MARGIN)
    assert status.message.startswith(f'too far by {far:.3f} m')
    assert not status.command.name
    assert math.dist(CHAIN.forward_kinematics(stack.measured)[:3, 3], stack.at) > far
    page.picture('refused.png', tmp_path)


def test_the_controls_set_the_nodes_parameters(stack: Stack, page: Browser) -> None:
    page.choose('on_unreachable', 'nearest')
    stack.probe.wait(lambda: stack.parameter('on_unreachable') == 'nearest', 'the parameter')
    # the refused target is sent again, and the arm goes to the nearest point
    x, y, _ = stack.at
    share = (CHAIN.arm.max_reach - MARGIN) / math.hypot(x, y)
    stack.arrives((share * x, share * y, 0.0))
    assert stack.probe.set(branch='elbow_down').successful
    page.wait(lambda: page.chosen('branch') == 'elbow_down', 'the page')
    page.choose('on_unreachable', 'reject')
    stack.probe.wait(lambda: stack.parameter('on_unreachable') == 'reject', 'the parameter')


def test_the_orientation_turns_the_target_where_it_is(stack: Stack, page: Browser) -> None:
    at = stack.drag(page, (0.5, 0.3, 0.0))
    stack.targets.clear()
    page.press(20 * Keys.ARROW_RIGHT)
    assert stack.dropped() == pytest.approx(at)
    turn = 2.0 * math.atan2(
        stack.targets[-1].pose.orientation.z, stack.targets[-1].pose.orientation.w
    )
    assert math.degrees(turn) == pytest.approx(10.0)
    stack.arrives(at)
    assert sum(stack.measured.values()) == pytest.approx(turn)
    page.type_orientation('22.5')
    typed = pytest.approx(math.radians(22.5))
    stack.probe.wait(lambda: sum(stack.measured.values()) == typed, 'half a degree')


def test_two_browsers_show_the_same(stack: Stack, page: Browser) -> None:
    with browsing(stack.address, CHAIN) as other:
        to = stack.drag(other, (0.3, -0.4, 0.0))
        stack.arrives(to)
        page.wait(lambda: page.text('.verdict') == other.text('.verdict'), 'the same verdict')
        to = stack.drag(page, (0.6, -0.2, 0.0))  # where the other one has left it
        stack.arrives(to)
        other.wait(lambda: page.html('.side-view') == other.html('.side-view'), 'the same view')


def test_a_browser_closed_in_mid_drag_leaves_no_trace(stack: Stack, page: Browser) -> None:
    stack.targets.clear()
    with browsing(stack.address, CHAIN) as other:
        other.drag(stack.at, (0.5, 0.2, 0.0), release=False)
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
def test_a_wrong_message_ends_its_own_connection_only(
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
    stack.node.close()
    page.wait(lambda: 'waiting for the IK node' in page.text('.notice'), 'the notice')
    stack.probe.process = stack.start_node()
    page.wait(lambda: not page.text('.notice'), 'the end of the notice')
    stack.lead((0.6, 0.2, 0.0))
    to = stack.drag(page, (0.3, 0.5, 0.0))
    assert stack.status().code == IkStatus.OK
    stack.arrives(to)


def test_another_arm_under_the_viewer(stack: Stack, page: Browser) -> None:
    other = (URDF / 'so101.urdf').read_text()
    assert stack.probe.set(robot_description=other).successful
    page.wait(lambda: page.text('.verdict').startswith('Ready'), 'the other arm')
    assert 'elbow_joint' not in page.text('.figures')
    assert stack.probe.set(robot_description=PLANAR_3R).successful
    page.wait(lambda: 'elbow_joint' in page.text('.figures'), 'the arm before')
    stack.at = tuple(map(float, CHAIN.forward_kinematics(stack.measured)[:3, 3]))
    stack.arrives(stack.drag(page, (0.5, -0.2, 0.0)))


def test_the_buttons(stack: Stack, page: Browser) -> None:
    page.click('Home')
    stack.arrives((CHAIN.arm.max_reach - MARGIN, 0.0, 0.0))
    stack.targets.clear()
    page.click('Demo path')
    stack.probe.wait(lambda: len(stack.targets) == 3, 'three targets of the demo path')
    stack.arrives(_position(stack.targets[-1]))
    stack.at = _position(stack.targets[-1])


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = taken.getsockname()[1]
        with started('viewer', {'port': port}) as viewer:
            assert viewer.wait() == 1
            assert f'cannot serve on 127.0.0.1:{port}' in viewer.output
            assert 'Traceback' not in viewer.output


@pytest.mark.parametrize('port', ['abc', '99999', 'taken'])
def test_for_a_port_of_no_use_nothing_is_started(port: str) -> None:
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = str(taken.getsockname()[1]) if port == 'taken' else port
        command = [VIEWER, '--urdf', URDF / 'so101.urdf', '--port', port]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=10.0)
    assert (ended.returncode, ended.stdout) == (2, '')
    (sentence,) = ended.stderr.splitlines()
    assert f'cannot serve on 127.0.0.1:{port} ' in sentence


@contextmanager
def viewing_what_it_started() -> Iterator[subprocess.Popen[str]]:
    """The viewer with nodes of its own, once all are there; nobody may be left of its group."""
    command = [VIEWER, '--urdf', URDF / 'so101.urdf', '--port', '0']
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            awaited = {'open http://127.0.0.1:', '[ik_node]: arm from base_link'}
            while awaited:
                line = process.stderr.readline()
                assert line, f'it has ended without {awaited}'
                awaited = {words for words in awaited if words not in line}
            yield process
            with pytest.raises(ProcessLookupError):
                os.killpg(process.pid, 0)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize('whom', [os.kill, os.killpg], ids=['it', 'all, as Ctrl-C does'])
def test_all_ends_with_the_viewer_that_has_started_it(whom: Callable) -> None:
    with viewing_what_it_started() as process:
        whom(process.pid, signal.SIGINT)
        assert process.wait(timeout=10.0) == 0
        assert 'ended' not in process.stderr.read()


@pytest.mark.parametrize('name', ['ik_node', 'sim_arm'])
def test_the_viewer_ends_with_what_it_has_started(name: str) -> None:
    with viewing_what_it_started() as process:
        children = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
        (child,) = (c for c in children if name in Path(f'/proc/{c}/cmdline').read_text())
        os.kill(int(child), signal.SIGKILL)
        assert process.wait(timeout=10.0) == 1
        assert f'viewer: {name} ended, so this ends too' in process.stderr.read()
