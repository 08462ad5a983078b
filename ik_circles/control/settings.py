"""The node's parameters that decide about targets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.planar.redundancy.policy import KEEP_ORIENTATION, Redundancy
from ik_circles.planar.selection import BRANCHES, Policy
from ik_circles.planar.zones import SafeZones
from ik_circles.robot.arm import RobotArm

ON_UNREACHABLE = ('reject', 'nearest')


COMMAND_INTERFACES = ('joint_state', 'trajectory', 'position_array')


ORIENTATION_MODES = ('fixed', 'preferred', 'free')


#: Settings that are numbers, and their units.
UNITS = {
    'safe_zone_margin': 'm',
    'out_of_plane_tolerance': 'm',
    'seed_tolerance': 'rad',
    'max_joint_step': 'rad',
    'target_timeout': 's',
}


@dataclass(frozen=True)
class Settings:
    """The node's parameters that decide about targets; SI units and radians."""

    orientation_mode: str = 'preferred'
    branch: str = 'nearest'
    redundancy: str = KEEP_ORIENTATION
    z_form_k: float = 0.5
    on_unreachable: str = 'reject'
    safe_zone_margin: float = 0.0
    out_of_plane_tolerance: float = 0.001
    seed_tolerance: float = 0.1
    max_joint_step: float = 0.0
    target_timeout: float = 0.0
    command_interface: str = 'joint_state'
    controller_joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        checks.choice('branch', self.branch, BRANCHES)
        checks.choice('orientation_mode', self.orientation_mode, ORIENTATION_MODES)
        self.kind  # noqa: B018  (it checks what it is made of)
        checks.choice('on_unreachable', self.on_unreachable, ON_UNREACHABLE)
        checks.choice('command_interface', self.command_interface, COMMAND_INTERFACES)
        for name, unit in UNITS.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise InvalidSettingError(
                    f'{name} is {value} {unit}; it must be a finite number of at least 0 {unit}'
                )
        for joint in self.controller_joints:
            if self.controller_joints.count(joint) > 1:
                raise InvalidSettingError(
                    f"controller_joints names '{joint}' twice; name each joint once"
                )

    @cached_property
    def policy(self) -> Policy:
        """How a solution is chosen where an orientation or the branch leaves a choice."""
        return Policy(self.branch, self.orientation_mode)

    @cached_property
    def kind(self) -> Redundancy:
        """What to do with the freedom that is left at a point."""
        return Redundancy(self.redundancy, self.z_form_k)

    def zones(self, chain: RobotArm) -> SafeZones:
        """The safe zones of the chain's arm, InvalidSettingError if the margin leaves nothing."""
        if self.safe_zone_margin == 0.0:
            return chain.arm.safe_zones
        return SafeZones.of(chain.arm, self.safe_zone_margin)
