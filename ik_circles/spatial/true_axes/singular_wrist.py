# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientations in the plane with which leaning axes take a pose next to a singular wrist.

Exact axes take it with a family of them. Axes that lean pick some members: the roots of a
polynomial, derived in docs/derivation.md, section 14.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.rigid import Matrix, Point3, Rows
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain

#: One number for each direction of link 3.
Numbers = NDArray[np.complex128]

#: The polynomial is of twice this degree without a yaw joint, and with one.
DEGREES = 3, 5
#: Values at so many directions are more than enough for its coefficients.
DIRECTIONS = 16
#: The first of them: somewhere, so that joint 3 is not on joint 1 [rad].
SOMEWHERE = 0.145
#: Roots whose logarithm is this near to imaginary count as directions [1]. Where two are next to
#: each other, what is not of first order may have them leave the circle; they are so far apart on
#: it, too, or less.
DIRECTED = 0.2
#: An elbow that leaves less than this share of what the other does is the one of a root [1].
CLEARLY = 0.25


def orientations_of(
    chain: HingeChain, yaw: float, target: Point3, turn: Rows
) -> Iterator[tuple[float, list[int]]]:
    """The orientations in the plane with the tip at a target [m] and turned as wanted (3x3), with
    two wrist joints, the last axis next to the plane's normal, and the yaw joint next to an angle
    [rad]; each with its elbows: 0 up, 1 down.

    They are exact to first order in how far axes lean, and the last one from the normal.
    Superfluous ones may come, too.
    """
    condition, degree = _condition(chain, yaw, target, turn), DEGREES[len(chain.hinges) > 5]
    powers = np.arange(degree, -degree - 1, -1)
    some = np.exp(1j * (SOMEWHERE + 2.0 * np.pi / DIRECTIONS * np.arange(DIRECTIONS)))
    with np.errstate(all='ignore'):
        coefficients = some ** -powers[:, np.newaxis] @ condition.of_both_elbows(some)
    if not np.isfinite(coefficients).all():
        return  # a link without a length, or joint 3 on joint 1 whatever the orientation
    roots = np.roots(coefficients).astype(complex)
    roots = np.log(roots[roots != 0.0])
    roots = roots[np.abs(roots.real) <= DIRECTED]
    angles = roots.imag + roots.real
    (bend, one), (_, other) = condition.of_elbows(np.exp(1j * angles))
    at_zero = sum(hinge.angle for hinge in chain.hinges[-5:-2])
    for angle, is_down, a, b in zip(angles.tolist(), bend.imag > 0.0, np.abs(one), np.abs(other)):
        left = {int(is_down): a, int(not is_down): b}
        yield angle + at_zero, [elbow for elbow in left if CLEARLY * left[elbow] <= min(a, b)]


