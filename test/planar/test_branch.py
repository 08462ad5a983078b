# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One branch along a line: where it may end, what stops it there, and the turns of its joints."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import tip
from test_turning_branch import limited_arm, misses

from ik_circles import Floor, InvalidSettingError, PlanarArm
from ik_circles.planar.lines.branch import Branch, elbows_at
from ik_circles.planar.lines.straight import near_part, share_up_to
from ik_circles.planar.lines.track import Cause, End, PlaneWay, Stop, first_end

CLOSES = 1e-9  # [m, rad]


def branch_of(rng, has_floor=False, turned=0.0):
    """A branch of an arm with limits, each some angle on; its line is up to a reach long."""
    arm, q = limited_arm(rng, has_floor)
    limits = [(lower + turned, upper + turned) for lower, upper in arm.limits]
    arm, q = replace(arm, joint_limits=limits), tuple(one + turned for one in q)
    (start, _), way = tip(arm, q), complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach
    line = PlaneWay((start.real, start.imag), (way.real, way.imag))
    return arm, Branch(arm.solver, line, q, elbows_at(q[1])[0])


def nearest_of(arm, branch, share, floor):
    """How far from the nearest limit, or from the floor, the arm is at a share [m]."""
    point, phi = complex(*branch.way.at(share)), sum(branch.start)
    found = [misses(arm, point, phi, elbow) for elbow in (0, 1)]
    return min(
        miss for one in found for stop, miss in one.items() if (stop.cause is Cause.FLOOR) == floor
    )


def test_where_a_branch_may_end_something_is_met():
    """A limit of either elbow, or the elbow straight or folded, or the floor."""
    rng, met = np.random.default_rng(0), [0, 0]
    for _ in range(cases(1500)):
        arm, branch = branch_of(rng, has_floor=True)
        for floor, events in enumerate((branch.events, branch.floor_events)):
            for share in events:
                assert nearest_of(arm, branch, share, floor) <= CLOSES
                met[floor] += 1
    assert min(met) > cases(1000)


def test_nothing_is_met_on_the_way_from_one_event_to_the_next():
    rng, compared = np.random.default_rng(1), 0
    for _ in range(cases(800)):
        arm, branch = branch_of(rng)
        shares = np.linspace(0.0, 1.0, 400)
        wrists = np.array([complex(*branch.wrist(share)) for share in shares.tolist()])
        phi, (first, second, _) = sum(branch.start), arm.link_lengths
        circles = [(0j, first + second), (0j, abs(first - second))]
        for end in (0, 1):
            q1, q2, q3 = (limits[end] for limits in arm.limits)
            circles += [
                (first * np.exp(1j * q1), second),
                (second * np.exp(1j * (phi - q3)), first),
            ]
            circles.append((0j, abs(first + second * np.exp(1j * q2))))
        for center, radius in circles:
            crossed = np.flatnonzero(np.diff(np.abs(wrists - center) > radius))
            for before in crossed:
                compared += 1
                assert any(shares[before] - CLOSES <= one <= shares[before + 1] + CLOSES
                           for one in branch.events)  # fmt: skip
    assert compared > cases(800)


@pytest.mark.parametrize('turned', [0.0, math.tau, -2.0 * math.tau])
def test_what_stops_a_branch_is_what_its_joints_show_and_these_keep_their_turns(turned):
    """Wherever on the line, also past its end."""
    rng, causes = np.random.default_rng(2), set()
    for _ in range(cases(1000, least=30)):
        arm, branch = branch_of(rng, turned=turned)
        assert np.allclose(branch.joints_whatever_the_limits(0.0), branch.start, atol=1e-6)
        shares = branch.end().share * rng.uniform(0.0, 1.0, 4)
        assert np.allclose(branch.rows(shares), [*map(branch.joints, shares.tolist())], atol=1e-6)
        for share in rng.uniform(0.0, 1.0, 4).tolist():
            stop, point = branch.stop(share), complex(*branch.way.at(share))
            away = abs(complex(*branch.wrist(share)))
            longest, least = sum(arm.link_lengths[:2]), abs(np.subtract(*arm.link_lengths[:2]))
            causes.add(stop and stop.cause)
            if not least < away < longest:
                assert stop == Stop(Cause.STRAIGHT if away > longest else Cause.FOLDED)
                continue
            q = branch.joints_whatever_the_limits(share)
            assert abs(tip(arm, q)[0] - point) <= CLOSES
            assert math.isclose(sum(q), sum(branch.start), abs_tol=CLOSES)
            past = [
                Stop(Cause.LIMIT, joint, angle > upper)
                for joint, (angle, (lower, upper)) in enumerate(zip(q, arm.limits))
                if angle < lower - CLOSES or angle > upper + CLOSES
            ]
            assert stop == (past[0] if past else None)
    assert causes == {None, Cause.STRAIGHT, Cause.FOLDED, Cause.LIMIT}


@pytest.mark.parametrize('elbow', range(2))
def test_a_wrist_that_starts_on_the_base_starts_with_the_joints_that_are_given(elbow):
    """Folded onto it, by half a turn to either side."""
    rng = np.random.default_rng(3)
    for _ in range(cases(400)):
        length, last = rng.uniform(0.2, 0.6, 2)
        arm = PlanarArm((length, length, last))
        q = rng.uniform(-9.0, 9.0), (2 * elbow - 1) * math.pi, rng.uniform(-3.0, 3.0)
        start, _ = tip(arm, q)
        line = PlaneWay((start.real, start.imag), tuple(0.1 * rng.normal(size=2)))
        branch = Branch(arm.solver, line, q, elbow)
        upper_arm = np.exp(1j * q[0])
        assert branch.joints_whatever_the_limits(0.0)[0] == pytest.approx(q[0], abs=1e-6)
        square = complex(*branch.square)
        assert abs(square - (1j if elbow else -1j) * upper_arm) <= CLOSES
        assert Branch(arm.solver, line, (q[0], 2.0, q[2]), 1).square is None


