"""The IK node: targets in, joint commands and reasons out. It wires, converts and delegates."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PointStamped, PoseStamped
from rcl_interfaces.msg import SetParametersResult
from rclpy.clock import JumpThreshold, TimeJump
from rclpy.node import Node
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Header, String
from visualization_msgs.msg import MarkerArray

from ik_circles.control.controllers import Goal, check_controller_joints, goal_of
from ik_circles.control.decision import Decision, assess, decide, sentence_for
from ik_circles.control.reporting import Summary, Tally, Warnings
from ik_circles.control.seed import JointMemory
from ik_circles.control.stream import staleness
from ik_circles.control.target import Refusal, Target, finite
from ik_circles.errors import IkCirclesError, InvalidUrdfError, NotFiniteError
from ik_circles.geometry.rigid import Rotation
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.ros import parameters
from ik_circles.ros.command_output import Output
from ik_circles.ros.conversions import (
    fill_joint_state,
    fill_pose,
    is_ours,
    nanoseconds,
    position_of,
    rotation_of,
)
from ik_circles.ros.diagnostics import Diagnostics
from ik_circles.ros.frames import Frames
from ik_circles.ros.markers import TargetMarkers, workspace_markers
from ik_circles.ros.qos import LATCHED, LATEST, MEASURED, NO_EVENTS
from ik_circles.ros.spinning import run
from ik_circles.srv import CheckReachability


class IkNode(Node):
    """Solves targets for the arm of the robot description."""

    def __init__(self) -> None:
        super().__init__('ik_node')
        clock, clock_changed = self.get_clock(), JumpThreshold(min_forward=None, min_backward=None)
        self._is_simulated = clock.ros_time_is_active
        self._clock_changes = clock.create_jump_callback(
            clock_changed, post_callback=self._on_clock_change
        )
        self._values = parameters.declare(self)
        self._settings = parameters.settings_of(self._values)
        self._latched_description = ''
        self._chain: RobotArm | None = None
        self._joints: JointMemory | None = None
        self._held: RobotArm | None = None
        self._held_at: NamedPositions = {}
        self._warnings, self._tally = Warnings(), Tally()
        self._no_model = 'no robot_description yet: set the parameter or publish the topic'
        self._frames = Frames(self)
        self._output = Output(self)
        self.create_subscription(JointState, 'joint_states', self._on_joint_states, MEASURED)
        # kept: new ones take longer than all that is written into them
        self._stamp, self._command, self._status = Time(), JointState(), IkStatus()
        self._solutions_header, self._solutions = Header(), list[JointState]()
        self._statuses = self.create_publisher(
            IkStatus, '~/status', 10, event_callbacks=NO_EVENTS
        )
        self._markers = self.create_publisher(
            MarkerArray, '~/workspace', LATCHED, event_callbacks=NO_EVENTS
        )
        self._target_markers = TargetMarkers(self)
        self._start_model()
        self.add_on_set_parameters_callback(self._on_parameters)
        self.create_subscription(String, 'robot_description', self._on_description, LATCHED)
        self.create_subscription(PoseStamped, 'target_pose', self._answer, LATEST)
        self.create_subscription(PointStamped, 'target_point', self._answer, LATEST)
        self.create_service(CheckReachability, '~/check_reachability', self._on_check)
        self._diagnostics = Diagnostics(self, self._summary)
        if not (self._chain or self._values['robot_description']):
            self.get_logger().info(f'waiting: {self._no_model}')

    # --- model and parameters ---

    def _start_model(self) -> None:
        """A description that is unsound at the start leaves a node that waits for a better one."""
        try:
            self._adopt(self._values, self._loaded(self._values))
        except IkCirclesError as error:
            self._no_model = f'the robot_description was refused: {error}'
            self.get_logger().error(self._no_model)

    def _loaded(self, values: dict[str, Any]) -> RobotArm | None:
        """The chain that the values describe, None before there is a description."""
        description = values['robot_description'] or self._latched_description
        if not description:
            if self._chain is not None:
                raise InvalidUrdfError('robot_description is empty; give the text of a URDF')
            return None
        return parameters.chain_of({**values, 'robot_description': description})

    def _adopt(self, values: dict[str, Any], chain: RobotArm | None) -> None:
        """Take values and model if they go together, else raise and leave all as it is."""
        settings = parameters.settings_of(values)
        markers = None
        if chain is not None:
            check_controller_joints(settings, chain)
            markers = workspace_markers(chain, settings.zones(chain))
        self._values, self._settings = values, settings
        self._output.use(settings.command_interface)
        if chain is not None and chain is not self._chain:
            self._start_over(chain)
        if markers is not None:
            self._markers.publish(markers)

    def _start_over(self, chain: RobotArm) -> None:
        """Nothing of the model before it is kept: joints of the same name may be others."""
        self._chain, self._held, self._held_at = chain, chain, {}
        self._joints = JointMemory(chain)
        self._warnings, self._tally = Warnings(), Tally()
        lengths = ', '.join(f'{length:.4g}' for length in chain.arm.link_lengths)
        self.get_logger().info(
            f'arm from {chain.base_link} to {chain.tip_link}: joints '
            f'{", ".join(chain.commanded_joints)}, links of {lengths} m'
        )
        for note in chain.notes:
            self.get_logger().info(note)

    def _on_parameters(self, changes: list[Parameter]) -> SetParametersResult:
        values = parameters.changed(self._values, changes)
        if values == self._values:
            return SetParametersResult(successful=True)
        try:
            same_model = all(values[name] == self._values[name] for name in parameters.MODEL_NAMES)
            if same_model and self._chain is None:
                self._adopt(values, None)
                self._start_model()  # it may have been the margin that did not fit
            else:
                self._adopt(values, self._chain if same_model else self._loaded(values))
        except IkCirclesError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _on_description(self, message: String) -> None:
        before, self._latched_description = self._latched_description, message.data
        if self._values['robot_description'] or message.data == before:
            return
        try:
            values = {**self._values, 'robot_description': message.data}
            self._adopt(self._values, parameters.chain_of(values))
        except IkCirclesError as error:
            kept = 'there is no model'  # until parameters change that make it fit
            if self._chain is not None:
                self._latched_description, kept = before, 'the model before it stays'
            self._no_model = f'the robot_description was refused: {error}'
            self.get_logger().error(f'{self._no_model}; {kept}')

    # --- the clock ---

    def _on_clock_change(self, _: TimeJump) -> None:
        self._is_simulated = self.get_clock().ros_time_is_active

    def _now(self) -> int:
        """The node's clock [ns]; the system's, if it is that, answers much sooner than rclpy."""
        return self.get_clock().now().nanoseconds if self._is_simulated else time.time_ns()

    # --- targets ---

    def _on_joint_states(self, message: JointState) -> None:
        if self._joints is not None:
            self._joints.hear(message.name, message.position)

    def _answer(self, message: PoseStamped | PointStamped) -> None:
        """Send the command, if any, then the status: one for every target."""
        begin = time.perf_counter()
        try:
            decision, goal = self._decided(message)
        except IkCirclesError as error:
            decision, goal = Decision(_code_of(error), str(error)), None
        stamp, command, status = self._stamp, self._command, self._status
        stamp.sec, stamp.nanosec = divmod(self._now(), 10**9)
        fill_joint_state(command, decision.command or {}, stamp)
        if decision.command is not None and self._joints is not None:
            self._output.send(command, goal)
            self._joints.commanded(decision.command)
        status.header, status.command = message.header, command
        status.code, status.message = int(decision.code), decision.message
        status.margin = decision.margin
        fill_pose(status.nearest, self._held, decision.nearest, message.header.stamp)
        self._statuses.publish(status)
        self._tally.answered(decision, time.perf_counter() - begin)
        self._report(decision)
        self._target_markers.show(self._held, message, status)

    def _decided(self, message: PoseStamped | PointStamped) -> tuple[Decision, Goal | None]:
        """The decision and what a controller is sent for it; IkCirclesError says why not."""
        chain, joints = self._model()
        settings = self._settings
        if settings.target_timeout > 0.0:
            stamp = nanoseconds(message.header.stamp)
            stale = staleness(stamp, self._now(), settings.target_timeout)
            if stale is not None:
                raise Refusal(Code.STALE, stale)
        target = self._target(chain, joints, message)
        seed = joints.seed(settings.seed_tolerance)
        for warning in seed.warnings:
            self.get_logger().warning(warning)
        decision = decide(chain, settings, target, seed.positions)
        if decision.command is None:
            return decision, None
        return decision, goal_of(
            settings, chain, decision.command, seed.positions, joints.measured
        )

    def _report(self, decision: Decision) -> None:
        if not self._warnings.worth_saying(decision.code, time.monotonic()):
            return
        if decision.code is Code.OK:
            self.get_logger().info('targets are taken again')
        else:
            self.get_logger().warning(decision.message)

    def _summary(self) -> Summary:
        return self._tally.summary(self._chain, self._no_model)

    def _on_check(
        self, request: CheckReachability.Request, response: CheckReachability.Response
    ) -> CheckReachability.Response:
        stamp = request.target.header.stamp
        try:
            chain, joints = self._model()
            target = self._target(chain, joints, request.target, request.check_orientation)
            found = assess(chain, self._settings, target)
        except IkCirclesError as error:
            response.code, response.message = int(_code_of(error)), str(error)
            response.margin = math.nan
            return response
        response.reachable = found.reachable
        response.code, response.message = int(found.code), sentence_for(chain, found)
        response.margin = found.margin
        if found.as_wanted and is_ours(request.target, chain):
            response.nearest = request.target
        else:
            fill_pose(response.nearest, chain, found.nearest, stamp)
        response.solutions = self._solutions_in_messages(found.solutions, stamp)
        intervals = found.orientation_intervals
        response.orientation_lower = [lower for lower, _ in intervals]
        response.orientation_upper = [upper for _, upper in intervals]
        return response

    def _solutions_in_messages(
        self, solutions: list[NamedPositions], stamp: Time
    ) -> list[JointState]:
        header, kept = self._solutions_header, self._solutions
        header.stamp = stamp
        while len(kept) < len(solutions):
            kept.append(JointState(header=header))
        for message, positions in zip(kept, solutions):
            message.name, message.position = list(positions), list(positions.values())
        return kept[: len(solutions)]

    def _model(self) -> tuple[RobotArm, JointMemory]:
        """The chain, with joints that are not commanded where they were measured."""
        if self._chain is None or self._joints is None or self._held is None:
            raise Refusal(Code.NO_MODEL, self._no_model)
        if self._chain.held:
            held_at = self._joints.measured_of(self._chain.held)
            if held_at != self._held_at:
                self._held, self._held_at = self._held.holding(held_at), held_at
        return self._held, self._joints

    def _target(
        self,
        chain: RobotArm,
        joints: JointMemory,
        message: PoseStamped | PointStamped,
        with_orientation: bool = True,
    ) -> Target:
        """The target in base_link; Refusal if the message cannot be used."""
        rotation: Rotation | None = None
        if isinstance(message, PoseStamped):
            position = position_of(message.pose.position)
            if with_orientation and self._settings.orientation_mode != 'free':
                rotation = rotation_of(message.pose.orientation)
        else:
            position = position_of(message.point)
        header = message.header
        if header.frame_id == chain.base_link:
            return Target(position, rotation)
        frame = self._frames.pose_in_base(chain, header.frame_id, header.stamp, joints.measured)
        x, y, z = map(float, frame[:3, :3] @ position + frame[:3, 3])
        turned = None if rotation is None else np.asarray(frame[:3, :3] @ rotation)
        return Target(finite((x, y, z)), turned)


def _code_of(error: IkCirclesError) -> Code:
    """A refusal says which; what else is wrong is wrong with the model as it stands."""
    if isinstance(error, Refusal):
        return error.code
    return Code.NOT_FINITE if isinstance(error, NotFiniteError) else Code.NO_MODEL


def main() -> int:
    """Run the node until it is told to stop."""
    return run(IkNode)


if __name__ == '__main__':
    raise SystemExit(main())
