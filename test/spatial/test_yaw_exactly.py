# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The yaw joint with a rounding that floats hold exactly: up to the last bit, it counts as zero."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    apart,
    spatial_arm,
    yaw_joint,
)

from ik_circles import PlanarArm
from ik_circles.geometry.tolerances import CLOSURE, TOLERANCE
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.plane import JUST_MET, NEXT_TO_AXIS, ArmPlane
from ik_circles.spatial.points.deciding import shoulders_at
from ik_circles.spatial.points.ways import Question, Wanted
from ik_circles.spatial.shoulder import Place, Shoulder
from ik_circles.spatial.yaw import YAW_ROUNDING, Yaw

FINE = 2.0**-20  # the rounding [m]
UP, DOWN = math.inf, -math.inf


def upright(aside=0.0, limits=FREE):
    return Yaw(limits, (0.0, 0.0), (0.0, 1.0), aside, FINE)


def past(value, towards=UP):
    return math.nextafter(value, towards)


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_plane_holds_the_axis_up_to_the_rounding(sign):
    assert upright(sign * FINE).holds_axis and not upright(sign * past(FINE)).holds_axis
    assert upright(0.5).through(0.5 + sign * FINE).aside == 0.0
    assert upright(0.5).through(0.5 + sign * 2.0 * FINE).aside == -sign * 2.0 * FINE
    near, beyond = Place(FINE, 0.3, 0.25), Place(past(FINE), 0.3, 0.25)
    assert upright(sign * FINE).shoulders(near, 0.0) == [
        (Shoulder(0.0, (0.0, 0.25), 0.0, True), [0.0])
    ]
    assert not any(one.on_axis for one, _ in upright(sign * FINE).shoulders(beyond, 0.0))
    assert not upright(sign * past(FINE)).shoulders(near, 0.0)[0][0].on_axis


@pytest.mark.parametrize('aside', [0.5, -0.5])
def test_a_place_as_far_from_the_axis_as_the_plane_is_met_once_and_a_farther_one_twice(aside):
    yaw, slack = upright(aside), 2.0**-10
    counts = [
        len(yaw.shoulders(Place(radius, 0.3, 0.0), slack))
        for radius in (0.5 - slack - FINE, past(0.5 - slack - FINE, DOWN), 0.5, 0.5 + FINE,
                       past(0.5 + FINE))
    ]  # fmt: skip
    assert counts == [1, 0, 1, 1, 2]
    assert yaw.shoulders(Place(0.5 - 2.0 * FINE, 0.3, 0.0)) == []
    ((only, _),) = yaw.shoulders(Place(0.5, 0.3, 0.25), 0.0)
    assert only.point == (0.0, 0.25)
    assert only.yaw == pytest.approx(0.3 - math.copysign(math.pi / 2.0, aside), abs=1e-15)


def test_clear_shoulders_are_those_of_a_parallel_plane_inside_the_limits():
    """To the last bit. They may leave it open on the axis, next to a limit, where the angle is a
    turn outside of the limits, and where the plane just fails to meet the place."""
    rng, seen = np.random.default_rng(2), {'clear': 0, 'none': 0, 'open': 0}
    for _ in range(cases(4000, least=300)):
        lower = rng.uniform(-7.0, 0.0)
        limits = (FREE, (-1.9, 1.9), (-math.pi, math.pi), (lower, lower + rng.uniform(1.0, 14.0)))
        yaw = upright(rng.choice([0.0, rng.uniform(-0.2, 0.2)]), limits[rng.integers(4)])
        off = float(rng.choice([0.0, yaw.aside, yaw.aside - FINE / 2.0, rng.uniform(-0.2, 0.2)]))
        its, near = yaw.through(off), 0.01
        least = abs(its.aside)
        radius = rng.choice([0.0, least, least + rng.normal() * 2.0 * near, rng.uniform(0.0, 1.0)])
        radius = abs(float(radius + rng.integers(-1, 2) * 2.0 * FINE))
        end = rng.choice([*(one for one in its.ends()), rng.uniform(-3.0, 3.0)])
        facing = math.atan2(its.aside, its.outwards(Place(radius, 0.0, 0.0)))
        place = Place(radius, float(end + facing + rng.normal() * 1e-3), rng.uniform(-1.0, 1.0))
        found, every = yaw.clear_shoulders(place, off, near), its.shoulders(place)
        if found is not None:
            assert found == [one for one in every if one[1]]
            assert not any(at.on_axis for at, _ in every)
            assert every or radius < least - near
            seen['clear' if found else 'none'] += 1
            continue
        seen['open'] += 1
        lower, upper = its.limits[0] + 1.01 * YAW_ROUNDING, its.limits[1] - 1.01 * YAW_ROUNDING
        far_inside = bool(every) and all(lower < at.yaw < upper for at, _ in every)
        assert upper - lower >= math.tau or not far_inside or every[0][0].on_axis
        assert every or radius >= least - near
    assert min(seen.values()) > cases(100, least=8)


