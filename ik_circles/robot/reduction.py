"""Reducing a robot to an arm in space: forward kinematics at zero, projected on the common axis.

Derived in docs/robots.md.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from ik_circles.geometry.angles import CONTINUOUS, TURN, Limits, nearest_in, wrap
from ik_circles.geometry.rigid import Matrix, angle_between_lines
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.arm import PlanarArm
from ik_circles.reasons import JointLabel
from ik_circles.robot.naming import AngleOf, JointNaming
from ik_circles.robot.search import AXIS_TOLERANCE, ArmInTree
from ik_circles.robot.tree import TURNING, PlacedJoint, UrdfJoint, movable_along, poses_along
from ik_circles.robot.wrist import WristJoints, center_of, error_of, wrist_joints, wrist_of
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.hinges import Chain, Hinge
from ik_circles.spatial.leaning import Leaning
from ik_circles.spatial.plane import ArmPlane, Tool
from ik_circles.spatial.whole_arm import NO_LENGTH, WholeArm
from ik_circles.spatial.yaw import Yaw

#: Axes that lean by no more than this in all are parallel or perpendicular up to rounding [rad].
PARALLEL = 1e-12
#: What moves the tip by less than this is not worth a word [m].
MOVES_THE_TIP = 1e-6
#: A tip nearer to the yaw axis than this share of the reach is on no side of it. A braccio's, in
#: the middle of its limits, is 2 mm away.
NEAR_THE_AXIS = 0.05

FORWARD, LEFT, UP = np.eye(3)


class Reduction(NamedTuple):
    """A robot reduced to an arm in space.

    Without a wrist, `spatial` is that arm, and `naming` gives the robot's names to its angles. With
    one, `whole` is the arm with its wrist, and `naming` is that of the arm to the wrist center.
    `held` are the positions of the other movable joints [rad or m]. `notes` say what a user should
    know, a sentence each.
    """

    spatial: SpatialArm | None
    whole: WholeArm | None
    naming: JointNaming
    held: dict[str, float]
    notes: tuple[str, ...]

    def at(self, positions: Mapping[str, float]) -> tuple[SpatialArm, JointNaming]:
        """The arm, and the names of its angles, with the wrist held at joint positions by name."""
        if self.whole is None:
            return cast('SpatialArm', self.spatial), self.naming
        wrist = {
            one.joint.name: nearest_in(positions.get(one.joint.name, 0.0), one.limits)
            for one in self.naming.wrist
        }
        spatial = self.whole.arm_at([*wrist.values()])
        later = spatial.tool.phi_at_zero - self.whole.hand.tool.phi_at_zero
        return spatial, self.naming.held_at(wrist, later)


class _Sought(NamedTuple):
    """The joints of an arm, and the point [m] that they bring to a target, in the arm's plane."""

    yaw: PlacedJoint | None
    three: Sequence[PlacedJoint]
    frame: Matrix
    tip: Matrix


def reduced(found: ArmInTree, held: Mapping[str, float]) -> Reduction:
    """The arm in space; joints that are not commanded are at the positions in `held`, or at 0."""
    path, wrist = found.path, _wrist_in(found, held)
    in_wrist = [one.joint.name for one in wrist.joints]
    held = {name: position for name, position in held.items() if name not in in_wrist}
    placed, tip = movable_along(path, held), poses_along(path, held)[-1]
    first = [one.joint for one in placed].index(found.three[0])
    before, three, after = placed[:first], placed[first : first + 3], placed[first + 3 :]
    frame = _plane(three, tip[:3, 3])
    yaw_joint = before.pop() if before and _is_yaw(before[-1], frame) else None
    if yaw_joint and _looks_back(path, yaw_joint, before, three, frame, tip[:3, 3], held):
        frame[:3, (0, 2)] *= -1.0
    sought = _Sought(yaw_joint, three, frame, tip[:3, 3])
    spatial, whole, count = None, None, len(wrist.joints)
    if wrist.joints:
        whole, naming = _whole_arm(sought, after[:count], tip)
        plane = whole.hand.plane
    else:
        spatial, naming = _spatial_arm(sought, tip)
        plane = spatial.plane
    commanded = [*([yaw_joint] if yaw_joint else []), *three, *wrist.joints]
    return Reduction(
        spatial,
        whole,
        naming,
        {one.joint.name: held.get(one.joint.name, 0.0) for one in (*before, *after[count:])},
        (
            *_held_notes(before, after[count:], tip[:3, 3], held, wrist.why_no_more),
            *_slack_notes(commanded, plane.slack),
        ),
    )


