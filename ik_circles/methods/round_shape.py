"""Evenly bent chains: base, joints and tip on one circle.

Links and the line from base to tip are the sides of a polygon with all corners on a circle. There
is exactly one such polygon if the longest side is no longer than the others together (I. Pinelis,
"Cyclic polygons with given edge lengths", 2005): exactly inside the safe zones. Its curvature is
the root of one increasing or decreasing function of one unknown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

#: Steps to the root; it is found at such a miss, or in a bracket of such a share of it.
STEPS, FOUND = 100, 1e-15


def round_radii(lengths: Sequence[float], distance: float, tolerance: float) -> list[float]:
    """Distances of base, joints and tip from the base, all on one circle [m].

    Parameters
    ----------
    lengths : of the links [m], base to tip
    distance : from base to tip [m]
    tolerance : a polygon whose sides exceed the longest by no more than this [m] is straight; its
        joints are then given as far out as they could be, for the caller to keep feasible
    """
    sides = [*lengths, distance]
    longest = max(range(len(sides)), key=sides.__getitem__)
    others = [side for index, side in enumerate(sides) if index != longest]
    if sum(others) - sides[longest] <= tolerance:
        return [sum(lengths[:joint]) for joint in range(len(sides))]
    curvature = _curvature([side / sides[longest] for side in others]) / sides[longest]
    halves = [math.asin(side * curvature) for side in others]
    halves.insert(longest, math.pi - sum(halves))  # half the arcs make half a turn
    return [math.sin(sum(halves[:joint])) / curvature for joint in range(len(sides))]


def _curvature(others: Sequence[float]) -> float:
    """One over the diameter of the circle about a polygon whose longest side, beside the others, is
    1. Up to 1: there the longest side is the diameter."""

    def misses(square: float) -> float:
        """By what the other sides' arcs miss the longest side's, in its chord's unit; the centre
        outside of the polygon. Nearly linear in the square of the curvature."""
        if square == 0.0:
            return sum(others) - 1.0
        value = math.sqrt(square)
        return (sum(math.asin(side * value) for side in others) - math.asin(value)) / value

    def overshoots(value: float) -> float:
        """By what all arcs exceed the turn; the centre inside of the polygon."""
        return sum(math.asin(side * value) for side in others) + math.asin(value) - math.pi

    if sum(map(math.asin, others)) >= math.pi / 2.0:
        return _root(overshoots, 0.0, 1.0)
    return math.sqrt(_root(misses, 0.0, 1.0))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a monotonic function crosses 0 between two places: regula falsi, Illinois form."""
    at_low, at_high = function(low), function(high)
    rising = at_high > at_low
    moved = 0  # which end moved last
    for _ in range(STEPS):
        if at_low == at_high or high - low <= FOUND * high:
            break
        place = min(max((low * at_high - high * at_low) / (at_high - at_low), low), high)
        value = function(place)
        if abs(value) <= FOUND:
            return place
        if (value > 0.0) == rising:
            high, at_high, at_low = place, value, at_low / (2.0 if moved == 1 else 1.0)
            moved = 1
        else:
            low, at_low, at_high = place, value, at_high / (2.0 if moved == -1 else 1.0)
            moved = -1
    return high
