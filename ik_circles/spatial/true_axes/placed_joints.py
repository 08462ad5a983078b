# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints in the places to which the joints before bring them, and the step that takes the tip to a
pose."""

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from operator import sub
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.rigid import Matrix, Point3, Rows

#: The zero vector: where the base is, and the axis of a joint that slides.
NO_VECTOR: Point3 = (0.0, 0.0, 0.0)
#: If the joints move the tip in a direction by less than this share of what they do in other
#: directions, they count as unable to move it there: the arm is stretched.
STUCK = 1e-10


class Placed(NamedTuple):
    """Joints, and the tip that they carry, in plain floats: arrays of a few numbers are slower.

    Attributes
    ----------
    axes, points : list of tuple of float
        The axis of each joint (a unit vector), and a point of it [m].
    moves : list of tuple of float
        How each joint moves the tip [m/rad].
    tip : tuple of float
        Where the tip is [m].
    rotation : sequence of tuple of float
        How it is turned against where it was measured (3x3).
    """

    axes: list[Point3]
    points: list[Point3]
    moves: list[Point3]
    tip: Point3
    rotation: Rows

    def with_slide(self, joint: int, longer: float) -> 'Placed':
        """The same with a joint that does not turn, but makes the link after it longer. The link is
        longer by `longer` already, as a share of its length."""
        axes, moves = [*self.axes], [*self.moves]
        way = across(axes[joint], map(sub, self.points[joint + 1], self.points[joint]))
        axes[joint], moves[joint] = NO_VECTOR, way
        x, y, z = way
        tip = together(self.tip, (longer * x, longer * y, longer * z))
        return self._replace(axes=axes, moves=moves, tip=tip)

    def step_to(
        self, target: Point3, rotation: Rows, free: Sequence[int], count: int
    ) -> list[float]:
        """How the free joints have to move to bring the tip to a target, and to turn it; to first
        order [rad].

        With enough joints for a whole pose, both are done at once. Fewer joints turn the tip with
        the freedom that is left.
        """
        reach = max(abs(one) for move in self.moves for one in move[:count])
        of_tip = [[one / reach for one in self.moves[joint][:count]] for joint in free]
        miss = [(there - here) / reach for there, here in zip(target[:count], self.tip)]
        axes, away = [self.axes[joint] for joint in free], self._turn_to(rotation)
        if len(self.axes) >= count + len(away):
            ways = np.array([(*move, *axis) for move, axis in zip(of_tip, axes)]).T
            motion: list[float] = _least_motion(ways, np.array((*miss, *away)))[0].tolist()
            return motion
        step, aside = _least_motion(np.array(of_tip).T, np.array(miss))
        turns = np.array(axes).T
        turning, _ = _least_motion(turns @ aside, away - turns @ step)
        found: list[float] = (step + aside @ turning).tolist()
        return found

    def all_to(self, target: Point3, rotation: Rows, count: int) -> tuple[Matrix, Matrix]:
        """How each joint moves and turns the tip, in columns, and what brings it to a target turned
        as wanted; to first order. In both, the moves come first, as shares of the length of all
        links, which no joint changes."""
        reach = sum(map(math.dist, self.points, (*self.points[1:], self.tip)))
        miss = [(there - here) / reach for there, here in zip(target[:count], self.tip)]
        columns = [
            (*(one / reach for one in move[:count]), *axis)
            for move, axis in zip(self.moves, self.axes)
        ]
        return np.array(columns).T, np.array((*miss, *self._turn_to(rotation)))

    def _turn_to(self, rotation: Rows) -> Point3:
        """The turn to another rotation (3x3), about its axis; to first order [rad]."""
        (a, b, c), (d, e, f), (g, h, i) = self.rotation
        (j, k, m), (n, o, p), (q, r, s) = rotation
        return (
            (d * q + e * r + f * s - g * n - h * o - i * p) / 2.0,
            (g * j + h * k + i * m - a * q - b * r - c * s) / 2.0,
            (a * n + b * o + c * p - d * j - e * k - f * m) / 2.0,
        )


def _least_motion(ways: Matrix, wanted: Matrix) -> tuple[Matrix, Matrix]:
    """The least motion of joints that does what is wanted, as nearly as their `ways` can, and the
    motions that do nothing, in columns."""
    if len(wanted) == ways.shape[1]:
        with suppress(np.linalg.LinAlgError):
            inverse: Matrix = np.asarray(np.linalg.inv(ways), dtype=np.float64)
            # The sum of the squares of its singular values, which are the inverses of those of the
            # ways.
            if np.vdot(inverse, inverse) < 1.0 / STUCK**2:
                return inverse @ wanted, inverse[:, :0]
    left, sizes, right = np.linalg.svd(ways)
    rank = int((sizes > STUCK).sum())
    motion: Matrix = right[:rank].T @ (left.T[:rank] @ wanted / sizes[:rank])
    return motion, right[rank:].T


def together(one: Point3, other: Point3) -> Point3:
    """The sum of two vectors."""
    (x, y, z), (u, v, w) = one, other
    return x + u, y + v, z + w


def product(rotation: Rows, vector: Iterable[float]) -> Point3:
    """A vector turned by a rotation (3x3)."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    x, y, z = vector
    return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z


def across(axis: Point3, vector: Iterable[float]) -> Point3:
    """The part of a vector that is across an axis."""
    (a, b, c), (x, y, z) = axis, vector
    along = a * x + b * y + c * z
    return x - along * a, y - along * b, z - along * c
