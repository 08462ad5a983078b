# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shares of a line at which windows of orientations may change: there cuts meet, as said."""

import cmath
import math
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from law_cases import cases
from random_arms import inside, random_joints, tip
from test_free_lines import bounded_arm
from test_straight_lines import floors

from ik_circles import Floor
from ik_circles.geometry.angles import ends
from ik_circles.planar.lines.branch import elbows_at
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


def on_special(rng, arm, q, joints):
    """The positions with these joints on a limit, straight or folded (joint 1 on a limit)."""
    q = list(q)
    for joint in joints:
        lower, upper = arm.limits[joint]
        some = [lower, upper] if joint == 0 else [lower, upper, 0.0, math.pi, -math.pi]
        q[joint] = rng.choice([one for one in some if lower <= one <= upper])
    return q


def is_event_in_middle(arm, q, direction):
    """Whether an event is found where a line passes the tip at joint positions."""
    place, away = tip(arm, q)[0], 0.1 * arm.max_reach * direction
    start = place - away
    way = PlaneWay((start.real, start.imag), (2.0 * away.real, 2.0 * away.imag))
    floor = FloorAlong(arm.solver.model, arm.floor) if arm.floor else None
    every = [
        share
        for elbow in elbows_at(q[1])
        for share in WindowEvents(arm.solver.model, floor, elbow).along(way)
    ]
    return min((abs(share - 0.5) for share in every), default=1.0) <= 1e-6


@pytest.mark.parametrize('joints', [(0, 1), (0, 2), (1, 2)])
def test_where_two_joints_are_on_limits_straight_or_folded_there_is_an_event(joints):
    rng = np.random.default_rng(1)
    for _ in range(cases(600)):
        arm = bounded_arm(rng)
        q = on_special(rng, arm, random_joints(rng, arm), joints)
        assert is_event_in_middle(arm, q, np.exp(1j * rng.uniform(0.0, math.tau)))


def test_where_a_joint_is_on_a_limit_and_elbow_or_wrist_in_line_with_the_tip_there_is_an_event():
    """Elbow, wrist and tip as one link: link 1 or link 3 is along the line from base to tip."""
    rng, met = np.random.default_rng(2), 0
    for number in range(cases(1200, least=60)):
        arm = bounded_arm(rng)
        first, second, third = arm.link_lengths
        q, back = random_joints(rng, arm), rng.choice([0.0, math.pi])
        if number % 2:
            q1, q2, _ = on_special(rng, arm, q, (1,))
            q3 = back + cmath.phase(first + second * cmath.exp(1j * q2)) - q2
        else:
            q1, _, q3 = on_special(rng, arm, q, (2,))
            q2 = back - cmath.phase(second + third * cmath.exp(1j * q3))
        q = q1, q2, math.remainder(q3, math.tau) if number % 2 else q3
        if inside(arm, q):
            met += 1
            assert is_event_in_middle(arm, q, np.exp(1j * rng.uniform(0.0, math.tau)))
    assert met > cases(400)


@pytest.mark.parametrize('part', ['elbow', 'wrist', 'carried', 'level'])
def test_where_a_part_is_on_the_floor_and_something_else_is_met_there_is_an_event(part):
    """The elbow and a limit of joint 2 or 3, the wrist and one of joint 1 or 2, a carried point
    straight below the tip, or two parts at one height."""
    rng, met = np.random.default_rng(3), 0
    for _ in range(cases(2400, least=120)):
        arm, up = bounded_arm(rng), np.exp(1j * rng.uniform(-3.0, 3.0))
        joint = {'elbow': (1, 2), 'wrist': (0, 1)}.get(part, (0, 1))[rng.integers(2)]
        q = on_special(rng, arm, random_joints(rng, arm), (joint,))
        first, _, third = arm.link_lengths
        carried = complex(*rng.uniform(-0.3, 0.3, 2))
        if part in ('carried', 'level'):
            seen = carried - third if part == 'carried' else carried
            direction = np.angle(-up if part == 'carried' else 1j * up) - np.angle(seen)
            q[2] = math.remainder(direction - q[0] - q[1], math.tau)
        turned, place = np.exp(1j * sum(q)), tip(arm, q)[0]
        parts = {'elbow': first * np.exp(1j * q[0]), 'wrist': place - third * turned}
        parts['carried'] = parts['wrist'] + carried * turned
        height = (parts.get(part, parts['wrist']) / up).real
        others = [(one / up).real for one in (*parts.values(), place)]
        own = carried if part in ('carried', 'level') else 0.0
        others = others if own else others[:2] + others[3:]
        if inside(arm, q) and min(others) >= height - 1e-9:
            met += 1
            carries = ((own.real, own.imag),) if own else ()
            arm = replace(arm, floor=Floor(height, float(np.angle(up)), carries))
            assert is_event_in_middle(arm, q, np.exp(1j * rng.uniform(0.0, math.tau)))
    assert met > cases(200)


@pytest.mark.parametrize('times', [2.0**-10, 2.0**10])
def test_the_events_of_a_scaled_arm_are_at_the_same_shares(times):
    rng, met = np.random.default_rng(4), 0
    for _ in range(cases(400)):
        arm, way = line_of(rng)
        links = tuple(times * one for one in arm.link_lengths)
        floor = arm.floor and replace(arm.floor, height=times * arm.floor.height)
        scaled = replace(arm, link_lengths=links, floor=floor)
        longer = PlaneWay(*([times * one for one in both] for both in way))
        for elbow in (0, 1):
            found = [
                sorted(
                    WindowEvents(
                        one.solver.model,
                        FloorAlong(one.solver.model, one.floor) if floor else None,
                        elbow,
                    ).along(line)
                )
                for one, line in ((arm, way), (scaled, longer))
            ]
            assert found[0] == pytest.approx(found[1], abs=1e-6)
            met += len(found[0])
    assert met > cases(400)