def test_the_plane_at_an_angle_or_turned_round_holds_a_place_up_to_nine_roundings_beside_it():
    off, quarter = CLOSURE * FINE, math.pi / 2.0  # whose sine is exactly 1
    for radius, is_held in ((0.5 + off, True), (past(0.5 + off), False),
                            (0.5 - off, True), (past(0.5 - off, DOWN), False)):  # fmt: skip
        for angle in (0.0, math.pi):
            place, yaw = Place(radius, quarter, 0.25), upright(0.5, (-1.0, 2.0))
            found = shoulders_at(yaw, angle, place, 0.0)
            assert [yaws for _, yaws in found] == [[0.0]] * is_held
            for shoulder, _ in found:
                assert shoulder.yaw == 0.0 and shoulder.point == pytest.approx((0.0, 0.25))
            for window, yaws in ((0.125, [0.125]), (past(0.125, DOWN), [])):
                found = shoulders_at(upright(0.5, (0.125, 2.0)), angle, place, window)
                assert [its for _, its in found] == [yaws] * is_held


def test_the_arm_faces_a_point_up_to_the_rounding_behind_the_axis():
    assert upright().faces((-FINE, 0.3))
    assert not upright().faces((past(-FINE, DOWN), 0.3))


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_plane_on_its_limit_holds_a_place_up_to_four_roundings_beside_it(sign):
    limits = (-1.0, 0.0) if sign > 0.0 else (0.0, 1.0)
    for roundings, is_met in ((1.0, True), (3.99, True), (4.5, False)):
        place = Place(0.5, sign * roundings * FINE / 0.5, 0.25)
        found = [(one, yaws) for one, yaws in upright(0.0, limits).shoulders(place, 0.0) if yaws]
        assert bool(found) == is_met
        for one, yaws in found:
            assert (one.yaw, yaws) == (0.0, [0.0])
            assert one.point == pytest.approx((0.5, 0.25), abs=1e-10)
    for past_limit, is_met in ((0.99 * YAW_ROUNDING, True), (1.1 * YAW_ROUNDING, False)):
        found = upright(0.0, limits).shoulders(Place(2.0 * FINE, sign * past_limit, 0.25), 0.0)
        assert any(yaws for _, yaws in found) == is_met


def test_angles_past_a_limit_by_the_window_are_on_it():
    limits = (-1.0, 1.0)
    for window in (0.0, 0.5):
        assert upright(0.0, limits).turns(1.0 + window, window) == [1.0]
        assert upright(0.0, limits).turns(-1.0 - window, window) == [-1.0]
        assert upright(0.0, limits).turns(past(1.0 + window), window) == []
        assert upright(0.0, limits).turns(past(-1.0 - window, DOWN), window) == []
    whole = upright(0.0, (-math.pi, math.pi))
    assert whole.turns(math.pi) == [-math.pi, math.pi] or whole.turns(math.pi) == [
        math.pi, -math.pi
    ]  # fmt: skip


def test_the_distance_to_a_limit_is_that_to_its_half_plane_on_the_side_that_is_used():
    yaw = upright(0.0, (0.0, math.pi / 2.0))
    ahead, behind = Shoulder(0.0, (1.0, 0.0)), Shoulder(0.0, (-1.0, 0.0))
    place = yaw.place_of(3.0, 0.0, -1.0)  # 3 ahead, 1 aside: near to the first limit
    assert yaw.distance_to_limit(ahead, place) == pytest.approx(1.0)
    assert yaw.distance_to_limit(behind, place) == pytest.approx(math.sqrt(10.0))
    assert yaw.distance_to_limit(ahead, yaw.place_of(0.0, 0.0, -1.0)) == pytest.approx(0.0)
    assert upright().distance_to_limit(ahead, place) == math.inf


@pytest.mark.parametrize('aside', [0.0, 0.5, -0.5, 0.7])
def test_a_point_turns_the_plane_by_rounding_within_a_tenth_of_the_sizes_or_where_it_passes(aside):
    frame = np.eye(4)
    frame[:3, 3] = 3.0, 4.0, 0.0
    yaw = upright(aside)._replace(rounding=1.5 * TOLERANCE)
    assert ArmPlane(frame, yaw, 0.0).loose_within == pytest.approx(max(abs(aside), 0.65))
    assert ArmPlane(frame, None, 0.0).loose_within == 0.0


