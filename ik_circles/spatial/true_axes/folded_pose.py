# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""With joint 1 held and the elbow folded, which angles of the other joints give a full pose?

Link 1 is allowed to become longer instead of turning. Then joints and pose determine each other
again, and steps like those of `HingeChain.posed` find how much longer it has to be. See
`FoldedElbow`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ik_circles.geometry.angles import Limits
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.bounds import Bounds
from ik_circles.spatial.true_axes.folded_elbow import FoldedElbow, JointHeld
from ik_circles.spatial.true_axes.hinges import HingeChain
from ik_circles.spatial.true_axes.two_free import AskedOfChain


@dataclass(frozen=True, eq=False)
class FoldedPose:
    """Finds angles of a chain with a wrist; `bounds` are those of the arm that carries it."""

    bounds: Bounds
    chain: HingeChain
    limits: Sequence[Limits]
    asked: AskedOfChain

    def picked(
        self, angles: Sequence[float], near: JointPositions
    ) -> Iterator[list[list[float]]]:
        """Angles that take the pose [rad]; see `FoldedElbow.picked`.

        They are next to those of exact axes, except for joint 1 and the two joints that follow it.
        """
        first = int(self.bounds.plane.yaw is not None)
        phi = sum(angles[first : first + 3])

        def hold(angle: float, bends: int) -> JointHeld:
            three = angle, np.pi, phi - angle - np.pi
            start = [*angles[:first], *three, *angles[first + 3 :]]
            found, along = self._lengthened(start, first, bends)
            return JointHeld(found, along, phi)

        for some in FoldedElbow(self.bounds, self.limits, hold).picked(phi, near):
            yield [[*one.angles] for one in some]

    def _lengthened(
        self, start: Sequence[float], first: int, count: int
    ) -> tuple[list[float], float]:
        """Angles that take the pose with joint 1 where it is [rad], and by how much longer link 1
        is [m]."""
        length, _, _ = self.bounds.planar.link_lengths
        found, longer = list(start), 0.0
        for _ in range(count):
            step = self.chain.step_with_slide(found, first, longer, *self.asked)
            longer += step[first]
            found = [q + change for q, change in zip(found, step)]
            found[first] = start[first]
        return found, longer * length
