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
from ik_circles.geometry.angles import TURN
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.met_circles import MetCircles
from ik_circles.planar.lines.track import ON_LIMIT_OF_LINE, Cause, Stop


def some_arm(rng):
    """An arm with limits, maybe of more than a turn, and a floor."""
    limits = [(-rng.uniform(0.2, 4.0), rng.uniform(0.2, 4.0)) for _ in range(3)]
    arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), limits)
    return replace(arm, floor=Floor(-rng.uniform(0.0, 1.0), rng.uniform(-3.0, 3.0)))


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
    heights = (np.array([at, wrist, tool]) * np.exp(-1j * floor.floor.up)).real
    return [*inside, *(heights > floor.floor.height)]


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
        arm = replace(arm, floor=replace(arm.floor, height=-1.5 * rng.uniform()))
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
    """There, the elbow moves far more than the wrist does. A limit that it passes is not clear."""
    rng, clear, swept = np.random.default_rng(6), 0, 0
    for _ in range(cases(4000)):
        lengths = rng.uniform(0.2, 1.0, 3)
        bend = rng.choice([0.0, math.pi]) + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-1.5, 0.0)
        moved, free = 10.0 ** rng.uniform(-5.0, -1.0), PlanarArm(tuple(lengths))
        elbow, (tool, phi) = int(math.sin(bend) > 0.0), tip(free, (0.5, bend, 1.0))
        ways = moved * np.exp(1j * np.linspace(0.0, math.tau, 24))
        wrists = tool - lengths[2] * np.exp(1j * phi) + ways
        upper_arm = free.solver.triangle.elbows_up_and_down(wrists.real, wrists.imag)[elbow, 0]
        turned = np.abs(np.remainder(upper_arm - 0.5 + math.pi, math.tau) - math.pi).max()
        for near in (10.0 ** rng.uniform(-2.0, 0.0), 0.98 * turned):
            arm = PlanarArm(tuple(lengths), ((0.5 - near, 0.5 + near), None, None))
            circles = MetCircles(arm.solver, None, elbow)
            step = [np.array([one]) for one in (tool.real, tool.imag, phi, moved, 0.0, moved)]
            is_clear = circles.are_clear(*step).all()
            assert turned <= near or not is_clear
            clear, swept = clear + is_clear, swept + (is_clear and turned > 0.5 * near)
    assert clear > cases(1000) and swept > cases(80)


def seen(arm, circles, floor):
    """For each row, the point of the tool [m, from the tip, with the tool along x] that it follows,
    and the center and radius of its circle [m]; for a part of the tool, no radius."""
    first, second, third = arm.link_lengths
    elbows, tool = iter(floor.elbow_ends), (complex(*point) for _, point in floor.on_tool)
    radii = {Cause.STRAIGHT: first + second, Cause.FOLDED: abs(first - second)}
    for stop in circles.stops:
        end = arm.limits[stop.joint][stop.upper]
        if stop.cause in radii:
            yield -third, 0j, radii[stop.cause]
        elif stop.part not in ('', 'the elbow'):
            yield next(tool), 0j, None
        elif stop.joint == 1:
            yield -third, 0j, abs(first + second * np.exp(1j * end))
        elif stop.joint == 2:
            yield -third - second * np.exp(-1j * end), 0j, first
        else:
            at = next(elbows) if stop.part else end
            yield -third, first * np.exp(1j * at), second


def step_of(kind, point, out, size):
    """Where the tip is and the orientation, at both ends and in the middle of a step, and bounds of
    how far it moves, turns and bends. A point of the tool comes from `out` and goes back, or passes
    square to it: the tip moves it, the tool, or both alike. In the middle, it is at 0."""
    u = np.array([-1.0, 0.0, 1.0])
    swings, passes = size * u, 1j * out * size * u
    turned = {'swings': swings, 'both': swings, 'curls': swings * u / 2.0}.get(kind, 0.0 * u)
    bends, both = out * size * u * u / 2.0, -abs(point) * passes
    moved = {'passes': passes, 'both': both, 'bends': bends}.get(kind, 0.0 * u)
    tool = -out * abs(point) / point * (1j if kind == 'curls' else 1.0)
    bounds = (kind in some for some in ('passes bends', 'swings curls both', 'bends', 'curls'))
    bounds = [size * one for one in bounds]
    bounds[0] += size * abs(point) * (kind == 'both')
    return moved - point * tool, np.angle(tool) + turned, bounds


