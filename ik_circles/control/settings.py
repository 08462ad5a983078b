# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The parameters of the nodes. Each is declared here, and only here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ik_circles.control.named_positions import named_in
from ik_circles.control.parameters import check, documented, parameter
from ik_circles.control.simulation import MAX_ACCELERATION
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.planar.redundancy.rules import KEEP_ORIENTATION, REDUNDANCIES, Redundancy
from ik_circles.planar.selection import BRANCHES, Policy
from ik_circles.planar.zones import SafeZones
from ik_circles.robot.arm import RobotArm
from ik_circles.robot.load import arm_in
from ik_circles.robot.urdf import MAX_BYTES

#: The longest robot description that `max_description_bytes` can allow.
LARGEST_DESCRIPTION = 1_000_000_000
HIGHEST_PORT = 65535
#: The largest mesh file that `max_mesh_size` can allow [MB].
LARGEST_MESH = 2000.0
#: A floor at this height means that there is no floor [m].
NO_FLOOR = -1000.0
#: How to give a parameter of sim_arm or viewer another value.
START_AGAIN = 'start the node again'
DESCRIPTION = "Text of the robot's URDF; empty: taken from the latched topic robot_description."
FILE = (
    'File of the URDF: a path, package://PACKAGE/PATH, or the name of a shipped robot. It is read '
    'at the start, into robot_description, which must be empty or the same.'
)


@dataclass(frozen=True)
class ModelParameters:
    """The parameters of `ik_node` that make its model; a change reads the description again."""

    robot_description: str = parameter('', DESCRIPTION)
    max_description_bytes: int = parameter(
        MAX_BYTES,
        'A longer robot_description is refused unread.',
        unit='bytes',
        lower=1,
        upper=LARGEST_DESCRIPTION,
    )
    base_link: str = parameter('', 'Link that the arm starts at; empty: the root of the robot.')
    tip_link: str = parameter(
        '', 'Link that should reach the target; empty: found, if there is only one candidate.'
    )
    floor: float = parameter(
        NO_FLOOR,
        f'Height of a floor under the arm, along the z of base_link; {NO_FLOOR}: there is none.',
        unit='m',
        lower=NO_FLOOR,
        upper=-NO_FLOOR,
    )
    urdf_file: str = parameter('', FILE, start_only='set robot_description')

    def load(self) -> RobotArm:
        """The arm in the description, above the floor if there is one."""
        check(self)
        found = arm_in(
            self.robot_description, self.base_link, self.tip_link, self.max_description_bytes
        )
        return found.above(None if self.floor == NO_FLOOR else self.floor)


@documented
@dataclass(frozen=True)
class Settings:
    """The parameters of `ik_node` that decide about targets; SI units and radians.

    Raises `InvalidSettingError` if a value is not one of its choices or is outside its range.
    """

    orientation_mode: str = parameter(
        'preferred',
        'Orientation of a target pose: fixed (as given or not at all), preferred (as given, else '
        'the nearest that works), free (ignored: the present one, or the nearest that works).',
        choices=('fixed', 'preferred', 'free'),
    )
    branch: str = parameter(
        'nearest',
        'Which of the solutions: nearest (the one whose largest joint change is smallest), '
        'elbow_up or elbow_down (the other elbow only if the named one has no solution).',
        choices=BRANCHES,
    )
    redundancy: str = parameter(
        KEEP_ORIENTATION,
        'If any orientation will do: keep_orientation (the present one, or the nearest that '
        'works), centered (in the middle of those that work), outermost (the wrist as far out as '
        'possible), z_form (link 2 crosses the line to the target).',
        choices=REDUNDANCIES,
    )
    z_form_k: float = parameter(
        0.5,
        'With z_form: the share of its length at which link 2 crosses the line to the target.',
        upper=1.0,
    )
    on_unreachable: str = parameter(
        'reject',
        'What to send for a target out of reach: reject (nothing), nearest (the nearest pose).',
        choices=('reject', 'nearest'),
    )
    safe_zone_margin: float = parameter(
        0.0, 'Distance by which both safe zones are shrunk.', unit='m'
    )
    out_of_plane_tolerance: float = parameter(
        0.001,
        "Without a yaw joint: targets within this distance of the arm's plane are accepted.",
        unit='m',
    )
    seed_tolerance: float = parameter(
        0.1,
        'A joint measured within this of its limit, outside it, is treated as at the limit.',
        unit='rad',
    )
    max_joint_step: float = parameter(
        0.0, 'The most that one command may move a joint; 0: no limit.', unit='rad'
    )
    target_timeout: float = parameter(
        0.0, 'Age beyond which a target is refused; 0: never.', unit='s'
    )
    transform_timeout: float = parameter(
        0.2, 'How long a target waits for the transform of its frame at its stamp.', unit='s'
    )
    command_interface: str = parameter(
        'joint_state',
        'What is sent in addition to joint_command: joint_state (nothing), trajectory '
        '(joint_trajectory, for a joint_trajectory_controller), position_array '
        '(position_commands, for a forward_command_controller).',
        choices=('joint_state', 'trajectory', 'position_array'),
    )
    controller_joints: tuple[str, ...] = parameter(
        (), "Names of the controller's joints in its order; empty: the commanded joints."
    )

    def __post_init__(self) -> None:
        check(self)
        for joint in self.controller_joints:
            if self.controller_joints.count(joint) > 1:
                raise InvalidSettingError(
                    f"controller_joints names '{joint}' twice; name each joint once"
                )

    @cached_property
    def policy(self) -> Policy:
        """How a solution is chosen: by branch and orientation mode."""
        return Policy(self.branch, self.orientation_mode)

    @cached_property
    def redundancy_rule(self) -> Redundancy:
        """How the orientation is chosen at a point, where it is free."""
        return Redundancy(self.redundancy, self.z_form_k)

    @names_wrong_kinds
    def zones(self, arm: RobotArm) -> SafeZones:
        """The safe zones of the arm.

        Parameters
        ----------
        arm : RobotArm
            The arm whose zones are wanted.

        Returns
        -------
        SafeZones
            The zones of its planar arm, shrunk by `safe_zone_margin`.

        Raises
        ------
        InvalidSettingError
            If the margin leaves nothing between the zones.
        """
        if self.safe_zone_margin == 0.0:
            return arm.arm.safe_zones  # every target asks: made once
        return SafeZones.of(arm.arm, self.safe_zone_margin)