def test_a_point_is_next_to_the_axis_up_to_fifty_times_the_slack():
    slack = 2.0**-10
    for sign in (1.0, -1.0):
        near = NEXT_TO_AXIS * slack
        assert ArmPlane(np.eye(4), upright(0.0), slack).is_next_to_axis((sign * near, 0.3, 0.0))
        beyond = (sign * past(near), 0.3, 0.0)
        assert not ArmPlane(np.eye(4), upright(0.0), slack).is_next_to_axis(beyond)
        assert ArmPlane(np.eye(4), upright(sign * near), slack).is_next_to_axis(
            (0.0, 0.3, sign * near)
        )
        aside = ArmPlane(np.eye(4), upright(sign * past(near)), slack)
        assert not aside.is_next_to_axis((0.0, 0.3, sign * past(near)))
    assert not ArmPlane(np.eye(4), None, slack).is_next_to_axis((0.0, 0.3, 0.0))


@pytest.mark.parametrize('aside', [0.5, -0.5])
def test_points_that_only_rounding_tells_from_one_that_is_just_met_are_two_roundings_off(aside):
    plane = ArmPlane(np.eye(4), upright(aside), 0.0)
    for radius, count in ((0.5, 2), (0.5 + 1.5 * FINE, 3), (0.5 + 4.0 * FINE, 4), (0.5004, 4),
                          (0.5 / (1.0 - 1.01 * JUST_MET), 0), (0.6, 0)):  # fmt: skip
        point = plane.in_space(radius, 0.25, aside)  # at the azimuth 0
        found = plane.shoulders_by_rounding(point)
        assert len(found) == count
        outwards = sorted(abs(one.point[0]) for one, _ in found)
        wanted = sorted(
            math.sqrt(max(0.0, its * its - 0.25))
            for its in (radius + 2.0 * FINE, radius - 2.0 * FINE)
            for _ in range(1 + (its > 0.5 + FINE))
            if its >= 0.5 - FINE and count
        )
        assert outwards == pytest.approx(wanted, abs=1e-9)
    assert ArmPlane(np.eye(4), upright(FINE), 0.0).shoulders_by_rounding((0.3, 0.2, 0.0)) == []
    assert ArmPlane(np.eye(4), None, 0.0).shoulders_by_rounding((0.3, 0.2, 0.0)) == []


@pytest.mark.parametrize('aside', [0.5, -0.5])
def test_points_on_circles_are_added_if_only_rounding_tells_them_from_the_point(aside):
    plane, height, outwards = ArmPlane(np.eye(4), upright(aside), 0.0), 0.25, 0.01
    radius = math.hypot(outwards, aside)
    point = plane.in_space(radius, height, aside)  # at the azimuth 0
    plain = plane.shoulders_by_rounding(point)
    for off, is_near in ((0.0, True), (1.5, True), (-1.5, True), (2.5, False), (-2.5, False)):
        # a circle through the height twice: there, and far beyond
        there = math.sqrt((radius + off * FINE) ** 2 - aside * aside)
        circle = (there + 0.3, height - 0.4), 0.5
        found = plane.shoulders_by_rounding(point, [circle])[len(plain) :]
        assert len(found) == is_near
        for shoulder, yaws in found:
            assert shoulder.point == pytest.approx((there, height), abs=1e-12)
            assert yaws == [shoulder.yaw] == [pytest.approx(-math.atan2(aside, there), abs=1e-12)]


def test_of_a_family_of_solutions_a_way_gives_the_member_nearest_to_a_configuration():
    """With the wrist on the base, joint 1 is free; the largest change counts."""
    folds = PlanarArm((0.25, 0.25, 0.5))
    arm = spatial_arm(folds, yaw_joint(folds))
    point, free = arm.plane.point_at(0.5, 0.0), np.linspace(-3.0, 3.0, 601)
    family = np.array([free, np.full(601, math.pi), math.pi - free]).T
    for q1 in (1.0, -2.0):
        near = Configuration(0.0, (q1, 3.0, 0.0))
        found = Question(arm, Wanted(point, 0.0)).ways()[0].solutions_near(near)
        changes = np.abs(np.remainder(family - near.q + math.pi, math.tau) - math.pi)
        assert found and all(apart(one, near) <= changes.max(axis=1).min() + 1e-9 for one in found)
        anyhow = Question(arm, Wanted(point)).ways()[0]
        assert anyhow.solutions_near(near) == anyhow.solutions != []
    way = Question(spatial_arm(LINKS, yaw_joint(LINKS)), Wanted(point, 0.0)).ways()[0]
    assert way.solutions_near(near) == way.solutions != []
