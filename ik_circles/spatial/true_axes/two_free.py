# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses in which two joints are nearly free at once: which angles do leaning axes leave them?

Hold the two joints, or two motions of several joints. The other joints then have two ways too few:
something is left of the pose in two directions. Both parts have to vanish, and they change smoothly
with what is held. So a few values of them tell where they vanish.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.rigid import Matrix, Point3, Rows
from ik_circles.spatial.true_axes.hinges import HingeChain

#: Numbers of steps that both motions are moved by: enough for all terms of the second order.
BOTH_MOVED = np.array([(one, other) for one in (-1, 0, 1) for other in (-1, 0, 1)], dtype=float)
#: The motions are mixed by this (2x2), because solutions often share one of the singular ones.
ASKEW = np.array([(math.cos(1.0), math.sin(1.0)), (-math.sin(1.0), math.cos(1.0))])
#: The size of such a step [rad]. The solutions are about as near to each other.
STEP = 0.03
#: Around a solution, steps that are smaller by this find another one that is much nearer [1].
CLOSER = 0.1
#: Solutions farther away than this many steps do not count: terms of higher order matter there [1].
FARTHEST_STEPS = 20.0
#: Smallest size that a conic is divided by [1]: nothing may be left anywhere.
LEAST_SIZE = 1e-300
#: How many times the other joints are corrected for each value.
REPEATS_HELD = 3


class AskedOfChain(NamedTuple):
    """A pose in the axes of the plane: the tip at `target` [m], turned by `rotation` (3x3).

    The first `coordinates` coordinates of the target are met.
    """

    target: Point3
    rotation: Rows
    coordinates: int


class LeftOver(NamedTuple):
    """The `angles` of a chain with two motions held [rad], and what is `left` of the pose in the
    two directions that the other motions lack, as shares of all links' length and in radians."""

    angles: Matrix
    left: Matrix


def held(
    chain: HingeChain,
    asked: AskedOfChain,
    start: LeftOver,
    ways: Matrix,
    lacked: Matrix,
    count: int,
) -> LeftOver:
    """Takes the pose as well as possible, with all motions except the two `ways` (2, joints).

    The angles begin at those of `start`, and are corrected `count` times. The two directions that
    these motions lack are the first two columns of `lacked`.
    """
    found, left, size = start.angles, start.left, len(start.angles)
    nothing = np.zeros((2, lacked.shape[1]))
    for _ in range(count):
        columns, wanted = chain.placed(found.tolist()).all_to(*asked)
        bordered = np.block([[columns, lacked], [ways, nothing]])
        still = ways @ (start.angles - found)
        try:
            step = np.linalg.solve(bordered, np.concatenate((wanted, still)))
        except np.linalg.LinAlgError:
            break  # a third motion does nothing, either
        found, left = found + step[:size], step[size : size + 2]
    return LeftOver(found, left)


def next_to_double(
    chain: HingeChain, asked: AskedOfChain, angles: Sequence[float]
) -> Iterator[list[float]]:
    """The angles that take a pose next to some angles from which two motions do nothing [rad].

    Up to the second order, they are where two conics meet.
    """
    columns, _ = chain.placed(angles).all_to(*asked)
    left, _, right = np.linalg.svd(columns)
    ways, lacked = ASKEW @ right[-2:], left[:, len(angles) - 2 :]

    def moved(middle: Matrix, size: float, steps: Matrix) -> LeftOver:
        start = LeftOver(middle + size * steps @ ways, steps)
        return held(chain, asked, start, ways, lacked, REPEATS_HELD)

    def around(middle: Matrix, size: float) -> Iterator[tuple[Matrix, Matrix]]:
        left_over = np.array([moved(middle, size, steps).left for steps in BOTH_MOVED])
        sizes = np.maximum(np.abs(left_over).max(axis=0), LEAST_SIZE)
        conics = np.linalg.lstsq(_terms(BOTH_MOVED), left_over, rcond=None)[0]
        for root in _where_both_vanish(conics / sizes):
            yield root, moved(middle, size, root).angles

    for root, found in around(np.array(angles), STEP):
        yield found.tolist()
        if np.abs(root).max() <= 1.0:
            yield from (other.tolist() for _, other in around(found, CLOSER * STEP))


def _terms(steps: Matrix) -> Matrix:
    """The terms of a conic, in columns."""
    one, other = steps.T
    return np.stack((one * one, one * other, other * other, one, other, one**0), axis=-1)


def _where_both_vanish(conics: Matrix) -> Iterator[Matrix]:
    """Where two conics meet, in columns. A solution that is slightly off the real numbers stands
    for a real point beside it: terms of higher order may have moved it."""
    (a, b, c), (d, e, f) = (
        (np.array([yy]), np.array([xy, y]), np.array([xx, x, rest]))
        for xx, xy, yy, x, y, rest in conics.T
    )
    outer: Matrix = np.polysub(np.convolve(a, f), np.convolve(c, d))
    upper: Matrix = np.polysub(np.convolve(a, e), np.convolve(b, d))
    lower: Matrix = np.polysub(np.convolve(b, f), np.convolve(c, e))
    resultant: Matrix = np.polysub(np.convolve(outer, outer), np.convolve(upper, lower))
    for one in map(complex, np.roots(resultant)):
        slope = complex(np.polyval(upper, one))
        other = -complex(np.polyval(outer, one)) / slope if slope else 0j
        found = np.array((one.real + one.imag, other.real + other.imag))
        if np.abs(found).max() <= FARTHEST_STEPS:
            yield found
