# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint angles next to solutions, in rows, corrected to poses on the axes as they are.

This does what `HingeChain.posed` does for one start, if limits decide nothing and no joint is free.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain

#: Angles are corrected this many times at most: each correction squares what is left of an error.
CORRECTIONS = 4
#: A step of no more than this is the last one [rad]: it leaves errors of about its square.
LAST_STEP = 1e-7
#: Where a flat matrix (9,) has the entries below its diagonal, and those opposite them.
ZY_XZ_YX, YZ_ZX_XY = [7, 2, 3], [5, 6, 1]


class CorrectedRows(NamedTuple):
    """Angles of a chain in rows (N, joints) [rad], how far they moved (N,) [rad], and how far the
    tip is turned away from its pose (N,) [rad]. Rows that are not `settled` (N,) do not count."""

    angles: Floats
    moved: Floats
    turned_away: Floats
    settled: Bools


class PoseRows:
    """Corrects angles of a chain in rows; the first `count` coordinates of a position are met.

    The matrix of each joint (4x4) is a constant one, plus one times the cosine of its angle, plus
    one times the sine.
    """

    def __init__(self, chain: HingeChain, count: int) -> None:
        constant, cosine, sine = np.array([*map(_turning, chain.hinges)]).swapaxes(0, 1)
        self._constant, self._cosine, self._sine = constant, cosine, sine
        self._at_zero = np.array([hinge.angle for hinge in chain.hinges])
        lines = [((*hinge.axis, 0.0), (*hinge.point, 1.0)) for hinge in chain.hinges]
        self._lines = np.array(lines).swapaxes(1, 2)[:, np.newaxis]
        self._tip, self._count = np.array((*chain.measured, 1.0)), count
        self._has_all = len(chain.hinges) >= count + 3

    def corrected(self, angles: Floats, targets: Floats, rotations: Floats) -> CorrectedRows:
        """The angles that bring the tip to targets (N, 3) [m], with rotations (N, 3, 3), as nearly
        as the joints can.

        If there are too few joints for a whole pose, the position comes first.
        """
        found, largest, away = angles, np.full(len(angles), np.inf), np.zeros(len(angles))
        try:
            for _ in range(CORRECTIONS):
                step, away = self._step(found, targets, rotations)
                found, largest = found + step, np.abs(step).max(axis=1)
                if (largest <= LAST_STEP).all():
                    break
        except np.linalg.LinAlgError:
            largest[:] = np.inf
        moved = np.abs(found - angles).max(axis=1)
        return CorrectedRows(found, moved, away, largest <= LAST_STEP)

    def _step(self, angles: Floats, targets: Floats, rotations: Floats) -> tuple[Floats, Floats]:
        """How the joints have to move, to first order (N, joints) [rad], and how far that leaves
        the tip turned away (N,) [rad]."""
        turned = (angles - self._at_zero)[..., np.newaxis, np.newaxis]
        joints = self._constant + np.cos(turned) * self._cosine + np.sin(turned) * self._sine
        placed = [joints[:, 0]]
        for joint in range(1, joints.shape[1]):
            placed.append(placed[-1] @ joints[:, joint])
        lines, last = (np.array(placed) @ self._lines).T, placed[-1]  # (2, 4, N, joints)
        tip = (last @ self._tip)[:, :3]
        (a, b, c), (x, y, z) = lines[0, :3], tip.T[:, :, np.newaxis] - lines[1, :3]
        # How each joint moves the tip, and how it turns it (N, 6, joints).
        ways = np.array((b * z - c * y, c * x - a * z, a * y - b * x, a, b, c)).swapaxes(0, 1)
        apart = (rotations @ last[:, :3, :3].swapaxes(1, 2)).reshape(-1, 9)
        away = (apart[:, ZY_XZ_YX] - apart[:, YZ_ZX_XY]) / 2.0
        return self._least_motion(ways, np.concatenate((targets - tip, away), 1)[..., np.newaxis])

    def _least_motion(self, ways: Floats, wanted: Floats) -> tuple[Floats, Floats]:
        """The motion that does what is wanted (N, 6, 1), with the `ways` of the joints."""
        count, (rows, _, joints) = self._count, ways.shape
        if count < 3:
            ways, wanted = np.delete(ways, 2, 1), np.delete(wanted, 2, 1)
        if self._has_all:
            return np.asarray(np.linalg.solve(ways, wanted)[..., 0], float), np.zeros(rows)
        # The step that leaves the tip least turned away, and a multiplier for each coordinate that
        # is to be met.
        moves, turns = ways[:, :count], ways[:, count:]
        back, square = turns.swapaxes(1, 2), np.zeros((rows, joints + count, joints + count))
        square[:, :joints, :joints] = back @ turns
        square[:, :joints, joints:], square[:, joints:, :joints] = moves.swapaxes(1, 2), moves
        asked = np.concatenate((back @ wanted[:, count:], wanted[:, :count]), 1)
        step = np.asarray(np.linalg.solve(square, asked)[:, :joints], float)
        left = wanted[:, count:] - turns @ step
        return step[..., 0], np.sqrt((left * left).sum(axis=(1, 2)))


def _turning(hinge: Hinge) -> Floats:
    """The matrices of a joint (3, 4, 4); see `PoseRows`."""
    (a, b, c), point = axis, at = hinge.axis, np.array(hinge.point)
    kept = np.outer(axis, axis)
    found = np.zeros((3, 4, 4))
    found[:, :3, :3] = kept, np.eye(3) - kept, ((0.0, -c, b), (c, 0.0, -a), (-b, a, 0.0))
    found[:, :3, 3] = -found[:, :3, :3] @ at
    found[0, :3, 3] += point
    found[0, 3, 3] = 1.0
    return found
