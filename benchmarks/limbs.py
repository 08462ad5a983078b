# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Every method of ik_circles.limbs, FABRIK and CCD, made alike: a target in, points out."""

import cmath
import math
from itertools import accumulate, pairwise

import numpy as np

from benchmarks.iterative import ccd, fabrik, fabrik_in_space, fabrik_tree
from ik_circles import PlanarArm
from ik_circles.limbs import (
    Bone,
    LinkChain,
    LinkTree,
    place_bones,
    solve_two_circles,
    solve_two_links,
    turn_bones,
)
from ik_circles.planar.redundancy import solve_outermost, solve_z_form

#: Misses of this share of the reach are closed, unless a method has a tolerance of its own.
CLOSED = 1e-12
#: The share of the middle link at which the Z-form crosses.
K = 0.5


class Method:
    """One way to solve one limb: `ask(*arguments(target, start))` is what is timed.

    `target` is complex and `start` a list of complex points, unless the limb says otherwise;
    `points(answer, start)` are those from base to tip, of several answers the one nearest to the
    start; None where the method says that it cannot.
    """

    name = ''
    #: Targets asked in a round.
    share = 120
    tolerance = CLOSED
    iterates = False

    def __init__(self, lengths):
        self.lengths = lengths

    @property
    def reach(self):
        return sum(self.lengths)

    def arguments(self, target, start):
        return ((target.real, target.imag),)

    def points(self, answer, start):
        return None if answer is None else [complex(*point) for point in answer.points]


class TwoCircles(Method):
    name = 'solve_two_circles'

    def ask(self, target):
        return solve_two_circles((0.0, 0.0), target, *self.lengths)

    def points(self, answer, start):
        return [0j, complex(*answer.elbows[0]), complex(*answer.tip)] if answer.elbows else None


class Joints(Method):
    """A method that lists joint positions."""

    def __init__(self, lengths):
        super().__init__(lengths)
        self.arm = PlanarArm(tuple(lengths))

    def arguments(self, target, start):
        return target.real, target.imag

    def points(self, answer, start):
        before = joint_angles(start)
        found = min(answer, key=lambda q: largest_turn(q, before), default=None)
        return None if found is None else placed(self.lengths, found)


class TwoLinks(Method):
    name = 'solve_two_links'

    def ask(self, target):
        return solve_two_links(*target, *self.lengths)

    def points(self, answer, start):
        return placed(self.lengths, answer.joint_positions) if answer.reached else None


class ZForm(Joints):
    name = f'solve_z_form, k = {K}'

    def ask(self, x, y):
        return solve_z_form(self.arm.solver, x, y, K)


class OutermostOfTheArm(Joints):
    name = 'solve_outermost'

    def ask(self, x, y):
        return solve_outermost(self.arm.workspace, x, y)


class Chain(Method):
    policy = ''

    def __init__(self, lengths):
        super().__init__(lengths)
        self.chain = LinkChain(tuple(lengths))

    def ask(self, target):
        return self.chain.solve(target, self.policy)


class Outermost(Chain):
    policy = 'outermost'
    name = 'LinkChain, outermost'


class Even(Chain):
    policy = 'even'
    name = 'LinkChain, even'


class Near(Chain):
    name = 'LinkChain, near'

    def arguments(self, target, start):
        return (target.real, target.imag), [(point.real, point.imag) for point in start]

    def ask(self, target, previous):
        return self.chain.solve(target, 'near', previous=previous)


class Iterative(Method):
    """`solve(lengths, start, target, tolerance)` until the tip misses by a share of the reach."""

    solve = None
    iterates = True
    share = 24

    def arguments(self, target, start):
        return self.lengths, start, target, self.tolerance * self.reach

    def ask(self, *arguments):
        return type(self).solve(*arguments)

    def points(self, answer, start):
        return answer.points if answer.reached else None


def iterative(label, solver, kind=Iterative):
    """The solver once to a millionth of the reach, once as near as ours."""
    return [
        type(label, (kind,), {
            'name': f'{label} to {share:.0e}'.replace('e-0', 'e-'),
            'solve': staticmethod(solver), 'tolerance': share,
        })
        for share in (1e-6, CLOSED)
    ]  # fmt: skip


