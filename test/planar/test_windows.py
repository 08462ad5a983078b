# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The windows of a branch at a share of a line, and from one share to another."""

import cmath
import math
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
from law_cases import cases
from random_arms import inside, random_joints, tip
from test_free_lines import bounded_arm
from test_straight_lines import floors, lowest

from ik_circles.geometry.angles import TURN
from ik_circles.planar.lines.branch import Branch, elbows_at
from ik_circles.planar.lines.track import PlaneWay
from ik_circles.planar.lines.window_events import WindowEvents
from ik_circles.planar.lines.windows import Windows

END = 1e-6  # [rad]: ends of windows are no more exact where two circles touch


def branch_of(rng):
    """A branch with a bent elbow, now and then above a floor, whose line is half a reach long. Its
    joints are in any turn."""
    while True:
        arm, turned = bounded_arm(rng), TURN * rng.integers(-1, 2, 3)
        arm = replace(arm, joint_limits=np.add(arm.limits, turned[:, None]).tolist())
        q = random_joints(rng, arm)
        (start, _), way = tip(arm, q), 0.5 * complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach
        floor = floors(rng, arm, q)
        if rng.random() < 0.3 and lowest(arm, floor, q) >= 0.0:
            arm = replace(arm, floor=floor)
        if abs(math.sin(q[1])) > 0.1:
            line = PlaneWay((start.real, start.imag), (way.real, way.imag))
            return arm, Branch(arm.solver, line, q, elbows_at(q[1])[0])


def wrist_at(branch, share, phi):
    x, y = branch.way.at(share)
    return complex(x, y) - branch.model.link_lengths[2] * cmath.exp(1j * phi)


def test_the_direction_of_the_wrist_is_counted_on_as_the_tool_turns():
    """Once round with the tool where the tip is nearer to the base than link 3 is long, else back
    where it was; nowhere by a jump."""
    rng, inner = np.random.default_rng(0), 0
    for _ in range(cases(600, least=30)):
        arm, branch = branch_of(rng)
        windows, share = Windows(branch), rng.uniform()
        away, length = abs(complex(*branch.way.at(share))), arm.link_lengths[2]
        if abs(away - length) < 0.05 * arm.max_reach:
            continue
        phis = np.linspace(-9.0, 9.0, 1200).tolist()
        found = [windows.direction(share, phi) for phi in phis]
        assert np.abs(np.diff(found)).max() < 1.0
        for phi, one in zip(phis, found):
            is_there = cmath.phase(wrist_at(branch, share, phi) * cmath.exp(-1j * one))
            assert abs(is_there) <= 1e-9
        turned = windows.direction(share, phis[0] + TURN) - found[0]
        assert turned == abs(turned) or abs(turned) < 1e-9
        assert abs(turned - (TURN if away < length else 0.0)) <= 1e-9
        inner += away < length
    assert inner > cases(30)


def test_a_window_works_inside_and_not_beside_it():
    """Its joints put the tip on the line; one that is wider than a turn and a half has no end."""
    rng, seen, ended = np.random.default_rng(1), 0, 0
    for _ in range(cases(1200, least=30)):
        arm, branch = branch_of(rng)
        windows, share, phi = Windows(branch), rng.uniform(0.0, 0.3), sum(branch.start)
        q = windows.joints(0.0, phi, 0)
        turns = round((branch.start[0] - q[0]) / TURN)
        assert np.allclose(windows.joints(0.0, phi, turns), branch.start, rtol=0.0, atol=1e-6)
        q = windows.joints(share, phi, 0)
        if q is None:
            continue
        turns = round((branch.start[0] - q[0]) / TURN)
        window = windows.at(share, phi, turns)
        assert (window is None) != windows.is_open(share, phi, turns)
        q = windows.joints(share, phi, turns)
        heights = lowest(arm, arm.floor, q) if arm.floor else 1.0
        is_allowed = inside(arm, q) and heights >= 0.0
        assert windows.is_open(share, phi, turns) == is_allowed or abs(heights) < 1e-9
        if window is None:
            continue
        seen += 1
        place = complex(*branch.way.at(share))
        assert window.lower <= phi <= window.upper
        assert (window.share, window.turns) == (share, turns)
        for one in rng.uniform(window.lower, window.upper, 8).tolist():
            q = windows.joints(share, one, turns)
            assert abs(tip(arm, q)[0] - place) <= 1e-9
            assert math.isclose(sum(q), one, abs_tol=1e-9)
            assert windows.is_open(share, one, turns) or window.upper - window.lower < END
        for edge, end, side in zip(window.edges, (window.lower, window.upper), (-END, END)):
            assert edge.angle == end
            assert (edge.number is None) == (side * (end - phi) >= 1.5 * TURN * END)
            if edge.number is not None:
                ended += 1
                assert not windows.is_open(share, end + side, turns)
    assert seen > cases(300)
    assert ended > cases(300)


