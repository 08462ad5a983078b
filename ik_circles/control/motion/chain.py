# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A chain of revolute joints, and bounds on how its tip moves that hold at all joint positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.geometry.rigid import Rows

#: Axes that lean by less than this count as parallel [1, a sine]: their turns add up, with signs.
#: The error of a bound is then at most this share of the bound.
PARALLEL = 1e-3


class Chain:
    """Joints from the base to the tip, in one order.

    Parameters
    ----------
    axes : array_like, shape (joints, 3)
        Directions of the axes, at joint positions of your choice.
    places : array_like, shape (joints, 3)
        A point on each axis, at the same joint positions [m].
    tip : sequence of three floats
        The tip, at the same joint positions [m].

    Raises
    ------
    InvalidArmError, InvalidSettingError, NotFiniteError
        If the numbers do not describe a chain.
    """

    @names_wrong_kinds
    def __init__(self, axes: Rows, places: Rows, tip: Sequence[float]) -> None:
        directions, points = checks.points('axes', axes, 3), checks.points('places', places, 3)
        end = np.array(checks.vector('the tip', tip, 3))
        sizes = np.linalg.norm(directions, axis=1)
        if len(points) != len(directions) or not (sizes > 0.0).all():
            raise InvalidArmError(
                f'{len(directions)} axes and {len(points)} places given, the shortest axis of '
                f'length {min(sizes, default=0.0):.3g}; give one of each for each joint'
            )
        directions = directions / sizes[:, None]
        self._lengths = _lengths(directions, points, end)
        self._signs = _signs(directions)

    @names_wrong_kinds
    def moved(self, changes: Floats) -> Floats:
        """Upper bounds on how far the tip moves [m] if joints turn by angles (N, joints) [rad]."""
        found: Floats = self._lengths @ self._turns(changes)
        return found

    @names_wrong_kinds
    def bend(self, chords: Floats) -> Floats:
        """Upper bounds on the tip's second derivative [m] if joints turn evenly (N, joints) [rad].

        The second derivative of a link r, by its turns about two axes z and z', is z x (z' x r). It
        is no longer than r. Joints with parallel axes turn the link by the sum of their turns.
        """
        found: Floats = self._lengths @ self._turns(chords) ** 2
        return found

    def _turns(self, changes: Floats) -> Floats:
        """By how much all groups of parallel joints turn each link, (links, N) [rad]."""
        rows = checks.points('turns', changes, self._signs.shape[1])
        found: Floats = np.abs(rows @ self._signs).sum(axis=2)
        return found


def _lengths(axes: Floats, places: Floats, tip: Floats) -> Floats:
    """The lengths of links between points on the axes, which are chosen near each other [m]."""
    here = places[1] if len(places) > 1 else tip
    points = []
    for axis, place in zip(axes, places):
        here = place + axis * (axis @ (here - place))
        points.append(here)
    found: Floats = np.linalg.norm(np.diff([*points, tip], axis=0), axis=1)
    return found


def _signs(axes: Floats) -> Floats:
    """Signs (links, joints, groups) with which joints of a parallel group add up to the turn of a
    link."""
    count = len(axes)
    signs, group, sign = np.zeros((count, count, count)), 0, 1.0
    before = axes[[0, *range(count - 1)]]
    sines = np.linalg.norm(np.cross(before, axes), axis=1)
    for joint in range(count):
        if sines[joint] < PARALLEL:
            sign *= np.sign(before[joint] @ axes[joint])
        else:
            group, sign = joint, 1.0
        signs[joint:, joint, group] = sign
    return signs
