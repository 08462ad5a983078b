# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Ways behind a yaw joint are curved in the plane: they may lead most of the way round the base."""

import math

import numpy as np
from law_cases import cases

from ik_circles import PlanarArm
from ik_circles.planar.lines.branch import Branch


class Parabola:
    """A way of the tip, ever slower; that of the wrist begins behind the base, and ends there on
    the other side."""

    def __init__(self, rng, link):
        across, behind = rng.uniform(0.2, 0.5, 2)
        u = 1.0 - 2.0 * np.polynomial.Polynomial((1.0, -1.0)) ** 3
        x, y = 0.1 - (behind + 0.1) * u * u, across * u
        turn = np.exp(1j * rng.uniform(-math.pi, math.pi))
        self._way = (
            turn.real * x - turn.imag * y + link.real,
            turn.imag * x + turn.real * y + link.imag,
        )

    def at(self, share):
        return tuple(float(one(share)) for one in self._way)

    def on_line(self, normal, distance):
        x, y = self._way
        roots = (normal[0] * x + normal[1] * y - distance).roots()
        return [float(one.real) for one in roots if one.imag == 0.0 and 0.0 <= one.real <= 1.0]

    def events(self):
        return []


def test_joints_do_not_jump_on_a_way_that_leads_most_of_the_way_round_the_base():
    rng = np.random.default_rng(0)
    for number in range(cases(200)):
        arm = PlanarArm((0.5, 0.5, rng.uniform(0.1, 0.4)))
        phi = rng.uniform(-math.pi, math.pi)
        way = Parabola(rng, arm.link_lengths[2] * np.exp(1j * phi))
        elbow, found = number % 2, arm.inverse_kinematics(*way.at(0.0), phi)
        (start,) = (q for q in found if (math.sin(q[1]) > 0.0) == elbow)
        joints_at = Branch(arm.solver, way, start, elbow).joints_whatever_the_limits
        joints = np.array([joints_at(share) for share in np.linspace(0.0, 1.0, 200).tolist()])
        assert np.abs(joints[0] - start).max() < 1e-9
        assert np.abs(np.diff(joints, axis=0)).max() < 0.3
        assert np.abs(joints[-1] - joints[0]).max() > math.pi  # most of a turn


class Round:
    """A way of the tip with the wrist on a circle about the base, up to more than once round."""

    def __init__(self, link, radius, start, turned):
        self._link, self._radius, self._start, self._turned = link, radius, start, turned

    def places(self, shares):
        tips = self._link + self._radius * np.exp(1j * (self._start + self._turned * shares))
        return tips.real, tips.imag

    def at(self, share):
        return tuple(map(float, self.places(share)))

    def on_line(self, normal, distance):
        normal = complex(*normal)
        distance -= (normal.conjugate() * self._link).real
        aside = math.acos(distance / abs(normal) / self._radius)
        turns = np.add.outer(math.tau * np.arange(-3, 4), (aside, -aside)).ravel()
        shares = (np.angle(normal) + turns - self._start) / self._turned
        return shares[(shares >= 0.0) & (shares <= 1.0)].tolist()

    def events(self):
        return []


def test_only_joint_1_and_the_last_one_turn_while_the_wrist_goes_round_the_base():
    """By the angle by which the wrist does, from any turn on, at one share and at many."""
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        arm = PlanarArm(tuple(rng.uniform(0.2, 0.6, 3)))
        q = rng.uniform(-9.0, 9.0, 3)
        elbow = int(math.sin(q[1]) > 0.0)
        links = arm.link_lengths * np.exp(1j * np.cumsum(q))
        wrist, turned = links[0] + links[1], rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 9.0)
        way = Round(links[2], abs(wrist), np.angle(wrist), turned)
        branch, shares = Branch(arm.solver, way, tuple(q.tolist()), elbow), rng.uniform(size=9)
        expected = q + turned * np.multiply.outer(shares, (1.0, 0.0, -1.0))
        found = [*map(branch.joints_whatever_the_limits, shares.tolist())]
        assert np.allclose(found, expected, rtol=0.0, atol=1e-9)
        assert np.allclose(branch.rows(shares), expected, rtol=0.0, atol=1e-9)
