# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Verdicts on many points in space at once: crossing numbers in the plane, for each shoulder.

Rows that rounding or the lean of the axes makes doubtful go through the code for one target, which
gives their codes and margins. Derived in docs/derivation.md, section 12.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.planar.batch.crossings import NEXT_TO_OUTLINE, Verdicts
from ik_circles.planar.batch.questions import Batch, in_chunks
from ik_circles.reasons import Code
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE, SpatialArm
from ik_circles.spatial.batch.places import Places, Side
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import Question, Wanted
from ik_circles.spatial.true_axes.at_position import NEARBY
from ik_circles.spatial.true_axes.bounds import Bounds
from ik_circles.spatial.yaw import Yaw

#: The sides of the two shoulders, see `Places.side`.
FACING, BACKWARDS = 1.0, -1.0


class SpatialReachabilityBatch:
    """Answers for N points in space; the nearest poses are computed when they are asked for.

    Attributes
    ----------
    code : array of shape (N,)
        Reason codes, see `Code`.
    margin : array of shape (N,)
        Signed distances to the boundary of what the arm reaches [m]. If the plane passes beside the
        yaw axis, or if axes lean, it is a certified bound: all points nearer than that get the same
        answer.
    """

    def __init__(self, code: Floats, margin: Floats, nearest: Callable[[], Floats]) -> None:
        self.code: NDArray[np.uint8] = code.astype(np.uint8)
        self.margin = margin
        self._find_nearest = nearest

    def __repr__(self) -> str:
        found = int(self.reachable.sum())
        return f'{type(self).__name__}({found} of {len(self.code)} targets can be reached)'

    @property
    def reachable(self) -> Bools:
        """Whether the arm can take each point, shape (N,)."""
        return np.asarray(self.code == Code.OK)

    @cached_property
    def nearest(self) -> Floats:
        """Nearest poses `(x, y, z, phi, yaw)`, shape (N, 5) [m, m, m, rad, rad].

        They are computed one by one, by the code for one target.
        """
        return self._find_nearest()


