# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A wrist of two joints keeps the tip's orientation while the yaw joint turns the plane."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import random_robots

from ik_circles.spatial.lines.pose_way import ALONG_NORMAL, TurnedWrist, WristTurning
from ik_circles.spatial.lines.whole_line import WholeLine
from ik_circles.spatial.poses.whole import Whole

STEP = 0.1  # [rad]


def wrists(rng, count):
    """Random arms with a wrist of two joints, where they start, and their wrists."""
    for robot in random_robots(rng, count, each=4, kinds=[(True, 2)]):
        arm = robot.arm.whole
        start = arm.of_angles(rng.uniform(-6.0, 6.0, 6).tolist())
        yield arm, start, TurnedWrist(arm, start)


def test_the_orientation_is_kept_and_no_joint_jumps():
    rng = np.random.default_rng(0)
    for arm, start, wrist in wrists(rng, cases(400)):
        _, held = arm.pose(start)
        assert wrist.at(start.yaw) == pytest.approx((sum(start.q), *start.wrist), abs=1e-9)
        yaws = start.yaw + STEP * np.arange(-40, 41)
        found = np.array([wrist.at(yaw) for yaw in yaws.tolist()])
        for yaw, (phi, *angles) in zip(yaws[::8].tolist(), found[::8].tolist()):
            _, turned = arm.pose(Whole(yaw, (phi, 0.0, 0.0), tuple(angles)))
            assert turned == pytest.approx(held, abs=1e-9)
        changes = np.abs(np.diff(found, axis=0))
        least = min(map(wrist.level, yaws.tolist()))
        assert changes.max() < max(math.pi, 2.0 * STEP / least)
        assert changes[:, 1].max() <= 2.0 * STEP
        rates = wrist.rates((yaws[:-1] + yaws[1:]) / 2.0, np.full(80, STEP / 2.0))
        assert (changes[:, 0] <= STEP * rates + 1e-9).all()
        # The last joint goes round with the yaw joint, or against it, to a quarter turn.
        assert min(np.ptp(found[:, 2] - yaws), np.ptp(found[:, 2] + yaws)) <= math.pi + 1e-9


def test_the_last_link_turns_as_fast_as_said_where_the_wrist_is_nearest_to_singular():
    rng = np.random.default_rng(4)
    for _, _, wrist in wrists(rng, cases(400)):
        at, step = min(wrist.yaws(), key=wrist.level), 1e-4 * min(map(wrist.level, wrist.yaws()))
        before, after = wrist.phis(np.array([at - step, at + step]))
        (most,) = wrist.rates(np.array([at]), np.zeros(1))
        assert most == pytest.approx(abs(after - before) / (2.0 * step), rel=1e-3)


def test_the_yaw_angles_between_which_a_wrist_is_singular_are_said():
    """The last axis is nearly perpendicular to the yaw axis; the plane's normal passes it."""
    rng = np.random.default_rng(5)
    for robot in random_robots(rng, cases(400, least=4), each=2, kinds=[(True, 2)]):
        arm = robot.arm.whole
        off = rng.uniform(-0.5, 0.5) * ALONG_NORMAL
        upright = arm.wrist.phi_at_zero + math.pi / 2.0 + off
        start = Whole(rng.uniform(-3.0, 3.0), (upright, 0.0, 0.0), (rng.uniform(-3.0, 3.0), 0.3))
        wrist = TurnedWrist(arm, start)
        ends = [one for one in wrist.yaws() if abs(wrist.level(one) / ALONG_NORMAL - 1.0) < 1e-6]
        middle = min(wrist.yaws(), key=wrist.level)
        assert wrist.along_normal == ALONG_NORMAL and wrist.level(middle) < ALONG_NORMAL / 2.0
        apart = sorted(math.remainder(one - middle, math.pi) for one in ends)
        assert len(apart) == 4 and apart[0] < -ALONG_NORMAL / 2.0 < ALONG_NORMAL / 2.0 < apart[-1]


