# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines behind a yaw joint: followed to their ends, and no farther on that branch."""

import math
from dataclasses import replace

import numpy as np
import pytest
from followed_lines import JUMP, below_past, just_past, largest_step
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    axis_of,
    bend_seen,
    direction,
    inside,
    limits_of,
    random_arm,
    random_configuration,
    somewhere,
    spatial_arm,
    tip_pose,
    yaw_joint,
)

from ik_circles import Floor
from ik_circles.planar.lines.track import Cause
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE, Configuration
from ik_circles.spatial.lines.straight import SpatialLine, ways_of
from ik_circles.spatial.lines.turned_way import YAW, TurnedWay


def random_lines(rng, count, orientation='held'):
    """Arms behind a yaw joint, or in a plane that stands still, and targets near or anywhere."""
    for number in range(count):
        limits = (limits_of(rng), FREE, limits_of(rng, 12.0), None)[number % 4]
        arm = random_arm(rng, bool(rng.integers(2)), limits)
        start = random_configuration(rng, arm)
        tip, reach = tip_pose(arm, start)[0], arm.planar.max_reach
        target = tip + direction(rng) * rng.uniform(0.0, 0.4) * reach
        if arm.yaw is None:
            start = Configuration(0.0, start.q)
            off = np.array(arm.plane.normal)
            target -= off * (off @ (target - tip))
        elif rng.random() < 0.5:
            target = np.array(somewhere(rng, arm, 1.0))
        elif rng.random() < 0.2:
            axis, through = axis_of(arm)
            foot = through + axis * ((tip - through) @ axis)
            target = tip + (foot - tip) * rng.uniform(0.5, 2.0)
        yield arm, start, tip, target, SpatialLine(arm, start, tuple(target.tolist()), orientation)


def angles(configuration):
    return configuration.yaw, *configuration.q


def test_a_held_line_in_space_is_followed_to_its_end():
    rng = np.random.default_rng(0)
    for _, start, tip, target, line in random_lines(rng, cases(2000, 40)):
        for share in np.linspace(0.0, line.end.share, 9).tolist():
            one = line.configuration(share)
            away = tip_pose(line.arm, one)[0] - tip - share * (target - tip)
            assert np.linalg.norm(away) <= 1e-9
            assert inside(line.arm, one)
            assert abs(sum(one.q) - sum(start.q)) <= 1e-9
        assert math.dist(angles(line.configuration(0.0)), angles(start)) <= 1e-9
        assert line.turned == pytest.approx(abs(one.yaw - line.configuration(0.0).yaw), abs=1e-9)
        jump = largest_step(lambda at, of=line: angles(of.configuration(at)), line.end.share, 40)
        assert jump <= JUMP


def test_no_held_line_in_space_goes_on_past_its_end():
    """But through the yaw axis: there an arm could go on, reaching backwards."""
    rng = np.random.default_rng(1)
    for arm, start, tip, target, line in random_lines(rng, cases(2000)):
        end, stop = line.configuration(line.end.share), line.end.stop
        if stop is not None and stop.cause is Cause.THROUGH_AXIS:
            continue
        limits = [arm.yaw.limits if arm.yaw else FREE, *arm.planar.limits]
        for share, room in just_past(line.end.share):
            point = tuple((tip + share * (target - tip)).tolist())
            for one in arm.inverse_kinematics(point, math.remainder(sum(start.q), math.tau)):
                gap = max(
                    abs(math.remainder(a - b, math.tau) if math.isinf(lower) else a - b)
                    for a, b, (lower, _) in zip(angles(one), angles(end), limits)
                )
                assert gap >= room or bend_seen(arm, one) * bend_seen(arm, end) <= 0.0


