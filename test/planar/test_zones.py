# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Safe zones with a margin: targets keep that far away from the ends of the reach."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from random_arms import inside, random_arm, sampled_tips, tip

from ik_circles import (
    Code,
    Floor,
    InvalidArmError,
    InvalidSettingError,
    NotFiniteError,
    PlanarArm,
    Reachability,
    SafeZones,
)

CLOSURE = 1e-12  # of the arm's reach


def random_zones(rng, arm):
    return SafeZones.of(arm, float(rng.uniform(0.0, 0.49)) * (arm.max_reach - arm.min_reach))


def test_verdict_nearest_and_margin_keep_inside_the_zones():
    rng = np.random.default_rng(0)
    count = dict.fromkeys(Code, 0)
    for _ in range(cases(1500, 30, least=16)):
        arm = random_arm(rng)
        room, zones = CLOSURE * arm.max_reach, random_zones(rng, arm)
        tips = sampled_tips(arm, rng, 300)
        tips = tips[(abs(tips) >= zones.inner) & (abs(tips) <= zones.outer)]
        target = complex(*rng.uniform(-1.1, 1.1, 2)) * arm.max_reach
        if rng.integers(3) == 0 and len(tips):
            target = complex(tips[0])
        point, distance = (target.real, target.imag), abs(target)
        told = f'{arm!r}, {point!r}, {zones!r}'
        answer = Reachability(arm.workspace, point, None, zones)
        count[answer.code] += 1
        assert (answer.code is Code.TOO_FAR) == (distance > zones.outer), told
        assert (answer.code is Code.TOO_CLOSE) == (distance < zones.inner), told
        plain = arm.check_reachability(*point)
        if answer.reachable:
            assert plain.reachable, told
            to_zones = min(zones.outer - distance, distance - zones.inner)
            assert answer.margin == pytest.approx(max(0.0, min(plain.margin, to_zones)), abs=room)
        elif answer.nearest is None:
            assert not len(tips), told
            assert math.isnan(answer.margin), told
            assert answer.message.endswith('the joint limits allow no point inside the safe zones')
        else:
            q, place = answer.nearest_joint_positions, complex(*answer.nearest[:2])
            assert inside(arm, q), told
            assert abs(tip(arm, q)[0] - place) <= room, told
            assert zones.contains(abs(place), 10.0 * arm.tolerance), told
            away = abs(place - target)
            assert away <= abs(tips - target).min(initial=math.inf) + room, told
            assert answer.margin == pytest.approx(-away, abs=room), told
            assert plain.code is not answer.code or away >= -plain.margin - room, told
    assert min(count[code] for code in (Code.OK, Code.TOO_FAR, Code.JOINT_LIMIT)) > cases(100, 30)


def test_by_hand():
    arm = PlanarArm((1.0, 0.4, 0.2))
    zones = SafeZones.of(arm, 0.1)
    assert (zones.inner, zones.outer) == pytest.approx((0.5, 1.5), abs=1e-15)
    assert [circle.radius for circle in zones.circles] == [zones.inner, zones.outer]
    assert SafeZones.of(arm).circles == ()
    for x, message, nearest in (
        (1.55, 'too far by 0.050 m: the links reach 1.600 m from joint 1', 1.5),
        (0.45, 'too close by 0.050 m: the links reach to within 0.400 m of joint 1', 0.5),
    ):
        answer = Reachability(arm.workspace, (x, 0.0), None, zones)
        assert answer.message == f'{message} and the safe zone margin is 0.100 m'
        assert answer.nearest[:2] == pytest.approx((nearest, 0.0), abs=1e-12)
    assert Reachability(arm.workspace, (0.6, 0.0), None, zones).margin == pytest.approx(0.1)
    assert Reachability(arm.workspace, (1.45, 0.0), None, zones).margin == pytest.approx(0.05)


