# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many targets at once: the batch calls and EAIK's, per target, against the C program."""

import gc
import json
import subprocess
import sys
from functools import partial
from time import perf_counter

import numpy as np

from benchmarks.closed_form import ClosedForm
from benchmarks.targets import ARMS, SEED, points_about, robot

COUNT = 100_000
#: Behind a yaw joint: the plane holds its axis, or passes beside it.
ROBOTS = 'open_manipulator_x', 'so101'
ROUNDS = 7


def measure_batch(eaik):
    """Rows (name, median us per target, ratio to C, remark); `eaik` is a class or None."""
    arm = ARMS['0.4/0.3/0.2']
    targets = mixed_targets(arm)
    solver = ClosedForm(arm)
    reachable = solver.solve(targets).counts > 0
    calls = {'C, gcc -O3': lambda: solver.solve(targets)}
    # The C program's work: this orientation or none. Left to itself, solve_batch looks for others.
    calls['solve_batch'] = partial(arm.solve_batch, targets, orientation_mode='fixed')
    verdicts = 'check_reachability_batch'
    calls[verdicts] = partial(arm.check_reachability_batch, targets)
    calls[f'{verdicts}, points'] = partial(arm.check_reachability_batch, targets[:, :2])
    shares = np.random.default_rng(SEED).uniform(-1.0, 1.0, (COUNT, 3))
    for name in ROBOTS:
        ask = robot(name).check_reachability_batch
        calls[f'{verdicts}, {name}'] = partial(ask, points_about(robot(name), shares))
    if eaik:
        calls |= eaik_calls(eaik(arm).robot, targets)
    took = _interleaved(calls)
    limit = np.median(took['C, gcc -O3'])
    return [
        (
            name,
            1e6 * np.median(seconds) / COUNT,
            np.median(seconds) / limit,
            agreement(arm, targets, calls[name](), reachable) if hasattr(arm, name) else '',
        )
        for name, seconds in took.items()
    ]


def mixed_targets(arm):
    """Half of them reachable, half anywhere in the square around the arm's reach."""
    rng = np.random.default_rng(SEED)
    joints = rng.uniform(*zip(*arm.limits), (COUNT // 2, 3))
    anywhere = rng.uniform(-1.0, 1.0, (COUNT // 2, 3)) * [arm.max_reach, arm.max_reach, np.pi]
    return rng.permutation(np.vstack((arm.forward_kinematics(joints), anywhere)))


def eaik_calls(robot, targets):
    """EAIK's batch with one and with four threads; its list of matrices is built beforehand."""
    cos, sin = np.cos(targets[:, 2]), np.sin(targets[:, 2])
    poses = np.tile(np.eye(4), (COUNT, 1, 1))
    poses[:, 0, 0], poses[:, 0, 1], poses[:, 1, 0], poses[:, 1, 1] = cos, -sin, sin, cos
    poses[:, :2, 3] = targets[:, :2]
    listed = list(poses)
    return {
        f'EAIK IK_batched, {threads} thread(s)': partial(robot.IK_batched, listed, threads)
        for threads in (1, 4)
    }


def agreement(arm, targets, result, reachable):
    """How many verdicts differ from the C program's, and how far solutions miss at most.

    Read from `.reachable`, `.solutions` or the array itself: booleans, or joints (N, ..., 3) that
    are NaN where there is no solution.
    """
    values = np.asarray(getattr(result, 'reachable', getattr(result, 'solutions', result)))
    if values.shape[:1] != (COUNT,) or values.dtype.kind not in 'bf':
        return 'not compared'
    if values.dtype == bool:
        return f'{(values != reachable).sum()} verdicts differ from C'
    found = np.isfinite(values).reshape(COUNT, -1).any(axis=1)
    said = f'{(found != reachable).sum()} verdicts differ from C'
    if values.shape[-1] != 3:
        return said
    tips = arm.forward_kinematics(values.reshape(-1, 3)).reshape(COUNT, -1, 3)
    misses = np.hypot(*np.moveaxis(tips[..., :2] - targets[:, None, :2], -1, 0))
    return f'{said}; misses by {np.nanmax(misses):.1g} m at most'


def measure_map(*where):
    """Seconds and peak megabytes of a map in a process of its own, or the reason."""
    command = [sys.executable, '-m', 'benchmarks.capability_map', *where]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {'error': (done.stderr.strip().splitlines() or ['no reason given'])[-1]}
    return json.loads(done.stdout)


def _interleaved(calls):
    """Seconds of each call in each round, after one round of warm-up; C's own clock for C."""
    took = {name: [] for name in calls}
    for number in range(ROUNDS + 1):
        for name, call in calls.items():
            gc.collect()
            gc.disable()
            begin = perf_counter()
            result = call()
            seconds = perf_counter() - begin
            gc.enable()
            if number:
                took[name].append(getattr(result, 'seconds', seconds))
            del result
    return took
