# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What limbs are asked: seeded targets of each class for chains, bones and a tree."""

import cmath
import math
from typing import NamedTuple

import numpy as np

from benchmarks.limbs import ORIGIN, placed
from ik_circles.limbs import LinkChain

#: Targets of a class.
COUNT = 120
CLASSES = 'reachable', 'at an edge', 'too far', 'too near'
#: How near to an edge of the zones, from its inside, as powers of ten of the reach.
NEAREST_EDGE, FARTHEST_EDGE = -9.0, -3.0


class Case(NamedTuple):
    """A target for one of the limbs, the shape before, and whether the target can be reached."""

    limb: int
    target: object
    start: object
    reachable: bool


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
