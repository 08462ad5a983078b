# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The topics for commands: joint_command, always, and the topic of the chosen controller."""

from typing import NamedTuple

from builtin_interfaces.msg import Duration
from rclpy.node import Node
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from ik_circles.control.controllers import Goal
from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.moves.plan import TIME_TO_STAY, Plan
from ik_circles.control.seed import JointMemory
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.ros.executor import publisher
from ik_circles.ros.rivals import watch_for_rivals

#: Message type and topic of each command_interface that adds a topic.
TOPICS = {
    'trajectory': (JointTrajectory, 'joint_trajectory'),
    'position_array': (Float64MultiArray, 'position_commands'),
}

TWO_MASTERS = (
    'the arm is sent to two places at once; stop one of them, or use another namespace or topic'
)


class Prepared(NamedTuple):
    """A plan with everything that it is sent with."""

    plan: Plan
    arm: RobotArm
    joints: JointMemory
    held: NamedPositions
    begin: float


#: How a command is carried out: as a motion, or at once, with a goal if there is a controller.
Execution = Goal | Prepared | None


class CommandOutput:
    """The publishers of commands."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._joint_command = publisher(node, JointState, 'joint_command')
        watch_for_rivals(node, self._joint_command, TWO_MASTERS)
        self._interface = 'joint_state'
        self._to_controller: Publisher | None = None
        self._ends: NamedPositions = {}

    def use(self, interface: str) -> None:
        """Keep the publisher of this command_interface only."""
        if interface == self._interface:
            return
        if self._to_controller is not None:
            self._node.destroy_publisher(self._to_controller)
        self._interface, self._to_controller, self._ends = interface, None, {}
        if interface in TOPICS:
            self._to_controller = publisher(self._node, *TOPICS[interface])

    @property
    def plays_paths(self) -> bool:
        """Whether there is a controller that plays trajectories."""
        return self._interface == 'trajectory'

    def send(self, command: JointState, goal: Goal | None) -> None:
        """Publish the command, and the controller's goal if there is a controller."""
        self._joint_command.publish(command)
        if self._to_controller is not None and goal is not None:
            self._to_controller.publish(_message(self._interface, goal))
            self._ends.update(goal.positions)

    def send_sample(self, command: JointState, positions: NamedPositions) -> None:
        """Publish where the joints are sent right now; a trajectory has been sent as a whole."""
        self._joint_command.publish(command)
        if self._to_controller is not None and self._interface == 'position_array':
            self._to_controller.publish(Float64MultiArray(data=list(positions.values())))

    def send_path(
        self, held: NamedPositions, joints: tuple[str, ...], path: Trajectory
    ) -> None:
        """Publish a timed path of some joints, for a controller that plays trajectories.

        `held` has all joints of the controller, in the controller's order; joints that do not move
        stay there. If no joint moves, nothing is sent, unless the controller was sent elsewhere.
        """
        if self._to_controller is None:
            return
        *_, last = waypoints = path.waypoints
        end = dict(zip(joints, last.positions))
        if path.duration == 0.0:
            if all(self._ends.get(name, at) == at for name, at in end.items()):
                return
            waypoints = (last._replace(time=TIME_TO_STAY),)  # an empty path may be refused
        self._ends |= end
        points = []
        for waypoint in waypoints:
            if waypoint.time > 0.0:
                positions = held | dict(zip(joints, waypoint.positions))
                velocities = dict.fromkeys(held, 0.0) | dict(zip(joints, waypoint.velocities))
                points.append(
                    JointTrajectoryPoint(
                        positions=list(positions.values()),
                        velocities=list(velocities.values()),
                        time_from_start=_duration(waypoint.time),
                    )
                )
        self._to_controller.publish(JointTrajectory(joint_names=list(held), points=points))


def _message(interface: str, goal: Goal) -> JointTrajectory | Float64MultiArray:
    positions = list(goal.positions.values())
    if interface == 'position_array':
        return Float64MultiArray(data=positions)
    # With a stamp of zero, joint_trajectory_controller starts a trajectory at once, whatever the
    # clocks say. Without velocities, it goes straight from where it is to the point.
    point = JointTrajectoryPoint(positions=positions, time_from_start=_duration(goal.duration))
    return JointTrajectory(joint_names=list(goal.positions), points=[point])


def _duration(seconds: float) -> Duration:
    whole = int(seconds)
    return Duration(sec=whole, nanosec=int((seconds - whole) * 1e9))
