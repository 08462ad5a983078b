"""Methods of the five sources beside FABRIK and CCD: cost, success, iterations, and smoothness.

`scripts/bench` writes this section into its report; `python -m benchmarks.methods` prints it alone.
"""

import cmath
import math
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from benchmarks.iterative import MOST
from benchmarks.limbs import (
    BONES,
    IN_THE_PLANE,
    ORIGIN,
    THREE_LINKS,
    TREE,
    TWO_LINKS,
    K,
    Near,
    ZForm,
    joint_angles,
    largest_miss,
    placed,
)
from benchmarks.report import short, table
from benchmarks.rounds import WARM_UP, timed
from benchmarks.targets import SEED
from ik_circles.methods import (
    LinkChain,
    solve_two_circles_batch,
    solve_two_links_batch,
    z_reach,
)

ROUNDS = 5
#: Targets of a class.
COUNT = 120
CLASSES = 'reachable', 'at an edge', 'too far', 'too near'
#: How near to an edge of the zones, from its inside, as powers of ten of the reach.
NEAREST_EDGE, FARTHEST_EDGE = -9.0, -3.0
#: Targets of a batch, and how often it is called.
BATCH, BATCH_ROUNDS = 100_000, 7
#: Steps of a path, and the arms that follow it.
STEPS = 400
FOLLOWERS = {3: (0.4, 0.3, 0.2), 12: (0.1,) * 12}


class Case(NamedTuple):
    """A target for one of the limbs, the shape before, and whether the target can be reached."""

    limb: int
    target: object
    start: object
    reachable: bool


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


# --- what is asked --------------------------------------------------------------------------------


