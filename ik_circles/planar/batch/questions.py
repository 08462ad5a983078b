"""What may be asked of many targets at once: solutions, verdicts, dexterity."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.tolerances import STRAIGHT
from ik_circles.planar import selection
from ik_circles.planar.batch.gaps import gaps_of, taken_orientation
from ik_circles.planar.batch.nearest import distance_to_arcs, nearest_joints, on_outline
from ik_circles.planar.batch.poses import Bools, Floats, chosen, triple, wrapped
from ik_circles.planar.selection import DETOUR, NEAR, NEAREST, SMALL_STEP, Policy
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.workspace import Workspace
from ik_circles.reasons import Code

#: Targets worked on together: few enough for their columns to stay in the processor's cache.
CHUNK = 4096


class ReachabilityBatch(NamedTuple):
    """Answers for N targets.

    Attributes
    ----------
    code : array of shape (N,)
        Reason codes, see `Code`.
    nearest : array of shape (N, 3)
        Nearest poses `(x, y, phi)` [m, m, rad].
    nearest_joint_positions : array of shape (N, 3)
        Joint positions there [rad].
    margin : array of shape (N,)
        Signed distances to the workspace's boundary [m].
    """

    code: NDArray[np.uint8]
    nearest: Floats
    nearest_joint_positions: Floats
    margin: Floats

    @property
    def reachable(self) -> Bools:
        """Whether the arm can take each target, shape (N,)."""
        return np.asarray(self.code == Code.OK)


class Batch:
    """Asks one arm about many targets."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._orientations = workspace, workspace.orientations
        self._solver, self._model = workspace.solver, workspace.model

    def solve(self, targets: Floats, seed: Floats | None, policy: Policy) -> Floats:
        """Chosen joint positions (N, 3) [rad]; see PlanarArm.solve_batch."""
        start = self._model.home if seed is None else seed
        near = np.broadcast_to(np.asarray(start, dtype=float), (len(targets), 3))
        alone = self._model.has_families or self._model.has_tiny_links
        work = self._solve_each if alone else self._solve
        seeded = seed is not None
        return _in_chunks(lambda rows, starts: work(rows, starts, policy, seeded), targets, near)

    def dexterity(self, x: Floats, y: Floats) -> Floats:
        """Share of the full turn (N,) with which each point can be reached."""
        return _in_chunks(self._dexterity, x, y)

    def _dexterity(self, x: Floats, y: Floats) -> Floats:
        if self._model.has_families:
            return np.array([self.dexterity_at(*point) for point in zip(x.tolist(), y.tolist())])
        gaps = gaps_of(self._orientations, x, y, lone_cuts=False)
        widths = np.where(gaps.open, gaps.upper - gaps.lower, 0.0)
        return np.asarray(np.minimum(widths.sum(axis=0) / TURN, 1.0))

    def dexterity_at(self, x: float, y: float) -> float:
        """The same for one point."""
        intervals = self._workspace.orientation_intervals(x, y)
        return sum(upper - lower for lower, upper in intervals) / TURN

    def check(self, targets: Floats) -> ReachabilityBatch:
        """Verdicts for positions (N, 2) or poses (N, 3); see PlanarArm.check_reachability_batch."""
        columns = _in_chunks(self._check, targets)
        return ReachabilityBatch(
            columns[:, 0].astype(np.uint8), columns[:, 1:4], columns[:, 4:7], columns[:, 7]
        )

    def _solve(self, targets: Floats, seed: Floats, policy: Policy, seeded: bool) -> Floats:
        """`selection.solve` in columns."""
        x, y = targets[:, 0], targets[:, 1]
        asked = targets[:, 2] if targets.shape[1] == 3 and policy.heeds_target else None
        taken: Floats = np.full((len(x), 3), np.nan)
        if asked is not None:
            taken = chosen(self._solver, x, y, asked, seed, policy.branch)
            if policy.is_fixed:
                return taken
        rows = np.flatnonzero(np.isnan(taken[:, 0]))
        x, y, near = x[rows], y[rows], seed[rows]
        gaps = gaps_of(self._orientations, x, y, lone_cuts=True)
        heeds_seed = asked is None and seeded and policy.heeds_seed
        if asked is None:
            phi = taken_orientation(gaps, near.sum(axis=1) if heeds_seed else None)
        else:
            phi = taken_orientation(gaps, asked[rows])
            phi[np.abs(wrapped(phi - asked[rows])) > policy.orientation_tolerance] = np.nan
        found = chosen(self._solver, x, y, phi, near, policy.branch)
        one_by_one = gaps.awkward | (np.isnan(found[:, 0]) & ~np.isnan(phi))
        if asked is None and policy.branch != NEAREST:
            one_by_one |= ~_on_branch(found[:, 1], policy.branch)
        if heeds_seed:
            one_by_one |= self._may_be_flung(x, y, near, found)
        out = np.flatnonzero(~gaps.open.any(axis=0))
        one_by_one[out] |= on_outline(self._workspace, x[out], y[out])
        taken[rows] = found
        rows = rows[one_by_one]
        taken[rows] = self._solve_each(targets[rows], seed[rows], policy, seeded)
        return taken

    def _may_be_flung(self, x: Floats, y: Floats, seed: Floats, found: Floats) -> Bools:
        """Whether `selection.solve` may take a solution nearer to the seed than those found (N,).

        A turn of a joint by an angle moves the tip by no more than that times the links after it.
        """
        _, length_2, length_3 = self._model.link_lengths
        links_after = self._model.max_reach + (length_2 + length_3) + length_3
        tips = self._model.forward_kinematics(seed)
        least = np.hypot(x - tips[:, 0], y - tips[:, 1]) / links_after
        needed = np.abs(found - seed).max(axis=1)
        return np.asarray((least <= NEAR) & (needed > DETOUR * least + SMALL_STEP))

    def _solve_each(self, targets: Floats, seed: Floats, policy: Policy, seeded: bool) -> Floats:
        """One target after the other."""
        taken = np.full((len(targets), 3), np.nan)
        for row, (x, y, *phi) in enumerate(targets.tolist()):
            near = triple(seed[row]) if seeded else None
            joints = selection.solve(self._workspace, x, y, next(iter(phi), None), near, policy)
            if joints is not None:
                taken[row] = joints
        return taken

    def _check(self, targets: Floats) -> Floats:
        """`Reachability` in columns: code, nearest, joint positions there, margin (N, 8)."""
        model, x, y = self._model, targets[:, 0], targets[:, 1]
        distance = np.hypot(x, y)
        gaps = gaps_of(self._orientations, x, y, lone_cuts=True)
        reached = gaps.open.any(axis=0)
        code = np.full(len(x), int(Code.JOINT_LIMIT))
        code[distance > model.max_reach + model.tolerance] = Code.TOO_FAR
        code[distance < model.min_reach - model.tolerance] = Code.TOO_CLOSE
        code[reached] = Code.OK
        if targets.shape[1] == 3:
            phi = wrapped(targets[:, 2])
            works = ~np.isnan(chosen(self._solver, x, y, phi)[:, 0])
            code[reached & ~works] = Code.ORIENTATION
            phi = np.where(works, phi, taken_orientation(gaps, phi))
        else:
            phi = taken_orientation(gaps, None)
        joints = chosen(self._solver, x, y, phi)
        nearest = np.column_stack((x, y, phi))
        out = np.flatnonzero(~reached)
        joints[out] = nearest_joints(self._workspace, x[out], y[out])
        nearest[out] = model.forward_kinematics(joints[out])
        to_boundary = distance_to_arcs(self._workspace.boundary.arcs, x, y)[0]
        away = -np.hypot(nearest[:, 0] - x, nearest[:, 1] - y)
        answers = np.column_stack((code, nearest, joints, np.where(reached, to_boundary, away)))
        on_outline = ~reached & (away >= -model.tolerance)
        doubtful = gaps.awkward | on_outline | (reached & np.isnan(joints[:, 0]))
        for row in np.flatnonzero(doubtful | model.has_families):
            place_x, place_y, *wanted = targets[row].tolist()
            zones, place = self._workspace.safe_zones, (place_x, place_y)
            one = Reachability(self._workspace, place, next(iter(wanted), None), zones)
            if one.nearest is not None and one.nearest_joint_positions is not None:
                answers[row] = one.code, *one.nearest, *one.nearest_joint_positions, one.margin
        return answers


def _on_branch(q2: Floats, branch: str) -> Bools:
    """`selection.is_on_branch` for N angles of joint 2 and a named branch; NaN is on it."""
    bend = np.sin(q2) if branch == 'elbow_up' else -np.sin(q2)
    return ~(bend > STRAIGHT)


def _in_chunks(work: Callable[..., Floats], *columns: Floats) -> Floats:
    """The work on a few thousand rows at a time."""
    starts = range(0, max(1, len(columns[0])), CHUNK)
    with np.errstate(over='ignore', invalid='ignore'):  # of targets at 1e300 m
        parts = [work(*(column[start : start + CHUNK] for column in columns)) for start in starts]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
