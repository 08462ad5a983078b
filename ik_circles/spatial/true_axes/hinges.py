# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints that turn about the axes that they really have, in any number: where they put the tip, and
the correction of their angles where some are on their limits.
"""

import math
from collections.abc import Sequence
from operator import sub
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import Limits, nearest_in
from ik_circles.geometry.rigid import Matrix, Point3, Rows, rotation_about

#: Joints are looked at this many times, and corrected between. Each time squares the error that is
#: left, unless another joint comes to its limit.
LOOKS = 5
#: A tip this near to its target needs no more corrections [m].
MET = 1e-14
#: Where joints move the tip by less than this share of what they do in other directions, they have
#: no way: the arm is stretched.
NO_WAY = 1e-9
#: No correction moves a joint by more than this [rad]: with hardly a way, it would be far.
LARGEST_STEP = 0.1
#: The same of poses, at most: where an elbow is stretched, each correction only halves what is left
#: of its bend.
POSE_LOOKS = 25
#: After a step of no more than this, what is left of an error is rounding [rad].
SETTLED = 1e-9


class Hinge(NamedTuple):
    """A joint as it was measured: its axis (a unit vector), a point of it [m], its angle [rad]."""

    axis: Point3
    point: Point3
    angle: float

    def shifted(self, off: float) -> 'Hinge':
        """The same joint farther along z [m]."""
        x, y, z = self.point
        return self._replace(point=(x, y, z + off))

    def turned(self, angle: float, vector: Point3) -> Point3:
        """A direction that the joint carries, with the joint at `angle` [rad] (Rodrigues)."""
        (a, b, c), (x, y, z) = self.axis, vector
        change = angle - self.angle
        cosine, sine = math.cos(change), math.sin(change)
        along = (a * x + b * y + c * z) * (1.0 - cosine)
        return (
            along * a + cosine * x + sine * (b * z - c * y),
            along * b + cosine * y + sine * (c * x - a * z),
            along * c + cosine * z + sine * (a * y - b * x),
        )

    def moved(self, angle: float, place: Point3) -> Point3:
        """A place that the joint carries [m], with the joint at `angle` [rad]."""
        (x, y, z), (x0, y0, z0) = place, self.point
        x, y, z = self.turned(angle, (x - x0, y - y0, z - z0))
        return x + x0, y + y0, z + z0


class HingeChain(NamedTuple):
    """Joints, the first one first, and where the tip was when they were measured [m]."""

    hinges: tuple[Hinge, ...]
    measured: Point3

    def tip(self, angles: Sequence[float]) -> Point3:
        """Where the tip is [m]."""
        place = self.measured
        for hinge, angle in zip(reversed(self.hinges), reversed(angles)):
            place = hinge.moved(angle, place)
        return place

    def turned(self, angles: Sequence[float], vector: Point3) -> Point3:
        """A direction that the tip carries."""
        for hinge, angle in zip(reversed(self.hinges), reversed(angles)):
            vector = hinge.turned(angle, vector)
        return vector

    def velocities(self, angles: Sequence[float]) -> list[Point3]:
        """How the tip moves with each joint [m/rad]."""
        found = []
        for index, hinge in enumerate(self.hinges):
            rest = HingeChain(self.hinges[index:], self.measured).tip(angles[index:])
            (a, b, c), (x, y, z) = hinge.axis, map(sub, rest, hinge.point)
            before = HingeChain(self.hinges[:index], self.measured)
            velocity = b * z - c * y, c * x - a * z, a * y - b * x
            found.append(before.turned(angles[:index], velocity))
        return found

    def corrected(
        self, angles: Sequence[float], limits: Sequence[Limits], target: Point3, count: int
    ) -> list[float]:
        """Angles inside the limits with the tip at a target, or as near as corrections bring it.

        Joints past a limit are put on it and stay there. The others move as little as brings the
        tip there. Of the target's coordinates, the first `count` are met [m].
        """
        found, kept = list(angles), set[int]()
        best, least = found, math.inf
        for _ in range(LOOKS):
            for index, limit in enumerate(limits):
                inside = nearest_in(found[index], limit)
                if inside in limit:
                    found[index] = inside
                    kept.add(index)
            miss = list(map(sub, target, self.tip(found)))[:count]
            if math.hypot(*miss) < least:
                best, least = [*found], math.hypot(*miss)
            free = [index for index in range(len(found)) if index not in kept]
            if not free or least <= MET:
                break
            velocities = self.velocities(found)
            ways = np.array([velocities[index][:count] for index in free])
            step = np.linalg.lstsq(ways.T, np.array(miss), rcond=NO_WAY)[0]
            step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), LARGEST_STEP))
            for index, change in zip(free, step.tolist()):
                found[index] += change
        return best

    def short_of(self, angles: Sequence[float], target: Point3) -> float:
        """How much longer the link after the last joint would have to be to bring the tip nearest
        to a target [m]."""
        placed = self._placed(angles)
        link = placed.tip - placed.points[-1]
        link -= (link @ placed.axes[-1]) * placed.axes[-1]
        short: float = (target - placed.tip) @ link / np.linalg.norm(link)
        return float(short)

    # --- poses ---

    def rotation(self, angles: Sequence[float]) -> Rows:
        """How the tip is turned against where it was measured (3x3): a product of quaternions."""
        w, x, y, z = 1.0, 0.0, 0.0, 0.0
        for hinge, angle in zip(self.hinges, angles):
            half = (angle - hinge.angle) / 2.0
            cosine, sine, (a, b, c) = math.cos(half), math.sin(half), hinge.axis
            a, b, c = sine * a, sine * b, sine * c
            w, x, y, z = (
                w * cosine - x * a - y * b - z * c,
                w * a + x * cosine + y * c - z * b,
                w * b + y * cosine + z * a - x * c,
                w * c + z * cosine + x * b - y * a,
            )
        return (
            (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
            (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
            (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
        )

    def posed(
        self,
        angles: Sequence[float],
        limits: Sequence[Limits],
        target: Point3,
        rotation: Rows,
        count: int = 3,
    ) -> list[float]:
        """Angles inside the limits with the tip at a target and turned as wanted.

        Of the position, the first `count` coordinates are met. With fewer joints than a pose asks
        for they count first: what the joints can do without moving the tip turns it as near to the
        wanted `rotation` (3x3) as it can. Joints past a limit are put on it and stay there.
        """
        found, kept, wanted = list(angles), set[int](), np.array(rotation)
        for last in reversed(range(POSE_LOOKS)):
            for index, limit in enumerate(limits):
                inside = nearest_in(found[index], limit)
                if inside in limit:
                    found[index] = inside
                    kept.add(index)
            free = [index for index in range(len(found)) if index not in kept]
            if not (free and last):
                break
            step = self._placed(found).step_to(target, wanted, free, count)
            largest = float(np.abs(step).max())
            step *= min(1.0, LARGEST_STEP / max(largest, LARGEST_STEP))
            for index, change in zip(free, step.tolist()):
                found[index] += change
            if largest <= SETTLED:
                break
        return found

    def step_with_slide(
        self,
        angles: Sequence[float],
        joint: int,
        longer: float,
        target: Point3,
        rotation: Rows,
        count: int,
    ) -> list[float]:
        """How the joints have to move to bring the tip to a target, and to turn it [rad]: `joint`
        does not turn, but makes the link after it longer, which is so already [its length]."""
        placed = self._placed(angles).with_slide(joint, longer)
        step = placed.step_to(target, np.array(rotation), range(len(angles)), count)
        step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), LARGEST_STEP))
        found: list[float] = step.tolist()
        return found

    def _placed(self, angles: Sequence[float]) -> 'Placed':
        """The joints and the tip, each where the joints before it bring it."""
        rotation, shift = np.eye(3), np.zeros(3)
        axes, points = [], []
        for hinge, angle in zip(self.hinges, angles):
            point = rotation @ hinge.point + shift
            axes.append(rotation @ hinge.axis)
            points.append(point)
            rotation = rotation @ rotation_about(np.array(hinge.axis), angle - hinge.angle)
            shift = point - rotation @ hinge.point
        placed, at, tip = np.array(axes), np.array(points), rotation @ self.measured + shift
        return Placed(placed, at, _cross(placed.T, (tip - at).T), tip, rotation)


class Placed(NamedTuple):
    """Joints, and the tip that they carry.

    Attributes
    ----------
    axes, points : ndarray, shape (N, 3)
        The axis of each joint (a unit vector), and a point of it [m].
    moves : ndarray, shape (3, N)
        How each joint moves the tip, in columns [m/rad].
    tip : ndarray, shape (3,)
        Where the tip is [m].
    rotation : ndarray, shape (3, 3)
        How it is turned against where it was measured.
    """

    axes: Matrix
    points: Matrix
    moves: Matrix
    tip: Matrix
    rotation: Matrix

    def with_slide(self, joint: int, longer: float) -> 'Placed':
        """The same with a joint that does not turn, but makes the link after it longer: it is so
        already [its length]."""
        axes, moves, axis = self.axes.copy(), self.moves.copy(), self.axes[joint]
        way = self.points[joint + 1] - self.points[joint]
        way -= (way @ axis) * axis
        axes[joint], moves[:, joint] = 0.0, way
        return self._replace(axes=axes, moves=moves, tip=self.tip + longer * way)

    def step_to(self, target: Point3, rotation: Matrix, free: Sequence[int], count: int) -> Matrix:
        """How the free joints have to move to bring the tip to a target, and to turn it; to first
        order [rad].

        As many joints as a pose asks for do both at once. Fewer turn it with what freedom is left.
        """
        axes, moves = self.axes[free].T, self.moves[:count]
        reach = float(np.abs(moves).max())
        moves, miss = moves[:, free] / reach, (target - self.tip)[:count] / reach
        away = _cross(self.rotation, rotation).sum(axis=1) / 2.0
        if len(self.axes) >= count + len(axes):
            ways, wanted = np.concatenate((moves, axes)), np.concatenate((miss, away))
            return _least_motion(ways, wanted)[0]
        step, aside = _least_motion(moves, miss)
        turning, _ = _least_motion(axes @ aside, away - axes @ step)
        step += aside @ turning
        return step


def _least_motion(ways: Matrix, wanted: Matrix) -> tuple[Matrix, Matrix]:
    """The least motion of joints that does what is wanted, as nearly as their `ways` can, and the
    motions that do nothing, in columns."""
    left, sizes, right = np.linalg.svd(ways)
    rank = int((sizes > NO_WAY).sum())
    motion: Matrix = right[:rank].T @ (left.T[:rank] @ wanted / sizes[:rank])
    return motion, right[rank:].T


def _cross(columns: Matrix, others: Matrix) -> Matrix:
    """Cross products of vectors in columns, (3, N): numpy's cross is slower."""
    (a, b, c), (x, y, z) = columns, others
    return np.array((b * z - c * y, c * x - a * z, a * y - b * x))
