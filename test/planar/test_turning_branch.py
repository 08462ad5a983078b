# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A branch on which the orientation changes: where its certified steps run out, it ends."""

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import tip
from test_floor_in_plane import lowest

from ik_circles import Floor, PlanarArm
from ik_circles.planar.lines import turning_branch
from ik_circles.planar.lines.branch import Branch, elbows_at
from ik_circles.planar.lines.phi_path import PhiPath
from ik_circles.planar.lines.track import Cause, PlaneWay, Stop
from ik_circles.planar.lines.turning_branch import TurningBranch


def limited_arm(rng, has_floor):
    """Every joint has limits, none of them alike, and is inside; a floor is close below, whichever
    way that is."""
    limits = [(-rng.uniform(0.2, 3.0), rng.uniform(0.2, 3.0)) for _ in range(3)]
    arm, q = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits), rng.uniform(*np.transpose(limits))
    if has_floor:
        up = rng.uniform(-math.pi, math.pi)
        low = np.cumsum(arm.link_lengths * np.exp(1j * (np.cumsum(q) - up))).real.min()
        arm = replace(arm, floor=Floor(low - rng.uniform(0.0, 0.1), up))
    return arm, tuple(q.tolist())


def turning_branch_to(arm, q, target, phi):
    """The branch from joint positions to a tip, at `phi` there."""
    start, first = tip(arm, q)
    way = PlaneWay((start.real, start.imag), ((target - start).real, (target - start).imag))
    path = PhiPath((0.0, 1.0), (first, phi))
    return TurningBranch(arm.solver, way, q, elbows_at(q[1])[0], path)


def misses(arm, point, phi, elbow):
    """How far the wrist or a part of the arm is from all that may end a branch [m], by its stop.

    A limit of joint 2 is one of one elbow.
    """
    length_1, length_2, length_3 = arm.link_lengths
    wrist = point - length_3 * cmath.exp(1j * phi)
    found = {
        Stop(Cause.STRAIGHT): abs(wrist) - (length_1 + length_2),
        Stop(Cause.FOLDED): abs(wrist) - abs(length_1 - length_2),
    }
    for is_upper in (False, True):
        q1, q2, q3 = (limits[is_upper] for limits in arm.limits)
        of_joints = (
            abs(wrist - length_1 * cmath.exp(1j * q1)) - length_2,
            abs(wrist) - abs(length_1 + length_2 * cmath.exp(1j * q2)),
            abs(wrist - length_2 * cmath.exp(1j * (phi - q3))) - length_1,
        )
        found |= {Stop(Cause.LIMIT, i, is_upper): miss for i, miss in enumerate(of_joints)}
        if elbow not in elbows_at(q2):
            del found[Stop(Cause.LIMIT, 1, is_upper)]
    if arm.floor is not None:
        height, up = arm.floor.height, cmath.exp(1j * arm.floor.up)
        found[Stop(Cause.FLOOR, part='the tip')] = (point / up).real - height
        found[Stop(Cause.FLOOR, part='the wrist')] = (wrist / up).real - height
        if abs(height) < length_1:
            beside = math.sqrt(length_1**2 - height**2)
            elbows = complex(height, beside) * up, complex(height, -beside) * up
            found[Stop(Cause.FLOOR, part='the elbow')] = min(
                (abs(wrist - elbow) - length_2 for elbow in elbows), key=abs
            )
    return {stop: abs(miss) for stop, miss in found.items()}


def test_where_steps_run_out_the_branch_ends_at_what_is_nearest(monkeypatch):
    """Up to there it is the branch that enough steps follow."""
    rng = np.random.default_rng(0)
    cut = 0
    for number in range(cases(400)):
        arm, q = limited_arm(rng, has_floor=number % 2)
        start, phi = tip(arm, q)
        target, turned = start + complex(*rng.uniform(-1.0, 1.0, 2)), phi + rng.uniform(-1.0, 1.0)
        monkeypatch.setattr(turning_branch, 'MOST_STEPS', 2000)
        whole = turning_branch_to(arm, q, target, turned).end()
        monkeypatch.setattr(turning_branch, 'MOST_STEPS', 1)
        branch = turning_branch_to(arm, q, target, turned)
        share, stop = branch.end()
        if (share, stop) != whole:
            cut += 1
            assert share < whole.share
            point, elbow = start + share * (target - start), elbows_at(q[1])[0]
            found = misses(arm, point, branch.phi(share), elbow)
            assert found[stop] <= min(found.values()) + 1e-9
    assert cut > cases(100)


