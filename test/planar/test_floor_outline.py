# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The outline above a floor is drawn to 1e-5 of the reach, and it is closed."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_joints, tip
from spatial_arms import random_planar
from test_floor_curves import held, with_floor_under
from test_floor_in_plane import arm_above, lowest

from ik_circles import Arc, Floor, PlanarArm
from ik_circles.planar.floor.above import AboveFloor
from ik_circles.planar.floor.clearance import while_orientation_stays
from ik_circles.planar.floor.sliding import sliding_curves

#: Points nearer to the outline than this may be on either side of it [reaches].
DRAWN_TO = 1e-5
CHORD = 0.004  # [rad]: within 2e-6 of the radius


def chords(arm):
    """Both ends of each chord of the outline, complex (N,), (N,)."""
    corners = [arc.chords(CHORD) @ (1.0, 1j) for arc in arm.workspace_boundary().arcs]
    ends = [(one[:-1], one[1:]) for one in corners]
    return tuple(map(np.concatenate, zip(*ends))) if ends else (np.zeros(0), np.zeros(0))


def distance(start, end, point):
    """Distance from a point to the nearest chord [m]."""
    along = end - start
    square = np.maximum(np.abs(along) ** 2, 1e-300)
    share = np.clip(((point - start) * along.conjugate()).real / square, 0.0, 1.0)
    return np.abs(start + share * along - point).min(initial=math.inf)


def is_reached(arm, point):
    return bool(arm.orientation_intervals(point.real, point.imag))


def edge(arm, inside, outside):
    """Where the workspace ends on the way from a point inside to one outside."""
    for _ in range(40):
        middle = (inside + outside) / 2.0
        inside, outside = (middle, outside) if is_reached(arm, middle) else (inside, middle)
    return inside


# Drawn besides: arms that are not about 1 m long, and arcs that end on other arcs.
@pytest.mark.parametrize('seed', sorted({*range(cases(150, 60)), 6, 20, 35, 41}))
def test_the_outline_is_where_the_workspace_ends(seed):
    """Law: wherever a way leaves the workspace, the outline is; and beside each piece of the
    outline, there is something that is not reached, and something that is."""
    rng = np.random.default_rng(seed)
    check_outline(arm_above(rng), rng)


@pytest.mark.parametrize('seed', range(cases(300, 15)))
def test_the_outline_is_closed_separates_and_turns_with_the_arm(seed):
    """Law: no piece ends alone, and none is drawn twice. Anywhere on a piece, there is something
    reached on just one side. Turned with its floor, the arm has the same area."""
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    outline, reach = arm.workspace_boundary(), arm.max_reach
    if arm.has_families or not outline.arcs:
        return
    pieces = [one for one in outline.arcs if one not in outline.strands]
    ends = [one.point_at(at) for one in outline.arcs for at in (one.start, one.end)]
    ends = np.array(ends).reshape(-1, 2) @ (1.0, 1j)
    apart = np.abs(ends[:, None] - ends) + np.diag(np.full(len(ends), math.inf))
    is_strand = np.repeat([one in outline.strands for one in outline.arcs], 2)
    is_alone = apart.min(axis=0, initial=math.inf) > DRAWN_TO * reach
    assert not np.any(is_alone & ~is_strand), f'{arm!r}'
    for arc in outline.arcs:
        middle = arc.point_at(arc.start + arc.sweep / 2.0)
        others = (one.distance_to(middle) for one in outline.arcs if one is not arc)
        is_short = arc.radius * arc.sweep <= DRAWN_TO * reach
        assert is_short or min(others, default=math.inf) > 1e-6 * reach, f'{arm!r}'
    for arc in pieces:
        angle = arc.start + arc.sweep * rng.uniform(0.1, 0.9)
        place, way = complex(*arc.point_at(angle)), np.exp(1j * angle)
        others = [one.distance_to((place.real, place.imag)) for one in pieces if one is not arc]
        if min(others, default=math.inf) > 3.0 * DRAWN_TO * reach:
            step = DRAWN_TO * reach * way
            assert is_reached(arm, place - step) != is_reached(arm, place + step), f'{arm!r}'
    turned = turned_with_floor(arm, rng.uniform(-3.0, 3.0))
    area = turned.workspace_boundary().area
    assert area == pytest.approx(outline.area, abs=1e-5 * reach**2), f'{arm!r}'


