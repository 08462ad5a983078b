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
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.families import family_member
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.aiming import Aimed, Aiming, Sought
from ik_circles.spatial.true_axes.bounds import CLOSES

#: Up to this many times the slack, the closed form cannot tell joint 1 from the place of the wrist.
HARDLY_TOLD = 100.0
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
#: How many times the elbow is bent, and the tool turned, with joint 1 held: each leaves the lean's
#: share of an error. For the coefficients, fewer are enough.
BENDS, FEWER_BENDS = 4, 2


class JointHeld(NamedTuple):
    """Joint 1 held at an angle: what that leaves `along` link 1 [m]."""

    aimed: Aimed
    along: float


#: What joint 1 is held with, and what of that has to vanish.
HoldingJoint1 = Callable[[float], JointHeld]
Vanishing = Callable[[JointHeld], float]


@dataclass(frozen=True, eq=False)
class FoldedElbow:
    """Finds the angles with a folded elbow."""

    aiming: Aiming

    def is_at(self, wrist: Point, outwards: float) -> bool:
        """Whether the closed form cannot tell joint 1 from where parallel axes have the wrist in
        the plane, with the tip so far outwards of the yaw axis [m]."""
        bounds = self.aiming.bounds
        length_1, length_2, _ = bounds.planar.link_lengths
        near = HARDLY_TOLD * bounds.plane.slack + bounds.at(outwards)
        return abs(length_1 - length_2) <= near and math.hypot(*wrist) <= near

    def aims(self, sought: Sought, side: float) -> Iterator[Sequence[Aimed]]:
        """Angles that put the tip where it is sought, at one side of the yaw axis, whatever the
        limits. Of each sequence, the first ones inside the limits count: where joint 1 is free,
        those nearest to what is sought near come first."""
        near = self.aiming.bounds.planar.home if sought.near is None else sought.near
        held = partial(self._held, sought, side)
        some = [held(angle, FEWER_BENDS) for angle in ANGLES.tolist()]
        members = [held(angle) for angle in self._members(sought.phi, near)]
        if max(abs(one.along) for one in some) > CLOSES:
            found = [*_where(lambda one: one.along, some, held), *members]
            yield from ([one.aimed] for one in found if abs(one.along) <= CLOSES)
            return
        ended = chain.from_iterable(_where(end, some, held) for end in self._ends(some[0].aimed))
        some = sorted([*members, *ended], key=lambda one: abs(wrap(one.aimed.q[0] - near[0])))
        yield [one.aimed for one in some]

    def _members(self, phi: float, near: JointPositions) -> Iterator[float]:
        """Joint 1 of exact axes next to other angles, with the limits as they are, and opened by as
        much as the lean may ask for [rad]."""
        bounds = self.aiming.bounds
        for planar in (bounds.planar, bounds.opened):
            found = family_member(planar, ORIGIN, phi, near, CLOSURE)
            if found is not None:
                yield found[0]

    def _ends(self, one: Aimed) -> Iterator[Vanishing]:
        """How far the yaw joint and the elbow, which the lean moves a little, are from limits."""
        bounds = self.aiming.bounds
        joints: list[tuple[Limits, Callable[[JointHeld], float]]] = [
            (bounds.planar.limits[1], lambda held: held.aimed.q[1])
        ]
        if bounds.plane.yaw:
            joints.append((bounds.plane.yaw.limits, lambda held: held.aimed.yaw))
        for limits, angle in joints:
            for end in ends(limits):
                if abs(wrap(angle(JointHeld(one, 0.0)) - end)) <= bounds.room:
                    yield partial(_from, angle, end)

    def _held(self, sought: Sought, side: float, angle: float, bends: int = BENDS) -> JointHeld:
        """What is left with joint 1 at an angle [rad]."""
        aiming, (_, length_2, _) = self.aiming, self.aiming.bounds.planar.link_lengths
        target, phi, bend, yaw = aiming.target_of(sought), sought.phi, 0.0, 0.0
        cosine, sine = math.cos(angle), math.sin(angle)
        along = across = 0.0
        q = angle, math.pi, phi - angle - math.pi
        for _ in range(bends + 1):
            bend -= across / (length_2 * math.cos(bend))
            q = angle, math.pi + bend, phi - angle - math.pi - bend
            seen = aiming.look(q, target, side)
            x, y = aiming.in_plane(seen.target[0] - seen.tip[0], seen.target[1] - seen.tip[1])
            along, across = cosine * x + sine * y, cosine * y - sine * x
            yaw, phi = seen.yaw, aiming.turned_as(sought, seen.yaw, q)
        return JointHeld(Aimed(yaw, q, phi, 0.0, math.hypot(along, across)), along)


def _from(angle: Callable[[JointHeld], float], end: float, held: JointHeld) -> float:
    """How far a joint is from one end of its range [rad]."""
    return wrap(angle(held) - end)


def _where(left: Vanishing, some: Sequence[JointHeld], held: HoldingJoint1) -> Iterator[JointHeld]:
    """Where something vanishes that is known with joint 1 at `ANGLES`."""
    values = np.array([*map(left, some)])
    coefficients = np.exp(-1j * np.outer(POWERS, ANGLES)) @ values / ANGLES.size
    slopes = 1j * POWERS * coefficients
    roots = np.roots(coefficients).astype(complex)
    roots = np.log(roots[roots != 0.0])
    roots = roots[np.abs(roots.real) <= DIRECTED]
    for angle in (roots.imag + roots.real).tolist():
        one, step = held(angle), 0.0
        for _ in range(CORRECTIONS):
            slope = float((slopes @ np.exp(1j * POWERS * angle)).real)
            step = left(one) / slope if slope else math.inf
            step = min(max(step, -LARGEST_STEP), LARGEST_STEP)
            angle -= step
            one = held(angle)
        yield one._replace(aimed=one.aimed._replace(off=abs(step)))
