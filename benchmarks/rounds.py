# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Interleaved rounds: every method is timed in every round, so that noise hits all alike."""

import gc
from time import perf_counter_ns
from typing import NamedTuple

import numpy as np

from benchmarks.closed_form import ClosedForm
from benchmarks.targets import ARMS

ROUNDS = 10
#: Calls before the first round of each method and class.
WARM_UP = 6
#: How often the C program walks through the same targets in one round.
C_REPEATS = 50


class Figures(NamedTuple):
    """Times of one method for one class of targets; rates are shares of its calls."""

    calls: int
    median: float  # [us]
    p99: float  # [us]
    right: float
    wrong_claims: float

    @classmethod
    def of(cls, times, verdicts):
        median, p99 = np.percentile(times, [50.0, 99.0]) / 1000.0
        right, wrong = np.mean(verdicts, axis=0)
        return cls(len(times), median, p99, right, wrong)


def measure(methods, classes):
    """Figures of each (class, method), and the C program's microseconds for each class.

    `methods` maps names to (share of the targets in a round, instance by arm).
    """
    times = {(kind, name): [] for kind in classes for name in methods}
    verdicts = {key: [] for key in times}
    limits = {kind: [] for kind in classes}
    for number in range(-1, ROUNDS):
        for kind, targets in classes.items():
            limits[kind].append(_closed_form_time(targets))
            for name, (share, by_arm) in methods.items():
                count = share if number >= 0 else min(share, WARM_UP)
                chosen = [targets[(number * share + i) % len(targets)] for i in range(count)]
                took, results = timed(
                    [(by_arm[one.arm].ask, by_arm[one.arm].arguments(one)) for one in chosen]
                )
                if number >= 0:
                    times[kind, name] += took
                    verdicts[kind, name] += [
                        by_arm[target.arm].judge(target, result)
                        for target, result in zip(chosen, results)
                    ]
    figures = {key: Figures.of(times[key], verdicts[key]) for key in times}
    return figures, {kind: float(np.median(took)) for kind, took in limits.items()}


def timed(calls):
    """Nanoseconds and result of each call (function, arguments); the garbage collector waits."""
    took, results = [], []
    gc.collect()
    gc.disable()
    for ask, arguments in calls:
        begin = perf_counter_ns()
        result = ask(*arguments)
        end = perf_counter_ns()
        took.append(end - begin)
        results.append(result)
    gc.enable()
    return took, results


def timer_overhead():
    """What an empty call takes in the same loop [us]."""
    took = []
    ask, arguments = (lambda *_: None), (0.0, 0.0, 0.0)
    for _ in range(2000):
        begin = perf_counter_ns()
        ask(*arguments)
        end = perf_counter_ns()
        took.append(end - begin)
    return float(np.median(took)) / 1000.0


def _closed_form_time(targets):
    """Microseconds per target of the C program, in its own loop over an array of them."""
    seconds = 0.0
    for name, arm in ARMS.items():
        poses = [target.pose for target in targets if target.arm == name]
        if poses:
            seconds += ClosedForm(arm).solve(np.tile(poses, (C_REPEATS, 1))).seconds
    return 1e6 * seconds / (C_REPEATS * len(targets))
