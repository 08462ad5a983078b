# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Answers as messages: the status of a target, and the service's response.

Messages are reused: constructing a message costs more than filling it.
"""

import math
from operator import itemgetter

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from ik_circles.control.decision import Decision, sentence_for
from ik_circles.control.refusals import Refusal
from ik_circles.errors import IkCirclesError, NotFiniteError
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotAnswer, RobotArm
from ik_circles.ros.conversions import fill_given, fill_joints, fill_pose, is_written_as_here
from ik_circles.ros.given import Given, Stamped
from ik_circles.srv import CheckReachability

#: The ends of an interval of orientations.
LOWER, UPPER = itemgetter(0), itemgetter(1)


def code_of(error: IkCirclesError) -> Code:
    """The code of a refusal. Any other error means that the model cannot be used as it is."""
    if isinstance(error, Refusal):
        return error.code
    return Code.NOT_FINITE if isinstance(error, NotFiniteError) else Code.NO_MODEL


class Replies:
    """Fills in messages. Each is valid until the next message of its kind is filled in."""

    def __init__(self) -> None:
        self._command, self._status = JointState(), IkStatus()
        self._stamp = self._command.header.stamp
        self._status.command, self._asked = self._command, self._status.header
        self._response, self._nearest = CheckReachability.Response(), PoseStamped()
        self._header, self._solutions = Header(), list[JointState]()

    def command(self, decision: Decision, now: int) -> JointState:
        """The command of a decision at `now` [ns]; it has no names if nothing is sent."""
        self._stamp.sec, self._stamp.nanosec = divmod(now, 10**9)
        fill_joints(self._command, decision.command or {})
        return self._command

    def status(
        self,
        arm: RobotArm | None,
        stamped: Stamped,
        decision: Decision,
        given: Given | None = None,
    ) -> IkStatus:
        """The status of a target, or of a jog, whose command has been filled in."""
        status, stamp = self._status, self._asked.stamp
        self._asked.frame_id, stamp.sec, stamp.nanosec = stamped
        status.code, status.message = int(decision.code), decision.message
        status.margin = decision.margin
        if arm is not None and given is not None and _is_nearest(arm, given, decision):
            fill_given(status.nearest, arm, given, stamp)
        else:
            fill_pose(status.nearest, arm, decision.nearest, stamp)
        return status

    def response(
        self, arm: RobotArm, target: PoseStamped, given: Given, found: RobotAnswer
    ) -> CheckReachability.Response:
        """What was found about a target, as the service's response."""
        response, stamp = self._response, target.header.stamp
        response.reachable = found.reachable
        response.code, response.message = int(found.code), sentence_for(arm, found)
        response.margin = found.margin
        if _is_nearest(arm, given, found):
            response.nearest = target
        else:
            response.nearest = self._nearest
            fill_pose(self._nearest, arm, found.nearest, stamp)
        response.solutions = self._filled(found.solutions, stamp)
        intervals = found.orientation_intervals
        response.orientation_lower = [*map(LOWER, intervals)]
        response.orientation_upper = [*map(UPPER, intervals)]
        return response

    def _filled(self, solutions: list[NamedPositions], stamp: Time) -> list[JointState]:
        header, messages = self._header, self._solutions
        header.stamp = stamp
        while len(messages) < len(solutions):
            messages.append(JointState(header=header))
        for message, positions in zip(messages, solutions):
            fill_joints(message, positions)
        return messages[: len(solutions)]


def _is_nearest(arm: RobotArm, given: Given, answer: Decision | RobotAnswer) -> bool:
    """Whether the nearest pose is the target as given. Then nothing has to be computed from the
    joints."""
    return answer.as_wanted and is_written_as_here(given, arm)


def refusal(error: IkCirclesError) -> CheckReachability.Response:
    """Why a question cannot be answered, as the service's response."""
    return CheckReachability.Response(code=int(code_of(error)), message=str(error), margin=math.nan)
