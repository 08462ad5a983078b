# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A second solver for whole arms, by the screws of their joints: it shares nothing with the first.

All it knows of a robot is how each joint moves the tip, and where its limits are. Like EAIK and
ik-geo, it reduces the pose to equations of the form A cos(angle) + B sin(angle) = C, one joint at a
time. In awkward places, where such an equation has a double root, it gives up.
"""

import math
from itertools import product

import numpy as np
from spatial_arms import rotation_by

#: Nearer than this to a double root, to a limit or to a free joint, the solver gives up [1, rad].
AWKWARD = 1e-6
#: A plane that holds the wrist's axis up to this holds it [1].
IN_PLANE = 1e-7


class Awkward(Exception):
    """The count of solutions is a matter of rounding."""


def roots(a, axis, b, d):
    """The angles by which `b` is turned about the axis so that its product with `a` is `d`."""
    b_along = axis * (axis @ b)
    cosine, sine, rest = a @ (b - b_along), a @ np.cross(axis, b), d - a @ b_along
    size = math.hypot(cosine, sine)
    if size < AWKWARD or abs(abs(rest) / size - 1.0) < AWKWARD:
        raise Awkward
    if abs(rest) > size:
        return []
    middle, aside = math.atan2(sine, cosine), math.acos(rest / size)
    return [middle - aside, middle + aside]


def turn(axis, start, end):
    """The angle about the axis from one direction to another."""
    return math.atan2(axis @ np.cross(start, end), start @ end - (axis @ start) * (axis @ end))


def screw(robot, name):
    """The axis of a joint with all joints at 0: its direction, and a point of it."""
    moved = robot.tip({name: 1.0}) @ np.linalg.inv(robot.tip({}))
    turned, shift = moved[:3, :3], moved[:3, 3]
    skew = (turned - turned.T) / (2.0 * math.sin(1.0))
    axis = np.array((skew[2, 1], skew[0, 2], skew[1, 0]))
    return axis, np.linalg.pinv(np.eye(3) - turned) @ shift


def meeting(one, other):
    """The point where two axes meet."""
    rows = [np.eye(3) - np.outer(axis, axis) for axis, _ in (one, other)]
    sides = [row @ point for row, (_, point) in zip(rows, (one, other))]
    return np.linalg.lstsq(np.vstack(rows), np.concatenate(sides), rcond=None)[0]


class ScrewSolver:
    """Finds the solutions of full poses of a robot with a wrist."""

    def __init__(self, robot):
        arm, joints = robot.arm, robot.arm.tree.movable_joints
        self.names = arm.commanded_joints
        screws = [screw(robot, name) for name in self.names]
        self.yaw = screws.pop(0) if arm.yaw_joint else None
        three, self.wrist = screws[:3], screws[3:]
        self.normal = three[0][0]
        self.signs = [float(np.sign(axis @ self.normal)) for axis, _ in three]
        self.places = [point for _, point in three]
        self.at_zero = robot.tip({})
        tip, (first, place) = self.at_zero[:3, 3], self.wrist[0]
        self.center = place + first * (first @ (tip - place))  # next to the tip
        if len(self.wrist) == 2:
            self.center = meeting(*self.wrist)
        self.limits = [(joints[name].lower, joints[name].upper) for name in self.names]

    def solutions(self, pose):
        """All joint positions inside the limits at some turn, for a pose of the tip (4x4)."""
        moved = pose @ np.linalg.inv(self.at_zero)
        center, found = moved[:3, :3] @ self.center + moved[:3, 3], []
        for yaw, back in self.planes(center):
            seen, level = back(center), self.level(moved[:3, :3], yaw)
            for phi, wrist in self.wrists(level):
                for three in self.three(seen, phi):
                    first = [] if self.yaw is None else [yaw]
                    found.append([*first, *three, *wrist])
        return [one for one in found if self._is_inside(one)]

    def planes(self, point):
        """The yaw angles with a point in the plane, each with what brings points back to 0."""
        if self.yaw is None:
            return [(0.0, lambda one: one)]
        axis, through = self.yaw
        off = self.normal @ (self.center - through)
        yaws = roots(self.normal, -axis, point - through, off)
        turns = [rotation_by(axis, -yaw) for yaw in yaws]
        return [(y, lambda p, t=t: through + t @ (p - through)) for y, t in zip(yaws, turns)]

    def level(self, turned, yaw):
        """An orientation as the plane sees it at a yaw angle."""
        return turned if self.yaw is None else rotation_by(self.yaw[0], -yaw) @ turned

    def wrists(self, level):
        """How far the last link is turned in the plane, and the angles of the wrist."""
        first, n = self.wrist[0][0], self.normal
        if len(self.wrist) == 1:
            if abs(n @ level @ first) > IN_PLANE:
                return
            phi = turn(n, first, level @ first)
            yield phi, [turn(first, n, rotation_by(n, -phi) @ level @ n)]
            return
        last = self.wrist[1][0]
        for rho in roots(n, first, last, n @ level @ last):
            phi = turn(n, rotation_by(first, rho) @ last, level @ last)
            rest = rotation_by(first, -rho) @ rotation_by(n, -phi) @ level
            yield phi, [rho, turn(last, first, rest @ first)]

    def three(self, seen, phi):
        """The angles of the joints in the plane, from the triangle of the first two links."""
        n, (one, two, three) = self.normal, self.places
        third = seen - rotation_by(n, phi) @ (self.center - three)
        upper, fore, away = (v - n * (n @ v) for v in (two - one, three - two, third - one))
        between = (away @ away - upper @ upper - fore @ fore) / 2.0
        if max(upper @ upper, fore @ fore) * AWKWARD > min(upper @ upper, fore @ fore):
            raise Awkward
        for bend in roots(upper, n, fore, between):
            first = turn(n, upper + rotation_by(n, bend) @ fore, away)
            yield [sign * q for sign, q in zip(self.signs, (first, bend, phi - first - bend))]

    def _is_inside(self, angles):
        return all(map(self._has_turn, angles, self.limits))

    def _has_turn(self, angle, limits):
        turns = [angle + math.tau * number for number in range(-4, 5)]
        lower, upper = limits
        if any(abs(one - end) < AWKWARD for one, end in product(turns, limits)):
            raise Awkward
        return upper == math.inf or any(lower < one < upper for one in turns)
