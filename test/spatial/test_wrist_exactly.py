# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The wrist recomputed as products of rotation matrices: about z, x and y."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE, random_rotation, rotation_by, same_angle

from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.reasons import JointLabel
from ik_circles.spatial.batch.wrists import Postures
from ik_circles.spatial.poses.aims import WayToPose
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.spatial.wrist import LEAST, LEVEL, Posture, Singular, Wrist, seen_at

X, Y, Z = np.eye(3)


def drawn(rng, joints=2):
    """A wrist with its zeros anywhere, and its tip 1 cm to 100 m from its center."""
    center = rng.normal(size=3) * 10.0 ** rng.uniform(-2.0, 2.0)
    before, after = random_rotation(rng), random_rotation(rng)
    first, phi = rng.uniform(-3.0, 3.0, 2).tolist()
    label = JointLabel('a joint')
    return Wrist((FREE,) * joints, (label,) * joints, center, before, after, first, phi)


def tip_of(wrist, yaw, phi, angles):
    """The orientation as the wrist's frame sees it, with the yaw joint at 0 (3x3)."""
    turns = rotation_by(Y, yaw) @ rotation_by(Z, phi - wrist.phi_at_zero)
    turns = turns @ rotation_by(X, angles[0] + wrist.first_at_zero)
    return turns @ rotation_by(Y, angles[1]) if len(angles) == 2 else turns


def sight_of(rotation):
    one, two, three = rotation.tolist()
    return tuple(one), tuple(two), tuple(three)


def angle_between(one, other):
    """The angle of the rotation from one orientation to another [rad]."""
    return 2.0 * math.asin(min(1.0, float(np.linalg.norm(one - other)) / math.sqrt(8.0)))


def test_where_the_wrist_center_is_and_what_the_wrist_sees():
    rng = np.random.default_rng(0)
    for _ in range(cases(400)):
        wrist, rotation, yaw = drawn(rng), random_rotation(rng), float(rng.uniform(-3.0, 3.0))
        point = rng.normal(size=3) * wrist.length
        found = wrist.center_at(tuple(point.tolist()), rotation.tolist())
        assert found == pytest.approx(point + rotation @ wrist.center, abs=1e-12 * wrist.length)
        assert wrist.length == pytest.approx(np.linalg.norm(wrist.center), rel=1e-14)
        sight = wrist.sight(sight_of(rotation))
        assert np.array(sight) == pytest.approx(wrist.before @ rotation @ wrist.after, abs=1e-14)
        turned = rotation_by(Y, -yaw) @ np.array(sight)
        assert np.array(seen_at(sight, yaw)) == pytest.approx(turned, abs=1e-14)


def test_both_flips_of_two_joints_give_an_orientation_and_are_as_loose_as_they_are_singular():
    rng = np.random.default_rng(1)
    for _ in range(cases(2000, least=20)):
        wrist, (yaw, phi, *angles) = drawn(rng), rng.uniform(-3.0, 3.0, 4)
        wanted = tip_of(wrist, yaw, phi, angles)
        level = abs(math.cos(angles[0] + wrist.first_at_zero))
        found = wrist.postures(sight_of(wanted), yaw)
        for one in found:
            assert angle_between(tip_of(wrist, yaw, one.phi, one.wrist), wanted) <= 1e-13 / level
            assert one.loose == pytest.approx(1.0 / level, rel=1e-9)
            assert (one.tilt, one.is_singular) == (0.0, False)
        assert same_angle(found[0].phi, found[1].phi + math.pi) <= 1e-12
        assert min(same_angle(one.phi, phi) for one in found) <= 1e-12 / level
        assert wrist.flipped(found[0].wrist) == found[1].wrist
        back = wrist.flipped(found[1].wrist)
        assert all(same_angle(a, b) <= 1e-12 for a, b in zip(back, found[0].wrist))
    straight = sight_of(tip_of(wrist, 0.3, 0.2, (math.pi / 2.0 - wrist.first_at_zero, 0.1)))
    assert all(one.loose <= 1.0 / LEAST for one in wrist.postures(straight, 0.3))


def test_a_single_joint_keeps_the_pitch_of_its_axis_and_no_other_roll_is_nearer():
    rng = np.random.default_rng(2)
    for number in range(cases(1000, least=20)):
        wrist, yaw = drawn(rng, 1), float(rng.uniform(-3.0, 3.0))
        phi, first = rng.uniform(-3.0, 3.0, 2).tolist()
        out = 0.0 if number % 2 else float(rng.uniform(0.01, 1.0))
        wanted = rotation_by(Y, yaw) @ rotation_by(Y, out) @ rotation_by(Y, -yaw)
        wanted = wanted @ tip_of(wrist, yaw, phi, (first,))
        (one,) = wrist.postures(sight_of(wanted), yaw)
        chi = phi - wrist.phi_at_zero
        axis = wanted @ X
        seen = rotation_by(Y, -yaw) @ axis
        pitch = math.atan2(axis[1], math.copysign(math.hypot(seen[0], seen[2]), seen[0]))
        assert same_angle(one.phi - wrist.phi_at_zero, pitch) <= 1e-12
        assert one.tilt == pytest.approx(math.asin(min(1.0, abs(seen[2]))), abs=1e-9)
        assert one.loose == 1.0
        tilt = wrist.turned_away(sight_of(wanted), yaw, one.phi, one.wrist)
        if out == 0.0:
            assert tilt <= 1e-7 and same_angle(pitch, chi) <= 1e-12
        for off in (1e-3, -1e-3, 0.1, -0.1, 2.0, math.pi):
            other = wrist.turned_away(sight_of(wanted), yaw, one.phi, (one.wrist[0] + off,))
            assert tilt <= other + 1e-12