def _wrist_in(found: ArmInTree, held: Mapping[str, float]) -> WristJoints:
    """Which of the joints after the three are a wrist, seen with all of them at 0."""
    first = [one.joint for one in movable_along(found.path, {})].index(found.three[0])
    after = [one.joint.name for one in movable_along(found.path, {})][first + 3 :]
    at_zero = {name: position for name, position in held.items() if name not in after}
    placed, tip = movable_along(found.path, at_zero), poses_along(found.path, at_zero)[-1]
    points = [*(one.position for one in placed[first : first + 3]), tip[:3, 3]]
    reach = sum(math.dist(a, b) for a, b in pairwise(points))
    return wrist_joints(placed[first + 3 :], placed[first].axis, reach)


def _spatial_arm(sought: _Sought, tip: Matrix) -> tuple[SpatialArm, JointNaming]:
    """The arm that brings a tip with this pose (4x4) to targets."""
    yaw_joint, three, frame, point = sought
    planar, angles = _planar_arm(three, frame, point)
    yaw, yaw_angle = _yaw(yaw_joint, frame, planar.max_reach) if yaw_joint else (None, None)
    lean, slack = _lean_and_slack(yaw_joint, three, frame, point)
    plane = ArmPlane(frame, yaw, slack)
    tool = Tool(plane, tip[:3, :3], sum(one.offset for one in angles))
    a, b, c = map(_label, angles)
    leaning = None
    if slack > 0.0:
        chain = Chain(_hinges(sought, yaw_angle, angles, plane), plane.into(point.tolist()))
        leaning = Leaning(planar, plane, chain, lean)
    return SpatialArm(planar, tool, (a, b, c), leaning), JointNaming(yaw_angle, angles)


def _whole_arm(
    sought: _Sought, joints: Sequence[PlacedJoint], tip: Matrix
) -> tuple[WholeArm, JointNaming]:
    """The arm with its wrist; `tip` is the pose of the tip with all joints at 0 (4x4)."""
    yaw_joint, three, frame, _ = sought
    center, frame = center_of(joints, tip[:3, 3]), frame.copy()
    normal = frame[:3, 2]
    frame[:3, 3] += normal * (normal @ (center - frame[:3, 3]))
    planar, angles = _planar_arm(three, frame, center, opened)
    yaw, yaw_angle = _yaw(yaw_joint, frame, planar.max_reach) if yaw_joint else (None, None)
    yaw = yaw and yaw._replace(limits=opened(yaw.limits))
    lean, slack = _lean_and_slack(yaw_joint, three, frame, center)
    leans, apart = error_of(joints, normal)
    of_three, lean = lean, lean + 2.0 * leans
    away = float(np.linalg.norm(tip[:3, 3] - center))
    plane = ArmPlane(frame, yaw, slack + 2.0 * apart + 2.0 * lean * away)
    phi_at_zero = sum(one.offset for one in angles)
    a, b, c = map(_label, angles)
    of_wrist = tuple(_angle_of(one.joint, 1, 0.0) for one in joints)
    hinges = (
        *_hinges(sought, yaw_angle, angles, plane),
        *(_hinge(one, angle, plane) for one, angle in zip(joints, of_wrist)),
    )
    commanded = [*([yaw_angle] if yaw_angle else []), *angles, *of_wrist]
    limits = tuple(opened(one.limits) for one in of_wrist)
    whole = WholeArm(
        hand=SpatialArm(planar, Tool(plane, tip[:3, :3], phi_at_zero), (a, b, c)),
        wrist=wrist_of(joints, plane, phi_at_zero, tip, center, limits),
        chain=Chain(hinges, plane.into(tip[:3, 3].tolist())),
        limits=[one.limits for one in commanded],
        at_zero=tip[:3, :3],
        lean=lean,
        lean_of_three=of_three,
    )
    return whole, JointNaming(yaw_angle, angles, of_wrist)


def _hinges(
    sought: _Sought,
    yaw_angle: AngleOf | None,
    angles: Sequence[AngleOf],
    plane: ArmPlane,
) -> tuple[Hinge, ...]:
    """The yaw joint, if there is one, and the three."""
    three = [_hinge(*one, plane) for one in zip(sought.three, angles)]
    if sought.yaw is None or yaw_angle is None:
        return tuple(three)
    return (_hinge(sought.yaw, yaw_angle, plane), *three)


def _plane(three: Sequence[PlacedJoint], tip: Matrix) -> Matrix:
    """The arm's plane in the base (4x4): through the tip, the origin at the first joint's axis."""
    frame = np.eye(4)
    frame[:3, :3] = _plane_axes(three[0].axis)
    normal, origin = frame[:3, 2], three[0].position
    frame[:3, 3] = origin + normal * (normal @ (tip - origin))
    return frame


