"""The demonstration's targets for any arm: some that it reaches, and one for each refusal."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from ik_circles.control.decision import assess
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import CONTINUOUS, Limits
from ik_circles.geometry.rigid import Matrix
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
    rotation: Matrix


def scenario_targets(arm: RobotArm, settings: Settings) -> list[ScenarioTarget]:
    """The targets, in the order in which they are sent."""
    poses = [_at(arm, shares) for shares in SHARES]
    reachable = [pose for pose in poses if assess(arm, settings, Target(*pose)).reachable][:POSES]
    if not reachable:
        raise InvalidSettingError('no demonstration pose is inside the safe zones')
    away, rotation = reachable[0]
    zones = settings.zones(arm)
    too_far = _radial(arm, away, zones.outer + TOO_FAR_BY * arm.arm.max_reach)
    targets = [
        *(
            ScenarioTarget(f'pose {number}', Code.OK, position, turned)
            for number, (position, turned) in enumerate(reachable, 1)
        ),
        ScenarioTarget('too far', Code.TOO_FAR, too_far, rotation),
    ]
    too_close = _radial(arm, away, zones.inner / 2.0)
    if assess(arm, settings, Target(too_close)).code is Code.TOO_CLOSE:  # not reached from behind
        targets.append(ScenarioTarget('too close', Code.TOO_CLOSE, too_close, rotation))
    past = _past_a_limit(arm, settings)
    if past is not None:
        targets.append(ScenarioTarget('past a limit', Code.JOINT_LIMIT, past, rotation))
    return [
        *targets,
        _beside_the_plane(arm, settings, reachable),
        ScenarioTarget('not finite', Code.NOT_FINITE, (math.nan, away[1], away[2]), rotation),
    ]


def _beside_the_plane(
    arm: RobotArm, settings: Settings, reachable: list[tuple[Point3, Matrix]]
) -> ScenarioTarget:
    """A pose that the yaw joint turns the arm to; without a yaw joint, a point out of the plane."""
    if arm.spatial.yaw is not None:
        yaw = _within(arm.spatial.yaw.limits, YAW_SHARE)
        poses = (_at(arm, shares, yaw) for shares in SHARES)
        turned = next(pose for pose in poses if assess(arm, settings, Target(*pose)).reachable)
        return ScenarioTarget('turned', Code.OK, *turned)
    (first, rotation), (last, _) = reachable[0], reachable[-1]
    off = max(OUT_OF_PLANE, TOLERANCES * settings.out_of_plane_tolerance)
    middle = (np.asarray(first) + np.asarray(last)) / 2.0
    x, y, z = map(float, middle + arm.plane[:3, 2] * off)
    return ScenarioTarget('out of the plane', Code.OUT_OF_PLANE, (x, y, z), rotation)


def _at(arm: RobotArm, shares: tuple[float, ...], yaw: float = 0.0) -> tuple[Point3, Matrix]:
    """Tip pose with each joint at a share of its limit range, and the plane turned."""
    q1, q2, q3 = map(_within, arm.arm.limits, shares)
    pose = arm.forward_kinematics(arm.naming.named(Configuration(yaw, (q1, q2, q3))))
    x, y, z = map(float, pose[:3, 3])
    return (x, y, z), pose[:3, :3]


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
