# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The action ~/move_to as messages: goals come in, and each gets feedback and a result."""

from collections.abc import Callable
from itertools import count

from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from rclpy.task import Future

from ik_circles.action import MoveTo
from ik_circles.control.moves.goal import Wish
from ik_circles.control.refusals import Refusal
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.ros import qos
from ik_circles.ros.conversions import positions_of
from ik_circles.ros.frames import Frames
from ik_circles.ros.given import given_by

#: A result is kept this long for clients that ask for it [s]. With rclpy's default, 900 s, the
#: results of a client that sends many goals would pile up.
KEEP_RESULTS = 10.0


class MoveGoal:
    """A goal, from its arrival to its result; a newer goal has a higher number."""

    def __init__(self, handle: ServerGoalHandle, number: int) -> None:
        self.request: MoveTo.Goal = handle.request
        self.result: Future = Future()
        self.is_canceled = False
        self.number = number
        self._handle = handle

    def tell(self, feedback: MoveTo.Feedback) -> None:
        """Tell the client how far the arm has got."""
        self._handle.publish_feedback(feedback)

    def end(self, result: MoveTo.Result) -> None:
        """Give the client the result: the arm is at rest, or nothing was begun."""
        if result.code == Code.OK:
            self._handle.succeed()
        elif self._handle.is_cancel_requested:
            self._handle.canceled()
        else:
            self._handle.abort()
        self.result.set_result(result)


class MoveToServer:
    """Hands every goal to `begin`, and a wish to cancel it to `cancel`.

    Each goal is accepted first. A refusal comes as its result, because an action has no other way
    to say why a goal is refused.
    """

    def __init__(
        self, node: Node, begin: Callable[[MoveGoal], None], cancel: Callable[[MoveGoal], None]
    ) -> None:
        self._begin, self._cancel = begin, cancel
        self._numbers = count(1)
        self._goals: dict[bytes, MoveGoal] = {}
        self._server = ActionServer(
            node,
            MoveTo,
            '~/move_to',
            self._ended,
            handle_accepted_callback=self._on_accepted,
            cancel_callback=self._on_cancel,
            goal_service_qos_profile=qos.REQUESTS,
            result_service_qos_profile=qos.REQUESTS,
            cancel_service_qos_profile=qos.REQUESTS,
            result_timeout=KEEP_RESULTS,
        )

    def _on_accepted(self, handle: ServerGoalHandle) -> None:
        goal = self._goals[bytes(handle.goal_id.uuid)] = MoveGoal(handle, next(self._numbers))
        handle.execute()
        self._begin(goal)

    def _on_cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        self._cancel(self._goals[bytes(handle.goal_id.uuid)])
        return CancelResponse.ACCEPT

    async def _ended(self, handle: ServerGoalHandle) -> MoveTo.Result:
        """Wait for the result of a goal; rclpy sends what this returns."""
        result: MoveTo.Result = await self._goals[bytes(handle.goal_id.uuid)].result
        del self._goals[bytes(handle.goal_id.uuid)]
        return result


def wish_of(
    request: MoveTo.Goal, frames: Frames, arm: RobotArm, measured: NamedPositions
) -> Wish:
    """What a request asks for, in base_link; Refusal if it cannot be read."""
    target, joints, name = None, {}, None
    if request.kind == MoveTo.Goal.JOINTS:
        joints = positions_of(request.joints)
    elif request.kind == MoveTo.Goal.NAMED:
        name = request.name
    elif request.kind not in (MoveTo.Goal.POSE, MoveTo.Goal.POINT):
        raise Refusal(
            Code.NOT_FINITE,
            f'kind is {request.kind}; give 0 for a pose, 1 for a point, 2 for joints, 3 for a name',
        )
    else:
        oriented = request.kind == MoveTo.Goal.POSE
        target = frames.target(arm, measured, given_by(request.target), oriented)
    return Wish(target, joints, request.straight, request.speed, name)
