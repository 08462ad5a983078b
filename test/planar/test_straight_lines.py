# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines in the plane: what is said to be followable is, and what ends, ends there."""

import math
from dataclasses import replace

import numpy as np
import pytest
from followed_lines import JUMP, below_past, just_past, largest_step
from law_cases import cases
from random_arms import inside, joint_difference, random_arm, random_joints, tip
from spatial_arms import random_planar

from ik_circles import Code, Floor, IkCirclesError, PlanarArm
from ik_circles.geometry.polynomials import roots_between

ARM = PlanarArm((0.4, 0.3, 0.2), ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))


def random_lines(rng, count):
    """Arms with joint positions, the tip there, and targets near or anywhere."""
    for number in range(count):
        arm = random_arm(rng)
        q = random_joints(rng, arm)
        start, phi = tip(arm, q)
        away = complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach
        yield arm, q, start, phi, 0.7 * away if number % 2 else start + 0.2 * away


def test_a_held_line_is_followed_to_its_end():
    rng = np.random.default_rng(0)
    for arm, q, start, phi, target in random_lines(rng, cases(3000)):
        line = arm.straight_line(q, (target.real, target.imag))
        shares = np.linspace(0.0, line.share, 11)
        for share, row in zip(shares.tolist(), line.rows(shares)):
            joints = line.positions(share)
            assert joints == pytest.approx(row, abs=2e-7)  # at a straight elbow, rounding's root
            place, turned = tip(arm, joints)
            assert abs(place - start - share * (target - start)) <= 1e-9 * max(1.0, arm.max_reach)
            assert inside(arm, joints) and abs(turned - phi) <= 1e-9
        assert math.dist(line.positions(0.0), q) <= 1e-9
        assert largest_step(line.positions, line.share, 40) <= JUMP
        assert (line.code is Code.OK) == (line.share == 1.0)


def test_no_held_line_goes_on_past_its_end():
    rng = np.random.default_rng(1)
    for arm, q, start, phi, target in random_lines(rng, cases(3000)):
        line = arm.straight_line(q, (target.real, target.imag))
        end = line.positions(line.share)
        for share, room in just_past(line.share):
            place = start + share * (target - start)
            pose = place.real, place.imag, math.remainder(phi, math.tau)
            for other in arm.inverse_kinematics(*pose, seed=end):
                is_same_elbow = math.sin(other[1]) * math.sin(end[1]) > 0.0
                assert not (is_same_elbow and joint_difference(arm, other, end) < room)


def test_a_line_that_can_be_checked_by_hand():
    """From (0.9, 0) straight up with the tool level: the wrist leaves at (0.7, 0), stretched."""
    free = PlanarArm((0.4, 0.3, 0.2))
    line = free.straight_line((0.0, 0.0, 0.0), (0.9, 0.5))
    assert (line.share, line.code) == (0.0, Code.TOO_FAR)
    bent = free.straight_line((math.pi / 2.0, -math.pi / 2.0, 0.0), (1.0, 0.4))
    assert bent.share == pytest.approx((math.sqrt(0.7**2 - 0.4**2) - 0.3) / 0.5, abs=1e-12)
    assert bent.message == (
        'the line can be followed for 0.274 of 0.500 m (54.8 %): there the elbow is straight: '
        'its links reach 0.700 m from joint 1'
    )
    limited = PlanarArm((0.4, 0.3, 0.2), (None, (-1.8, -math.pi / 3.0), None))
    line = limited.straight_line((math.pi / 2.0, -math.pi / 2.0, 0.0), (1.0, 0.4))
    reach = math.sqrt(0.4**2 + 0.3**2 + 0.4 * 0.3)
    assert line.share == pytest.approx((math.sqrt(reach**2 - 0.4**2) - 0.3) / 0.5, abs=1e-12)
    assert line.message.endswith('there joint 2 reaches its limit of -60.0 deg')
    assert (line.code, line.length) == (Code.JOINT_LIMIT, pytest.approx(0.5))


def test_joints_keep_their_turns():
    wide = PlanarArm((0.4, 0.3, 0.2), ((-7.0, 7.0), (-2.2, 2.2), (-9.0, 9.0)))
    first = wide.straight_line((6.0, 1.2, 0.3), wide.forward_kinematics((6.9, 1.0, -0.4))[:2])
    assert first.share > 0.0 and abs(first.positions(first.share)[0]) > 5.0


