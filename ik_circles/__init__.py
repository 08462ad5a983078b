"""Exact inverse kinematics of the planar three-joint arm, by intersecting circles."""

from ik_circles.errors import (
    IkCirclesError,
    InvalidArmError,
    InvalidSettingError,
    InvalidUrdfError,
    NoPlanarArmError,
    NotFiniteError,
)
from ik_circles.geometry.arcs import Arc
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.batch import ReachabilityBatch
from ik_circles.planar.model import Pose2D
from ik_circles.planar.outline import Boundary
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm, RobotReachability, SpatialPose, load_arm

__all__ = [
    'Arc',
    'Boundary',
    'Code',
    'IkCirclesError',
    'InvalidArmError',
    'InvalidSettingError',
    'InvalidUrdfError',
    'NoPlanarArmError',
    'NotFiniteError',
    'PlanarArm',
    'Pose2D',
    'Reachability',
    'ReachabilityBatch',
    'RobotArm',
    'RobotReachability',
    'SafeZones',
    'SpatialPose',
    'load_arm',
]
