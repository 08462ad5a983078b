# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node: targets in, joint commands and reasons out."""

import time
from dataclasses import replace
from functools import partial
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.task import Future
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from visualization_msgs.msg import MarkerArray

from ik_circles.control import Decision, Refusal, Settings
from ik_circles.control.controllers import check_controller_joints
from ik_circles.control.decision import assess, decide_checked
from ik_circles.control.refusals import NotYet
from ik_circles.control.reporting import Tally, Warnings, in_force
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import ModelParameters, MotionParameters
from ik_circles.control.stream import staleness
from ik_circles.errors import IkCirclesError, InvalidUrdfError
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros import clock, markers, parameters, qos, replies, usage
from ik_circles.ros.blank_messages import read_without_defaults
from ik_circles.ros.command_output import CommandOutput
from ik_circles.ros.diagnostics import publish_diagnostics
from ik_circles.ros.executor import publisher, service
from ik_circles.ros.frames import Frames
from ik_circles.ros.given import Given, given_by, hear_targets
from ik_circles.ros.motion import MotionPlayer
from ik_circles.ros.moveit_ik import PositionIk
from ik_circles.ros.moveit_ik import serve as serve_moveit
from ik_circles.ros.patience import Patience
from ik_circles.ros.spinning import run
from ik_circles.ros.steering import Steering
from ik_circles.ros.unexpected import refused
from ik_circles.srv import CheckReachability

NO_DESCRIPTION = 'no robot_description yet; set it, publish its topic, or start with urdf_file'
#: In this time [s], there is at most one warning about bad joint states.
BAD_STATES = 10.0


