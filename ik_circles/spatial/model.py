"""What an arm in space is: a planar arm, its plane, and the tool at its tip."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.reasons import UNNAMED_JOINTS, JointLabels
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.tool import Tool
from ik_circles.spatial.yaw import Yaw


class SpatialPose(NamedTuple):
    """A pose of the tip that the arm can take.

    Attributes
    ----------
    x, y, z : float
        Position in base_link [m].
    phi : float
        Orientation of the tool in the arm's plane [rad].
    yaw : float
        Yaw angle of that plane [rad], 0 without a yaw joint.
    """

    x: float
    y: float
    z: float
    phi: float
    yaw: float = 0.0


class Configuration(NamedTuple):
    """The yaw angle, 0 without a yaw joint, and the planar arm's joint angles [rad]."""

    yaw: float
    q: JointPositions


@dataclass(frozen=True, eq=False)
class SpatialModel:
    """A planar arm in space with its tool; `labels` are how messages name its joints."""

    planar: PlanarArm
    tool: Tool
    labels: JointLabels = UNNAMED_JOINTS

    @cached_property
    def plane(self) -> ArmPlane:
        """The plane of the planar arm."""
        return self.tool.plane

    @cached_property
    def yaw(self) -> Yaw | None:
        """The joint that turns the plane, if any."""
        return self.tool.plane.yaw

    @cached_property
    def home(self) -> Configuration:
        """The configuration as near to zero as the limits allow."""
        yaw = nearest_in(0.0, self.yaw.limits) if self.yaw else 0.0
        return Configuration(yaw, self.planar.home)

    def tip_at(self, configuration: Configuration) -> Point3:
        """Position of the tip in space [m]."""
        tip = self.planar.forward_kinematics(configuration.q)
        return self.plane.point_at(tip.x, tip.y, configuration.yaw)
