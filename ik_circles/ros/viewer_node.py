# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The viewer's node: serves a page that shows the arm and sends targets, as any client would.

Everything happens in rclpy's one thread. Requests from the page's own threads go through a queue,
which keeps their order; a task of the executor empties the queue. A timer feeds the page. While
nobody looks at the page, the timer stands still, and the node receives no joint states and no
answers.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription
from sensor_msgs.msg import JointState

from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import PageParameters
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros import conversions, parameters, qos
from ik_circles.ros.clock import steady_timer
from ik_circles.ros.executor import NO_EVENTS_HEARD, publisher
from ik_circles.ros.ik_model import GONE, NO_ANSWER, IkModel
from ik_circles.ros.move_client import MoveClient, OnEnd
from ik_circles.ros.service_calls import ServiceCalls
from ik_circles.srv import CheckReachability
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.page import REFRESH_RATE, Page
from ik_circles.viewer.state import NO_ARRIVAL, Arrival, LastSecond, Snapshot, TargetAnswer
from ik_circles.viewer.targets import farthest_turn, other_elbow, tilt_of

#: Shortest time between two questions about other solutions [s]: the node has targets to answer.
ASK_PAUSE = 0.1
#: The most targets that may wait for an answer; older ones count as lost.
WAITING = 100
#: The outcomes for an arm that was held on its way to a target.
STOPPED_HERE = Code.CANCELED, 'the arm was stopped on its way to the ball'
DISABLED_HERE = Code.DISABLED, 'the arm was disabled on its way to the ball, and stopped'


