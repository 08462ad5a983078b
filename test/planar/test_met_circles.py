# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Steps in which a branch meets no limit and no floor: wherever in the step it is."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import tip
from test_turning_branch import limited_arm, misses

from ik_circles import Floor, PlanarArm
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.met_circles import MetCircles
from ik_circles.planar.lines.track import Cause


def some_arm(rng):
    """An arm with limits, maybe of more than a turn, and a floor."""
    limits = [(-rng.uniform(0.2, 4.0), rng.uniform(0.2, 4.0)) for _ in range(3)]
    arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), limits)
    return replace(arm, floor=Floor(-rng.uniform(0.0, 1.0)))


def sides(arm, floor, tool, phi, elbow):
    """Joints and parts inside their limits or not, with one elbow; None where it does not reach."""
    wrist = tool - arm.link_lengths[2] * complex(math.cos(phi), math.sin(phi))
    square = abs(wrist) ** 2
    triangle = arm.solver.triangle
    if not triangle.inner < square < triangle.outer:
        return None
    upper_arm, forearm = triangle.elbow_up_and_down(wrist.real, wrist.imag, square)[elbow]
    angles = upper_arm, forearm - upper_arm, phi - forearm
    at = arm.link_lengths[0] * complex(math.cos(upper_arm), math.sin(upper_arm))
    inside = [
        (angle - lower) % math.tau <= upper - lower
        for angle, (lower, upper) in zip(angles, arm.limits)
    ]
    return [*inside, *(point.imag > floor.floor.height for point in (at, wrist, tool))]


def test_in_a_clear_step_no_joint_passes_a_limit_and_no_part_the_floor():
    rng, clear, crossed = np.random.default_rng(0), 0, 0
    for _ in range(cases(4000, 40, least=100)):
        arm = some_arm(rng)
        floor, elbow = FloorAlong(arm.solver.model, arm.floor), int(rng.integers(2))
        circles = MetCircles(arm.solver, floor, elbow)
        q = rng.uniform(*np.transpose(arm.limits))
        tool, phi = tip(arm, q)
        moved, turned = 10.0 ** rng.uniform(-4.0, -1.0, 2)
        middle = [np.array([one]) for one in (tool.real, tool.imag, phi)]
        steps = [np.array([one]) for one in (moved, turned, moved)]
        if not circles.are_clear(*middle, *steps).all():
            continue
        clear += 1
        forearm = moved + turned * sum(arm.link_lengths[1:])
        crossed += np.abs(circles.misses(*middle)).min() < forearm / 2.0
        here = sides(arm, floor, tool, phi, elbow)
        for _ in range(20):
            away = moved * np.exp(1j * rng.uniform(0.0, math.tau))
            assert sides(arm, floor, tool + away, phi + rng.choice([-1, 1]) * turned, elbow) == here
    assert clear > cases(1000, 40)
    assert crossed > cases(20, 40)  # a circle that only the other elbow meets there


def test_a_quantity_that_is_said_to_keep_its_side_does_so_where_rates_alone_do_not_tell():
    """Along parabolas of the tip and of the orientation, which bend as much as is said."""
    rng, kept = np.random.default_rng(1), 0
    for _ in range(cases(4000)):
        arm = some_arm(rng)
        circles = MetCircles(arm.solver, FloorAlong(arm.solver.model, arm.floor), 0)
        tool, phi = tip(arm, rng.uniform(*np.transpose(arm.limits)))
        step, (rate, bend) = 10.0 ** rng.uniform(-4.0, -1.0), rng.uniform(-1.0, 1.0, (2, 3))
        u = np.linspace(-1.0, 1.0, 41)  # half a step is 1
        x, y, turned = (
            at + step * (a * u + step * b * u * u / 2.0)
            for at, a, b in zip((tool.real, tool.imag, phi), rate, bend)
        )
        rate, bend = step * (abs(rate) + step * abs(bend)), step * step * abs(bend)
        bounds = [np.array([one]) for one in (
            math.hypot(*rate[:2]), rate[2], math.hypot(*bend[:2]), bend[2]
        )]  # fmt: skip
        first, last = ((x[[i]], y[[i]], turned[[i]]) for i in (0, -1))
        keep = circles.keep_sides(first, last, *bounds)[:, 0]
        misses = circles.misses(x, y, turned)
        assert (misses[keep] * misses[keep, :1] > 0.0).all()
        middle, moved = (x[[20]], y[[20]], turned[[20]]), (bounds[0], bounds[1], bounds[0])
        kept += np.count_nonzero(keep & ~circles.are_clear(*middle, *moved)[:-1, 0])
    assert kept > cases(400)


