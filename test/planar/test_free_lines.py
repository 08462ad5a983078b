# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Lines with a free orientation go as far as a dense search finds a way on their branch."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_joints, ranges, tip
from test_straight_lines import floors, lowest

from ik_circles import Code, PlanarArm
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.track import PlaneWay

#: How many shares the search looks at, and how far apart the orientations are [rad].
SHARES, NEAR = 500, 4e-3
#: It goes on only where no joint changes by more than this [rad].
STEP = 0.5
#: It may end later than the line by this share, for want of finer steps.
COARSE = 3.0 / SHARES


def bounded_arm(rng):
    """All joints have limits of less than a turn, so each pose has one count of turns."""
    limits = []
    for _ in range(3):
        lower = rng.uniform(-3.0, 0.5)
        is_wide = rng.random() < 0.4
        limits.append((-3.14, 3.14) if is_wide else (lower, lower + rng.uniform(0.3, 5.0)))
    lengths = rng.uniform(0.05, 0.5, 3)
    if rng.random() < 0.3:  # then the wrist gets near to the base
        lengths[1] = lengths[0] * (1.0 + rng.uniform(-0.05, 0.05))
    return PlanarArm(tuple(lengths.tolist()), limits)


def joints_on(arm, point, phis, elbow_sign):
    """Joint positions at a point for orientations (N,), shape (3, N); NaN outside the limits."""
    first, second, third = arm.link_lengths
    wrist = point - third * np.exp(1j * phis)
    cosine = (np.abs(wrist) ** 2 - first**2 - second**2) / (2.0 * first * second)
    with np.errstate(invalid='ignore'):
        q2 = elbow_sign * np.arccos(cosine)
    q1 = np.angle(wrist) - np.angle(first + second * np.exp(1j * q2))
    lower, upper = (np.array(ends)[:, None] for ends in zip(*arm.limits))
    low = np.where(np.isinf(lower), -math.pi, lower)
    joints = low + (np.array([q1, q2, phis - q1 - q2]) - low) % math.tau
    is_open = ((lower <= joints) & (joints <= upper)).all(axis=0)
    if arm.floor is not None:
        up = np.exp(-1j * arm.floor.up)
        parts = [first * np.exp(1j * q1), wrist, point + 0.0 * wrist]
        parts += [wrist + complex(*one) * np.exp(1j * phis) for one in arm.floor.carried]
        is_open &= (np.array([(part * up).real for part in parts]) >= arm.floor.height).all(axis=0)
    return np.where(is_open, joints, np.nan)


def are_near(arm, joints, others):
    """Whether each joint changes by less than a step; continuous ones have no turns."""
    change = joints - others
    whole = np.isinf([lower for lower, _ in arm.limits])
    change[whole] -= math.tau * np.round(change[whole] / math.tau)
    return (np.abs(change) < STEP).all(axis=0)


def found_share(arm, q, target, elbow_sign):
    """How far orientations lead that can be reached from the start, share after share."""
    start, phi = tip(arm, q)
    phis = phi + np.linspace(0.0, math.tau, round(math.tau / NEAR), endpoint=False)
    joints, reached = joints_on(arm, start, phis, elbow_sign), phis == phi
    joints[:, reached] = np.array(q)[:, None]
    for number in range(SHARES + 1):
        if number:
            before, point = joints, start + number / SHARES * (target - start)
            joints = joints_on(arm, point, phis, elbow_sign)
            reached &= are_near(arm, joints, before)
        if not reached.any():
            return (number - 1) / SHARES
        goes_on = are_near(arm, joints, np.roll(joints, -1, axis=1))
        if not number:  # in the corner of limits, the start may be alone
            fine = np.linspace(0.0, NEAR, 52)[1:-1]
            for side, gap in ((-1.0, -1), (1.0, 0)):
                between = joints_on(arm, start, phi + side * fine, elbow_sign)
                goes_on[gap] &= not np.isnan(between).any()
        part = np.concatenate([[0], np.cumsum(~goes_on[:-1])])
        if goes_on[-1]:  # round to the first orientation
            part[part == part[-1]] = 0
        reached = np.isin(part, part[reached])
    return 1.0


