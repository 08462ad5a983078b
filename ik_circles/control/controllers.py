"""What a ros2_control controller is sent for a command: every joint it has, in its order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ik_circles.control.settings import Settings
from ik_circles.control.target import Refusal
from ik_circles.errors import InvalidSettingError
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm

#: Velocity of a joint for which the description gives none [rad/s].
DEFAULT_VELOCITY = 1.0
#: How far a joint of which nothing is known may have to move [rad].
UNKNOWN_STEP = 3.2
#: A goal is this far ahead at least, one cycle of a slow controller, and at most [s].
SHORTEST, LONGEST = 0.01, 1e6


@dataclass(frozen=True)
class Goal:
    """Positions of the controller's joints, in its order [rad], and when to be there [s]."""

    positions: NamedPositions
    duration: float


def check_controller_joints(settings: Settings, chain: RobotArm) -> None:
    """InvalidSettingError unless the controller has every commanded joint, and only the robot's."""
    listed, movable = settings.controller_joints, chain.tree.movable_joints
    for name in listed:
        if name not in movable:
            raise InvalidSettingError(
                f"controller_joints names '{name}', which is no joint of the robot that can move; "
                f'those are {", ".join(movable)}'
            )
    missing = [name for name in chain.commanded_joints if listed and name not in listed]
    if missing:
        raise InvalidSettingError(
            f'controller_joints lacks {", ".join(missing)}; it must have every commanded joint: '
            f'{", ".join(chain.commanded_joints)}'
        )


def goal_of(
    settings: Settings,
    chain: RobotArm,
    command: NamedPositions,
    seed: Mapping[str, float],
    measured: Mapping[str, float],
) -> Goal | None:
    """The goal for the controller of command_interface, None where there is no controller.

    Its joints that are not commanded stay where they were measured: both controllers want them
    (joint_trajectory_controller unless allow_partial_joints_goal is set). Refusal if one of them
    has not been measured.
    """
    if settings.command_interface == 'joint_state':
        return None
    known = {**measured, **command}
    names = settings.controller_joints or chain.commanded_joints
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Refusal(
            Code.STALE,
            f'controller_joints has {", ".join(unknown)}, which joint_states has not told of: '
            'its position cannot be kept; publish it, or take it out of the controller',
        )
    return Goal({name: known[name] for name in names}, duration(chain, command, seed))


def duration(chain: RobotArm, command: NamedPositions, seed: Mapping[str, float]) -> float:
    """Time in which every joint can get from the seed to the command [s]."""
    times = [
        (abs(position - seed[name]) if name in seed else UNKNOWN_STEP)
        / (chain.velocity_limits[name] or DEFAULT_VELOCITY)
        for name, position in command.items()
    ]
    return min(max(SHORTEST, *times), LONGEST)
