# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientations at which something changes at a point, against dense rows of orientations."""

import math

import numpy as np
from law_cases import cases

from ik_circles import PlanarArm
from ik_circles.geometry.angles import ends
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.orientations import CutCircles, Rigid, wrist_cuts

PHIS = np.linspace(-math.pi, math.pi, 2001)
STEP = PHIS[1] - PHIS[0]


def joints_along(lengths, point, sign):
    """Joint angles (3, N) with an elbow for all PHIS, NaN where it does not reach, unwrapped."""
    first, second, third = lengths
    wrist = point - third * np.exp(1j * PHIS)
    with np.errstate(invalid='ignore'):
        q2 = sign * np.arccos((np.abs(wrist) ** 2 - first**2 - second**2) / (2 * first * second))
    q1 = np.angle(wrist) - np.angle(first + second * np.exp(1j * q2))
    return np.array([q1, q2, PHIS - q1 - q2])


def wrapped(angles):
    return np.remainder(np.add(angles, math.pi), math.tau) - math.pi


def is_near(phi, others, room):
    return np.abs(wrapped(np.subtract(others, phi))).min(initial=9.0) <= room


def random_case(rng):
    lengths = rng.uniform(0.2, 1.0, 3)
    return tuple(lengths.tolist()), complex(*rng.uniform(-1.0, 1.0, 2)) * 0.6 * lengths.sum()


def test_a_joint_turns_back_at_the_stationary_orientations_and_nowhere_else():
    """Each of them is one for some joint and elbow, unless the elbow does not reach there."""
    rng, turned = np.random.default_rng(0), 0
    for _ in range(cases(1000)):
        lengths, point = random_case(rng)
        arm = PlanarArm(lengths)
        told = np.array(arm.orientations.stationary(point.real, point.imag))
        used = np.zeros(len(told), bool)
        reached = np.zeros(len(told), bool)
        for sign in (1.0, -1.0):
            for joint in joints_along(lengths, point, sign):
                rate = wrapped(np.diff(joint))
                with np.errstate(invalid='ignore'):
                    back = (rate[1:] * rate[:-1] < 0.0) & (np.abs(rate[1:]) < 0.3)
                for index in np.flatnonzero(back):
                    turned += 1
                    assert is_near(PHIS[index + 1], told, 2.0 * STEP)
                    used |= np.abs(wrapped(told - PHIS[index + 1])) <= 2.0 * STEP
            near = np.searchsorted(PHIS, wrapped(told)) % len(PHIS)
            works = ~np.isnan(joints_along(lengths, point, sign)[1])
            reached |= works[near] & works[near - 2] & works[(near + 2) % len(PHIS)]
        inner = np.abs(wrapped(told)) < 3.0  # the row of orientations begins and ends at pi
        assert (used | ~reached | ~inner).all()
    assert turned > cases(3000)


def test_the_cuts_are_where_a_joint_comes_to_a_limit_or_the_elbow_is_straight_or_folded():
    """None is missing and each of them is one; a joint with a turn or more cuts nothing."""
    rng, met = np.random.default_rng(1), 0
    for _ in range(cases(1000)):
        lengths, point = random_case(rng)
        lower = rng.uniform(-3.0, 1.0, 3)
        limits = np.column_stack((lower, lower + rng.uniform(0.1, 7.0, 3)))
        if rng.random() < 0.2:
            limits[1] = -abs(limits[1, 0]), abs(limits[1, 0])
        arm = PlanarArm(lengths, limits.tolist())
        told = arm.orientations.cuts(point.real, point.imag)
        every = [*map(tuple, limits)]
        allowed = []
        for sign in (1.0, -1.0):
            q = joints_along(lengths, point, sign)
            works = ~np.isnan(q[1])
            for joint, (low, high) in enumerate(every):
                for end in (low, high) if high - low < math.tau else ():
                    off = wrapped(q[joint] - end)
                    with np.errstate(invalid='ignore'):
                        passed = (off[1:] * off[:-1] <= 0.0) & (np.abs(np.diff(off)) < 0.5)
                    for index in np.flatnonzero(passed):
                        met += 1
                        assert is_near(PHIS[index], told, 2.0 * STEP)
                    allowed += PHIS[np.flatnonzero(np.abs(off) < 0.05)].tolist()
            edge = np.flatnonzero(works[1:] != works[:-1])
            allowed += PHIS[edge].tolist()
        for cut in told:
            assert is_near(cut, allowed, 0.2)
    assert met > cases(1500)


def test_links_2_and_3_as_one_are_as_long_and_turned_as_the_two():
    rng = np.random.default_rng(2)
    for _ in range(cases(500)):
        second, third, q3 = rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0), rng.uniform(-9.0, 9.0)
        both = second + third * np.exp(1j * q3)
        length, angle = Rigid.at(second, third, q3)
        assert abs(length - abs(both)) <= 1e-12
        assert abs(wrapped(q3 - np.angle(both) - angle)) <= 1e-12


def test_limits_that_mirror_each_other_cut_once():
    """By hand: joint 2 with -1 and 1 rad has one circle more than that of straight. There is none
    of straight or folded where the limits keep away from it."""
    limits = (-1.0, 1.0), (-1.0, 1.25), (-3.125, 3.125), (-0.05, 1.0), (0.2, 1.0), (3.0, 4.0), None
    for limit, count in zip(limits, (2, 3, 3, 3, 2, 3, 2)):
        model = PlanarArm((0.4, 0.3, 0.2), (None, limit, None)).solver.model
        assert len(CutCircles.of(model).spans) == count
    through = CutCircles.through(model, (0.0, math.pi), ends((0.5, 2.0)), (0.0,))
    assert through.elbows == ((0.4, 0.0), (-0.4, 0.4 * math.sin(math.pi)))
    assert through.rigid == ((0.5, 0.0),)
    assert len(through.spans) == 4
    assert len(wrist_cuts(through, (0.4, 0.3, 0.2), 0.5, 0.1)) % 2 == 0


def test_a_point_is_looked_at_once_between_two_cuts_and_on_cuts_that_nearly_meet(monkeypatch):
    """Such a cut is looked at, too, unless it is the end of what is reached on either side."""
    rng, looks, narrow, reaches = np.random.default_rng(6), [], 0, PoseSolver.reaches

    def seen(solver, x, y, phi):
        looks.append(phi)
        return reaches(solver, x, y, phi)

    monkeypatch.setattr(PoseSolver, 'reaches', seen)
    for _ in range(cases(2000)):
        lengths, point = random_case(rng)
        rooms, more = rng.uniform(0.2, 2.5, 3), rng.choice([1e-7, 1e-6, 0.1], 3)
        limits = [*zip(-rooms, rooms + more)]
        orientations = PlanarArm(lengths, limits).workspace.orientations
        cuts = np.sort(wrapped(orientations.cuts(point.real, point.imag)))
        widths = np.diff([*cuts, cuts[0] + math.tau]) if len(cuts) else np.array([math.tau])
        starts = cuts if len(cuts) else np.zeros(1)
        is_open = [reaches(orientations.solver, point.real, point.imag, phi)
                   for phi in starts + widths / 2.0]  # fmt: skip
        alone = (np.minimum(widths, np.roll(widths, 1)) < 1e-4) & ~np.logical_or(
            is_open, np.roll(is_open, 1)
        )
        looks.clear()
        orientations.of_point(point.real, point.imag)
        assert len(looks) == len(widths) + alone.sum()
        narrow += alone.sum()
    assert narrow > cases(400)