def test_a_touch_does_not_end_a_line():
    """The wrist goes along x = 0.5; joint 2 is smallest in the middle, there on its limit."""
    limit = math.acos((0.5**2 - 0.4**2 - 0.3**2) / (2.0 * 0.4 * 0.3))
    for room, is_all in ((0.0, True), (1e-3, True), (-1e-3, False)):
        arm = PlanarArm((0.4, 0.3, 0.2), (None, (-math.pi, limit + room), None))
        (q,) = (one for one in arm.inverse_kinematics(0.7, 0.3, 0.0) if one[1] > 0.0)
        line = arm.straight_line(q, (0.7, -0.3))
        assert (line.share == 1.0) == is_all
        assert is_all or 0.4 < line.share < 0.5


def test_a_line_without_length_and_bad_starts():
    q = 0.3, 0.6, 0.2
    x, y, _ = ARM.forward_kinematics(q)
    line = ARM.straight_line(q, (x, y))
    assert (line.share, line.code, line.positions(1.0)) == (1.0, Code.OK, pytest.approx(q))
    for start, said in (
        ((0.3, 2.5, 0.2), 'joint 2 at 2.5 rad, above its limit of 2.2 rad'),
        ((0.3, 0.6), 'has 2 numbers'),
        ((0.3, math.nan, 0.2), 'finite'),
    ):
        with pytest.raises(IkCirclesError, match=said):
            ARM.straight_line(start, (0.5, 0.1))
    with pytest.raises(IkCirclesError, match='held, free'):
        ARM.straight_line(q, (0.5, 0.1), orientation='kept')
    with pytest.raises(IkCirclesError, match='the line can be followed from 0 to'):
        ARM.straight_line(q, (2.0, 0.0)).positions(0.99)
    line = ARM.straight_line(q, (2.0, 0.0))
    with pytest.raises(IkCirclesError, match='followed from 0 to'):
        line.positions(1.001 * line.share)


def test_the_roots_of_a_polynomial_between_two_ends():
    rng = np.random.default_rng(2)
    for _ in range(cases(5000)):
        roots = np.sort(rng.uniform(-1.0, 2.0, rng.integers(1, 5)))
        rounded = np.polynomial.polynomial.polyfromroots(roots) * rng.uniform(-5.0, 5.0)
        found = roots_between(rounded.tolist(), 0.0, 1.0)
        for root in roots[(roots > 0.0) & (roots < 1.0)]:
            gap = np.sort(np.abs(roots - root))[1] if len(roots) > 1 else 1.0
            assert min(abs(one - root) for one in found) <= max(1e-9, 1e-14 / max(gap, 1e-9) ** 3)


def test_a_free_line_is_followed_to_its_end():
    """Also with awkward arms; what a path has been proven for is followed, and all held lines."""
    rng = np.random.default_rng(3)
    for arm, q, start, _, target in random_lines(rng, cases(200, 40)):
        held = arm.straight_line(q, (target.real, target.imag))
        line = arm.straight_line(q, (target.real, target.imag), orientation='free')
        assert line.share >= held.share
        assert all(0.0 < one < 1.0 for one in line.breaks) and sorted(line.breaks) == [*line.breaks]
        for share in np.linspace(0.0, line.share, 21).tolist():
            joints = line.positions(share)
            away = abs(tip(arm, joints)[0] - start - share * (target - start))
            assert away <= 1e-9 * max(1.0, arm.max_reach) and inside(arm, joints)
        assert largest_step(line.positions, line.share, 40) <= JUMP


def test_no_free_line_goes_on_past_its_end():
    """No orientation next to the last one works just past the end, with the same elbow."""
    rng = np.random.default_rng(4)
    for number in range(cases(200)):
        arm = random_planar(rng)
        q = random_joints(rng, arm)
        start, _ = tip(arm, q)
        way = complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach * (0.5, 1.0)[number % 2]
        target = start + way
        line = arm.straight_line(q, (target.real, target.imag), orientation='free')
        end, share = line.positions(line.share), line.share + 1e-4
        if share > 1.0:
            continue
        point = start + share * way
        for turned in np.linspace(-0.02, 0.02, 41).tolist():
            phi = math.remainder(sum(end) + turned, math.tau)
            for other in arm.inverse_kinematics(point.real, point.imag, phi, seed=end):
                is_same_elbow = math.sin(other[1]) * math.sin(end[1]) > 0.0
                assert not (is_same_elbow and joint_difference(arm, other, end) < 0.03)