def test_wrist_joints_pass_their_limits_only_at_yaw_angles_that_are_said():
    rng, passed = np.random.default_rng(1), 0
    for arm, _, wrist in wrists(rng, cases(400)):
        yaws, said = STEP * np.arange(63), np.array(wrist.yaws())
        found = np.array([wrist.at(yaw) for yaw in yaws.tolist()])[:, 1:]
        for angles, limits in zip(found.T, arm.wrist_limits):
            for end in filter(math.isfinite, limits):
                sines, is_near = np.sin(angles - end), np.cos(angles - end) > 0.9
                passes = (sines[1:] * sines[:-1] < 0.0) & is_near[1:] & is_near[:-1]
                for yaw in yaws[:-1][passes] + STEP / 2.0:
                    passed += 1
                    off = np.abs(np.mod(said - yaw + math.pi, math.tau) - math.pi)
                    assert off.min() <= STEP / 2.0 + 1e-9
    assert passed > cases(400)


def lines(rng, count):
    """Lines of such arms to a point nearby, and their starts."""
    for arm, start, _ in wrists(rng, count):
        target = np.array(arm.pose(start)[0]) + rng.uniform(-0.2, 0.2, 3)
        yield arm, start, WholeLine(arm, arm.carrier.yaw, start, tuple(target.tolist()))


def test_no_part_of_a_line_turns_the_last_link_faster_than_said():
    rng, shares = np.random.default_rng(2), np.linspace(0.0, 1.0, 41)
    for _, start, line in lines(rng, cases(600)):
        for way in line.ways:
            turning = WristTurning(way)
            fine = turning.many(shares)
            assert fine == pytest.approx([turning.at(share) for share in shares.tolist()], abs=1e-9)
            if way.yaw_at_start == start.yaw:
                assert fine[0] == pytest.approx(sum(start.q), abs=1e-9)
            for step in (1, 8):
                first, last = shares[:-step:step], shares[step::step]
                middle = turning.many((first + last) / 2.0)
                most = turning.rates(first, last) * (last - first)
                for some in (fine[step::step] - fine[:-step:step], middle - fine[:-step:step]):
                    assert (np.abs(some) <= most + 1e-9).all()


def test_where_a_wrist_is_nearest_to_singular_a_line_turns_the_last_link_no_faster_than_said():
    """In a step to there or from there, in which the yaw joint turns by about 0.1 rad."""
    rng, checked = np.random.default_rng(6), 0
    for robot in random_robots(rng, cases(600, least=20), each=2, kinds=[(True, 2)]):
        arm, q = robot.arm.whole, tuple(rng.uniform(-3.0, 3.0, 3))
        first = rng.choice([-1.0, 1.0]) * (math.pi / 2.0 + 0.02) - arm.wrist.first_at_zero
        start = Whole(rng.uniform(-3.0, 3.0), q, (first, 0.3))
        target = np.array(arm.pose(start)[0]) + rng.uniform(-0.2, 0.2, 3)
        line = WholeLine(arm, arm.carrier.yaw, start, tuple(target.tolist()))
        for way in line.ways:
            turning, nearest = WristTurning(way), min(way.wrist.yaws(), key=way.wrist.level)
            for share in way.at_yaw(nearest):
                turned = abs(way.yaw_at(share + 1e-6) - way.yaw_at(share - 1e-6)) / 2e-6
                for ends in ((share - 0.1 / turned, share), (share, share + 0.1 / turned)):
                    part = np.clip(ends, 0.0, 1.0)
                    most = turning.rates(part[:1], part[1:])
                    there = np.linspace(*part, 51)
                    change = turning.many(there + 1e-7) - turning.many(there - 1e-7)
                    assert np.abs(change / 2e-7).max() <= most * (1.0 + 1e-4)
                    checked += 1
    assert checked > cases(200)


def test_a_yaw_joint_stands_still_along_its_axis_and_straight_outwards():
    rng = np.random.default_rng(3)
    for arm, start, line in lines(rng, cases(400)):
        yaw, plane = arm.carrier.yaw, arm.carrier.plane
        along = np.array(plane.yaw_axis)
        assert line.yaw_moves
        up = replace(line, target=tuple((np.array(line.start_point) + 0.1 * along).tolist()))
        assert not up.yaw_moves
        center = arm.carrier.planar.pose_at(start.q)
        out, height = yaw.from_axis((center.x, center.y))
        if yaw.holds_axis:
            ends = (plane.point_at(*yaw.in_plane(at, height), start.yaw) for at in (out, 1.1 * out))
            away = np.subtract(*ends)
            outwards = tuple((np.array(line.start_point) - away).tolist())
            assert not replace(line, target=outwards).yaw_moves
