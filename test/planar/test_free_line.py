# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Free lines whose windows of orientations get narrow and move: they are followed to the end."""

import math

import numpy as np
import pytest
from followed_lines import JUMP, largest_step
from law_cases import cases
from random_arms import random_arm, tip
from test_branch import branch_of
from test_free_lines import COARSE, found_share
from test_turning_branch import limited_arm

from ik_circles import Code, PlanarArm
from ik_circles.planar.lines.branch import Branch, elbows_at
from ik_circles.planar.lines.free_line import BESIDE, BOTH_SIDES, FreeLine
from ik_circles.planar.lines.proven_path import freed
from ik_circles.planar.lines.track import PlaneWay
from ik_circles.planar.lines.window_events import WindowEvents
from ik_circles.planar.lines.windows import Windows


@pytest.mark.parametrize(
    ('limits', 'q', 'target'),
    [
        (((-0.7, 1.7), (-0.5, 2.3), (0.3, 2.2)), (-0.1, 1.5, 1.5), (0.4, -0.1)),
        (((-1.7, 1.8), (-1.3, 0.9), (-2.2, -1.5)), (0.6, -0.2, -1.8), (-0.1, -0.5)),
        (((-2.2, -1.1), (-2.2, -1.4), (-0.3, 0.2)), (-2.1, -2.0, 0.1), (-0.7, -0.3)),
    ],
    ids=['joint 3', 'joint 2', 'joints 2 and 3'],
)
def test_a_free_line_ends_where_the_workspace_does(limits, q, target):
    """A step of the line later, no orientation works at all."""
    arm = PlanarArm((0.4, 0.3, 0.2), limits)
    start = arm.forward_kinematics(q)[:2]
    line = arm.straight_line(q, target, orientation='free')
    for step, works in ((-1e-6, True), (1e-5, False)):
        share = line.share + step
        point = [a + share * (b - a) for a, b in zip(start, target)]
        assert bool(arm.orientation_intervals(*point)) == works


def test_a_free_line_is_followed_to_its_target_through_a_window_that_gets_narrow():
    """The first path fails in the last eighth of it."""
    arm = PlanarArm((0.1, 0.12, 0.25), ((0.73, 1.3), (-0.48, 0.02), (1.35, 2.25)))
    line = arm.straight_line((1.22, -0.27, 1.85), (-0.17, 0.31), orientation='free')
    assert (line.share, line.code) == (1.0, Code.OK)
    assert arm.forward_kinematics(line.positions(1.0))[:2] == pytest.approx((-0.17, 0.31))


@pytest.mark.parametrize(
    ('lengths', 'end', 'q', 'target'),
    [
        ((0.4665796304467068, 0.23620788739553444, 0.13984980162143287), 2.0 * math.pi,
         (1.8904132325062886, -0.7885139350316415, -0.5141043802547882),
         (-0.5200065462739988, -0.43561468470329184)),
        ((0.4683792147327123, 0.22690644212415895, 0.19499425771129314), math.pi,
         (2.153218566754475, -2.1463679200442973, 2.7661325025753376),
         (-0.05820704102908994, -0.03229061112281307)),
    ],
)  # fmt: skip
def test_a_narrow_window_that_is_far_round_is_not_followed_in_tiny_steps(
    monkeypatch, lengths, end, q, target
):
    """Its end past the widest was not known, so it was sought in 30,000 steps: for a second."""
    arm = PlanarArm(lengths, ((-math.pi, math.pi), (-end, end), None))
    steps, own = [], Windows.onward
    monkeypatch.setattr(
        Windows, 'onward', lambda *given: (steps.append(given[-1]) or own(*given))
    )  # fmt: skip
    arm.straight_line(q, target, orientation='free')
    assert 0 < len(steps) <= 1000


@pytest.mark.parametrize(
    ('lengths', 'limits', 'q', 'target'),
    [
        ((0.40216151624363583, 0.9524114463003615, 0.5044067137254182),
         ((-1.7930583052048548, 1.3477835242442122), (-math.pi, math.pi),
          (0.6919110246653388, 0.6986539272155079)),
         (1.3477835242442122, 0.0, 0.6930104519883888),
         (-0.002477281012118272, -0.09448386651197965)),
        ((0.438562896100223, 0.11538926347728619, 0.4032504484074501),
         (None, (-3.184905855117843, 10.57830032277499), (1.4063929840569482, 1.4100581912169905)),
         (-0.8835694565737282, 0.0, 1.4063929840569482),
         (-0.1499414431301496, -0.22302914528726203)),
    ],
)  # fmt: skip
def test_a_window_that_turns_fast_from_a_straight_elbow_is_followed(lengths, limits, q, target):
    """Halfway to the next one that is known, it has turned too far to tell: it is sought nearer."""
    arm = PlanarArm(lengths, limits)
    line = arm.straight_line(q, target, orientation='free')
    dense = max(found_share(arm, q, complex(*target), side) for side in (-1.0, 1.0))
    assert line.share >= dense - COARSE
    assert line.share > 1e-3


def test_windows_change_at_the_same_places_whichever_way_a_line_is_followed():
    rng = np.random.default_rng(0)
    met = 0
    for _ in range(cases(600)):
        arm = random_arm(rng)
        start, end = rng.uniform(-1.0, 1.0, (2, 2)) * arm.max_reach
        for elbow in (0, 1):
            events = WindowEvents(arm, None, elbow)
            there = sorted(events.along(PlaneWay(tuple(start), tuple(end - start))))
            back = sorted(
                1.0 - one for one in events.along(PlaneWay(tuple(end), tuple(start - end)))
            )
            assert there == pytest.approx(back, abs=1e-6)
            met += len(there)
    assert met > cases(600)


