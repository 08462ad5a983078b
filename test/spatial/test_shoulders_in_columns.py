# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Shoulders of many points in columns, against those of one point."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE, LINKS, limits_of, pose, random_arm, same_angle, yaw_joint

from ik_circles.spatial.batch.shoulders import NEXT_TO_AXIS, Shoulders, nearest_shoulder, shoulders
from ik_circles.spatial.batch.turns import NEXT_TO_LIMIT
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.yaw import ON_LIMIT_ROUNDINGS

SAME = 1e-12
ROWS = 40


def asked(arm, points, *room):
    """The shoulders of points in space, and which rows are left to the code for one target."""
    doubtful = np.zeros(len(points), bool)
    seen = np.array([arm.plane.into(point) for point in points])
    return list(shoulders(arm, *seen.T, doubtful, *room)), doubtful


def own_of(found, row):
    """The shoulders in columns that a row has, each with its number there."""
    numbered = [(many, np.flatnonzero(many.rows == row)) for many in found]
    return [(many, int(at[0])) for many, at in numbered if len(at)]


@pytest.mark.parametrize('limits', [None, FREE, 'some'])
@pytest.mark.parametrize('beside', [False, True])
def test_shoulders_in_columns_are_those_of_single_points(limits, beside):
    """Few points are left to the code for one target."""
    rng = np.random.default_rng(3)
    for _ in range(cases(200)):
        arm = random_arm(rng, beside, limits_of(rng) if limits == 'some' else limits)
        points = rng.uniform(-1.0, 1.0, (ROWS, 3)) * arm.planar.max_reach + arm.plane.pose[:3, 3]
        found, doubtful = asked(arm, points)
        assert doubtful.mean() <= 0.05
        for row in np.flatnonzero(~doubtful).tolist():
            wanted = [(one, yaws) for one, yaws in arm.plane.shoulders(points[row]) if yaws]
            own = own_of(found, row)
            assert len(own) == len(wanted)
            for many, at in own:
                one = min(wanted, key=lambda it: same_angle(it[0].yaw, many.yaw[at]))[0]
                assert same_angle(one.yaw, many.yaw[at]) <= SAME
                assert (many.x[at], many.y[at]) == pytest.approx(one.point, abs=SAME)
                turned = many.cosine[at], many.sine[at]
                assert turned == pytest.approx((math.cos(one.yaw), math.sin(one.yaw)), abs=SAME)
                assert many.is_inside[at]
                assert many.faces == (arm.yaw is None or arm.yaw.faces(one.point))


def test_a_yaw_joint_may_be_past_its_limits_by_the_room_that_is_given():
    rng, room, most = np.random.default_rng(5), 0.2, 0.0
    for _ in range(cases(200, least=5)):
        arm = random_arm(rng, bool(rng.integers(2)), limits_of(rng))
        points = rng.uniform(-1.0, 1.0, (ROWS, 3)) * arm.planar.max_reach + arm.plane.pose[:3, 3]
        found, doubtful = asked(arm, points, room)
        for row in np.flatnonzero(~doubtful).tolist():
            past = [abs(arm.yaw.excess(one.yaw)) for one, _ in arm.plane.shoulders(points[row])]
            own = [abs(arm.yaw.excess(many.yaw[at])) for many, at in own_of(found, row)]
            assert len(own) == sum(one <= room for one in past)
            inside = [many.is_inside[at] for many, at in own_of(found, row)]
            assert inside == [one <= SAME for one in own]
            most = max([most, *own])
    assert 0.1 < most <= room


def test_a_point_on_a_limit_of_the_yaw_joint_is_left_to_the_code_for_one_target():
    """However near to the yaw axis: there rounding turns the plane farther. The code for one target
    puts the plane on the limit if a point is a few roundings beside it there."""
    rng = np.random.default_rng(4)
    for _ in range(cases(600)):
        arm = random_arm(rng, bool(rng.integers(2)), limits_of(rng))
        reach, off = arm.planar.max_reach, ON_LIMIT_ROUNDINGS * arm.yaw.rounding
        for end in arm.yaw.limits:
            away = 10.0 ** rng.uniform(-5.9, 0.0) * reach
            x, y = arm.yaw.in_plane(away, rng.uniform() * reach)
            for beside in (-off, 0.0, off):
                point = arm.plane.point_at(x, y, end) + beside * beside_plane(arm, end)
                assert asked(arm, [point])[1].all(), f'{arm}, {point}'
            turned = 2.0 * NEXT_TO_LIMIT + 2.0 * off / away
            point = arm.plane.point_at(x, y, end + turned)
            is_on_axis = math.hypot(away, arm.yaw.aside) - abs(arm.yaw.aside) < 2e-6 * reach
            assert is_on_axis or not asked(arm, [point])[1].any(), f'{arm}, {point}'


def beside_plane(arm, yaw):
    """The unit vector in space across the plane at a yaw angle."""
    here, ahead = (arm.plane.point_at(*arm.yaw.in_plane(out, 0.0), yaw) for out in (0.0, 1.0))
    return np.cross(np.subtract(ahead, here), arm.plane.yaw_axis)


def test_points_next_to_where_the_plane_touches_the_axis_are_left_to_the_code_for_one_target():
    """Nearer to the axis than that there is no shoulder; nothing is left there."""
    rng = np.random.default_rng(6)
    for beside in (False, True, True, True):
        arm = random_arm(rng, beside, FREE)
        next_to = NEXT_TO_AXIS * arm.planar.max_reach
        for share, is_left in ((-2.0, False), (-0.9, True), (0.0, True), (0.9, True), (2.0, False)):
            radius = abs(arm.yaw.aside) + share * next_to
            if radius >= 0.0:
                turned = radius * np.exp(1j * rng.uniform(-3.0, 3.0))
                x, y = arm.yaw.in_plane(turned.real, 0.1)
                point = arm.plane.in_space(x, y, arm.yaw.aside - turned.imag)
                found, doubtful = asked(arm, [point])
                assert doubtful == [is_left]
                assert [len(one.rows) for one in found] == [share > 1.0] * 2