class IkNode(Node):
    """Solves targets for the arm of the robot description."""

    def __init__(self) -> None:
        super().__init__('ik_node')
        self._now = clock.NodeClock(self).now
        self._values = parameters.declare(self, ModelParameters, Settings, MotionParameters)
        self._settings = parameters.read(Settings, self._values)
        self._latched_description = ''
        self._arm: RobotArm | None = None
        self._joints: JointMemory | None = None
        self._arm_now: RobotArm | None = None
        self._warnings, self._tally = Warnings(), Tally()
        self._no_model = NO_DESCRIPTION
        self._patience = Patience(self)
        self._frames = Frames(self, self._patience.try_again)
        self._output = CommandOutput(self)
        motion = parameters.read(MotionParameters, self._values)
        wait = self._patience.question
        self._motion = MotionPlayer(self, self._model, self._frames, self._output, wait, motion)
        self._statuses = publisher(self, IkStatus, '~/status')
        self._steering = Steering(self, self._motion, self._model, self._frames, self._statuses)
        self._replies = replies.Replies()
        self.create_subscription(JointState, 'joint_states', self._on_joint_states, qos.MEASURED)
        self._workspace = publisher(self, MarkerArray, '~/workspace', qos.LATCHED)
        self._target_markers = markers.TargetMarkers(self)
        self._start_model()
        self.add_on_set_parameters_callback(self._on_parameters)
        self.create_subscription(String, 'robot_description', self._on_description, qos.LATCHED)
        hear_targets(self, self._on_target)
        read_without_defaults(CheckReachability.Request)
        service(self, CheckReachability, '~/check_reachability', self._on_check)
        serve_moveit(self, PositionIk(self._model, lambda: self._settings, self._frames))
        publish_diagnostics(self, lambda: self._tally.summary(self._arm, self._no_model))
        model, enable = _model_of(self._values), self.resolve_service_name('~/enable')
        self.get_logger().info(in_force(model, self._settings, motion, enable))
        if not (self._arm or self._values['robot_description']):
            self.get_logger().info(f'waiting: {self._no_model}')

    # --- model and parameters ---

    def _start_model(self) -> None:
        """Take the description that the node was started with; if it is not usable, wait for one.

        If a file was named, waiting would not help, so the file's error is raised.
        """
        try:
            self._adopt(self._values, self._loaded(self._values))
        except IkCirclesError as error:
            if self._values['urdf_file']:
                raise InvalidUrdfError(f'urdf_file {self._values["urdf_file"]}: {error}') from error
            self._no_model = f'the robot_description was refused: {error}'
            self.get_logger().error(self._no_model)

    def _loaded(self, values: dict[str, Any]) -> RobotArm | None:
        """The arm that the values describe, None before there is a description."""
        description = values['robot_description'] or self._latched_description
        return _load(values, description) if description else None

    @refused
    def _adopt(self, values: dict[str, Any], arm: RobotArm | None) -> None:
        """Take values and model if they fit together; otherwise raise, and change nothing."""
        settings = parameters.read(Settings, values)
        motion = parameters.read(MotionParameters, values)
        self._motion.check_use(settings)
        workspace = None
        if arm is not None:
            check_controller_joints(settings, arm)
            workspace = markers.workspace_markers(arm, settings.zones(arm))
        self._values, self._settings = values, settings
        self._output.use(settings.command_interface)
        self._motion.use(settings, motion)
        self._patience.timeout = settings.transform_timeout
        if arm is not self._arm:
            self._motion.stop(Code.NO_MODEL, 'the model has changed; the arm was brought to rest')
        if arm is None:
            self._forget()
        elif arm is not self._arm:
            self._start_over(arm)
        if workspace is not None:
            self._workspace.publish(workspace)

    def _forget(self) -> None:
        """Drop the model, as at the start, until there is a description on the topic."""
        if self._arm is not None:
            self._no_model = NO_DESCRIPTION
            self.get_logger().info(f'waiting: {self._no_model}')
            self._workspace.publish(markers.nothing())
        self._arm = self._arm_now = self._joints = None

    def _start_over(self, arm: RobotArm) -> None:
        """Forget everything about the previous model: its joints may have the same names."""
        self._arm, self._arm_now, self._joints = arm, arm, JointMemory(arm)
        self._warnings, self._tally = Warnings(), Tally()
        lengths = ', '.join(f'{length:.4g}' for length in arm.arm.link_lengths)
        self.get_logger().info(
            f'arm from {arm.base_link} to {arm.tip_link}: joints '
            f'{", ".join(arm.commanded_joints)}, links of {lengths} m'
        )
        for note in arm.notes:
            self.get_logger().info(note)
        if arm.held:
            self.get_logger().info(f'held where joint_states says: {", ".join(arm.held)}')

    def _on_parameters(self, changes: list[Parameter]) -> SetParametersResult:
        values = parameters.changed(self._values, changes)
        if values == self._values:
            return SetParametersResult(successful=True)
        try:
            parameters.check_start_only(self._values, values, ModelParameters, MotionParameters)
            same_model = _model_of(values) == _model_of(self._values)
            if same_model and self._arm is None:
                self._adopt(values, None)
                self._start_model()  # perhaps only the margin did not fit
            else:
                self._adopt(values, self._arm if same_model else self._loaded(values))
        except IkCirclesError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _on_description(self, message: String) -> None:
        before, self._latched_description = self._latched_description, message.data
        if self._values['robot_description'] or message.data == before:
            return
        try:
            self._adopt(self._values, _load(self._values, message.data))
        except IkCirclesError as error:
            kept = 'there is no model'  # until a changed parameter makes it fit
            if self._arm is not None:
                self._latched_description, kept = before, 'keeping the previous model'
            self._no_model = f'the robot_description was refused: {error}'
            self.get_logger().error(f'{self._no_model}; {kept}')

    # --- targets ---

    def _on_joint_states(self, message: JointState) -> None:
        if self._joints is None:
            return
        problem = self._joints.hear(message.name, message.position)
        self._motion.hear(self._joints.measured, message.name, message.position)
        if problem:
            self.get_logger().warning(f'joint_states: {problem}', throttle_duration_sec=BAD_STATES)

    def _on_target(self, given: Given) -> None:
        begin = time.perf_counter()
        self._patience.target(partial(self._answer, given, begin), begin)

    def _answer(self, given: Given, begin: float, is_last: bool) -> bool:
        """Send the command, if any, then the status; False if the target has to wait."""
        try:
            decision = self._carried_out(given)
        except IkCirclesError as error:
            if isinstance(error, NotYet) and not is_last:
                return False
            decision = Decision(replies.code_of(error), str(error))
        if decision.command is None:
            self._replies.command(decision, self._now())
        status = self._replies.status(self._arm_now, given.stamped, decision, given)
        self._statuses.publish(status)
        self._tally.answered(decision, time.perf_counter() - begin)
        self._report(decision)
        self._target_markers.show(self._arm_now, given, status)
        return True

    @refused
    def _carried_out(self, given: Given) -> Decision:
        """The decision, whose command has been sent; IkCirclesError says why there is none."""
        arm, joints = self._model()
        self._motion.check_free()
        settings = self._settings
        if (timeout := settings.target_timeout) > 0.0:
            stale = staleness(given.stamped.nanoseconds, self._now(), timeout)
            if stale is not None:
                raise Refusal(Code.STALE, stale)
        oriented = settings.orientation_mode != 'free'
        target = self._frames.target(arm, joints.measured, given, oriented)
        seed = joints.seed(settings.seed_tolerance)
        for warning in seed.warnings:
            self.get_logger().warning(warning)
        decision = decide_checked(arm, settings, target, seed.positions)
        if (command := decision.command) is not None:
            decision, way = self._motion.way_of(arm, joints, decision, seed.positions)
            message = self._replies.command(decision, self._now())
            self._motion.carry_out(message, way, joints, command)
        return decision

    def _report(self, decision: Decision) -> None:
        if not self._warnings.worth_saying(decision.code, time.monotonic()):
            return
        if decision.code is Code.OK:
            self.get_logger().info('targets are accepted again')
        else:
            self.get_logger().warning(decision.message)

    def _on_check(self, request: CheckReachability.Request) -> CheckReachability.Response | Future:
        response = self._checked(request, self._patience.timeout == 0.0)
        if response is not None:
            return response
        later = Future()  # made only if it is needed

        def attempt(is_last: bool) -> bool:
            response = self._checked(request, is_last)
            if response is not None:
                later.set_result(response)  # it is sent before this returns
            return response is not None

        self._patience.question_waits(attempt)
        return later

    def _checked(
        self, request: CheckReachability.Request, is_last: bool
    ) -> CheckReachability.Response | None:
        """The response; None if the question has to wait."""
        try:
            return self._found(request)
        except IkCirclesError as error:
            is_early = isinstance(error, NotYet) and not is_last
            return None if is_early else replies.refusal(error)

    @refused
    def _found(self, request: CheckReachability.Request) -> CheckReachability.Response:
        arm, joints = self._model()
        oriented = request.check_orientation and self._settings.orientation_mode != 'free'
        given = given_by(request.target, oriented)
        target = self._frames.target(arm, joints.measured, given, oriented)
        found = assess(arm, self._settings, target)
        return self._replies.response(arm, request.target, given, found)

    def _model(self) -> tuple[RobotArm, JointMemory]:
        """The arm, with held joints and the wrist where they were measured."""
        if self._arm_now is None or self._joints is None:
            raise Refusal(Code.NO_MODEL, self._no_model)
        if self._arm_now.at_rest:
            self._arm_now = self._arm_now.holding_known(self._joints.measured)
        return self._arm_now, self._joints


def _model_of(values: dict[str, Any]) -> ModelParameters:
    return parameters.read(ModelParameters, values)


@refused
def _load(values: dict[str, Any], description: str) -> RobotArm:
    return replace(_model_of(values), robot_description=description).load()


def main() -> int:
    """Run the node until it is told to stop."""
    usage.explain('ik_node', str(__doc__), ModelParameters, Settings, MotionParameters)
    return run(IkNode)
