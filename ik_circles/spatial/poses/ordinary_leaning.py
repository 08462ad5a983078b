# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Ordinary poses of an arm whose axes lean: how far the lean may move its joints, and the
correction of what exact axes give.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np

from ik_circles.geometry.angles import Angles
from ik_circles.geometry.rigid import Point3, rows_product
from ik_circles.planar.model import LARGE_ROUNDING
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.true_axes.bounds import CLOSES
from ik_circles.spatial.true_axes.hinges import HingeChain
from ik_circles.spatial.true_axes.pose_rows import PoseRows
from ik_circles.spatial.wrist import Sight, Wrist

#: The last link turns by less than this many times the lean, plus the angle of the slack as seen
#: from the yaw axis: the yaw joint follows both shoulder and distance [1].
TURNS = 2.0
#: Corrections settle if no joint moves by more than this share of the root of the error [1]. If a
#: joint moves more, the arm is next to a singular place.
OF_ROOT = 0.25
#: They settle if the square of the sine of the elbow is at least this many times the error of the
#: third joint [link lengths]: the elbow's bend then hardly changes.
BENT = 8.0


class LeaningPoses:
    """The figures of an arm whose axes lean, and their correction.

    The joints of an ordinary pose move by no more than `loose`, and are inside their limits or past
    them by more than `window` [rad].
    """

    def __init__(self, carrier: SpatialArm, wrist: Wrist, hinges: HingeChain, lean: float) -> None:
        planar, plane, at_zero = carrier.planar, carrier.plane, carrier.tool.at_zero
        length_1, length_2, self._length_3 = planar.link_lengths
        self._turned, self._slack = TURNS * lean, TURNS * plane.slack
        error = self._turned + self._slack / planar.max_reach
        self.window = max(LARGE_ROUNDING, math.sqrt(error))
        self.loose, self._has_yaw = OF_ROOT * math.sqrt(error), plane.yaw is not None
        self._error, self._shorter = error, min(length_1, length_2)
        self._square = (2.0 * length_1 * length_2) ** 2
        self._plane, self._rows = plane, PoseRows(hinges, plane.count)
        axes = plane.pose[:3, :3]
        # `before @ sight @ after` is the rotation of the chain, as in `WholeArm.from_zero`.
        self._before = (axes.T @ wrist.before.T).tolist()
        self._after = (wrist.after.T @ at_zero.T @ axes).tolist()

    def leans(self, outwards: float) -> float:
        """How far the last link may be turned at most [rad], with the wrist center this far
        outwards from the yaw axis [m]."""
        return self._turned + self._slack / outwards if self._has_yaw else self._error

    def flat(self, rounded: float) -> float:
        """With the elbow next to straight or folded, (2 L1 L2 sin q2)^2 is no more than this [m^4];
        the last link may be turned by some angle [rad]."""
        error = (self._length_3 * rounded + self._slack) / self._shorter
        return self._square * max(BENT * error, (TURNS * error / self.window) ** 2)

    def corrected(
        self, found: Sequence[Sequence[Angles]], poses: Sequence[tuple[Point3, Sight]], tilt: float
    ) -> list[list[list[float]] | None]:
        """The solutions next to those of exact axes, of several poses; see `OrdinaryPoses`.

        For a pose, the result is None if one of its solutions does not follow at once.
        """
        starts, counts = [*chain.from_iterable(found)], [*map(len, found)]
        if not starts:
            return [[] for _ in found]
        targets = np.array([self._plane.into(point) for point, _ in poses])
        turns = np.array([rows_product(self._before, sight, self._after) for _, sight in poses])
        asked = targets.repeat(counts, 0), turns.repeat(counts, 0)
        angles, moved, away, settled = self._rows.corrected(np.array(starts), *asked)
        allowed = CLOSES + min(tilt, self._turned)
        sure = (settled & (moved <= self.loose) & (away <= allowed)).tolist()
        each, ends = angles.tolist(), accumulate(counts)
        parts = [slice(end - count, end) for end, count in zip(ends, counts)]
        return [each[part] if all(sure[part]) else None for part in parts]
