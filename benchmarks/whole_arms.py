# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Whole arms, yaw joint and wrist included, beside EAIK: 5 joints and 6.

EAIK is told of the same axes. It knows no limits: of its solutions those count that are exact, and
inside the limits at some turn. We are asked for the same: `tilt_tolerance` is what counts as exact.
All calls are interleaved, round by round.
"""

import gc
from functools import partial
from itertools import islice, pairwise
from time import perf_counter

import numpy as np

from benchmarks.report import short, table
from benchmarks.rounds import timed
from benchmarks.targets import SEED, robot, turned
from ik_circles.robot.tree import movable_along

#: Robots of 5 and 6 joints: aims for all solutions of a pose beside EAIK's bare call, and for the
#: batch beside EAIK's.
ROBOTS = {'so101': (3.0, 1.0), 'ur5e': (6.0, 1.5)}
COUNT = 2000
MANY = 50_000
ROUNDS = 7
#: A full "no" in times of a full "yes".
NO_IN_YES = 4.0
#: What closes, and what is inside the limits [m or rad].
MISS, ROUNDING = 1e-6, 1e-9


class WholeArm:
    """A robot, and own poses of it; `eaik` is EAIK's robot, or None if it is not installed."""

    def __init__(self, name):
        self.name, self.arm = name, robot(name)
        self.joints = self.arm.naming.joints
        self.limits = [(one.lower, one.upper) for one in self.joints.values()]
        rng = np.random.default_rng(SEED)
        self.own = rng.uniform(*np.transpose(self.limits), (MANY, len(self.limits)))
        self.poses = np.array([self.arm.forward_kinematics(self.named(q)) for q in self.own])
        self.asked = [(pose[:3, 3].tolist(), pose[:3, :3].copy()) for pose in self.poses[:COUNT]]
        self.eaik, self.turn = self._eaik()

    def named(self, q):
        return dict(zip(self.joints, map(float, q)))

    def _eaik(self):
        """EAIK's robot, and the tip's orientation with all joints at 0, which it leaves out."""
        from eaik.IK_HP import HPRobot

        moving = movable_along(self.arm.found.path, {})
        placed = [one for one in moving if one.joint.name in self.joints]
        tip = self.arm.forward_kinematics(dict.fromkeys(self.joints, 0.0))
        points = np.array([np.zeros(3), *(one.position for one in placed), tip[:3, 3]])
        return HPRobot(np.array([one.axis for one in placed]), np.diff(points, axis=0)), tip[:3, :3]

    # --- ours ---

    def solutions(self, point, rotation):
        return self.arm.inverse_kinematics(point, rotation=rotation, tilt_tolerance=MISS)

    def full_answer(self, point, rotation):
        """The code, the sentence with the reason and its figures, and the nearest pose."""
        found = self.arm.check_reachability(point, rotation=rotation)
        return found.code, found.message, found.nearest

    # --- EAIK's ---

    def for_eaik(self, point, rotation):
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = rotation @ self.turn.T, point
        return pose

    def eaik_with_limits(self, point, rotation):
        """What `inverse_kinematics` gives: numbers in, joint positions inside the limits out."""
        result = self.eaik.IK(self.for_eaik(point, rotation))
        return [
            self.named(q)
            for found, approximate in zip(result.Q.tolist(), result.is_LS)
            if not approximate
            for q in [turned(found, self.limits)]
            if all(angle <= high + ROUNDING for angle, (_, high) in zip(q, self.limits))
        ]

    # --- judged ---

    def share_right(self, found):
        """Of own poses, the share with the own configuration among solutions that all close."""
        rows = zip(self.own, self.poses, found)
        return np.mean([self._is_right(*row) for row in rows])

    def _is_right(self, own, pose, solutions):
        closes = all(
            np.abs(self.arm.forward_kinematics(one) - pose).max() <= MISS for one in solutions
        )
        wanted = self.named(own)
        return closes and any(
            all(abs(np.remainder(one[name] - wanted[name] + np.pi, 2.0 * np.pi) - np.pi) <= MISS
                for name in wanted)
            for one in solutions
        )  # fmt: skip

    def otherwise_turned(self):
        """Poses with the orientation of another one, that the arm cannot take."""
        return self._refused((at, other) for (at, _), (_, other) in pairwise(self.asked))

    def too_far(self):
        """Poses three times as far from base_link, that the arm cannot take."""
        return self._refused((np.multiply(3.0, at).tolist(), turn) for at, turn in self.asked)

    def _refused(self, poses):
        check = self.arm.check_reachability
        some = ((at, turn) for at, turn in poses if not check(at, rotation=turn).reachable)
        return list(islice(some, COUNT // 4))


#: The kinds of full "no".
NO = {
    'full "no", otherwise turned': WholeArm.otherwise_turned,
    'full "no", too far': WholeArm.too_far,
}


def of_whole_arms():
    """The table, or why there is none."""
    try:
        return '\n\n'.join(('## Whole arms', *map(_of, ROBOTS)))
    except ImportError as error:
        return f'## Whole arms\n\nNot measured: {error}.'


def _of(name):
    one = WholeArm(name)
    single, found = _singles(one)
    many = _batches(one)
    bare, batch = ROBOTS[name]
    ours, eaik, filtered = single['ours'], single['EAIK alone'], single['EAIK, limits filtered']
    rows = [
        ('all solutions: µs', '', short(ours)),
        ('EAIK: IK(pose) alone: µs', '', short(eaik)),
        ('EAIK: pose built, read, limits filtered: µs', '', short(filtered)),
        ('all solutions / EAIK alone', f'<= {bare:g}', short(ours / eaik)),
        ('all solutions / EAIK, limits filtered', '< 1', short(ours / filtered)),
        ('right %', '100', _percent(one.share_right(found['ours']))),
        ('right %, EAIK', '', _percent(one.share_right(found['EAIK, limits filtered']))),
        ('full "yes": µs', '', short(single['full "yes"'])),
    ]
    for no in NO:
        no_in_yes = single[no] / single['full "yes"']
        rows.append((f'{no}: µs', '', short(single[no])))
        rows.append((f'{no} / "yes"', f'<= {NO_IN_YES:g}', short(no_in_yes)))
    for number in (1, 4):
        eaik = many[f'EAIK, {number} thread(s)']
        rows.append((f'EAIK IK_batched, {number} thread(s): µs a pose', '', short(eaik)))
    for ours in ('solve_batch', 'solve_batch, a seed for each'):
        ratio = many[ours] / many['EAIK, 1 thread(s)']
        rows.append((f'{ours}: µs a pose', '', short(many[ours])))
        rows.append((f'{ours} / EAIK IK_batched, 1 thread', f'<= {batch:g}', short(ratio)))
    return f'{name}, {len(one.limits)} joints, medians\n\n' + table(
        ('what', 'aim', 'measured'), rows
    )


def _percent(share):
    return f'{100.0 * share:.1f}'


def _singles(one):
    """Median microseconds of each call, and what it gave in the last round."""
    calls = {
        'ours': (one.solutions, one.asked),
        'EAIK alone': (one.eaik.IK, [(one.for_eaik(*asked),) for asked in one.asked]),
        'EAIK, limits filtered': (one.eaik_with_limits, one.asked),
        'full "yes"': (one.full_answer, one.asked[: COUNT // 4]),
        **{name: (one.full_answer, asked(one)) for name, asked in NO.items()},
    }
    took, found = {name: [] for name in calls}, {}
    for number in range(ROUNDS + 1):
        for name, (ask, arguments) in calls.items():
            nanoseconds, found[name] = timed([(ask, each) for each in arguments])
            if number:
                took[name].append(np.median(nanoseconds) / 1000.0)
    return {name: float(np.median(some)) for name, some in took.items()}, found


def _batches(one):
    """Median microseconds per pose."""
    listed = list(one.poses.copy())
    for pose in listed:
        pose[:3, :3] = pose[:3, :3] @ one.turn.T
    fixed = {'orientation_mode': 'fixed', 'tilt_tolerance': MISS}
    solve = partial(one.arm.solve_batch, one.poses, **fixed)
    calls = {
        'EAIK, 1 thread(s)': partial(one.eaik.IK_batched, listed, 1),
        'EAIK, 4 thread(s)': partial(one.eaik.IK_batched, listed, 4),
        'solve_batch': solve,
        'solve_batch, a seed for each': partial(solve, seed=np.roll(one.own, 1, axis=0)),
    }
    took = {name: [] for name in calls}
    for number in range(ROUNDS + 1):
        for name, call in calls.items():
            gc.collect()
            gc.disable()
            begin = perf_counter()
            result = call()
            seconds = perf_counter() - begin
            gc.enable()
            del result
            if number:
                took[name].append(1e6 * seconds / MANY)
    return {name: float(np.median(some)) for name, some in took.items()}


if __name__ == '__main__':
    print(of_whole_arms())
