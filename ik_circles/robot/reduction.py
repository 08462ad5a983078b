# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reducing a robot to an arm in space: forward kinematics at zero, projected on the common axis.

docs/robots.md has the derivation.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.rigid import Matrix
from ik_circles.robot.naming import AngleOf, JointNaming
from ik_circles.robot.notes import held_notes, slack_notes, stuck_notes, why_no_roll
from ik_circles.robot.projection import (
    angle_of,
    hinge_of,
    is_yaw,
    label_of,
    lean_and_slack,
    looks_back,
    opened,
    planar_arm,
    plane_of,
    why_no_yaw,
    yaw_of,
)
from ik_circles.robot.search import ArmInTree, check_followers
from ik_circles.robot.tree import PlacedJoint, RobotTree, movable_along, poses_along
from ik_circles.robot.wrist import WristJoints, center_of, error_of, wrist_joints, wrist_of
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.plane import ArmPlane, Tool
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain
from ik_circles.spatial.true_axes.leaning import Leaning

#: An encoder at rest flickers between neighboring values. This many arms with a wrist held are
#: kept, because it takes far longer to find the outline of a workspace than to answer a question.
KEPT_ARMS = 8


@dataclass(frozen=True, eq=False)
class Reduction:
    """A robot reduced to an arm in space.

    Without a wrist, `spatial` is that arm, and `naming` gives its angles the robot's names. With a
    wrist, `whole` is the arm with its wrist, and `naming` is for the arm up to the wrist center.
    `held` has the positions of the other movable joints [rad or m]. `notes` say what a user should
    know, in one sentence each.
    """

    spatial: SpatialArm | None
    whole: WholeArm | None
    naming: JointNaming
    held: dict[str, float]
    notes: tuple[str, ...]

    def wrist_at(self, positions: Mapping[str, float]) -> dict[str, float]:
        """Where the wrist's joints are held, by name [rad]: inside their limits; not named: 0."""
        return {
            one.joint.name: nearest_in(positions.get(one.joint.name, 0.0), one.limits)
            for one in self.naming.wrist
        }

    def above(self, height: float | None) -> 'Reduction':
        """The same arm above a floor at a height along base_link's z [m]; without one for None."""
        spatial = self.spatial and self.spatial.above(height)
        return replace(self, spatial=spatial, whole=self.whole and self.whole.above(height))

    def at(self, wrist: dict[str, float]) -> tuple[SpatialArm, JointNaming]:
        """The arm and the naming of its angles, with the wrist held at positions of `wrist_at`."""
        if self.whole is None:
            return cast('SpatialArm', self.spatial), self.naming
        return _held(self, self.whole, tuple(wrist.values()))


@lru_cache(maxsize=KEPT_ARMS)
def _held(
    reduction: Reduction, whole: WholeArm, angles: tuple[float, ...]
) -> tuple[SpatialArm, JointNaming]:
    """The arm with its wrist held at angles [rad], and the naming of its angles."""
    naming, shift = reduction.naming, whole.holding(angles).shift
    return whole.arm_at(angles), naming.held_at(dict(zip(naming.wrist_names, angles)), shift)


class _Sought(NamedTuple):
    """The joints of an arm, and the point that they bring to a target, in the arm's plane [m]."""

    tree: RobotTree
    yaw: PlacedJoint | None
    three: Sequence[PlacedJoint]
    frame: Matrix
    tip: Matrix


def reduced(found: ArmInTree, held: Mapping[str, float]) -> Reduction:
    """The arm in space; joints that are not commanded are at the positions in `held`, or at 0."""
    path, wrist = found.path, _wrist_in(found)
    in_wrist = [one.joint.name for one in wrist.joints]
    held = {name: position for name, position in held.items() if name not in in_wrist}
    placed, tip = movable_along(path, held), poses_along(path, held)[-1]
    first = [one.joint for one in placed].index(found.three[0])
    before, three, after = placed[:first], placed[first : first + 3], placed[first + 3 :]
    frame = plane_of(three, tip[:3, 3])
    yaw_joint = before.pop() if before and is_yaw(before[-1], frame) else None
    no_yaw = why_no_yaw(before[-1], frame) if before and not yaw_joint else ''
    if yaw_joint and looks_back(path, yaw_joint, before, three, frame, tip[:3, 3], held):
        frame[:3, (0, 2)] *= -1.0
    sought = _Sought(found.tree, yaw_joint, three, frame, tip[:3, 3])
    spatial, whole, count = None, None, len(wrist.joints)
    if wrist.joints:
        whole, naming = _whole_arm(sought, after[:count], tip)
        plane = whole.carrier.plane
    else:
        spatial, naming = _spatial_arm(sought, tip)
        no_roll = why_no_roll(after, frame[:3, 2], held, wrist.why_no_more)
        if no_roll:
            spatial = replace(spatial, tool=replace(spatial.tool, no_roll=no_roll))
        plane = spatial.plane
    commanded = [*([yaw_joint] if yaw_joint else []), *three, *wrist.joints]
    check_followers(found.tree, [one.joint for one in commanded], (*before, *after[count:]))
    return Reduction(
        spatial,
        whole,
        naming,
        {one.joint.name: held.get(one.joint.name, 0.0) for one in (*before, *after[count:])},
        (
            *held_notes(before, after[count:], tip[:3, 3], held, no_yaw, wrist.why_no_more),
            *stuck_notes(commanded),
            *slack_notes(commanded, plane.slack),
        ),
    )


