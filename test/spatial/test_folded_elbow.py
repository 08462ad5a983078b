# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where the error of a folded elbow vanishes, for errors that are given as formulas."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import pose, yaw_joint

from ik_circles import PlanarArm
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.true_axes.bounds import CLOSES, Bounds
from ik_circles.spatial.true_axes.folded_elbow import BENDS, FoldedElbow, JointHeld

PHI = 0.7
EVERY = np.linspace(-math.pi, math.pi, 2001)
SAME = 1e-9  # [rad]
LARGE = (-2.0 * math.pi, 2.0 * math.pi)


def elbow_with(error, yaw=False, bend=lambda angle: 0.0, of_elbow=LARGE, of_third=LARGE):
    """A folded elbow that leaves an error along link 1, known to a thousandth of its size where the
    other joints are corrected less often; the lean bends it by a little more than half a turn."""
    planar = PlanarArm((0.3, 0.3, 0.2), (None, of_elbow, of_third))
    joint = yaw_joint(planar, (-2.0, 2.0)) if yaw else None
    plane = ArmPlane(pose(np.eye(3), (0.0, 0.0, 0.0)), joint, 1e-6)

    def hold(angle, bends):
        q = angle, math.pi + bend(angle), PHI - angle - math.pi - bend(angle)
        off = 0.0 if bends == BENDS else 1e-3 * error(angle + 1.0)
        left = error(angle) + off
        return JointHeld((0.1, *q) if yaw else q, left, abs(left), PHI)

    limits = [*([(-2.0, 2.0)] if yaw else []), LARGE, of_elbow, of_third]
    return FoldedElbow(Bounds(planar, plane), limits, hold)


def away(angle, others):
    return min((abs(math.remainder(angle - one, math.tau)) for one in others), default=math.inf)


def drawn(rng, size):
    """A trigonometric polynomial, and about where it clearly changes its sign."""
    factors, phases = rng.normal(size=4) * size, rng.uniform(-3.0, 3.0, 4)

    def error(angle):
        return sum(a * np.cos(n * angle + b) for n, (a, b) in enumerate(zip(factors, phases)))

    values = error(EVERY)
    slopes = np.abs(np.diff(values)) / (EVERY[1] - EVERY[0])
    is_clear = slopes > 0.5 * np.abs(values).max()
    changed = np.flatnonzero((values[:-1] * values[1:] < 0.0) & is_clear)
    return error, (EVERY[changed] + EVERY[changed + 1]) / 2.0


@pytest.mark.parametrize('yaw', [False, True])
def test_every_angle_at_which_an_error_vanishes_is_found_and_corrected(yaw):
    rng, seen = np.random.default_rng(0), 0
    for _ in range(cases(400, least=10)):
        error, roots = drawn(rng, 10.0 ** rng.uniform(-6.0, 0.0))
        elbow = elbow_with(error, yaw)
        found = [*elbow.where(lambda one: one.along)]
        size = np.abs(error(EVERY)).max()
        exact = [one for one in found if abs(one.along) <= 1e-9 * size and one.off <= SAME]
        for root in roots:
            assert away(root, [one.angles[int(yaw)] for one in exact]) <= EVERY[1] - EVERY[0]
            seen += 1
        if size > 1e-4:
            told = [*elbow.picked(PHI, (0.3, math.pi, 0.2))]
            assert all(len(each) == 1 and abs(each[0].along) <= CLOSES for each in told)
            for root in roots:
                assert away(root, [each[0].angles[int(yaw)] for each in told]) <= 0.01
    assert seen


@pytest.mark.parametrize('yaw', [False, True])
@pytest.mark.parametrize('share', [0.5, 0.95])
def test_where_joint_1_is_free_the_angles_nearest_to_the_arm_come_first(yaw, share):
    """Then those at which the elbow comes to a limit, but not those of joints 1 and 3, which move
    far, and not of a limit farther than the lean moves the elbow."""
    room = elbow_with(lambda angle: 0.0).bounds.room
    for near in (-2.0, 0.3, 1.5):

        def bend(angle):
            return room * math.sin(angle)

        for end, roots in ((share, True), (1.3, False)):
            limit = math.pi + end * room
            elbow = elbow_with(lambda angle: 0.0, yaw, bend, (math.pi - 3.0, limit))
            (told,) = elbow.picked(PHI, (near, math.pi, PHI - near - math.pi))
            angles = [one.angles[int(yaw)] for one in told]
            far = [abs(math.remainder(one - near, math.tau)) for one in angles]
            assert far == sorted(far) and far[0] <= SAME
            for root in (math.asin(share), math.pi - math.asin(share)):
                assert (away(root, angles) <= 1e-6) == roots
