# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""FABRIK and CCD, plain, and no slower than need be: what `benchmarks.methods` compares with.

FABRIK: A. Aristidou and J. Lasenby, "FABRIK: A Fast, Iterative Solver for the Inverse Kinematics
Problem" (Graphical Models 73, 2011), with its test of reach, and for several end effectors with
the mean of what the limbs want of the fork. CCD: L.-C. T. Wang and C. C. Chen, "A Combined
Optimization Method for Solving the Inverse Kinematics Problems of Mechanical Manipulators" (1991),
from the tip to the base; it is given FABRIK's test of reach, too, and a sweep takes as many steps
as there are links, not their square.

Points in the plane are complex numbers: Python adds or measures one in a single step, which is
quicker than pairs of floats, and much quicker than small arrays. Links are longer than 0.
"""

import cmath
import math
from itertools import accumulate
from typing import NamedTuple

#: Iterations after which a method gives up.
MOST = 1000
#: Joints off the line to the target by no more than this share of the reach are on it, and neither
#: method leaves it by itself.
ON_THE_LINE = 1e-9
#: By how much each joint of such a start is bent [rad].
CURL = 0.1


class Iterated(NamedTuple):
    """Points from base to tip; whether the tip is as near to the target as asked; what it took."""

    points: list
    reached: bool
    iterations: int


def fabrik(lengths, points, target, tolerance):
    """A chain from its shape `points` to a target, all complex [m]."""
    start = _stretched(lengths, points[0], target, tolerance)
    if start:
        return start
    base, points, back = points[0], _off_the_line(lengths, points, target), lengths[::-1]
    for iteration in range(1, MOST + 1):
        points = _pulled(points[::-1], back, target)
        points = _pulled(points[::-1], lengths, base)
        if abs(points[-1] - target) <= tolerance:
            return Iterated(points, True, iteration)
    return Iterated(points, False, MOST)


def ccd(lengths, points, target, tolerance):
    """A chain from its shape `points` to a target, all complex [m]: every joint in turn points the
    tip at the target."""
    start = _stretched(lengths, points[0], target, tolerance)
    if start:
        return start
    points = _off_the_line(lengths, points, target)
    for iteration in range(1, MOST + 1):
        points, tip = _swept(lengths, points, target)
        if abs(tip - target) <= tolerance:
            return Iterated(points, True, iteration)
    return Iterated(points, False, MOST)


def fabrik_in_space(lengths, points, target, tolerance):
    """`fabrik` with points (x, y, z) [m]; the start is not on the line to the target."""
    base, back = points[0], lengths[::-1]
    distance, reach = math.dist(base, target), sum(lengths)
    if distance >= reach - tolerance:
        straight = _pulled_in_space([base, *[target] * len(lengths)], lengths, base)
        return Iterated(straight, distance <= reach + tolerance, 0)
    for iteration in range(1, MOST + 1):
        points = _pulled_in_space(points[::-1], back, target)
        points = _pulled_in_space(points[::-1], lengths, base)
        if math.dist(points[-1], target) <= tolerance:
            return Iterated(points, True, iteration)
    return Iterated(points, False, MOST)


def fabrik_tree(trunk, limbs, trunk_points, limbs_points, targets, tolerance):
    """A trunk and its limbs, each a list of complex points; so are the points of the answer.

    A target farther away than trunk and limb are long is refused.
    """
    base = trunk_points[0]
    for limb, target in zip(limbs, targets):
        if abs(target - base) > sum(trunk) + sum(limb) + tolerance:
            return Iterated((trunk_points, limbs_points), False, 0)
    for iteration in range(1, MOST + 1):
        backwards = [
            _pulled(points[::-1], limb[::-1], target)
            for points, limb, target in zip(limbs_points, limbs, targets)
        ]
        fork = sum(points[-1] for points in backwards) / len(limbs)
        trunk_points = _pulled(trunk_points[::-1], trunk[::-1], fork)
        trunk_points = _pulled(trunk_points[::-1], trunk, base)
        fork = trunk_points[-1]
        limbs_points = [
            _pulled(points[::-1], limb, fork) for points, limb in zip(backwards, limbs)
        ]
        misses = [abs(points[-1] - target) for points, target in zip(limbs_points, targets)]
        if max(misses) <= tolerance:
            return Iterated((trunk_points, limbs_points), True, iteration)
    return Iterated((trunk_points, limbs_points), False, MOST)


def _stretched(lengths, base, target, tolerance):
    """The links stretched towards a target out of reach, or at its end within the tolerance; or
    None."""
    away = target - base
    distance, reach = abs(away), sum(lengths)
    if distance < reach - tolerance:
        return None
    points = [base + away * (along / distance) for along in accumulate(lengths, initial=0.0)]
    return Iterated(points, distance <= reach + tolerance, 0)


def _off_the_line(lengths, points, target):
    """The start; a curl instead, where all of the start is on the line to the target."""
    base, reach = points[0], sum(lengths)
    away = target - base
    room = ON_THE_LINE * reach * max(abs(away), ON_THE_LINE * reach)
    if any(abs((away.conjugate() * (point - base)).imag) > room for point in points[1:-1]):
        return points
    heading = cmath.phase(away)
    links = (cmath.rect(length, heading + CURL * joint) for joint, length in enumerate(lengths, 1))
    return list(accumulate(links, initial=base))


def _pulled(points, lengths, start):
    """The first point put to `start`, and each other to its link's length from the one before, in
    the direction where it was."""
    place, placed = start, [start]
    for point, length in zip(points[1:], lengths):
        away = point - place
        size = abs(away)
        place += away * (length / size) if size else length
        placed.append(place)
    return placed


def _pulled_in_space(points, lengths, start):
    x, y, z = start
    placed = [start]
    for (to_x, to_y, to_z), length in zip(points[1:], lengths):
        dx, dy, dz = to_x - x, to_y - y, to_z - z
        size = math.sqrt(dx * dx + dy * dy + dz * dz)
        share = length / size if size else 0.0
        x, y, z = x + share * dx, y + share * dy, z + share * dz if size else z + length
        placed.append((x, y, z))
    return placed


def _swept(lengths, points, target):
    """One sweep of CCD, and the tip. What is before a joint that turns does not move, so the turns
    can be put together at the end."""
    turns, tip, after = [], 0j, points[-1]
    for point in points[-2::-1]:
        tip += after - point
        turn = (target - point) * tip.conjugate()
        size = abs(turn)
        turn = turn / size if size else 1.0
        tip *= turn
        turns.append(turn)
        after = point
    place, heading, before = points[0], 1.0, points[0]
    placed = [place]
    for point, length, turn in zip(points[1:], lengths, turns[::-1]):
        heading *= turn
        link = (point - before) * heading
        place += link * (length / abs(link))
        placed.append(place)
        before = point
    return placed, place
