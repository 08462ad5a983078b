# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The curves and arcs that the tip follows above a floor: what joints do is found again."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import tip
from test_floor_in_plane import lowest

from ik_circles import Floor, PlanarArm
from ik_circles.planar.floor.above import AboveFloor
from ik_circles.planar.floor.arcs import arcs_above
from ik_circles.planar.floor.sliding import Slide, sliding_curves

CLOSES = 1e-9  # [rad, 1 of a reach of about a meter]


def joints_and_arm(rng):
    """Joint positions anywhere, and an arm with limits about some of them."""
    q = rng.uniform(-3.0, 3.0, 3)
    limits = [(one - rng.uniform(0.2, 3.0), one + rng.uniform(0.2, 3.0)) for one in q.tolist()]
    limits = [limit if rng.random() < 0.7 else None for limit in limits]
    return q, PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)


def held(rng, q, arm, joint):
    """The arm and positions with a joint on one of its limits; it gets some if it has none."""
    limits, end = list(arm.joint_limits), int(rng.integers(2))
    limits[joint] = limits[joint] or (q[joint] - 1.0, q[joint] + 1.0)
    at_limit = q.copy()
    at_limit[joint] = limits[joint][end]
    return replace(arm, joint_limits=limits), at_limit


def height_of(arm, q, part):
    """Height above the floor of a part of the last link, as seen from the third joint [m]."""
    place = tip(arm, q)[0] + (part - arm.link_lengths[2]) * np.exp(1j * sum(q))
    return (place * np.exp(-1j * arm.floor.up)).real - arm.floor.height


def with_floor_under(arm, q, part, rng):
    """The arm above a floor that a part of its last link is on; None if another part is lower."""
    floor = Floor(0.0, rng.uniform(-math.pi, math.pi), ((part.real, part.imag),) if part else ())
    height = height_of(replace(arm, floor=floor), q, part)
    above = replace(arm, floor=replace(floor, height=height))
    return above if lowest(above, q) >= -1e-12 else None


def with_room(arm, room):
    """The arm with wider limits and a lower floor [rad, m]."""
    limits = [one and (one[0] - room, one[1] + room) for one in arm.joint_limits]
    floor = replace(arm.floor, height=arm.floor.height - room)
    return replace(arm, joint_limits=limits, floor=floor)


def is_same(q, other):
    return np.abs(np.remainder(np.subtract(q, other) + math.pi, math.tau) - math.pi).max() <= CLOSES


def to_arcs(points, point):
    """Distance of a point from a row of arcs, each through three of the points [m]."""
    first, middle, last = points[:-2:2], points[1::2], points[2::2]
    with np.errstate(divide='ignore', invalid='ignore'):
        seen = (last - first) / (middle - first)
        center = (middle - first) * (seen - np.abs(seen) ** 2) / (2j * seen.imag) + first
        away = np.abs(np.abs(point - center) - np.abs(first - center))
        straight = np.abs(((point - first) * (last - first).conj()).imag) / np.abs(last - first)
    away = np.where(np.abs(seen.imag) > 1e-6, away, straight)
    is_beside = np.abs(point - middle) <= np.abs(last - first)
    return np.nanmin(away[is_beside], initial=math.inf)


def test_an_arm_that_slides_on_the_floor_with_a_joint_held_is_found_again():
    """Wrist or carried point on the floor: the same joints, at the orientation that they have."""
    rng, found = np.random.default_rng(0), 0
    for _ in range(cases(4000, least=200)):
        joint, q_and_arm = int(rng.integers(3)), joints_and_arm(rng)
        arm, q = held(rng, *q_and_arm, joint)
        part = complex(*rng.uniform(-0.3, 0.3, 2)) if joint != 2 or rng.random() < 0.5 else 0j
        above = with_floor_under(arm, q, part, rng)
        if above is None:
            continue
        slide = Slide(above.solver.model, above.floor, joint, q[joint], part)
        phi, intervals = sum(q), slide.orientations()
        assert any((phi - low + CLOSES) % math.tau <= high - low + 2 * CLOSES
                   for low, high in intervals)  # fmt: skip
        both = [slide.joints_at(phi, side) for side in (1.0, -1.0)]
        assert any(one is not None and is_same(one, q) for one in both)
        for low, high in intervals:
            for phi in (low, high, *rng.uniform(low, high, 3).tolist()):
                for one in filter(None, (slide.joints_at(phi, side) for side in (1.0, -1.0))):
                    assert is_same((one[joint], sum(one)), (q[joint], phi))
                    high = height_of(above, one, part)
                    assert abs(high) <= 1e-7  # a root of rounding at the ends
        found += 1
        if found % 4:
            continue
        curves = sliding_curves(
            above.solver.model, above.floor, AboveFloor(arm, above.floor).pieces
        )
        tips = [curve @ (1.0, 1.0j) for curve in curves]
        away = min((to_arcs(one, tip(arm, q)[0]) for one in tips), default=math.inf)
        assert away <= 1.5e-7 * arm.max_reach
        roomy = with_room(above, 1e-6)
        for place in (place for one in tips for place in rng.choice(one, 5)):
            assert roomy.orientation_intervals(place.real, place.imag)
    assert found > cases(500)


