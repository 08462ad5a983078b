# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The solutions of many poses: both elbows in columns, then one chosen for each row."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import HALFWAY, TURN
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.tolerances import EITHER_ELBOW
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.limits import ROUNDING_AT_BASE
from ik_circles.planar.model import ROUNDING_AT_FOLD, JointPositions
from ik_circles.planar.ranges import NEARLY_A_TURN
from ik_circles.planar.selection import NEAREST, SAME_CHANGE, choose

#: Cost of an elbow that is not on the branch, larger than any change of joints [rad].
OTHER_BRANCH = 1e6
#: Smallest squared distance that is used as a divisor [m^2].
LEAST_SQUARE = 1e-300


class Elbows(NamedTuple):
    """Solutions of N poses with elbow up and with elbow down.

    Attributes
    ----------
    q : joint angles (2, 3, N) [rad]
    inside : (2, N) whether they are inside the limits
    doubtful : (N,) whether rounding decides about the row
    square : (N,) squared distance of the wrist from the base [m^2]
    """

    q: Floats
    inside: Bools
    doubtful: Bools
    square: Floats


def elbows(solver: PoseSolver, x: Floats, y: Floats, phi: Floats) -> Elbows:
    """Both elbows of each pose; see PoseSolver.solutions for the geometry."""
    model, triangle = solver.model, solver.triangle
    length_3 = model.link_lengths[2]
    wrist_x, wrist_y = x - length_3 * np.cos(phi), y - length_3 * np.sin(phi)
    square = wrist_x * wrist_x + wrist_y * wrist_y
    directions = triangle.elbows_up_and_down(wrist_x, wrist_y)
    upper_arm, forearm = directions[:, 0], directions[:, 1]
    q = np.stack((upper_arm, forearm - upper_arm, phi - forearm), axis=1)
    window = rounding_windows(solver, square)
    inside, close = np.ones((2, len(x)), bool), np.ones((2, len(x)), bool)
    on_limit = np.zeros(len(x), bool)
    for joint, (lower, upper) in enumerate(model.limits):
        angle = q[:, joint]
        middle = (lower + upper) / 2.0 if math.isfinite(lower) else 0.0
        angle -= TURN * np.rint((angle - middle) / TURN)
        if math.isfinite(lower):
            past = np.maximum(lower - angle, angle - upper)
            inside &= past <= 0.0
            close &= past <= window
            for end in (lower, upper) if upper - lower > NEARLY_A_TURN else ():
                # Another turn may be on a limit.
                on_limit |= (np.abs(wrapped(angle - end)) <= window).any(axis=0)
    triangular = (square > triangle.folded) & (square < triangle.straight)
    touching = ~triangular & (square <= triangle.farthest) & (square >= triangle.nearest)
    inside &= triangular
    past_limit = (close & ~inside).any(axis=0) & triangular
    return Elbows(q, inside, touching | past_limit | on_limit, square)


def rounding_windows(solver: PoseSolver, square: Floats) -> Floats:
    """`limits.rounding_window` for squared distances of the wrist [rad]."""
    share = solver.model.tolerance / np.sqrt(np.maximum(square, LEAST_SQUARE))
    root = ROUNDING_AT_FOLD * np.sqrt(share)
    window = solver.model.rounding_at_fold + root + ROUNDING_AT_BASE * share
    return np.asarray(np.minimum(window, math.pi))


def reached(solver: PoseSolver, x: Floats, y: Floats, phi: Floats) -> Bools:
    """Whether each pose has a solution (N,)."""
    _, inside, doubtful, _ = elbows(solver, x, y, phi)
    found: Bools = np.asarray(inside.any(axis=0))
    for row in np.flatnonzero(doubtful & ~found):
        found[row] = solver.reaches(float(x[row]), float(y[row]), float(phi[row]))
    return found


def chosen(
    solver: PoseSolver,
    x: Floats,
    y: Floats,
    phi: Floats,
    seed: Floats | None = None,
    branch: str = NEAREST,
) -> Floats:
    """The solution of each pose that seed and branch choose (N, 3) [rad], as in `selection.choose`.

    Without a seed, it is the first solution. NaN where there is none.
    """
    q, inside, doubtful, _ = elbows(solver, x, y, phi)
    _turn_next_to(q, seed, solver)
    take_down = ~inside[0]
    if seed is not None:
        change = np.abs(q - seed.T)
        largest, total = change.max(axis=1), change.sum(axis=1)
        largest += off_branch(q[:, 1], branch)
        more = largest[1] - largest[0]
        less_in_sum = (more <= SAME_CHANGE) & (total[1] < total[0] - SAME_CHANGE)
        take_down |= inside[1] & ((more < -SAME_CHANGE) | less_in_sum)
    taken: Floats = np.where(take_down, q[1], q[0]).T
    taken[~inside.any(axis=0)] = np.nan
    for row in np.flatnonzero(doubtful & ~np.isnan(phi)):
        near = None if seed is None else triple(seed[row])
        found = solver.solutions(float(x[row]), float(y[row]), float(phi[row]), near)
        one = found[0] if found and near is None else choose(solver.model, found, near, branch)
        taken[row] = np.nan if one is None else one
    return taken


def off_branch(q2: Floats, branch: str) -> Floats | float:
    """Cost of angles of joint 2 that are not on the branch: `selection.is_on_branch` in columns.

    NaN costs nothing.
    """
    if branch == NEAREST:
        return 0.0
    bend = np.sin(q2) if branch == 'elbow_up' else -np.sin(q2)
    return np.where(bend > EITHER_ELBOW, OTHER_BRANCH, 0.0)


def _turn_next_to(q: Floats, seed: Floats | None, solver: PoseSolver) -> None:
    """Turn the joints that have several turns next to the seed, in place."""
    for joint, (lower, upper) in enumerate(solver.model.limits):
        angle = q[:, joint]
        if math.isinf(lower) and seed is not None:  # half a turn goes upwards, as in `turned_to`
            angle -= TURN * np.ceil((angle - seed[:, joint] - math.pi - SAME_CHANGE) / TURN)
        elif math.isfinite(lower) and upper - lower > NEARLY_A_TURN:
            near = np.full(q.shape[2], lower) if seed is None else seed[:, joint]
            q[:, joint] = _nearest_turn(angle, near, lower, upper)


def _nearest_turn(angle: Floats, reference: Floats, lower: float, upper: float) -> Floats:
    """The turn of each angle nearest to the reference, inside limits that are a turn apart or more.

    If two are equally near, it is the lower one.
    """
    turned = angle - TURN * np.floor((angle - reference + math.pi + HALFWAY) / TURN)
    turned -= TURN * np.ceil(np.maximum(turned - upper, 0.0) / TURN)
    turned += TURN * np.ceil(np.maximum(lower - turned, 0.0) / TURN)
    return np.clip(turned, lower, upper)


def wrapped(angle: Floats) -> Floats:
    """Angles turned into [-pi, pi]."""
    return np.asarray(angle - TURN * np.rint(angle / TURN))


def triple(joints: Floats) -> JointPositions:
    """A row of three joint positions as plain floats."""
    q1, q2, q3 = map(float, joints)
    return q1, q2, q3
