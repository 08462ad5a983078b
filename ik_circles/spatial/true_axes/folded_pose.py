# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""With joint 1 held and the elbow folded, which angles of the other joints give a full pose?

Link 1 is allowed to become longer instead of turning. Then joints and pose determine each other
again, and steps like those of `HingeChain.posed` find how much longer it has to be. See
`FoldedElbow`.

Next to a singular wrist, they do not: another joint is nearly free. Then the orientation of the
last link is held as well, at two values. What is left of the pose is a length and an angle, which
change in proportion with that orientation. Both vanish at once where their determinant does. It is
a polynomial only if the length is along link 1 in the plane, in a unit that joint 1 leaves alone.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import sub

import numpy as np

from ik_circles.geometry.angles import Limits
from ik_circles.geometry.rigid import Point3, cross
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.both_sides import BothSides, Parabola
from ik_circles.spatial.true_axes.bounds import CLOSES, Bounds
from ik_circles.spatial.true_axes.folded_elbow import FEWER_BENDS, FoldedElbow, JointHeld
from ik_circles.spatial.true_axes.hinges import HingeChain
from ik_circles.spatial.true_axes.placed_joints import Placed, across
from ik_circles.spatial.true_axes.two_free import CLOSER, AskedOfChain, LeftOver, held

#: The last link is held where it is, and turned by this [rad].
TURNED = 1e-3
#: It is turned by no more than this many times as much to where correction starts [1].
FARTHEST = 300.0
#: Where shoulders meet and two members are close together, corrections also start from angles that
#: miss by up to this [m].
NEARLY = 1e-6
#: Smallest square that is divided by [1].
LEAST_CHANGE = 1e-300


@dataclass(frozen=True, eq=False)
class FoldedPose:
    """Finds angles of a chain with a wrist; `bounds` are those of the arm that carries it."""

    bounds: Bounds
    chain: HingeChain
    limits: Sequence[Limits]
    asked: AskedOfChain

    def picked(
        self, angles: Sequence[float], near: JointPositions, is_loose: bool, turn: float = 0.0
    ) -> Iterator[list[list[float]]]:
        """Angles that take the pose [rad]; see `FoldedElbow.picked`.

        They are next to those of exact axes, except for joint 1 and the two joints that follow it,
        and for the last link and the last joint if the wrist `is_loose`. If the shoulders meet at
        the angles, the lean may `turn` the yaw joint to either side of that [rad].
        """
        first = int(self.bounds.plane.yaw is not None)
        phi = sum(angles[first : first + 3])

        def hold(angle: float, bends: int) -> JointHeld:
            three = angle, np.pi, phi - angle - np.pi
            start = [*angles[:first], *three, *angles[first + 3 :]]
            if turn and not is_loose:
                return self._on_both_sides(start, turn, bends, phi)
            hold_others = self._turned if is_loose else self._lengthened
            found, along, times = hold_others(start, first, bends)
            return JointHeld(found, along, abs(along) / times, phi)

        nearly = NEARLY if turn and not is_loose else CLOSES
        for some in FoldedElbow(self.bounds, self.limits, hold, nearly).picked(phi, near):
            yield [[*one.angles] for one in some]

    def _lengthened(
        self, start: Sequence[float], first: int, count: int
    ) -> tuple[list[float], float, float]:
        """Angles that take the pose with joint 1 where it is [rad], and by how much longer link 1
        is [m], once."""
        length, _, _ = self.bounds.planar.link_lengths
        found, longer = list(start), 0.0
        for _ in range(count):
            step = self.chain.step_with_slide(found, first, longer, *self.asked)
            longer += step[first]
            found = [q + change for q, change in zip(found, step)]
            found[first] = start[first]
        return found, longer * length, 1.0

    def _on_both_sides(
        self, start: Sequence[float], turn: float, count: int, phi: float
    ) -> JointHeld:
        """With the yaw joint held, too: it is turned to where the least is left of the pose, along
        link 1 and out of the plane. The shoulders meet at the start; see `BothSides`."""
        ways = np.eye(2, len(start))
        reach = self.bounds.planar.max_reach

        def at(way: float, count: int = FEWER_BENDS) -> LeftOver:
            angles = np.array(start)
            angles[0] += way * turn
            placed, lacked = self.chain.placed(angles.tolist()), np.zeros((6, 2))
            lacked[:3, 0], lacked[:3, 1] = _along_link_1(placed, 1), placed.axes[1]
            return held(self.chain, self.asked, LeftOver(angles, np.zeros(2)), ways, lacked, count)

        def around(middle: float, step: float) -> BothSides:
            errors = [at(middle + way * step).left * reach for way in (-1.0, 0.0, 1.0)]
            return BothSides(*map(Parabola.of, np.array(errors).T.tolist()))

        sides = around(0.0, 1.0)
        way = sides.best
        for step in (CLOSER, CLOSER * CLOSER) if count > FEWER_BENDS else ():
            way += step * around(way, step).best
        best = at(way, count)
        miss = float(np.linalg.norm(best.left)) * reach
        return JointHeld(best.angles.tolist(), sides.product, miss, phi)

    def _turned(
        self, start: Sequence[float], first: int, count: int
    ) -> tuple[list[float], float, float]:
        """`_lengthened` with the last link held, too: it is turned to where the least is left of
        the pose. The determinant takes the place of how much longer link 1 is; it is as many times
        as large as what is left changes with a turn."""
        one, other = (
            self._with_last_link_at(start, first, turn, count) for turn in (0.0, TURNED)
        )
        change = other.left - one.left
        square = max(float(change @ change), LEAST_CHANGE)
        share = -float(one.left @ change) / square
        share = min(max(share, -FARTHEST), FARTHEST)
        determinant = float(one.left[0] * change[1] - one.left[1] * change[0]) / TURNED
        found: list[float] = (one.angles + share * (other.angles - one.angles)).tolist()
        return found, determinant * self.bounds.planar.max_reach, math.sqrt(square) / TURNED

    def _with_last_link_at(
        self, start: Sequence[float], first: int, turn: float, count: int
    ) -> LeftOver:
        """The others with joint 1 where it is, and the last link turned by an angle [rad]."""
        angles, ways = np.array(start), np.zeros((2, len(start)))
        angles[first + 2] += turn
        ways[0, first] = ways[1, first : first + 3] = 1.0
        placed = self.chain.placed(angles.tolist())
        lacked, moved = np.zeros((self.asked.coordinates + 3, 2)), self.asked.coordinates
        lacked[:moved, 0] = _along_link_1(placed, first)[:moved]
        lacked[moved:, 1] = cross(placed.axes[-1], placed.axes[-2])
        return held(self.chain, self.asked, LeftOver(angles, np.zeros(2)), ways, lacked, count)


def _along_link_1(placed: Placed, first: int) -> Point3:
    """The direction of link 1, with the number of its joint in the chain."""
    link = across(placed.axes[first], map(sub, placed.points[first + 1], placed.points[first]))
    length = math.hypot(*link)
    x, y, z = link
    return x / length, y / length, z / length