class _Condition(NamedTuple):
    """What has to vanish, to first order, with links 1 to 3 turned by directions u, w and s.

    Complex numbers stand for places and directions in the plane. `way` leads from joint 1 to the
    wrist center, and `across` is the first wrist axis. `leans` are the conjugates of how joints 1
    and 2, and 2 and 3, lean against each other. The others are coefficients; see `_condition`.
    """

    way: complex
    link_1: complex
    link_2: complex
    link_3: complex
    across: complex
    leans: tuple[complex, complex]
    still: float
    sight: complex
    upright: float
    beside: float
    along: complex

    def of_both_elbows(self, s: Numbers) -> Numbers:
        """The product of what both elbows leave, times what it has for poles: powers of s."""
        (_, one), (_, other) = self.of_elbows(s)
        wrist, mirrored = self._wrist(s)
        return wrist * mirrored * one * other

    def of_elbows(self, s: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
        """Link 2 as link 1 sees it, to a factor, and what is left, for both elbows."""
        wrist, mirrored = self._wrist(s)
        product, square = wrist * mirrored, abs(self.link_1) ** 2
        middle = product + square - abs(self.link_2) ** 2
        bend = np.sqrt(middle * middle - 4.0 * square * product)
        for side in (bend, -bend):
            first = (middle + side) / (2.0 * mirrored)
            second = wrist - first
            left = self._left(first / self.link_1, second / self.link_2, s)
            yield second * first.conj(), left

    def _wrist(self, s: Numbers) -> tuple[Numbers, Numbers]:
        """Joint 3 as joint 1 sees it, and the conjugate of that, continued."""
        mirrored = self.way.conjugate() - self.link_3.conjugate() / s
        return self.way - self.link_3 * s, mirrored

    def _left(self, u: Numbers, w: Numbers, s: Numbers) -> Numbers:
        """What the directions leave of it."""
        (first, second), way, across = self.leans, self.way, self.across
        off = _real(first * way, 1.0 / u) + _real(second * way, 1.0 / w)
        off -= _real(second * self.link_1, u / w)
        leaning = _real(first * across, s / u) + _real(second * across, s / w)
        rest = self.still + _real(self.sight, s) + self.upright * leaning
        return rest - (self.beside - off) * _real(self.along, s)


def _condition(chain: HingeChain, yaw: float, target: Point3, turn: Rows) -> _Condition:
    """The first wrist axis has its angle with the last one, which the pose puts in its place.

    The yaw joint turns by as much as brings the wrist center to where that has it.
    """
    *before, joint_1, joint_2, joint_3, first, last = chain.hinges
    center, on_last, cosine = _nearest_points(first, last)
    place = target + np.array(turn) @ (on_last - chain.measured)
    axis, outwards, along = np.array(turn) @ last.axis, 1.0, 0j
    for joint in before:  # a yaw joint, turned back
        back = 2.0 * joint.angle - yaw
        x, y, z = place.tolist()
        place = np.array(joint.moved(back, (x, y, z)))
        x, y, z = axis.tolist()
        axis = np.array(joint.turned(back, (x, y, z)))
        outwards = float(np.cross(joint.axis, place - joint.point)[2])
        along = _flat(np.cross(joint.axis, axis)).conjugate()
    lean_1, lean_2, lean_3 = (_flat(one.axis).conjugate() for one in (joint_1, joint_2, joint_3))
    start, elbow, third = (_flat(one.point) for one in (joint_1, joint_2, joint_3))
    link_1, link_2, link_3 = elbow - start, third - elbow, _flat(center) - third
    way, across, upright = _flat(place) - start, _flat(first.axis), outwards * float(axis[2])
    off = lean_2 * link_1 + lean_3 * (link_2 + link_3) - lean_1 * way
    return _Condition(
        way, link_1, link_2, link_3, across, (lean_1 - lean_2, lean_2 - lean_3),
        still=upright * (first.axis[2] + (lean_3 * across).real) - outwards * cosine,
        sight=(outwards * _flat(axis).conjugate() - upright * lean_1) * across,
        upright=upright,
        beside=float(place[2] - center[2]) - off.real,
        along=along * across,
    )  # fmt: skip


def _nearest_points(one: Hinge, other: Hinge) -> tuple[Matrix, Matrix, float]:
    """The points of two axes that are nearest to each other [m], and the cosine of their angle."""
    axis, its = np.array(one.axis), np.array(other.axis)
    between, cosine = np.subtract(other.point, one.point), float(axis @ its)
    along, back = axis @ between, its @ between
    squared = 1.0 - cosine * cosine
    return (
        one.point + (along - cosine * back) / squared * axis,
        other.point + (cosine * along - back) / squared * its,
        cosine,
    )


def _flat(vector: Point3 | Matrix) -> complex:
    """The complex number that stands for a vector in the plane."""
    return complex(vector[0], vector[1])


def _real(factor: complex, direction: Numbers) -> Numbers:
    """The real part of a product, continued to directions whose size is not 1."""
    return (factor * direction + factor.conjugate() / direction) / 2.0
