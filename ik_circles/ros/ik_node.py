"""The IK node: targets in, joint commands and reasons out. It wires, converts and delegates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from geometry_msgs.msg import PointStamped, PoseStamped
from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import Header, String
from visualization_msgs.msg import MarkerArray

from ik_circles.chain import PlanarChain
from ik_circles.errors import IkCirclesError, InvalidUrdfError
from ik_circles.msg import IkStatus
from ik_circles.planner import Decision, Refusal, Target, assess, decide
from ik_circles.reachability import Code
from ik_circles.ros import parameters
from ik_circles.ros.conversions import (
    finite,
    joint_state,
    pose_message,
    position_of,
    positions_of,
    rotation_of,
)
from ik_circles.ros.frames import Frames
from ik_circles.ros.markers import workspace_markers
from ik_circles.ros.run import run
from ik_circles.srv import CheckReachability
from ik_circles.urdf import Matrix

LATEST = QoSProfile(depth=1)
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class IkNode(Node):
    """Solves targets for the arm of the robot description."""

    def __init__(self) -> None:
        super().__init__('ik_node')
        self._values = parameters.declare(self)
        self._settings = parameters.settings_of(self._values)
        self._latched_description = ''
        self._chain: PlanarChain | None = None
        self._no_model = 'no robot_description yet: set the parameter or publish the topic'
        self._measured: dict[str, float] = {}
        self._frames = Frames(self)

        self._commands = self.create_publisher(JointState, 'joint_command', 10)
        self._statuses = self.create_publisher(IkStatus, '~/status', 10)
        self._markers = self.create_publisher(MarkerArray, '~/workspace', LATCHED)
        self._start_model()
        self.add_on_set_parameters_callback(self._on_parameters)
        self.create_subscription(String, 'robot_description', self._on_description, LATCHED)
        self.create_subscription(
            JointState, 'joint_states', self._on_joint_states, qos_profile_sensor_data
        )
        self.create_subscription(PoseStamped, 'target_pose', self._on_pose, LATEST)
        self.create_subscription(PointStamped, 'target_point', self._on_point, LATEST)
        self.create_service(CheckReachability, '~/check_reachability', self._on_check)

    # --- model and parameters ---

    def _start_model(self) -> None:
        """A description that is unsound at the start leaves a node that waits for a better one."""
        try:
            self._adopt(self._values, self._loaded(self._values))
        except IkCirclesError as error:
            self._no_model = f'the robot_description was refused: {error}'
            self.get_logger().error(self._no_model)

    def _loaded(self, values: dict[str, Any]) -> PlanarChain | None:
        """The chain that the values describe, None before there is a description."""
        description = values['robot_description'] or self._latched_description
        if not description:
            if self._chain is not None:
                raise InvalidUrdfError('robot_description is empty; give the text of a URDF')
            return None
        return parameters.chain_of({**values, 'robot_description': description})

    def _adopt(self, values: dict[str, Any], chain: PlanarChain | None) -> None:
        """Take values and model if they go together, else raise and leave all as it is."""
        settings = parameters.settings_of(values)
        markers = workspace_markers(chain, settings.zones(chain)) if chain else None
        news = chain is not None and chain is not self._chain
        self._values, self._settings, self._chain = values, settings, chain
        if markers is not None:
            self._markers.publish(markers)
        if chain is not None and news:
            lengths = ', '.join(f'{length:.4g}' for length in chain.arm.link_lengths)
            self.get_logger().info(
                f'arm from {chain.base_link} to {chain.tip_link}: joints '
                f'{", ".join(chain.joint_names)}, links of {lengths} m'
            )

    def _on_parameters(self, changes: list[Parameter]) -> SetParametersResult:
        values = parameters.changed(self._values, changes)
        if values == self._values:
            return SetParametersResult(successful=True)
        try:
            same_model = all(values[name] == self._values[name] for name in parameters.MODEL)
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

    # --- targets ---

    def _on_joint_states(self, message: JointState) -> None:
        if self._chain is not None:
            self._measured.update(positions_of(message, self._chain.joint_names))

    def _on_pose(self, message: PoseStamped) -> None:
        self._answer(message.header, message)

    def _on_point(self, message: PointStamped) -> None:
        self._answer(message.header, message)

    def _answer(self, header: Header, message: PoseStamped | PointStamped) -> None:
        """Send the command, if any, then the status: one for every target."""
        try:
            chain = self._model()
            target = self._target(chain, message)
            decision = decide(chain, self._settings, target, self._measured)
        except Refusal as refusal:
            decision = Decision(refusal.code, str(refusal))
        stamp = self.get_clock().now().to_msg()
        command = joint_state(decision.command, stamp)
        if command.name:
            self._commands.publish(command)
        self._statuses.publish(
            IkStatus(
                header=header,
                code=int(decision.code),
                message=decision.message,
                margin=decision.margin,
                nearest=pose_message(self._chain, decision.nearest, stamp),
                command=command,
            )
        )
        if decision.code is not Code.OK:
            self.get_logger().warning(decision.message, throttle_duration_sec=1.0)

    def _on_check(
        self, request: CheckReachability.Request, response: CheckReachability.Response
    ) -> CheckReachability.Response:
        stamp = self.get_clock().now().to_msg()
        try:
            chain = self._model()
            target = self._target(chain, request.target, request.check_orientation)
            found = assess(chain, self._settings, target)
        except Refusal as refusal:
            response.code, response.message = int(refusal.code), str(refusal)
            response.margin = math.nan
            return response
        response.reachable = found.reachable
        response.code, response.message = int(found.code), found.message
        response.margin = found.margin
        response.nearest = pose_message(chain, found.nearest, stamp)
        response.solutions = [joint_state(positions, stamp) for positions in found.solutions]
        response.orientation_lower = [lower for lower, _ in found.orientation_intervals]
        response.orientation_upper = [upper for _, upper in found.orientation_intervals]
        return response

    def _model(self) -> PlanarChain:
        if self._chain is None:
            raise Refusal(Code.NO_MODEL, self._no_model)
        return self._chain

    def _target(
        self,
        chain: PlanarChain,
        message: PoseStamped | PointStamped,
        with_orientation: bool = True,
    ) -> Target:
        """The target in base_link; Refusal if the message cannot be used."""
        rotation: Matrix | None = None
        if isinstance(message, PoseStamped):
            position = position_of(message.pose.position)
            if with_orientation and self._settings.orientation_mode != 'free':
                rotation = rotation_of(message.pose.orientation)
        else:
            position = position_of(message.point)
        frame = self._frames.pose_in_base(chain, message.header.frame_id, message.header.stamp)
        position = finite(frame[:3, :3] @ position + frame[:3, 3])
        turned = None if rotation is None else np.asarray(frame[:3, :3] @ rotation)
        x, y, z = map(float, position)
        return Target((x, y, z), turned)


def main() -> int:
    """Run the node until it is told to stop."""
    return run(IkNode)


if __name__ == '__main__':
    raise SystemExit(main())