class InSpace(Method):
    """Two bones; start and target are tuples (x, y, z)."""

    def points(self, answer, start):
        return (ORIGIN, answer.knee, answer.foot) if answer.outcome == 'reached' else None


class PlaceBones(InSpace):
    name = 'place_bones'

    def arguments(self, target, start):
        return *start, target

    def ask(self, *arguments):
        return place_bones(*arguments)


class TurnBones(InSpace):
    """The same bones in a skeleton, its hip's parent at the origin."""

    name = 'turn_bones'

    def arguments(self, target, start):
        _, knee, foot = start
        lower = tuple(b - a for a, b in zip(knee, foot))
        return np.eye(4), Bone(ORIGIN), Bone(knee), lower, target

    def ask(self, *arguments):
        return turn_bones(*arguments).bones


class Tree(Method):
    """`lengths`: trunk and limbs; targets are a list; the start is (trunk, limbs) of points."""

    policy = ''

    def __init__(self, lengths):
        super().__init__(lengths)
        trunk, limbs = lengths
        self.tree = LinkTree(tuple(trunk), tuple(map(tuple, limbs)))

    @property
    def reach(self):
        return self.tree.reach

    def arguments(self, target, start):
        return ([(place.real, place.imag) for place in target],)

    def ask(self, targets):
        return self.tree.solve(targets, self.policy)

    def points(self, answer, start):
        if answer is None:
            return None
        chains = answer.trunk, *answer.limbs
        trunk, *limbs = [[complex(*point) for point in chain.points] for chain in chains]
        return trunk, limbs


class EvenTree(Tree):
    policy = 'even'
    name = 'LinkTree, even'


class OutermostTree(Tree):
    policy = 'outermost'
    name = 'LinkTree, outermost'


class IterativeTree(Iterative):
    @property
    def reach(self):
        trunk, limbs = self.lengths
        return sum(trunk) + max(map(sum, limbs))

    def arguments(self, target, start):
        return *self.lengths, *start, target, self.tolerance * self.reach


ORIGIN = (0.0, 0.0, 0.0)
IN_THE_PLANE = (
    Outermost, Even, Near, *iterative('FABRIK', fabrik), *iterative('CCD', ccd)
)  # fmt: skip
TWO_LINKS = TwoCircles, TwoLinks, *IN_THE_PLANE
THREE_LINKS = ZForm, OutermostOfTheArm, *IN_THE_PLANE
BONES = PlaceBones, TurnBones, *iterative('FABRIK', fabrik_in_space)
TREE = EvenTree, OutermostTree, *iterative('FABRIK', fabrik_tree, IterativeTree)


# --- geometry, written anew -----------------------------------------------------------------------


def placed(lengths, angles):
    """Points of a chain from its joint angles."""
    links = (cmath.rect(length, turn) for length, turn in zip(lengths, accumulate(angles)))
    return list(accumulate(links, initial=0j))


def joint_angles(points):
    """Joint angles of a chain from its points, links without length excepted."""
    headings = [0.0, *(cmath.phase(b - a) for a, b in pairwise(points))]
    return [math.remainder(b - a, math.tau) for a, b in pairwise(headings)]


def largest_turn(angles, before):
    """Of joints, by the shorter way round."""
    return max(abs(math.remainder(a - b, math.tau)) for a, b in zip(angles, before))


def largest_miss(lengths, points, target):
    """Of the tip from the target, the first point from the base, each link from its length."""
    if isinstance(target, list):
        trunk, limbs = points
        fork = trunk[-1]
        reached = [
            largest_miss(limb, [place - fork for place in places], place - fork)
            for limb, places, place in zip(lengths[1], limbs, target)
        ]
        return max(*reached, largest_miss(lengths[0], trunk, fork))
    rows = np.array([[p.real, p.imag] if isinstance(p, complex) else p for p in points])
    goal = [target.real, target.imag] if isinstance(target, complex) else target
    links = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    base = np.linalg.norm(rows[0])
    return max(base, np.linalg.norm(rows[-1] - goal), *abs(links - lengths))