def test_a_line_ends_at_the_first_event_at_which_or_after_which_something_stops_it():
    """Shares at which something is asked about: at events, and in the middle between them."""
    asked = []

    def stop(share):
        asked.append(share)
        return Stop(Cause.LIMIT) if share > 0.5 else None

    at = {0.25: Stop(Cause.AXIS)}.get
    assert first_end([], stop, lambda _: None) == End(1.0, None)
    assert asked == [0.5]
    assert first_end([0.5, 0.75], stop, lambda _: None) == End(0.5, Stop(Cause.LIMIT))
    assert asked[1:] == [0.25, 0.625]
    assert first_end([0.75, 0.25, 0.5], stop, at) == End(0.25, Stop(Cause.AXIS))
    assert first_end([0.5, 0.75], stop, lambda _: None, 0.5) == End(0.5, None)
    assert first_end([1e-12], lambda _: Stop(Cause.LIMIT), lambda _: None).share == 0.0
    assert first_end([1e-9], lambda one: stop(one + 0.5 - 5e-10), lambda _: None).share == 1e-9
    # Of two events that are one, nothing is asked between.
    assert first_end([0.5, 0.5 + 1e-12], lambda one: at(one - 0.25), lambda _: None).stop is None


def test_of_a_far_line_the_part_that_an_arm_may_follow_is_looked_at():
    """Up to 2.1 times the reach, unless that is all of it."""
    assert near_part((0.0, 0.0), (3.0, 4.0), 5.0) == ((3.0, 4.0), 1.0)
    assert near_part((0.0, 0.0), (3.0, 4.0), 2.5) == ((3.0, 4.0), 1.0)
    assert near_part((1.0, 1.0), (4.0, 5.0), 1.0) == (
        pytest.approx((2.26, 2.68)),
        pytest.approx(0.42),
    )
    assert near_part((0.0, 0.0), (-3e300, 4e300), 1.0).end == pytest.approx((-1.26, 1.68))


def test_a_share_may_be_past_the_most_by_rounding_only():
    assert share_up_to(0.0, 0.5) == 0.0
    assert share_up_to(0.25, 0.5) == 0.25
    assert share_up_to(0.5, 0.5) == 0.5 == share_up_to(math.nextafter(0.5, 1.0), 0.5)
    for share in (-1e-300, 0.5 + 1e-14):
        with pytest.raises(InvalidSettingError, match='give a share between them'):
            share_up_to(share, 0.5)


def test_on_the_floor_a_branch_may_go_on_along_it():
    """By hand: the tip moves level on it; a millimeter lower, it is stopped at once."""
    arm = PlanarArm((0.4, 0.3, 0.2), floor=Floor(0.0))
    (q, _) = PlanarArm(arm.link_lengths).inverse_kinematics(0.5, 0.0, 0.0)
    for fall, share in ((0.0, 1.0), (-1e-3, 0.0)):
        branch = Branch(arm.solver, PlaneWay((0.5, 0.0), (0.1, fall)), q, 0)
        assert branch.end().share == pytest.approx(share, abs=1e-6)


def test_joints_without_limits_keep_the_turns_that_they_start_with():
    rng, turned = np.random.default_rng(4), 0
    for _ in range(cases(400)):
        arm, q = limited_arm(rng, has_floor=False)
        q = tuple((q + math.tau * rng.integers(-2, 3, 3)).tolist())
        (start, _), way = tip(arm, q), 0.2 * rng.normal(size=2)
        line = PlaneWay((start.real, start.imag), tuple(way))
        branch = Branch(replace(arm, joint_limits=None).solver, line, q, elbows_at(q[1])[0])
        shares = branch.end().share * np.array([1e-9, *rng.uniform(0.0, 1.0, 4)])
        rows = branch.rows(shares)
        assert np.allclose(rows[0], q, atol=1e-6)
        assert np.allclose(rows, [*map(branch.joints, shares.tolist())], atol=1e-9)
        turned += abs(q[0]) > math.pi
    assert turned > cases(200)


@pytest.mark.parametrize('turned', [0.0, math.tau])
def test_many_shares_are_answered_together_and_the_end_of_a_line_as_exactly_as_alone(
    monkeypatch, turned
):
    """Only shares at which rounding puts a joint past its limit are answered one by one."""
    rng, asked, own = np.random.default_rng(5), [], Branch.joints
    monkeypatch.setattr(
        Branch, 'joints', lambda branch, share: asked.append(share) or own(branch, share)
    )
    for _ in range(cases(600)):
        arm, branch = branch_of(rng, turned=turned)
        end = branch.end().share
        branch.rows(end * rng.uniform(0.1, 0.9, 4))
        assert asked == []
        place = tip(arm, branch.rows(np.array([end]))[0])[0]
        assert abs(place - complex(*branch.way.at(end))) <= 1e-12 * arm.max_reach
        asked.clear()


@pytest.mark.parametrize('lower', [-0.0, -1e-4])
def test_a_limit_next_to_zero_is_said_to_be_zero(lower):
    """By hand: the forearm leans 0.2 rad below the level tool, and rises until it is in line."""
    arm = PlanarArm((0.4, 0.3, 0.2), (None, None, (lower, 1.0)))
    line = arm.straight_line((math.pi / 2.0, -math.pi / 2.0 - 0.2, 0.2), (0.1, 0.9))
    assert line.message.endswith('there joint 3 reaches its limit of 0.0 deg')
