# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where an arm is at home, and where a simulated one starts: at 0, as limits and floor allow."""

from dataclasses import replace

from ik_circles.control.decision import decide
from ik_circles.control.floor import GRAZE, lowest, stands
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.geometry.angles import nearest_in
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.robot.load import load_arm


def home_positions(arm: RobotArm, settings: Settings) -> NamedPositions:
    """All joints at 0, or at the limit nearest to 0 [rad]. If that is below a floor, the tip is as
    near to that place as the floor allows."""
    joints = arm.joints.items()
    home = {name: nearest_in(0.0, (joint.lower, joint.upper)) for name, joint in joints}
    if arm.floor is None or lowest(arm, home, home) >= arm.floor - GRAZE:
        return home
    pose = arm.forward_kinematics(home)
    x, y, z = map(float, pose[:3, 3])
    tip = Target((x, y, z), pose[:3, :3])
    return decide(arm, replace(settings, on_unreachable='nearest'), tip, home).command or home


def start_positions(arm: RobotArm) -> NamedPositions:
    """Home [rad]. An arm that stands on z = 0 of base_link, and has no other floor, starts above
    that."""
    on_its_floor = arm.above(0.0) if arm.floor is None and stands(arm) else arm
    return home_positions(on_its_floor, Settings())


def start_in(description: str) -> NamedPositions:
    """The start of the arm in a URDF [rad]; {} if none is found without naming its links."""
    try:
        return start_positions(load_arm(description))
    except IkCirclesError:
        return {}
