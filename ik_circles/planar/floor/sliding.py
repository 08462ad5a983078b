# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Curves that the tip follows while a part of the arm slides on the floor: no circles.

With the wrist on the floor and joint 3 at a limit, links 1 and 2 depend on each other. With a
carried point on the floor, any of the three joints may be at a limit, or the elbow may be straight
or folded. Such curves are part of the outline. Where they end, touch other curves or bend sharply
is known. They are sampled between these places, for pictures only.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ik_circles.geometry.angles import stops, sweep_to, turns_into, wrap
from ik_circles.geometry.arrays import Complexes, Floats
from ik_circles.geometry.circles import bend, span
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval, shared
from ik_circles.geometry.tolerances import SAME_DIGITS
from ik_circles.planar.floor.parts import is_above
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel, JointPositions

#: An arc through three samples passes the curve's points halfway between them at no more than this
#: distance [1, a share of the reach], and is no higher than this share of its chord.
BESIDE, BENT = 1e-7, 0.25
#: The first samples are no farther apart than this, and none are nearer than that [rad].
STEP, SHORTEST = 0.4, 1e-9
#: Where a step is looked at [1, shares of it].
QUARTERS = np.linspace(0.0, 1.0, 5)
#: Divided by instead of 0 [m^3].
TINY = 1e-300
#: A joint may be past a limit by this [rad]: rounding may move the joint that is at its limit.
PAST_LIMIT = 1e-9
#: A carried point this near to the tip is the tip [1, a share of the reach].
AT_TIP = 1e-6


@dataclass(frozen=True)
class Slide:
    """A joint kept at an angle [rad] while a part of the last link, as seen from the third joint,
    slides on the floor [m].

    With the tool at phi, the third joint is at `stays + turns * exp(i phi)`, plus a vector of a
    `length` that turns freely. Its direction is that of the first free link, turned by `bent`.
    """

    model: ArmModel
    floor: Floor
    joint: int
    angle: float
    part: complex

    def links(self) -> tuple[complex, complex, float, float]:
        """What stays, what turns with the tool, and the length and bend of what turns freely."""
        length_1, length_2, _ = self.model.link_lengths
        if self.joint == 0:
            return cmath.rect(length_1, self.angle), 0j, length_2, 0.0
        if self.joint == 1:
            one = span(length_1, length_2, self.angle), bend(length_1, length_2, self.angle)
            return 0j, 0j, *one
        return 0j, cmath.rect(length_2, -self.angle), length_1, 0.0

    def orientations(self) -> list[Interval]:
        """Orientations of the tool at which the free links can bring the part to the floor."""
        stays, carried, length, _ = self.links()
        moving, above = carried + self.part, self.floor.clearance((stays.real, stays.imag))
        down = -moving.real, -moving.imag
        return shared(
            self.floor.angles(above + length, (moving.real, moving.imag)),
            self.floor.angles(length - above, down),
        )

    def cuts(self, limits_1: Iterable[float]) -> Iterator[float]:
        """Orientations at which the curve may end, touch another one, or bend sharply [rad].

        There, a joint is at a limit or the elbow straight or folded; another part is on the floor;
        the free links are in line with what turns with the tool, as far as the tip; or they are
        nearest to straight up or down.
        """
        stays, carried, length, bent = self.links()
        moving, length_3 = carried + self.part, self.model.link_lengths[2]
        directions, turns = self._stops(limits_1)
        turns += [cmath.phase(carried + length_3), cmath.phase(-carried - length_3)]
        above = self.floor.clearance((stays.real, stays.imag))
        ways = [(above, moving + cmath.rect(length, turn)) for turn in turns]
        for one in directions:
            end = stays + cmath.rect(length, one + bent)
            ways.append((self.floor.clearance((end.real, end.imag)), moving))
        parts = 0.0, length_3, *(complex(*point) for point in self.floor.carried)
        ways += [(0.0, part - self.part) for part in parts]
        for clearance, around in ways:
            for angles in self.floor.angles(clearance, (around.real, around.imag)):
                yield from () if angles == EVERY_ORIENTATION else angles
        yield from (self.floor.up - cmath.phase(one) for one in (moving, -moving))

    def _stops(self, limits_1: Iterable[float]) -> tuple[list[float], list[float]]:
        """Directions of the first free link, and directions of the free links as seen from the
        tool, with a joint at a limit or the elbow straight or folded."""
        limits_2 = *stops(self.model.limits[1]), 0.0, math.pi
        limits_3 = stops(self.model.limits[2])
        if self.joint == 0:
            return [self.angle + end for end in limits_2], [-end for end in limits_3]
        if self.joint == 1:
            bent = self.links()[3]
            return [*limits_1], [bent - self.angle - end for end in limits_3]
        return [*limits_1], [-self.angle - end for end in limits_2]

    def ways(self, phi: Floats, side: float) -> tuple[Floats, Complexes]:
        """Directions of the first free link [rad], and the tips [m].

        The free links reach down to the floor on one side of the upward direction or the other.
        """
        stays, carried, length, bent = self.links()
        up_x, up_y = self.floor.upwards
        tool = np.exp(1j * phi)
        place = stays + (carried + self.part) * tool
        above = place.real * up_x + place.imag * up_y - self.floor.height
        free = self.floor.up + side * np.arccos(np.clip(-above / length, -1.0, 1.0))
        on_floor = place + length * np.exp(1j * free)
        return free - bent, on_floor + (self.model.link_lengths[2] - self.part) * tool

    def joints_at(self, phi: float, side: float) -> JointPositions | None:
        """Joint positions inside the limits and above the floor; None if there are none."""
        free = float(self.ways(np.array([phi]), side)[0][0])
        if self.joint == 0:
            q = self.angle, free - self.angle, phi - free
        elif self.joint == 1:
            q = free, self.angle, phi - free - self.angle
        else:
            q = free, phi - self.angle - free, self.angle
        turned = []
        for angle, (lower, upper) in zip(q, self.model.limits):
            inside = turns_into(angle, (lower - PAST_LIMIT, upper + PAST_LIMIT))
            if not inside:
                return None
            turned.append(inside[0])
        q1, q2, q3 = turned
        return (q1, q2, q3) if is_above(self.model, (q1, q2, q3)) else None