def test_lines_past_the_yaw_axis():
    """Beside the axis by 0.05 m: a line at 0.02 m from the axis ends, one at 0.06 m does not."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS, aside=0.05))
    start = Configuration(0.0, (0.4, 1.0, 0.3))
    x, y, z = arm.tip_at(start)
    axis_x, axis_y = axis_of(arm)[1][:2]
    heading = math.atan2(axis_y - y, axis_x - x)
    far = 2.0 * math.hypot(axis_y - y, axis_x - x)
    for past, cause in ((0.02, Cause.AXIS), (0.06, None)):
        aimed = heading + math.asin(past / (far / 2.0))
        target = x + far * math.cos(aimed), y + far * math.sin(aimed), z
        line = SpatialLine(arm, start, target, 'held')
        assert (line.end.stop and line.end.stop.cause) == cause
    through = spatial_arm(LINKS, yaw_joint(LINKS))
    x, y, z = through.tip_at(start)
    for past in (0.5, 1.0, 2.0):  # the end is nearer to the axis than the start, or farther away
        line = SpatialLine(through, start, (-past * x, -past * y, z), 'held')
        assert abs(line.end.share - 1.0 / (1.0 + past)) <= 1e-12
        assert line.end.stop.cause is Cause.THROUGH_AXIS
    on_axis = through.inverse_kinematics((0.0, 0.0, 0.5), 1.0)[0]
    along = SpatialLine(through, on_axis, (0.0, 0.0, 0.6), 'held')
    assert (along.end.share, along.end.stop) == (1.0, None)
    assert along.configuration(1.0).yaw == pytest.approx(on_axis.yaw, abs=1e-12)
    on_axis = Configuration(2.0, on_axis.q)
    for out in (0.1, -0.1):  # along the plane, facing the target or reaching backwards
        target = out * math.cos(2.0), out * math.sin(2.0), 0.5
        line = SpatialLine(through, on_axis, target, 'held')
        assert line.end == (1.0, None) and line.configuration(1.0).yaw == pytest.approx(2.0)
        assert through.tip_at(line.configuration(1.0)) == pytest.approx(target)


def test_a_line_out_of_a_plane_that_no_joint_turns_ends_beside_it():
    arm, start = spatial_arm(LINKS), Configuration(0.0, (0.4, 1.0, 0.3))
    target = np.add(arm.tip_at(start), np.multiply(0.02, arm.plane.normal))
    end = SpatialLine(arm, start, tuple(target.tolist()), 'held').end
    assert end.stop.cause is Cause.OUT_OF_PLANE
    assert end.share == pytest.approx(OUT_OF_PLANE_TOLERANCE / 0.02)


def test_no_piece_of_a_way_is_faster_than_its_bounds():
    """Law: of the yaw joint, and of the point in the plane, which meets the axis nowhere."""
    rng = np.random.default_rng(3)
    for arm, start, _, target, _ in random_lines(rng, cases(2000)):
        if arm.yaw is None:
            continue
        tip = arm.planar.pose_at(start.q)
        for way in ways_of(arm.yaw, (tip.x, tip.y), start.yaw, arm.plane.into(target)):
            first, last = np.sort(rng.uniform(size=(2, 20)), axis=0)
            aside, (here, there) = abs(arm.yaw.aside), (way.yaws_at(one) for one in (first, last))
            turned = np.abs(np.remainder(there - here + math.pi, math.tau) - math.pi)
            moved = np.hypot(*np.subtract(way.places(last), way.places(first)))
            inside = [math.hypot(*way.seen(s)) > aside + 1e-6 for s in np.linspace(0, 1, 200)]
            if all(inside) and not way.through_axis:
                width = last - first
                assert (turned <= way.yaw_rates(first, last) * width + 1e-9).all()
                assert (moved <= way.rates(first, last) * width + 1e-9).all()
                normal, (start, end) = direction(rng, 2), (way.places(one) for one in (first, last))
                risen = np.abs(normal @ np.subtract(end, start))
                assert (risen <= way.rises(normal, first, last) * width + 1e-9).all()


def test_a_yaw_limit_is_a_half_plane():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, limits=(-1.0, 0.5)))
    start = Configuration(0.0, (0.4, 1.0, 0.3))
    x, _, z = arm.tip_at(start)
    line = SpatialLine(arm, start, (x, x, z), 'held')
    assert abs(line.end.share - math.tan(0.5)) <= 1e-12
    assert line.end.stop[:3] == (Cause.LIMIT, YAW, True)
    for end in (-1.0, 0.5):  # along the plane on its limit
        start = Configuration(end, (0.4, 1.0, 0.3))
        x, y, z = arm.tip_at(start)
        assert SpatialLine(arm, start, (0.9 * x, 0.9 * y, z), 'held').end == (1.0, None)


def test_a_free_line_in_space_is_followed_to_its_end():
    rng = np.random.default_rng(2)
    for arm, start, tip, target, line in random_lines(rng, cases(200), 'free'):
        held = SpatialLine(arm, start, tuple(target.tolist()), 'held')
        assert line.end.share >= held.end.share
        for share in np.linspace(0.0, line.end.share, 9).tolist():
            one = line.configuration(share)
            away = tip_pose(arm, one)[0] - tip - share * (target - tip)
            assert np.linalg.norm(away) <= 1e-9 and inside(arm, one)
        jump = largest_step(lambda at, of=line: angles(of.configuration(at)), line.end.share, 40)
        assert jump <= JUMP


def above_a_floor(rng, arm, start):
    """The same arm above a floor square to its yaw axis, at its lowest part or lower, and the
    height of its lowest part above that."""
    up = np.array(arm.yaw.along if arm.yaw else direction(rng, 2))
    carried = rng.uniform(-0.3, 0.3, (rng.integers(2), 2))

    def lowest(one):
        links = arm.planar.link_lengths * np.exp(1j * np.cumsum(one.q))
        points = [*np.cumsum(links)]
        points += [points[1] + complex(*each) * np.exp(1j * sum(one.q)) for each in carried]
        return min((point * complex(*up).conjugate()).real for point in points)

    own = lowest(start) - rng.choice([0.0, 0.02, 0.1, 0.3]) * arm.planar.max_reach
    floor = Floor(own, math.atan2(up[1], up[0]), carried)
    planar = replace(arm.planar, floor=floor)
    return replace(arm, planar=planar), lambda one: lowest(one) - own


def test_a_line_in_space_stays_above_the_floor_and_a_held_one_ends_on_it():
    """With a floor far below, the line is the same, bit for bit."""
    rng = np.random.default_rng(3)
    ended = 0
    some = random_lines(rng, cases(1000, 40, least=8))
    for number, (arm, start, _, target, free) in enumerate(some):
        above, height = above_a_floor(rng, arm, start)
        orientation = 'free' if number % 20 == 0 else 'held'
        line = SpatialLine(above, start, tuple(target.tolist()), orientation)
        for share in np.linspace(0.0, line.end.share, 30).tolist():
            assert height(line.configuration(share)) >= -1e-12
        floor = replace(above.planar.floor, height=-3.0)
        far = replace(arm, planar=replace(arm.planar, floor=floor))
        same = SpatialLine(far, start, tuple(target.tolist()), 'held')
        assert same.end == free.end
        shares = np.linspace(0.0, free.end.share, 30).tolist()
        assert [*map(same.configuration, shares)] == [*map(free.configuration, shares)]
        if orientation == 'free':
            held = SpatialLine(above, start, tuple(target.tolist()), 'held')
            assert line.end.share >= held.end.share
        elif line.end.stop is not None and line.end.stop.cause is Cause.FLOOR:
            ended += 1
            assert below_past(
                line.end.share, free.end.share,
                lambda at: height(free.configuration(at)),  # noqa: B023
            )  # fmt: skip
        else:
            assert line.end == free.end
    assert ended > cases(100, 40)


def test_a_line_along_the_yaw_axis_is_not_ended_by_it():
    rng, ended = np.random.default_rng(6), set()
    for _ in range(cases(1000, least=40)):
        arm = random_arm(rng, False, FREE)
        reach, phi = arm.planar.max_reach, float(rng.uniform(-3.0, 3.0))
        low, high = rng.uniform(-reach, reach, 2)
        here, there = (arm.plane.in_space(*arm.yaw.in_plane(0.0, z), 0.0) for z in (low, high))
        for start in arm.inverse_kinematics(here, phi):
            start = start._replace(yaw=float(rng.uniform(-3.0, 3.0)))  # every yaw angle works there
            stop = SpatialLine(arm, start, there, 'held').end.stop
            ended.add(stop and stop.cause)
    assert None in ended and ended <= {None, Cause.LIMIT, Cause.STRAIGHT, Cause.FOLDED}


def test_a_way_knows_where_it_is_on_a_circle_and_on_a_line():
    """Circles about a point of the yaw axis, too: there, roots would be double."""
    rng = np.random.default_rng(7)
    for number in range(cases(2000)):
        yaw = yaw_joint(LINKS, aside=float(rng.choice([0.0, 0.05])))
        start, target = rng.uniform(0.1, 0.5, 2), rng.uniform(-0.5, 0.5, 3)
        for way in ways_of(yaw, tuple(start.tolist()), 0.3, tuple(target.tolist())):
            share = float(rng.uniform())
            if math.hypot(*way.seen(share)) < abs(yaw.aside) + 1e-3:
                continue
            center = (0.0 if number % 2 else float(rng.uniform(-0.5, 0.5)), 0.2)
            normal, place = direction(rng, 2).tolist(), way.at(share)
            met = way.on_circle(center, math.dist(place, center))
            level = way.on_line(normal, float(np.dot(normal, place)))
            assert all(0.0 <= one <= 1.0 for one in (*met, *level))
            assert min(abs(one - share) for one in level) <= 1e-8
            off = 1e-8 if center[0] else 1e-11  # a double root would be off by the root of rounding
            assert min(abs(one - share) for one in met) <= off


@pytest.mark.parametrize('aside', [0.0, 0.05])
def test_bounds_of_a_short_piece_straight_outwards_are_its_speeds(aside):
    rng, yaw = np.random.default_rng(8), yaw_joint(LINKS, aside=aside)
    for _ in range(cases(400)):
        (x, y), outwards = direction(rng, 2), float(rng.uniform(0.1, 0.5))
        rate, rise = rng.uniform(0.1, 0.5, 2)
        along = (rate * x, rate * y, rise)
        way = TurnedWay(yaw, (outwards * x, outwards * y, 0.1), along, 1.0, 0.3)
        first = rng.uniform(size=1)
        last = first + 1e-5
        moved = np.subtract(way.places(last), way.places(first))[:, 0] / 1e-5
        assert way.rates(first, last)[0] == pytest.approx(math.hypot(*moved), rel=1e-3)
        for normal in ((1.0, 0.0), (0.0, 1.0)):
            found = way.rises(normal, first, last)[0]
            assert found == pytest.approx(abs(np.dot(normal, moved)), rel=1e-3)
        turned = abs(way.yaws_at(last) - way.yaws_at(first))[0] / 1e-5
        assert way.yaw_rates(first, last)[0] == pytest.approx(turned, rel=1e-3, abs=1e-6)
        if aside == 0.0:
            across = TurnedWay(yaw, way.start, (-rate * y, rate * x, rise), 1.0, 0.3)
            assert across.rates(first, last)[0] == pytest.approx(math.hypot(rate, rise))
