"""Many targets at once, in numpy: the same geometry as for one, column by column.

Rows that rounding makes doubtful (a joint at its limit, a straight or folded elbow, a link without
length) are handed to the code for one target, so that the answers are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import MISS
from ik_circles.geometry.intervals import ONE_ORIENTATION, WIDTH_ROUNDING
from ik_circles.planar.inverse import NEARLY_A_TURN, reached_with, solutions
from ik_circles.planar.limits import home
from ik_circles.planar.selection import Policy, choose
from ik_circles.planar.selection import solve as solve_one
from ik_circles.reasons import Code

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Targets worked on together, few enough for their columns to stay in the processor's cache.
CHUNK = 4096
#: Cost of the branch that was not asked for, above any change of joints [rad].
OTHER_BRANCH = 1e6


class Branches(NamedTuple):
    """Joint angles of elbow up and elbow down, shape (2, 3, N) [rad], and which are inside the
    limits (2, N); `doubtful` (N,) where rounding decides."""

    q: Floats
    inside: Bools
    doubtful: Bools


class Gaps(NamedTuple):
    """Orientations between neighbouring cuts, shape (K, N) [rad], and whether they are reached.

    `awkward` (N,): a cut is reached alone, which is left to the code for one target.
    """

    lower: Floats
    upper: Floats
    open: Bools
    awkward: Bools


class ReachabilityBatch(NamedTuple):
    """Answers for N targets.

    Attributes
    ----------
    code : (N,) reason codes, see Code
    nearest : (N, 3) nearest pose x, y [m], phi [rad]
    nearest_joint_positions : (N, 3) [rad]
    margin : (N,) signed distance to the workspace's boundary [m]
    """

    code: NDArray[np.uint8]
    nearest: Floats
    nearest_joint_positions: Floats
    margin: Floats

    @property
    def reachable(self) -> Bools:
        """(N,) whether the arm can take the target."""
        return np.asarray(self.code == Code.OK)


# --- questions ------------------------------------------------------------------------------------


def solve(arm: PlanarArm, targets: Floats, seed: Floats | None, policy: Policy) -> Floats:
    """Chosen joint positions (N, 3) [rad], NaN where there are none; see PlanarArm.solve_batch."""
    start = home(arm) if seed is None else seed
    near = np.broadcast_to(np.asarray(start, dtype=float), (len(targets), 3))
    if arm.has_families:
        return _one_by_one(arm, targets, near, policy, seed is not None)

    def some(rows: Floats, near_rows: Floats) -> Floats:
        return _solve(arm, rows, near_rows, policy, seed is not None)

    return _in_chunks(some, targets, near)


def dexterity(arm: PlanarArm, x: Floats, y: Floats) -> Floats:
    """Share of the full turn (N,) with which each point can be reached."""

    def share(points: Floats) -> Floats:
        if arm.has_families:
            return np.array([arm.dexterity(float(a), float(b)) for a, b in points])
        gaps = gaps_of(arm, points[:, 0], points[:, 1])
        widths = np.where(gaps.open, gaps.upper - gaps.lower, 0.0)
        return np.asarray(np.minimum(widths.sum(axis=0) / TURN, 1.0))

    return _in_chunks(share, np.column_stack((x, y)))


def check(arm: PlanarArm, targets: Floats) -> ReachabilityBatch:
    """Verdicts for positions (N, 2) or poses (N, 3); see PlanarArm.check_reachability_batch."""
    columns = _in_chunks(lambda rows: _check(arm, rows), targets)
    return ReachabilityBatch(
        columns[:, 0].astype(np.uint8), columns[:, 1:4], columns[:, 4:7], columns[:, 7]
    )


def _in_chunks(work: Callable[..., Floats], *columns: Floats) -> Floats:
    """The work on a few thousand rows at a time."""
    starts = range(0, max(1, len(columns[0])), CHUNK)
    with np.errstate(over='ignore', invalid='ignore'):  # of targets at 1e300 m
        parts = [work(*(column[start : start + CHUNK] for column in columns)) for start in starts]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _solve(
    arm: PlanarArm, targets: Floats, seed: Floats, policy: Policy, seeded: bool
) -> Floats:
    x, y = targets[:, 0], targets[:, 1]
    wants_phi = targets.shape[1] == 3 and policy.orientation_mode in ('fixed', 'preferred')
    chosen: Floats = np.full((len(x), 3), np.nan)
    if wants_phi:
        chosen = _chosen(arm, x, y, targets[:, 2], seed, policy.branch)
        if policy.orientation_mode == 'fixed':
            return chosen
    rows = np.flatnonzero(np.isnan(chosen[:, 0]))
    x, y, near = x[rows], y[rows], seed[rows]
    gaps = gaps_of(arm, x, y, alone=True)
    if wants_phi:
        phi = _nearest_orientation(gaps, targets[rows, 2])
        phi[np.abs(_wrapped(phi - targets[rows, 2])) > policy.orientation_tolerance] = np.nan
    elif seeded and policy.orientation_mode != 'centred':
        phi = _nearest_orientation(gaps, near.sum(axis=1))
    else:
        phi = _middle_of_widest(gaps)
    chosen[rows] = _chosen(arm, x, y, phi, near, policy.branch)
    one_by_one = rows[gaps.awkward]
    chosen[one_by_one] = _one_by_one(arm, targets[one_by_one], seed[one_by_one], policy, seeded)
    return chosen


def _one_by_one(
    arm: PlanarArm, targets: Floats, seed: Floats, policy: Policy, seeded: bool
) -> Floats:
    chosen = np.full((len(targets), 3), np.nan)
    for row, target in enumerate(targets.tolist()):
        phi = target[2] if len(target) == 3 else None
        near = _triple(seed[row]) if seeded else None
        joints = solve_one(arm, target[0], target[1], phi, near, policy)
        if joints is not None:
            chosen[row] = joints
    return chosen


def _check(arm: PlanarArm, targets: Floats) -> Floats:
    x, y = targets[:, 0], targets[:, 1]
    distance = np.hypot(x, y)
    gaps = gaps_of(arm, x, y, alone=True)
    reached = gaps.open.any(axis=0)
    code = np.full(len(x), int(Code.JOINT_LIMIT))
    code[distance > arm.max_reach + arm.tolerance] = Code.TOO_FAR
    code[distance < arm.min_reach - arm.tolerance] = Code.TOO_CLOSE
    code[reached] = Code.OK
    if targets.shape[1] == 3:
        phi = _wrapped(targets[:, 2])
        works = ~np.isnan(_chosen(arm, x, y, phi)[:, 0])
        code[reached & ~works] = Code.ORIENTATION
        phi = np.where(works, phi, _nearest_orientation(gaps, phi))
    else:
        phi = _middle_of_widest(gaps)
    joints = _chosen(arm, x, y, phi)
    nearest = np.column_stack((x, y, phi))
    out = np.flatnonzero(~reached)
    if len(out):
        joints[out] = _nearest_joints(arm, x[out], y[out])
        nearest[out] = arm.forward_kinematics(joints[out])
    to_boundary = _distance_to_arcs(arm.workspace_boundary().arcs, x, y)[0]
    away = -np.hypot(nearest[:, 0] - x, nearest[:, 1] - y)
    answers = np.column_stack((code, nearest, joints, np.where(reached, to_boundary, away)))
    on_outline = ~reached & (away >= -arm.tolerance)
    awkward = gaps.awkward | on_outline | (reached & np.isnan(joints[:, 0])) | arm.has_families
    for row in np.flatnonzero(awkward):
        one = arm.check_reachability(*targets[row].tolist())
        if one.nearest is not None and one.nearest_joint_positions is not None:
            answers[row] = one.code, *one.nearest, *one.nearest_joint_positions, one.margin
    return answers


# --- solutions ------------------------------------------------------------------------------------


def branches_of(arm: PlanarArm, x: Floats, y: Floats, phi: Floats) -> Branches:
    """Both elbow branches of each pose; see inverse.solutions for the geometry."""
    triangle = arm.triangle
    wrist_x = x - triangle.length_3 * np.cos(phi)
    wrist_y = y - triangle.length_3 * np.sin(phi)
    square = wrist_x * wrist_x + wrist_y * wrist_y
    room = (triangle.outer - square) * (square - triangle.inner)
    aside = np.sqrt(np.maximum(room, 0.0))
    to_wrist = np.arctan2(wrist_y, wrist_x)
    at_base = np.arctan2(aside, square + triangle.difference)
    at_wrist = np.arctan2(aside, square - triangle.difference)
    q = np.empty((2, 3, len(x)))
    for branch, sign in enumerate((1.0, -1.0)):
        upper_arm, forearm = to_wrist + sign * at_base, to_wrist - sign * at_wrist
        q[branch] = upper_arm, forearm - upper_arm, phi - forearm
    share = arm.tolerance / np.sqrt(np.maximum(square, 1e-300))
    near = np.minimum(arm.rounding_at_fold + 4.0 * np.sqrt(share) + 2.0 * share, math.pi)
    inside = np.ones((2, len(x)), bool)
    close = np.ones((2, len(x)), bool)
    on_limit = np.zeros(len(x), bool)
    for joint, (lower, upper) in enumerate(arm.limits):
        angle = q[:, joint]
        middle = (lower + upper) / 2.0 if math.isfinite(lower) else 0.0
        angle -= TURN * np.rint((angle - middle) / TURN)
        if math.isfinite(lower):
            inside &= (angle >= lower) & (angle <= upper)
            close &= (angle >= lower - near) & (angle <= upper + near)
            if upper - lower > NEARLY_A_TURN:  # another turn may be on a limit
                on_limit |= (np.abs(_wrapped(angle - lower)) <= near).any(axis=0)
                on_limit |= (np.abs(_wrapped(angle - upper)) <= near).any(axis=0)
    triangular = (square > triangle.folded) & (square < triangle.straight)
    touching = ~triangular & (square <= triangle.farthest) & (square >= triangle.nearest)
    inside &= triangular
    past_limit = (close & ~inside).any(axis=0) & triangular
    return Branches(q, inside, touching | past_limit | on_limit)


def _chosen(
    arm: PlanarArm,
    x: Floats,
    y: Floats,
    phi: Floats,
    seed: Floats | None = None,
    branch: str = 'nearest',
) -> Floats:
    """The solution of each pose (N, 3) [rad] that the seed and the branch choose, or the first of
    them without a seed; NaN where there is none."""
    q, inside, doubtful = branches_of(arm, x, y, phi)
    for joint, (lower, upper) in enumerate(arm.limits):
        if math.isinf(lower) and seed is not None:
            turns = np.rint((seed[:, joint] - q[:, joint]) / TURN)
            q[:, joint] += TURN * turns
        elif math.isfinite(lower) and upper - lower > NEARLY_A_TURN:
            near = np.full(len(x), lower) if seed is None else seed[:, joint]
            q[:, joint] = _nearest_turn(q[:, joint], near, lower, upper)
    best = ~inside[0]
    if seed is not None:
        change = np.abs(q - seed.T)
        cost = change.max(axis=1) + ONE_ORIENTATION * change.sum(axis=1)
        if branch != 'nearest':
            cost[0 if branch == 'elbow_down' else 1] += OTHER_BRANCH
        cost[~inside] = np.inf
        best = cost[1] < cost[0]
    chosen: Floats = np.where(best, q[1], q[0]).T
    chosen[~inside.any(axis=0)] = np.nan
    for row in np.flatnonzero(doubtful & ~np.isnan(phi)):
        near_one = None if seed is None else _triple(seed[row])
        found = solutions(arm, float(x[row]), float(y[row]), float(phi[row]), near_one)
        one = found[0] if found and near_one is None else choose(arm, found, near_one, branch)
        chosen[row] = np.nan if one is None else one
    return chosen


def _triple(joints: Floats) -> JointPositions:
    q1, q2, q3 = map(float, joints)
    return q1, q2, q3


def _nearest_turn(angle: Floats, reference: Floats, lower: float, upper: float) -> Floats:
    """The turn of each angle inside limits of a turn or more that is nearest to the reference."""
    turned = angle + TURN * np.rint((reference - angle) / TURN)
    turned -= TURN * np.ceil(np.maximum(turned - upper, 0.0) / TURN)
    turned += TURN * np.ceil(np.maximum(lower - turned, 0.0) / TURN)
    return np.clip(turned, lower, upper)


# --- orientations ---------------------------------------------------------------------------------


def gaps_of(arm: PlanarArm, x: Floats, y: Floats, alone: bool = False) -> Gaps:
    """The gaps between the cuts of each point, and which are reached; see orientation.intervals.

    Cuts that are reached `alone`, with no reached gap beside them, are looked for when asked for.
    """
    cuts = np.sort(_cuts(arm, x, y), axis=0)
    cuts[0] = np.where(np.isnan(cuts[0]), 0.0, cuts[0])
    exists = ~np.isnan(cuts)
    last = exists.sum(axis=0) - 1, np.arange(len(x))
    upper = np.vstack((cuts[1:], np.full((1, len(x)), np.nan)))
    upper[last] = cuts[0] + TURN
    exists &= np.hypot(x, y) <= arm.max_reach + arm.tolerance
    is_open = np.zeros(cuts.shape, bool)
    row, column = np.nonzero(exists)
    middle = (cuts[row, column] + upper[row, column]) / 2.0
    is_open[row, column] = _reached(arm, x[column], y[column], middle)
    awkward = np.zeros(len(x), bool)
    if alone:
        before = np.vstack((is_open[last][None, :], is_open[:-1]))
        row, column = np.nonzero(exists & ~is_open & ~before)
        awkward[column[_reached(arm, x[column], y[column], cuts[row, column])]] = True
    return Gaps(cuts, upper, is_open, awkward)


def _reached(arm: PlanarArm, x: Floats, y: Floats, phi: Floats) -> Bools:
    _, inside, doubtful = branches_of(arm, x, y, phi)
    reached: Bools = np.asarray(inside.any(axis=0))
    for row in np.flatnonzero(doubtful & ~reached):
        look = reached_with(arm, float(x[row]), float(y[row]), (float(phi[row]),))
        reached[row] = bool(look[0])
    return reached


def _cuts(arm: PlanarArm, x: Floats, y: Floats) -> Floats:
    """Cuts (K, N) in [-pi, pi], NaN for no cut; see orientation.orientation_cuts."""
    length_1, length_2, length_3 = arm.link_lengths
    distance, outwards = np.hypot(x, y), np.arctan2(y, x)
    pairs: list[Any] = []
    for reach, turn in arm.cut_circles.rigid:
        angle = _angles_between_sides(distance, reach, length_1, arm.tolerance)
        pairs += outwards + turn + angle, outwards + turn - angle
    if length_3 > arm.tolerance:
        for reach in arm.cut_circles.spans:
            angle = _angles_between_sides(distance, length_3, reach, arm.tolerance)
            pairs += outwards + angle, outwards - angle
        for elbow_x, elbow_y in arm.cut_circles.elbows:
            away_x, away_y = x - elbow_x, y - elbow_y
            away, direction = np.hypot(away_x, away_y), np.arctan2(away_y, away_x)
            angle = _angles_between_sides(away, length_3, length_2, arm.tolerance)
            pairs += direction + angle, direction - angle
    cuts = np.array(pairs) if pairs else np.full((1, len(x)), np.nan)
    return _wrapped(cuts)


def _angles_between_sides(
    side_a: Floats, side_b: float, opposite: float, tolerance: float
) -> Floats:
    """circles.angle_between_sides for many distances; NaN where there is no triangle."""
    difference, total = np.abs(side_a - side_b), side_a + side_b
    near, far = opposite - difference, total - opposite
    angle = 2.0 * np.arctan2(
        np.sqrt(np.maximum(near, 0.0) * (opposite + difference)),
        np.sqrt(np.maximum(far, 0.0) * (total + opposite)),
    )
    angle[near <= 0.5 * tolerance] = 0.0
    angle[far <= 0.5 * tolerance] = math.pi
    miss = MISS * tolerance
    angle[(near < -miss) | (far < -miss) | (side_a <= tolerance)] = np.nan
    return np.asarray(angle)


def _nearest_orientation(gaps: Gaps, phi: Floats) -> Floats:
    """The reached orientation nearest to `phi` (N,), NaN where there is none."""
    into = np.mod(phi - gaps.lower, TURN)
    width = gaps.upper - gaps.lower
    after = np.where(gaps.open, np.maximum(into - width, 0.0), np.inf)
    before = np.where(gaps.open & (into > width), TURN - into, after)
    ends = np.where(before < after, gaps.lower, np.where(after > 0.0, gaps.upper, phi))
    cost = np.minimum(after, before)
    best = np.argmin(cost, axis=0)
    columns = np.arange(len(phi))
    return _wrapped(np.where(np.isfinite(cost[best, columns]), ends[best, columns], np.nan))


def _middle_of_widest(gaps: Gaps) -> Floats:
    """Middle of the widest run of reached gaps (N,), NaN where there is none."""
    exists = ~np.isnan(gaps.lower)
    whole: Bools = np.asarray((gaps.open | ~exists).all(axis=0))
    start: Floats = np.zeros(len(whole))
    widest: Floats = np.full(len(whole), -1.0)
    middle: Floats = np.full(len(whole), np.nan)
    running: Bools = np.zeros(len(whole), bool)
    for turn in (0.0, TURN):  # twice round, for the run that crosses the end
        for lower, upper, is_open, there in zip(gaps.lower, gaps.upper, gaps.open, exists):
            start = np.where(is_open & ~running, lower + turn, start)
            width = upper + turn - start
            better = is_open & (width > widest + WIDTH_ROUNDING)
            widest = np.where(better, width, widest)
            middle = np.where(better, start + width / 2.0, middle)
            running = np.where(there, is_open, running)
    middle[whole] = 0.0
    return _wrapped(middle)


def _wrapped(angle: Floats) -> Floats:
    """Angles turned into [-pi, pi]."""
    return np.asarray(angle - TURN * np.rint(angle / TURN))


# --- the nearest point ----------------------------------------------------------------------------


def _nearest_joints(arm: PlanarArm, x: Floats, y: Floats) -> Floats:
    """Joint positions (N, 3) at the reachable points nearest to points that are not."""
    critical = arm.workspace.critical_arcs
    _, which, offset = _distance_to_arcs([one.arc for one in critical], x, y)
    joints = np.array([one.joints for one in critical])[which]
    turning = np.array([one.turning for one in critical])[which]
    upper = np.array([arm.limits[one.turning][1] for one in critical])[which]
    rows = np.arange(len(x))
    joints[rows, turning] = np.minimum(joints[rows, turning] + offset, upper)
    return np.asarray(joints)


def _distance_to_arcs(arcs: Any, x: Floats, y: Floats) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Distance [m] to the nearest of the arcs, which one it is, and the offset on it [rad]."""
    least: Floats = np.full(len(x), np.inf)
    least_beyond: Floats = np.full(len(x), np.inf)
    which, offset_on = np.zeros(len(x), np.intp), np.zeros(len(x))
    base = np.hypot(x, y)
    scale = np.maximum(base, 1e-300)
    for index, ((center_x, center_y), radius, start, sweep) in enumerate(arcs):
        away_x, away_y = x - center_x, y - center_y
        offset = np.mod(np.arctan2(away_y, away_x) - start, TURN)
        past = np.where(offset - sweep < TURN - offset, sweep, 0.0)
        offset = np.where(offset <= sweep, offset, past)
        place_x = center_x + radius * np.cos(start + offset)
        place_y = center_y + radius * np.sin(start + offset)
        distance = np.hypot(x - place_x, y - place_y)
        # What it is beyond the distance to the base: from afar, only that has digits to compare.
        beyond = place_x * (place_x / scale) + place_y * (place_y / scale)
        beyond -= 2.0 * (place_x * (x / scale) + place_y * (y / scale))
        beyond /= np.maximum(distance / scale + base / scale, 1e-300)
        nearer = beyond < least_beyond
        least_beyond = np.where(nearer, beyond, least_beyond)
        least = np.where(nearer, distance, least)
        which[nearer], offset_on[nearer] = index, offset[nearer]
    return least, which, offset_on