#: With these, windows begin or end right after the start, where they follow one another.
EVENTS_AT_START = 179, 231
#: The orientation of the start could be kept for longer than a way that goes on from there lets it.
LEFT_EARLY = 1102


@pytest.mark.parametrize('seed', sorted({*range(cases(400, 160)), *EVENTS_AT_START, LEFT_EARLY}))
def test_a_dense_search_finds_no_farther_point_on_the_branch(seed):
    rng = np.random.default_rng(seed)
    arm = bounded_arm(rng)
    q = random_joints(rng, arm)
    if rng.random() < 0.2:
        q = q[0], float(np.clip(rng.choice([-math.pi, 0.0, math.pi]), *arm.limits[1])), q[2]
    if rng.random() < 0.3:
        floor = floors(rng, arm, q)
        arm = replace(arm, floor=floor) if lowest(arm, floor, q) >= 0.0 else arm
    target = tip(arm, q)[0] + complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach
    line = arm.straight_line(q, (target.real, target.imag), orientation='free')
    bend = math.sin(q[1])
    for elbow_sign in (-1.0, 1.0) if abs(bend) < 1e-7 else (math.copysign(1.0, bend),):
        found = 0.0 if line.share == 1.0 else found_share(arm, q, target, elbow_sign)
        assert line.share >= found - COARSE


#: The orientation is kept first, where a window has closed that was all of the circle: the window
#: was taken from a turn away, and lines ended without a cause.
FULL_CIRCLE_CLOSES = [
    ((-0.9981823110982879, -1.9839416463392234, -0.06291225118903476),
     (0.24430570052358244, 0.7577687483314579)),
    ((0.30822033322749576, -1.971932132945063, -0.6288404190342343),
     (-0.22972935608411665, -0.10982759747255169)),
]  # fmt: skip


@pytest.mark.parametrize(('q', 'target'), FULL_CIRCLE_CLOSES)
def test_a_kept_orientation_stays_in_its_turn_where_a_full_circle_closes(q, target):
    arm = PlanarArm((0.4, 0.3, 0.2))
    assert found_share(arm, q, complex(*target), -1.0) == 1.0
    assert arm.straight_line(q, target, orientation='free').share == 1.0


def test_without_limits_only_the_reach_ends_a_line():
    """Law: no line of an arm with continuous joints ends before a dense search does."""
    rng, ended = np.random.default_rng(0), 0
    for _ in range(cases(1000, 20)):
        limits = [None if rng.random() < 0.9 else (-2.0, 2.5) for _ in range(3)]
        arm = PlanarArm(tuple(rng.uniform((0.35, 0.25, 0.15), (0.45, 0.35, 0.25))), limits)
        q, other = rng.uniform(*ranges(arm).T, (2, 3)).tolist()
        target = tip(arm, other)[0] * rng.uniform(0.8, 1.2)
        line = arm.straight_line(q, (target.real, target.imag), orientation='free')
        if line.share < 1.0:
            ended += 1
            assert line.share >= found_share(arm, q, target, math.copysign(1.0, q[1])) - COARSE
    assert ended >= cases(40, 20)


def test_a_folded_elbow_without_limits_may_go_anywhere():
    """The links reach 0.1 m to the left. All of the disk of 0.9 m can be reached."""
    arm = PlanarArm((0.4, 0.3, 0.2))
    for target in ((-0.4, 0.3), (-0.6, 0.0), (0.5, 0.4)):
        line = arm.straight_line((0.0, math.pi, 0.0), target, orientation='free')
        assert (line.share, line.code) == (1.0, Code.OK)


def order_of_cuts(floor, place):
    """The cuts of a floor by their numbers, one after the other round the circle."""
    cuts = [cut for both in floor.cuts(place) for cut in both]
    order = np.argsort(np.mod(cuts, math.tau)).tolist()
    first = order.index(0) if order else 0
    return order[first:] + order[:first]


