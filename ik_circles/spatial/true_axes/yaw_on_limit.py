# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientations with which an arm with leaning axes reaches a point while its yaw joint is held.

The yaw joint is held on a limit, where both shoulders meet, or where it is. The orientations are
the roots of a polynomial; docs/derivation.md, section 13, derives it.
"""

import cmath
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.rigid import Point3
from ik_circles.spatial.true_axes.hinges import HingeChain

#: A root this far from the unit circle may still stand for a direction [1]: a lean of up to 1e-4
#: moves a double root by its square root, and a triple one by its cube root.
BESIDE_CIRCLE = 0.3
#: Coefficients of a polynomial, the highest power first.
Polynomial = NDArray[np.complex128]
#: An equation `Re(a / u + b / w + c u / w) = d` for the directions u and w of links 1 and 2.
Equation = tuple[complex, complex, complex, float]


def place_at(chain: HingeChain, yaw: float, target: Point3) -> Point3:
    """Where a target is for the three joints, with the yaw joint at an angle [rad, m]."""
    return chain.hinges[0].moved(-yaw, target)  # the joints were measured with the yaw angle at 0


def orientations_at(chain: HingeChain, yaw: float, target: Point3) -> Iterator[float]:
    """The orientations in the plane with the tip at a target and the yaw joint at an angle [rad].

    They are exact to first order in the lean. Superfluous orientations may come, too.
    """
    three, place = chain.hinges[1:], place_at(chain, yaw, target)
    link_1, joint_3, tip = (  # the first of the three joints is at the origin
        complex(x, y) for x, y, _ in (*(hinge.point for hinge in three[1:]), chain.measured)
    )
    link_2, link_3 = joint_3 - link_1, tip - joint_3
    if link_3 == 0.0:
        return
    way = complex(*place[:2])
    lean_1, lean_2, lean_3 = (complex(*hinge.axis[:2]).conjugate() for hinge in three)
    first, second = lean_1 - lean_2, lean_2 - lean_3
    still = lean_2 * link_1 + lean_3 * (link_3 + link_2) - lean_1 * way
    beside = (
        first * way, second * way, -second * link_1, place[2] - chain.measured[2] - still.real
    )  # fmt: skip
    squares = sum(abs(one) ** 2 for one in (way, link_1, link_2)) - abs(link_3) ** 2
    back_1, back_2 = link_1.conjugate(), link_2.conjugate()
    closes = way * back_1, way * back_2, -link_1 * back_2, squares / 2.0
    for u, w in _directions(beside, closes):
        forearm = (way - link_1 * u) / w - link_2
        yield wrap(cmath.phase(w) + cmath.phase(forearm / link_3) + sum(h.angle for h in three))


def _directions(one: Equation, other: Equation) -> Iterator[tuple[complex, complex]]:
    """What solves both equations; solutions with real angles have length 1.

    Multiplied by u w, each equation is a quadratic in w. Their resultant is a polynomial in u. Both
    roots of the second quadratic are taken: if only one joint leans, the first quadratic does not
    tell them apart.
    """
    (a, b, c), (d, e, f) = _quadratic(one), _quadratic(other)
    outer = np.polysub(np.convolve(a, f), np.convolve(d, c))
    upper = np.polysub(np.convolve(a, e), np.convolve(d, b))
    lower = np.polysub(np.convolve(b, f), np.convolve(e, c))
    resultant: Polynomial = np.polysub(np.convolve(outer, outer), np.convolve(upper, lower))
    for u in map(complex, np.roots(resultant)):
        if abs(abs(u) - 1.0) <= BESIDE_CIRCLE:
            for w in map(complex, np.roots([np.polyval(its, u) for its in (d, e, f)])):
                if abs(abs(w) - 1.0) <= BESIDE_CIRCLE:
                    yield u, w


def _quadratic(equation: Equation) -> tuple[Polynomial, Polynomial, Polynomial]:
    """The coefficients of a quadratic in w, polynomials in u, scaled to a size of 1."""
    *factors, right = equation
    size = max(map(abs, equation)) or 1.0
    a, b, c = (factor / size for factor in factors)
    right /= size
    return (
        np.array([b.conjugate(), c.conjugate()]),
        np.array([a.conjugate(), -2.0 * right, a]),
        np.array([c, b, 0.0]),
    )
