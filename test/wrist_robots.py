# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots with a wrist of one or two joints: the shipped ones, and random ones."""

import math
import re
import xml.etree.ElementTree as ElementTree
from functools import cache

import numpy as np
from robot_texts import joint, limit, robot
from spatial_arms import rotation_by
from three_joints import NAMES, shipped_text
from tilted_robots import TiltedRobot

from ik_circles import load_arm
from ik_circles.robot.tree import poses_along

#: The shipped robots with a wrist, and how many joints it has.
COUNTS = {name: len(load_arm(shipped_text(name)).wrist_joints) for name in NAMES}
SHIPPED = {name: count for name, count in COUNTS.items() if count}
#: With a yaw joint or without, and the number of wrist joints.
KINDS = [(True, 1), (True, 2), (False, 1), (False, 2)]
EVERY_AXIS = np.eye(3)


@cache
def shipped_robots():
    """Every shipped robot with a wrist, by name."""
    return {name: TiltedRobot(shipped_text(name)) for name in SHIPPED}


def random_robot(rng, yaw, count, on_axis=None, aside=None):
    """An arm somewhere, with axes either way and offsets, and a wrist of one or two joints.

    `on_axis` puts the plane through the yaw axis (True), or beside it (False): `aside` beside it
    [m], or else at least 5 cm.
    """
    beside = 0.0 if rng.random() < 0.4 else rng.uniform(-0.2, 0.2)
    beside = beside if on_axis is None else 0.0 if on_axis else rng.uniform(0.05, 0.2)
    beside = beside if aside is None else aside
    asides = rng.choice([0.0, 1.0]) * rng.uniform(-0.1, 0.1, 2) * (1.0 if on_axis is None else 0.0)
    back = -beside - float(asides.sum()) if rng.random() < 0.2 else 0.0
    bend = rng.choice([0.0, rng.uniform(-3.1, 3.1)])
    first = rotation_by((0.0, 1.0, 0.0), bend) @ (1.0, 0.0, 0.0)
    to_second, second = second_axis(rng, first)
    up = limited(rng) if yaw else ('fixed', '')
    joints = [
        ('base', *('fixed', ''), rng.normal(size=3), rng.uniform(-3, 3, 3), (0, 0, 1)),
        ('yaw', *up, rng.normal(size=3), (0, 0, 0), (0, 0, rng.choice([-1, 1]))),
    ]
    for n, (x, y, z) in enumerate((
        (rng.uniform(-0.1, 0.1), beside, rng.uniform(0.0, 0.2)),
        (rng.uniform(0.1, 0.4), asides[0], rng.uniform(-0.2, 0.2)),
        (rng.uniform(0.1, 0.4), asides[1], rng.uniform(-0.2, 0.2)),
    )):
        joints.append(
            (f'j{n + 1}', *limited(rng), (x, y, z), (0, 0, 0), (0, rng.choice([-1, 1]), 0))
        )
    away = first * rng.uniform(0.02, 0.2)
    joints.append(('w1', *limited(rng), away + np.array((0.0, back, 0.0)), (0, 0, 0), first))
    if count == 2:
        joints.append(('w2', *limited(rng), to_second, (0, 0, 0), second))
    joints.append(
        ('tip', 'fixed', '', rng.uniform(-0.2, 0.2, 3), rng.uniform(-3, 3, 3), (0, 0, 1))
    )
    return TiltedRobot(robot(*(
        joint(name, n, n + 1, kind, xyz, rpy, axis, inner)
        for n, (name, kind, inner, xyz, rpy, axis) in enumerate(joints)
    )))  # fmt: skip


def second_axis(rng, first):
    """Where the second wrist joint is as the first sees it [m], and its axis: both axes meet."""
    angle = rng.choice([0.0, math.pi / 2.0, rng.uniform(-3.0, 3.0)])
    across = rotation_by(first, angle) @ (0, 1, 0)
    return rng.uniform(-0.1, 0.1) * first + rng.choice([0.0, 0.1]) * across, across


def limited(rng):
    """A joint's type and its limits: none, common ones, narrow ones, or of several turns."""
    kind = rng.integers(6)
    if kind == 0:
        return 'continuous', ''
    if kind == 1:
        return 'revolute', limit(-math.tau, math.tau)
    if kind == 2:
        return 'revolute', limit(-math.pi, math.pi)
    if kind == 3:
        lower = rng.uniform(-7.0, 0.0)
        return 'revolute', limit(lower, lower + rng.uniform(math.tau, 2.5 * math.tau))
    lower = rng.uniform(-3.0, 0.5)
    return 'revolute', limit(lower, lower + rng.uniform(0.5, 5.0))


