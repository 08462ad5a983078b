# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An elbow that is folded, with links 1 and 2 equally long: the wrist is on the first joint.

Exactly parallel axes leave joint 1 free there. Those that lean have the wrist a little beside the
place where it is wanted, by what depends on joint 1. The elbow can bring it across link 1 only. So
what is left along link 1 has to vanish: a trigonometric polynomial of joint 1, of a low degree.
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
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.families import family_member
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.bounds import CLOSES, Bounds

#: The degree of the polynomial: it is 3, and more where the elbow is not quite folded, or the plane
#: is next to the yaw axis.
DEGREE = 6
#: Its powers.
POWERS = np.arange(DEGREE, -DEGREE - 1, -1)
#: Values at these angles of joint 1 are more than enough for its coefficients [rad].
ANGLES = 2.0 * np.pi / 16.0 * np.arange(16)
#: Roots whose logarithm is this near to imaginary count as directions [1].
DIRECTED = 0.2
#: A root is corrected this many times. Each time leaves the lean's share of its error.
CORRECTIONS = 4
#: No correction moves it by more than this [rad].
LARGEST_STEP = 0.1
#: How many times the other joints are corrected with joint 1 held: each leaves the lean's share of
#: an error. For the coefficients, fewer are enough.
BENDS, FEWER_BENDS = 4, 2


class JointHeld(NamedTuple):
    """Joint 1 held at an angle: the `angles` of the chain [rad], and what they leave `along` link 1
    [m].

    The tool is to be at `phi` in the plane, and the angles may still be `off` by some [rad].
    """

    angles: Sequence[float]
    along: float
    phi: float
    off: float = 0.0


#: Holds joint 1 at an angle [rad], and corrects the others some times.
HoldingJoint1 = Callable[[float, int], JointHeld]
#: What has to vanish.
Vanishing = Callable[[JointHeld], float]


@dataclass(frozen=True, eq=False)
class FoldedElbow:
    """Finds the angles with a folded elbow: `hold` decides what the others do with joint 1 held.

    `limits` are those of the chain's joints [rad].
    """

    bounds: Bounds
    limits: Sequence[Limits]
    hold: HoldingJoint1

    def picked(self, phi: float, near: JointPositions) -> Iterator[Sequence[JointHeld]]:
        """Angles that leave nothing along link 1, with the last link at `phi`, whatever the limits.

        Of each sequence, the first ones inside the limits count: where joint 1 is free, those with
        the three joints nearest to `near` come first [rad].
        """
        some = self._some
        members = [self.hold(angle, BENDS) for angle in self._members(phi, near)]
        if max(abs(one.along) for one in some) > CLOSES:
            found = [*self._where(lambda one: one.along, some), *members]
            yield from ([one] for one in found if abs(one.along) <= CLOSES)
            return
        ended = chain.from_iterable(self._where(end, some) for end in self._ends(some[0]))
        away = partial(_from, self._first, near[0])
        yield sorted([*members, *ended], key=lambda one: abs(away(one)))

    def where(self, left: Vanishing) -> Iterator[JointHeld]:
        """Where something vanishes, whatever the limits."""
        return self._where(left, self._some)

    @property
    def _some(self) -> list[JointHeld]:
        return [self.hold(angle, FEWER_BENDS) for angle in ANGLES.tolist()]

    def _members(self, phi: float, near: JointPositions) -> Iterator[float]:
        """Joint 1 of exact axes next to other angles, with the limits as they are, and opened by as
        much as the lean may ask for [rad]."""
        for planar in (self.bounds.planar, self.bounds.opened):
            found = family_member(planar, ORIGIN, phi, near, CLOSURE)
            if found is not None:
                yield found[0]

    def _ends(self, one: JointHeld) -> Iterator[Vanishing]:
        """How far joints that the lean moves a little are from limits; joints 1 and 3 move far."""
        for joint, limits in enumerate(self.limits):
            if joint not in (self._first, self._first + 2):
                for end in ends(limits):
                    if abs(_from(joint, end, one)) <= self.bounds.room:
                        yield partial(_from, joint, end)

    def _where(self, left: Vanishing, some: Sequence[JointHeld]) -> Iterator[JointHeld]:
        """Where something vanishes that is known with joint 1 at `ANGLES`."""
        values = np.array([*map(left, some)])
        coefficients = np.exp(-1j * np.outer(POWERS, ANGLES)) @ values / ANGLES.size
        slopes = 1j * POWERS * coefficients
        roots = np.roots(coefficients).astype(complex)
        roots = np.log(roots[roots != 0.0])
        roots = roots[np.abs(roots.real) <= DIRECTED]
        for angle in (roots.imag + roots.real).tolist():
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
        """Joint 1 in the chain."""
        return int(self.bounds.plane.yaw is not None)


def _from(joint: int, angle: float, held: JointHeld) -> float:
    """How far a joint of the chain is from an angle [rad]."""
    return wrap(held.angles[joint] - angle)
