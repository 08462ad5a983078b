# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many full poses at once, for an arm with a wrist: `FullPose` in columns.

Rows that rounding makes doubtful, and those in which a joint is free, are left to the code for one
target.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import cast

import numpy as np

from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.geometry.pose_arrays import exact_rotations
from ik_circles.planar.batch.poses import LEAST_SQUARE, OTHER_BRANCH, elbows
from ik_circles.planar.selection import NEAREST, Policy
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE
from ik_circles.spatial.batch.leaning_poses import solve_leaning
from ik_circles.spatial.batch.shoulders import Shoulders, nearest_shoulder, outwards_of, shoulders
from ik_circles.spatial.batch.turns import (
    BestSoFar,
    RowNumbers,
    Solved,
    excess_of,
    is_next_to,
    nearest_turns,
)
from ik_circles.spatial.batch.wrists import Postures, most_tilts, postures, turns_by_much
from ik_circles.spatial.poses.way_solutions import TILTS
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.wrist import LEAST, LOOSE, MOST_ROOM
from ik_circles.spatial.yaw import Yaw

#: Products of matrices have this many columns at a time [1]. For more, BLAS starts threads, which
#: is slower.
BLOCK = 512
#: The bounds for leaving a row to the code for one target are this many times that code's own [1].
WIDER = 2.0
#: If joint 3 is moved, joints 1 and 2 turn by less than this many times the move, times the length
#: of both links over four times the area of their triangle [1]. That leaves much to spare.
FOLLOWS = 10.0


class FullPoseBatch:
    """Asks one arm about many poses."""

    def __init__(self, arm: WholeArm) -> None:
        self._arm, self._carrier = arm, arm.carrier
        planar = arm.carrier.planar
        self._alone = planar.has_families or planar.has_tiny_links or planar.floor is not None

    def solve(self, poses: Floats, near: Floats, policy: Policy, tilt: float) -> Solved:
        """The configurations that take poses (N, 4, 4), chosen as `FullReachability` does.

        `near` is a configuration for each (N, joints) [rad]. With a single wrist joint, the
        direction of its axis may leave the plane by `tilt` [rad].
        """
        choice = BestSoFar(np.ascontiguousarray(near.T))
        if self._alone:
            choice.doubtful[:] = True
            return choice.solved
        if self._arm.is_leaning:
            return solve_leaning(self._arm, poses, near, policy, tilt)
        figures = exact_rotations(poses)[:, :3].reshape(len(poses), 12)
        seen = np.empty((15, len(poses)))
        for first in range(0, len(poses), BLOCK):
            some = slice(first, first + BLOCK)
            np.matmul(self._seeing, figures[some].T, out=seen[:, some])
        seen += self._origin
        doubtful = turns_by_much(self._carrier, self._arm.wrist, seen[:3], seen[6:], tilt)
        asked = _Asked(self._arm, seen, choice, policy.branch, doubtful)
        for one, posture in asked.ways(tilt):
            is_level = posture.is_level
            asked.show(one, posture, is_level & one.is_inside)
            if not self._arm.wrist.has_two and not np.all(is_level):
                asked.show_tilted(one, posture, tilt)
        choice.doubtful |= asked.doubtful | (asked.last_resort & np.isnan(choice.angles[0]))
        return choice.solved

    @cached_property
    def _seeing(self) -> Floats:
        """The matrix (15, 12) that makes 15 figures out of the 12 of a pose, apart from `_origin`.

        The 15 are the wrist center and the tip, both in the axes of the plane, and the `Sight` row
        by row.
        """
        wrist, axes = self._arm.wrist, self._carrier.plane.pose[:3, :3].T
        rows = np.zeros((15, 3, 4))
        rows[:3, :, 3] = rows[3:6, :, 3] = axes
        rows[:3, :, :3] = axes[:, :, np.newaxis] * wrist.center
        rows[6:, :, :3] = np.einsum('ij,kl->iljk', wrist.before, wrist.after).reshape(9, 3, 3)
        return rows.reshape(15, 12)

    @cached_property
    def _origin(self) -> Floats:
        """What to add to these 15 figures (15, 1) [m]: the origin of space, twice, then zeros."""
        pose, origin = self._carrier.plane.pose, np.zeros((15, 1))
        origin[:3, 0] = origin[3:6, 0] = -pose[:3, :3].T @ pose[:3, 3]
        return origin


