# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots whose axes lean by a little, and forward kinematics written anew from the URDF's text."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
from spatial_arms import pose, rotation_by
from three_joints import fix, kinematics, shipped_wrist

from ik_circles import load_arm

LEAN = 1e-5  # [rad]


def numbers(text):
    return np.array([float(number) for number in text.split()])


def tilted(name, rng, most=LEAN, at_zero=False, wrist=False):
    """The text of a shipped robot, each axis turned by up to `most` about a random direction.

    With `at_zero`, each revolute joint has one of its limits at 0. Without `wrist`, it is fixed.
    """
    tree = ElementTree.fromstring(kinematics(name))
    lean(tree, rng, most, at_zero)
    if not wrist:
        fix(tree, *shipped_wrist(name))
    return ElementTree.tostring(tree, encoding='unicode')


def leaned(text, rng, most=LEAN, at_zero=False, only=None):
    """The same of a robot's text, with all its joints, or only one."""
    tree = ElementTree.fromstring(text)
    lean(tree, rng, most, at_zero, only)
    return ElementTree.tostring(tree, encoding='unicode')


def lean(tree, rng, most, at_zero, only=None):
    """The same of a robot that was read."""
    for joint in tree.findall('joint'):
        axis = joint.find('axis')
        if axis is None or joint.get('type') == 'fixed' or only not in (None, joint.get('name')):
            continue
        about = rng.normal(size=3)
        turn = rotation_by(about / np.linalg.norm(about), rng.uniform(0.0, most))
        axis.set('xyz', ' '.join(map(repr, (turn @ numbers(axis.get('xyz'))).tolist())))
        if at_zero:
            lower, upper = (0.0, 2.0) if rng.random() < 0.5 else (-2.0, 0.0)
            joint.find('limit').set('lower', str(lower))
            joint.find('limit').set('upper', str(upper))


def with_wrist_aside(rng, text):
    """The text of a random robot with its wrist's axis beside the third joint, in the plane."""
    tree = ElementTree.fromstring(text)
    (origin,) = [one.find('origin') for one in tree.findall('joint') if one.get('name') == 'w1']
    x, y, z = map(float, origin.get('xyz').split())
    x, z = np.add((x, z), rng.uniform(-0.1, 0.1, 2)).tolist()
    origin.set('xyz', f'{x!r} {y!r} {z!r}')
    return ElementTree.tostring(tree, encoding='unicode')


def origin_of(joint):
    """Pose of a joint in the link before it (4x4)."""
    origin = joint.find('origin')
    xyz, rpy = (
        np.zeros(3) if origin is None else numbers(origin.get(key, '0 0 0'))
        for key in ('xyz', 'rpy')
    )
    roll, pitch, yaw = (rotation_by(row, angle) for row, angle in zip(np.eye(3), rpy))
    return pose(yaw @ pitch @ roll, xyz)


def axis_of(joint):
    """Unit vector of a joint that has an axis, in its own frame."""
    axis = joint.find('axis')
    if axis is None:
        return None
    return tuple((numbers(axis.get('xyz')) / np.linalg.norm(numbers(axis.get('xyz')))).tolist())


class TiltedRobot:
    """An arm, the limits of its commanded joints, and its forward kinematics from the text."""

    def __init__(self, text):
        self.arm, self.text = load_arm(text), text
        above = {one.find('child').get('link'): one for one in ElementTree.fromstring(text)
                 if one.tag == 'joint'}  # fmt: skip
        link, self._path, after = self.arm.tip_link, [], np.eye(4)
        while link != self.arm.base_link:
            joint = above[link]
            if joint.get('type') != 'fixed':  # what is fixed after a joint moves with it
                self._path.insert(0, (joint.get('name'), axis_of(joint), after))
                after = np.eye(4)
            after = origin_of(joint) @ after
            link = joint.find('parent').get('link')
        self._first = after
        joints = self.arm.tree.movable_joints
        self.limits = {
            name: (max(joints[name].lower, -7.0), min(joints[name].upper, 7.0))
            for name in self.arm.commanded_joints
        }

    def with_wider_limits(self, room, names=None):
        """The robot with joint limits wider by an angle [rad]: of all joints, or of some names."""
        tree = ElementTree.fromstring(self.text)
        for joint in tree.findall('joint'):
            if names is not None and joint.get('name') not in names:
                continue
            for one in joint.findall('limit'):
                one.set('lower', str(float(one.get('lower')) - room))
                one.set('upper', str(float(one.get('upper')) + room))
        return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))

    def tip(self, positions):
        """Pose of the tip (4x4)."""
        tip = self._first.copy()
        for name, axis, after in self._path:
            if name in positions:
                tip[:3, :3] = tip[:3, :3] @ rotation_by(axis, positions[name])
            tip = tip @ after
        return tip

    def tips(self, names, rows):
        """Poses of the tip (N, 4, 4) with the joints of these names at rows of positions."""
        tips = np.broadcast_to(self._first, (len(rows), 4, 4))
        for name, axis, after in self._path:
            if name in names:
                x, y, z = axis
                cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
                angles = rows[:, names.index(name), np.newaxis, np.newaxis]
                moved = np.tile(np.eye(4), (len(rows), 1, 1))
                moved[:, :3, :3] += np.sin(angles) * cross + (1.0 - np.cos(angles)) * cross @ cross
                tips = tips @ moved
            tips = tips @ after
        return tips

    def miss(self, positions, point):
        """How far the tip is from a point [m]; without a yaw joint, in the plane."""
        away = self.tip(positions)[:3, 3] - point
        if self.arm.yaw_joint is None:
            away = (self.arm.plane[:3, :3].T @ away)[:2]
        return float(np.linalg.norm(away))

    def phi(self, positions):
        return sum(self.arm.naming.arm_angles(positions))

    def drawn(self, rng, on_limits=0):
        """Joint positions, as many as asked for on a limit."""
        positions = {name: float(rng.uniform(*ends)) for name, ends in self.limits.items()}
        for name in rng.choice(list(positions), on_limits, replace=False):
            positions[name] = self.limits[name][rng.integers(2)]
        return positions

    def bent(self, positions, joint, angle):
        """The positions with one of the three at an angle of the plane; None outside its limits."""
        naming = self.arm.naming.three[joint]
        name, position = naming.joint.name, naming.sign * (angle - naming.offset)
        lower, upper = self.limits[name]
        for turned in (position, position - math.tau, position + math.tau):
            if lower <= turned <= upper:
                return {**positions, name: turned}
        return None