def test_a_tip_that_falls_and_rises_in_a_step_keeps_above_the_floor():
    """Upright parabolas, whose bend is all that is said of them: the floor is met in some."""
    rng, kept = np.random.default_rng(2), 0
    for _ in range(cases(2000)):
        arm, bend = some_arm(rng), rng.uniform(-1e-3, 1e-3)
        q = rng.uniform(*np.transpose(arm.limits))
        u, (tool, phi) = np.linspace(-1.0, 1.0, 41), tip(arm, q)
        places = np.full(41, tool.real), tool.imag + bend * u * u / 2.0, np.full(41, phi)
        floor = Floor(tool.imag + bend / 2.0 * rng.uniform(-1.0, 1.0))
        circles = MetCircles(arm.solver, FloorAlong(arm.solver.model, floor), 0)
        first, last = ([one[[i]] for one in places] for i in (0, -1))
        bounds = [np.array([one]) for one in (abs(bend), 0.0, abs(bend), 0.0)]
        keep = circles.keep_sides(first, last, *bounds)[:, 0]
        misses = circles.misses(*places)
        assert (misses[keep] * misses[keep, :1] > 0.0).all()
        kept += keep[-1]
    assert kept > cases(500)


def test_a_tool_that_swings_about_its_tip_in_a_step_keeps_the_elbow_off_the_limits_of_joint_3():
    """The wrist hardly moves, because the last link is short; where joint 3 on a limit would put
    the elbow moves by as much as the forearm is long."""
    rng, kept, crossed = np.random.default_rng(3), 0, 0
    for _ in range(cases(4000)):
        arm, bend = some_arm(rng), rng.uniform(-1e-3, 1e-3)
        arm = replace(arm, link_lengths=(*arm.link_lengths[:2], 0.1 * arm.link_lengths[1]))
        q = np.array([*rng.uniform(-3.0, 3.0, 2), arm.limits[2][0]])
        q[2] += bend * rng.uniform(-1.0, 1.0)
        u, tool = np.linspace(-1.0, 1.0, 41), tip(arm, q)[0]
        places = np.full(41, tool.real), np.full(41, tool.imag), sum(q) + bend * (u * u - 1.0) / 2.0
        circles = MetCircles(arm.solver, None, 0)
        first, last = ([one[[i]] for one in places] for i in (0, -1))
        bounds = [np.array([one]) for one in (0.0, abs(bend), 0.0, abs(bend))]
        keep = circles.keep_sides(first, last, *bounds)[:, 0]
        misses = circles.misses(*places)
        assert (misses[keep] * misses[keep, :1] > 0.0).all()
        kept, crossed = kept + keep[-2], crossed + np.ptp(np.sign(misses[-2])) / 2.0
    assert min(kept, crossed) > cases(500)


def test_each_row_is_how_far_the_wrist_or_a_part_is_from_what_its_stop_names():
    """Against formulas in complex numbers; the floor's rows are the last ones."""
    rng = np.random.default_rng(4)
    for number in range(cases(1000)):
        arm, q = limited_arm(rng, has_floor=number % 2)
        floor = FloorAlong(arm.solver.model, arm.floor) if arm.floor else None
        for elbow in (0, 1):
            circles = MetCircles(arm.solver, floor, elbow)
            (point, phi), found = tip(arm, q), {}
            rows = circles.misses(*(np.array([one]) for one in (point.real, point.imag, phi)))
            assert len(rows) == len(circles.stops)
            for stop, row in zip(circles.stops, np.abs(rows[:, 0]).tolist()):
                found[stop] = min(row, found.get(stop, math.inf))
            assert found == pytest.approx(misses(arm, point, phi, elbow), abs=1e-9)
            of_floor = [stop.cause is Cause.FLOOR for stop in circles.stops]
            assert of_floor == sorted(of_floor)
            assert circles.first_of_floor == of_floor.count(False)


def test_it_allows_an_elbow_where_joints_are_inside_their_limits_and_parts_above_the_floor():
    rng, seen = np.random.default_rng(5), {True: 0, False: 0}
    for _ in range(cases(2000)):
        arm = some_arm(rng)
        arm = replace(arm, floor=replace(arm.floor, height=-1.5 * rng.uniform(0.0, 1.0)))
        floor, elbow = FloorAlong(arm.solver.model, arm.floor), int(rng.integers(2))
        circles = MetCircles(arm.solver, floor, elbow)
        q = rng.uniform(*np.transpose(arm.limits)) + rng.choice([0.0, 0.0, 1.0], 3)
        (tool, phi), away = tip(arm, q), rng.choice([0.0, 0.3])
        tool += away * np.exp(1j * rng.uniform(0.0, math.tau))
        here = sides(arm, floor, tool, phi, elbow)
        found = circles.are_allowed(*(np.array([one]) for one in (tool.real, tool.imag, phi)))
        assert found[0] == (here is not None and all(here))
        seen[bool(found[0])] += 1
    assert min(seen.values()) > cases(300)


