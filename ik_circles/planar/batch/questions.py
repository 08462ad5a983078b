# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The questions about many targets at once: solutions, verdicts, dexterity."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.intervals import united
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar import selection
from ik_circles.planar.batch.crossings import Crossings
from ik_circles.planar.batch.gaps import gaps_of, open_width, share_of_turn, taken_orientation
from ik_circles.planar.batch.nearest import nearest_joints, on_outline
from ik_circles.planar.batch.poses import chosen, off_branch, triple, wrapped
from ik_circles.planar.model import LARGE_ROUNDING
from ik_circles.planar.orientations import SPLIT_CUT
from ik_circles.planar.selection import DETOUR, NEAR_SEED, SAME_CHANGE, SMALL_STEP, Policy
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.workspace import Workspace
from ik_circles.reasons import Code

#: Of a joint this far from its seed, rounding may decide to which side it turns [rad]: next to a
#: straight or folded elbow, it moves a joint by that much.
HALF_A_TURN = math.pi - 1e-6
#: Number of targets that are processed together: their columns fit into the processor's cache.
CHUNK = 4096


class ReachabilityBatch:
    """Answers for N targets; the nearest poses are computed when they are first asked for.

    Attributes
    ----------
    code : array of shape (N,)
        Reason codes, see `Code`.
    margin : array of shape (N,)
        Signed distances to the workspace's boundary [m].
    """

    def __init__(self, code: Floats, margin: Floats, stances: Callable[[], Floats]) -> None:
        self.code: NDArray[np.uint8] = code.astype(np.uint8)
        self.margin = margin
        self._find_stances = stances

    def __repr__(self) -> str:
        found = int(self.reachable.sum())
        return f'{type(self).__name__}({found} of {len(self.code)} targets can be reached)'

    @property
    def reachable(self) -> Bools:
        """Whether the arm can reach each target, shape (N,)."""
        return np.asarray(self.code == Code.OK)

    @property
    def nearest(self) -> Floats:
        """Nearest poses `(x, y, phi)`, shape (N, 3) [m, m, rad]."""
        return self._stances[:, :3]

    @property
    def nearest_joint_positions(self) -> Floats:
        """Joint positions at the nearest poses, shape (N, 3) [rad]."""
        return self._stances[:, 3:]

    @cached_property
    def _stances(self) -> Floats:
        return self._find_stances()


