# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm's plane in a robot, and the joints projected onto it.

docs/robots.md has the derivation.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from ik_circles.errors import InvalidUrdfError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import CONTINUOUS, TURN, Limits, wrap
from ik_circles.geometry.rigid import Matrix, angle_between_lines, cross_product
from ik_circles.geometry.tolerances import EXACT_AXES, TOLERANCE
from ik_circles.planar.arm import PlanarArm
from ik_circles.reasons import JointLabel
from ik_circles.robot.naming import AngleOf
from ik_circles.robot.search import ALLOWED, AXIS_TOLERANCE
from ik_circles.robot.tree import TURNING, PlacedJoint, UrdfJoint, poses_along
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.poses.holding import NO_LENGTH
from ik_circles.spatial.true_axes.hinges import Hinge
from ik_circles.spatial.yaw import Yaw

#: A tip nearer to the yaw axis than this share of the reach is on neither side of it. The tip of a
#: braccio in the middle of its limits is 2 mm away from the axis.
NEAR_THE_AXIS = 0.05

FORWARD, LEFT, UP = np.eye(3)


def plane_of(three: Sequence[PlacedJoint], tip: Matrix) -> Matrix:
    """The arm's plane in the base (4x4): through the tip, its origin on the first joint's axis."""
    frame = np.eye(4)
    frame[:3, :3] = _plane_axes(three[0].axis)
    normal, origin = frame[:3, 2], three[0].position
    frame[:3, 3] = origin + normal * (normal @ (tip - origin))
    return frame


def _plane_axes(joint_axis: Matrix) -> Matrix:
    """Columns x, y, z of the plane: y up unless the plane is level, x towards +x or else +y.

    If there is a yaw joint, x is turned to the front afterwards: see `looks_back`.
    """
    if angle_between_lines(joint_axis, UP) <= AXIS_TOLERANCE:
        normal = joint_axis if joint_axis[2] > 0.0 else -joint_axis
        x_axis = FORWARD - normal * normal[0]
        x_axis /= np.linalg.norm(x_axis)
    else:
        x_axis = cross_product(joint_axis, UP)
        x_axis /= np.linalg.norm(x_axis)
        along = x_axis @ FORWARD if abs(x_axis @ FORWARD) > AXIS_TOLERANCE else x_axis @ LEFT
        x_axis = x_axis if along > 0.0 else -x_axis
        normal = joint_axis if cross_product(joint_axis, x_axis)[2] > 0.0 else -joint_axis
    return np.column_stack((x_axis, cross_product(normal, x_axis), normal))


def looks_back(
    path: Sequence[UrdfJoint],
    yaw_joint: PlacedJoint,
    before: Sequence[PlacedJoint],
    three: Sequence[PlacedJoint],
    frame: Matrix,
    tip: Matrix,
    held: Mapping[str, float],
) -> bool:
    """Whether the plane's x points away from the arm's front, seen from the yaw axis.

    The front is the side of the tip when the three joints are in the middle of their limits, or at
    0 if that is too near to the axis. Joints after the three stay at 0, so that none of them turns
    the front. A level plane has no front, nor has a plane in which the axis is level.
    """
    _, y_axis, normal = frame[:3, :3].T
    along = yaw_joint.axis * np.sign(yaw_joint.axis @ y_axis)
    if abs(along @ y_axis) <= AXIS_TOLERANCE or angle_between_lines(normal, UP) <= AXIS_TOLERANCE:
        return False
    base = {one.joint.name: held.get(one.joint.name, 0.0) for one in before}
    middle = {one.joint.name: _middle(one.joint) for one in three}
    reach = sum(math.dist(a, b) for a, b in pairwise(_corners(three, frame, tip)))
    outward = cross_product(along, normal)
    for positions in ({**base, **middle}, base):
        place = poses_along(path, positions)[-1][:3, 3]
        outwards = float(outward @ (place - yaw_joint.position))
        if abs(outwards) > NEAR_THE_AXIS * reach:
            return outwards < 0.0
    return False


def _middle(joint: UrdfJoint) -> float:
    """The middle between a joint's limits [rad]; 0 without limits."""
    return 0.0 if math.isinf(joint.lower) else (joint.lower + joint.upper) / 2.0


def opened(limits: Limits) -> Limits:
    """The limits of a joint if whole turns do not count: none if it can take every angle."""
    return CONTINUOUS if limits[1] - limits[0] >= TURN else limits


def _as_they_are(limits: Limits) -> Limits:
    return limits


def planar_arm(
    three: Sequence[PlacedJoint],
    frame: Matrix,
    tip: Matrix,
    counted: Callable[[Limits], Limits] = _as_they_are,
) -> tuple[PlanarArm, tuple[AngleOf, AngleOf, AngleOf]]:
    """The planar arm of the three joints, with limits changed by `counted`, and how its angles
    follow from the joint positions."""
    corners = _corners(three, frame, tip)
    lengths, directions = _lengths_and_directions(
        [b - a for a, b in pairwise(corners)]
    )
    if said := checks.links_in_millimeters('the robot has links', lengths):
        raise InvalidUrdfError(said)
    first, second, third = directions
    offsets = first, wrap(second - first), wrap(third - second)
    a, b, c = (
        angle_of(joint, 1 if float(axis @ frame[:3, 2]) > 0.0 else -1, offset)
        for (joint, axis, _), offset in zip(three, offsets)
    )
    some = [counted(one.limits) for one in (a, b, c)]
    limits = tuple(None if math.isinf(lower) else (lower, upper) for lower, upper in some)
    return PlanarArm(lengths, (limits[0], limits[1], limits[2])), (a, b, c)


