# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which members of a family leaning axes pick, for a singular wrist or a center on the yaw axis.

Exact axes take such a pose with a whole family of angles. Leaning axes take it with only some of
them. These are the roots of a polynomial; docs/derivation.md, section 14, derives it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.polynomials import directions_of_roots
from ik_circles.geometry.rigid import Matrix, Point3, Rows, cross
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain

#: One number for each direction of link 3.
Numbers = NDArray[np.complex128]

#: A chain of no more joints has no yaw joint.
FIXED = 5
#: Half of the polynomial's degree: without a yaw joint; with one; and with the wrist center next to
#: its axis, or to the circle where the shoulders meet.
DEGREES = 3, 5, 10
#: Values at this many directions are more than enough for its coefficients.
DIRECTIONS = 24
#: The first of these directions. Any will do that does not put joint 3 on joint 1 [rad].
SOMEWHERE = 0.145
#: Where the yaw joint would turn by more than this, the plane is at its other shoulder [rad].
SAME_SIDE = 0.1
#: A root belongs to the elbow whose error is less than this share of the other one's [1].
CLEARLY = 0.25


class Picked(NamedTuple):
    """What leaning axes pick: the last link at `phi` in the plane, the yaw joint `turned` farther
    [rad], and the elbow, which is 0 for up and 1 for down."""

    phi: float
    turned: float
    elbow: int


def picked_of(
    chain: HingeChain,
    yaw: float,
    target: Point3,
    rotation: Rows,
    most: float,
    is_near: bool,
) -> Iterator[Picked]:
    """The members that take the tip to a target [m], turned as wanted (3x3), with two wrist joints.

    The last axis is near the plane's normal, and the yaw joint near an angle [rad]. If the wrist
    center `is_near` the yaw axis, or near the circle where its shoulders meet, the yaw joint turns
    by up to `most`, a quarter turn, from the angle that puts the last axis there. Everything is
    exact to first order in these small differences and in the leans. Superfluous members may come,
    too.
    """
    condition = _condition(chain, yaw, target, rotation, is_near)
    degree = DEGREES[(1 + is_near) * (len(chain.hinges) > FIXED)]
    powers = np.arange(degree, -degree - 1, -1)
    some = np.exp(1j * (SOMEWHERE + 2.0 * np.pi / DIRECTIONS * np.arange(DIRECTIONS)))
    with np.errstate(all='ignore'):
        coefficients = some ** -powers[:, np.newaxis] @ condition.of_both_elbows(some)
    if not np.isfinite(coefficients).all():
        return  # a link without a length, or joint 3 on joint 1 whatever the orientation
    angles = directions_of_roots(coefficients)
    (bend, one), (_, other) = condition.of_elbows(np.exp(1j * angles))
    at_zero = sum(hinge.angle for hinge in chain.hinges[-5:-2])
    least = np.minimum(np.abs(one.size), np.abs(other.size))
    down = bend.imag > 0.0
    for is_down, left in zip((down, ~down), (one, other)):
        turned = left.turned
        counts = (np.abs(turned) <= most) & (CLEARLY * np.abs(left.size) <= least)
        for angle, more, elbow in zip(angles[counts], turned[counts], is_down[counts]):
            yield Picked(float(angle) + at_zero, float(more), int(elbow))


class _Left(NamedTuple):
    """The errors with one elbow: how far the wrist axes are `off` their angle, how far the wrist
    center is `beside` the plane [m], and how far a quarter turn of it moves the axes `along`.

    A turn by an angle t brings the center closer to the plane by
    `outwards * sin(t) - sagging * (1 - cos(t))` [m].
    """

    off: Numbers
    beside: Numbers
    along: Numbers
    outwards: Numbers
    sagging: float
    is_near: bool

    @property
    def size(self) -> Numbers:
        """The error that has to vanish."""
        off, beside, along, outwards, sagging, is_near = self
        if not along.any():  # there is no yaw joint
            return off
        if not is_near:  # squared, its roots would be double, and known to the root of rounding
            return outwards * off - beside * along
        square = (outwards * outwards + sagging * sagging) * off * off
        both = 2.0 * outwards * (beside + sagging) * off * along
        return square - both + beside * (beside + 2.0 * sagging) * along * along

    @property
    def turned(self) -> NDArray[np.float64]:
        """How far the plane turns to correct that, at most a quarter turn [rad]."""
        off, along = self.off, self.along
        if along.any() and not self.is_near:
            off, along = self.beside, self.outwards
        sines = (off / np.where(along, along, 1.0)).real
        turned: NDArray[np.float64] = np.arcsin(sines.clip(-1.0, 1.0))
        return turned if along.any() else np.zeros(turned.size)


