# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Random arms in space, behind a yaw joint or not, and forward kinematics written anew."""

import math

import numpy as np

from ik_circles import PlanarArm
from ik_circles.planar.model import TOLERANCE
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE, Configuration, SpatialArm
from ik_circles.spatial.plane import ArmPlane, Tool
from ik_circles.spatial.points import ways
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import Question
from ik_circles.spatial.yaw import Yaw

FREE = (-math.inf, math.inf)
LINKS = PlanarArm((0.4, 0.3, 0.2))
SHORT = PlanarArm((0.4, 0.3, 0.2), [(-1.0, 1.0), (-1.5, 1.5), (-1.0, 1.0)])


def same_angle(one, other):
    """How far two angles are apart, up to whole turns [rad]."""
    return abs(math.remainder(one - other, math.tau))


def check_alike(some, others, near, same, told):
    """The same joint angles in the same order; half a turn from `near`, at either turn [rad]."""
    assert len(some) == len(others), told
    for one, other in zip(some, others):
        for angle, its, near_it in zip(one, other, near):
            assert same_angle(angle, its) <= same, told
            is_half_a_turn = abs(abs(angle - near_it) - math.pi) <= same
            assert abs(angle - its) <= same or is_half_a_turn, told


def rotation_by(axis, angle):
    """Rotation matrix (3x3) about a unit vector, by way of a quaternion."""
    w, s = math.cos(angle / 2.0), math.sin(angle / 2.0)
    x, y, z = (s * float(one) for one in axis)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def direction(rng, size=3):
    vector = rng.normal(size=size)
    return vector / np.linalg.norm(vector)


def random_rotation(rng):
    return rotation_by(direction(rng), rng.uniform(-math.pi, math.pi))


def pose(rotation, origin):
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, origin
    return matrix


def yaw_joint(planar, limits=FREE, aside=0.0, foot=(0.0, 0.0), along=(0.0, 1.0)):
    rounding = TOLERANCE * (planar.max_reach + math.hypot(*foot, aside))
    return Yaw(limits, tuple(foot), tuple(along), aside, rounding)


def limits_of(rng, most=5.0):
    lower = rng.uniform(-3.0, 0.5)
    return float(lower), float(lower + rng.uniform(0.5, most))


def random_planar(rng):
    limits = [None if rng.random() < 0.2 else limits_of(rng) for _ in range(3)]
    return PlanarArm(tuple(map(float, rng.uniform(0.05, 0.5, 3))), limits)


def spatial_arm(planar, yaw=None, frame=None, at_zero=None, phi_at_zero=0.0, slack=0.0):
    """In the plane of x and z as a robot's arm, unless a frame (4x4) is given."""
    upright = pose(np.array([(1, 0, 0), (0, 0, 1), (0, -1, 0)]).T, (0.0, 0.0, 0.0))
    plane = ArmPlane(upright if frame is None else frame, yaw, slack)
    return SpatialArm(planar, Tool(plane, np.eye(3) if at_zero is None else at_zero, phi_at_zero))


def checked(
    arm, point, phi=None, rotation=None, zones=None, off=OUT_OF_PLANE_TOLERANCE, tilt=math.inf
):
    return SpatialReachability(Question(arm, ways.checked(point, phi, rotation, zones, off, tilt)))


def random_arm(rng, beside, limits, planar=None):
    """Behind a yaw joint, with all of it somewhere, or in a fixed plane if `limits` is None."""
    planar = planar or random_planar(rng)
    yaw = None
    if limits is not None:
        aside = float(rng.choice([-1, 1]) * rng.uniform(0.02, 0.2)) if beside else 0.0
        foot, along = rng.uniform(-0.1, 0.1, 2).tolist(), direction(rng, 2).tolist()
        yaw = yaw_joint(planar, limits, aside, foot, along)
    frame = pose(random_rotation(rng), rng.uniform(-1.0, 1.0, 3))
    return spatial_arm(planar, yaw, frame, random_rotation(rng), rng.uniform(-3.0, 3.0))


def random_arms(count=6):
    """With and without a yaw joint; beside its axis or not; with limits of all kinds."""
    rng = np.random.default_rng(1)
    for number in range(count):
        for beside in (False, True):
            kind = (limits_of(rng), FREE, limits_of(rng, 12.0))[number % 3]
            yield random_arm(rng, beside, kind)