def chains(rng, count):
    """Link lengths of four chains (equal, any, any, one link with a hole about the base), and
    cases of each class for them in turn."""
    any_1, any_2 = rng.uniform(0.2, 1.0, (2, count)).tolist()
    long = rng.uniform(0.2, 1.0, count).tolist()
    long[count // 2] = 1.5 * (sum(long) - long[count // 2])
    limbs = [[0.5] * count, any_1, any_2, long]
    return limbs, {
        kind: [chain_case(rng, limbs, kind, number) for number in range(COUNT)] for kind in CLASSES
    }


def chain_case(rng, limbs, kind, number):
    limb = len(limbs) - 1 if kind == 'too near' else number % len(limbs)
    lengths = limbs[limb]
    distance = random_distance(rng, LinkChain(tuple(lengths)).safe_zones, kind)
    target = cmath.rect(distance, rng.uniform(-math.pi, math.pi))
    bends = rng.uniform(-1.0, 1.0, len(lengths))
    bends[0] *= math.pi
    return Case(limb, target, placed(lengths, bends.tolist()), not kind.startswith('too'))


def random_distance(rng, zones, kind):
    """From the base, 2 % of the ring off its edges unless at one."""
    inner, outer = zones.inner, zones.outer
    width = outer - inner
    beside = outer * 10.0 ** rng.uniform(NEAREST_EDGE, FARTHEST_EDGE)
    return {
        'reachable': rng.uniform(inner + 0.02 * width, outer - 0.02 * width),
        'at an edge': (inner + beside, outer - beside)[rng.integers(2)],
        'too far': outer * rng.uniform(1.01, 1.5),
        'too near': inner * rng.uniform(0.0, 0.99),
    }[kind]


def bones(rng):
    """The same with two bones in space."""
    limbs = [(0.5, 0.5), (0.5, 0.4), (0.3, 0.6)]
    return limbs, {
        kind: [bones_case(rng, limbs, kind, number) for number in range(COUNT)] for kind in CLASSES
    }


def bones_case(rng, limbs, kind, number):
    limb = 1 + number % 2 if kind == 'too near' else number % len(limbs)
    upper, lower = limbs[limb]
    distance = random_distance(rng, LinkChain((upper, lower)).safe_zones, kind)
    thigh, shin, away = rng.normal(size=(3, 3))
    knee = upper * thigh / np.linalg.norm(thigh)
    foot = knee + lower * shin / np.linalg.norm(shin)
    target = distance * away / np.linalg.norm(away)
    start = ORIGIN, tuple(knee.tolist()), tuple(foot.tolist())
    return Case(limb, tuple(target.tolist()), start, not kind.startswith('too'))


def trees(rng):
    """Targets that limbs reach from a random fork; that all straight links reach, to within a
    hair; and one beyond that."""
    limbs = [([0.5, 0.4], [[0.4, 0.3, 0.2], [0.3, 0.3, 0.3], [0.5, 0.4]])]
    return limbs, {
        kind: [tree_case(rng, limbs[0], kind) for _ in range(COUNT)] for kind in CLASSES[:3]
    }


def tree_case(rng, lengths, kind):
    trunk, limbs = lengths
    truth, start = (grown(rng, trunk, limbs) for _ in range(2))
    targets = [points[-1] for points in truth[1]]
    if kind == 'at an edge':
        heading = rng.uniform(-math.pi, math.pi)
        beside = 1.0 - 10.0 ** rng.uniform(NEAREST_EDGE, FARTHEST_EDGE)
        targets = [cmath.rect(beside * (sum(trunk) + sum(limb)), heading) for limb in limbs]
    elif kind == 'too far':
        heading = rng.uniform(-math.pi, math.pi)
        targets[0] = cmath.rect((sum(trunk) + sum(limbs[0])) * rng.uniform(1.01, 1.5), heading)
    return Case(0, targets, start, kind != 'too far')


def grown(rng, trunk, limbs):
    """Points of a trunk and of its limbs at random joint angles."""
    stem = placed(trunk, rng.uniform(-math.pi, math.pi, len(trunk)).tolist())
    twigs = [placed(limb, rng.uniform(-1.5, 1.5, len(limb)).tolist()) for limb in limbs]
    return stem, [[stem[-1] + point for point in points] for points in twigs]


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
    rng = np.random.default_rng(SEED)
    lengths = 0.5, 0.4
    distance = rng.uniform(0.0, 1.2 * sum(lengths), BATCH)
    angle = rng.uniform(-math.pi, math.pi, BATCH)
    targets = np.column_stack((distance * np.cos(angle), distance * np.sin(angle)))
    within = (distance >= abs(lengths[0] - lengths[1])) & (distance <= sum(lengths))
    calls = {
        'solve_two_circles_batch': partial(solve_two_circles_batch, (0.0, 0.0), targets, *lengths),
        'solve_two_links_batch': partial(solve_two_links_batch, targets, *lengths),
    }
    rows = []
    for name, call in calls.items():
        took, answers = timed([(call, ())] * (BATCH_ROUNDS + 1))
        each = np.median(took[1:]) / 1000.0 / BATCH
        right = np.mean((answers[-1].miss == 0.0) == within)
        rows.append((name, short(each), f'{100.0 * right:.4g}'))
    return table((f'{BATCH:,} targets, 75 % in reach', 'µs per target', 'right verdicts %'), rows)


# --- paths ----------------------------------------------------------------------------------------


def smoothness():
    """How far joints go while a target goes round a circle, and along a line from edge to edge."""
    rows = []
    for count, lengths in FOLLOWERS.items():
        for path, targets in paths(sum(lengths)).items():
            start = placed(lengths, [0.3] * count)
            start = Near(lengths).ask(*Near(lengths).arguments(targets[0], start)).points
            start = [complex(*point) for point in start]
            for kind in THREE_LINKS if count == 3 else IN_THE_PLANE:
                told = follow(kind(list(lengths)), targets, start)
                rows.append((f'{count} links, {path}', kind.name, *told))
    head = 'path', 'method', 'largest rad', 'rms rad', 'largest / step', 'missed %', 'iterations'
    return table(head, rows)


def paths(reach):
    """Complex targets of each path."""
    turn = np.exp(2j * np.pi * np.linspace(0.0, 1.0, STEPS + 1))
    offset = 0.4
    half = math.sqrt(0.999**2 - offset**2)
    along = np.linspace(-half, half, STEPS + 1) + 1j * offset
    return {
        'circle': (reach * (0.65 + 0.2 * turn)).tolist(),
        'line': (reach * along).tolist(),
    }


def follow(method, targets, start):
    """Each step from the shape before: what the table's columns say of it."""
    moves, ratios, iterations, missed, shape = [], [], [], 0, start
    for number, target in enumerate(targets):
        answer = method.ask(*method.arguments(target, shape))
        points = method.points(answer, shape)
        iterations.append(answer.iterations if method.iterates else 0)
        if points is None:
            missed += 1
            points = answer.points if method.iterates else shape
        if number:  # the first is from the start that all have
            step = abs(target - targets[number - 1])
            turns = zip(joint_angles(points), joint_angles(shape))
            moves.append([math.remainder(a - b, math.tau) for a, b in turns])
            ratios.append(max(abs(a - b) for a, b in zip(points, shape)) / step)
        shape = points
    largest, rms = np.abs(moves).max(), math.sqrt(np.mean(np.square(moves)))
    told = f'{np.median(iterations):.0f} / {max(iterations)}' if method.iterates else ''
    share = f'{100.0 * missed / len(targets):.3g}'
    return short(largest), short(rms), short(max(ratios)), share, told


NOTES = """- {count} targets of each class for each limb, seed {seed}: four chains (one with a hole about
  the base), three pairs of bones, one tree. All methods get the same targets, and those that
  start from a shape get the same one, its joints bent at random.
- "At an edge": inside the zones by 1e-9 to 1e-3 of the reach; the tree with all links nearly
  straight.
- FABRIK and CCD stop within 1e-6 or 1e-12 of the reach, or give up after {most} iterations.
- "Right": the tip is on the target within as much, and each link has its length (of ours:
  within 1e-12 of the reach; the largest miss was {miss:.0e}). Out of reach: the method says so.
  FABRIK's own test of reach tells what is too far, and CCD is given it, too. What is too near
  they only tell by giving up. That is no proof: at the edges it looks the same.
- Iterations: ours have none, but 'even' solves one equation for its circle.
- The Z-form crosses at k = {k}: {no_z} of its targets in reach have no such Z (`z_reach`); it finds
  {found_z} of the other {has_z}.
- Paths: {steps} steps, each from the shape before: round a circle in the middle of the zones, and
  along a line from edge to edge. "Largest" and "rms": turns of single joints in one step.
  "Largest / step": how far a joint moved, over the target's step; by the edges it is large for
  all.
- Measured in {seconds:.0f} s."""


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