def turned_with_floor(arm, angle):
    """The same arm and floor, turned about the base."""
    first, *others = arm.joint_limits or (None, None, None)
    first = first and tuple(limit + angle for limit in first)
    floor = replace(arm.floor, up=arm.floor.up + angle)
    return replace(arm, joint_limits=(first, *others), floor=floor)


def test_two_parts_of_the_last_link_slide_on_the_floor_together():
    """The tip follows a line parallel to the floor, and the outline a part of it."""
    arm = PlanarArm((0.4, 0.4, 0.14), floor=Floor(-0.2, carried=((0.18, 0.1),)))
    height = 0.14 * 0.1 / math.hypot(0.18, 0.1)  # of the tip, with the wrist and that part on it
    line = [
        arc
        for arc in arm.workspace_boundary().arcs
        if all(abs(y + 0.2 - height) <= 1e-6 for _, y in map(arc.point_at, (arc.start, arc.end)))
    ]
    assert line
    check_outline(arm, np.random.default_rng(0), ways=100)


@pytest.mark.parametrize('limits', [(0.5, 2.0), (-2.0, -0.5)])
def test_the_outline_follows_a_wrist_that_slides_along_the_floor(limits):
    arm = PlanarArm((0.4, 0.3, 0.2), (None, limits, (0.7, 1.5)), floor=Floor(-0.2))
    check_outline(arm, np.random.default_rng(0), ways=100)


def test_the_outline_goes_around_a_wrist_on_the_floor_with_a_straight_elbow():
    arm = PlanarArm((0.4, 0.3, 0.6), (None, (-1.0, 1.0), (1.8, 2.6)), floor=Floor(-0.2))
    check_outline(arm, np.random.default_rng(0), ways=12)


@pytest.mark.parametrize('times', [2.0**-10, 2.0**10])
def test_the_outline_of_a_scaled_arm_is_scaled(times):
    """By a power of two: that changes no digit of a length."""
    rng = np.random.default_rng(10)
    for _ in range(cases(60)):
        arm = arm_above(rng)
        height, up, carried = arm.floor.height, arm.floor.up, arm.floor.carried
        floor = Floor(height * times, up, tuple((x * times, y * times) for x, y in carried))
        links = tuple(length * times for length in arm.link_lengths)
        scaled = replace(arm, link_lengths=links, floor=floor).workspace_boundary()
        outline = arm.workspace_boundary()
        assert scaled.area == pytest.approx(outline.area * times**2, rel=1e-9, abs=1e-12 * times**2)
        assert len(scaled.arcs) == len(outline.arcs)
        for one, other in zip(scaled.arcs, outline.arcs):
            assert one.start == pytest.approx(other.start, abs=1e-9)
            assert one.point_at(one.end) == pytest.approx(
                [times * at for at in other.point_at(other.end)], abs=1e-9 * times
            )


def check_outline(arm, rng, ways=10):
    outline = arm.workspace_boundary()
    if arm.has_families or not outline.arcs:
        return
    start, end = chords(arm)
    drawn_to = DRAWN_TO * arm.max_reach
    for _ in range(ways):
        inside, outside = tip(arm, random_joints(rng, arm))[0], complex(*rng.uniform(-1.0, 1.0, 2))
        outside = outside * 1.5 * arm.max_reach
        if is_reached(arm, inside) and not is_reached(arm, outside):
            place = edge(arm, inside, outside)
            assert distance(start, end, place) <= drawn_to, f'{arm!r}, {place!r}'
    for arc in rng.permutation(np.array(outline.arcs, dtype=object))[:4]:
        middle = complex(*Arc(*arc).point_at(arc[2] + arc[3] / 2.0))
        steps = drawn_to * np.exp(1j * np.linspace(0.0, math.tau, 20))
        around = [is_reached(arm, middle + share * step) for step in steps for share in (1.0, 0.1)]
        assert not all(around), f'{arm!r}, {middle!r}'
        assert any(around) or is_reached(arm, middle) or Arc(*arc) in outline.strands