@pytest.mark.parametrize('joints', [1, 2])
def test_how_far_the_tip_is_turned_away_and_the_trace_of_that_rotation(joints):
    rng = np.random.default_rng(3)
    for _ in range(cases(1000, least=20)):
        wrist, wanted = drawn(rng, joints), random_rotation(rng)
        yaw, phi = rng.uniform(-3.0, 3.0, 2).tolist()
        angles = tuple(rng.uniform(-3.0, 3.0, joints).tolist())
        tip = tip_of(wrist, yaw, phi, angles)
        found = wrist.turned_away(sight_of(wanted), yaw, phi, angles)
        assert found == pytest.approx(angle_between(tip, wanted), abs=1e-9)
        trace = at_phi(wrist.trace(sight_of(wanted), yaw, angles), phi - wrist.phi_at_zero)
        assert trace == pytest.approx(float(np.trace(tip.T @ wanted)), abs=1e-12)


def at_phi(trace, chi):
    """The value of a trace by its parts."""
    along, across, rest = trace
    return along * math.cos(chi) + across * math.sin(chi) + rest


def test_the_trace_of_the_last_axis_is_that_with_the_last_joint_as_near_as_it_can():
    rng = np.random.default_rng(7)
    for _ in range(cases(1000, least=20)):
        wrist, wanted = drawn(rng), sight_of(random_rotation(rng))
        yaw, phi, first = rng.uniform(-3.0, 3.0, 3).tolist()
        last, chi = wrist.last_at(wanted, yaw, phi, first), phi - wrist.phi_at_zero
        most = at_phi(wrist.trace(wanted, yaw, (first, last)), chi)
        for other in (last, 0.0):
            found = at_phi(wrist.trace_of_axis(wanted, yaw, (first, other)), chi)
            assert found == pytest.approx(most, abs=1e-12)


def test_the_last_joint_or_both_come_as_near_to_an_orientation_as_they_can():
    rng = np.random.default_rng(4)
    for _ in range(cases(400, least=10)):
        wrist, wanted = drawn(rng), sight_of(random_rotation(rng))
        yaw, phi, first = rng.uniform(-3.0, 3.0, 3).tolist()
        last = wrist.last_at(wanted, yaw, phi, first)
        least = wrist.turned_away(wanted, yaw, phi, (first, last))
        for off in (1e-3, -1e-3, 0.3, -0.3, 2.0, -2.0, math.pi):
            assert least <= wrist.turned_away(wanted, yaw, phi, (first, last + off)) + 1e-12
        chi = wrist.postures(wanted, yaw)[0]
        both = wrist.two_at(wanted, yaw, chi.phi)
        assert wrist.turned_away(wanted, yaw, chi.phi, both) <= 1e-7


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_with_the_last_axis_along_the_normal_phi_and_the_last_joint_share_a_turn(sign):
    rng = np.random.default_rng(5)
    for _ in range(cases(400, least=10)):
        wrist, (yaw, phi, last) = drawn(rng), rng.uniform(-3.0, 3.0, 3)
        first = sign * math.pi / 2.0 - wrist.first_at_zero
        wanted = tip_of(wrist, yaw, phi, (first, last))
        found = wrist.singular(sight_of(wanted), yaw)
        assert found.sign == sign and found.first == pytest.approx(first, abs=1e-15)
        for other in rng.uniform(-6.0, 6.0, 3).tolist():
            its = found.last(other)
            assert -math.pi < its <= math.pi
            assert angle_between(tip_of(wrist, yaw, other, (first, its)), wanted) <= 1e-7


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_orientations_with_the_last_joint_inside_its_limits_up_to_rounding(sign):
    rng = np.random.default_rng(6)
    for _ in range(cases(400, least=20)):
        total, lower = rng.uniform(-3.0, 3.0, 2).tolist()
        upper = lower + float(rng.uniform(0.0, 6.0))
        one = Singular(0.0, sign, total)
        ((start, end),) = one.allowed((lower, upper))
        assert -math.pi < start <= math.pi
        assert end - start == pytest.approx(upper - lower + ON_LIMIT, abs=1e-14)
        middle = one.last((start + end) / 2.0)
        assert same_angle(middle, (lower + upper) / 2.0) <= 1e-13
    every = [(-math.pi, math.pi)]
    for limits in (FREE, (-math.pi, math.pi), (-6.0, 6.0), (0.0, math.tau)):
        assert Singular(0.0, sign, 0.4).allowed(limits) == every
    for limits in ((3.2, 3.3), (0.0, math.nextafter(math.tau, 0.0))):
        assert Singular(0.0, sign, 0.4).allowed(limits) != every


def test_a_posture_is_level_up_to_what_counts_as_rounding():
    tilts = 0.0, LEVEL, math.nextafter(LEVEL, 1.0), 0.1
    for tilt, is_level in zip(tilts, (True, True, False, False)):
        at, posture = Shoulder(0.0, (0.4, 0.1)), Posture(0.3, (0.2,), tilt)
        assert WayToPose(at, [0.0], posture, 0.0, 0.0, False).is_level == is_level
    some = Postures(np.zeros(4), (np.zeros(4),), np.array(tilts), np.zeros(4), np.zeros(4, bool))
    assert some.is_level.tolist() == [True, True, False, False]