def events_of(branch):
    events = WindowEvents(branch.model, branch.floor, branch.elbow).along(branch.way)
    return sorted({0.0, *events, 1.0})


def test_a_window_goes_on_to_what_small_steps_lead_to_up_to_the_next_event():
    rng, (followed, asked, lost, fast) = np.random.default_rng(2), (0, 0, 0, 0)
    for _ in range(cases(600, least=30)):
        _, branch = branch_of(rng)
        windows, events = Windows(branch), events_of(branch)
        start, end = max(pairwise(events), key=lambda one: one[1] - one[0])
        first, last = (start + part * (end - start) for part in (0.1, 0.9))
        tried = product(rng.uniform(-math.pi, math.pi, 6), TURN * np.arange(-3, 4), range(-2, 3))
        some = (windows.at(first, float(phi + turn), turns) for phi, turn, turns in tried)
        window = next(filter(None, some), None)
        if window is None:
            continue
        asked += 1
        shares, step = np.linspace(first, last, 40)[1:].tolist(), window
        for share in shares:
            step = step and windows.onward(step, share)
        there = windows.onward(window, last)
        if step:
            turned = [
                abs(after.angle - before.angle)
                for before, after in zip(window.edges, step.edges)
                if before.number is not None and after.number is not None
            ]
            most = max(turned, default=0.0)
            assert there is None or most < math.pi / 2.0
            lost, fast = lost + (there is None and most < 1.5), fast + (most > 1.6)
        if step and there:
            followed += 1
            assert np.allclose(there[:4], step[:4], rtol=0.0, atol=END)
            middle = (window.lower + window.upper) / 2.0
            if there.lower < middle < there.upper and window.lower + 0.1 < middle:
                some = [one[:4] for one in windows.following(window, last)]
                assert any(np.allclose(one, there[:4], rtol=0.0, atol=END) for one in some)
    assert followed > 0.5 * asked > cases(40)
    assert lost <= 0.05 * asked


def turned_back(branch):
    """The branch turned about the base so that the middle of its line is straight behind it."""
    (start, way), arm = (complex(*one) for one in branch.way), branch.model
    angle = math.pi - cmath.phase(start + way / 2.0)
    start, way = start * cmath.exp(1j * angle), way * cmath.exp(1j * angle)
    first, *others = arm.limits
    arm = replace(
        arm,
        joint_limits=((first[0] + angle, first[1] + angle), *others),
        floor=arm.floor and replace(arm.floor, up=arm.floor.up + angle),
    )
    line, q = PlaneWay((start.real, start.imag), (way.real, way.imag)), branch.start
    return Branch(arm.solver, line, (q[0] + angle, *q[1:]), branch.elbow)


