# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The demonstration's targets for any arm: some within reach, and one for each kind of refusal."""

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, cycle, product
from typing import NamedTuple

import numpy as np

from ik_circles.control.decision import assess, decide
from ik_circles.control.floor import lowest, stands
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import CONTINUOUS, Limits
from ik_circles.geometry.rigid import Rotation
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm
from ik_circles.spatial.arm import Configuration

#: Poses to send the arm to: a share of the limit range for each of the three joints. The wrist
#: joints take the shares of the first two.
SHARES = (
    (0.35, 0.75, 0.6),
    (0.7, 0.25, 0.35),
    (0.55, 0.6, 0.3),
    (0.25, 0.35, 0.7),
    (0.6, 0.15, 0.8),
    (0.4, 0.85, 0.2),
)
#: More poses for an arm that must stay above the floor, spread evenly: steps by powers of the
#: root of x^4 = x + 1, taken modulo 1 (M. Roberts' sequence), inside the limits.
ROOT = 1.2207440846057596
MORE_SHARES = tuple(
    tuple(0.1 + 0.8 * ((0.5 + number / ROOT**power) % 1.0) for power in (1, 2, 3))
    for number in range(1, 300)
)
#: How many of the poses are used: the first that are inside the safe zones.
POSES = 4
#: Range that stands in for the limits of a continuous joint [rad].
CONTINUOUS_RANGE = (-2.0, 2.0)
#: For a pose beside the plane at yaw 0, the yaw joint is at this share of its limit range.
YAW_SHARE = 0.6
#: The target that is too far lies this far beyond the outer safe zone, as a share of the longest
#: reach.
TOO_FAR_BY = 0.1
#: A target out of the plane is at least this far from it [m].
OUT_OF_PLANE = 0.05
#: It is also at least this many tolerances away from the plane.
TOLERANCES = 3.0
#: A target past a limit is this far from an arc of the outline, as a share of the longest reach.
BESIDE_AN_ARC = 0.08
#: It is at least this far from the workspace, as a share of the longest reach.
PAST_A_LIMIT = 0.03
#: Shares of an arc of the outline near which such a target is tried, the middle first.
ALONG_AN_ARC = (0.5, 0.375, 0.625, 0.25, 0.75, 0.125, 0.875)
#: The error about an arm that would go below the plane on which it stands.
NO_WAY = (
    'from where the arm is, no demonstration pose is sure to be reached above z = 0 of base_link; '
    'raise the arm, then try again'
)


class ScenarioTarget(NamedTuple):
    """A target pose of tip_link in base_link, and the code that the right answer has."""

    name: str
    expected: Code
    position: Point3
    rotation: Rotation | None

    def labeled(self, reason: str) -> str:
        """The reason after the target's name, or alone if it has that name in it."""
        return reason if self.name in reason else f'{self.name}: {reason}'


def scenario_targets(
    arm: RobotArm, settings: Settings, start: Mapping[str, float] | None = None
) -> list[ScenarioTarget]:
    """The targets, in the order in which they are sent.

    An arm that stands on z = 0 of base_link stays above it on its way to all of them. `start` has
    the joint positions by name [rad] from which it starts; without it, all joints are as close to 0
    as their limits allow. On the way out of a start below z = 0, that is not certain.
    """
    home = arm.naming.named(arm.spatial.home)
    at = {name: (start or {}).get(name, position) for name, position in home.items()}
    is_low = stands(arm) and lowest(arm, at, at) < 0.0
    rehearsal = _Rehearsal(arm, settings, at, from_anywhere=is_low)
    poses = rehearsal.poses(0.0, POSES)
    if not poses:
        if _Rehearsal(arm, settings, at, from_anywhere=True).poses(0.0, 1):
            raise InvalidSettingError(NO_WAY)
        raise InvalidSettingError('no demonstration pose is inside the safe zones')
    shoulder = arm.spatial.plane.point_at(0.0, 0.0)[2]
    upwards = [pose for pose in poses if rehearsal.stands and pose.position[2] >= shoulder]
    away, rotation = (upwards or poses)[0]
    zones, not_finite = settings.zones(arm), (math.nan, away[1], away[2])
    arm = rehearsal.arm  # with the wrist as it stands now
    refused = (
        ('too far', Code.TOO_FAR, _radial(arm, away, zones.outer + TOO_FAR_BY * arm.arm.max_reach)),
        ('too close', Code.TOO_CLOSE, _radial(arm, away, zones.inner / 2.0)),
        ('past a limit', Code.JOINT_LIMIT, _past_a_limit(arm, settings, rehearsal.stands)),
    )
    return [
        *(ScenarioTarget(f'pose {number}', Code.OK, *pose) for number, pose in enumerate(poses, 1)),
        *(
            ScenarioTarget(name, code, position, rotation)
            for name, code, position in refused  # it may reach backwards to what is too close
            if position
            and assess(arm, settings, Target(position)).code is code
            and rehearsal.takes(Target(position, rotation), code)
        ),
        *_beside_the_plane(rehearsal, poses),
        ScenarioTarget('not finite', Code.NOT_FINITE, not_finite, rotation),
    ]


