# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Sends the demonstration's targets to nodes that are running, and checks what comes back."""

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.client import Client
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from ik_circles.control import Settings, Target
from ik_circles.control.scenario import ScenarioTarget, scenario_targets
from ik_circles.errors import InvalidUrdfError
from ik_circles.geometry.rigid import Matrix, angle_between_rotations
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.ros import qos
from ik_circles.ros.conversions import fill_target, nanoseconds
from ik_circles.ros.ik_model import GONE, NO_MODEL_YET, IkModel
from ik_circles.ros.service_calls import ServiceCalls
from ik_circles.srv import CheckReachability

#: A command must have the tip this near to the target [m]. With a wrist, it must also turn the tip
#: away from the target by no more than this [rad].
ALLOWED_ERROR = 1e-6
#: The simulated arm has arrived when every joint is this near to its command [rad].
ARRIVED = 1e-9
#: A real arm never gets that near. It has arrived when it stands still this near [rad].
NEARLY_ARRIVED = 0.05
#: An arm stands still when no joint has moved by more than this [rad] for as long as this [s].
STILL, STILL_FOR = 1e-3, 1.0
#: Longest wait for any one answer or motion [s].
PATIENCE = 15.0
#: A target without an effect, and a question without an answer, are sent again after this time [s].
#: A message or an answer is lost if the two sides have not found each other yet
#: (https://github.com/ros2/rmw_fastrtps/issues/842).
AGAIN = 1.0


class Row(NamedTuple):
    """One target: the question, both answers, and where the arm ended up.

    `tip` is where the tip is then [m]. With the command, it would be `missed` away from the target
    [m], and `turned` away from it [rad].
    """

    target: ScenarioTarget
    status: IkStatus
    service: CheckReachability.Response
    measured: NamedPositions
    moved: float
    tip: tuple[float, float, float]
    missed: float
    turned: float

    @property
    def error(self) -> float:
        """Distance of the arrived tip from the target [m]; NaN if nothing was sent."""
        if not self.status.command.name:
            return math.nan
        return math.dist(self.tip, self.target.position)

    @property
    def problem(self) -> str:
        """What is wrong with the answers, '' if nothing is."""
        expected = self.target.expected
        sent = bool(self.status.command.name)
        if self.status.code != expected or self.service.code != expected:
            got = f'{Code(self.status.code).name} and {Code(self.service.code).name}'
            why = (self.service if self.status.code == expected else self.status).message
            return f'expected {expected.name}, the node and its service answered {got}: {why}'
        if sent != (expected is Code.OK) or self.service.reachable != sent:
            return 'a command was sent for a refused target, or none for a good one'
        if sent and not self.missed <= ALLOWED_ERROR:
            return f'the command has the tip {self.missed * 1000.0:.3g} mm away from the target'
        if sent and not self.turned <= ALLOWED_ERROR:
            return f'the command turns the tip away from the target by {self.turned:.3g} rad'
        if not sent and self.moved > STILL:
            return f'the arm moved by {self.moved:.3g} rad on a refused target'
        return ''