@pytest.mark.parametrize('joint', range(3))
@pytest.mark.parametrize('met', ['limit', 'elbow', 'in line', 'level', 'upright'])
def test_an_orientation_with_which_a_slide_meets_something_else_is_a_cut(joint, met):
    """Another joint at a limit, the elbow straight or folded, free links in line with the tip,
    another part as low, or what turns with the tool upright."""
    rng = np.random.default_rng(4)
    for _ in range(cases(400)):
        arm, q = held(rng, *joints_and_arm(rng), joint)
        part, other = rng.uniform(-0.5, 0.5, (2, 2)) @ (1.0, 1.0j)
        first, second, third = arm.link_lengths
        back = rng.choice([0.0, math.pi])
        if met == 'limit':
            arm, q = held(rng, q, arm, (joint + rng.integers(1, 3)) % 3)
        elif met == 'elbow' and joint != 1:
            q[1] = back
        elif met == 'in line':
            wrist = np.angle(first + second * np.exp(1j * q[1]))
            elbow = -np.angle(second * np.exp(-1j * q[2]) + third) - q[2]
            free = {0: (2, back), 1: (2, wrist - q[1] + back), 2: (1, elbow + back)}[joint]
            q[free[0]] = free[1]
        turned = np.exp(1j * sum(q))
        carried = second * np.exp(-1j * q[2]) if joint == 2 else 0.0
        up = rng.uniform(-math.pi, math.pi)
        if met == 'level':
            other = rng.choice([other, 0.0, third])
            up = float(np.angle(1j * (other - part) * turned) + back)
        elif met == 'upright':
            up = float(np.angle((carried + part) * turned) + back)
        floor = Floor(0.0, up, ((part.real, part.imag), (other.real, other.imag)))
        height = height_of(replace(arm, floor=floor), q, part)
        slide = Slide(arm.solver.model, replace(floor, height=height), joint, q[joint], part)
        limits_1 = [one for one in arm.limits[0] if math.isfinite(one)]
        away = [abs(math.remainder(one - sum(q), math.tau)) for one in slide.cuts(limits_1)]
        assert (met == 'elbow' and joint == 1) or min(away) <= 1e-6


def test_the_critical_arcs_above_a_floor_are_what_is_above_it_of_those_without():
    """All of an arc is above the floor, and its joints put the tip on it; those without the floor
    leave it only where a part of the arm is below."""
    rng, kept, left = np.random.default_rng(1), 0, 0
    for _ in range(cases(600)):
        _, arm = joints_and_arm(rng)
        floor = Floor(rng.uniform(-1.0, 0.3), rng.uniform(-math.pi, math.pi),
                      tuple(map(tuple, rng.uniform(-0.3, 0.3, (rng.integers(2), 2)))))  # fmt: skip
        above = replace(arm, floor=floor)
        arcs = [*arcs_above(AboveFloor(arm, floor).distinct, floor)]
        for one in arcs:
            for offset in (one.arc.sweep * rng.uniform(0.0, 1.0, 3)).tolist():
                q = one.joints_at(offset)
                place = complex(*one.arc.point_at(one.arc.start + offset))
                assert abs(tip(arm, q)[0] - place) <= CLOSES
                assert lowest(above, q) >= -CLOSES
            if one.arc.sweep < 6.0:
                past_it, end = (one.joints_at(one.arc.sweep + more) for more in (0.1, 0.0))
                assert past_it == pytest.approx(end, abs=CLOSES)
        for one in arm.workspace.critical_arcs:
            for offset in (one.arc.sweep * rng.uniform(0.0, 1.0, 3)).tolist():
                q = one.joints_at(offset)
                point = tip(arm, q)[0]
                away = min(
                    (other.arc.distance_to((point.real, point.imag)) for other in arcs),
                    default=math.inf,
                )
                is_above = lowest(above, q) > 1e-9
                assert not is_above or away <= CLOSES
                kept, left = kept + is_above, left + (away > CLOSES)
    assert min(kept, left) > cases(2000)