def test_between_two_events_no_cut_of_a_floor_appears_or_passes_another():
    rng, changed = np.random.default_rng(3), 0
    for _ in range(cases(1000)):
        arm = bounded_arm(rng)
        q = random_joints(rng, arm)
        (start, _), way = tip(arm, q), complex(*rng.uniform(-1.0, 1.0, 2)) * arm.max_reach
        model = replace(arm, floor=floors(rng, arm, q)).solver.model
        floor = FloorAlong(model, model.floor)
        line = PlaneWay((start.real, start.imag), (way.real, way.imag))
        orders = []
        for before, after in pairwise(sorted({0.0, *floor.window_events(line), 1.0})):
            places = [line.at(before + part * (after - before)) for part in (0.001, 0.999)]
            if after - before > 1e-9 and min(map(floor.floor.clearance, places)) > 0.0:
                first, last = (order_of_cuts(floor, place) for place in places)
                assert first == last
                orders.append(first)
        changed += any(one != other for one, other in pairwise(orders))
    assert changed > cases(100)


def least_change(arm, q, point):
    """The least that joints change to a point, with any orientation: the farthest of them [rad]."""
    intervals = arm.orientation_intervals(*point)
    some = np.concatenate([np.linspace(*one, 15) for one in intervals] or [[]])
    found = [one for phi in some.tolist() for one in arm.inverse_kinematics(*point, phi)]
    return min((np.abs(np.subtract(one, q)).max() for one in found), default=math.inf)


def test_a_line_goes_on_from_a_start_with_two_joints_on_limits():
    """Its only orientation there is where a window begins, narrow as a needle. Law: where joint
    positions lead away from the start, the line follows them, except for 1 of 100."""
    rng, followed, ended = np.random.default_rng(0), 0, 0
    for _ in range(cases(4000, 60)):
        limits = [(-rng.uniform(0.5, 3.0), rng.uniform(0.5, 3.0)) for _ in range(3)]
        arm = PlanarArm(tuple(rng.uniform(0.1, 0.4, 3).tolist()), limits)
        q = [rng.uniform(*ends) for ends in limits]
        for joint in rng.permutation(3)[:2]:
            q[joint] = limits[joint][rng.integers(2)]
        start, way = np.array(arm.forward_kinematics(q)[:2]), 0.05 * rng.normal(size=2)
        line = arm.straight_line(q, tuple(start + way), orientation='free')
        near, nearer = (least_change(arm, q, start + share * way) for share in (1e-3, 1e-4))
        if near < 0.01 and nearer < 0.12 * near:
            followed, ended = followed + 1, ended + (line.share < 1e-3)
    assert followed > cases(1000, 60)
    assert ended <= 0.01 * followed


@pytest.mark.parametrize(
    ('lengths', 'limits', 'q', 'way'),
    [
        ((0.305, 0.279, 0.398), ((-0.75, 1.38), (-1.4, 2.37), (-2.32, 2.7)),
         (1.38, 0.075, -2.32), (0.002, -0.0018)),
        ((0.17, 0.176, 0.242), ((-0.82, 1.03), (-0.546, 1.07), (-2.25, 1.73)),
         (0.537, -0.546, -2.25), (0.02, 0.033)),
        ((0.288, 0.154, 0.377), ((-2.71, 1.44), (-2.85, 1.44), (-2.16, 0.57)),
         (1.44, -2.85, 0.533), (-0.028, -0.0233)),
        ((0.129, 0.242, 0.367), ((-2.7, 1.38), (-2.0, 2.6), (-2.385, 3.0)),
         (1.38, 0.0057, -2.385), (0.03, 0.064)),
    ],
)  # fmt: skip
def test_a_window_that_begins_narrower_than_a_needle_is_followed(lengths, limits, q, way):
    """Its width is 1e-9 rad where it is first looked for."""
    arm = PlanarArm(lengths, limits)
    target = np.array(arm.forward_kinematics(q)[:2]) + way
    assert arm.straight_line(q, tuple(target), orientation='free').share == 1.0
