# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The Z-form: three links, with the middle link crossing the line from base to target.

Source: "Inverse kinematics" with the Z-form (the third of the project's sources, 001). The crossing
cuts the middle link at the share k of its length, and the line from base to target at the share x
of the distance. Both triangles have the same angle at the crossing. That gives a cubic for x.

Added here: the source starts Newton's method at x = 0.5, which can leave the interval or find the
root of another shape. Here the cubic is solved in closed form and every root is tested. So every Z
is found, for each k in [0, 1]. Flat shapes and links without length are solved separately. The
mirrored Z is an answer, too. Joint limits are kept. The reach has a closed form (`z_reach`).

Let u = x D, v = (1 - x) D, a = k L2, b = (1 - k) L2. The law of cosines for both triangles,
`(u^2 + a^2 - L1^2) / (2 u a) = (v^2 + b^2 - L3^2) / (2 v b)`, divided by L2, becomes
`u v (u - k D) = (1 - k) S1 v - k S3 u` with `S1 = L1^2 - a^2` and `S3 = L3^2 - b^2`. This is the
source's E(x) = 0, without the cancellation of squares of lengths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.polynomials import cubic_roots
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.z_limits import put_inside

#: How far rounding may move a double root of the cubic, as a share of the reach: about the square
#: root of TOLERANCE.
ROOT_ROOM = 3e-7


class ZShape(NamedTuple):
    """A Z in the frame of the line from base to target.

    Attributes
    ----------
    crossing : float
        x, the share of the distance at which the middle link crosses the line, 0 to 1.
    angle : float
        Angle from the line to the middle link [rad], 0 to pi; negative for the mirrored Z.
    """

    crossing: float
    angle: float

    @property
    def flat(self) -> bool:
        """Whether the whole arm lies on the line, so that the Z is its own mirror image."""
        return self.angle in (0.0, math.pi)


class _Cut(NamedTuple):
    """Lengths in units of the reach, with the middle link cut into two parts.

    `beyond` is the distance to the target minus the length of the middle link.
    """

    length_1: float
    part_1: float
    part_2: float
    length_3: float
    distance: float
    beyond: float

    @classmethod
    def of(cls, lengths: Sequence[float], distance: float, k: float) -> _Cut:
        reach = sum(lengths)
        length_1, length_2, length_3 = (length / reach for length in lengths)
        parts = k * length_2, (1.0 - k) * length_2
        beyond = (distance - lengths[1]) / reach
        return cls(length_1, *parts, length_3, distance / reach, beyond)

    def from_target(self) -> _Cut:
        """The same as seen from the target: the outer links swap, and so do the parts."""
        return self._replace(
            length_1=self.length_3, part_1=self.part_2, part_2=self.part_1, length_3=self.length_1
        )  # fmt: skip

    def miss(self, along: float, angle: float) -> float:
        """By how much an outer link is too long or too short for this crossing."""
        cos, sin = math.cos(angle), math.sin(angle)
        rest = self.distance - along
        return max(
            abs(math.hypot(along - self.part_1 * cos, self.part_1 * sin) - self.length_1),
            abs(math.hypot(rest - self.part_2 * cos, self.part_2 * sin) - self.length_3),
        )

    def fits(self, along: float, angle: float) -> bool:
        """Whether this crossing makes a Z, but for rounding."""
        return self.miss(along, angle) <= TOLERANCE


def z_shapes(lengths: Sequence[float], distance: float, k: float) -> list[ZShape]:
    """Every Z of three links over a distance, ascending by the crossing.

    There is at most one if `lengths[0] >= k lengths[1]` and `lengths[2] >= (1 - k) lengths[1]`;
    otherwise up to three. If the target is on the base, the crossing is there, and x is 0.

    Parameters
    ----------
    lengths : sequence of three floats
        Lengths of the links [m], each at least 0, not all 0.
    distance : float
        Distance from base to target [m], at least 0.
    k : float
        Share of the middle link at which it crosses the line, 0 to 1.

    Returns
    -------
    list of ZShape
        The shapes; [] if there is none.

    Raises
    ------
    NotFiniteError
        A number is NaN or infinite.
    InvalidArmError
        A length or the distance is negative, or there are not three lengths.
    InvalidSettingError
        k is outside of its range.
    """
    links = checked_z_lengths(lengths)
    k = checks.share('k', k)
    span = checks.number('distance', distance)
    if span < 0.0:
        raise InvalidArmError(f'distance is {span} m; it must be at least 0')
    return _shapes(links, span, k)


def solve_z_form(solver: PoseSolver, x: float, y: float, k: float) -> list[JointPositions]:
    """Every joint triple inside the limits that puts the tip at a point in the Z-form.

    A family of triples may form the same Z: with links without length, with an outer link as long
    as the distance at k = 0 or 1, or with a target on the base. Then one member is returned, as
    near to zero as the limits allow.

    Parameters
    ----------
    solver : PoseSolver
        The arm's solver: `arm.solver`.
    x, y : float
        Position of the tip [m].
    k : float
        Share of the middle link at which it crosses the line to the target, 0 to 1.

    Returns
    -------
    list of joint positions
        (q1, q2, q3) [rad]; [] if there is none. The crossings ascend from the base. For each one,
        the Z with link 1 on the left of the line to the target comes first, then its mirror image.

    Raises
    ------
    NotFiniteError
        A number is NaN or infinite.
    InvalidSettingError
        k is outside of its range.
    """
    x, y = checks.number('x', x), checks.number('y', y)
    k = checks.share('k', k)
    distance, direction = math.hypot(x, y), math.atan2(y, x)
    found: list[JointPositions] = []
    for shape in _shapes(solver.model.link_lengths, distance, k):
        angles = _joint_angles(solver.model.link_lengths[1], shape, distance, k)
        mirrored = tuple(-angle for angle in angles)
        for q1, q2, q3 in (angles,) if shape.flat else (mirrored, angles):
            found += [
                q
                for q in put_inside(solver, (direction + q1, q2, q3), (x, y), k)
                if q not in found
            ]
    return found


def checked_z_lengths(lengths: Sequence[float]) -> tuple[float, float, float]:
    """Three lengths [m]. Raises NotFiniteError, InvalidArmError."""
    length_1, length_2, length_3 = checks.link_lengths('link_lengths', lengths, 3)
    return length_1, length_2, length_3


def _shapes(lengths: Sequence[float], distance: float, k: float) -> list[ZShape]:
    reach = sum(lengths)
    if distance > reach * (1.0 + TOLERANCE):
        return []
    cut = _Cut.of(lengths, distance, k)
    found = _flat_shapes(cut)
    if cut.distance > TOLERANCE and cut.part_1 + cut.part_2 > TOLERANCE:
        for along in _crossings(cut):
            shape = _shape_at(cut, min(max(along, 0.0), cut.distance))
            if shape is not None and not any(_same(cut, shape, other) for other in found):
                found.append(shape)
    scale = max(cut.distance, TOLERANCE)
    return [ZShape(along / scale, angle) for along, angle in sorted(found)]


def _flat_shapes(cut: _Cut) -> list[tuple[float, float]]:
    """Crossings and angles of the shapes with all links on the line."""
    found: list[tuple[float, float]] = []
    for angle, part_1 in ((0.0, cut.part_1), (math.pi, -cut.part_1)):
        for length_1 in (cut.length_1, -cut.length_1):
            one = min(max(length_1 + part_1, 0.0), cut.distance), angle
            if cut.fits(*one) and not any(_same(cut, one, other) for other in found):
                found.append(one)
    return found


def _crossings(cut: _Cut) -> list[float]:
    """The positions along the line at which the cubic has roots.

    Each one is computed from the nearer end of the line. If both outer links are short, it is
    computed from the crossing of a middle link that lies on the line.
    """
    if 2.0 * cut.length_1 < cut.part_1 and 2.0 * cut.length_3 < cut.part_2:
        return _crossings_of_short_links(cut)
    distance, k = cut.distance, cut.part_1 / (cut.part_1 + cut.part_2)
    square_1 = (cut.length_1 - cut.part_1) * (cut.length_1 + cut.part_1)
    square_3 = (cut.length_3 - cut.part_2) * (cut.length_3 + cut.part_2)
    rest_1, rest_3 = (1.0 - k) * square_1, k * square_3
    half = distance / 2.0 + ROOT_ROOM
    linear = k * distance * distance - rest_1 - rest_3
    from_base = cubic_roots(-(1.0 + k) * distance, linear, rest_1 * distance)
    linear = (1.0 - k) * distance * distance - rest_1 - rest_3
    from_target = cubic_roots((k - 2.0) * distance, linear, rest_3 * distance)
    return [u for u in from_base if -ROOT_ROOM <= u <= half] + [
        distance - v for v in from_target if -ROOT_ROOM <= v <= half
    ]


def _crossings_of_short_links(cut: _Cut) -> list[float]:
    """The same roots, by w = u - a or v - b, which is as small as the shorter outer link.

    So no digits are lost. Both cosines are subtracted from 1, which gives
    `(L1^2 - w^2) v b = (L3^2 - (d - w)^2) u a` with d = D - L2.
    """
    if cut.length_3 < cut.length_1:
        return [cut.distance - v for v in _crossings_of_short_links(cut.from_target())]
    part_1, part_2, beyond = cut.part_1, cut.part_2, cut.beyond
    share_1, share_2 = part_1 / (part_1 + part_2), part_2 / (part_1 + part_2)
    rest_1 = share_2 * cut.length_1 * cut.length_1
    rest_3 = share_1 * (cut.length_3 - beyond) * (cut.length_3 + beyond)
    roots = cubic_roots(
        part_1 - part_2 - (1.0 + share_1) * beyond,
        -rest_1 - rest_3 - 2.0 * share_1 * part_1 * beyond,
        (part_2 + beyond) * rest_1 - part_1 * rest_3,
    )
    return [part_1 + w for w in roots]


def _shape_at(cut: _Cut, along: float) -> tuple[float, float] | None:
    """A crossing and its angle, from the triangle less affected by rounding; None if it is no Z."""
    angles = (
        _angle_at_crossing(along, cut.part_1, cut.length_1),
        _angle_at_crossing(cut.distance - along, cut.part_2, cut.length_3),
    )
    angle = min(angles, key=lambda one: cut.miss(along, one))
    return (along, angle) if cut.fits(along, angle) else None


def _angle_at_crossing(along: float, part: float, outer: float) -> float:
    """Angle between two sides of a triangle [rad]; flat if the third side is too long or short."""
    near = max(0.0, (outer - along + part) * (outer + along - part))
    far = max(0.0, (along + part - outer) * (along + part + outer))
    return 2.0 * math.atan2(math.sqrt(near), math.sqrt(far))


def _same(cut: _Cut, one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two shapes are the same: at a double root, there is also a Z halfway between them."""
    return cut.fits((one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0)


def _joint_angles(length_2: float, shape: ZShape, distance: float, k: float) -> JointPositions:
    """Joint angles of a Z with the target in direction +x [rad]."""
    along, cos, sin = shape.crossing * distance, math.cos(shape.angle), math.sin(shape.angle)
    if shape.flat:
        sin = 0.0
    part_1, part_2 = k * length_2, (1.0 - k) * length_2
    first = math.atan2(-part_1 * sin, along - part_1 * cos)
    last = math.atan2(-part_2 * sin, distance - along - part_2 * cos)
    return first, shape.angle - first, last - shape.angle