def test_a_window_keeps_count_of_joint_1_where_the_tip_goes_round_the_base():
    """It goes on from one place of the line; joint 1 is followed in small steps."""
    rng, (followed, round_it) = np.random.default_rng(4), (0, 0)
    for _ in range(cases(1200, least=60)):
        _, branch = branch_of(rng)
        branch = turned_back(branch)
        windows, phi = Windows(branch), sum(branch.start)
        q = windows.joints(0.0, phi, 0)
        first = windows.at(0.0, phi, round((branch.start[0] - q[0]) / TURN))
        shares = np.linspace(0.0, 1.0, 60)[1:].tolist()
        some = [windows.onward(first, share) for share in shares if first]
        some = [first, *some[: some.index(None) if None in some else None]]
        if len(some) < 20:
            continue
        middles = [(one.share, (one.lower + one.upper) / 2.0) for one in some]
        joints = [windows.joints(*at, one.turns) for at, one in zip(middles, some)]
        wrists = np.array([wrist_at(branch, *at) for at in middles])
        if np.abs(np.diff(np.unwrap(np.angle(wrists)))).max() < 1.0:
            followed += 1
            assert np.abs(np.diff(joints, axis=0)).max() < 3.0
            round_it += some[0].turns != some[-1].turns
    assert followed > cases(120)
    assert round_it >= cases(20)


def test_the_windows_that_follow_share_an_orientation_and_no_other_does():
    rng, seen, several = np.random.default_rng(3), 0, 0
    for _ in range(cases(1000, least=50)):
        _, branch = branch_of(rng)
        windows, phi = Windows(branch), sum(branch.start)
        q = windows.joints(1e-3, phi, 0)
        window = q and windows.at(1e-3, phi, round((branch.start[0] - q[0]) / TURN))
        if not window:
            continue
        share = rng.uniform()
        found = [*windows.following(window, share)]
        several += len(found) > 1
        assert all(one.upper - one.lower > 1e-8 for one in found)
        assert len({one[:4] for one in found}) == len(found)
        seen += len(found)
        for one in np.linspace(window.lower, window.upper, 90)[1:-1].tolist():
            before, after = (windows.direction(at, one) for at in (window.share, share))
            turns = window.turns + round((before - after) / TURN)
            among = [each for each in found if each.lower <= one <= each.upper]
            margin = min((abs(one - end) for each in found for end in each[1:3]), default=1.0)
            if margin > END:
                is_open = windows.is_open(share, one, turns)
                assert is_open == any(each.turns == turns for each in among)
        wide = [*windows.following(window, share, 0.5)]
        assert wide == [one for one in found if one.upper - one.lower > 0.5]
    assert seen > cases(150)
    assert several >= cases(5)


def test_a_window_that_moves_fast_goes_on_to_where_smaller_steps_lead():
    """Where the tip passes close to the base, ends of windows turn by up to half a turn."""
    rng, (asked, told) = np.random.default_rng(5), (0, 0)
    for _ in range(cases(800, least=30)):
        arm, branch = branch_of(rng)
        start, near = complex(*branch.way.start), 10.0 ** rng.uniform(-3.0, -0.5) * arm.max_reach
        along = 2.0 * (near * start / abs(start) * 1j - start)
        way = PlaneWay(branch.way.start, (along.real, along.imag))
        branch = Branch(arm.solver, way, branch.start, branch.elbow)
        windows, events = Windows(branch), events_of(branch)
        ends = next(one for one in pairwise(events) if one[0] <= 0.5 < one[1])
        first, last = (ends[0] + part * (ends[1] - ends[0]) for part in (0.01, 0.99))
        turned = np.linspace(*np.arctan((np.array([first, last]) - 0.5) * abs(along) / near), 60)
        shares = (0.5 + near / abs(along) * np.tan(turned)).tolist()
        tried = product(rng.uniform(-math.pi, math.pi, 6), TURN * np.arange(-3, 4), range(-2, 3))
        some = (windows.at(shares[0], float(phi + turn), turns) for phi, turn, turns in tried)
        steps = [next(filter(None, some), None)]
        for share in shares[1:]:
            steps.append(steps[-1] and windows.onward(steps[-1], share))
        for before, after in rng.integers(0, len(shares), (20, 2)).tolist():
            if steps[before] and steps[after] and before < after:
                asked += 1
                there = windows.onward(steps[before], shares[after])
                told += there is not None
                assert there is None or np.allclose(there[:4], steps[after][:4], atol=END)
    assert asked > cases(800)
    assert told > 0.3 * asked
