# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Any number of joints that turn about their true axes: where they put the tip, and how their
angles are corrected, also with some of them on their limits.
"""

import math
from collections.abc import Sequence
from operator import mul, sub
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import Limits, nearest_in
from ik_circles.geometry.rigid import UNTURNED, Matrix, Point3, Rows, cross
from ik_circles.spatial.true_axes.bounds import CLOSES
from ik_circles.spatial.true_axes.placed_joints import (
    NO_VECTOR,
    STUCK,
    Placed,
    across,
    product,
    together,
)

#: Joints are looked at this many times, and corrected in between. Each correction squares the error
#: that is left, unless another joint comes to its limit.
FIRST_LOOKS = 5
#: Where asked for, they are looked at up to this many times, as long as each correction leaves less
#: than half of the error: where links are nearly in line, it only halves their bend.
MOST_LOOKS = 25
#: A tip this near to its target needs no more corrections [m]: it is rounding.
MET = 1e-14
#: No correction moves a joint by more than this [rad]. It would do so where joints can hardly move
#: the tip.
LARGEST_STEP = 0.1
#: After a step of no more than this, what is left of an error is rounding [rad].
ROUNDING_STEP = 1e-9


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

    def turned_after(self, rotation: Rows, angle: float) -> Rows:
        """The product of a rotation (3x3) and the joint's, with it at `angle` [rad]."""
        u, v, w = self.axis
        change = angle - self.angle
        cosine, sine = math.cos(change), math.sin(change)
        rows = []
        for x, y, z in rotation:
            along = (u * x + v * y + w * z) * (1.0 - cosine)
            rows.append((
                along * u + cosine * x + sine * (w * y - v * z),
                along * v + cosine * y + sine * (u * z - w * x),
                along * w + cosine * z + sine * (v * x - u * y),
            ))
        return rows


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

    def corrected(
        self,
        angles: Sequence[float],
        limits: Sequence[Limits],
        target: Point3,
        count: int,
        most: int = FIRST_LOOKS,
    ) -> list[float]:
        """Angles inside the limits with the tip at a target, or as near as corrections bring it.

        Joints past a limit are put on it and stay there. The others move as little as possible to
        bring the tip there. The first `count` coordinates of the target are met [m]. Joints are
        looked at `most` times at most.
        """
        found, kept = list(angles), set[int]()
        best, least, before = found, math.inf, math.inf
        for look in range(1, most + 1):
            for index, limit in enumerate(limits):
                inside = nearest_in(found[index], limit)
                if inside in limit:
                    found[index] = inside
                    kept.add(index)
            placed = self.placed(found)
            miss = list(map(sub, target, placed.tip))[:count]
            away = math.hypot(*miss)
            if away < least:
                best, least = [*found], away
            free = [index for index in range(len(found)) if index not in kept]
            is_last = look == most or (look >= FIRST_LOOKS and away > before / 2.0)
            if not free or is_last or least <= MET:
                break
            before = away
            step = self._step_towards(placed, free, np.array(miss))
            for index, change in zip(free, step.tolist()):
                found[index] += change
        return best

    def _step_towards(self, placed: Placed, free: Sequence[int], miss: Matrix) -> Matrix:
        """How the free joints have to move to bring the tip to its target; to first order [rad].

        To first order, links in line do not move the tip along themselves: they are bent by the
        largest step, and the corrections that follow halve the bend.
        """
        ways = np.array([placed.moves[index][: len(miss)] for index in free]).T
        found, _, rank, _ = np.linalg.lstsq(ways, miss, rcond=STUCK)
        step: Matrix = found * min(1.0, LARGEST_STEP / max(np.abs(found).max(), LARGEST_STEP))
        if rank < min(ways.shape) and np.linalg.norm(miss - ways @ step) > CLOSES:
            step = step + LARGEST_STEP * np.linalg.svd(ways)[2][rank]
        return step

    def short_of(self, angles: Sequence[float], target: Point3) -> float:
        """How much longer the link after the last joint would have to be, so that the tip comes
        nearest to a target [m]."""
        placed = self.placed(angles)
        link = across(placed.axes[-1], map(sub, placed.tip, placed.points[-1]))
        short = math.fsum(map(mul, map(sub, target, placed.tip), link))
        return short / math.hypot(*link)

    # --- poses ---

    def rotation(self, angles: Sequence[float]) -> Rows:
        """How the tip is turned against where it was measured (3x3).

        A product of quaternions takes a sixth of the time of one of matrices in numpy.
        """
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

        The first `count` coordinates of the position are met. If there are too few joints for a
        whole pose, the position counts first. Whatever the joints can do without moving the tip
        turns it as near as possible to the wanted `rotation` (3x3). Joints past a limit are put on
        it and stay there.
        """
        found, kept, largest = list(angles), set[int](), math.inf
        for last in reversed(range(MOST_LOOKS)):
            for index, limit in enumerate(limits):
                inside = nearest_in(found[index], limit)
                if inside in limit and index not in kept:
                    largest = math.inf if inside != found[index] else largest
                    found[index] = inside
                    kept.add(index)
            free = [index for index in range(len(found)) if index not in kept]
            if not (free and last) or largest <= ROUNDING_STEP:
                break
            step = self.placed(found).step_to(target, rotation, free, count)
            largest = max(map(abs, step))
            share = min(1.0, LARGEST_STEP / max(largest, LARGEST_STEP))
            for index, change in zip(free, step):
                found[index] += share * change
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
        """How the joints have to move to bring the tip to a target, and to turn it [rad].

        `joint` does not turn, but makes the link after it longer; see `Placed.with_slide`.
        """
        placed = self.placed(angles).with_slide(joint, longer)
        step = placed.step_to(target, rotation, range(len(angles)), count)
        share = min(1.0, LARGEST_STEP / max(max(map(abs, step)), LARGEST_STEP))
        return [share * change for change in step]

    def placed(self, angles: Sequence[float]) -> Placed:
        """The joints and the tip, each where the joints before it bring it."""
        rotation, point, before = UNTURNED, NO_VECTOR, NO_VECTOR
        axes, points = [], []
        for hinge, angle in zip(self.hinges, angles):
            point = together(point, product(rotation, map(sub, hinge.point, before)))
            axes.append(product(rotation, hinge.axis))
            points.append(point)
            rotation, before = hinge.turned_after(rotation, angle), hinge.point
        tip = together(point, product(rotation, map(sub, self.measured, before)))
        moves = [cross(axis, map(sub, tip, at)) for axis, at in zip(axes, points)]
        return Placed(axes, points, moves, tip, rotation)
