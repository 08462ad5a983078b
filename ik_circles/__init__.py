"""Exact inverse kinematics of the planar three-joint arm, by intersecting circles."""

from ik_circles.arm import PlanarArm, Pose2D
from ik_circles.batch import ReachabilityBatch
from ik_circles.chain import PlanarChain, SpatialPose, SpatialReachability
from ik_circles.errors import (
    IkCirclesError,
    InvalidArmError,
    InvalidSettingError,
    InvalidUrdfError,
    NoPlanarChainError,
    NotFiniteError,
)
from ik_circles.reachability import Code, Reachability
from ik_circles.reduction import load_planar_chain
from ik_circles.workspace import Arc, Boundary, SafeZones

__all__ = [
    'Arc',
    'Boundary',
    'Code',
    'IkCirclesError',
    'InvalidArmError',
    'InvalidSettingError',
    'InvalidUrdfError',
    'NoPlanarChainError',
    'NotFiniteError',
    'PlanarArm',
    'PlanarChain',
    'Pose2D',
    'Reachability',
    'ReachabilityBatch',
    'SafeZones',
    'SpatialPose',
    'SpatialReachability',
    'load_planar_chain',
]
