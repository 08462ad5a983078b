"""Finding the planar arm inside a robot description, and reducing the robot to it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from ik_circles.errors import NoPlanarArmError
from ik_circles.geometry.angles import Limits, wrap
from ik_circles.geometry.rigid import Matrix
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.arm import PlanarArm
from ik_circles.robot.arm import RobotArm, link_poses
from ik_circles.robot.text import listed
from ik_circles.robot.tree import TURNING, Robot, UrdfJoint
from ik_circles.robot.urdf import MAX_BYTES, parse_urdf
from ik_circles.spatial.yaw import Yaw

#: Axes are parallel, or perpendicular, when they are so within this angle [rad].
AXIS_TOLERANCE = 1e-4
#: A link shorter than this share of the arm's reach has no direction of its own.
NO_LENGTH = 1e-9
#: A sentence names the angles between the first so many successive axes.
MOST_ANGLES = 10
#: Axes that differ by no more than this are parallel but for rounding [rad].
PARALLEL = 1e-12
#: Moving the tip by less than this is not worth a word [m].
MOVES_THE_TIP = 1e-6

_Turning = tuple[UrdfJoint, Matrix]  # a joint and its axis in the base


def load_arm(
    urdf: str | bytes,
    base_link: str | None = None,
    tip_link: str | None = None,
    *,
    max_bytes: int = MAX_BYTES,
) -> RobotArm:
    """The planar chain of a robot description.

    Parameters
    ----------
    urdf : the text of the URDF
    base_link : where the chain starts; the root if not given
    tip_link : where it ends; if not given, the one leaf that the three joints move most directly
    max_bytes : more than this are refused unread

    Raises
    ------
    InvalidUrdfError : the description is unsound, or has no such link
    NoPlanarArmError : no three successive revolute joints have parallel axes, or several sets
        do, or several tips are as near to them
    """
    robot = parse_urdf(urdf, max_bytes=max_bytes)
    base = base_link or robot.root
    robot.path(base, base)  # whether there is such a link
    tip = tip_link or _only_tip(robot, base)
    path = robot.path(base, tip)
    return _reduce(robot, base, tip, path, _three_parallel(path), {})


def _only_tip(robot: Robot, base: str) -> str:
    """The leaf behind three parallel joints with the fewest movable joints after those."""
    behind, others = _leaves_behind_three(robot, base)
    if not behind:
        reasons = (f'towards {leaf}: {_why_not(robot.path(base, leaf))}' for leaf in others[:3])
        raise NoPlanarArmError('; '.join(reasons))
    fewest = min(behind.values())
    nearest = [leaf for leaf in robot.leaves if behind.get(leaf) == fewest]
    if len(nearest) > 1:
        raise NoPlanarArmError(
            f'the tip may be any of {listed(nearest)}; choose one with tip_link'
        )
    return nearest[0]


def _leaves_behind_three(robot: Robot, base: str) -> tuple[dict[str, int], list[str]]:
    """Leaves behind just one set of three, with the number of movable joints after it; the others.

    One walk down from the base: the paths of a robot with many leaves may be long.
    """
    below: dict[str, list[UrdfJoint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    behind: dict[str, int] = {}
    others: list[str] = []
    start: tuple[str, Matrix, tuple[_Turning, ...], int, int] = (base, np.eye(4), (), 0, 0)
    waiting = [start]
    while waiting:
        link, pose, last, sets, after = waiting.pop()
        if link not in below:
            if sets == 1:
                behind[link] = after
            else:
                others.append(link)
        for joint in reversed(below.get(link, [])):
            there = pose @ joint.transform(0.0)
            if joint.type == 'fixed':
                waiting.append((joint.child, there, last, sets, after))
                continue
            three = (*last, (joint, there[:3, :3] @ joint.axis))
            is_set = len(three) == 3 and _are_parallel(three)
            waiting.append(
                (joint.child, there, three[-2:], sets + is_set, 0 if is_set else after + 1)
            )
    return behind, others


def _why_not(path: Sequence[UrdfJoint]) -> str:
    try:
        _three_parallel(path)
    except NoPlanarArmError as error:
        return str(error)
    return ''


def _are_parallel(three: Sequence[_Turning]) -> bool:
    """Whether they are revolute joints of their own, with parallel axes."""
    return all(
        joint.type in TURNING
        and not joint.mimic
        and _angle_between(three[0][1], axis) <= AXIS_TOLERANCE
        for joint, axis in three
    )


def _three_parallel(path: Sequence[UrdfJoint]) -> tuple[UrdfJoint, UrdfJoint, UrdfJoint]:
    movable = [joint for joint in path if joint.type != 'fixed']
    axes = {
        joint.name: pose[:3, :3] @ joint.axis
        for joint, pose in zip(path, link_poses(path, {}), strict=False)
    }
    found = [
        (a, b, c)
        for a, b, c in zip(movable, movable[1:], movable[2:], strict=False)
        if _are_parallel([(joint, axes[joint.name]) for joint in (a, b, c)])
    ]
    if len(found) == 1:
        return found[0]
    if found:
        sets = ' or '.join(', '.join(joint.name for joint in three) for three in found[:3])
        sets += ' and so on' if len(found) > 3 else ''
        raise NoPlanarArmError(
            f'more than three successive joints have parallel axes ({sets}); '
            'choose three with base_link and tip_link'
        )
    raise NoPlanarArmError(_why_none(movable, axes))


def _angle_between(axis: Matrix, other: Matrix) -> float:
    """Angle between two lines with these unit vectors [rad]."""
    (a, b, c), (d, e, f) = axis.tolist(), other.tolist()  # ten times as fast as numpy's cross
    aside = math.hypot(b * f - c * e, c * d - a * f, a * e - b * d)
    return math.atan2(aside, abs(a * d + b * e + c * f))


def _why_none(movable: Sequence[UrdfJoint], axes: Mapping[str, Matrix]) -> str:
    needed = 'three successive revolute joints with parallel axes are needed'
    if len(movable) < 3:
        names = ', '.join(joint.name for joint in movable) or 'none'
        return (
            f'{needed}, but only {len(movable)} joint(s) can move between base_link and tip_link: '
            f'{names}; choose links farther apart'
        )
    sliding = [joint for joint in movable if joint.type not in TURNING]
    if sliding and len(movable) - len(sliding) < 3:
        return f"{needed}, but joint '{sliding[0].name}' is {sliding[0].type}"
    angles = ', '.join(
        f'{a.name} to {b.name} {math.degrees(_angle_between(axes[a.name], axes[b.name])):.4g} deg'
        for a, b in zip(movable[:MOST_ANGLES], movable[1:], strict=False)
    )
    angles += ' and so on' if len(movable) > MOST_ANGLES + 1 else ''
    coupled = [joint.name for joint in movable if joint.mimic]
    if coupled:
        angles += f'; {listed(coupled)} mimic others and cannot be commanded'
    return f'{needed}; the angles between successive axes are {angles}'


# --- reducing it ----------------------------------------------------------------------------------


def _reduce(
    robot: Robot,
    base: str,
    tip: str,
    path: list[UrdfJoint],
    three: tuple[UrdfJoint, UrdfJoint, UrdfJoint],
    held: Mapping[str, float],
) -> RobotArm:
    """Forward kinematics with the arm at zero, projected on the common axis (robots.md)."""
    poses = dict(zip((joint.name for joint in path), link_poses(path, held), strict=True))
    axes = [poses[joint.name][:3, :3] @ joint.axis for joint in three]
    positions = [poses[joint.name][:3, 3] for joint in three]
    tip_position = link_poses(path, held)[-1][:3, 3]
    basis = _plane_axes(axes[0])
    normal = basis[:, 2]
    plane = np.eye(4)
    plane[:3, :3] = basis
    plane[:3, 3] = positions[0] + normal * (normal @ (tip_position - positions[0]))
    corners = [(basis.T @ (point - plane[:3, 3]))[:2] for point in (*positions, tip_position)]
    links = [b - a for a, b in zip(corners, corners[1:], strict=False)]
    lengths, directions = _lengths_and_directions(links)
    offsets = (
        directions[0],
        wrap(directions[1] - directions[0]),
        wrap(directions[2] - directions[1]),
    )
    signs = tuple(1 if float(axis @ normal) > 0.0 else -1 for axis in axes)
    arm = PlanarArm(
        lengths,
        tuple(map(_arm_limits, three, signs, offsets)),  # type: ignore[arg-type]
    )
    before = [joint for joint in path[: path.index(three[0])] if joint.type != 'fixed']
    yaw_joint = before[-1] if before and _is_yaw(before[-1], poses, normal) else None
    yaw, yaw_sign = (None, 1) if yaw_joint is None else _yaw(yaw_joint, poses, plane, arm)
    commanded = (*((yaw_joint,) if yaw_joint else ()), *three)
    names = {joint.name for joint in commanded}
    others = [joint for joint in path if joint.type != 'fixed' and joint.name not in names]
    leans = sum(_angle_between(axis, normal) for axis in axes)
    corners_3d = [*positions, tip_position]
    reach = sum(float(np.linalg.norm(b - a)) for a, b in zip(corners_3d, corners_3d[1:]))
    if yaw_joint is not None and yaw is not None:
        yaw_axis = poses[yaw_joint.name][:3, :3] @ yaw_joint.axis
        leans += abs(math.pi / 2.0 - _angle_between(yaw_axis, normal))
        reach += float(np.linalg.norm(positions[0] - poses[yaw_joint.name][:3, 3]))
    slack = 2.0 * leans * reach if leans > PARALLEL else 0.0
    yaw = yaw and yaw._replace(slack=slack)
    return RobotArm(
        arm=arm,
        joint_names=(three[0].name, three[1].name, three[2].name),
        joint_signs=(signs[0], signs[1], signs[2]),
        joint_offsets=offsets,
        yaw_joint=yaw_joint.name if yaw_joint else None,
        yaw=yaw,
        yaw_sign=yaw_sign,
        base_link=base,
        tip_link=tip,
        plane=plane,
        frames=robot.fixed_to(base),
        velocity_limits={joint.name: joint.velocity for joint in commanded},
        held={joint.name: held.get(joint.name, 0.0) for joint in others},
        slack=slack,
        notes=tuple(_notes(others, path, commanded, poses, tip_position, slack)),
        robot=robot,
        _path=tuple(path),
        _commanded=commanded,
        _holding=partial(_reduce, robot, base, tip, path, three),
    )


def _yaw(
    joint: UrdfJoint, poses: Mapping[str, Matrix], plane: Matrix, arm: PlanarArm
) -> tuple[Yaw, int]:
    """The yaw joint as seen from the plane, and the sign of its angle there: about the direction
    of its axis that goes up, or along x, in the plane."""
    axis = plane[:3, :3].T @ poses[joint.name][:3, :3] @ joint.axis
    x, y, off = plane[:3, :3].T @ (poses[joint.name][:3, 3] - plane[:3, 3])
    length = math.hypot(axis[0], axis[1])
    sign = 1 if (axis[1] if abs(axis[1]) > AXIS_TOLERANCE else axis[0]) > 0.0 else -1
    along = sign * axis[0] / length, sign * axis[1] / length
    rounding = TOLERANCE * (arm.max_reach + math.hypot(x, y, off))
    aside = 0.0 if abs(off) <= rounding else float(off)
    lower, upper = sorted((sign * joint.lower, sign * joint.upper))
    foot = float(x), float(y)
    return Yaw((lower, upper), foot, (float(along[0]), float(along[1])), aside, rounding), sign


def _notes(
    others: Sequence[UrdfJoint],
    path: Sequence[UrdfJoint],
    commanded: Sequence[UrdfJoint],
    poses: Mapping[str, Matrix],
    tip: Matrix,
    slack: float,
) -> Iterator[str]:
    """What a user should know about the joints that are not commanded, and about the axes."""
    first = path.index(commanded[-3])
    for joint in others:
        if path.index(joint) < first:
            yield f'{joint.name} comes before the arm and is held where it is measured, or at 0'
            continue
        if joint.mimic:
            yield f'{joint.name} follows another joint, which is not accounted for: it is held'
            continue
        axis, away = poses[joint.name][:3, :3] @ joint.axis, tip - poses[joint.name][:3, 3]
        moves = 2.0 * float(np.linalg.norm(np.cross(axis, away)))
        if joint.type not in TURNING:
            yield f'{joint.name} moves the tip; it is held where it is measured, or at 0'
        elif moves > MOVES_THE_TIP:
            yield (
                f'{joint.name} moves the tip by up to {1000.0 * moves:.3g} mm; it is held where '
                'it is measured, or at 0'
            )
    if slack > MOVES_THE_TIP:
        yield (
            f'the axes of {", ".join(joint.name for joint in commanded)} are only nearly parallel '
            'or perpendicular: the '
            f'tip may be up to {1000.0 * slack:.2g} mm from where it was sent'
        )


def _plane_axes(joint_axis: Matrix) -> Matrix:
    """Columns x, y, z of the plane: y up unless the plane is level, x towards +x or else +y."""
    up, forward, left = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1, 0])
    if _angle_between(joint_axis, up) <= AXIS_TOLERANCE:
        normal = joint_axis if joint_axis[2] > 0.0 else -joint_axis
        x_axis = forward - normal * normal[0]
        x_axis /= np.linalg.norm(x_axis)
    else:
        x_axis = np.cross(joint_axis, up)
        x_axis /= np.linalg.norm(x_axis)
        along = x_axis @ forward if abs(x_axis @ forward) > AXIS_TOLERANCE else x_axis @ left
        x_axis = x_axis if along > 0.0 else -x_axis
        normal = joint_axis if np.cross(joint_axis, x_axis)[2] > 0.0 else -joint_axis
    return np.column_stack((x_axis, np.cross(normal, x_axis), normal))


def _lengths_and_directions(
    links: Sequence[Matrix],
) -> tuple[tuple[float, float, float], list[float]]:
    """A link without length takes the direction of the one before."""
    lengths = [math.hypot(*link) for link in links]
    shortest = NO_LENGTH * sum(lengths)
    lengths = [length if length > shortest else 0.0 for length in lengths]
    directions: list[float] = []
    for link, length in zip(links, lengths, strict=True):
        before = directions[-1] if directions else 0.0
        directions.append(math.atan2(link[1], link[0]) if length > 0.0 else before)
    return (lengths[0], lengths[1], lengths[2]), directions


def _arm_limits(joint: UrdfJoint, sign: int, offset: float) -> Limits | None:
    if math.isinf(joint.lower):
        return None
    ends = sign * joint.lower + offset, sign * joint.upper + offset
    return min(ends), max(ends)


def _is_yaw(joint: UrdfJoint, poses: Mapping[str, Matrix], normal: Matrix) -> bool:
    axis = poses[joint.name][:3, :3] @ joint.axis
    upright = math.pi / 2.0 - _angle_between(axis, normal)
    return joint.type in TURNING and not joint.mimic and abs(upright) <= AXIS_TOLERANCE