class ScenarioClient(Node):
    """Runs the scenario through topics and the service, as any user's node would."""

    def __init__(self, nearly: float = NEARLY_ARRIVED) -> None:
        """`nearly`: an arm that stands still this near to its command has arrived [rad]."""
        super().__init__('demo')
        self._nearly = nearly
        self._statuses: dict[int, IkStatus] = {}  # by the stamp of the target
        self.measured: NamedPositions = {}
        #: Where the arm was when it moved last, and since when it has been there [s].
        self._rest: NamedPositions = {}
        self._rests_since = math.inf
        self._targets = self.create_publisher(PoseStamped, 'target_pose', qos.LATEST)
        self.create_subscription(IkStatus, 'ik_node/status', self._on_status, qos.QUEUED)
        self.create_subscription(JointState, 'joint_states', self._on_joint_states, qos.MEASURED)
        self._service = self.create_client(CheckReachability, 'ik_node/check_reachability')
        self._model = IkModel(self, ServiceCalls())

    def _on_joint_states(self, message: JointState) -> None:
        self.measured.update(_positions(message))
        if any(
            abs(at - self._rest.get(name, math.inf)) > STILL for name, at in self.measured.items()
        ):
            self._rest, self._rests_since = dict(self.measured), time.monotonic()

    def _on_status(self, status: IkStatus) -> None:
        self._statuses.setdefault(nanoseconds(status.header.stamp), status)

    def model(self, description: str | None = None) -> tuple[RobotArm, Settings]:
        """The arm and the settings that the IK node works with.

        InvalidUrdfError if it has another description than this one: it is somebody else's node,
        and its arm may be a real one.
        """
        model = self._model

        def is_past(notice: str) -> bool:
            model.look()
            return model.notice != notice

        self._wait('the parameters of the IK node', lambda: is_past(GONE))
        self._wait('the topic robot_description', lambda: is_past(NO_MODEL_YET))
        if model.arm is None:
            raise InvalidUrdfError(model.notice)
        if description not in (None, model.description):
            raise InvalidUrdfError(
                'an ik_node of another robot runs in this ROS_DOMAIN_ID, and would move its arm; '
                'stop it, or set another ROS_DOMAIN_ID'
            )
        return model.arm, model.settings

    def wait_for_nodes(self, arm: RobotArm) -> None:
        """Wait until the IK node and the simulated arm are there and connected."""
        self._wait(
            'the IK node',
            lambda: (
                self._service.service_is_ready()
                and self._targets.get_subscription_count() > 0
                and self.count_publishers('ik_node/status') > 0
            ),
        )
        moving = set(arm.joints_moving(arm.tip_link) or ())
        self._wait(
            'the arm: a subscriber of joint_command, and every joint on joint_states',
            lambda: (
                self.count_subscribers('joint_command') > 0
                and moving <= arm.tree.with_followers(self.measured).keys()
            ),
        )
        self._wait('the IK node to hear joint_states', lambda: self._hears_where_is(arm.tip_link))

    def _hears_where_is(self, link: str) -> bool:
        """Whether the IK node, too, has heard of all joints that move a link."""
        target = PoseStamped(header=Header(frame_id=link))
        request = CheckReachability.Request(target=target)
        answer = self.ask('the answer of the IK node', self._service, request)
        return answer.code != Code.BAD_FRAME

    def run(self, arm: RobotArm, target: ScenarioTarget) -> Row:
        """Send one target, ask the service about the same, and wait for the arm to arrive."""
        before = dict(self.measured)
        message = PoseStamped()
        asked = Target(target.position, target.rotation)
        fill_target(message, arm, asked, self.get_clock().now().to_msg())
        send, stamp = partial(self._targets.publish, message), nanoseconds(message.header.stamp)
        send()
        self._wait(f'the status of {target.name}', lambda: stamp in self._statuses, again=send)
        self._rests_since = time.monotonic()  # it may not have started yet
        has_wrist = bool(arm.wrist_joints)
        request = CheckReachability.Request(target=message, check_orientation=has_wrist)
        answer = self.ask(f'the service for {target.name}', self._service, request)
        self._wait(
            f'the arm to arrive at {target.name}',
            lambda: self._has_arrived(stamp),
            again=lambda: self.measured == before and send(),
        )
        joints, status = arm.tree.movable_joints, self._statuses[stamp]
        measured = {name: at for name, at in self.measured.items() if name in joints}
        x, y, z = map(float, arm.forward_kinematics(measured)[:3, 3])
        commanded = arm.forward_kinematics({**measured, **_positions(status.command)})
        counts = has_wrist and self._model.settings.orientation_mode != 'free'
        return Row(
            target=target,
            status=status,
            service=answer,
            measured=measured,
            moved=max(abs(measured[name] - before[name]) for name in arm.commanded_joints),
            tip=(x, y, z),
            missed=math.dist(commanded[:3, 3], target.position),
            turned=_turned(commanded, target) if counts else 0.0,
        )

    def _has_arrived(self, stamp: int) -> bool:
        """Whether the arm is at the newest command: a target that is sent again may get another
        solution."""
        is_still = time.monotonic() - self._rests_since > STILL_FOR
        allowed = self._nearly if is_still else ARRIVED
        command = _positions(self._statuses[stamp].command)
        return all(abs(self.measured[name] - at) <= allowed for name, at in command.items())

    def ask(self, what: str, client: Client, request: Any) -> Any:
        """The answer of a service; the service is asked again if no answer comes."""
        self._wait(what, client.service_is_ready)
        asked = [client.call_async(request)]
        self._wait(
            what,
            lambda: any(future.done() for future in asked),
            again=lambda: asked.append(client.call_async(request)),
        )
        return next(future.result() for future in asked if future.done())

    def _wait(
        self, what: str, condition: Callable[[], bool], again: Callable[[], object] = lambda: None
    ) -> None:
        begin = time.monotonic()
        repeated = 0
        while not condition():
            waited = time.monotonic() - begin
            if waited > PATIENCE:
                raise TimeoutError(f'waited {PATIENCE:.0f} s for {what}')
            if waited > AGAIN * (repeated + 1):
                repeated += 1
                again()
            rclpy.spin_once(self, timeout_sec=0.05)


def _positions(joints: JointState) -> NamedPositions:
    return dict(zip(joints.name, joints.position))


def _turned(pose: Matrix, target: ScenarioTarget) -> float:
    """How far a pose (4x4) is turned away from the target's orientation, if it has one [rad]."""
    if target.rotation is None:
        return 0.0
    return angle_between_rotations(pose[:3, :3], target.rotation)


def run_scenario(description: str | None = None) -> tuple[RobotArm, Settings, list[Row]]:
    """Run every target of the scenario with nodes that are running; rclpy must be initialized.

    With a `description`, the IK node must have that one, and the arm is a simulated one.
    """
    client = ScenarioClient(ARRIVED if description else NEARLY_ARRIVED)
    try:
        arm, settings = client.model(description)
        client.wait_for_nodes(arm)
        targets = scenario_targets(arm, settings, client.measured)
        return arm, settings, [client.run(arm, target) for target in targets]
    finally:
        client.destroy_node()