def test_next_to_the_axis_rounding_turns_the_plane_farther():
    """At half of `loose_within` twice as far; farther out not at all, nor without a yaw joint."""
    rng = np.random.default_rng(7)
    for beside in (False, True):
        arm = random_arm(rng, beside, FREE)
        for share, farther in ((0.5, 2.0), (0.25, 4.0), (1.5, 1.0), (3.0, 1.0)):
            out = share * arm.plane.loose_within
            (facing, behind), _ = asked(arm, [arm.plane.point_at(*arm.yaw.in_plane(out, 0.1), 0.5)])
            assert facing.rounded == pytest.approx([farther], rel=1e-6)
            assert behind.rounded == pytest.approx([farther], rel=1e-6)
    arm = random_arm(rng, False, None)
    (only,), _ = asked(arm, [arm.plane.pose[:3, 3]])
    assert only.rounded.tolist() == [1.0]


def test_a_plane_is_loose_within_a_tenth_of_all_sizes_or_where_it_passes_the_axis():
    """By hand, for links of 0.9 m: their base is in the origin, or 2 m away from it."""
    for x, aside, within in ((0.0, 0.0, 0.09), (2.0, 0.0, 0.29), (2.0, 0.1, 0.3), (0.0, -0.5, 0.5)):
        plane = ArmPlane(pose(np.eye(3), (x, 0.0, 0.0)), yaw_joint(LINKS, aside=aside), 0.0)
        assert plane.loose_within == pytest.approx(within)


def at_yaws(yaw):
    """Shoulders at yaw angles; where they are does not matter here."""
    none = np.zeros(len(yaw))
    cosine, sine = np.cos(yaw), np.sin(yaw)
    return Shoulders(np.arange(len(yaw)), True, none, none, yaw, cosine, sine, none, none == 0.0)


def nearest_of_one(arm, tip, off, yaw):
    """`nearest_shoulder` by the code for one target: the shoulder, and its yaw angles."""
    through = arm.yaw.through(off)
    some = through.shoulders(through.place_of(tip[0], tip[1], tip[2] - off), 0.0)
    return min(some, key=lambda one: same_angle(one[0].yaw, yaw), default=(None, []))


@pytest.mark.parametrize('beside', [False, True])
def test_the_nearest_shoulder_of_a_tip_beside_the_plane_is_that_of_one_target(beside):
    rng = np.random.default_rng(8)
    for number in range(cases(400)):
        arm = random_arm(rng, beside, limits_of(rng) if number % 2 else FREE)
        tip, yaw = rng.uniform(-1.0, 1.0, (3, ROWS)), rng.uniform(-math.pi, math.pi, ROWS)
        off, doubtful = rng.uniform(-0.1, 0.1, ROWS), np.zeros(ROWS, bool)
        found, kept = nearest_shoulder(arm, at_yaws(yaw), tip, off, doubtful)
        assert found.rows.tolist() == kept.tolist()
        missed = doubtful.copy()
        for row in np.flatnonzero(~doubtful).tolist():
            one, yaws = nearest_of_one(arm, tip[:, row], off[row], yaw[row])
            assert (row in kept) == bool(yaws)
            for at in np.flatnonzero(kept == row):
                assert same_angle(found.yaw[at], one.yaw) <= SAME
                assert found.cosine[at] == pytest.approx(math.cos(one.yaw), abs=SAME)
                assert found.sine[at] == pytest.approx(math.sin(one.yaw), abs=SAME)
                assert (found.x[at], found.y[at]) == pytest.approx(one.point, abs=SAME)
        for row in np.flatnonzero(missed).tolist():  # the plane does not meet them
            assert nearest_of_one(arm, tip[:, row], off[row], yaw[row])[0] is None


def test_a_tip_in_the_middle_of_its_shoulders_or_next_to_the_axis_is_left():
    rng = np.random.default_rng(9)
    for _ in range(cases(400)):
        arm, off = random_arm(rng, True, FREE), np.array([rng.uniform(-0.01, 0.01)])
        next_to = NEXT_TO_AXIS * arm.planar.max_reach
        past = abs(arm.yaw.aside - off[0])
        direction = np.exp(1j * rng.uniform(-3.0, 3.0))
        for radius, turn, is_left in (
            (1.0, 1e-9, True), (1.0, -1e-9, True), (1.0, 1e-6, False), (1.0, -1e-6, False),
            (past - 2.0 * next_to, 1.0, True), (past + 0.9 * next_to, 1.0, True),
            (past + 2.0 * next_to, 1.0, False),
        ):  # fmt: skip
            seen, doubtful = radius * direction, np.zeros(1, bool)
            tip = np.array([[*arm.yaw.in_plane(seen.real, 0.1), arm.yaw.aside - seen.imag]]).T
            side = math.copysign(1.0, arm.yaw.aside - off[0])
            middle = np.angle(seen) - side * math.pi / 2.0 + np.array([turn])
            found, kept = nearest_shoulder(arm, at_yaws(middle), tip, off, doubtful)
            assert doubtful == [is_left]
            assert kept.tolist() == found.rows.tolist() == ([0] if radius > past + next_to else [])
