"""The viewer node: serves a page that shows the arm and sends targets, as any other client would.

Everything happens in rclpy's one thread: what the page asks for from its own threads goes through a
queue, and a guard condition wakes the executor. The page is fed by a timer that stands still while
nobody looks. Joint states are taken together when they are to be shown, not one by one.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from geometry_msgs.msg import PoseStamped
from rcl_interfaces.msg import (
    IntegerRange,
    ParameterDescriptor,
    ParameterEvent,
)
from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.parameter import Parameter, parameter_value_to_python
from rclpy.subscription import Subscription
from rclpy.task import Future
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from transforms3d.quaternions import mat2quat
from visualization_msgs.msg import MarkerArray

from ik_circles.errors import IkCirclesError
from ik_circles.msg import IkStatus
from ik_circles.planner import Target
from ik_circles.reachability import Code
from ik_circles.ros import parameters
from ik_circles.ros.conversions import nanoseconds, positions_of
from ik_circles.ros.demo import running_nodes
from ik_circles.ros.joint_states import JointStates
from ik_circles.ros.quality import LATCHED, NO_EVENTS
from ik_circles.ros.run import run
from ik_circles.srv import CheckReachability
from ik_circles.urdf import Matrix
from ik_circles.viewer.page import RATE, Page
from ik_circles.viewer.state import Answer, Snapshot

#: At most one question about other solutions in this time [s]: the node has targets to answer.
ASK_PAUSE = 0.1
#: A service that has not answered in this time [s] will not: its node has gone.
PATIENCE = 2.0
#: Targets that are waited for at a time; older ones count as lost.
WAITING = 100
HIGHEST_PORT = 65535


class Viewer(Node):
    """A client of the IK node: publishes target_pose, and nothing else."""

    def __init__(self) -> None:
        super().__init__('viewer')
        host, port = self._declare()
        self._state = Snapshot(notice='waiting for the IK node')
        self._model: dict[str, Any] = {}
        self._latched = ''
        self._sent: dict[int, tuple[float, Target]] = {}
        self._answered: deque[float] = deque()
        self._joints: set[str] = set()
        self._measured: dict[str, float] = {}
        self._calls: dict[str, tuple[float, Any, Future]] = {}
        self._asked_about: Answer | None = None
        self._asked_at = 0.0
        self._requests: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._guard = self.create_guard_condition(self._on_requests)
        self._targets = self.create_publisher(
            PoseStamped, 'target_pose', 1, event_callbacks=NO_EVENTS
        )
        self._joint_states = JointStates(self, self._on_joint_states)
        self.create_subscription(String, 'robot_description', self._on_description, LATCHED)
        self.create_subscription(MarkerArray, 'ik_node/workspace', self._on_workspace, LATCHED)
        self.create_subscription(ParameterEvent, '/parameter_events', self._on_event, 10)
        self._statuses: Subscription | None = None
        self._get = self.create_client(GetParameters, 'ik_node/get_parameters')
        self._set = self.create_client(SetParameters, 'ik_node/set_parameters')
        self._check = self.create_client(CheckReachability, 'ik_node/check_reachability')
        self._page = Page(self, host, port)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = self.create_timer(1.0 / RATE, self._on_timer, clock=steady)
        self._page.on_watched(lambda: self._request(self._wake))
        self.get_logger().info(f'open {self._page.address} in a browser')

    def destroy_node(self) -> None:
        self._page.close()
        super().destroy_node()

    def _declare(self) -> tuple[str, int]:
        host = ParameterDescriptor(
            description='Address to serve the page on; 127.0.0.1: for this machine only.',
            read_only=True,
        )
        port = ParameterDescriptor(
            description='Port to serve the page on; 0: any that is free.',
            integer_range=[IntegerRange(from_value=0, to_value=HIGHEST_PORT, step=1)],
            read_only=True,
        )
        return (
            self.declare_parameter('host', '127.0.0.1', host).value,
            self.declare_parameter('port', 8080, port).value,
        )

    # --- from the page's threads ---

    def aim(self, target: Target) -> None:
        """Send the arm to a target."""
        self._request(partial(self._publish, target))

    def set(self, name: str, value: str | float) -> None:
        """Change a parameter of the IK node."""
        self._request(partial(self._set_parameter, name, value))

    def _request(self, act: Callable[[], None]) -> None:
        self._requests.put(act)
        self._guard.trigger()

    # --- in rclpy's thread ---

    def _on_requests(self) -> None:
        try:
            while True:
                self._requests.get_nowait()()
        except Empty:
            return

    def _wake(self) -> None:
        """Somebody looks: answers count from now on."""
        self._timer.reset()
        if self._statuses is None:
            self._statuses = self.create_subscription(
                IkStatus, 'ik_node/status', self._on_status, 10
            )

    def _sleep(self) -> None:
        """Nobody looks."""
        self._timer.cancel()
        if self._statuses is not None:
            self.destroy_subscription(self._statuses)
            self._statuses = None

    def _on_timer(self) -> None:
        if not self._page.watched:
            self._sleep()
            return
        try:
            self._tick()
        except IkCirclesError as error:  # the held joints may be where the arm is none
            self._state = replace(self._state, notice=str(error))

    def _tick(self) -> None:
        self._joint_states.take()
        self._look_after_calls()
        self._ask_for_solutions()
        now = time.monotonic()
        while self._answered and self._answered[0] < now - 1.0:
            self._answered.popleft()
        state = replace(self._state, measured=dict(self._measured), rate=len(self._answered))
        if state.chain is not None:
            state = replace(state, chain=state.chain.holding(self._measured))
        self._state = state
        self._page.show(state)

    # --- the model and the parameters ---

    def _on_description(self, message: String) -> None:
        self._latched = message.data
        self._read_parameters()

    def _on_workspace(self, message: MarkerArray) -> None:
        """The IK node has started, or has another model or margin."""
        self._read_parameters()

    def _on_event(self, event: ParameterEvent) -> None:
        if event.node == self._node_name():
            self._read_parameters()

    def _node_name(self) -> str:
        return str(self.resolve_topic_name('ik_node'))

    def _read_parameters(self) -> None:
        request = GetParameters.Request(names=list(parameters.NAMES))
        self._call('parameters', self._get, request, self._on_parameters)

    def _on_parameters(self, response: GetParameters.Response) -> None:
        values = dict(
            zip(parameters.NAMES, map(parameter_value_to_python, response.values), strict=True)
        )
        values['robot_description'] = values['robot_description'] or self._latched
        try:
            settings = parameters.settings_of(values)
            model = {name: values[name] for name in parameters.MODEL_NAMES}
            chain = self._state.chain
            if model['robot_description'] and model != self._model:
                chain = parameters.chain_of(values)
                self._joints, self._measured = {j.name for j in chain.robot.joints}, {}
                self._state = replace(self._state, target=None, answer=None)
            self._model = model
        except IkCirclesError as error:
            self._state = replace(self._state, notice=str(error))
            return
        description = model['robot_description']
        notice = '' if chain else 'the IK node has no robot_description yet'
        self._state = replace(
            self._state, chain=chain, description=description, settings=settings, notice=notice
        )

    def _set_parameter(self, name: str, value: str | float) -> None:
        parameter = Parameter(name, value=value).to_parameter_msg()
        request = SetParameters.Request(parameters=[parameter])
        self._call(f'setting {name}', self._set, request, self._on_set)

    def _on_set(self, response: SetParameters.Response) -> None:
        (result,) = response.results
        self._state = replace(self._state, notice='' if result.successful else result.reason)
        if self._state.target is not None and result.successful:
            self._publish(self._state.target)

    # --- targets ---

    def _publish(self, target: Target) -> None:
        chain = self._state.chain
        if chain is None:
            return
        message = PoseStamped()
        message.header.frame_id = chain.base_link
        message.header.stamp = self.get_clock().now().to_msg()
        _fill(message, target.position, target.rotation)
        while len(self._sent) >= WAITING:
            del self._sent[next(iter(self._sent))]
        self._sent[nanoseconds(message.header.stamp)] = time.perf_counter(), target
        self._state = replace(self._state, target=target)
        self._targets.publish(message)

    def _on_status(self, status: IkStatus) -> None:
        self._answered.append(time.monotonic())
        sent = self._sent.pop(nanoseconds(status.header.stamp), None)
        if sent is None:  # of another client
            return
        begin, target = sent
        if target is not self._state.target:
            return
        nearest = status.nearest.pose.position
        answer = Answer(
            Code(status.code),
            status.message,
            (nearest.x, nearest.y, nearest.z) if status.nearest.header.frame_id else None,
            dict(zip(status.command.name, status.command.position)),
        )
        took = time.perf_counter() - begin
        self._state = replace(self._state, answer=answer, latency=took)

    def _on_joint_states(self, message: JointState) -> None:
        self._measured.update(positions_of(message, self._joints))

    def _ask_for_solutions(self) -> None:
        """Every way to be where the command has the tip, once the target stays for a moment."""
        chain, answer = self._state.chain, self._state.answer
        now = time.monotonic()
        if chain is None or answer is None or answer is self._asked_about or not answer.command:
            return
        if 'solutions' in self._calls or now - self._asked_at < ASK_PAUSE:
            return
        pose = chain.forward_kinematics({**self._measured, **answer.command})
        request = CheckReachability.Request(check_orientation=True)
        request.target.header.frame_id = chain.base_link
        _fill(request.target, pose[:3, 3].tolist(), pose[:3, :3])
        self._asked_about, self._asked_at = answer, now
        self._call('solutions', self._check, request, partial(self._on_solutions, answer))

    def _on_solutions(self, answer: Answer, response: CheckReachability.Response) -> None:
        if self._state.answer is not answer:
            return
        found = tuple(dict(zip(one.name, one.position)) for one in response.solutions)
        self._asked_about = replace(answer, solutions=found)
        self._state = replace(self._state, answer=self._asked_about)

    # --- services ---

    def _call(
        self, what: str, client: Any, request: Any, on_answer: Callable[[Any], None]
    ) -> None:
        """Ask; of several questions of one kind, the newest answer counts."""
        self._drop(what)
        if not client.service_is_ready():
            return
        future = client.call_async(request)
        self._calls[what] = time.monotonic(), client, future

        def answered(future: Future) -> None:
            if self._calls.get(what, (0.0, None, None))[2] is future:
                del self._calls[what]
                on_answer(future.result())

        future.add_done_callback(answered)

    def _drop(self, what: str) -> None:
        if what in self._calls:
            _, client, future = self._calls.pop(what)
            client.remove_pending_request(future)

    def _look_after_calls(self) -> None:
        """What was asked of a node that has gone is forgotten; the parameters are asked again."""
        now = time.monotonic()
        for what, (asked_at, _, _) in tuple(self._calls.items()):
            if now - asked_at > PATIENCE:
                self._drop(what)
        if not self._get.service_is_ready():
            self._model, self._state = {}, replace(self._state, notice='waiting for the IK node')
        elif not self._model and 'parameters' not in self._calls:
            self._read_parameters()


def _fill(message: PoseStamped, at: Any, rotation: Matrix | None) -> None:
    """Put position [m] and orientation (3x3) into a pose."""
    position, orientation = message.pose.position, message.pose.orientation
    position.x, position.y, position.z = at
    if rotation is not None:
        quaternion = mat2quat(rotation).tolist()
        orientation.w, orientation.x, orientation.y, orientation.z = quaternion


def main() -> int:
    """Serve the page until the node is told to stop."""
    parser = argparse.ArgumentParser(prog='viewer', description=__doc__)
    parser.add_argument('--urdf', help='start ik_node and sim_arm for this file and stop them')
    urdf = parser.parse_args(remove_ros_args(sys.argv)[1:]).urdf
    try:
        description = pathlib.Path(urdf).read_text() if urdf else ''
    except (OSError, UnicodeDecodeError) as error:
        print(f'viewer: {urdf}: {error}', file=sys.stderr)
        return 1
    with running_nodes(description) if urdf else nullcontext():
        return run(Viewer)


if __name__ == '__main__':
    raise SystemExit(main())
