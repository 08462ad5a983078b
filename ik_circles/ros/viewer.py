"""The viewer node: serves a page that shows the arm and sends targets, as any other client would.

Everything happens in rclpy's one thread: what the page asks for from its own threads goes through a
queue, which keeps its order, and a task of the executor's empties it. The page is fed by a timer.
While nobody looks it stands still, and neither joint states nor answers are heard.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from rcl_interfaces.msg import IntegerRange, ParameterDescriptor
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.subscription import Subscription
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import JointState
from transforms3d.quaternions import mat2quat

from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.geometry.rigid import Rotation
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros.conversions import nanoseconds, positions_of
from ik_circles.ros.demo import readable, running_nodes
from ik_circles.ros.ik_model import IkModel
from ik_circles.ros.qos import MEASURED, NO_EVENTS, NO_EVENTS_HEARD
from ik_circles.ros.service_calls import Calls
from ik_circles.ros.spinning import run
from ik_circles.srv import CheckReachability
from ik_circles.viewer.page import REFRESH_RATE, Page
from ik_circles.viewer.server import check_address
from ik_circles.viewer.state import LastSecond, Snapshot, TargetAnswer

#: At most one question about other solutions in this time [s]: the node has targets to answer.
ASK_PAUSE = 0.1
#: Targets that are waited for at a time; older ones count as lost.
WAITING = 100
HOST, PORT, HIGHEST_PORT = '127.0.0.1', 8080, 65535
#: Time between two looks for whether the nodes that it has started are still there [s].
LOOK_AFTER = 1.0
#: The viewer's niceness: who looks on does not keep the IK node waiting for a processor.
GIVE_WAY = 10


class Viewer(Node):
    """A client of the IK node: publishes target_pose, and nothing else."""

    def __init__(self, port: int = PORT) -> None:
        super().__init__('viewer')
        host, port = self._declare(port)
        self._state = Snapshot()
        self._sent: dict[int, tuple[float, Target]] = {}
        self._answers = LastSecond()
        self._chain: RobotArm | None = None
        self._joints: set[str] = set()
        self._measured: dict[str, float] = {}
        self._calls = Calls()
        self._model = IkModel(self, self._calls)
        self._asked_about: TargetAnswer | None = None
        self._asked_at = 0.0
        self._requests: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._targets = self.create_publisher(
            PoseStamped, 'target_pose', 1, event_callbacks=NO_EVENTS
        )
        self._heard: list[Subscription] = []
        self._check = self.create_client(CheckReachability, 'ik_node/check_reachability')
        self._page = Page(self, host, port)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = self.create_timer(1.0 / REFRESH_RATE, self._on_timer, clock=steady)
        self._page.on_watched(lambda: self._request(self._wake))
        self.get_logger().info(f'open {self._page.address} in a browser')

    def destroy_node(self) -> None:
        self._page.close()
        super().destroy_node()

    def _declare(self, default: int) -> tuple[str, int]:
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
            self.declare_parameter('host', HOST, host).value,
            self.declare_parameter('port', default, port).value,
        )

    # --- from the page's threads ---

    def aim(self, target: Target) -> None:
        """Send the arm to a target."""
        self._request(partial(self._publish, target))

    def set(self, name: str, value: str | float) -> None:
        """Change a parameter of the IK node."""
        self._request(lambda: self._model.set(name, value, self._send_again))

    def _request(self, act: Callable[[], None]) -> None:
        self._requests.put(act)
        if self.executor is not None:  # what comes sooner is done with what comes next
            self.executor.create_task(self._on_requests)

    # --- in rclpy's thread ---

    def _on_requests(self) -> None:
        try:
            while True:
                self._requests.get_nowait()()
        except Empty:
            return

    def _wake(self) -> None:
        """Somebody looks: joint states and answers count from now on."""
        self._timer.reset()
        if not self._heard:
            self._heard = [
                self.create_subscription(kind, topic, hear, qos, event_callbacks=NO_EVENTS_HEARD)
                for kind, topic, hear, qos in (
                    (IkStatus, 'ik_node/status', self._on_status, 10),
                    (JointState, 'joint_states', self._on_joint_states, MEASURED),
                )
            ]

    def _sleep(self) -> None:
        """Nobody looks."""
        self._timer.cancel()
        while self._heard:
            self.destroy_subscription(self._heard.pop())

    def _on_timer(self) -> None:
        if not self._page.watched:
            self._sleep()
            return
        self._calls.drop_lost()
        model = self._model
        model.look()
        if model.chain is not self._chain:
            self._start_over(model.chain)
        self._ask_for_solutions()
        chain, notice = self._state.arm or model.chain, model.notice
        try:
            chain = chain and chain.holding(self._measured)
        except IkCirclesError as error:  # where the held joints are, it is no such arm
            notice = str(error)
        self._state = replace(
            self._state,
            arm=chain,
            description=model.description,
            settings=model.settings,
            measured=dict(self._measured),
            notice=notice,
            rate=self._answers.count(),
        )
        self._page.show(self._state)

    def _start_over(self, chain: RobotArm | None) -> None:
        """Another arm: what is known of the one before is of no use."""
        self._chain, self._state = chain, Snapshot()
        self._joints = {joint.name for joint in chain.robot.joints} if chain else set()
        self._measured = {}

    # --- targets ---

    def _publish(self, target: Target) -> None:
        chain = self._state.arm
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

    def _send_again(self) -> None:
        """A changed parameter may change what becomes of the target."""
        if self._state.target is not None:
            self._publish(self._state.target)

    def _on_status(self, status: IkStatus) -> None:
        self._answers.add()
        sent = self._sent.pop(nanoseconds(status.header.stamp), None)
        if sent is None:  # of another client
            return
        begin, target = sent
        if target is not self._state.target:
            return
        nearest = status.nearest.pose.position
        answer = TargetAnswer(
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
        chain, answer = self._state.arm, self._state.answer
        now = time.monotonic()
        if chain is None or answer is None or answer is self._asked_about or not answer.command:
            return
        if self._calls.waits_for('solutions') or now - self._asked_at < ASK_PAUSE:
            return
        pose = chain.forward_kinematics({**self._measured, **answer.command})
        request = CheckReachability.Request(check_orientation=True)
        request.target.header.frame_id = chain.base_link
        _fill(request.target, pose[:3, 3].tolist(), pose[:3, :3])
        self._asked_about, self._asked_at = answer, now
        self._calls.ask('solutions', self._check, request, partial(self._on_solutions, answer))

    def _on_solutions(self, answer: TargetAnswer, response: CheckReachability.Response) -> None:
        if self._state.answer is not answer:
            return
        found = tuple(dict(zip(one.name, one.position)) for one in response.solutions)
        self._asked_about = replace(answer, solutions=found)
        self._state = replace(self._state, answer=self._asked_about)


def _fill(message: PoseStamped, at: Any, rotation: Rotation | None) -> None:
    """Put position [m] and orientation (3x3) into a pose."""
    position, orientation = message.pose.position, message.pose.orientation
    position.x, position.y, position.z = at
    if rotation is not None:
        quaternion = mat2quat(np.asarray(rotation)).tolist()
        orientation.w, orientation.x, orientation.y, orientation.z = quaternion


def main() -> int:
    """Serve the page until the node is told to stop; 2 for a file or a port that is of no use."""
    parser = argparse.ArgumentParser(prog='viewer', description=__doc__)
    parser.add_argument('--urdf', help='start ik_node and sim_arm for this file and stop them')
    parser.add_argument('--port', default=PORT, help='with --urdf: 0 for any that is free')
    arguments = parser.parse_args(remove_ros_args(sys.argv)[1:])
    if not arguments.urdf:
        os.nice(GIVE_WAY)
        return run(Viewer)
    try:
        description = readable(arguments.urdf)
        check_address(HOST, arguments.port)
    except IkCirclesError as error:
        print(f'viewer: {error}', file=sys.stderr)
        return 2
    with running_nodes(description) as processes:
        os.nice(GIVE_WAY)
        return _run_with(processes, int(arguments.port))


def _run_with(processes: dict[str, subprocess.Popen[bytes]], port: int) -> int:
    """Run the viewer until it is told to stop (0), or one of the processes ends (1)."""
    ended: list[str] = []

    def look_after() -> None:
        ended.extend(name for name, process in processes.items() if process.poll() is not None)
        if ended:
            signal.raise_signal(signal.SIGINT)

    def make_node() -> Viewer:
        node = Viewer(port)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        node.create_timer(LOOK_AFTER, look_after, clock=steady)
        return node

    code = run(make_node)
    if ended:
        print(f'viewer: {" and ".join(ended)} ended, so this ends too', file=sys.stderr)
    return 1 if ended else code


if __name__ == '__main__':
    raise SystemExit(main())