@pytest.mark.parametrize('margin', [-0.1, math.nan, math.inf])
def test_a_margin_is_a_finite_length(margin):
    with pytest.raises(InvalidSettingError, match=f'is {margin} m; it must be a finite length'):
        SafeZones.of(PlanarArm((1.0, 0.4, 0.2)), margin)


def test_a_margin_leaves_something_between_the_zones():
    arm = PlanarArm((1.0, 0.5, 0.25))  # zones from 0.25 m to 1.75 m
    assert SafeZones.of(arm, 0.75).inner == SafeZones.of(arm, 0.75).outer == 1.0
    said = re.escape('0.76 m leaves nothing between the safe zones of 0.25 m and 1.75 m; make it')
    with pytest.raises(InvalidSettingError, match=said):
        SafeZones.of(arm, 0.76)


def test_what_is_no_ring_is_refused():
    with pytest.raises(InvalidSettingError, match='give at least 0 m'):
        SafeZones(0.0, 1.0, -0.1)
    with pytest.raises(NotFiniteError, match='give finite numbers'):
        SafeZones(0.0, math.nan, 0.0)
    with pytest.raises(InvalidArmError, match='give a sequence of numbers'):
        SafeZones('a', 1.0, 0.0)


def test_the_ends_of_the_ring_belong_to_it():
    zones = SafeZones(0.125, 0.75, 0.0)
    for distance, is_inside in ((0.125, True), (0.75, True), (0.1249, False), (0.7501, False)):
        assert zones.contains(distance, 0.0) == is_inside
    for distance, is_inside in ((0.1, True), (0.775, True), (0.099, False), (0.776, False)):
        assert zones.contains(distance, 0.025) == is_inside


def random_floor(rng, reach):
    return Floor(rng.uniform(-1.2, 1.2) * reach, rng.uniform(-math.pi, math.pi))


def test_of_the_zones_what_is_above_a_floor_is_drawn_and_nothing_else():
    """Law: no drawn piece is below the floor, and each point of a circle above it is on a piece."""
    rng, cut = np.random.default_rng(1), 0
    for _ in range(cases(500, 20)):
        arm = random_arm(rng)
        zones, floor = random_zones(rng, arm), random_floor(rng, arm.max_reach)
        pieces, room = zones.above(floor), CLOSURE * arm.max_reach
        told = f'{zones!r}, {floor!r}'
        for piece in pieces:
            assert piece.radius in (zones.inner, zones.outer), told
            assert min(map(floor.clearance, piece.chords(0.05))) >= -room, told
        circles = zones.above(None)
        assert [one.radius for one in circles] == [zones.outer, zones.inner]
        for circle in circles:
            points = circle.chords(0.05)
            above = [one for one in points if floor.clearance(one) > room]
            cut += 0 < len(above) < len(points)
            for point in above:
                assert min(piece.distance_to(point) for piece in pieces) <= room, told
    assert cut > cases(100, 5)


def test_of_a_polygon_what_is_above_a_floor_is_kept():
    """Law: a point of a triangle is in the part that is kept if, and only if, it is above."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        floor, corners = random_floor(rng, 0.5), rng.uniform(-1.0, 1.0, (3, 2))
        kept = floor.part_above([(x, y) for x, y in corners.tolist()])
        if all(floor.clearance(one) >= 0.0 for one in corners):
            assert np.array_equal(kept, corners)
        assert min(map(floor.clearance, kept), default=0.0) >= -1e-12
        for shares in rng.dirichlet((1.0, 1.0, 1.0), 20):
            point = shares @ corners
            if abs(floor.clearance(point)) > 1e-9:
                assert is_in(point, np.reshape(kept, (-1, 2))) == (floor.clearance(point) > 0.0)


def is_in(point, corners):
    """Whether a point is in a convex polygon: on the same side of each of its edges."""
    along, away = np.roll(corners, -1, axis=0) - corners, point - corners
    sides = along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]
    return len(corners) > 0 and bool((sides >= -1e-12).all() or (sides <= 1e-12).all())
