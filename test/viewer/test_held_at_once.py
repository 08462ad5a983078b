# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The viewer of a node that ends every motion before anything else is asked of it."""

import re
from collections.abc import Callable
from contextlib import ExitStack, suppress

import pytest
from ros_probe import Probe
from ros_processes import PLANAR_3R, Process, running

# isort: split
from geometry_msgs.msg import PoseStamped
from ik_circles.msg import IkStatus
from page_socket import page_at
from page_user import Visitor
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState

from ik_circles import load_arm
from ik_circles.control.moves.mover import Ending
from ik_circles.control.settings import ModelParameters, Settings
from ik_circles.reasons import Code
from ik_circles.ros import move_replies, parameters
from ik_circles.ros.enabling import Enabling
from ik_circles.ros.move_to import MoveGoal, MoveToServer

ARM = load_arm(PLANAR_3R)
JOINTS = ARM.commanded_joints
#: Where the joints are measured, always, and where the node says that it sends them [rad].
HERE, THERE = [0.0] * len(JOINTS), [0.5] * len(JOINTS)
TIP = ARM.forward_kinematics(dict(zip(JOINTS, HERE)))[:3, 3]
#: What the card says once the arm is held.
ENDED = re.compile('STOPPED|DISABLED|arrived', re.IGNORECASE)


class Hasty(Probe):
    """In the place of the IK node: answers targets, and has ended each motion as it begins."""

    def __init__(self, viewer: Process) -> None:
        super().__init__(viewer, 'ik_node')
        self.held: list[list[float]] = []
        self.is_enabled = True
        parameters.declare(self.node, ModelParameters, Settings)
        self.node.set_parameters([Parameter('robot_description', value=PLANAR_3R)])
        self._states = self.node.create_publisher(JointState, 'joint_states', 10)
        self._statuses = self.node.create_publisher(IkStatus, '~/status', 10)
        self.node.create_subscription(PoseStamped, 'target_pose', self._on_target, 10)
        self._server = MoveToServer(self.node, self._on_goal, lambda goal: None)
        Enabling(self.node, True, self._on_enable)

    def _on_target(self, target: PoseStamped) -> None:
        command = JointState(name=JOINTS, position=THERE)
        self._statuses.publish(IkStatus(header=target.header, code=int(Code.OK), command=command))

    def _on_goal(self, goal: MoveGoal) -> None:
        self.held.append(list(goal.request.joints.position))
        ending = Ending(Code.OK, 'arrived: the tip is measured 0 m from its goal', 1.0)
        goal.end(move_replies.result(ending, None, {}, 0))

    def _on_enable(self, enabled: bool) -> None:
        self.is_enabled = enabled

    def sees(self, page: Visitor, condition: Callable[[], object], what: str) -> None:
        """Measure the joints, and hear what the page is told, until a condition holds."""

        def seen() -> object:
            self._states.publish(JointState(name=JOINTS, position=HERE))
            with suppress(TimeoutError):
                page.socket.hear(0.02)
            return condition()

        self.wait(seen, what)


def address(viewer: Process) -> str:
    """Where the viewer serves its page; '' before it does."""
    found = re.search(r'http://127\.0\.0\.1:\d+', viewer.output)
    return found[0] if found else ''


@pytest.mark.parametrize(
    ('label', 'value', 'said'),
    [('Stop', True, 'STOPPED'), ('Enable', False, 'DISABLED')],
    ids=['Stop', 'Enable off'],
)
def test_an_arm_that_is_held_on_its_way_has_not_arrived(label: str, value: bool, said: str) -> None:
    """Law: however soon its hold ends."""
    with ExitStack() as stack:
        viewer = stack.enter_context(running('viewer', {'port': 0}))
        node = Hasty(viewer)
        stack.callback(node.close)
        node.wait(lambda: address(viewer), 'the address of the page')
        page = Visitor(stack.enter_context(page_at(address(viewer))))
        node.sees(page, lambda: page.ball == pytest.approx(TIP), 'the ball at the tip')
        page.drag((0.5, 0.3, 0.0))
        node.sees(page, lambda: 'OK' in page.newest('verdict'), 'an answer')
        page.set(label, value)
        node.sees(page, lambda: ENDED.search(page.newest('verdict')), 'how it ended')
        assert said in page.newest('verdict')
        assert node.held == [HERE]
        node.sees(page, lambda: node.is_enabled is (said != 'DISABLED'), 'the service')
