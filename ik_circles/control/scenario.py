"""The demonstration's targets for any planar chain: what is reachable, and what is not and why."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from ik_circles.control.decision import assess
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm

#: Where in its limit range each joint is, for the poses that the arm is sent to.
SHARES = (
    (0.35, 0.75, 0.6),
    (0.7, 0.25, 0.35),
    (0.55, 0.6, 0.3),
    (0.25, 0.35, 0.7),
    (0.6, 0.15, 0.8),
    (0.4, 0.85, 0.2),
)
#: How many of them are used: the first that are inside the safe zones.
POSES = 4
#: Range taken for a continuous joint [rad].
CONTINUOUS_RANGE = (-2.0, 2.0)
#: Where in its limit range the yaw joint is, for the pose that is beside the arm's plane.
YAW_SHARE = 0.6
#: What is past a limit is at least this share of the longest reach away from what can be reached.
PAST_A_LIMIT = 0.03
#: Where along an arc of the outline it may be.
ALONG_AN_ARC = (0.5, 0.375, 0.625, 0.25, 0.75, 0.125, 0.875)


class ScenarioTarget(NamedTuple):
    """A target pose of tip_link in base_link, and the code that it must be answered with."""

    name: str
    expected: Code
    position: Point3
    rotation: Matrix


def scenario_targets(chain: RobotArm, settings: Settings) -> list[ScenarioTarget]:
    """Targets in the order they are sent; each refusal is followed by another move or refusal."""
    poses = [_at(chain, shares) for shares in SHARES]
    reachable = [pose for pose in poses if assess(chain, settings, Target(*pose)).reachable][:POSES]
    if not reachable:
        raise InvalidSettingError('no demonstration pose is inside the safe zones')
    away, rotation = reachable[0]
    zones = settings.zones(chain)
    too_far = _radial(chain, away, zones.outer + 0.1 * chain.arm.max_reach)
    targets = [
        *(
            ScenarioTarget(f'pose {number}', Code.OK, position, turned)
            for number, (position, turned) in enumerate(reachable, 1)
        ),
        ScenarioTarget('too far', Code.TOO_FAR, too_far, rotation),
    ]
    if zones.inner > 0.0:
        too_close = _radial(chain, away, zones.inner / 2.0)
        if assess(chain, settings, Target(too_close)).code is Code.TOO_CLOSE:  # not from behind
            targets.append(ScenarioTarget('too close', Code.TOO_CLOSE, too_close, rotation))
    past = _past_a_limit(chain, settings)
    if past is not None:
        targets.append(ScenarioTarget('past a limit', Code.JOINT_LIMIT, past, rotation))
    return [
        *targets,
        _beside_the_plane(chain, settings, reachable),
        ScenarioTarget('not finite', Code.NOT_FINITE, (math.nan, away[1], away[2]), rotation),
    ]


def _beside_the_plane(
    chain: RobotArm, settings: Settings, reachable: list[tuple[Point3, Matrix]]
) -> ScenarioTarget:
    """A pose that a yaw joint turns the arm to; without one, a point that nothing brings it to."""
    if chain.yaw is not None:
        lower, upper = chain.yaw.limits if chain.yaw.limits[0] > -math.inf else CONTINUOUS_RANGE
        yaw = lower + YAW_SHARE * (upper - lower)
        poses = (_at(chain, shares, yaw) for shares in SHARES)
        turned = next(pose for pose in poses if assess(chain, settings, Target(*pose)).reachable)
        return ScenarioTarget('turned', Code.OK, *turned)
    (first, rotation), (last, _) = reachable[0], reachable[-1]
    off = max(0.05, 3.0 * settings.out_of_plane_tolerance)
    middle = (np.asarray(first) + np.asarray(last)) / 2.0
    x, y, z = map(float, middle + chain.plane[:3, 2] * off)
    return ScenarioTarget('out of the plane', Code.OUT_OF_PLANE, (x, y, z), rotation)


def _at(
    chain: RobotArm, shares: tuple[float, float, float], yaw: float = 0.0
) -> tuple[Point3, Matrix]:
    """Tip pose with each joint at a share of its limit range, and the plane turned."""
    positions: NamedPositions = {}
    if chain.yaw_joint is not None:
        positions[chain.yaw_joint] = chain.yaw_sign * yaw
    for name, share, sign, offset, limits in zip(
        chain.joint_names,
        shares,
        chain.joint_signs,
        chain.joint_offsets,
        chain.arm.limits,
        strict=True,
    ):
        lower, upper = limits if math.isfinite(limits[0]) else CONTINUOUS_RANGE
        angle = lower + share * (upper - lower)
        positions[name] = sign * (angle - offset)
    pose = chain.forward_kinematics(positions)
    x, y, z = map(float, pose[:3, 3])
    return (x, y, z), pose[:3, :3]


def _radial(chain: RobotArm, point: Point3, distance: float) -> Point3:
    """The point in the same direction from the first joint at another distance."""
    x, y, _ = chain.into_plane(point)
    scale = distance / math.hypot(x, y)
    return chain.from_plane(scale * x, scale * y)


def _past_a_limit(chain: RobotArm, settings: Settings) -> Point3 | None:
    """A position inside the safe zones that the joint limits keep the tip clearly away from, if
    any: beside a long arc of the outline, as near to its middle as may be."""
    step, clear = 0.08 * chain.arm.max_reach, PAST_A_LIMIT * chain.arm.max_reach
    arcs = chain.arm.workspace_boundary().arcs
    for arc in sorted(arcs, key=lambda arc: -arc.radius * arc.sweep):
        for share, radius in product(ALONG_AN_ARC, (arc.radius - step, arc.radius + step)):
            beside = arc._replace(radius=radius).point_at(arc.start + share * arc.sweep)
            position = chain.from_plane(*beside)
            found = assess(chain, settings, Target(position))
            if found.code is Code.JOINT_LIMIT and found.margin <= -clear:
                return position
    return None