def tip_pose(arm, configuration):
    """Position and orientation of the tip: a link after the other, then turned about the axis."""
    yaw, q = configuration
    frame, joint = arm.plane.pose, arm.yaw
    directions = np.cumsum(q)
    links = np.column_stack((np.cos(directions), np.sin(directions), np.zeros(3)))
    point = frame[:3, :3] @ (np.array(arm.planar.link_lengths) @ links) + frame[:3, 3]
    rotation = rotation_by(frame[:3, 2], directions[2] - arm.tool.phi_at_zero) @ arm.tool.at_zero
    if joint is None:
        return point, rotation
    axis, through = axis_of(arm)
    turned = rotation_by(axis, yaw)
    return through + turned @ (point - through), turned @ rotation


def axis_of(arm):
    """Direction of the yaw axis in space, and a point of it."""
    frame, joint = arm.plane.pose, arm.yaw
    through = frame[:3, 3] + frame[:3, :3] @ (*joint.foot, joint.aside)
    return frame[:3, :3] @ (*joint.along, 0.0), through


def ranges(arm):
    """Limits of the yaw joint and the three, with about a turn for a continuous joint."""
    every = ((0.0, 0.0) if arm.yaw is None else arm.yaw.limits, *arm.planar.limits)
    return [(-3.1, 3.1) if math.isinf(lower) else (lower, upper) for lower, upper in every]


def random_configuration(rng, arm):
    """Inside the limits, now and then on one."""
    share = np.clip(rng.uniform(-0.05, 1.05, 4), 0.0, 1.0)
    yaw, *q = (
        float(min(lower + part * (upper - lower), upper))
        for part, (lower, upper) in zip(share, ranges(arm))
    )
    return Configuration(yaw, tuple(q))


def tips(rng, arm, count):
    """Tips of many configurations (count, 3), and how far from the first joint they are."""
    lower, upper = np.array(ranges(arm)).T
    values = rng.uniform(lower, upper, (count, 4))
    directions = np.cumsum(values[:, 1:], axis=1)
    lengths = np.array(arm.planar.link_lengths)
    flat = np.column_stack((
        np.cos(directions) @ lengths, np.sin(directions) @ lengths, np.zeros(count)
    ))  # fmt: skip
    frame = arm.plane.pose
    points, distances = flat @ frame[:3, :3].T + frame[:3, 3], np.linalg.norm(flat, axis=1)
    if arm.yaw is None:
        return points, distances
    axis, through = axis_of(arm)
    away, angle = points - through, values[:, :1]
    along = (away @ axis)[:, np.newaxis] * axis
    around = np.cos(angle) * (away - along) + np.sin(angle) * np.cross(axis, away)
    return through + along + around, distances


def somewhere(rng, arm, share=1.4):
    """A point inside or outside of the workspace."""
    reach = arm.planar.max_reach
    center = arm.plane.pose[:3, 3]
    if arm.yaw is not None:
        _, center = axis_of(arm)
        reach += math.hypot(*arm.yaw.foot, arm.yaw.aside)
    return tuple((center + direction(rng) * reach * rng.uniform(0.0, share)).tolist())


def apart(one, other):
    """The largest difference of two configurations up to whole turns [rad]."""
    pairs = zip((one.yaw, *one.q), (other.yaw, *other.q))
    return max(abs(math.remainder(a - b, math.tau)) for a, b in pairs)


def inside(arm, configuration):
    """Whether every angle is inside its limits, to the last bit."""
    limits = (arm.yaw.limits if arm.yaw else (0.0, 0.0), *arm.planar.limits)
    angles = (configuration.yaw, *configuration.q)
    return all(lower <= angle <= upper for angle, (lower, upper) in zip(angles, limits))


def bend_seen(arm, configuration):
    """The sine of joint 2 as it is seen from the side that the arm reaches to."""
    bend = math.sin(configuration.q[1])
    tip = arm.planar.forward_kinematics(configuration.q)[:2]
    backwards = arm.yaw is not None and arm.yaw.from_axis(tip)[0] < 0.0
    return -bend if backwards else bend