def test_where_a_part_slides_on_the_floor_at_the_end_of_the_workspace_the_outline_is():
    """Wrist or carried point, with a joint on a limit: there, a millionth of the reach apart, one
    point is reached and the other is not."""
    rng, seen = np.random.default_rng(14), 0
    for _ in range(cases(1200, least=60)):
        joint, q = int(rng.integers(3)), rng.uniform(-3.0, 3.0, 3)
        limits = [(one - rng.uniform(0.05, 0.8), one + rng.uniform(0.05, 0.8)) for one in q]
        arm, q = held(rng, q, PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits), joint)
        part = complex(*rng.uniform(-0.3, 0.3, 2)) if joint != 2 or rng.random() < 0.5 else 0j
        above, place = with_floor_under(arm, q, part, rng), tip(arm, q)[0]
        steps = 1e-6 * arm.max_reach * np.exp(1j * np.linspace(0.0, math.pi, 4, endpoint=False))
        if above is None or all(
            is_reached(above, place + step) == is_reached(above, place - step) for step in steps
        ):
            continue
        seen += 1
        arcs = above.workspace_boundary().arcs
        away = min(one.distance_to((place.real, place.imag)) for one in arcs)
        assert away <= 1.5e-6 * arm.max_reach
    assert seen >= cases(60)


def test_a_half_disk():
    """A floor through the base leaves half of the disk, and one below all of it leaves it whole."""
    arm = PlanarArm((0.4, 0.3, 0.2), floor=Floor(0.0))
    outline = arm.workspace_boundary()
    assert outline.area == pytest.approx(math.pi * 0.81 / 2.0, rel=1e-4)
    assert not outline.strands
    low = PlanarArm((0.4, 0.3, 0.2), floor=Floor(-0.95))
    assert low.workspace_boundary().area == pytest.approx(math.pi * 0.81, rel=1e-4)
    ring = PlanarArm((1.0, 0.4, 0.2), floor=Floor(0.0))
    half = math.pi * (1.6**2 - 0.4**2) / 2.0
    assert ring.workspace_boundary().area == pytest.approx(half, rel=1e-4)


@pytest.mark.parametrize('q3', [0.7, 1.5])
@pytest.mark.parametrize('q2', [0.5, 2.0])
def test_a_wrist_that_slides_along_the_floor_stops_where_joint_2_is_on_its_limit(q2, q3):
    """By hand: base and wrist are as far apart as that limit has them, with the wrist at -0.2 m."""
    limits = (None, (0.5, 2.0), (0.7, 1.5))
    model, floor = PlanarArm((0.4, 0.3, 0.2), limits), Floor(-0.2)
    curves = sliding_curves(model, floor, AboveFloor(model, floor).pieces)
    ends = [complex(*end) for curve in curves for end in (curve[0], curve[-1])]
    wrist = 0.4 + 0.3 * np.exp(1j * q2)
    down = math.asin(-0.2 / abs(wrist))
    for direction in (down, math.pi - down):
        place, _ = tip(model, (direction - np.angle(wrist), q2, q3))
        assert min(abs(end - place) for end in ends) <= 1e-8


@pytest.mark.parametrize(('q3', 'lowest'), [(-0.6, 3), (0.8, 2)], ids=['the tip', 'the wrist'])
def test_what_is_next_to_the_floor_may_move_no_farther_than_to_it(q3, lowest):
    """The elbow is high above the floor, and no joint is near a limit."""
    arm, q = PlanarArm((0.4, 0.3, 0.2)), (1.2, -1.4, q3)
    floor = Floor(arm.joint_points(q)[lowest][1] - 0.01)
    assert while_orientation_stays([arm], floor, q) == pytest.approx(0.01)


def test_the_line_of_a_floor_is_on_it_and_as_wide_as_asked():
    rng = np.random.default_rng(2)
    for up in (math.pi / 2.0, *rng.uniform(-math.pi, math.pi, 5).tolist()):
        floor = Floor(-0.3, up)
        ends = floor.line(2.0)
        assert [floor.clearance(end) for end in ends] == pytest.approx([0.0, 0.0], abs=1e-12)
        assert math.dist(*ends) == pytest.approx(4.0)
        middle = np.mean(ends, axis=0)
        assert middle == pytest.approx((-0.3 * math.cos(up), -0.3 * math.sin(up)), abs=1e-12)