def test_a_free_line_ends_at_the_edge_of_the_workspace():
    arm = PlanarArm((0.4, 0.3, 0.2))
    (q,) = [one for one in arm.inverse_kinematics(0.5, 0.0, 1.0) if one[1] > 0.0]
    held = arm.straight_line(q, (2.0, 0.0))
    line = arm.straight_line(q, (2.0, 0.0), orientation='free')
    assert held.share < 0.2 and line.share == pytest.approx(0.4 / 1.5, abs=1e-5)
    assert line.code is Code.TOO_FAR
    within = arm.straight_line(q, (0.89, 0.0), orientation='free')
    assert (within.share, within.code) == (1.0, Code.OK) and len(within.breaks) < 5
    before = within.positions(0.9 * within.breaks[0])
    assert sum(before) == pytest.approx(sum(q))


def floors(rng, arm, q):
    """Heights of a floor in a direction that is up: under joint positions, on their lowest part,
    now and then above it; the last link may carry a point."""
    carried = [tuple(rng.uniform(-0.3, 0.3, 2) * arm.max_reach)] if rng.random() < 0.3 else []
    up = math.pi / 2.0 if rng.random() < 0.5 else rng.uniform(-math.pi, math.pi)
    own = lowest(arm, Floor(0.0, up, carried), q)
    below = rng.choice([0.0, 0.02, 0.1, 0.3, -0.01]) * arm.max_reach
    return Floor(own - below, up, carried)


def lowest(arm, floor, q):
    """Height of the lowest of elbow, wrist, tip and carried points above a floor [m]."""
    points = [*np.cumsum(arm.link_lengths * np.exp(1j * np.cumsum(q)))]
    points += [points[1] + complex(*one) * np.exp(1j * sum(q)) for one in floor.carried]
    return min((point * np.exp(-1j * floor.up)).real for point in points) - floor.height


def test_a_held_line_stays_above_the_floor_and_ends_on_it():
    """With a floor far below, the line is the same, bit for bit."""
    rng = np.random.default_rng(5)
    ended = 0
    for arm, q, _, _, target in random_lines(rng, cases(2000, 40)):
        floor, point = floors(rng, arm, q), (target.real, target.imag)
        line = replace(arm, floor=floor).straight_line(q, point)
        free, rounding = arm.straight_line(q, point), 2e-12 * arm.max_reach
        far = replace(arm, floor=replace(floor, height=-3.0 * arm.max_reach))
        same = far.straight_line(q, point)
        assert (same.share, same.message) == (free.share, free.message)
        shares = np.linspace(0.0, free.share, 60).tolist()
        assert [*map(same.at, shares)] == [*map(free.at, shares)]
        if lowest(arm, floor, q) < -rounding:
            assert (line.share, line.code) == (0.0, Code.FLOOR)
            assert line.message.endswith(' below the floor')
            continue
        assert line.share <= free.share
        for share in np.linspace(0.0, line.share, 60).tolist():
            assert lowest(arm, floor, line.positions(share)) >= -rounding
        if line.code is Code.FLOOR:
            ended += 1
            assert ' reaches the floor' in line.message
            assert abs(math.sin(q[1])) < 1e-6 or below_past(
                line.share, free.share, lambda at: lowest(arm, floor, free.at(at))  # noqa: B023
            )
        elif abs(math.sin(q[1])) > 1e-6:
            assert (line.share, line.code) == (free.share, free.code)
    assert ended > cases(100, 40)