def test_where_a_branch_ends_it_is_at_what_is_named_exactly():
    """Also an arm of a millimeter, or of a hundred meters."""
    rng, causes = np.random.default_rng(3), []
    for number in range(cases(600, least=30)):
        arm, q = limited_arm(rng, has_floor=number % 2)
        scale = 10.0 ** rng.uniform(-3.0, 2.0)
        floor = arm.floor and replace(arm.floor, height=scale * arm.floor.height)
        arm = replace(arm, link_lengths=tuple(scale * np.array(arm.link_lengths)), floor=floor)
        (start, phi), way = tip(arm, q), scale * complex(*rng.uniform(-1.0, 1.0, 2))
        branch = turning_branch_to(arm, q, start + way, phi + rng.uniform(-1.0, 1.0))
        share, stop = branch.end()
        if stop is not None and share > 0.0:
            found = misses(arm, start + share * way, branch.phi(share), elbows_at(q[1])[0])
            assert found[stop] <= 1e-8 * scale
            causes.append(stop.cause)
    assert {*causes} >= {Cause.STRAIGHT, Cause.LIMIT, Cause.FLOOR}


def test_up_to_its_end_a_branch_keeps_the_limits_and_stays_above_the_floor():
    """So does a point that the tool carries, however it turns."""
    rng = np.random.default_rng(1)
    for _ in range(cases(800, 40)):
        arm, q = limited_arm(rng, has_floor=True)
        arm = replace(arm, floor=Floor(0.0, arm.floor.up, [rng.uniform(-1.0, 1.0, 2)]))
        height = lowest(arm, q) - rng.uniform(0.0, 0.1)
        arm = replace(arm, floor=replace(arm.floor, height=height))
        start, phi = tip(arm, q)
        target, turned = start + complex(*rng.uniform(-1.0, 1.0, 2)), phi + rng.uniform(-3.0, 3.0)
        branch = turning_branch_to(arm, q, target, turned)
        for share in np.linspace(0.0, branch.end().share, 40).tolist():
            joints = branch.joints(share)
            assert lowest(arm, joints) >= -1e-9
            assert abs(tip(arm, joints)[0] - start - share * (target - start)) <= 1e-9


def test_a_knot_is_a_break_where_the_orientation_changes_on_either_side():
    path = PhiPath((0.0, 0.2, 0.4, 0.6, 1.0), (0.0, 0.1, 0.1, 0.1, 0.2))
    assert path.breaks == (0.2, 0.6)


def test_an_orientation_that_stays_is_followed_like_a_held_one_also_past_the_base():
    """The wrist may pass it so closely that joint 1 turns by half a turn from look to look."""
    rng = np.random.default_rng(2)
    for _ in range(cases(400)):
        length, last = rng.uniform(0.2, 0.6, 2)
        arm, phi = PlanarArm((length, length, last)), rng.uniform(-3.0, 3.0)
        way = np.exp(1j * rng.uniform(-3.0, 3.0))
        passed, beside = rng.uniform(0.1, 0.9), 10.0 ** rng.uniform(-8.0, -1.0)
        wrist = length * way * (-passed + beside * rng.choice([-1j, 1j]))
        start = wrist + last * np.exp(1j * phi)
        line = PlaneWay((start.real, start.imag), (length * way.real, length * way.imag))
        elbow = int(rng.integers(2))
        both = arm.inverse_kinematics(*line.start, phi)
        q = next(one for one in both if elbow in elbows_at(one[1]))
        held = Branch(arm.solver, line, q, elbow)
        turning = TurningBranch(arm.solver, line, q, elbow, PhiPath((0.0, 1.0), (sum(q),) * 2))
        near = beside * rng.normal(size=4) * 10.0 ** rng.uniform(-1.0, 1.0)
        shares = np.clip(passed + near, 0.0, 1.0)
        for share in shares.tolist():
            expected = held.joints_whatever_the_limits(share)
            assert turning.joints_whatever_the_limits(share) == pytest.approx(expected, abs=1e-6)
