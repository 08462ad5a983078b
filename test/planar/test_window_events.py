# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shares of a line at which windows of orientations may change: there cuts meet, as said."""

import cmath
import math
from dataclasses import replace
from itertools import chain

import numpy as np
from law_cases import cases
from random_arms import random_joints, tip
from test_free_lines import bounded_arm
from test_straight_lines import floors

from ik_circles.geometry.angles import ends
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.track import PlaneWay
from ik_circles.planar.lines.window_events import WindowEvents
from ik_circles.planar.orientations import CutCircles, cuts_of_each

#: Where cuts touch, angles are known to this [rad, m]; see KNOWN in `window_events`.
KNOWN = 2e-3


def limbs(arm, point, phi, elbow):
    """Joint positions with an elbow whatever the limits, and the parts of the arm [rad, m]."""
    first, second, third = arm.link_lengths
    wrist = point - third * cmath.exp(1j * phi)
    cosine = (abs(wrist) ** 2 - first**2 - second**2) / (2.0 * first * second)
    q2 = (2 * elbow - 1) * math.acos(min(1.0, max(-1.0, cosine)))
    q1 = cmath.phase(wrist) - cmath.phase(first + second * cmath.exp(1j * q2))
    return (q1, q2, phi - q1 - q2), (first * cmath.exp(1j * q1), wrist, point)


def is_at(angle, some):
    """Whether an angle is one of some, up to whole turns."""
    return any(abs(math.remainder(angle - one, math.tau)) <= KNOWN for one in some)


def is_in_line(part, tool):
    """Whether a part is in line with the base and the tip."""
    return abs((part * tool.conjugate()).imag) <= KNOWN * abs(tool)


def is_allowed(arm, q, parts):
    """Whether limits and floor allow joint positions, with some room."""
    inside = (
        (angle - lower + KNOWN) % math.tau <= upper - lower + 2.0 * KNOWN
        for angle, (lower, upper) in zip(q, arm.limits)
    )
    heights = [(one * cmath.exp(-1j * arm.floor.up)).real for one in parts] if arm.floor else [9.0]
    return all(inside) and min(heights) >= (arm.floor.height if arm.floor else 0.0) - KNOWN


def line_of(rng):
    """An arm, now and then above a floor, and a line from one of its own points."""
    arm = bounded_arm(rng)
    q = random_joints(rng, arm)
    (start, _), way = tip(arm, q), complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach
    if rng.random() < 0.4:
        arm = replace(arm, floor=replace(floors(rng, arm, q), carried=()))
    return arm, PlaneWay((start.real, start.imag), (way.real, way.imag))


def test_at_an_event_two_joints_are_where_a_cut_may_be_with_the_elbow_and_inside_the_limits():
    """Each of them at a limit, straight or folded, or elbow or wrist is in line with base and tip.
    Else the wrist may go round the base."""
    rng, met = np.random.default_rng(0), 0
    for _ in range(cases(1200)):
        arm, way = line_of(rng)
        floor = FloorAlong(arm.solver.model, arm.floor) if arm.floor else None
        special = [[*ends(limits), 0.0, math.pi] for limits in arm.limits]
        special[0] = [*ends(arm.limits[0]), *(floor.elbow_ends if floor else ())]
        circles = CutCircles.through(arm.solver.model, *special)
        for elbow in (0, 1):
            of_floor = [*floor.window_events(way)] if floor else []
            for share in WindowEvents(arm.solver.model, floor, elbow).along(way):
                point = way.at(share)
                if share in of_floor or abs(math.hypot(*point) - arm.link_lengths[2]) <= 1e-9:
                    continue
                cuts = chain.from_iterable(cuts_of_each(circles, arm.link_lengths, *point))
                some = [limbs(arm, complex(*point), phi, elbow) for phi in cuts]
                counts = (
                    sum(map(is_at, q, special)) + sum(map(is_in_line, parts[:2], parts[2:] * 2))
                    for q, parts in some
                    if is_allowed(arm, q, parts)
                )
                assert max(counts, default=0) >= 2, (arm, way, share)
                met += 1
    assert met > cases(1000)
