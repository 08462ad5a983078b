# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node, the simulated arm and the viewer as processes, and a probe on their topics."""

import math
import re
import time
from contextlib import ExitStack

from ros_processes import PLANAR_3R, Process, running

# isort: split
from browser import STILL, Browser
from geometry_msgs.msg import PoseStamped
from ik_circles.msg import IkStatus
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python
from ros_probe import AGAIN, IkProbe
from sensor_msgs.msg import JointState

from ik_circles import load_arm
from ik_circles.robot.arm import Point3

ARM = load_arm(PLANAR_3R)
MARGIN = 0.02
#: How far from the place to drag to a target may be dropped: a few pixels [m].
NEAR = 0.01


class Stack:
    """The processes, and what was heard of the page's targets."""

    def __init__(self, stack: ExitStack, description: str = PLANAR_3R) -> None:
        self._description = description
        self.node = stack.enter_context(ExitStack())
        self.probe = IkProbe(self.start_node())
        stack.callback(self.probe.close)
        stack.enter_context(running('sim_arm', {'robot_description': description}))
        self.viewer = stack.enter_context(running('viewer', {'port': 0}))
        self.targets: list[PoseStamped] = []
        self.measured: dict[str, float] = {}
        subscribe = self.probe.node.create_subscription
        subscribe(PoseStamped, 'target_pose', self.targets.append, 10)
        subscribe(JointState, 'joint_states', self._hear, 10)
        self.probe.connect()
        self.address = _address(self.probe, self.viewer)

    def start_node(self) -> Process:
        given = {'robot_description': self._description, 'safe_zone_margin': MARGIN}
        return self.node.enter_context(running('ik_node', given))

    def _hear(self, message: JointState) -> None:
        self.measured = dict(zip(message.name, message.position, strict=True))

    def drag(self, browser: Browser, to: Point3) -> Point3:
        """Drag the target there, and return where it was dropped."""
        self.targets.clear()
        browser.drag(to)
        browser.frames(1)  # it has said where the ball was dropped
        self.probe.wait(
            lambda: self.targets and math.dist(position(self.targets[-1]), to) < NEAR,
            f'a target near {to}',
        )
        return self.dropped()

    def dropped(self) -> Point3:
        """Where the target is once it no longer moves."""
        count, since = 0, time.monotonic()

        def still() -> bool:
            nonlocal count, since
            if len(self.targets) != count:
                count, since = len(self.targets), time.monotonic()
            return count > 0 and time.monotonic() - since > STILL

        self.probe.wait(still, 'a target that stays')
        return position(self.targets[-1])

    def status(self) -> IkStatus:
        """The node's status of the newest target."""
        found: list[IkStatus] = []

        def answered() -> bool:
            found[:] = [s for s, _ in self.probe.statuses if s.header == self.targets[-1].header]
            return bool(found)

        self.probe.wait(answered, 'the status')
        return found[0]

    def is_at(self, at: Point3) -> bool:
        """Whether the measured joints have the tip there."""
        return math.dist(ARM.forward_kinematics(self.measured)[:3, 3], at) < 1e-6

    def arrives(self, at: Point3) -> None:
        self.probe.wait(lambda: self.is_at(at), f'the arm at {at}')

    def lead(self, to: Point3) -> None:
        """Bring the arm there without the page.

        The target is sent again and again: a message is lost until its subscribers are found.
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


def position(message: PoseStamped) -> Point3:
    return message.pose.position.x, message.pose.position.y, message.pose.position.z