def _plane_axes(joint_axis: Matrix) -> Matrix:
    """Columns x, y, z of the plane: y up unless the plane is level, x towards +x or else +y.

    Behind a yaw joint, x is turned to the front afterwards: see `_looks_back`.
    """
    if angle_between_lines(joint_axis, UP) <= AXIS_TOLERANCE:
        normal = joint_axis if joint_axis[2] > 0.0 else -joint_axis
        x_axis = FORWARD - normal * normal[0]
        x_axis /= np.linalg.norm(x_axis)
    else:
        x_axis = np.cross(joint_axis, UP)
        x_axis /= np.linalg.norm(x_axis)
        along = x_axis @ FORWARD if abs(x_axis @ FORWARD) > AXIS_TOLERANCE else x_axis @ LEFT
        x_axis = x_axis if along > 0.0 else -x_axis
        normal = joint_axis if np.cross(joint_axis, x_axis)[2] > 0.0 else -joint_axis
    return np.column_stack((x_axis, np.cross(normal, x_axis), normal))


def _looks_back(
    path: Sequence[UrdfJoint],
    yaw_joint: PlacedJoint,
    before: Sequence[PlacedJoint],
    three: Sequence[PlacedJoint],
    frame: Matrix,
    tip: Matrix,
    held: Mapping[str, float],
) -> bool:
    """Whether the arm's front is where the plane's x points away from, seen from the yaw axis.

    The front is where the tip is with the three joints in the middle of their limits, or with all
    at 0 if that is too near to the axis. Joints after the three stay at 0, so that none of them
    turns the front. A level plane, or one in which the axis is level, has no front.
    """
    _, y_axis, normal = frame[:3, :3].T
    along = yaw_joint.axis * np.sign(yaw_joint.axis @ y_axis)
    if abs(along @ y_axis) <= AXIS_TOLERANCE or angle_between_lines(normal, UP) <= AXIS_TOLERANCE:
        return False
    base = {one.joint.name: held.get(one.joint.name, 0.0) for one in before}
    middle = {one.joint.name: _middle(one.joint) for one in three}
    reach = sum(math.dist(a, b) for a, b in pairwise(_corners(three, frame, tip)))
    outward = np.cross(along, normal)
    for positions in ({**base, **middle}, base):
        place = poses_along(path, positions)[-1][:3, 3]
        outwards = float(outward @ (place - yaw_joint.position))
        if abs(outwards) > NEAR_THE_AXIS * reach:
            return outwards < 0.0
    return False


def _middle(joint: UrdfJoint) -> float:
    """The middle between a joint's limits [rad], 0 without limits."""
    return 0.0 if math.isinf(joint.lower) else (joint.lower + joint.upper) / 2.0


def opened(limits: Limits) -> Limits:
    """The limits of a joint that counts its angle up to whole turns: none if it takes every one."""
    return CONTINUOUS if limits[1] - limits[0] >= TURN else limits


def _as_they_are(limits: Limits) -> Limits:
    return limits


def _planar_arm(
    three: Sequence[PlacedJoint],
    frame: Matrix,
    tip: Matrix,
    counted: Callable[[Limits], Limits] = _as_they_are,
) -> tuple[PlanarArm, tuple[AngleOf, AngleOf, AngleOf]]:
    """The planar arm of the three joints with their limits as they are `counted`, and how its
    angles follow from their positions."""
    corners = _corners(three, frame, tip)
    lengths, directions = _lengths_and_directions(
        [b - a for a, b in pairwise(corners)]
    )
    first, second, third = directions
    offsets = first, wrap(second - first), wrap(third - second)
    a, b, c = (
        _angle_of(joint, 1 if float(axis @ frame[:3, 2]) > 0.0 else -1, offset)
        for (joint, axis, _), offset in zip(three, offsets)
    )
    some = [counted(one.limits) for one in (a, b, c)]
    limits = tuple(None if math.isinf(lower) else (lower, upper) for lower, upper in some)
    return PlanarArm(lengths, (limits[0], limits[1], limits[2])), (a, b, c)


def _corners(three: Sequence[PlacedJoint], frame: Matrix, tip: Matrix) -> list[Matrix]:
    """Where the three joints and the tip are in the plane, (2,) each [m]."""
    points = (*(one.position for one in three), tip)
    return [(frame[:3, :3].T @ (point - frame[:3, 3]))[:2] for point in points]