def test_orientations_of_an_elbow_change_in_number_only_at_events():
    rng, changes = np.random.default_rng(0), 0
    for _ in range(cases(200)):
        lower = rng.uniform(-3.0, 0.0, 3)
        limits = list(zip(lower.tolist(), (lower + rng.uniform(0.5, 4.0, 3)).tolist()))
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        start, end = arm.forward_kinematics(rng.uniform(*np.transpose(limits), (2, 3)))[:, :2]
        way, shares = PlaneWay(tuple(start), tuple(end - start)), np.linspace(0.0, 1.0, 80)
        found = [arm.orientations.intervals_by_elbow(*way.at(share)) for share in shares]
        for elbow in (0, 1):
            events = np.array([*WindowEvents(arm, None, elbow).along(way)])
            for place in np.flatnonzero(np.diff([len(one[elbow]) for one in found])):
                changes += 1
                first, last = shares[place] - 1e-6, shares[place + 1] + 1e-6
                assert ((first <= events) & (events <= last)).any()
    assert changes


def from_the_base(rng, limits):
    """An arm that is folded with its wrist on the base, its joint positions, and a target."""
    length, last = rng.uniform(0.2, 0.4), rng.uniform(0.1, 0.5)
    arm = PlanarArm((length, length, last), limits)
    q = rng.uniform(-2.0, 2.0), rng.choice([-math.pi, math.pi]), rng.uniform(-2.0, 2.0)
    return arm, q, arm.forward_kinematics(q)[:2] + 0.1 * rng.normal(size=2)


@pytest.mark.parametrize('limits', [None, ((-3.0, 3.0), (-math.pi, math.pi), (-3.0, 3.0))])
def test_a_free_line_goes_on_from_a_wrist_that_is_folded_onto_the_base(limits):
    """It leaves the base square to the upper arm, so that no joint jumps."""
    rng, followed = np.random.default_rng(0), 0
    for _ in range(cases(400)):
        arm, q, target = from_the_base(rng, limits)
        start = np.array(arm.forward_kinematics(q)[:2])
        line = arm.straight_line(q, tuple(target), orientation='free')
        assert limits or math.dist(target, (0.0, 0.0)) > arm.max_reach or line.share == 1.0
        for share in (line.share * 10.0 ** np.linspace(-9.0, 0.0, 20)).tolist():
            at = arm.forward_kinematics(line.positions(share))[:2]
            assert math.dist(at, start + share * (target - start)) <= 2e-11
        assert largest_step(line.positions, line.share, 40) <= JUMP
        followed += line.share > 0.1
    assert followed > cases(100)


def test_a_free_line_goes_on_from_a_wrist_that_leaves_the_base_slowly():
    """The tip moves square to link 3, so the wrist has hardly moved when its way bends."""
    arm = PlanarArm((0.3231232073148163, 0.3231232073148163, 0.3885153467123723))
    q, target = (0.6808898438060171, -math.pi, 1.6254243956796763), (0.41998048, -0.14225313)
    line = arm.straight_line(q, target, orientation='free')
    assert line.share == 1.0
    assert largest_step(line.positions, line.share, 40) <= JUMP


def test_a_held_line_leaves_the_base_only_square_to_the_upper_arm():
    arm, q = PlanarArm((0.3, 0.3, 0.2)), (math.pi / 2.0, math.pi, -math.pi)
    tip = arm.forward_kinematics(q)
    for way, share in (((-0.1, 0.0), 1.0), ((-0.1, 0.01), 0.0), ((0.0, 0.1), 0.0)):
        line = arm.straight_line(q, (tip.x + way[0], tip.y + way[1]))
        assert line.share == share
        assert line.positions(line.share / 2.0)[0] == pytest.approx(q[0], abs=0.5)


def test_a_chain_of_windows_leads_from_the_orientation_of_the_start_through_open_ones():
    """Next to an event, what works on both sides of it."""
    rng, windows_seen = np.random.default_rng(1), 0
    for _ in range(cases(200, least=10)):
        _, branch = branch_of(rng)
        line, phi = FreeLine(branch, branch.way), sum(branch.start)
        first, *others = line.chain() or [None]
        if first is None:
            continue
        assert first.share == 0.0
        assert first.lower - 1e-3 <= phi <= first.upper + 1e-3
        assert (np.diff([0.0, *(one.share for one in others)]) > BOTH_SIDES).all()
        for one in (one for one in others if one.upper - one.lower > 1e-6):
            middle, before = (one.lower + one.upper) / 2.0, one.share - 2.0 * BESIDE
            assert line.windows.is_open(one.share, middle, one.turns)
            assert any(line.windows.is_open(before, middle, one.turns + k) for k in (0, -1, 1))
            windows_seen += 1
    assert windows_seen > cases(400)


def test_a_free_line_is_followed_as_far_as_its_windows_lead():
    rng, freer = np.random.default_rng(0), 0
    for number in range(cases(2000, least=84)):
        arm, q = limited_arm(rng, has_floor=number % 2)
        start, way = tip(arm, q)[0], 0.6 * rng.uniform(-1.0, 1.0, 2)
        line = PlaneWay((start.real, start.imag), tuple(way))
        branch = Branch(arm.solver, line, q, elbows_at(q[1])[0])
        chain = FreeLine(branch, line).chain()
        _, end = freed(branch, line)
        assert end.share >= max((one.share for one in chain), default=0.0) - 1e-6
        freer += end.share > branch.end().share + 0.1
    assert freer > cases(200)