@pytest.mark.parametrize('limits', [None, (None, (0.5, 2.0), (0.7, 1.5))])
def test_a_point_carried_at_the_tip_changes_nothing(limits):
    plain, carried = (
        PlanarArm((0.4, 0.3, 0.2), limits, floor=Floor(-0.2, carried=points)).workspace_boundary()
        for points in ((), ((0.2, 0.0),))
    )
    assert len(carried.arcs) == len(plain.arcs)
    assert carried.area == pytest.approx(plain.area, rel=1e-9)


def test_an_elbow_a_wrist_or_a_tip_on_the_floor_is_above_it():
    """The floor is at the height of the lowest part, and rounding is not too much for it."""
    rng = np.random.default_rng(11)
    for _ in range(cases(4000)):
        arm = random_planar(rng)
        q, up = random_joints(rng, arm), rng.uniform(-3.0, 3.0)
        ways = np.array(arm.link_lengths) * np.exp(1j * (np.cumsum(q) - up))
        arm = replace(arm, floor=Floor(float(np.cumsum(ways).real.min()), up))
        point, phi = tip(arm, q)
        assert arm.check_reachability(point.real, point.imag, phi).reachable
        assert arm.orientation_intervals(point.real, point.imag)


def test_the_area_above_a_floor_is_that_of_the_points_that_are_reached_and_turns_with_the_arm():
    """A grid of points is as exact as it is fine."""
    rng = np.random.default_rng(11)
    for _ in range(cases(60, least=2)):
        limits = [(lower, lower + rng.uniform(0.5, 4.0)) for lower in rng.uniform(-3.0, 0.0, 3)]
        height, up = rng.uniform(-0.4, 0.1), rng.uniform(-3.0, 3.0)
        arm = PlanarArm(tuple(rng.uniform(0.2, 0.5, 3)), limits, floor=Floor(height, up))
        area, reach = arm.workspace_boundary().area, arm.max_reach
        turned = turned_with_floor(arm, rng.uniform(-3.0, 3.0)).workspace_boundary().area
        assert turned == pytest.approx(area, abs=1e-5 * reach**2)
        grid = (np.arange(80) + 0.5) / 40.0 - 1.0
        points = reach * (grid[:, None] + 1j * grid).ravel()
        share = np.mean([is_reached(arm, point) for point in points])
        assert share * (2.0 * reach) ** 2 == pytest.approx(area, abs=0.01 * reach**2)


def test_a_tip_that_only_turns_about_the_base_draws_a_part_of_a_circle():
    """Joints 2 and 3 do not move: there is no area, and the floor itself is not drawn."""
    rng = np.random.default_rng(12)
    for _ in range(cases(200)):
        bent = [(one, one) for one in rng.uniform(-2.0, 2.0, 2).tolist()]
        arm = PlanarArm(tuple(rng.uniform(0.2, 0.6, 3)), (None, *bent), floor=Floor(-0.2))
        outline, turns = arm.workspace_boundary(), np.linspace(0.0, math.tau, 721)[1:]
        radius = abs(tip(arm, (0.0, bent[0][0], bent[1][0]))[0])
        share = np.mean([lowest(arm, (one, bent[0][0], bent[1][0])) >= 0.0 for one in turns])
        assert outline.area == 0.0
        assert outline.strands == frozenset(outline.arcs)
        assert all(arc.radius == pytest.approx(radius) for arc in outline.arcs)
        assert sum(arc.sweep for arc in outline.arcs) == pytest.approx(share * math.tau, abs=0.05)


def test_a_tip_between_two_fingers_is_no_lower_than_both_of_them_leave_it():
    """By hand: they reach 5 cm past the tip, which follows a line that far above the floor."""
    fingers = (0.25, 0.1), (0.25, -0.1)
    arm = PlanarArm((0.4, 0.3, 0.2), floor=Floor(-0.3, carried=fingers))
    outline = arm.workspace_boundary()
    ends = np.array([arc.point_at(at) for arc in outline.arcs for at in (arc.start, arc.end)])
    assert ends[:, 1].min() == pytest.approx(-0.25, abs=1e-6)
    check_outline(arm, np.random.default_rng(0), ways=12)
