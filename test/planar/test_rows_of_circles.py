# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A joint that hardly moves next to a straight or folded place: its circles differ by little more
than rounding, and the outline has one of them."""

import cmath
import math

import numpy as np
from law_cases import cases

from ik_circles import PlanarArm

TURN = 2.0 * math.pi
#: The own solver has the narrow joint in the middle of its range [1, of the reach].
BLUR = 1e-4
DIRECTIONS = np.exp(1j * np.linspace(0.0, TURN, 361))


def narrow_arm(rng, least, most):
    """The arm, and the joint (1: the elbow, 2: the wrist) whose range is narrow [rad]."""
    limits = [(lower, lower + rng.uniform(0.2, 3.0)) for lower in rng.uniform(-3.0, 2.0, 3)]
    width, narrow = 10.0 ** rng.uniform(math.log10(least), math.log10(most)), rng.integers(1, 3)
    lower = rng.choice([0.0, math.pi, -math.pi]) - width * rng.choice([0.0, 1.0, rng.uniform()])
    limits[narrow] = (lower, lower + width)
    return PlanarArm(rng.uniform(0.1, 1.0, 3), limits), narrow


def within(angles, limits):
    return np.mod(angles - limits[0], TURN) <= limits[1] - limits[0]


def reached(arm, narrow, points):
    """Whether two links reach the points: the narrow joint makes two of the three one."""
    first, second, third = arm.link_lengths
    bend = sum(arm.limits[narrow]) / 2.0
    rigid = (first, second)[narrow - 1] + (second, third)[narrow - 1] * cmath.exp(1j * bend)
    near, far = ((abs(rigid), third), (first, abs(rigid)))[narrow - 1]
    turned = cmath.phase(rigid)  # against the first of its two links
    first_turned, last_turned = ((turned, bend), (0.0, turned))[narrow - 1]
    away, outwards, found = np.abs(points), np.angle(points), np.zeros(len(points), dtype=bool)
    with np.errstate(invalid='ignore'):
        at_base = np.arccos((away**2 + near**2 - far**2) / (2.0 * away * near))
        at_tip = np.arccos((away**2 + far**2 - near**2) / (2.0 * away * far))
    for side in (-1.0, 1.0):
        q1 = outwards + side * at_base - first_turned
        other = outwards - side * at_tip - q1 - last_turned
        found |= within(q1, arm.limits[0]) & within(other, arm.limits[3 - narrow])
    return found


def test_margins_know_every_circle_of_a_joint_that_hardly_moves():
    """Up to one arm in seven had an outline without the circle that bounds it. The disc of a margin
    is inside the workspace, and a larger one is not."""
    rng = np.random.default_rng(0)
    for _ in range(cases(2000, 20, 100)):
        arm, narrow = narrow_arm(rng, 1e-6, 1e-5)
        joints = [rng.uniform(*pair, size=12) for pair in arm.limits]
        points = np.exp(1j * np.cumsum(joints, axis=0)).T @ arm.link_lengths
        blur = BLUR * arm.max_reach
        assert reached(arm, narrow, points).sum() >= 10, arm  # two may be on the boundary
        margins = arm.check_reachability_batch(np.c_[points.real, points.imag]).margin
        for point, margin in zip(points, margins):
            inside = [share * margin - blur for share in (0.3, 0.6, 0.9, 0.97)]
            for radius in (one for one in inside if one > blur):
                assert reached(arm, narrow, point + radius * DIRECTIONS).all(), (arm, point)
            around = [point + (margin + share * blur) * DIRECTIONS for share in (20.0, 30.0)]
            assert not all(reached(arm, narrow, some).all() for some in around), (arm, point)


def test_a_point_of_an_arc_is_reached_where_a_single_orientation_is_left():
    """Law: both ways to ask say the same, also where no gap between cuts is open, but a cut is."""
    rng, alone = np.random.default_rng(1), 0
    for _ in range(cases(2000, 20, 100)):
        arm, _ = narrow_arm(rng, 1e-7, 1e-4)
        arcs = [critical.arc for critical in arm.workspace.critical_arcs]
        for arc in (arcs[number] for number in rng.integers(len(arcs), size=8)):
            point = arc.point_at(arc.start + rng.choice([0.0, 0.5, 1.0, rng.uniform()]) * arc.sweep)
            some, cuts = arm.orientations.of_point(*point), arm.orientations.cuts(*point)
            assert arm.orientations.reach(*point) == bool(some), (arm, point)
            alone += bool(some) and not any(arm.orientations.looks(*point, cuts)[1])
    assert alone
