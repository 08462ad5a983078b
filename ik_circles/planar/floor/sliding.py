# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Curves that the tip follows while a part of the arm slides on the floor: no circles.

With the wrist on the floor and joint 3 at a limit, links 1 and 2 depend on each other. With a
carried point on the floor, any of the three joints may be at a limit, or the elbow may be straight
or folded. Such curves are part of the outline. They are sampled, for pictures only.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ik_circles.geometry.angles import nearest_in, stops, turns_into, wrap
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import bend, span
from ik_circles.geometry.intervals import Interval, shared
from ik_circles.planar.floor.parts import is_above
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel, JointPositions

#: Samples of a curve: their chords are within 1e-4 of the reach, circles through three of them
#: within 1e-5.
SAMPLES = 241
#: How often the interval with the end of a curve is halved: more would be below rounding.
HALVINGS = 40
#: A joint may be past a limit by this [rad]: rounding may move the joint that is at its limit.
PAST_LIMIT = 1e-9
#: Limits of joint 1 with these digits in common, up to whole turns, have the elbow at one place.
SAME_DIGITS = 9
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

    def joints_at(self, phi: float, side: float) -> JointPositions | None:
        """Joint positions inside the limits and above the floor; None if there are none.

        The free links reach down to the floor on one side of the upward direction or the other.
        """
        stays, carried, length, bent = self.links()
        place = stays + (carried + self.part) * cmath.rect(1.0, phi)
        above = self.floor.clearance((place.real, place.imag))
        free = self.floor.up + side * math.acos(nearest_in(-above / length, (-1.0, 1.0))) - bent
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

    def tip_at(self, phi: float, side: float) -> tuple[float, float] | None:
        """The tip there [m]."""
        q = self.joints_at(phi, side)
        return None if q is None else self.model.pose_at(q)[:2]


def sliding_curves(model: ArmModel, floor: Floor, pieces: list[ArmModel]) -> Iterator[Floats]:
    """Points along each curve (N, 2) [m]; `pieces` have the elbow above the floor."""
    for slide in _slides(model, floor, pieces):
        if slide.links()[2] > model.tolerance:
            for interval in slide.orientations():
                for side in (1.0, -1.0):
                    yield from _curves(slide, interval, side)


def _slides(model: ArmModel, floor: Floor, pieces: list[ArmModel]) -> Iterator[Slide]:
    ends = (end for one in pieces for end in stops(one.limits[0]))
    limits_1 = {round(wrap(end), SAME_DIGITS): end for end in ends}.values()
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


def _curves(slide: Slide, interval: Interval, side: float) -> Iterator[Floats]:
    """The parts of a curve inside the limits and above the floor.

    Samples are closer at the ends. There, the free links point straight up or down, and turn by the
    root of the angle by which the tool turns.
    """
    lower, upper = interval
    spread = (1.0 - np.cos(np.linspace(0.0, math.pi, SAMPLES))) / 2.0
    samples = (lower + (upper - lower) * spread).tolist()
    run: list[tuple[float, float]] = []
    last = samples[0]
    for phi in samples:
        tip = slide.tip_at(phi, side)
        if (tip is None) == bool(run):  # it ends here, or begins
            inside, outside = (last, phi) if tip is None else (phi, last)
            end = slide.tip_at(_end(slide, inside, outside, side), side)
            run += [end] if end and inside != outside else []
        if tip is not None:
            run.append(tip)
        elif run:
            yield np.array(run)
            run = []
        last = phi
    if run:
        yield np.array(run)


def _end(slide: Slide, inside: float, outside: float, side: float) -> float:
    """The orientation at which a curve ends, between two orientations of which it has one [rad]."""
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2.0
        if slide.tip_at(middle, side) is None:
            outside = middle
        else:
            inside = middle
    return inside
