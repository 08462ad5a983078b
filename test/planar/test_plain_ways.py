# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Ordinary questions are answered the plain way; the careful ones are for what needs them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import tip

from ik_circles import Floor, PlanarArm
from ik_circles.geometry import checks
from ik_circles.planar import inverse
from ik_circles.planar.lines.free_line import FreeLine

LIMITS = ((-2.0, 2.0), (-2.5, 2.5), (-2.25, 1.5))


@pytest.fixture
def counted(monkeypatch):
    """Count the calls of a function that stay as they are."""

    def count(place, name):
        calls, own = [], getattr(place, name)
        monkeypatch.setattr(place, name, lambda *given, **named: (
            calls.append(name) or own(*given, **named)
        ))  # fmt: skip
        return calls

    return count


@pytest.mark.parametrize('joint', range(3))
def test_a_plausible_joint_position_is_not_looked_at_twice(counted, joint):
    """Up to both ends of what is plausible; past them it is refused with words."""
    arm, asked = PlanarArm((1.0, 1.0, 0.5), LIMITS), counted(checks, 'vector')
    for place in (2 * joint, 2 * joint + 1):
        q = [0.0, 0.0, 0.0]
        q[joint] = arm.solver.model.farthest[place]
        arm.forward_kinematics(tuple(q))
        assert not asked


def test_a_pose_away_from_limits_straight_and_folded_is_solved_by_its_triangle(counted):
    """Rounding decides nothing there. Of the other elbow, hardly any is next to a limit."""
    rng = np.random.default_rng(0)
    special = counted(inverse, 'inside_limits'), counted(inverse, 'intersect_circles')
    arm, count = PlanarArm((0.4, 0.3, 0.2), LIMITS), cases(4000, least=100)
    for _ in range(count):
        q = rng.uniform(*np.transpose(LIMITS)) * 0.95
        q[1] = math.copysign(max(abs(q[1]), 0.1), q[1])
        point, phi = tip(arm, q)
        pose = point.real, point.imag, phi
        assert any(np.allclose(one, q) for one in arm.inverse_kinematics(*pose))
        assert arm.solver.reaches(*pose)
    assert max(map(len, special)) <= 0.02 * count


def test_next_to_a_limit_the_solution_is_put_on_it(counted):
    on_limit = counted(inverse, 'inside_limits')
    for joint, ends in enumerate(LIMITS):
        for end, step in zip(ends, (-1e-14, 1e-14)):
            q = [0.5, 0.75, -0.5]
            q[joint] = end + step
            arm = PlanarArm((0.4, 0.3, 0.2), LIMITS)
            point, phi = tip(arm, q)
            before = len(on_limit)
            found = arm.inverse_kinematics(point.real, point.imag, phi)
            assert len(on_limit) > before
            assert any(one[joint] == end and np.allclose(one, q) for one in found)


@pytest.mark.parametrize('floor', [None, Floor(-2.0)])
def test_a_free_line_with_nothing_in_its_way_needs_no_windows_between_its_ends(counted, floor):
    rng, chains = np.random.default_rng(1), counted(FreeLine, 'chain')
    turned = ended = 0
    arm, count = replace(PlanarArm((0.4, 0.3, 0.2)), floor=floor), cases(400, least=20)
    for _ in range(count):
        bend = rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2.0)
        q = rng.uniform(-3.0, 3.0), bend, rng.uniform(-1.0, 1.0)
        away, angle = rng.uniform(0.2, 0.8), rng.uniform(-math.pi, math.pi)
        target = away * math.cos(angle), away * math.sin(angle)
        held = arm.straight_line(q, target)
        line = arm.straight_line(q, target, orientation='free')
        turned, ended = turned + (held.share < 1.0), ended + (line.share < 1.0)
    assert turned > 0.3 * count
    assert len(chains) <= 0.6 * turned
    assert not ended


def test_a_straight_elbow_away_from_the_limits_of_the_others_is_where_two_circles_touch(counted):
    on_limit, touching = counted(inverse, 'inside_limits'), counted(inverse, 'intersect_circles')
    rng, count = np.random.default_rng(2), cases(1000, least=20)
    arm = PlanarArm((0.4, 0.3, 0.2), LIMITS)
    for number in range(count):
        q = rng.uniform(-1.5, 1.5), 0.0, rng.uniform(-1.25, 1.25)
        point, phi = tip(arm, q)
        if number % 2:  # out of reach: the circles do not meet, and that is known
            point += 0.2 * np.exp(1j * (q[0] + 0.1))
        pose = point.real, point.imag, phi
        found = arm.inverse_kinematics(*pose)
        assert found == ([] if number % 2 else [pytest.approx(q, abs=1e-6)])
        assert arm.solver.reaches(*pose) == (not number % 2)
    assert not on_limit
    assert len(touching) == 2 * (count // 2)


def test_floats_are_asked_about_as_they_are_and_other_numbers_are_read_first(counted):
    """Orientations up to five turns either way."""
    numbers, angles = counted(checks, 'number'), counted(checks, 'angle')
    arm = PlanarArm((0.5, 0.25, 0.25))
    for target in ((0.5, 0.25), (0.5, 0.25, 0.5), (0.5, 0.25, 10.0 * math.pi),
                   (0.5, 0.25, -10.0 * math.pi)):  # fmt: skip
        arm.check_reachability(*target)
        assert not numbers and not angles
    assert arm.check_reachability(1, 0, 0).reachable
    assert len(numbers) >= 2 and angles
