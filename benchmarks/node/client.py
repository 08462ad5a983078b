# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The other end of a node: sends targets and joint states, and notes when answers arrive.

It takes messages from the middleware itself, without an executor, so that it is no bottleneck and
adds nothing to what is measured: arrival is the middleware's own time stamp.
"""

import time
from typing import NamedTuple

import rclpy
from geometry_msgs.msg import PoseStamped
from ik_circles.msg import IkStatus
from ik_circles.srv import CheckReachability
from path import path_of
from processes import KINDS, wait_until
from rclpy.context import Context
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

#: Between two messages of the simulated arm [s].
ARM_PERIOD = 0.01
#: Longest sleep between two looks at what has arrived [s].
POLL = 0.001
#: So long before a message is due the client no longer sleeps [s].
AWAKE = 0.0003


class Answer(NamedTuple):
    """When target, command and status passed the client [ns of the system's clock]."""

    sent: int
    command: int
    status: int
    code: int


class Client:
    """A context, a node and both ends of every topic that is measured."""

    def __init__(self, process, domain, kind):
        self._process, self._path = process, path_of(KINDS[kind].robot)
        self._is_smooth = KINDS[kind].motion == 'smooth'  # its commands are not those of targets
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self._node = rclpy.create_node(
            'client',
            context=self._context,
            enable_rosout=False,
            start_parameter_services=False,
        )
        self._targets = self._node.create_publisher(PoseStamped, 'target_pose', 10)
        self._arm = self._node.create_publisher(JointState, 'joint_states', 10)
        deep = QoSProfile(depth=5000)
        self._outputs = [
            self._node.create_subscription(kind, topic, lambda _: None, deep, raw=True).handle
            for kind, topic in ((JointState, 'joint_command'), (IkStatus, 'ik_node/status'))
        ]
        self._service = self._node.create_client(CheckReachability, 'ik_node/check_reachability')
        self._sent = []
        self._taken = [], []
        self._arm_due = 0.0
        self._place = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._node.destroy_node()
        self._context.try_shutdown()

    def connect(self):
        """Wait until both ends know each other, and the first target is answered."""
        publishers = self._targets, self._arm
        for publisher in publishers:
            wait_until(publisher.get_subscription_count, 'its subscriptions', self._process)
        for topic in ('joint_command', 'ik_node/status'):
            wait_until(lambda topic=topic: self._node.count_publishers(topic), topic, self._process)
        wait_until(self._service.service_is_ready, 'its service', self._process)
        wait_until(
            lambda: self.stream([0.05])[0] or (self._is_smooth and self._taken[1]),
            'a first answer',
            self._process,
        )

    # --- targets ---

    def stream(self, gaps):
        """Send a target after each gap [s]; the answers, and how many targets a second it were.

        A gap counts from when the last target was sent: the client never hurries to catch up.
        """
        self._forget()
        begin = last = time.perf_counter()
        for gap in gaps:
            self._work_until(last + gap)
            last = time.perf_counter()
            self._send_target()
        rate = len(self._sent) / (last - begin)
        self._wait_for_answers(time.perf_counter() + 0.3)
        return self._answers(), rate

    def flood(self, count, seconds):
        """Send targets as evenly as can be; (seconds it took, from its end to the newest's
        command [s], None if it was not answered)."""
        self._forget()
        begin = time.perf_counter()
        for number in range(count):
            if time.perf_counter() < begin + seconds * number / count:
                self._work_until(begin + seconds * number / count)
            self._send_target()
        took = time.perf_counter() - begin
        newest = self._sent[-1]
        self._work_until(time.perf_counter() + 0.5)
        answers = [answer for answer in self._answers() if answer.sent == newest]
        return took, (answers[0].command - newest) / 1e9 if answers else None

    def _send_target(self):
        message = PoseStamped()
        self._fill(message)
        now = time.time_ns()
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(now, 10**9)
        self._sent.append(now)
        self._targets.publish(message)

    def _fill(self, message):
        """Write the next place of the path into a pose."""
        message.header.frame_id = 'base_link'
        self._place = (self._place + 1) % len(self._path.points)
        at, q = message.pose.position, message.pose.orientation
        at.x, at.y, at.z = self._path.points[self._place]
        q.w, q.x, q.y, q.z = self._path.quaternions[self._place]

    def _send_joint_states(self):
        message = JointState(name=self._path.names, position=self._path.joints[self._place])
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(time.time_ns(), 10**9)
        self._arm.publish(message)

    # --- answers ---

    def _forget(self):
        self._take()
        self._sent = []
        self._taken = [], []

    def _take(self):
        for handle, taken in zip(self._outputs, self._taken):
            while (got := handle.take_message(None, True)) is not None:
                message, info = got
                taken.append((info['received_timestamp'], message))

    def _work_until(self, due):
        """Take what arrives and move the simulated arm until it is `due` (perf_counter)."""
        while (now := time.perf_counter()) < due:
            if now >= self._arm_due:
                self._arm_due = max(self._arm_due + ARM_PERIOD, now)
                self._send_joint_states()
            self._take()
            left = min(due, self._arm_due) - time.perf_counter() - AWAKE
            if left > 0.0:
                time.sleep(min(left, POLL))

    def _wait_for_answers(self, give_up):
        while min(map(len, self._taken)) < len(self._sent) and time.perf_counter() < give_up:
            self._work_until(time.perf_counter() + POLL)

    def _answers(self):
        """Of each target whose command and status have arrived. A status tells its target by the
        header and its command by that one's stamp."""
        commands = {}
        for received, message in self._taken[0]:
            commands[_time(deserialize_message(message, JointState))] = received
        answers = []
        for received, message in self._taken[1]:
            status = deserialize_message(message, IkStatus)
            command = commands.get(_time(status.command))
            if command is not None:
                answers.append(Answer(_time(status), command, received, status.code))
        return answers

    # --- the service ---

    def call(self, check_orientation):
        """Seconds from a request to the arrival of its answer."""
        request = CheckReachability.Request(check_orientation=check_orientation)
        self._fill(request.target)
        handle = self._service.handle
        give_up = time.perf_counter() + 1.0
        sent = time.time_ns()
        handle.send_request(request)
        while time.perf_counter() < give_up:
            header, response = handle.take_response(CheckReachability.Response)
            if response is not None:
                return (header.received_timestamp - sent) / 1e9
            time.sleep(POLL)
        raise RuntimeError('the service did not answer within 1 s')


def _time(message):
    stamp = message.header.stamp
    return stamp.sec * 10**9 + stamp.nanosec