def test_with_the_wrist_on_the_floor_and_another_joint_held_the_tip_is_on_an_arc():
    """Joint 1 or 2 at a limit, or the elbow straight or folded, while joint 3 turns."""
    rng, found = np.random.default_rng(2), 0
    for _ in range(cases(2000)):
        joint, q_and_arm = int(rng.integers(2)), joints_and_arm(rng)
        arm, q = held(rng, *q_and_arm, joint)
        if joint == 1 and rng.random() < 0.5:
            q[1] = rng.choice([0.0, math.pi])
            arm = replace(arm, joint_limits=(arm.joint_limits[0], None, arm.joint_limits[2]))
        above = with_floor_under(arm, q, 0j, rng)
        if above is not None:
            found += 1
            point = tip(arm, q)[0]
            arcs = arcs_above(AboveFloor(arm, above.floor).distinct, above.floor)
            away = [one.arc.distance_to((point.real, point.imag)) for one in arcs]
            assert min(away, default=math.inf) <= 1e-6
    assert found > cases(200)


def heights(arm, point, phis):
    """Heights of elbow, wrist, tip and carried points above the floor (2, parts, N) [m], of each
    elbow of the arm; -inf where it does not work."""
    first, second, third = arm.link_lengths
    wrist = point - third * np.exp(1j * phis)
    with np.errstate(invalid='ignore'):
        cosine = np.clip(
            (np.abs(wrist) ** 2 - first**2 - second**2) / (2.0 * first * second), -1, 1
        )
    carried = [wrist + complex(*one) * np.exp(1j * phis) for one in arm.floor.carried]
    found = []
    for q2 in (-np.arccos(cosine), np.arccos(cosine)):
        forearm = np.exp(1j * q2)
        q1 = np.angle(wrist) - np.angle(first + second * forearm)
        works = np.abs(np.abs(first + second * forearm) - np.abs(wrist)) <= 1e-9
        for angle, (lower, upper) in zip((q1, q2, phis - q1 - q2), arm.limits):
            if lower > -math.inf:
                works &= (angle - lower) % math.tau <= upper - lower
        parts = np.array([first * np.exp(1j * q1), wrist, np.full(len(phis), point), *carried])
        above = (parts * np.exp(-1j * arm.floor.up)).real - arm.floor.height
        found.append(np.where(works, above, -np.inf))
    return np.array(found)


@pytest.mark.parametrize('carried', [0, 1, 2])
def test_the_depth_is_that_of_the_highest_solution_of_a_dense_search(carried):
    """But where a carried point is level with the elbow; that is left out."""
    rng, asked = np.random.default_rng(3), 0
    for _ in range(cases(3000)):
        _, arm = joints_and_arm(rng)
        up, place = rng.uniform(-math.pi, math.pi), rng.uniform(-1.0, 1.0, 2) * arm.max_reach
        height = (complex(*place) * np.exp(-1j * up)).real + rng.uniform(-0.6, 0.1) * arm.max_reach
        points = tuple(map(tuple, rng.uniform(-0.4, 0.4, (carried, 2))))
        arm = replace(arm, floor=Floor(max(height, -0.5 * arm.max_reach), up, points))
        verdict = arm.check_reachability(*place)
        _, depth = verdict.depth
        if not depth:
            continue
        free = replace(arm, floor=None).orientation_intervals(*place)
        phis, step = np.concatenate([np.linspace(*ends, 1440) for ends in free]), math.tau / 1440.0
        for _ in range(3):
            found = heights(arm, complex(*place), phis)
            lowest = found.min(axis=1)
            elbow, which = np.unravel_index(lowest.argmax(), lowest.shape)
            phis, step = phis[which] + step * np.linspace(-1.0, 1.0, 201), step / 100.0
        parts = found[elbow, :, which]
        assert -depth <= lowest.max() + 1e-2 * arm.max_reach
        if carried and max(parts[0], parts[3:].min()) <= lowest.max() + 1e-2:
            continue
        asked += 1
        assert -depth >= lowest.max() - 1e-9
    assert asked > cases(300)


def test_two_fingers_are_least_deep_where_they_are_level():
    """By hand: 5 cm past the tip, with the tool straight down; turned, one of them is deeper."""
    floor = Floor(-0.12, carried=((0.25, 0.1), (0.25, -0.1)))
    arm = PlanarArm((0.4, 0.3, 0.2), floor=floor)
    assert arm.check_reachability(0.5, -0.1).depth[1] == pytest.approx(0.03)