def _wrist_in(found: ArmInTree) -> WristJoints:
    """Which of the joints after the three are a wrist, judged with all of these joints at 0.

    Joints before the three move everything that follows as one body, so they are at 0, too.
    """
    joints = [one for one in found.path if one.type != 'fixed']
    first = joints.index(found.three[0])
    placed, tip = movable_along(found.path, {}), poses_along(found.path, {})[-1]
    points = [*(one.position for one in placed[first : first + 3]), tip[:3, 3]]
    reach = sum(math.dist(a, b) for a, b in pairwise(points))
    return wrist_joints(placed[first + 3 :], placed[first].axis, reach)


def _spatial_arm(sought: _Sought, tip: Matrix) -> tuple[SpatialArm, JointNaming]:
    """The arm that brings a tip to targets; `tip` is its pose (4x4)."""
    tree, yaw_joint, three, frame, point = sought
    planar, angles = planar_arm(three, frame, point)
    yaw, yaw_angle = yaw_of(yaw_joint, frame, planar.max_reach) if yaw_joint else (None, None)
    lean, slack = lean_and_slack(yaw_joint, three, frame, point)
    plane = ArmPlane(frame, yaw, slack)
    tool = Tool(plane, tip[:3, :3], sum(one.offset for one in angles))
    a, b, c = map(label_of, angles)
    leaning = None
    if slack > 0.0:
        chain = HingeChain(_hinges(sought, yaw_angle, angles, plane), plane.into(point.tolist()))
        leaning = Leaning(planar, plane, chain, lean)
    naming = JointNaming(tree, yaw_angle, angles)
    return SpatialArm(planar, tool, (a, b, c), leaning, naming.configuration({})), naming


def _whole_arm(
    sought: _Sought, joints: Sequence[PlacedJoint], tip: Matrix
) -> tuple[WholeArm, JointNaming]:
    """The arm with its wrist; `tip` is the pose of the tip with all joints at 0 (4x4)."""
    tree, yaw_joint, three, frame, _ = sought
    center, frame = center_of(joints, tip[:3, 3]), frame.copy()
    normal = frame[:3, 2]
    frame[:3, 3] += normal * (normal @ (center - frame[:3, 3]))
    planar, angles = planar_arm(three, frame, center, opened)
    yaw, yaw_angle = yaw_of(yaw_joint, frame, planar.max_reach) if yaw_joint else (None, None)
    yaw = yaw and yaw._replace(limits=opened(yaw.limits))
    lean, slack = lean_and_slack(yaw_joint, three, frame, center)
    leans, apart = error_of(joints, normal)
    of_three, lean = lean, lean + 2.0 * leans
    away = float(np.linalg.norm(tip[:3, 3] - center))
    # The orientation tells the last link where to point, so that a wrist that leans turns it, too.
    moved = 2.0 * (apart + lean * away + leans * planar.link_lengths[2])
    plane = ArmPlane(frame, yaw, slack + moved)
    phi_at_zero = sum(one.offset for one in angles)
    a, b, c = map(label_of, angles)
    of_wrist = tuple(angle_of(one.joint, 1, 0.0) for one in joints)
    hinges = (
        *_hinges(sought, yaw_angle, angles, plane),
        *(hinge_of(one, angle, plane) for one, angle in zip(joints, of_wrist)),
    )
    commanded = [*([yaw_angle] if yaw_angle else []), *angles, *of_wrist]
    limits = tuple(opened(one.limits) for one in of_wrist)
    naming = JointNaming(tree, yaw_angle, angles, of_wrist)
    tool = Tool(plane, tip[:3, :3], phi_at_zero)
    whole = WholeArm(
        carrier=SpatialArm(planar, tool, (a, b, c), at_zero=naming.configuration({})),
        wrist=wrist_of(joints, plane, phi_at_zero, tip, center, limits),
        chain=HingeChain(hinges, plane.into(tip[:3, 3].tolist())),
        limits=[one.limits for one in commanded],
        at_zero=tip[:3, :3],
        lean=lean,
        lean_of_three=of_three,
    )
    return whole, naming


def _hinges(
    sought: _Sought,
    yaw_angle: AngleOf | None,
    angles: Sequence[AngleOf],
    plane: ArmPlane,
) -> tuple[Hinge, ...]:
    """The yaw joint, if there is one, and the three."""
    three = [hinge_of(*one, plane) for one in zip(sought.three, angles)]
    if sought.yaw is None or yaw_angle is None:
        return tuple(three)
    return (hinge_of(sought.yaw, yaw_angle, plane), *three)