def _corners(three: Sequence[PlacedJoint], frame: Matrix, tip: Matrix) -> list[Matrix]:
    """The three joints and the tip in the plane, (2,) each [m]."""
    points = (*(one.position for one in three), tip)
    return [(frame[:3, :3].T @ (point - frame[:3, 3]))[:2] for point in points]


def _lengths_and_directions(
    links: Sequence[Matrix],
) -> tuple[tuple[float, float, float], list[float]]:
    """Lengths [m] and directions [rad] of links in the plane.

    A link without length has the direction of the one before it.
    """
    lengths = [math.hypot(*link) for link in links]
    shortest = NO_LENGTH * sum(lengths)
    lengths = [length if length > shortest else 0.0 for length in lengths]
    directions: list[float] = []
    for link, length in zip(links, lengths):
        before = directions[-1] if directions else 0.0
        directions.append(math.atan2(link[1], link[0]) if length > 0.0 else before)
    return (lengths[0], lengths[1], lengths[2]), directions


def angle_of(joint: UrdfJoint, sign: int, offset: float) -> AngleOf:
    """A commanded joint whose angle is `sign * position + offset` [rad]."""
    ends = sign * joint.lower + offset, sign * joint.upper + offset
    return AngleOf(joint, sign, offset, (min(ends), max(ends)))


def label_of(angle: AngleOf) -> JointLabel:
    """How messages name a joint."""
    return JointLabel(angle.joint.name, angle.sign)


def is_yaw(one: PlacedJoint, frame: Matrix) -> bool:
    """Whether a joint can be commanded and turns the plane about an axis parallel to the plane."""
    rotates = one.joint.type in TURNING and not one.joint.mimic
    return rotates and _lean(one, frame) <= AXIS_TOLERANCE


def why_no_yaw(one: PlacedJoint, frame: Matrix) -> str:
    """Why the axis of a turning joint keeps it from being a yaw joint; '' if it does not."""
    if one.joint.type not in TURNING or one.joint.mimic or is_yaw(one, frame):
        return ''
    lean = math.degrees(_lean(one, frame))
    return f'its axis is {lean:.3g} deg from being perpendicular to those of the three; {ALLOWED}'


def _lean(one: PlacedJoint, frame: Matrix) -> float:
    """The angle between an axis and a plane [rad]."""
    return abs(math.pi / 2.0 - angle_between_lines(one.axis, frame[:3, 2]))


def yaw_of(one: PlacedJoint, frame: Matrix, reach: float) -> tuple[Yaw, AngleOf]:
    """The yaw joint as seen from the plane, and how its angle follows from its position.

    The angle is counted about the direction of the axis that points up in the plane, or along x.
    """
    axis = frame[:3, :3].T @ one.axis
    x, y, off = frame[:3, :3].T @ (one.position - frame[:3, 3])
    length = math.hypot(axis[0], axis[1])
    sign = 1 if (axis[1] if abs(axis[1]) > AXIS_TOLERANCE else axis[0]) > 0.0 else -1
    along = float(sign * axis[0] / length), float(sign * axis[1] / length)
    rounding = TOLERANCE * (reach + math.hypot(x, y, off))
    aside = 0.0 if abs(off) <= rounding else float(off)
    lower, upper = sorted((sign * one.joint.lower, sign * one.joint.upper))
    angle = AngleOf(one.joint, sign, 0.0, (lower, upper))
    foot = float(x), float(y)
    return Yaw(angle.limits, foot, along, aside, rounding, label_of(angle)), angle


def hinge_of(one: PlacedJoint, angle: AngleOf, plane: ArmPlane) -> Hinge:
    """A commanded joint in the axes of the plane, measured with the robot at zero."""
    x, y, z = (plane.pose[:3, :3].T @ (angle.sign * one.axis)).tolist()
    return Hinge((x, y, z), plane.into(one.position.tolist()), angle.offset)


def lean_and_slack(
    yaw_joint: PlacedJoint | None, three: Sequence[PlacedJoint], frame: Matrix, tip: Matrix
) -> tuple[float, float]:
    """How far leaning axes may put the tip from its pose in the plane, as an angle and a length.

    The angle [rad] is twice the sum of the angles by which the axes lean. The length [m] is that
    angle times the length of the way from the yaw joint to the tip, and twice the lengths of links
    that count as none.
    """
    normal = frame[:3, 2]
    corners = [*(one.position for one in three), tip]
    leans = sum(angle_between_lines(one.axis, normal) for one in three)
    way = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(corners))
    if yaw_joint:
        leans += abs(math.pi / 2.0 - angle_between_lines(yaw_joint.axis, normal))
        way += float(np.linalg.norm(corners[0] - yaw_joint.position))
    links = [math.hypot(*(b - a)) for a, b in pairwise(_corners(three, frame, tip))]
    lost = sum(one for one in links if one <= NO_LENGTH * sum(links))
    if max(leans, lost) <= EXACT_AXES:
        return 0.0, 0.0
    return 2.0 * leans, 2.0 * (leans * way + lost)
