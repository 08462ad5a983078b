# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Asks ik_node for motions, as a client: goals of ~/move_to, their cancellation, and ~/enable."""

from collections.abc import Callable, Mapping

from action_msgs.srv import CancelGoal
from builtin_interfaces.msg import Time
from rclpy.action import ActionClient
from rclpy.node import Node
from rclpy.task import Future
from std_msgs.msg import Bool
from std_srvs.srv import SetBool

from ik_circles.action import MoveTo
from ik_circles.control.target import Target
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros import conversions, qos
from ik_circles.ros.service_calls import ServiceCalls

OnEnd = Callable[[Code, str], None]

#: The message about a goal whose node has gone.
NODE_GONE = 'the IK node has gone; nobody knows whether the arm moves'


class MoveClient:
    """One goal at a time: a newer goal replaces it, in the node, too.

    Attributes
    ----------
    share : share of the motion that is done; None without a goal
    enabled : whether the arm may move, as the node last said
    """

    def __init__(self, node: Node, calls: ServiceCalls) -> None:
        self.share: float | None = None
        self.enabled = True
        self._calls = calls
        self._goal: object = None
        self._on_end: OnEnd = lambda code, message: None
        self._move = ActionClient(node, MoveTo, 'ik_node/move_to')
        self._cancel = node.create_client(CancelGoal, 'ik_node/move_to/_action/cancel_goal')
        self._enable = node.create_client(SetBool, 'ik_node/enable')
        node.create_subscription(Bool, 'ik_node/enabled', self._on_enabled, qos.LATCHED)

    def move(self, arm: RobotArm, target: Target, speed: float, on_end: OnEnd) -> None:
        """Move straight to a target; `on_end` gets code and message, unless a newer goal comes."""
        goal = MoveTo.Goal(kind=MoveTo.Goal.POSE, straight=True, speed=speed)
        if target.rotation is None:
            goal.kind = MoveTo.Goal.POINT
        conversions.fill_target(goal.target, arm, target, Time())
        self._send(goal, on_end)

    def move_joints(
        self,
        positions: Mapping[str, float],
        speed: float,
        on_end: OnEnd,
        on_begin: Callable[[], None] = lambda: None,
    ) -> None:
        """Move joints to positions by name [rad or m]; `on_end` as for `move`.

        `on_begin` is called once the node has begun the motion, or refused it.
        """
        goal = MoveTo.Goal(kind=MoveTo.Goal.JOINTS, speed=speed)
        goal.joints.name, goal.joints.position = [*positions], [*map(float, positions.values())]
        self._send(goal, on_end, on_begin)

    def _send(
        self, goal: MoveTo.Goal, on_end: OnEnd, on_begin: Callable[[], None] = lambda: None
    ) -> None:
        self._goal, self._on_end, self.share = goal, on_end, 0.0
        if not self._move.server_is_ready():
            self._end(Code.NO_MODEL, NODE_GONE)
            on_begin()
            return

        def lost() -> None:
            self.share = None

        def told(message: MoveTo.Impl.FeedbackMessage) -> None:
            if self._goal is goal:
                self.share = message.feedback.share
                self._expect_feedback()

        def taken(future: Future) -> None:
            self._calls.heard('goal')
            if self._goal is goal:
                self._expect_feedback()
            on_begin()
            future.result().get_result_async().add_done_callback(ended)

        def ended(future: Future) -> None:
            if self._goal is goal:
                self._calls.heard('feedback')
                result = future.result().result
                self._end(Code(result.code), result.message)

        self._calls.expect('goal', lost)
        self._move.send_goal_async(goal, told).add_done_callback(taken)

    def _expect_feedback(self) -> None:
        """Until a goal ends, the node says again and again how far the arm has got."""
        self._calls.heard('feedback')
        self._calls.expect('feedback', lambda: None)

    def stop(self, on_none: Callable[[], None]) -> None:
        """Bring the arm to rest: a request without a goal's id cancels the goals of all clients.

        `on_none` is called if there was no goal.
        """

        def answered(answer: CancelGoal.Response) -> None:
            if not answer.goals_canceling:
                on_none()

        self._calls.ask('cancel', self._cancel, CancelGoal.Request(), answered)

    def enable(self, enabled: bool) -> None:
        """Allow the arm to move, or bring it to rest and allow it no more."""
        request = SetBool.Request(data=enabled)
        self._calls.ask('enable', self._enable, request, lambda _: None)

    def look(self) -> None:
        """Notice that the node of a goal has gone. Call it now and then."""
        if self._goal is not None and not self._move.server_is_ready():
            self._end(Code.NO_MODEL, NODE_GONE)

    def _on_enabled(self, message: Bool) -> None:
        self.enabled = message.data

    def _end(self, code: Code, message: str) -> None:
        self._goal, self.share = None, None
        self._on_end(code, message)