def sliding_curves(model: ArmModel, floor: Floor, pieces: list[ArmModel]) -> Iterator[Floats]:
    """Points along each curve (N, 2) [m]; `pieces` have the elbow above the floor.

    An arc through the first three of them, one through the third to the fifth, and so on are the
    curve.
    """
    ends = (end for one in pieces for end in stops(one.limits[0]))
    limits_1 = {round(wrap(end), SAME_DIGITS): end for end in ends}.values()
    for slide in _slides(model, floor, limits_1):
        if slide.links()[2] > model.tolerance:
            cuts = [*slide.cuts(limits_1)]
            for interval in slide.orientations():
                for side in (1.0, -1.0):
                    yield from _curves(slide, interval, cuts, side)


def _slides(model: ArmModel, floor: Floor, limits_1: Iterable[float]) -> Iterator[Slide]:
    _, limits_2, limits_3 = map(stops, model.limits)
    for q3 in limits_3:
        yield Slide(model, floor, 2, q3, 0j)
    for point in floor.carried:
        part = complex(*point)
        if abs(part - model.link_lengths[2]) <= AT_TIP * model.max_reach:
            continue  # the tip follows the floor itself
        for joint, angles in enumerate((limits_1, (*limits_2, 0.0, math.pi), limits_3)):
            for angle in angles:
                yield Slide(model, floor, joint, angle, part)


def _curves(
    slide: Slide, interval: Interval, cuts: Iterable[float], side: float
) -> Iterator[Floats]:
    """The parts of a curve inside the limits and above the floor, between successive cuts.

    At the ends of the interval, the free links point straight up or down, and turn by the root of
    the angle by which the tool turns. So the tool's angle goes as a cosine.
    """
    middle, half = sum(interval) / 2.0, (interval[1] - interval[0]) / 2.0
    places = {0.0, math.pi}
    for one in cuts:
        away = sweep_to(interval[0], one) - half
        if away < half:
            places.add(math.acos(-away / half))

    def tips(at: Floats) -> Complexes:
        return slide.ways(middle - half * np.cos(at), side)[1]

    for start, end in pairwise(sorted(places)):
        between = middle - half * math.cos((start + end) / 2.0)
        if end - start > SHORTEST and slide.joints_at(between, side):
            found = tips(_samples(tips, start, end, slide.model.max_reach))
            yield np.column_stack((found.real, found.imag))


def _samples(tips: Callable[[Floats], Complexes], start: float, end: float, reach: float) -> Floats:
    """Places on a curve so that the arcs through three of them are the curve."""
    ends = np.linspace(start, end, 2 + int((end - start) / STEP))
    lower, upper, done = ends[:-1], ends[1:], [ends]
    while lower.size:
        step = upper - lower
        first, early, middle, late, last = (tips(lower + share * step) for share in QUARTERS)
        chord, other = last - first, middle - first
        height = (other * chord.conj()).imag
        beside = np.maximum(*(_beside(first, middle, last, one) for one in (early, late)))
        length = np.abs(chord)
        flat = np.abs(height) <= BENT * length**2
        small = np.abs(other) + np.abs(last - middle) <= BESIDE * reach
        fine = (flat & (beside <= BESIDE * reach)) | small | (step <= SHORTEST)
        between = lower + step / 2.0
        done.append(between)
        lower, upper = (
            np.concatenate((lower[~fine], between[~fine])),
            np.concatenate((between[~fine], upper[~fine])),
        )
    return np.sort(np.concatenate(done))


def _beside(first: Complexes, middle: Complexes, last: Complexes, point: Complexes) -> Floats:
    """How far points are from circles through three others [m], to first order.

    From a point on the circle, both ends are seen at the same angle as from the middle.
    """
    a, b = (point - first) * (middle - last), (point - last) * (middle - first)
    sides = np.abs(middle - last) * np.abs(middle - first) * np.abs(first - last)
    away: Floats = np.abs((a * b.conj()).imag) / np.maximum(sides, TINY)
    return away