def _lengths_and_directions(
    links: Sequence[Matrix],
) -> tuple[tuple[float, float, float], list[float]]:
    """Lengths [m] and directions [rad] of links in the plane.

    A link without length takes the direction of the one before.
    """
    lengths = [math.hypot(*link) for link in links]
    shortest = NO_LENGTH * sum(lengths)
    lengths = [length if length > shortest else 0.0 for length in lengths]
    directions: list[float] = []
    for link, length in zip(links, lengths, strict=True):
        before = directions[-1] if directions else 0.0
        directions.append(math.atan2(link[1], link[0]) if length > 0.0 else before)
    return (lengths[0], lengths[1], lengths[2]), directions


def _angle_of(joint: UrdfJoint, sign: int, offset: float) -> AngleOf:
    ends = sign * joint.lower + offset, sign * joint.upper + offset
    return AngleOf(joint, sign, offset, (min(ends), max(ends)))


def _label(angle: AngleOf) -> JointLabel:
    return JointLabel(angle.joint.name, angle.sign)


def _is_yaw(one: PlacedJoint, frame: Matrix) -> bool:
    """Whether a joint can be commanded and turns the plane about an axis parallel to it."""
    upright = math.pi / 2.0 - angle_between_lines(one.axis, frame[:3, 2])
    turns = one.joint.type in TURNING and not one.joint.mimic
    return turns and abs(upright) <= AXIS_TOLERANCE


def _yaw(one: PlacedJoint, frame: Matrix, reach: float) -> tuple[Yaw, AngleOf]:
    """The yaw joint as seen from the plane, and how its angle follows from its position.

    The angle counts about the direction of the axis that goes up, or along x, in the plane.
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
    return Yaw(angle.limits, foot, along, aside, rounding, _label(angle)), angle


def _hinge(one: PlacedJoint, angle: AngleOf, plane: ArmPlane) -> Hinge:
    """A commanded joint in the axes of the plane, measured with the robot at zero."""
    x, y, z = (plane.pose[:3, :3].T @ (angle.sign * one.axis)).tolist()
    return Hinge((x, y, z), plane.into(one.position.tolist()), angle.offset)


def _lean_and_slack(
    yaw_joint: PlacedJoint | None, three: Sequence[PlacedJoint], frame: Matrix, tip: Matrix
) -> tuple[float, float]:
    """How far leaning axes may put the tip from where the plane has it, as an angle and a length.

    The angle [rad] is twice those by which they lean. The length [m] is that times the way from the
    yaw joint to the tip.
    """
    normal = frame[:3, 2]
    corners = [*(one.position for one in three), tip]
    leans = sum(angle_between_lines(one.axis, normal) for one in three)
    way = sum(float(np.linalg.norm(b - a)) for a, b in zip(corners, corners[1:]))
    if yaw_joint:
        leans += abs(math.pi / 2.0 - angle_between_lines(yaw_joint.axis, normal))
        way += float(np.linalg.norm(corners[0] - yaw_joint.position))
    return (2.0 * leans, 2.0 * leans * way) if leans > PARALLEL else (0.0, 0.0)


def _held_notes(
    before: Sequence[PlacedJoint],
    after: Sequence[PlacedJoint],
    tip: Matrix,
    held: Mapping[str, float],
    why_no_more: str,
) -> Iterator[str]:
    """Notes on the joints that are not commanded, before the three and after the wrist, with the
    positions that they are held at; `tip` is where the tip is in the base [m]."""
    for one in before:
        yield f'{one.joint.name} comes before the arm and is {_held_at(one.joint, held)}'
    for joint, axis, position in after:
        is_held = _held_at(joint, held)
        moves = 2.0 * float(np.linalg.norm(np.cross(axis, tip - position)))
        if why_no_more:  # of the first joint after the wrist
            yield f'{joint.name} is {is_held}, no part of a wrist: {why_no_more}'
            why_no_more = ''
        elif joint.mimic:
            yield f'{joint.name} follows another joint, which is not accounted for: it is {is_held}'
        elif joint.type not in TURNING:
            yield f'{joint.name} moves the tip; it is {is_held}'
        elif moves > MOVES_THE_TIP:
            yield f'{joint.name} moves the tip by up to {1000.0 * moves:.3g} mm; it is {is_held}'


def _held_at(joint: UrdfJoint, held: Mapping[str, float]) -> str:
    unit = 'rad' if joint.type in TURNING else 'm'
    return f'held at {held.get(joint.name, 0.0):.4g} {unit}'


def _slack_notes(commanded: Sequence[PlacedJoint], slack: float) -> Iterator[str]:
    """A note on axes that are parallel or perpendicular only to within `slack` [m] at the tip."""
    if slack > MOVES_THE_TIP:
        yield (
            f'the axes of {", ".join(one.joint.name for one in commanded)} are only nearly '
            'parallel or perpendicular: the '
            f'joints are corrected, by up to {1000.0 * slack:.2g} mm at the tip'
        )
