# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Methods of the five sources beside FABRIK and CCD: cost, success, iterations, and smoothness.

`scripts/bench` writes this section into its report; `python -m benchmarks.methods` prints it alone.
"""

import cmath
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from benchmarks.iterative import MOST
from benchmarks.limb_targets import CLASSES, COUNT, bones, chains, trees
from benchmarks.limbs import (
    BONES,
    IN_THE_PLANE,
    THREE_LINKS,
    TREE,
    TWO_LINKS,
    K,
    ZForm,
    largest_miss,
)
from benchmarks.report import short, table
from benchmarks.rounds import WARM_UP, timed
from benchmarks.smoothness import STEPS, smoothness
from benchmarks.targets import SEED
from ik_circles.limbs import solve_two_circles_batch, solve_two_links_batch
from ik_circles.planar.redundancy import z_reach

PI = np.pi
ROUNDS = 5
#: Targets of a batch, and how often it is called.
BATCH, BATCH_ROUNDS = 100_000, 7
NOTES = """\
- {count} targets of each class for each limb, seed {seed}: four chains (one with a hole about
  the base), three pairs of bones, one tree. All methods get the same targets. Those that start
  from a shape get the same one, with its joints bent at random.
- "At an edge": inside the zones by 1e-9 to 1e-3 of the reach. The links of the tree are nearly
  straight.
- FABRIK and CCD stop within 1e-6 or 1e-12 of the reach, or give up after {most} iterations. CCD
  is here for chains in the plane only.
- "Right", in reach: the tip is on the target within that tolerance, and each link has its length
  (ours: within 1e-12 of the reach; the largest miss was {miss:.0e}). Out of reach: the method says
  so. FABRIK's own test of reach finds the targets that are too far, and CCD is given this test,
  too. Both find that a target is too near only by giving up. That is no proof: at the edges it
  looks the same.
- Iterations: ours have none.
- The Z-form crosses at k = {k}: {no_z} of its targets in reach have no such Z (`z_reach`); it finds
  {found_z} of the other {has_z}.
- Paths: {steps} steps, each from the shape before: round a circle in the middle of the zones, and
  along a line from edge to edge. "Largest" and "rms": turns of single joints in one step.
  "Largest / step": how far a joint moved, over the step of the target. Near the edges it is large
  for all methods.
