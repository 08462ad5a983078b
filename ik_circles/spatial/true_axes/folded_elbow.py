# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An elbow that is folded, with links 1 and 2 equally long: the wrist is on the first joint.

Exactly parallel axes leave joint 1 free there. With axes that lean, the wrist is a little beside
its place, and joint 1 determines by how much. The elbow can correct the part of this error that is
across link 1. The part along link 1 has to vanish: it is a trigonometric polynomial of joint 1, of
a low degree.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import Limits, ends, wrap
from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.polynomials import directions_of_roots
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.families import family_member
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.bounds import CLOSES, Bounds

#: The degree of the polynomial. 3 would do, but not where the elbow is not quite folded, or where
#: the plane is next to the yaw axis.
DEGREE = 6
#: The powers of the polynomial.
POWERS = np.arange(DEGREE, -DEGREE - 1, -1)
#: Values at these angles of joint 1 are more than enough for its coefficients [rad].
ANGLES = 2.0 * np.pi / 16.0 * np.arange(16)
#: A root is corrected this many times. Each time leaves the lean's share of its error.
CORRECTIONS = 4
#: No correction moves a root by more than this [rad].
LARGEST_STEP = 0.1
#: How many times the other joints are corrected with joint 1 held. Each correction multiplies the
#: error by the lean. Fewer are enough for the coefficients.
BENDS, FEWER_BENDS = 4, 2


class JointHeld(NamedTuple):
    """Joint 1 held at an angle: the `angles` of the chain [rad], and how far they `miss` [m].

    They miss by an error `along` link 1 [m], or that is a polynomial which vanishes with the error.
    The tool should be at `phi` in the plane, and the angles may still be `off` by a little [rad].
    """

    angles: Sequence[float]
    along: float
    miss: float
    phi: float
    off: float = 0.0

    @property
    def closes(self) -> bool:
        """Whether the error is no more than that of a solution."""
        return self.miss <= CLOSES


#: Holds joint 1 at an angle [rad], and corrects the other joints this many times.
HoldingJoint1 = Callable[[float, int], JointHeld]
#: The error that has to vanish.
Vanishing = Callable[[JointHeld], float]


@dataclass(frozen=True, eq=False)
class FoldedElbow:
    """Finds the angles with a folded elbow: `hold` gives those of the others with joint 1 held.

    `limits` are those of the chain's joints [rad]. Angles that miss by up to `nearly` [m] are given
    as well: for corrections to start there.
    """

    bounds: Bounds
    limits: Sequence[Limits]
    hold: HoldingJoint1
    nearly: float = CLOSES

    def picked(self, phi: float, near: JointPositions) -> Iterator[Sequence[JointHeld]]:
        """Angles without an error along link 1, with the last link at `phi`, whatever the limits.

        The first angles of each sequence that are inside the limits count. Where joint 1 is free,
        the sequence begins with those that have the three joints nearest to `near` [rad].
        """
        some = self._some
        members = [self.hold(angle, BENDS) for angle in self._members(phi, near)]
        if not all(one.closes for one in some):
            found = [*self._where(lambda one: one.along, some), *members]
            yield from ([one] for one in found if one.miss <= self.nearly)
            return
        ended = chain.from_iterable(self._where(end, some) for end in self._ends(some[0]))
        away = partial(_from, self._first, near[0])
        yield sorted([*members, *ended], key=lambda one: abs(away(one)))

    def where(self, left: Vanishing) -> Iterator[JointHeld]:
        """The angles at which an error vanishes, whatever the limits."""
        return self._where(left, self._some)

    @property
    def _some(self) -> list[JointHeld]:
        return [self.hold(angle, FEWER_BENDS) for angle in ANGLES.tolist()]

    def _members(self, phi: float, near: JointPositions) -> Iterator[float]:
        """Joint 1 of exact axes next to other angles, inside the limits, and inside limits that are
        wider by as much as the lean may need; also with joint 1 or 3 on a limit [rad]."""
        for planar in (self.bounds.planar, self.bounds.opened):
            found = family_member(planar, ORIGIN, phi, near, CLOSURE)
            if found is not None:
                yield found[0]
        first, _, third = self.bounds.planar.limits
        yield from ends(first)
        yield from (phi - math.pi - end for end in ends(third))

    def _ends(self, one: JointHeld) -> Iterator[Vanishing]:
        """How far joints that the lean moves a little are from limits; joints 1 and 3 move far."""
        for joint, limits in enumerate(self.limits):
            if joint not in (self._first, self._first + 2):
                for end in ends(limits):
                    if self.bounds.explains(_from(joint, end, one)):
                        yield partial(_from, joint, end)

    def _where(self, left: Vanishing, some: Sequence[JointHeld]) -> Iterator[JointHeld]:
        """Where an error vanishes whose values with joint 1 at `ANGLES` are known."""
        values = np.array([*map(left, some)])
        coefficients = np.exp(-1j * np.outer(POWERS, ANGLES)) @ values / ANGLES.size
        slopes = 1j * POWERS * coefficients
        for angle in directions_of_roots(coefficients).tolist():
            one, step = self.hold(angle, BENDS), 0.0
            for _ in range(CORRECTIONS):
                slope = float((slopes @ np.exp(1j * POWERS * angle)).real)
                step = left(one) / slope if slope else math.inf
                step = min(max(step, -LARGEST_STEP), LARGEST_STEP)
                angle -= step
                one = self.hold(angle, BENDS)
            yield one._replace(off=abs(step))

    @property
    def _first(self) -> int:
        """The number of joint 1 in the chain."""
        return int(self.bounds.plane.yaw is not None)


def _from(joint: int, angle: float, held: JointHeld) -> float:
    """How far a joint of the chain is from an angle [rad]."""
    return wrap(held.angles[joint] - angle)
