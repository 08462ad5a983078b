# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where do the yaw joint and the elbow come to their limits while the elbow is folded?

Links 1 and 2 are equally long here, and the position is as far from joint 1 as link 3 is long. So
whatever joint 1 does, the third joint keeps the tip next to the position, and the yaw joint keeps
the position in the plane. Because axes lean, the yaw joint moves a little with joint 1. If the
elbow is on a limit, the tip misses the position along link 3. See `FoldedElbow` for where these
errors vanish.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ik_circles.geometry.angles import CONTINUOUS, Limits, ends, wrap
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.bounds import Bounds
from ik_circles.spatial.true_axes.folded_elbow import FoldedElbow, JointHeld, Vanishing
from ik_circles.spatial.true_axes.hinges import HingeChain


@dataclass(frozen=True, eq=False)
class FoldedCorners:
    """Finds the angles of a chain with the tip at a `target` [m], next to `yaw` and `phi` in the
    plane of the parallel axes [rad]."""

    bounds: Bounds
    chain: HingeChain
    limits: Sequence[Limits]
    target: Point3
    yaw: float
    phi: float

    def angles(self) -> Iterator[JointPositions]:
        """Angles of the three joints that have the yaw joint or the elbow on a limit [rad]."""
        yaw, elbow = self.bounds.plane.yaw, self.limits[-2]
        if yaw:
            for end in self._next_to(self.yaw, yaw.limits):
                yield from self._where(math.pi, partial(_yaw_from, end))
        for end in self._next_to(math.pi, elbow):
            yield from self._where(end, _along)

    def _where(self, elbow: float, left: Vanishing) -> Iterator[JointPositions]:
        for one in FoldedElbow(self.bounds, self.limits, partial(self._hold, elbow)).where(left):
            *_, q1, q2, q3 = one.angles
            yield q1, q2, q3

    def _next_to(self, angle: float, limits: Limits) -> list[float]:
        """Limits that the lean may put an angle next to [rad]."""
        return [end for end in ends(limits) if self.bounds.explains(wrap(angle - end))]

    def _hold(self, elbow: float, angle: float, _: int) -> JointHeld:
        """What the other joints do with joint 1 and the elbow held at angles [rad]."""
        first = [] if self.bounds.plane.yaw is None else [self.yaw]
        start = [*first, angle, elbow, self.phi - angle - elbow]
        held = [*(CONTINUOUS for _ in first), (angle, angle), (elbow, elbow), CONTINUOUS]
        found = self.chain.corrected(start, held, self.target, self.bounds.plane.count)
        along = self.chain.short_of(found, self.target)
        return JointHeld(found, along, abs(along), self.phi)


def _yaw_from(end: float, held: JointHeld) -> float:
    return wrap(held.angles[0] - end)


def _along(held: JointHeld) -> float:
    return held.along
