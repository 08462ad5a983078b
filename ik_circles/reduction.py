"""Finding the planar arm inside a robot description, and reducing the robot to it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ik_circles.angles import Limits, wrap
from ik_circles.arm import PlanarArm
from ik_circles.chain import PlanarChain, link_poses
from ik_circles.errors import InvalidUrdfError, NoPlanarChainError
from ik_circles.urdf import TURNING, Matrix, Robot, UrdfJoint, parse_urdf

#: Axes are parallel, or perpendicular, when they are so within this angle [rad].
AXIS_TOLERANCE = 1e-4
#: A link shorter than this share of the arm's reach has no direction of its own.
NO_LENGTH = 1e-9


def load_planar_chain(
    urdf: str | bytes, base_link: str | None = None, tip_link: str | None = None
) -> PlanarChain:
    """The planar chain of a robot description.

    Parameters
    ----------
    urdf : the text of the URDF
    base_link : where the chain starts; the root if not given
    tip_link : where it ends; if not given, the one leaf that the three joints move most directly

    Raises
    ------
    InvalidUrdfError : the description is unsound, or has no such link
    NoPlanarChainError : no three successive revolute joints have parallel axes, or several sets do
    """
    robot = parse_urdf(urdf)
    base = base_link or robot.root
    robot.path(base, base)  # whether there is such a link
    tip = tip_link or _only_tip(robot, base)
    path = robot.path(base, tip)
    return _reduce(robot, base, tip, path, _three_parallel(path))


def _only_tip(robot: Robot, base: str) -> str:
    """The leaf behind three parallel joints with the fewest movable joints after those."""
    behind: dict[str, int] = {}
    reasons: list[str] = []
    for leaf in robot.leaves:
        try:
            path = robot.path(base, leaf)
            last = _three_parallel(path)[2]
        except (InvalidUrdfError, NoPlanarChainError) as error:
            reasons.append(f'towards {leaf}: {error}')
            continue
        behind[leaf] = sum(joint.type != 'fixed' for joint in path[path.index(last) + 1 :])
    if not behind:
        raise NoPlanarChainError('; '.join(reasons[:3]) or 'the robot has no links to move')
    nearest = [leaf for leaf, count in behind.items() if count == min(behind.values())]
    if len(nearest) > 1:
        raise NoPlanarChainError(
            f'the tip may be any of {", ".join(nearest)}; choose one with tip_link'
        )
    return nearest[0]


def _three_parallel(path: Sequence[UrdfJoint]) -> tuple[UrdfJoint, UrdfJoint, UrdfJoint]:
    movable = [joint for joint in path if joint.type != 'fixed']
    axes = {
        joint.name: pose[:3, :3] @ joint.axis
        for joint, pose in zip(path, link_poses(path, {}), strict=False)
    }
    found = [
        (a, b, c)
        for a, b, c in zip(movable, movable[1:], movable[2:], strict=False)
        if all(joint.type in TURNING and not joint.mimic for joint in (a, b, c))
        and _angle_between(axes[a.name], axes[b.name]) <= AXIS_TOLERANCE
        and _angle_between(axes[a.name], axes[c.name]) <= AXIS_TOLERANCE
    ]
    if len(found) == 1:
        return found[0]
    if found:
        sets = ' or '.join(', '.join(joint.name for joint in three) for three in found)
        raise NoPlanarChainError(
            f'more than three successive joints have parallel axes ({sets}); '
            'choose three with base_link and tip_link'
        )
    raise NoPlanarChainError(_why_none(movable, axes))


def _angle_between(axis: Matrix, other: Matrix) -> float:
    """Angle between two lines with these unit vectors [rad]."""
    return math.atan2(float(np.linalg.norm(np.cross(axis, other))), abs(float(axis @ other)))


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
        for a, b in zip(movable, movable[1:], strict=False)
    )
    return f'{needed}; the angles between successive axes are {angles}'


# --- reducing it ----------------------------------------------------------------------------------


def _reduce(
    robot: Robot,
    base: str,
    tip: str,
    path: list[UrdfJoint],
    three: tuple[UrdfJoint, UrdfJoint, UrdfJoint],
) -> PlanarChain:
    """Forward kinematics at zero, projected on the common axis (robots.md)."""
    poses = dict(zip((joint.name for joint in path), link_poses(path, {}), strict=True))
    axes = [poses[joint.name][:3, :3] @ joint.axis for joint in three]
    positions = [poses[joint.name][:3, 3] for joint in three]
    tip_position = link_poses(path, {})[-1][:3, 3]
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
    yaw = before[-1] if before and _is_yaw(before[-1], poses, normal) else None
    return PlanarChain(
        arm=arm,
        joint_names=(three[0].name, three[1].name, three[2].name),
        joint_signs=(signs[0], signs[1], signs[2]),
        joint_offsets=offsets,
        yaw_joint=yaw.name if yaw else None,
        base_link=base,
        tip_link=tip,
        plane=plane,
        frames=robot.fixed_to(base),
        velocity_limits={joint.name: joint.velocity for joint in three},
        held_joints=tuple(
            joint.name for joint in path if joint.type != 'fixed' and joint not in three
        ),
        notes=(),
        _robot=robot,
        _path=tuple(path),
        _three=three,
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
    return joint.type in TURNING and abs(upright) <= AXIS_TOLERANCE
