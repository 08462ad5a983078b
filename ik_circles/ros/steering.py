# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The topic ~/jog, by which people steer an arm by hand, and the service that allows it."""

import math
import time
from collections.abc import Callable

from geometry_msgs.msg import TwistStamped
from rclpy.node import Node
from rclpy.publisher import Publisher

from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.plan import Plan, limits_of
from ik_circles.control.moves.progress import Doing
from ik_circles.control.refusals import Refusal
from ik_circles.control.seed import JointMemory
from ik_circles.control.stream import staleness
from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros import conversions, qos
from ik_circles.ros.enabling import Enabling
from ik_circles.ros.frames import Frames
from ik_circles.ros.given import Stamped
from ik_circles.ros.motion import MotionPlayer
from ik_circles.ros.replies import Replies, code_of
from ik_circles.ros.unexpected import refused

#: In this time [s], there is at most one warning about a jog that cannot be followed.
BAD_JOGS = 1.0
#: What a jog does is published at most once in this time [s], and only when it changes.
TOLD = 0.1


class Steering:
    """Hears ~/jog, and begins to jog from how the arm moves; answers ~/enable.

    What a jog does is published as a status whenever it changes.
    """

    def __init__(
        self,
        node: Node,
        motion: MotionPlayer,
        model: Callable[[], tuple[RobotArm, JointMemory]],
        frames: Frames,
        statuses: Publisher,
    ) -> None:
        self._motion, self._model, self._frames = motion, model, frames
        self._logger, self._statuses = node.get_logger(), statuses
        self._replies, self._message = Replies(), TwistStamped()
        self._told: tuple[Code, str] | None = None
        self._told_at = self._heard = -math.inf
        node.create_subscription(TwistStamped, '~/jog', self._on_jog, qos.LATEST)
        Enabling(node, motion.parameters.start_enabled, motion.enable)

    def _on_jog(self, message: TwistStamped) -> None:
        self._message, now = message, time.monotonic()
        if now - self._heard > max(self._motion.parameters.jog_timeout, TOLD):
            self._told, self._told_at = None, -math.inf  # a new stream
        self._heard = now
        try:
            self._follow(message)
        except IkCirclesError as error:
            self._tell(Doing(code_of(error), str(error)))
            self._logger.warning(f'jog: {error}', throttle_duration_sec=BAD_JOGS)

    def _tell(self, doing: Doing) -> None:
        """Publish what a jog does, if that has changed."""
        now, told = time.monotonic(), (doing.code, doing.about)
        if told == self._told or now - self._told_at < TOLD:
            return
        self._told, self._told_at = told, now
        self._replies.command(doing, self._motion.clock.now())
        stamped = Stamped.of(self._message.header)
        self._statuses.publish(self._replies.status(None, stamped, doing))

    @refused
    def _follow(self, message: TwistStamped) -> None:
        """Go on as a message asks; Refusal if it cannot be followed."""
        self._motion.check_free()
        arm, joints = self._model()
        now, timeout = self._motion.clock.now(), self._motion.parameters.jog_timeout
        stale = staleness(conversions.nanoseconds(message.header.stamp), now, timeout, 'jog')
        if stale is not None:
            raise Refusal(Code.STALE, stale)
        # The stamp 0 asks for the newest transform: a jog is about now, so it is newer than any
        # transform.
        frame = self._frames.pose_in_base(arm, message.header.frame_id, 0, joints.measured)
        linear = conversions.turned(frame[:3, :3], message.twist.linear)
        angular = conversions.turned(frame[:3, :3], message.twist.angular)
        jogging = self._motion.jogging
        if jogging is None:
            if not (any(linear) or any(angular)):
                return
            jogging = self._begun(arm, joints)
        jogging.hear(linear, angular, self._motion.now())

    def _begun(self, arm: RobotArm, joints: JointMemory) -> Jogging:
        """A jog that begins with how the arm moves now."""
        motion, names = self._motion, arm.commanded_joints
        now, parameters = motion.now(), motion.parameters
        state = motion.state(joints, now)
        limits = limits_of(arm, names, parameters.max_acceleration)
        try:
            jogging = Jogging(
                arm, motion.settings, limits, state, now, self._tell, motion.shortest_stop
            )
        except Refusal as refusal:
            motion.stop(refusal.code, str(refusal))
            raise
        stop = Plan(names, jogging.path, limits)
        motion.begin(motion.prepared(arm, joints, stop, state, now), motion=jogging)
        return jogging
