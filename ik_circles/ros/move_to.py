"""The action ~/move_to as messages: goals in, and for each one feedback and a result."""

from collections.abc import Callable

from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from rclpy.task import Future

from ik_circles.action import MoveTo
from ik_circles.reasons import Code


class MoveGoal:
    """A goal from the moment it has come to its result."""

    def __init__(self, handle: ServerGoalHandle) -> None:
        self.request: MoveTo.Goal = handle.request
        self.result: Future = Future()
        self.is_canceled = False
        self._handle = handle

    def tell(self, feedback: MoveTo.Feedback) -> None:
        """How far the arm is."""
        self._handle.publish_feedback(feedback)

    def end(self, result: MoveTo.Result) -> None:
        """The arm is at rest, or nothing was begun."""
        if result.code == Code.OK:
            self._handle.succeed()
        elif self._handle.is_cancel_requested:
            self._handle.canceled()
        else:
            self._handle.abort()
        self.result.set_result(result)


class MoveToServer:
    """Hands every goal to `begin`, and a wish to cancel it to `cancel`.

    Each goal is taken first. A refusal is its result: an action has no words for another one.
    """

    def __init__(
        self, node: Node, begin: Callable[[MoveGoal], None], cancel: Callable[[MoveGoal], None]
    ) -> None:
        self._begin, self._cancel = begin, cancel
        self._goals: dict[bytes, MoveGoal] = {}
        self._server = ActionServer(
            node,
            MoveTo,
            '~/move_to',
            self._ended,
            handle_accepted_callback=self._on_accepted,
            cancel_callback=self._on_cancel,
        )

    def _on_accepted(self, handle: ServerGoalHandle) -> None:
        goal = self._goals[bytes(handle.goal_id.uuid)] = MoveGoal(handle)
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
