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