def test_a_free_line_stays_above_the_floor_and_goes_as_far_as_that_allows():
    rng = np.random.default_rng(6)
    for _ in range(cases(100)):
        arm = random_planar(rng)
        q = random_joints(rng, arm)
        start, _ = tip(arm, q)
        way = complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach
        floor, point = floors(rng, arm, q), ((start + way).real, (start + way).imag)
        above = replace(arm, floor=floor)
        line = above.straight_line(q, point, orientation='free')
        assert line.share >= above.straight_line(q, point).share
        if lowest(arm, floor, q) < -2e-12:
            assert (line.share, line.code) == (0.0, Code.FLOOR)
            continue
        for share in np.linspace(0.0, line.share, 41).tolist():
            assert lowest(arm, floor, line.positions(share)) >= -2e-12
        assert largest_step(line.positions, line.share, 40) <= JUMP
        end, share = line.positions(line.share), line.share + 1e-4
        place = start + share * way
        for turned in np.linspace(-0.02, 0.02, 41).tolist() if 1e-4 < share <= 1.0 else ():
            phi = math.remainder(sum(end) + turned, math.tau)
            for other in above.inverse_kinematics(place.real, place.imag, phi, seed=end):
                is_same_elbow = math.sin(other[1]) * math.sin(end[1]) > 0.0
                assert not (is_same_elbow and joint_difference(arm, other, end) < 0.03)


def test_lines_and_a_floor_that_can_be_checked_by_hand():
    """Link 3 is level: tip and wrist reach the floor at once. Along the floor, the line goes on."""
    above = replace(PlanarArm((0.4, 0.3, 0.2)), floor=Floor(-0.1))
    (q,) = [one for one in above.inverse_kinematics(0.6, 0.2, 0.0) if one[1] < 0.0]
    line = above.straight_line(q, (0.6, -0.3))
    assert line.share == pytest.approx(0.6, abs=1e-11)
    assert line.message == (
        'the line can be followed for 0.300 of 0.500 m (60.0 %): there the tip reaches the floor'
    )
    end = line.positions(line.share)
    assert above.check_reachability(0.6, -0.1, 0.0).reachable
    along = above.straight_line(end, (0.5, -0.1))
    assert (along.share, along.code) == (1.0, Code.OK)
    assert above.straight_line(end, (0.5, -0.11)).message == (
        'the line can be followed for 0.000 of 0.100 m (0.0 %): there the tip reaches the floor'
    )
    deep = above.straight_line((-1.0, 0.5, 0.5), (0.6, 0.3))
    assert deep.message.endswith('(0.0 %): there the tip is 0.380 m below the floor')
    assert (deep.share, deep.code) == (0.0, Code.FLOOR)


def test_an_elbow_that_reaches_the_floor_and_one_that_touches_it():
    """The wrist passes the circle of link 2 about the elbow on the floor, at (0.4, 0)."""
    above = PlanarArm((0.4, 0.3, 0.2), floor=Floor(0.0))
    for y, far in ((0.25, 0.4 - math.sqrt(0.3**2 - 0.25**2)), (0.3, 0.6)):
        (q,) = [one for one in above.inverse_kinematics(0.4, y, 0.0) if one[1] > 0.0]
        line = above.straight_line(q, (0.8, y))
        assert line.share == pytest.approx((far - 0.2) / 0.4, abs=1e-11)
        assert ('there the elbow reaches the floor' in line.message) == (y == 0.25)


@pytest.mark.parametrize('bend', [1e-5, 1e-4, 1e-3])
def test_on_a_limit_next_to_straight_the_tip_is_on_the_line(bend):
    """There, rounding moves joint 2 by far more than the tip: the others follow it onto the limit.
    """
    rng, arm = np.random.default_rng(7), PlanarArm((0.4, 0.3, 0.2), (None, (bend, 2.0), None))
    ended = 0
    for _ in range(cases(400, least=20)):
        q = rng.uniform(-3.0, 3.0), rng.uniform(0.3, 1.0), rng.uniform(-3.0, 3.0)
        (start, phi), away = tip(arm, q), 0.8 * np.exp(1j * rng.uniform(-math.pi, math.pi))
        line = arm.straight_line(q, ((start + away).real, (start + away).imag))
        if line.code is Code.JOINT_LIMIT:
            end = line.positions(line.share)
            place, turned = tip(arm, end)
            ended += end[1] == bend
            assert abs(turned - phi) <= 1e-14
            assert abs(place - start - line.share * away) <= 1e-14
    assert ended
