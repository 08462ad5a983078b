# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the other joints do for a full pose, with joint 1 held and the elbow folded; see
`FoldedElbow`.

Link 1 may become longer instead of turning. Then, joints and pose determine each other again, and
steps as those of `HingeChain.posed` find how much longer it has to be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import Limits
from ik_circles.geometry.rigid import Point3, Rows
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.bounds import Bounds
from ik_circles.spatial.true_axes.folded_elbow import FoldedElbow, JointHeld
from ik_circles.spatial.true_axes.hinges import HingeChain


class AskedOfChain(NamedTuple):
    """A pose in the axes of the plane: the tip at `target` [m], turned by `rotation` (3x3).

    Of the target, the first coordinates are met, as many as `coordinates` says.
    """

    target: Point3
    rotation: Rows
    coordinates: int


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
        """Angles that take the pose, next to those that exact axes ask for, but for joint 1 and
        what the others of the three do for it; see `FoldedElbow.picked` [rad]."""
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
        """Angles that take the pose with joint 1 where it is, and what link 1 is longer for it [m].
        """
        length, _, _ = self.bounds.planar.link_lengths
        found, longer = list(start), 0.0
        for _ in range(count):
            step = self.chain.step_with_slide(found, first, longer, *self.asked)
            longer += step[first]
            found = [q + change for q, change in zip(found, step)]
            found[first] = start[first]
        return found, longer * length