class Batch:
    """Asks one arm about many targets."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._orientations = workspace, workspace.orientations
        self._solver, self._model = workspace.solver, workspace.model

    @property
    def _is_alone(self) -> bool:
        """Whether targets go one after the other: columns support neither floors nor families."""
        return self._model.has_families or self._model.floor is not None

    def solve(self, targets: Floats, seed: Floats | None, policy: Policy) -> Floats:
        """Chosen joint positions (N, 3) [rad]; see PlanarArm.solve_batch."""
        start = self._model.home if seed is None else seed
        near = np.broadcast_to(np.asarray(start, dtype=float), (len(targets), 3))
        alone = self._is_alone or self._model.has_tiny_links
        work = self._solve_each if alone else self._solve
        seeded = seed is not None
        return in_chunks(lambda rows, starts: work(rows, starts, policy, seeded), targets, near)

    def dexterity(self, x: Floats, y: Floats) -> Floats:
        """Share of a full turn with which each point can be reached (N,)."""
        return in_chunks(lambda *place: self.share([place]), x, y)

    def share(self, places: Sequence[tuple[Floats, Floats]]) -> Floats:
        """Share of a full turn with which each point is reached at one of its `places`, each (N,)
        and (N,) [m]; NaN for no place."""
        if self._is_alone:
            return np.array([self._share_at(row) for row in np.array(places).T.tolist()])
        return share_of_turn(self._orientations, places)

    def _share_at(self, coordinates: Sequence[Sequence[float]]) -> float:
        """The same for the places of one point, given as all x and all y."""
        intervals = self._workspace.orientation_intervals
        found = united([one for place in zip(*coordinates) for one in intervals(*place)])
        return sum(upper - lower for lower, upper in found) / TURN

    def dexterity_at(self, x: float, y: float) -> float:
        """The same for one point."""
        return self._share_at(([x], [y]))

    def check(self, targets: Floats) -> ReachabilityBatch:
        """Verdicts for positions (N, 2) or poses (N, 3); see PlanarArm.check_reachability_batch."""
        code, margin = in_chunks(self._check, targets).T
        kept = targets.copy()  # the caller may change the array before asking for more
        return ReachabilityBatch(code, margin, lambda: in_chunks(self._stances, kept, code))

    @cached_property
    def crossings(self) -> Crossings:
        """The workspace in the form that rays from many points need."""
        return Crossings(self._workspace)

    def _solve(self, targets: Floats, seed: Floats, policy: Policy, seeded: bool) -> Floats:
        """`selection.solve` in columns; where rounding decides, one target after the other."""
        taken, one_by_one = self._in_columns(targets, seed, policy, seeded)
        far, joints = np.nonzero(np.abs(taken - seed) >= HALF_A_TURN)
        is_half = np.abs(wrapped(taken[far, joints] - seed[far, joints])) >= HALF_A_TURN
        one_by_one[far[is_half]] = True
        one_by_one[self._may_stay(taken, seed)] = True
        rows = np.flatnonzero(one_by_one)
        taken[rows] = self._solve_each(targets[rows], seed[rows], policy, seeded)
        return taken

    def _may_stay(self, taken: Floats, seed: Floats) -> NDArray[np.intp]:
        """The rows in which the seed has the pose of what was taken, or nearly so."""
        moved = np.abs(taken - seed).max(axis=1)
        near = np.flatnonzero((moved > SAME_CHANGE) & (moved <= LARGE_ROUNDING))
        away = self._model.poses_at(taken[near])[:, :2] - self._model.poses_at(seed[near])[:, :2]
        found: NDArray[np.intp] = near[np.abs(away).max(axis=1) <= CLOSURE * self._model.tolerance]
        return found

    def _in_columns(
        self, targets: Floats, seed: Floats, policy: Policy, seeded: bool
    ) -> tuple[Floats, Bools]:
        """The chosen joint positions (N, 3) [rad], and whether one target alone has to say (N,)."""
        x, y = targets[:, 0], targets[:, 1]
        asked = targets[:, 2] if targets.shape[1] == 3 and policy.heeds_target else None
        taken: Floats = np.full((len(x), 3), np.nan)
        one_by_one: Bools = np.zeros(len(x), bool)
        if asked is not None:
            taken = chosen(self._solver, x, y, asked, seed, policy.branch)
            if policy.is_fixed:
                return taken, one_by_one
        rows = np.flatnonzero(np.isnan(taken[:, 0]))
        x, y, near = x[rows], y[rows], seed[rows]
        gaps = gaps_of(self._orientations, x, y)
        heeds_seed = asked is None and seeded and policy.heeds_seed
        if asked is None:
            phi = taken_orientation(gaps, near.sum(axis=1) if heeds_seed else None)
        else:
            phi = taken_orientation(gaps, asked[rows])
            phi[np.abs(wrapped(phi - asked[rows])) > policy.orientation_tolerance] = np.nan
        taken[rows] = found = chosen(self._solver, x, y, phi, near, policy.branch)
        alone = np.isnan(found[:, 0]) & ~np.isnan(phi)
        alone |= open_width(gaps) < SPLIT_CUT
        if asked is None:
            alone |= off_branch(found[:, 1], policy.branch) != 0.0
        if heeds_seed:
            alone |= self._may_be_flung(x, y, near, found)
        out = np.flatnonzero(~gaps.open.any(axis=0))
        alone[out] = on_outline(self._workspace, x[out], y[out])
        one_by_one[rows] = alone
        return taken, one_by_one

    def _may_be_flung(self, x: Floats, y: Floats, seed: Floats, found: Floats) -> Bools:
        """Whether `selection.solve` may take a solution nearer to the seed than those found (N,).

        A turn of a joint moves the tip by no more than the angle times the length of the links
        after the joint.
        """
        _, length_2, length_3 = self._model.link_lengths
        links_after = self._model.max_reach + (length_2 + length_3) + length_3
        tips = self._model.poses_at(seed)
        least = np.hypot(x - tips[:, 0], y - tips[:, 1]) / links_after
        needed = np.abs(found - seed).max(axis=1)
        return np.asarray((least <= NEAR_SEED) & (needed > DETOUR * least + SMALL_STEP))

    def _solve_each(self, targets: Floats, seed: Floats, policy: Policy, seeded: bool) -> Floats:
        """The same, one target after the other."""
        taken = np.full((len(targets), 3), np.nan)
        for row, (x, y, *phi) in enumerate(targets.tolist()):
            near = triple(seed[row]) if seeded else None
            joints = selection.solve(self._workspace, x, y, next(iter(phi), None), near, policy)
            if joints is not None:
                taken[row] = joints
        return taken

    def _check(self, targets: Floats) -> Floats:
        """`Reachability` in columns: code and margin (N, 2)."""
        if self._model.floor is not None:
            found = map(self._verdict, targets)
            return np.array([(one.code, one.margin) for one in found]).reshape(len(targets), 2)
        x, y = targets[:, 0], targets[:, 1]
        code, margin, doubtful = self.crossings.verdicts(x, y)
        if targets.shape[1] == 3:
            works = ~np.isnan(chosen(self._solver, x, y, wrapped(targets[:, 2]))[:, 0])
            code[(code == Code.OK) & ~works] = Code.ORIENTATION
        for row in np.flatnonzero(doubtful):
            one = self._verdict(targets[row])
            code[row], margin[row] = one.code, one.margin
        return np.column_stack((code, margin))

    def _stances(self, targets: Floats, code: Floats) -> Floats:
        """`Reachability` in columns: the nearest pose, and joint positions there (N, 6)."""
        if self._model.floor is not None:
            return np.array([*map(self._stance, targets)]).reshape(len(targets), 6)
        x, y = targets[:, 0], targets[:, 1]
        reached = (code == Code.OK) | (code == Code.ORIENTATION)
        gaps = gaps_of(self._orientations, x, y)
        phi = taken_orientation(gaps, None)
        if targets.shape[1] == 3:
            wanted = wrapped(targets[:, 2])
            phi = np.where(code == Code.OK, wanted, taken_orientation(gaps, wanted))
        joints = chosen(self._solver, x, y, phi)
        nearest = np.column_stack((x, y, phi))
        out = np.flatnonzero(~reached)
        joints[out] = nearest_joints(self._workspace, x[out], y[out])
        nearest[out] = self._model.poses_at(joints[out])
        stances = np.column_stack((nearest, joints))
        doubtful = reached & np.isnan(joints[:, 0])
        for row in np.flatnonzero(doubtful | self._model.has_families):
            stances[row] = self._stance(targets[row])
        return stances

    def _stance(self, target: Floats) -> Sequence[float]:
        """The same, by the code for one target; NaN if there is no such pose."""
        one, none = self._verdict(target), [math.nan] * 3
        return [*(one.nearest or none), *(one.nearest_joint_positions or none)]

    def _verdict(self, target: Floats) -> Reachability:
        """The verdict of the code for one target."""
        x, y, *wanted = target.tolist()
        zones = self._workspace.safe_zones
        return Reachability(self._workspace, (x, y), next(iter(wanted), None), zones)


def in_chunks(work: Callable[..., Floats], *columns: Floats) -> Floats:
    """Do the work on a few thousand rows at a time."""
    starts = range(0, max(1, len(columns[0])), CHUNK)
    with np.errstate(over='ignore', invalid='ignore'):  # for targets at 1e300 m
        parts = [work(*(column[start : start + CHUNK] for column in columns)) for start in starts]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