@documented
@dataclass(frozen=True)
class MotionParameters:
    """The parameters of `ik_node` that decide how the arm moves; SI units and radians.

    Raises `InvalidSettingError` if a value is not one of its choices or is outside its range.
    """

    motion: str = parameter(
        'direct',
        'What happens to a target: direct (its joint positions are sent at once), smooth (the '
        'joints move there within their limits of velocity and acceleration).',
        choices=('direct', 'smooth'),
    )
    command_rate: float = parameter(
        100.0,
        'How often joint positions are sent while the node moves the arm itself.',
        unit='Hz',
        lower=1.0,
        upper=1000.0,
    )
    max_acceleration: float = parameter(
        5.0,
        'Limit for every joint while the node moves the arm itself; rad/s^2, or m/s^2 if it '
        'slides. The URDF limits velocities.',
        lower=0.001,
        upper=1000.0,
    )
    feedback_timeout: float = parameter(
        0.5,
        'The arm is stopped if joint_states fall silent for this long while it moves; 0: never.',
        unit='s',
    )
    jog_timeout: float = parameter(
        0.2, 'The arm is stopped if the newest message on ~/jog is older.', unit='s', lower=0.01
    )
    start_enabled: bool = parameter(
        True,
        'Whether the arm may move before ~/enable is called. It is read at the start.',
        start_only='call ~/enable',
    )
    named_positions: tuple[str, ...] = parameter(
        (),
        'Joint positions that a goal of ~/move_to can name [rad or m], each like '
        "'park elbow=1.5 wrist=0'. home is known without it: all joints of the arm at 0.",
    )

    def __post_init__(self) -> None:
        check(self)
        named_in(self.named_positions)

    @cached_property
    def named(self) -> Mapping[str, Mapping[str, float]]:
        """The named joint positions by their names."""
        return named_in(self.named_positions)


@dataclass(frozen=True)
class SimulationParameters:
    """The parameters of `sim_arm`."""

    robot_description: str = parameter('', DESCRIPTION, start_only=START_AGAIN)
    urdf_file: str = parameter('', FILE, start_only=START_AGAIN)
    rate: float = parameter(
        100.0,
        'How often joint_states is published.',
        unit='Hz',
        lower=1.0,
        upper=1000.0,
        start_only=START_AGAIN,
    )
    max_acceleration: float = parameter(
        MAX_ACCELERATION,
        'The most that a joint accelerates or brakes; in m/s^2 if it slides.',
        unit='rad/s^2',
        lower=0.01,
        start_only=START_AGAIN,
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class PageParameters:
    """The parameters of `viewer`."""

    host: str = parameter(
        '127.0.0.1',
        'Address to serve the page on; 127.0.0.1: this machine only. At others, it needs a token.',
        start_only=START_AGAIN,
    )
    port: int = parameter(
        8080,
        'Port to serve the page on; 0: any free one.',
        upper=HIGHEST_PORT,
        start_only=START_AGAIN,
    )
    max_mesh_size: float = parameter(
        50.0,
        'A larger mesh file is not read.',
        unit='MB',
        upper=LARGEST_MESH,
        start_only=START_AGAIN,
    )
