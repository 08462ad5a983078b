"""The demonstration's targets for any arm: some that it reaches, and one for each refusal."""

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from ik_circles.control.decision import assess
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import CONTINUOUS, Limits
from ik_circles.geometry.rigid import Rotation
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.spatial.arm import Configuration

#: Poses to send the arm to: for each joint, a share of its limit range.
SHARES = (
    (0.35, 0.75, 0.6),
    (0.7, 0.25, 0.35),
    (0.55, 0.6, 0.3),
    (0.25, 0.35, 0.7),
    (0.6, 0.15, 0.8),
    (0.4, 0.85, 0.2),
)
#: Number of poses that are used: the first ones inside the safe zones.
POSES = 4
#: Range that stands in for the limits of a continuous joint [rad].
CONTINUOUS_RANGE = (-2.0, 2.0)
#: Share of its limit range at which the yaw joint is, for a pose beside the plane at yaw 0.
YAW_SHARE = 0.6
#: A target that is too far is this far beyond the outer safe zone, as a share of the longest reach.
TOO_FAR_BY = 0.1
#: A target out of the plane is at least this far from it [m].
OUT_OF_PLANE = 0.05
#: It is also at least this many tolerances away from the plane.
TOLERANCES = 3.0
#: A target past a limit is this far from an arc of the outline, as a share of the longest reach.
BESIDE_AN_ARC = 0.08
#: It is at least this far from the workspace, as a share of the longest reach.
PAST_A_LIMIT = 0.03
#: Shares of an arc of the outline at which such a target is looked for, middle first.
ALONG_AN_ARC = (0.5, 0.375, 0.625, 0.25, 0.75, 0.125, 0.875)


class ScenarioTarget(NamedTuple):
    """A target pose of tip_link in base_link, and the code of the right answer."""

    name: str
    expected: Code
    position: Point3
    rotation: Rotation | None


def scenario_targets(arm: RobotArm, settings: Settings) -> list[ScenarioTarget]:
    """The targets, in the order in which they are sent."""
    poses = _reachable_poses(arm, settings)[:POSES]
    away, rotation = poses[0]
    zones, not_finite = settings.zones(arm), (math.nan, away[1], away[2])
    refused = (
        ('too far', Code.TOO_FAR, _radial(arm, away, zones.outer + TOO_FAR_BY * arm.arm.max_reach)),
        ('too close', Code.TOO_CLOSE, _radial(arm, away, zones.inner / 2.0)),
        ('past a limit', Code.JOINT_LIMIT, _past_a_limit(arm, settings)),
    )
    return [
        *(ScenarioTarget(f'pose {number}', Code.OK, *pose) for number, pose in enumerate(poses, 1)),
        *(
            ScenarioTarget(name, code, position, rotation)
            for name, code, position in refused  # what is too close may be reached from behind
            if position and assess(arm, settings, Target(position)).code is code
        ),
        _beside_the_plane(arm, settings, poses),
        ScenarioTarget('not finite', Code.NOT_FINITE, not_finite, rotation),
    ]


def _reachable_poses(arm: RobotArm, settings: Settings, yaw: float = 0.0) -> list[Target]:
    """The poses inside the safe zones, with the plane turned; InvalidSettingError if none is."""
    poses = [_at(arm, shares, yaw) for shares in SHARES]
    reachable = [pose for pose in poses if assess(arm, settings, pose).reachable]
    if not reachable:
        raise InvalidSettingError('no demonstration pose is inside the safe zones')
    return reachable


def _beside_the_plane(arm: RobotArm, settings: Settings, poses: list[Target]) -> ScenarioTarget:
    """A pose that the yaw joint turns the arm to; without a yaw joint, a point out of the plane."""
    if arm.spatial.yaw is not None:
        turned = _reachable_poses(arm, settings, _within(arm.spatial.yaw.limits, YAW_SHARE))
        return ScenarioTarget('turned', Code.OK, *turned[0])
    off = max(OUT_OF_PLANE, TOLERANCES * settings.out_of_plane_tolerance)
    middle = (np.asarray(poses[0].position) + np.asarray(poses[-1].position)) / 2.0
    x, y, z = map(float, middle + arm.plane[:3, 2] * off)
    return ScenarioTarget('out of the plane', Code.OUT_OF_PLANE, (x, y, z), poses[0].rotation)


def _at(arm: RobotArm, shares: tuple[float, ...], yaw: float) -> Target:
    """Tip pose with each joint at a share of its limit range, and the plane turned."""
    q1, q2, q3 = map(_within, arm.arm.limits, shares)
    pose = arm.forward_kinematics(arm.naming.named(Configuration(yaw, (q1, q2, q3))))
    x, y, z = map(float, pose[:3, 3])
    return Target((x, y, z), pose[:3, :3])


def _within(limits: Limits, share: float) -> float:
    """The angle at a share of a limit range [rad]."""
    lower, upper = CONTINUOUS_RANGE if limits == CONTINUOUS else limits
    return lower + share * (upper - lower)


def _radial(arm: RobotArm, point: Point3, distance: float) -> Point3:
    """The point in the same direction from the first joint at another distance."""
    x, y, _ = arm.spatial.plane.into(point)
    scale = distance / math.hypot(x, y)
    return arm.spatial.plane.point_at(scale * x, scale * y)


def _past_a_limit(arm: RobotArm, settings: Settings) -> Point3 | None:
    """A position inside the safe zones that the joint limits keep the tip clearly away from, if
    there is one: beside a long arc of the outline, close to its middle."""
    step, clear = BESIDE_AN_ARC * arm.arm.max_reach, PAST_A_LIMIT * arm.arm.max_reach
    arcs = arm.arm.workspace_boundary().arcs
    for arc in sorted(arcs, key=lambda arc: -arc.radius * arc.sweep):
        for share, radius in product(ALONG_AN_ARC, (arc.radius - step, arc.radius + step)):
            beside = arc._replace(radius=radius).point_at(arc.start + share * arc.sweep)
            position = arm.spatial.plane.point_at(*beside)
            found = assess(arm, settings, Target(position))
            if found.code is Code.JOINT_LIMIT and found.margin <= -clear:
                return position
    return None
