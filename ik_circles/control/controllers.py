# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is sent to a ros2_control controller for a command: every joint it has, in its order."""

from collections.abc import Mapping
from typing import NamedTuple

from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.simulation import DEFAULT_VELOCITY
from ik_circles.errors import InvalidSettingError
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm

#: How far a joint may have to move if its position is unknown [rad]: half a turn, and a little.
UNKNOWN_STEP = 3.2
#: The shortest time to a goal [s]: one cycle of a slow controller.
SHORTEST_TIME = 0.01
#: The longest time to a goal [s], so that it fits into a message.
LONGEST_TIME = 1e6


class Goal(NamedTuple):
    """Positions of the controller's joints, in its order [rad], and the time to get there [s]."""

    positions: NamedPositions
    duration: float


def check_controller_joints(settings: Settings, arm: RobotArm) -> None:
    """InvalidSettingError unless the controller has every commanded joint, and only the robot's."""
    listed, movable = settings.controller_joints, arm.tree.movable_joints
    for name in listed:
        if name not in movable:
            raise InvalidSettingError(
                f"controller_joints names '{name}', which is not a movable joint of the robot; "
                f'its movable joints are {", ".join(movable)}'
            )
    missing = [name for name in arm.commanded_joints if listed and name not in listed]
    if missing:
        raise InvalidSettingError(
            f'controller_joints lacks {", ".join(missing)}; it must have every commanded joint: '
            f'{", ".join(arm.commanded_joints)}'
        )


def goal_of(
    settings: Settings,
    arm: RobotArm,
    command: NamedPositions,
    seed: Mapping[str, float],
    measured: Mapping[str, float],
) -> Goal | None:
    """The goal for the controller of command_interface; None if there is no controller.

    Both kinds of controller need a position for every joint that they have. (Only a
    joint_trajectory_controller with allow_partial_joints_goal does not.) Joints that are not
    commanded stay where they were measured; Refusal if one of them has not been measured.
    """
    if settings.command_interface == 'joint_state':
        return None
    positions = with_held(settings, arm, command, measured)
    return Goal(positions, duration(arm, command, seed))


def with_held(
    settings: Settings,
    arm: RobotArm,
    command: NamedPositions,
    measured: Mapping[str, float],
) -> NamedPositions:
    """Positions of all joints of the controller, in the controller's order; see `goal_of`."""
    known = {**measured, **command}
    names = settings.controller_joints or arm.commanded_joints
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Refusal(
            Code.STALE,
            f'no joint_states received for {", ".join(unknown)}, which controller_joints lists: '
            'the position to hold is unknown; publish it, or remove it from controller_joints',
        )
    left_out = [name for name in command if name not in names]
    if left_out:
        raise Refusal(
            Code.NO_MODEL,
            f'the controller does not have {", ".join(left_out)}; add it to controller_joints',
        )
    return {name: known[name] for name in names}


def duration(arm: RobotArm, command: NamedPositions, seed: Mapping[str, float]) -> float:
    """Time in which every joint can get from the seed to the command [s]."""
    times = [
        (abs(position - seed[name]) if name in seed else UNKNOWN_STEP)
        / (arm.joints[name].velocity or DEFAULT_VELOCITY)
        for name, position in command.items()
    ]
    return min(max(SHORTEST_TIME, *times), LONGEST_TIME)