class _Condition(NamedTuple):
    """What has to vanish, to first order, with links 1 to 3 turned by directions u, w and s.

    Complex numbers stand for places and directions in the plane. `way` leads from joint 1 to the
    wrist center, and `across` is the first wrist axis. `leans` are the conjugates of how joints 1
    and 2, and 2 and 3, lean against each other, and `axis` is that of the last axis, which misses
    the first one by `missing` [m]. The others are coefficients; see `_condition` and `_Left`.
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
    outwards: float
    sagging: float
    axis: complex
    missing: float
    is_near: bool

    def of_both_elbows(self, s: Numbers) -> Numbers:
        """The product of the errors of both elbows, times powers of s that cancel its poles."""
        (_, one), (_, other) = self.of_elbows(s)
        wrist, mirrored = self._wrist(s)
        poles = wrist * mirrored
        poles = poles * poles if self.along and self.is_near else poles
        return poles * one.size * other.size

    def of_elbows(self, s: Numbers) -> Iterator[tuple[Numbers, _Left]]:
        """For both elbows, link 2 as link 1 sees it, up to a factor, and the error."""
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

    def _left(self, u: Numbers, w: Numbers, s: Numbers) -> _Left:
        """The error with these directions."""
        (first, second), way, across = self.leans, self.way, self.across
        off = _real(first * way, 1.0 / u) + _real(second * way, 1.0 / w)
        off -= _real(second * self.link_1, u / w)
        leaning = _real(first * across, s / u) + _real(second * across, s / w)
        rest = self.still + _real(self.sight, s) + self.upright * leaning
        # The wrist axes miss each other. The plane carries the first one.
        beside = self.beside - off - _real(1j * self.missing * self.axis * across, s)
        outwards = self.outwards - _real(1j * self.missing * self.along, s)
        return _Left(rest, beside, _real(self.along, s), outwards, self.sagging, self.is_near)


def _condition(
    chain: HingeChain, yaw: float, target: Point3, rotation: Rows, is_near: bool
) -> _Condition:
    """The condition: the first wrist axis must be at its angle to the last one, which the pose
    gives.

    The yaw joint turns until the wrist center is where the last axis needs it.
    """
    *before, joint_1, joint_2, joint_3, first, last = chain.hinges
    center, on_last, cosine = _nearest_points(first, last)
    missing = float(np.dot(cross(first.axis, last.axis), on_last - center))
    place = target + np.array(rotation) @ (on_last - chain.measured)
    axis, outwards, sagging, along = np.array(rotation) @ last.axis, 0.0, 0.0, 0j
    for joint in before:  # a yaw joint, turned back
        back = 2.0 * joint.angle - yaw
        x, y, z = place.tolist()
        place = np.array(joint.moved(back, (x, y, z)))
        x, y, z = axis.tolist()
        axis = np.array(joint.turned(back, (x, y, z)))
        moved = cross(joint.axis, (place - joint.point).tolist())
        outwards, sagging = moved[2], cross(joint.axis, moved)[2]
        along = _flat(cross(joint.axis, axis.tolist())).conjugate()
    lean_1, lean_2, lean_3 = (_flat(one.axis).conjugate() for one in (joint_1, joint_2, joint_3))
    start, elbow, third = (_flat(one.point) for one in (joint_1, joint_2, joint_3))
    link_1, link_2, link_3 = elbow - start, third - elbow, _flat(center) - third
    way, across, upright = _flat(place) - start, _flat(first.axis), float(axis[2])
    off = lean_2 * link_1 + lean_3 * (link_2 + link_3) - lean_1 * way
    return _Condition(
        way, link_1, link_2, link_3, across, (lean_1 - lean_2, lean_2 - lean_3),
        still=upright * (first.axis[2] + (lean_3 * across).real) - cosine,
        sight=(_flat(axis).conjugate() - upright * lean_1) * across,
        upright=upright,
        beside=float(place[2] - center[2]) - off.real,
        along=along * across,
        outwards=outwards,
        sagging=sagging,
        axis=_flat(axis).conjugate(),
        missing=missing,
        is_near=is_near,
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