def random_robots(rng, count, each=10, kinds=KINDS, **others):
    """Random robots of all kinds, each `each` times, or as often as there are cases."""
    each = min(each, count)
    for number in range(0, count, each):
        one = random_robot(rng, *kinds[number // each % len(kinds)], **others)
        for _ in range(each):
            yield one


def turned_away(one, other):
    """Angle between two orientations (3x3) [rad]."""
    return 2.0 * math.asin(min(1.0, float(np.linalg.norm(one - other)) / math.sqrt(8.0)))


def gap(one, other):
    """The largest difference of a joint [rad]."""
    return max(abs(one[name] - other[name]) for name in other)


def pose_of(robot, positions):
    """Position and orientation of the tip, by forward kinematics written anew."""
    tip = robot.tip(positions)
    return tuple(tip[:3, 3].tolist()), tip[:3, :3]


def singular(robot, own, rng, off):
    """Joint positions with the last axis along the plane's normal up to `off` [rad], or None."""
    name = robot.arm.wrist_joints[0]
    lower, upper = robot.limits[name]
    upright = rng.choice([-1.0, 1.0]) * math.pi / 2.0
    angle = float(upright - robot.arm.whole.wrist.first_at_zero + off * rng.choice([-1, 1]))
    for turned in (angle, angle - math.tau, angle + math.tau):
        if lower <= turned <= upper:
            return {**own, name: turned}
    return None


def enlarged(text, factor):
    """A robot's text with all lengths a number of times as large."""
    def larger(found):
        return 'origin xyz="{}"'.format(
            ' '.join(repr(factor * float(one)) for one in found[1].split())
        )

    return re.sub('origin xyz="([^"]*)"', larger, text)


def with_tip_on_axis(text):
    """The text of a random robot with its tip on the axis of the last wrist joint."""
    tree = ElementTree.fromstring(text)
    *_, last, to_tip = tree.findall('joint')
    to_tip.find('origin').set('xyz', last.find('axis').get('xyz'))
    return ElementTree.tostring(tree, encoding='unicode')


def is_singular(robot, own, within):
    """Whether the last of two wrist axes is along the plane's normal up to an angle [rad]."""
    wrist = robot.arm.whole.wrist
    angle = own[robot.arm.wrist_joints[0]] + wrist.first_at_zero
    return len(robot.arm.wrist_joints) == 2 and abs(math.cos(angle)) < math.sin(within)


def drawn_on_axis(robot, rng, on_limit=False, away=0.0):
    """Joint positions with the wrist center on the yaw axis, or `away` from it [m], or None; with a
    wrist joint on its limit if asked for."""
    arm, own = robot.arm, robot.drawn(rng)
    hand = arm.whole.carrier
    place = hand.yaw.in_plane(away, rng.uniform(-0.5, 0.5) * hand.planar.max_reach)
    found = hand.planar.inverse_kinematics(*place, rng.uniform(-math.pi, math.pi))
    limits = arm.tree.movable_joints
    for q in found:
        joints = zip(arm.whole_naming.three, q)  # its own way to name them puts them on limits
        three = {one.joint.name: one.sign * (angle - one.offset) for one, angle in joints}
        for name in arm.joint_names:
            turns = [three[name] + math.tau * turn for turn in (0, -1, 1)]
            inside = [one for one in turns if limits[name].lower <= one <= limits[name].upper]
            if not inside:
                break
            own[name] = inside[0]
        else:
            if on_limit:
                name = str(rng.choice(arm.wrist_joints))
                own[name] = robot.limits[name][rng.integers(2)]
            return own
    return None


def without_limits(one, names=None):
    """The same robot with every commanded joint continuous, or those of some names."""
    tree = ElementTree.fromstring(one.text)
    for element in tree.findall('joint'):
        if element.get('name') in (names or one.arm.commanded_joints):
            element.set('type', 'continuous')
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


def narrow_robot(rng, yaw, count):
    """A random robot whose joints have small ranges."""
    tree = ElementTree.fromstring(random_robot(rng, yaw, count).text)
    for element in tree.findall('joint'):
        if element.get('type') in ('revolute', 'continuous'):
            lower = rng.uniform(-3.0, 2.0)
            for old in element.findall('limit'):
                element.remove(old)
            element.set('type', 'revolute')
            element.append(ElementTree.fromstring(limit(lower, lower + rng.uniform(0.2, 1.0))))
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


def searched(one, rng, point, rotation, count=400, best=6, steps=25):
    """How near the joints come to a pose, by a search that knows nothing of arms, and where."""
    names = list(one.limits)
    lower, upper = np.array(list(one.limits.values())).T
    normal = one.arm.plane[:3, 2] if one.arm.yaw_joint is None else np.zeros(3)

    def errors(rows):
        tips = one.tips(names, rows)
        away = tips[:, :3, 3] - point
        turned = (tips[:, :3, :3] - rotation).reshape(len(rows), 9)
        return np.column_stack((away - np.outer(away @ normal, normal), turned))

    starts, size = rng.uniform(lower, upper, (count, len(names))), len(names)
    beside = 1e-7 * np.vstack((np.zeros(size), np.eye(size)))
    least = np.broadcast_to(1e-9 * np.eye(size), (best, size, size))
    q = starts[np.argsort(np.linalg.norm(errors(starts), axis=1))[:best]]
    for _ in range(steps):
        here = errors((q[:, np.newaxis] + beside).reshape(-1, size)).reshape(best, size + 1, -1)
        free = (here[:, 1:] - here[:, :1]).transpose(0, 2, 1) / 1e-7
        inverse = np.linalg.pinv(np.concatenate((free, least), axis=1))[..., : free.shape[1]]
        step = (inverse @ here[:, 0, :, np.newaxis])[..., 0]
        longest = np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-12)
        q = np.clip(q - step * np.minimum(1.0, 0.3 / longest), lower, upper)
    away = np.linalg.norm(errors(q), axis=1)
    nearest = int(np.argmin(away))
    return float(away[nearest]), dict(zip(names, q[nearest].tolist()))


def is_folded_and_singular(own):
    """Whether a ur5e's elbow ends next to folded and its wrist next to singular, both on limits.

    Rounding counts twice there: several joints on limits may be given a turn away, or 1e-2 rad, and
    what lies between the two elbows closes, too.
    """
    elbow, wrist = (abs(math.sin(own.get(name, 1.0))) for name in ('elbow_joint', 'wrist_2_joint'))
    return wrist < 1e-3 and elbow < (5e-3 if wrist < 1e-8 else 1e-3)


def least_motion(robot, own):
    """The least singular value of the Jacobian: how far rounding of a pose may move the joints."""
    columns = []
    _, rotation = pose_of(robot, own)
    for name, angle in own.items():
        # Half of what lies between a quarter turn each way is the derivative of a turn.
        (point, turned), (other, back) = (
            pose_of(robot, {**own, name: angle + sign * math.pi / 2.0}) for sign in (1.0, -1.0)
        )
        spin = (np.asarray(turned) - np.asarray(back)) @ np.asarray(rotation).T / 2.0
        moved = (np.asarray(point) - np.asarray(other)) / 2.0
        columns.append([*moved, spin[2, 1], spin[0, 2], spin[1, 0]])
    return float(np.linalg.svd(np.array(columns).T)[1][-1])


def upright(robot):
    """The same robot with its yaw axis along base_link's z, either way."""
    tree = ElementTree.fromstring(robot.text)
    (base,) = [one for one in tree.findall('joint') if one.get('name') == 'base']
    base.find('origin').set('rpy', '0 0 1.0')
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


def heights(arm, positions):
    """Heights of elbow, third joint, tip and wrist center in base_link [m]."""
    path = arm.found.path
    poses = poses_along(path, {**arm.at_rest, **positions})
    found = [one[2, 3] for joint, one in zip(path, poses) if joint.name in arm.joint_names[1:]]
    tip = poses[-1]
    found.append(tip[2, 3])
    if arm.whole is not None:
        found.append(arm.whole.wrist.center_at(tuple(tip[:3, 3]), tip[:3, :3])[2])
    return found


def brought_inside(robot, name, angle):
    """A turn of the angle inside the joint's limits, or else the limit nearest to one."""
    joint = robot.arm.tree.movable_joints[name]
    turns = [angle + math.tau * turn for turn in range(-3, 4)]
    return min(
        (float(np.clip(one, joint.lower, joint.upper)) for one in turns),
        key=lambda one: min(abs(one - turned) for turned in turns),
    )


def with_pitch(arm, point, positions):
    """Solutions of a point with the orientation in the plane that joint positions have."""
    phi = math.remainder(sum(arm.naming.arm_angles(positions)), math.tau)
    return arm.inverse_kinematics(point, phi, seed=positions)


def beside(arm, one, other):
    """The angle between the planes of two sets of joint positions [rad]."""
    if arm.yaw_joint is None:
        return 0.0
    return abs(math.remainder(one[arm.yaw_joint] - other[arm.yaw_joint], math.tau))
