# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The chain of an arm's commanded joints, for bounds on the motion of its tip."""

from ik_circles.control.motion.chain import Chain
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.robot.arm import RobotArm
from ik_circles.robot.tree import PlacedJoint, poses_along


@names_wrong_kinds
def chain_of(arm: RobotArm) -> Chain:
    """The chain of the commanded joints, in order; the other joints are where they are held."""
    path = arm.found.path
    poses = poses_along(path, arm.held)
    placed = [PlacedJoint.at(*one) for one in zip(path, poses) if one[0].name in arm.joints]
    axes = [one.axis.tolist() for one in placed]
    return Chain(axes, [one.position.tolist() for one in placed], poses[-1][:3, 3].tolist())