- Measured in {seconds:.0f} s."""


class Figures(NamedTuple):
    """Of one method and class of targets: microseconds, share that is right, iterations, miss."""

    median: float
    p99: float
    right: float
    iterations: tuple
    miss: float


def of_methods():
    """The section, as Markdown."""
    begin = perf_counter()
    rng = np.random.default_rng(SEED)
    problems = {
        '2 links': (TWO_LINKS, *chains(rng, 2)),
        '3 links': (THREE_LINKS, *chains(rng, 3)),
        '6 links': (IN_THE_PLANE, *chains(rng, 6)),
        '12 links': (IN_THE_PLANE, *chains(rng, 12)),
        '2 bones in space': (BONES, *bones(rng)),
        'tree of 3 limbs': (TREE, *trees(rng)),
    }
    figures = {name: measure(*problem) for name, problem in problems.items()}
    parts = (
        '## Methods of the five sources beside FABRIK and CCD',
        'Microseconds of a call, median / p99:\n\n' + cells(figures, cost),
        'Right answers in %, and iterations, median / most:\n\n' + cells(figures, success),
        'Many targets in one call:\n\n' + batches(),
        'A target that moves in steps:\n\n' + smoothness(),
        notes(figures, problems, perf_counter() - begin),
    )
    return '\n\n'.join(parts)


# --- single calls ---------------------------------------------------------------------------------


def measure(kinds, limbs, classes):
    """Figures of each (method, class of targets), all methods taking turns in every round."""
    by_limb = {kind: [kind(lengths) for lengths in limbs] for kind in kinds}
    times = {(kind, name): [] for kind in kinds for name in classes}
    verdicts = {key: [] for key in times}
    for number in range(-1, ROUNDS):
        for kind, name in times:
            first = number * kind.share % COUNT
            count = kind.share if number >= 0 else WARM_UP
            cases = classes[name][first : first + count]
            calls = [
                (by_limb[kind][c.limb].ask, by_limb[kind][c.limb].arguments(c.target, c.start))
                for c in cases
            ]
            took, answers = timed(calls)
            if number < 0:
                continue
            times[kind, name] += took
            verdicts[kind, name] += [
                verdict(by_limb[kind][case.limb], case, answer)
                for case, answer in zip(cases, answers)
            ]
    return {
        (kind.name, name): figures_of(times[kind, name], verdicts[kind, name])
        for kind, name in times
    }


def verdict(method, case, answer):
    """Whether the answer is right, its iterations, and the miss of what it claims in reaches."""
    iterations = answer.iterations if method.iterates else 0
    points = method.points(answer, case.start)
    if points is None:
        return not case.reachable, iterations, 0.0
    miss = largest_miss(method.lengths, points, case.target) / method.reach
    return case.reachable and miss <= method.tolerance, iterations, miss


def figures_of(times, verdicts):
    median, p99 = np.percentile(times, [50.0, 99.0]) / 1000.0
    right, iterations, misses = zip(*verdicts)
    return Figures(
        median, p99, np.mean(right), (int(np.median(iterations)), max(iterations)), max(misses)
    )


def cells(figures, cell):
    """A row for each limb and method, a column for each class of targets."""
    rows = []
    for limb, of_limb in figures.items():
        for name in dict.fromkeys(name for name, _ in of_limb):
            found = (of_limb.get((name, kind)) for kind in CLASSES)
            rows.append((limb, name, *(cell(one) if one else '' for one in found)))
    return table(('limb', 'method', *CLASSES), rows)


def cost(got):
    return f'{short(got.median)} / {short(got.p99)}'


def success(got):
    right = f'{100.0 * got.right:.4g}'
    median, most = got.iterations
    return f'{right} ({median} / {most})' if most else right


# --- many targets at once -------------------------------------------------------------------------


def batches():
    """Two links; how far the targets are missed by links that keep their lengths."""
    rng = np.random.default_rng(SEED)
    lengths = 0.5, 0.4
    targets = np.array([cmath.rect(*one) for one in rng.uniform((0, -PI), (1, PI), (BATCH, 2))])
    within = (abs(targets) >= lengths[0] - lengths[1]) & (abs(targets) <= sum(lengths))
    points = np.column_stack((targets.real, targets.imag))
    calls = {
        'solve_two_circles_batch': partial(solve_two_circles_batch, (0.0, 0.0), points, *lengths),
        'solve_two_links_batch': partial(solve_two_links_batch, points, *lengths),
    }
    rows = []
    for name, call in calls.items():
        took, answers = timed([(call, ())] * (BATCH_ROUNDS + 1))
        answer = answers[-1]
        right = np.mean((answer.miss == 0.0) == within)
        misses = batch_misses(answer, targets, lengths)[within] / sum(lengths)
        each = np.median(took[1:]) / 1000.0 / BATCH
        rows.append((name, short(each), f'{100.0 * right:.4g}', f'{misses.max():.0e}'))
    reached = f'{BATCH:,} targets, {100.0 * within.mean():.0f} % in reach'
    return table((reached, 'µs per target', 'right verdicts %', 'largest miss / reach'), rows)


def batch_misses(answer, targets, lengths):
    """Of the tip of joint positions; of the lengths of links that meet in elbows [m]."""
    if hasattr(answer, 'joint_positions'):
        turns = np.exp(1j * np.cumsum(answer.joint_positions, axis=1))
        return abs(turns @ lengths - targets)
    elbows = answer.elbows @ [1.0, 1j]
    return np.maximum(
        abs(abs(elbows) - lengths[0]), abs(abs(targets[:, None] - elbows) - lengths[1])
    ).max(axis=1)


def notes(figures, problems, seconds):
    """What the tables mean."""
    ours = [
        got.miss
        for (kinds, *_), of_limb in zip(problems.values(), figures.values())
        for (name, _), got in of_limb.items()
        if not next(kind.iterates for kind in kinds if kind.name == name)
    ]
    _, limbs, classes = problems['3 links']
    reachable = CLASSES[:2]
    has_z = [
        any(low <= abs(case.target) <= high for low, high in z_reach(limbs[case.limb], K))
        for kind in reachable
        for case in classes[kind]
    ]
    found = sum(figures['3 links'][ZForm.name, kind].right for kind in reachable) * COUNT
    return NOTES.format(
        count=COUNT, seed=SEED, most=MOST, miss=max(ours), steps=STEPS, seconds=seconds,
        k=K, no_z=has_z.count(False), found_z=round(found), has_z=has_z.count(True),
    )  # fmt: skip


if __name__ == '__main__':
    print(of_methods())