def test_in_a_clear_step_a_nearly_straight_elbow_keeps_off_the_limits_of_joint_1():
    """There, the elbow moves far more than the wrist does."""
    rng, clear, swept = np.random.default_rng(6), 0, 0
    for _ in range(cases(8000)):
        lengths = rng.uniform(0.2, 1.0, 3)
        bend = rng.choice([0.0, math.pi]) + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-1.5, 0.0)
        near, moved = 10.0 ** rng.uniform(-2.0, 0.0), 10.0 ** rng.uniform(-5.0, -2.0)
        arm = PlanarArm(tuple(lengths), ((0.5 - near, 0.5 + near), None, None))
        q = 0.5, bend, rng.uniform(-3.0, 3.0)
        elbow, (tool, phi) = int(math.sin(bend) > 0.0), tip(arm, q)
        circles = MetCircles(arm.solver, None, elbow)
        step = [np.array([one]) for one in (tool.real, tool.imag, phi, moved, 0.0, moved)]
        if not circles.are_clear(*step).all():
            continue
        clear += 1
        wrist = tool - lengths[2] * np.exp(1j * phi)
        for way in np.exp(1j * np.linspace(0.0, math.tau, 24)):
            there = wrist + moved * way
            up = arm.solver.triangle.elbow_up_and_down(there.real, there.imag, abs(there) ** 2)
            away = abs(math.remainder(up[elbow][0] - 0.5, math.tau))
            assert away <= near
            swept += away > 0.5 * near
    assert min(clear, swept) > cases(1000)


@pytest.mark.parametrize('part', ['wrist', 'carried'])
def test_a_tool_that_swings_about_its_tip_in_a_step_keeps_its_parts_above_the_floor(part):
    """As far as it swings, its wrist and what it carries fall and rise."""
    rng, kept, met = np.random.default_rng(7), 0, 0
    for _ in range(cases(3000)):
        arm, bend = some_arm(rng), rng.uniform(-1e-3, 1e-3)
        carried = rng.uniform(-1.0, 1.0, 2)
        u, (tool, phi) = np.linspace(-1.0, 1.0, 41), tip(arm, rng.uniform(-3.0, 3.0, 3))
        turned = np.exp(1j * (phi + bend * (u * u - 1.0) / 2.0))
        seen = (complex(*carried) if part == 'carried' else 0.0) - arm.link_lengths[2]
        heights = (tool + seen * turned).imag
        middle, wide = heights[20], np.ptp(heights)
        floor = Floor(middle + wide * rng.uniform(-1.5, 1.5), carried=(tuple(carried),))
        floor = floor if part == 'carried' else replace(floor, carried=())
        circles = MetCircles(arm.solver, FloorAlong(arm.solver.model, floor), 0)
        places = np.full(41, tool.real), np.full(41, tool.imag), np.angle(turned)
        first, last = ([one[[i]] for one in places] for i in (0, -1))
        bounds = [np.array([one]) for one in (0.0, abs(bend), 0.0, abs(bend))]
        keep = circles.keep_sides(first, last, *bounds)[:, 0]
        misses = circles.misses(*places)
        assert (misses[keep] * misses[keep, :1] > 0.0).all()
        kept, met = kept + keep[-1], met + (np.ptp(np.sign(misses[-1])) > 0)
    assert min(kept, met) > cases(500)


def test_no_circle_that_a_wrist_just_passes_and_leaves_again_in_a_step_keeps_its_side():
    """It goes straight out from the center and back, and is outside in the middle only."""
    rng, u = np.random.default_rng(8), np.array([-1.0, 0.0, 1.0])
    for _ in range(cases(2000)):
        arm = some_arm(rng)
        circles, phi = MetCircles(arm.solver, None, 0), rng.uniform(-3.0, 3.0)
        first, second, third = arm.link_lengths
        bases = [one for one in circles.stops if one.cause is not Cause.LIMIT or one.joint == 1]
        centers = [0j] * len(bases) + [first * np.exp(1j * q1) for q1 in arm.limits[0]]
        centers += [second * np.exp(1j * (phi - q3)) for q3 in arm.limits[2]]
        for row, center in enumerate(centers):
            at_center = third * np.exp(1j * phi) + center
            at_center = [np.array([one]) for one in (at_center.real, at_center.imag, phi)]
            radius = abs(circles.misses(*at_center)[row, 0])
            back = radius * rng.uniform(0.05, 0.4)
            away = math.sqrt(radius**2 + back**2 * rng.uniform(0.01, 0.9)) - back * u * u
            tips = center + away * np.exp(1j * rng.uniform(-3.0, 3.0)) + third * np.exp(1j * phi)
            misses = circles.misses(tips.real, tips.imag, np.full(3, phi))[row]
            assert (np.sign(misses) == (-1, 1, -1)).all()
            ends = [(tips.real[[i]], tips.imag[[i]], np.array([phi])) for i in (0, 2)]
            bounds = [np.array([one]) for one in (2.0 * back, 0.0, 2.0 * back, 0.0)]
            assert not circles.keep_sides(*ends, *bounds)[row, 0]
