# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A node beside the tested ones: sends them messages and keeps their answers."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import rclpy
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PointStamped, PoseStamped
from ik_circles.msg import IkStatus
from ik_circles.srv import CheckReachability
from rcl_interfaces.srv import SetParameters
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from ros_processes import Process, running
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ik_circles.control.parameters import parameters_of
from ik_circles.control.settings import ModelParameters, Settings

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
#: Longest wait for any one condition [s].
PATIENCE = 60.0
#: A question without answer is asked again after this time [s].
AGAIN = 2.0
LEVEL = (0.0, 0.0, 0.0, 1.0)
#: A parameter of every node, declared by rclpy, which nobody can set.
READ_ONLY_OF_ROS = 'start_type_description_service'
#: Every target has its own stamp, so that its answer can be found.
STAMPS = count(1)


class Probe:
    """A node in a context of its own, for one process; `wait` spins until a condition holds."""

    def __init__(self, process: Process, name: str = 'probe') -> None:
        self.process = process
        self.context = Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node(name, context=self.context, namespace=process.namespace)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._executor.add_node(self.node)

    def close(self) -> None:
        self._executor.shutdown()
        self.node.destroy_node()
        self.context.try_shutdown()

    def wait(self, condition: Callable[[], Any], what: str) -> None:
        give_up = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < give_up, f'waited {PATIENCE:.0f} s for {what}'
            assert self.process.running, f'it has ended:\n{self.process.output}'
            self._executor.spin_once(timeout_sec=0.1)

    def call(self, client: Any, request: Any) -> Any:
        self.wait(client.service_is_ready, client.srv_name)
        asked: list[Future] = []

        def answered() -> bool:
            # An answer given before both sides have found each other is lost.
            if time.monotonic() > begin + AGAIN * len(asked):
                asked.append(client.call_async(request))
            return any(future.done() for future in asked)

        begin = time.monotonic()
        self.wait(answered, f'the answer of {client.srv_name}')
        return next(future.result() for future in asked if future.done())


class IkProbe(Probe):
    """The other end of every topic and service of the IK node."""

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.commands: list[tuple[JointState, int]] = []
        self.statuses: list[tuple[IkStatus, int]] = []
        node = self.node
        self._outputs = [
            self.collect(JointState, 'joint_command', self.commands),
            self.collect(IkStatus, 'ik_node/status', self.statuses),
        ]
        self.poses = node.create_publisher(PoseStamped, 'target_pose', 1)
        self.points = node.create_publisher(PointStamped, 'target_point', 1)
        self.joint_states = node.create_publisher(JointState, 'joint_states', 10)
        self.descriptions = node.create_publisher(String, 'robot_description', LATCHED)
        self.service = node.create_client(CheckReachability, 'ik_node/check_reachability')
        self._set = node.create_client(SetParameters, 'ik_node/set_parameters')

    def collect(self, kind: type, topic: str, into: list) -> Any:
        """Keep the messages of a topic, each with the time at which it was sent [ns]."""
        return self.node.create_subscription(
            kind, topic, lambda message, info: into.append((message, info['source_timestamp'])), 10
        )

    def connect(self) -> None:
        """Until both sides know each other's topics."""
        inputs = (self.poses, self.points, self.joint_states, self.descriptions)
        self.wait(
            lambda: (
                all(publisher.get_subscription_count() for publisher in inputs)
                and all(self.node.count_publishers(out.topic_name) for out in self._outputs)
                and self.service.service_is_ready()
            ),
            'the IK node',
        )
        while not self.statuses:  # what is sent before the node knows this one is lost
            self.aim((0.0, 0.0, 0.0), frame='')
            self._executor.spin_once(timeout_sec=0.1)

    def pose(
        self,
        position: Sequence[float],
        quaternion: Sequence[float] = LEVEL,
        frame: str = 'base_link',
    ) -> PoseStamped:
        message = PoseStamped()
        message.header.frame_id = frame
        message.header.stamp.nanosec = next(STAMPS)
        at, turned = message.pose.position, message.pose.orientation
        at.x, at.y, at.z = map(float, position)
        turned.x, turned.y, turned.z, turned.w = map(float, quaternion)
        return message

    def aim(self, *pose: Any, **named: Any) -> None:
        """Send a target pose (see `pose`) and do not wait for anything."""
        self.poses.publish(self.pose(*pose, **named))

    def send(self, *pose: Any, **named: Any) -> IkStatus:
        """The status that answers the target pose (see `pose`)."""
        return self.answer(self.poses, self.pose(*pose, **named))

    def send_point(
        self, position: Sequence[float], frame: str = 'base_link', second: int = 0
    ) -> IkStatus:
        message = PointStamped(header=self.pose(position, frame=frame).header)
        if second:
            message.header.stamp = Time(sec=second)
        message.point = self.pose(position).pose.position
        return self.answer(self.points, message)

    def answer(self, publisher: Any, message: PoseStamped | PointStamped) -> IkStatus:
        """The one status for the message; it comes after the command, which it repeats."""
        publisher.publish(message)
        found: list[tuple[IkStatus, int]] = []

        def answered() -> bool:
            found[:] = [pair for pair in self.statuses if pair[0].header == message.header]
            return bool(found)

        self.wait(answered, f'a status for {message}')
        (status, sent_at), *more = found
        assert not more
        if status.command.name:
            self.wait(lambda: any(c == status.command for c, _ in self.commands), 'the command')
            assert all(at <= sent_at for c, at in self.commands if c == status.command)
        return status

    def send_stamped(self, position: Sequence[float], nanoseconds: int) -> IkStatus:
        """The status that answers a target with this stamp."""
        message = self.pose(position)
        message.header.stamp = Time(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)
        return self.answer(self.poses, message)

    def check(self, *pose: Any, orientation: bool = False, **named: Any) -> Any:
        """The service's answer for the pose (see `pose`)."""
        target = self.pose(*pose, **named)
        request = CheckReachability.Request(target=target, check_orientation=orientation)
        return self.call(self.service, request)

    def set(self, **values: Any) -> Any:
        """The result of setting the one parameter."""
        new = [Parameter(name, value=value).to_parameter_msg() for name, value in values.items()]
        (result,) = self.call(self._set, SetParameters.Request(parameters=new)).results
        return result

    def set_defaults(self, robot_description: str) -> None:
        """Set every parameter to its default, and this description."""
        declared = (*parameters_of(ModelParameters), *parameters_of(Settings))
        for one in (one for one in declared if one.name != 'urdf_file'):
            default = list(one.default) if isinstance(one.default, tuple) else one.default
            value = robot_description if one.name == 'robot_description' else default
            result = self.set(**{one.name: value})
            assert result.successful, result.reason


@contextmanager
def probed(parameters: dict, namespace: str = '/') -> Iterator[IkProbe]:
    """An IK node as a process, with a probe that is connected to it."""
    with running('ik_node', parameters, namespace) as process:
        probe = IkProbe(process)
        probe.connect()
        yield probe
        probe.close()