class _Asked:
    """Poses that are `seen` (15, N), and the choice among their solutions.

    Solutions in `doubtful` rows (N,) do not count. Rows of the `last_resort` (N,) are doubtful if
    no solution is found: there might be one with joints on limits, and with a larger tilt than the
    plane needs.
    """

    def __init__(
        self, arm: WholeArm, seen: Floats, choice: BestSoFar, branch: str, doubtful: Bools
    ) -> None:
        self._arm, self._carrier, self._choice, self._branch = arm, arm.carrier, choice, branch
        self._center, self._tip, self._sight = seen[:3], seen[3:6], seen[6:]
        self.doubtful, self.last_resort = doubtful, np.zeros(len(doubtful), bool)
        self._in_wrist = len(arm.limits) - len(arm.wrist.limits)
        self._tool = float(np.linalg.norm(arm.wrist.center))

    def ways(self, tilt: float) -> Iterator[tuple[Shoulders, Postures]]:
        """Shoulders and postures in the order of `FullPose.ways`, if a tilt [rad] is allowed."""
        x, y, off = self._center
        beside = np.abs(off) - OUT_OF_PLANE_TOLERANCE
        for one in shoulders(self._carrier, x, y, off, self.doubtful, MOST_ROOM):
            if self._carrier.yaw is None:
                moved = self._tool * tilt
                self.doubtful |= is_next_to(beside - moved / 2.0, moved / 2.0)
                one = one.of(np.flatnonzero(beside <= 0.0))
            for posture in postures(self._arm.wrist, self._seen_by(one), one):
                self.doubtful[one.rows[posture.doubtful]] = True
                yield one, posture

    def _seen_by(self, one: Shoulders) -> list[Floats]:
        return [row[one.rows] for row in self._sight]

    def show(
        self, one: Shoulders, posture: Postures, kept: Bools | bool, is_tilted: bool = False
    ) -> None:
        """Show the solutions of a shoulder and a posture in the rows that are `kept`."""
        wrist, kept = self._wrist_inside(one, posture, kept)
        some = np.flatnonzero(kept)
        if not len(some):
            return
        rows, at = one.rows[some], self._in_wrist
        found = elbows(self._carrier.planar.solver, one.x[some], one.y[some], posture.phi[some])
        is_loose = self._is_flat if is_tilted else self._is_loose
        loose = is_loose(found.square, posture.rounded[some])
        self.doubtful[rows[found.doubtful | loose]] = True
        angles = np.empty((len(self._arm.limits), 2, len(rows)))
        if self._carrier.yaw is not None:
            angles[0] = self._turned(rows, one.yaw[some], 0, found.inside)
        for joint, q in enumerate(found.q.swapaxes(0, 1), at - 3):
            angles[joint] = self._turned(rows, q, joint, found.inside)
        for joint, angle in enumerate(wrist):
            angles[at + joint] = angle[some]
        for elbow, extra in enumerate(_off_branch(one.faces, self._branch)):
            shown = np.flatnonzero(found.inside[elbow])
            self._choice.show(rows[shown], angles[:, elbow, shown], extra)

    def _is_loose(self, square: Floats, rounded: Floats) -> Bools:
        """Whether the elbow is next to straight or folded; see `OrdinaryPoses`."""
        ordinary = self._arm.ordinary
        loose = self._bend(square) < ordinary.flat * rounded**2
        return loose & (square >= ordinary.nearest) & (square <= ordinary.farthest)

    def _is_flat(self, square: Floats, rounded: Floats) -> Bools:
        """Whether correction looks for elbows of a tilted plane: the elbow is next to straight or
        folded, or the tip is out of reach; see `corrected`."""
        flat = self._arm.ordinary.flat * (rounded * LOOSE / ON_LIMIT) ** 2
        return np.asarray(self._bend(square) < flat)

    def _bend(self, square: Floats) -> Floats:
        triangle = self._carrier.planar.solver.triangle
        return (triangle.outer - square) * (square - triangle.inner) * square

    def _wrist_inside(
        self, one: Shoulders, posture: Postures, kept: Bools | bool
    ) -> tuple[list[Floats], Bools]:
        """The wrist's angles, and which of the rows that are `kept` have them inside the limits."""
        found, inside = [], np.broadcast_to(kept, one.rows.shape)
        for joint, angle in enumerate(posture.wrist, self._in_wrist):
            turned = nearest_turns(angle, self._near(joint, one), self._arm.limits[joint])
            self.doubtful[one.rows[turned.doubtful]] = True
            inside = inside & turned.inside
            found.append(turned.angle)
        return found, inside

    def _near(self, joint: int, one: Shoulders) -> Floats:
        near: Floats = self._choice.near[joint][one.rows]
        return near

    def _turned(self, rows: RowNumbers, angle: Floats, joint: int, inside: Bools) -> Floats:
        """Angles (..., M) at the turns nearest to the seed; doubts count only for the elbows that
        are `inside` the limits of the three joints (2, M)."""
        near = self._choice.near[joint][rows]
        turned = nearest_turns(angle, near, self._arm.limits[joint])
        self.doubtful[rows[(turned.doubtful & inside).any(axis=0)]] = True
        return turned.angle

    def show_tilted(self, one: Shoulders, posture: Postures, tilt: float) -> None:
        """Show the solutions with the wrist's axis out of the plane; see `tilted`."""
        most = most_tilts(self._carrier, self._tool, one, tilt)
        next_to = is_next_to(posture.tilt - (tilt + most) / 2.0, (most - tilt) / 2.0)
        self.doubtful[one.rows[next_to]] = True
        tilts_enough = ~posture.is_level & (posture.tilt <= tilt)
        if self._carrier.yaw is None:  # the tip may be beside the plane
            self.doubtful[one.rows[tilts_enough]] = True
            return
        far = tilts_enough & self._may_reach(one, posture, tilt)
        self.last_resort[one.rows[far]] = True
        tilts_enough &= self._may_reach(one, posture, posture.tilt)
        self._leave_those_on_limits(one, posture, tilts_enough, tilt)
        (wrist,), kept = self._wrist_inside(one, posture, tilts_enough)
        some = np.flatnonzero(kept)
        if not len(some):
            return
        one, wrist = one.of(some), wrist[some]
        x, y, off = self._tip_from_center(wrist)
        tip = self._tip[:, one.rows]
        held, some = nearest_shoulder(self._carrier, one, tip, off, self.doubtful)
        wrist, x, y = wrist[some], x[some], y[some]
        (turned,) = postures(self._arm.wrist, self._seen_by(held), held)
        self.doubtful[held.rows[turned.doubtful]] = True
        change = turned.phi - self._carrier.tool.phi_at_zero
        cosine, sine = np.cos(change), np.sin(change)
        held = held._replace(
            x=held.x - cosine * x + sine * y, y=held.y - sine * x - cosine * y
        )
        faces = outwards_of(self._carrier.yaw, held.x, held.y) >= 0.0
        self.doubtful[held.rows[faces != held.faces]] = True
        self.show(held, turned._replace(wrist=(wrist,)), True, is_tilted=True)

    def _third_joint(self, one: Shoulders, phi: Floats) -> tuple[Floats, Floats, Floats]:
        """Where the third joint is in the plane [m], and its squared distance from the base."""
        length = self._carrier.planar.link_lengths[2]
        x, y = one.x - length * np.cos(phi), one.y - length * np.sin(phi)
        return x, y, np.maximum(x * x + y * y, LEAST_SQUARE)

    def _may_reach(self, one: Shoulders, posture: Postures, tilt: Floats | float) -> Bools:
        """Whether tilts might bring the third joint within reach.

        The wrist center moves as far as the tilt moves the tool. Outwards from the yaw axis, that
        is multiplied by its distance from the axis over its distance outwards. The last link turns
        by as much as the tilt.
        """
        *_, square = self._third_joint(one, posture.phi)
        link_1, link_2, link_3 = self._carrier.planar.link_lengths
        yaw = cast('Yaw', self._carrier.yaw)
        outwards = np.maximum(np.abs(outwards_of(yaw, one.x, one.y)), LEAST)
        most = tilt * (self._tool + link_3 + self._tool * abs(yaw.aside) / outwards)
        beside = np.abs(np.sqrt(square) - max(link_1, link_2))
        return np.asarray(beside <= min(link_1, link_2) + WIDER * most)

    def _leave_those_on_limits(
        self, one: Shoulders, posture: Postures, kept: Bools, tilt: float
    ) -> None:
        """Leave rows of tilted planes to the code for one target if a joint may be on a limit or
        the elbow next to straight, or the tilt next to what is allowed."""
        some = np.flatnonzero(kept)
        one, phi, tilts = one.of(some), posture.phi[some], posture.tilt[some]
        planar, limits = self._carrier.planar, self._arm.limits
        x, y, square = self._third_joint(one, phi)
        flat = self._is_flat(square, posture.rounded[some])
        link_1, link_2, link_3 = planar.link_lengths
        area = np.sqrt(np.maximum(self._bend(square), LEAST_SQUARE) / square)  # four times the area
        follows = FOLLOWS * (link_1 + link_2) * (link_3 + self._tool) / area
        past = WIDER * TILTS * tilt  # all of it may be used up
        before = WIDER * TILTS * tilts + np.where(flat, np.inf, follows * tilts)
        directions = planar.solver.triangle.elbows_up_and_down(x, y)
        upper_arm, forearm = directions.swapaxes(0, 1)
        angles = [upper_arm, forearm - upper_arm, phi - forearm, posture.wrist[0][some]]
        if self._carrier.yaw is not None:
            angles.insert(0, one.yaw)
        excess = np.array([
            np.broadcast_to(excess_of(angle, its), upper_arm.shape)
            for angle, its in zip(angles, limits)
        ]).max(axis=0)
        on_limits = ((excess <= past) & (excess >= -before)).any(axis=0)
        self.doubtful[one.rows[on_limits | (posture.tilt[some] * WIDER >= tilt)]] = True

    def _tip_from_center(self, wrist: Floats) -> Floats:
        """`WholeArm.tip_from_center` with a single wrist joint at angles (M,): (3, M) [m]."""
        here, aside = (
            np.array(self._arm.tip_from_center([angle]))[:, np.newaxis]
            for angle in (0.0, math.pi / 2.0)
        )
        return np.asarray(here * np.cos(wrist) + aside * np.sin(wrist))  # about the center


def _off_branch(faces: bool, branch: str) -> tuple[float, float]:
    """Cost of the elbow up and of the elbow down; see `_is_on_branch` in `poses.verdict`."""
    if branch == NEAREST:
        return 0.0, 0.0
    return (OTHER_BRANCH, 0.0) if (branch == 'elbow_down') == faces else (0.0, OTHER_BRANCH)