class Viewer(Node):
    """A client of the IK node: publishes target_pose, and sends goals of ~/move_to.

    If the node has read the URDF itself, `folder` is its folder, for relative names of mesh files.
    """

    def __init__(self, port: int | None = None, folder: Path | None = None) -> None:
        given = [] if port is None else [Parameter('port', value=port)]
        super().__init__('viewer', parameter_overrides=given)
        values = parameters.declare(self, PageParameters)
        at = parameters.read(PageParameters, values)
        parameters.keep(self, values, PageParameters)
        self._state = Snapshot()
        self._sent: dict[int, tuple[float, Target]] = {}
        self._answers = LastSecond()
        self._arm: RobotArm | None = None
        self._joints: JointMemory | None = None
        self._calls = ServiceCalls()
        self._model = IkModel(self, self._calls)
        self._motion = MoveClient(self, self._calls)
        self._aimed: Target | None = None
        self._asked_about: TargetAnswer | None = None
        self._asked_at = 0.0
        self._requests: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._targets = publisher(self, PoseStamped, 'target_pose', qos.LATEST)
        self._heard: list[Subscription] = []
        self._check = self.create_client(CheckReachability, 'ik_node/check_reachability')
        self._page = Page(self, at.host, at.port, MeshFiles(folder, at.max_mesh_size))
        self._timer = steady_timer(self, 1.0 / REFRESH_RATE, self._on_timer)
        self._page.on_watched(lambda: self._request(self._wake))
        self.get_logger().info(f'open {self._page.address} in a browser')

    def destroy_node(self) -> None:
        """Close the page, then the node."""
        self._page.close()
        super().destroy_node()

    # --- from the page's threads ---

    def aim(self, target: Target) -> None:
        """Send the arm to a target."""
        self._request(partial(self._publish, target))

    def move(self, target: Target, speed: float) -> None:
        """Move the tip straight to a target, at a share of the full speed."""
        self._request(partial(self._move, target, speed))

    def move_joints(
        self, positions: Mapping[str, float], speed: float, there: Arrival = NO_ARRIVAL
    ) -> None:
        """Move joints to positions by name [rad or m], at a share of the full speed."""
        self._request(partial(self._move_joints, positions, speed, there))

    def stop(self) -> None:
        """Bring a motion to rest, or an arm that is on its way to a target."""
        self._request(partial(self._motion.stop, partial(self._hold, STOPPED_HERE)))

    def enable(self, enabled: bool) -> None:
        """Allow the arm to move, or bring it to rest and allow it no more."""
        self._request(partial(self._enable, enabled))

    def set(self, name: str, value: str | float, again: bool) -> None:
        """Change a parameter of the IK node; if `again`, send the last target of `aim` again."""
        on_done = self._send_again if again else lambda: None
        self._request(lambda: self._model.set(name, value, on_done))

    def _request(self, act: Callable[[], None]) -> None:
        self._requests.put(act)
        if self.executor is not None:  # earlier requests wait in the queue
            self.executor.create_task(self._on_requests)

    # --- in rclpy's thread ---

    def _on_requests(self) -> None:
        while not self._requests.empty():
            self._requests.get_nowait()()

    def _wake(self) -> None:
        """Somebody looks: receive joint states and answers from now on."""
        self._timer.reset()
        if not self._heard:
            listen = partial(self.create_subscription, event_callbacks=NO_EVENTS_HEARD)
            self._heard = [
                listen(IkStatus, 'ik_node/status', self._on_status, qos.QUEUED, raw=True),
                listen(JointState, 'joint_states', self._on_joint_states, qos.MEASURED),
            ]

    def _sleep(self) -> None:
        """Nobody looks: receive nothing."""
        self._timer.cancel()
        self._calls.heard('target')
        while self._heard:
            self.destroy_subscription(self._heard.pop())

    def _on_timer(self) -> None:
        if not self._page.watched:
            self._sleep()
            return
        model = self._model
        model.look()
        self._motion.look()
        if model.arm is not self._arm:
            self._start_over(model.arm)
        measured = dict(self._joints.measured) if self._joints else {}
        is_silent = self._calls.is_silent and model.notice != GONE
        arm, notice = self._state.arm or model.arm, NO_ANSWER if is_silent else model.notice
        try:
            arm = arm and arm.holding(measured)
        except IkCirclesError as error:  # the arm is not planar with the held joints where they are
            notice = str(error)
        self._state = replace(
            self._state,
            arm=arm,
            description=model.description,
            settings=model.settings,
            measured=measured,
            notice=notice,
            answer=None if model.notice == GONE else self._state.answer,
            rate=self._answers.count(),
            enabled=self._motion.enabled,
            share=None if is_silent else self._motion.share,
        )
        self._page.show(self._state)
        self._ask_for_solutions()

    def _start_over(self, arm: RobotArm | None) -> None:
        """Another arm: forget what is known about the previous one."""
        self._arm, self._state, self._aimed = arm, Snapshot(), None
        self._joints = JointMemory(arm) if arm else None

    # --- targets ---

    def _publish(self, target: Target) -> None:
        arm = self._state.arm
        if arm is None:
            return
        message = PoseStamped()
        conversions.fill_target(message, arm, target, self.get_clock().now().to_msg())
        while len(self._sent) >= WAITING:
            del self._sent[next(iter(self._sent))]
        self._sent[conversions.nanoseconds(message.header.stamp)] = time.perf_counter(), target
        self._state = replace(self._state, target=target)
        self._aimed = target
        self._calls.expect('target', self._on_lost)
        self._targets.publish(message)

    def _on_lost(self) -> None:
        """The answer that is known is to an older target."""
        self._state = replace(self._state, answer=None)

    def _hold(self, why: tuple[Code, str], on_begin: Callable[[], None] = lambda: None) -> None:
        """Hold an arm on its way to a target: the node has sent the target, and forgotten it."""
        way = self._state.way
        if not way:
            on_begin()
            return
        ended = self._begun(None)

        def held(code: Code, message: str) -> None:
            ended(*(why if code is Code.OK else (code, message)))

        self._motion.move_joints(way, 1.0, held, on_begin)

    def _enable(self, enabled: bool) -> None:
        """Ask the node for this. An arm on its way to a target is held first, because a disabled
        node could not hold it."""
        act = partial(self._motion.enable, enabled)
        if enabled:
            act()
        else:
            self._hold(DISABLED_HERE, act)

    def _send_again(self) -> None:
        """Send the target again: a changed parameter may change its answer."""
        if self._aimed is not None:
            self._publish(self._aimed)

    def _move(self, target: Target, speed: float) -> None:
        if (arm := self._state.arm) is not None:
            self._motion.move(arm, target, speed, self._begun(target))

    def _move_joints(self, positions: Mapping[str, float], speed: float, there: Arrival) -> None:
        self._motion.move_joints(positions, speed, self._begun(*there))

    def _begun(self, target: Target | None, there: TargetAnswer | None = None) -> OnEnd:
        """A motion begins, to a target or without one; returns the function to call when it ends.
        If the arm gets there, the answer is then `there`, if that is given."""
        self._state, self._aimed = replace(self._state, target=target, answer=None), None

        def ended(code: Code, message: str) -> None:
            if self._state.target is target:
                at = there if code is Code.OK else None
                self._aimed = target if at else None
                self._state = replace(self._state, answer=at or TargetAnswer(code, message))

        return ended

    def _on_status(self, packed: bytes) -> None:
        """Count an answer. It is read only if it may belong to a target of this node."""
        self._answers.add()
        if not self._sent:
            return
        status = deserialize_message(packed, IkStatus)
        sent = self._sent.pop(conversions.nanoseconds(status.header.stamp), None)
        if sent is None:  # it belongs to another client
            return
        self._calls.heard('target')
        begin, target = sent
        if target is not self._state.target:
            return
        command = dict(zip(status.command.name, status.command.position))
        place, toward = conversions.nearest_of(status)
        answer = TargetAnswer(Code(status.code), status.message, place, toward, command=command)
        if (arm := self._state.arm) is not None:
            about = arm, self._model.settings, target, command
            farthest = farthest_turn(arm, command, self._state.measured)
            answer = replace(
                answer, tilt=tilt_of(*about), other_elbow=other_elbow(*about), farthest=farthest
            )
        self._state = replace(self._state, answer=answer, latency=time.perf_counter() - begin)

    def _on_joint_states(self, message: JointState) -> None:
        if self._joints is not None:
            self._joints.hear(message.name, message.position)

    def _ask_for_solutions(self) -> None:
        """Ask for every solution at the command's pose, once the target has stayed for a moment."""
        arm, answer = self._state.arm, self._state.answer
        now = time.monotonic()
        if arm is None or answer is None or answer is self._asked_about or not answer.command:
            return
        if self._calls.waits_for('solutions') or now - self._asked_at < ASK_PAUSE:
            return
        at, joints = {**self._state.measured, **answer.command}, arm.tree.movable_joints
        pose = arm.forward_kinematics({name: at[name] for name in joints if name in at})
        request = CheckReachability.Request(check_orientation=True)
        x, y, z = pose[:3, 3].tolist()
        conversions.fill_target(request.target, arm, Target((x, y, z), pose[:3, :3]), Time())
        self._asked_about, self._asked_at = answer, now
        self._calls.ask('solutions', self._check, request, partial(self._on_solutions, answer))

    def _on_solutions(self, answer: TargetAnswer, response: CheckReachability.Response) -> None:
        if self._state.answer is not answer:
            return
        found = tuple(dict(zip(one.name, one.position)) for one in response.solutions)
        self._asked_about = replace(answer, solutions=found)
        self._state = replace(self._state, answer=self._asked_about)