class _Rehearsal:
    """Follows the arm from target to target, as the node decides.

    With `from_anywhere`, the way from the start to the first pose does not count.
    """

    def __init__(
        self, arm: RobotArm, settings: Settings, start: NamedPositions, from_anywhere: bool
    ) -> None:
        self._arm, self.settings = arm, replace(settings, max_joint_step=0.0)
        self.stands = stands(arm)
        self._at, self._from_anywhere = start, from_anywhere

    @property
    def arm(self) -> RobotArm:
        """The arm with its wrist where it is."""
        return self._arm.holding({name: self._at[name] for name in self._arm.wrist_joints})

    def takes(self, target: Target, expected: Code = Code.OK) -> bool:
        """Whether the answer is as expected, and the arm stays above the floor on its way to the
        target. If so, the arm is there from now on."""
        decision = decide(self.arm, self.settings, target, self._at)
        command = decision.command
        if decision.code is not expected:
            return False
        if command is None:
            return True
        start = command if self._from_anywhere else self._at
        if self.stands and lowest(self._arm, start, command) < 0.0:
            return False
        self._at, self._from_anywhere = command, False
        return True

    def poses(self, yaw: float, number: int) -> list[Target]:
        """The first poses inside the safe zones that the arm takes, with the plane turned."""
        found: list[Target] = []
        is_free = self.settings.orientation_mode == 'free'
        for shares in chain(SHARES, MORE_SHARES if self.stands else ()):
            pose = _at(self._arm, shares, yaw)
            asked = Target(pose.position) if is_free else pose
            if assess(self.arm, self.settings, asked).reachable and self.takes(pose):
                found.append(pose)
                if len(found) == number:
                    break
        return found


def _beside_the_plane(rehearsal: _Rehearsal, poses: list[Target]) -> list[ScenarioTarget]:
    """A pose that the yaw joint turns the arm to; without a yaw joint, a point out of the plane."""
    arm, settings = rehearsal.arm, rehearsal.settings
    if arm.spatial.yaw is not None:
        turned = rehearsal.poses(_within(arm.spatial.yaw.limits, YAW_SHARE), 1)
        return [ScenarioTarget('turned', Code.OK, *pose) for pose in turned]
    off = max(OUT_OF_PLANE, TOLERANCES * settings.out_of_plane_tolerance)
    middle = (np.asarray(poses[0].position) + np.asarray(poses[-1].position)) / 2.0
    x, y, z = map(float, middle + arm.plane[:3, 2] * off)
    return [ScenarioTarget('out of the plane', Code.OUT_OF_PLANE, (x, y, z), poses[0].rotation)]


def _at(arm: RobotArm, shares: tuple[float, ...], yaw: float) -> Target:
    """Tip pose with each joint at a share of its limit range, and the plane turned."""
    q1, q2, q3 = map(_within, arm.arm.limits, shares)
    wrist = {
        one.joint.name: _within(one.limits, share)
        for one, share in zip(arm.naming.wrist, cycle(shares))
    }
    pose = arm.forward_kinematics(
        {**arm.naming.named(Configuration(yaw, (q1, q2, q3))), **wrist}
    )
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


def _past_a_limit(arm: RobotArm, settings: Settings, above: bool) -> Point3 | None:
    """A position inside the safe zones that the tip clearly cannot reach because of joint limits,
    if there is one.

    It is beside a long arc of the outline, close to the middle of the arc. With `above`, positions
    above z = 0 come first.
    """
    below = None
    step, clear = BESIDE_AN_ARC * arm.arm.max_reach, PAST_A_LIMIT * arm.arm.max_reach
    arcs = arm.arm.workspace_boundary().arcs
    for arc in sorted(arcs, key=lambda arc: -arc.radius * arc.sweep):
        for share, radius in product(ALONG_AN_ARC, (arc.radius - step, arc.radius + step)):
            beside = arc._replace(radius=radius).point_at(arc.start + share * arc.sweep)
            position = arm.spatial.plane.point_at(*beside)
            found = assess(arm, settings, Target(position))
            if found.code is Code.JOINT_LIMIT and found.margin <= -clear:
                if not above or position[2] >= 0.0:
                    return position
                below = below or position
    return below