class SpatialBatch:
    """Asks one arm in space about many points."""

    def __init__(self, arm: SpatialArm) -> None:
        self._arm, self._planar = arm, Batch(arm.planar.workspace)
        self._window = NEXT_TO_OUTLINE * arm.planar.max_reach

    def check(self, points: Floats) -> SpatialReachabilityBatch:
        """The verdicts on points (N, 3) [m]; see RobotArm.check_reachability_batch."""
        code, margin = in_chunks(self._check, points).T
        kept = points.copy()  # the caller may change the array before asking more
        return SpatialReachabilityBatch(code, margin, lambda: in_chunks(self._nearest, kept))

    def dexterity(self, points: Floats) -> Floats:
        """Share of the full turn (N,) with which points (N, 3) [m] are reached."""
        return in_chunks(self._dexterity, points)

    def _check(self, points: Floats) -> Floats:
        """Code and margin (N, 2)."""
        yaw, slack = self._arm.yaw, self._arm.plane.slack
        if self._arm.planar.floor is not None:  # columns know no floor
            found = map(self._verdict, points)
            return np.array([(one.code, one.margin) for one in found]).reshape(len(points), 2)
        code, margin, doubtful = self._turned(points, yaw) if yaw else self._flat(points)
        margin = np.copysign(np.maximum(np.abs(margin) - slack, 0.0), margin)
        for row in np.flatnonzero(doubtful):
            one = self._verdict(points[row])
            code[row], margin[row] = one.code, one.margin
        return np.column_stack((code, margin))

    def _nearest(self, points: Floats) -> Floats:
        """Nearest poses (N, 5); NaN where there is none."""
        rows = np.full((len(points), 5), np.nan)
        for row, point in enumerate(points):
            nearest = self._verdict(point).nearest
            if nearest is not None:
                rows[row] = nearest[:5]  # no wrist
        return rows

    def _dexterity(self, points: Floats) -> Floats:
        """Share of the full turn (N,)."""
        x, y, off = self._into(points)
        yaw = self._arm.yaw
        if yaw is None:
            x = np.where(self._is_beside(off), np.nan, x)
            return self._planar.share([(x, y)])
        places = Places.of(yaw, x, y, off)
        sides = [places.side(sign) for sign in (FACING, BACKWARDS)]
        share = self._planar.share(
            [(np.where(side.is_inside, side.x, np.nan), side.y) for side in sides]
        )
        share[places.is_inside_ring] = 0.0
        for row in np.flatnonzero(self._is_doubtful(yaw, places, sides)):
            intervals = self._verdict(points[row]).orientation_intervals
            share[row] = sum(upper - lower for lower, upper in intervals) / TURN
        return share

    def _verdict(self, point: Floats) -> SpatialReachability:
        """The verdict of the code for one target."""
        x, y, z = point.tolist()
        return SpatialReachability(Question(self._arm, Wanted((x, y, z))))

    def _into(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """See `ArmPlane.into`."""
        (a, b, c), (d, e, f), (g, h, i), (x0, y0, z0) = self._arm.plane.columns
        x, y, z = points[:, 0] - x0, points[:, 1] - y0, points[:, 2] - z0
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z

    # --- without a yaw joint ---

    def _flat(self, points: Floats) -> Verdicts:
        x, y, off = self._into(points)
        code, margin, doubtful = self._planar.crossings.verdicts(x, y, self._room(np.zeros(1)))
        is_beside = self._is_beside(off)
        missed = is_beside | (code != Code.OK)
        margin = np.where(missed, -np.hypot(off, np.minimum(margin, 0.0)), margin)
        code[is_beside] = Code.OUT_OF_PLANE
        return Verdicts(code, margin, doubtful)

    def _is_beside(self, off: Floats) -> Bools:
        """Whether points are too far from a plane that no joint turns."""
        beside: Bools = np.abs(off) > OUT_OF_PLANE_TOLERANCE + self._arm.plane.slack
        return beside

    # --- behind a yaw joint ---

    def _turned(self, points: Floats, yaw: Yaw) -> Verdicts:
        places = Places.of(yaw, *self._into(points))
        sides = [places.side(sign) for sign in (FACING, BACKWARDS)]
        room = self._room(places.outwards)
        found = [self._planar.crossings.verdicts(side.x, side.y, room) for side in sides]
        code = self._codes(sides, found)
        margin = np.zeros(len(points))
        for side, one in zip(sides, found):
            works = side.is_inside & (one.code == Code.OK)
            code[works] = Code.OK
            to_boundary = np.minimum(self._to_boundary(yaw, places, one.margin), side.to_limit)
            margin = np.where(works, np.maximum(margin, to_boundary), margin)
        missed = self._missed(yaw, places, sides, found, code != Code.OK)
        margin = np.where(code == Code.OK, margin, -missed)
        is_inside_ring = places.is_inside_ring
        code[is_inside_ring] = Code.TOO_CLOSE
        margin[is_inside_ring] = places.radius[is_inside_ring] - abs(yaw.aside)
        doubtful = found[0].doubtful | found[1].doubtful
        doubtful = self._is_doubtful(yaw, places, sides) | (doubtful & ~is_inside_ring)
        return Verdicts(code, margin, doubtful)

    def _is_doubtful(self, yaw: Yaw, places: Places, sides: Sequence[Side]) -> Bools:
        """Whether points are next to where turning ends: a yaw limit, or the axis."""
        window = self._window + NEARBY * self._arm.plane.slack
        doubtful: Bools = np.abs(places.radius - abs(yaw.aside)) <= window
        for side in sides:
            doubtful |= side.to_limit <= window
        return doubtful

    def _codes(self, sides: Sequence[Side], found: Sequence[Verdicts]) -> Floats:
        """Why points are out of reach; see `points.deciding`."""
        zones = self._arm.planar.safe_zones
        base = [np.hypot(side.x, side.y) for side in sides]
        facing, backwards = (np.maximum(one - zones.outer, zones.inner - one) for one in base)
        code = np.where(backwards < facing, found[1].code, found[0].code)
        for one in found:
            code[(one.code != Code.TOO_FAR) & (one.code != Code.TOO_CLOSE)] = Code.JOINT_LIMIT
        return code

    def _to_boundary(self, yaw: Yaw, places: Places, margin: Floats) -> Floats:
        """How far the same shoulder reaches around reachable points, whatever the yaw limits [m];
        see `nearest.margin`."""
        if yaw.holds_axis:
            return margin
        return np.minimum(places.turned(margin), places.radius - abs(yaw.aside))

    def _missed(
        self,
        yaw: Yaw,
        places: Places,
        sides: Sequence[Side],
        found: Sequence[Verdicts],
        is_out: Bools,
    ) -> Floats:
        """How far points are out of reach (N,) [m]; see `nearest.nearest_configuration`.

        If the plane does not hold the yaw axis, it is a lower bound.
        """
        least: Floats = np.full(len(is_out), np.inf)
        is_limited = is_out & ~(sides[0].is_inside & sides[1].is_inside)
        rows = np.flatnonzero(is_limited)
        limited = places.rows(rows)
        for end in yaw.ends():
            outwards, off = limited.seen_at(end)
            in_plane = self._planar.crossings.distances(*limited.in_plane(outwards))
            least[rows] = np.minimum(least[rows], np.hypot(off, np.minimum(in_plane, 0.0)))
        for side, one in zip(sides, found):
            away = np.maximum(-one.margin, 0.0)
            past_limit: Floats = np.full(len(is_out), np.inf)
            if not yaw.holds_axis:
                away = places.turned(away)
                past_limit = np.maximum(away, side.past_limit)
            least = np.minimum(least, np.where(side.is_inside, away, past_limit))
        return least

    def _room(self, outwards: Floats) -> Floats:
        """How far the lean of the axes may move points in the plane [m]; see `Bounds.at`."""
        slack, aside = self._arm.plane.slack, abs(self._arm.plane.aside)
        with np.errstate(divide='ignore', invalid='ignore'):
            moved = slack * (2.0 + aside / outwards)
        nearly = Bounds(self._arm.planar, self._arm.plane).nearly
        return NEARBY * np.fmin(moved, nearly)
