# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A simulated arm: follows joint_command and joint_trajectory, and publishes joint_states."""

from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory

from ik_circles.control.home import start_in
from ik_circles.control.settings import SimulationParameters
from ik_circles.control.simulation import SimulatedArm, TrajectoryPoint
from ik_circles.errors import IkCirclesError
from ik_circles.robot.urdf import parse_urdf
from ik_circles.ros import parameters, qos, usage
from ik_circles.ros.conversions import fill_joints, nanoseconds
from ik_circles.ros.rivals import watch_for_rivals
from ik_circles.ros.spinning import run

NO_DESCRIPTION = 'no robot_description yet'
BY_TRAJECTORY = (
    'joints that follow joint_trajectory ignore joint_command while somebody publishes '
    'joint_trajectory'
)
TWO_PLACES = (
    'the arm is in two places at once; stop one of them (arm.launch.py: sim:=false), or use '
    'another namespace'
)


class SimArm(Node):
    """Moves every joint of the robot description that can move."""

    def __init__(self) -> None:
        super().__init__('sim_arm')
        values = parameters.declare(self, SimulationParameters)
        given = parameters.read(SimulationParameters, values)
        parameters.keep(self, values, SimulationParameters)
        self._max_acceleration = given.max_acceleration
        self._arm: SimulatedArm | None = None
        self._described_by = ''
        if given.robot_description:
            self._arm = self._made(given.robot_description)
        else:
            self.create_subscription(String, 'robot_description', self._on_description, qos.LATCHED)
            self.get_logger().info(
                f'waiting: {NO_DESCRIPTION}; publish its topic, or start with urdf_file'
            )
        self._states = self.create_publisher(JointState, 'joint_states', qos.QUEUED)
        self.create_subscription(JointState, 'joint_command', self._on_command, qos.QUEUED)
        self._trajectories = self.create_subscription(
            JointTrajectory, 'joint_trajectory', self._on_trajectory, qos.QUEUED
        )
        self._before = self.get_clock().now()
        self.create_timer(1.0 / given.rate, self._on_timer)
        watch_for_rivals(self, self._states, TWO_PLACES)

    def _made(self, description: str) -> SimulatedArm:
        return SimulatedArm(
            parse_urdf(description), self._max_acceleration, start_in(description)
        )

    def _on_description(self, message: String) -> None:
        if message.data == self._described_by:  # the same description: the arm stays where it is
            return
        try:
            self._arm = self._made(message.data)
            self._described_by = message.data
        except IkCirclesError as error:
            self.get_logger().error(f'robot_description refused: {error}')

    def _on_command(self, message: JointState) -> None:
        problem: str | None = NO_DESCRIPTION
        if self._arm is not None:
            # ik_node with command_interface: trajectory sends each target on both topics.
            both = self.count_publishers(self._trajectories.topic_name) > 0
            if both and self._arm.led.intersection(message.name):
                self.get_logger().info(BY_TRAJECTORY, once=True)
            problem = self._arm.command(message.name, message.position, spare_led=both)
        if problem:
            self.get_logger().warning(f'command refused: {problem}', throttle_duration_sec=1.0)

    def _on_trajectory(self, message: JointTrajectory) -> None:
        problem: str | None = NO_DESCRIPTION
        if self._arm is not None:
            start = nanoseconds(message.header.stamp) or self.get_clock().now().nanoseconds
            delay = (start - self._before.nanoseconds) * 1e-9
            points = [
                TrajectoryPoint(
                    nanoseconds(point.time_from_start) * 1e-9, point.positions, point.velocities
                )
                for point in message.points
            ]
            problem = self._arm.follow(message.joint_names, points, delay)
        if problem:
            self.get_logger().warning(f'trajectory refused: {problem}', throttle_duration_sec=1.0)

    def _on_timer(self) -> None:
        now = self.get_clock().now()
        duration, self._before = (now - self._before).nanoseconds * 1e-9, now
        if self._arm is None:
            return
        self._arm.step(max(0.0, duration))
        message = JointState()
        message.header.stamp = now.to_msg()
        fill_joints(message, self._arm.positions)
        message.velocity = list(self._arm.velocities.values())
        self._states.publish(message)


def main() -> int:
    """Run the simulated arm until it is told to stop."""
    usage.explain('sim_arm', str(__doc__), SimulationParameters)
    return run(SimArm)