@pytest.mark.parametrize('kind', ['passes', 'bends', 'swings', 'curls', 'both'])
def test_a_row_keeps_its_side_unless_the_way_bends_by_more_than_it_is_off(kind):
    """Where the point comes from the side on which it is, and goes back: to a few percent."""
    rng, tight = np.random.default_rng(2), 0
    for _ in range(cases(400)):
        scale, arm = 10.0 ** rng.uniform(-2.0, 2.0), some_arm(rng)
        lengths = tuple(scale * np.array(arm.link_lengths))
        limits = *arm.limits[:2], (0.0, rng.uniform(0.2, 3.0))
        floor = Floor(-rng.uniform() * lengths[0], carried=(tuple(scale * rng.normal(size=2)),))
        arm = PlanarArm(lengths, limits, floor)
        floor = FloorAlong(arm.solver.model, floor)
        circles = MetCircles(arm.solver, floor, int(rng.integers(2)))
        for row, (point, center, radius) in enumerate(seen(arm, circles, floor)):
            out = 1j if radius is None else np.exp(1j * rng.uniform(-3.0, 3.0))
            back, off = rng.choice([-1.0, 1.0] if kind in 'bends curls' else [1.0]), 0.05
            size, off = 10.0 ** rng.uniform(-3.5, -2.5), off * rng.choice([-1.0, 1.0])
            size **= 1.0 if kind != 'passes' else rng.uniform()  # that is exact
            if point == 0.0 or (kind == 'passes' and radius is None):
                continue
            long = scale if radius is None else radius
            size *= min(1.0, long / abs(point)) if kind in 'swings curls both' else long
            tips, phi, bounds = step_of(kind, point, back * out, size)
            ends = tips[0] + point * np.exp(1j * phi[0])
            if radius is None:
                middle = 1j * (floor.floor.height + off * ends.imag)
            else:
                middle = out * math.sqrt(
                    radius**2 + off * (abs(radius * out + ends) ** 2 - radius**2)
                )
            tips += center + middle
            misses = circles.misses(tips.real, tips.imag, phi)[row]
            assert (np.sign(misses) == back * np.array([1, np.sign(off), 1])).all()
            first, last = ([tips.real[[i]], tips.imag[[i]], phi[[i]]] for i in (0, -1))
            keep = circles.keep_sides(first, last, *(np.array([one]) for one in bounds))[row, 0]
            is_whole = kind in 'passes bends' or point.imag == 0.0 or radius is None
            assert keep == (off > 0.0) if is_whole else keep <= (off > 0.0)
            tight += is_whole
    assert tight > cases(400)


@pytest.mark.parametrize('met', [0, 1, 2, 'the elbow'])
def test_a_limit_or_a_floor_that_is_passed_in_a_step_is_not_clear(met):
    """With the tip and the tool moved as far as they may, in many directions."""
    rng, passed = np.random.default_rng(9), 0
    for _ in range(cases(2000)):
        arm, scale = some_arm(rng), 10.0 ** rng.uniform(-2.0, 2.0)
        lengths = tuple(scale * np.array(arm.link_lengths))
        q, limits, near = rng.uniform(-3.0, 3.0, 3), [*arm.limits], 10.0 ** rng.uniform(-4.0, -1.0)
        near *= rng.choice([-1.0, 1.0])
        upper = bool(rng.integers(2))
        if met != 'the elbow':
            end = q[met] + near
            limits[met] = (end - 2.0, end) if upper else (end, end + 2.0)
        floor = Floor(lengths[0] * math.sin(q[0] + near))
        arm = PlanarArm(lengths, limits, floor)
        elbow, (tool, phi) = int(math.sin(q[1]) > 0.0), tip(arm, q)
        circles = MetCircles(arm.solver, FloorAlong(arm.solver.model, floor), elbow)
        moved, turned = 10.0 ** rng.uniform(-4.0, -1.0, 2) * (scale, 1.0)
        away = moved * np.exp(1j * np.linspace(0.0, math.tau, 24)[:, None])
        phis = phi + turned * np.array([-1.0, 0.0, 1.0])
        wrists = tool + away - lengths[2] * np.exp(1j * phis)
        upper_arm, forearm = arm.solver.triangle.elbows_up_and_down(wrists.real, wrists.imag)[elbow]
        if met == 'the elbow':
            off = lengths[0] * np.sin(upper_arm) - floor.height
        else:
            angles = (upper_arm, forearm - upper_arm, phis - forearm)
            off = np.remainder(angles[met] - end + math.pi, math.tau) - math.pi
        step = (tool.real, tool.imag, phi, moved, turned, moved)
        clear = circles.are_clear(*(np.array([one]) for one in step))[:, 0]
        stop = Stop(Cause.FLOOR, part=met) if met == 'the elbow' else Stop(Cause.LIMIT, met, upper)
        of_it = [one for one, row in zip(clear, circles.stops) if row == stop]
        if of_it and off.min() < 0.0 < off.max() and np.abs(off).max() < min(1.0, scale):
            passed += 1
            assert not all(of_it)
    assert passed > cases(200)


def test_joints_on_their_limits_and_a_part_at_the_height_of_the_floor_are_allowed():
    """Half as far again past a limit as rounding is, or a millionth of the reach, is not."""
    rng = np.random.default_rng(10)
    for _ in range(cases(1000)):
        arm, scale, up = some_arm(rng), 10.0 ** rng.uniform(-2.0, 2.0), rng.uniform(-3.0, 3.0)
        q = rng.uniform(*np.transpose(arm.limits))
        arm = replace(arm, link_lengths=tuple(scale * np.array(arm.link_lengths)))
        if abs(math.sin(q[1])) < 0.1:
            continue
        ends = q + TURN * rng.integers(-1, 2, 3)
        limits = [(one, one + 1.0) if rng.random() < 0.5 else (one - 1.0, one) for one in ends]
        arm = replace(arm, joint_limits=limits)
        places = np.array(arm.joint_points(q))[1:] @ (1.0, 1.0j) * np.exp(-1j * up)
        (tool, phi), height = tip(arm, q), float(places.real.min())
        for floor, joint in ((0.0, None), (1e-6, None), *((0.0, one) for one in range(3))):
            tight = [*limits]
            if joint is not None:
                tight[joint] = [
                    one + 1.5 * ON_LIMIT_OF_LINE * np.sign(sum(limits[joint]) / 2.0 - ends[joint])
                    if one == ends[joint]
                    else one
                    for one in limits[joint]
                ]
            other = replace(
                arm, joint_limits=tight, floor=Floor(height + floor * arm.max_reach, up)
            )
            along = FloorAlong(other.solver.model, other.floor)
            circles = MetCircles(other.solver, along, int(math.sin(q[1]) > 0.0))
            found = circles.are_allowed(*(np.array([one]) for one in (tool.real, tool.imag, phi)))
            assert found[0] == (floor == 0.0 and joint is None)
