# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two bones in space: lengths, limits, the nearest position, and the rotations behind it all.

References: norms by numpy, matrices by transforms3d, and positions drawn inside the limits.
"""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles.limbs import Bone, BoneLimits, place_bones, turn_bones
from ik_circles.limbs.space import rotated, rotation_between

CASES, TARGETS = cases(100_000, 50), 5
CLOSURE = 1e-12  # of the bones' length, or of the coordinates where these are larger
#: A limit of an angle is kept to within this, rounded through positions [rad].
ANGLE = 1e-9
#: Positions drawn for one case, to look for a better one.
DRAWN = 2_000


def direction(rng):
    found = rng.normal(size=3)
    return found / np.linalg.norm(found)


def random_limits(rng, kind):
    lower = rng.uniform(0.0, 2.5)
    knee = (0.0, math.pi) if kind % 2 else (lower, rng.uniform(lower, math.pi))
    if kind < 2:
        return BoneLimits(knee)
    return BoneLimits(knee, tuple(3.0 * direction(rng)), rng.uniform(0.0, math.pi))


def random_case(rng):
    """Hip, knee, foot and target, of any size: out of reach and within, bones now and then equal,
    one without length, straight, folded, or the target on the hip."""
    size, kind = 10.0 ** rng.uniform(-4.0, 4.0), rng.integers(12)
    upper, lower = size * rng.uniform(0.05, 1.0, 2)
    if kind < 3:
        upper, lower = ((upper, upper), (0.0, lower), (upper, 0.0))[kind]
    hip = size * rng.normal(size=3)
    thigh, shin = direction(rng), direction(rng)
    if kind in (3, 4):
        shin = thigh if kind == 3 else -thigh
    knee = hip + upper * thigh
    target = hip + 1.2 * (upper + lower) * rng.uniform() * direction(rng)
    if kind == 5:
        target = hip
    if kind == 6:
        target = hip + (upper + lower) * rng.choice([-1.0, 1.0, 0.5]) * thigh
    return tuple(map(tuple, (p.tolist() for p in (hip, knee, knee + lower * shin, target))))


def angle_of(a, b):
    (x, y, z), (to_x, to_y, to_z) = unit(a), unit(b)
    apart, together = (x - to_x, y - to_y, z - to_z), (x + to_x, y + to_y, z + to_z)
    return 2.0 * math.atan2(math.hypot(*apart), math.hypot(*together))


def unit(vector):
    length = math.hypot(*vector)
    return [value / length for value in vector]


def assert_kept(case, placed, limits, told):
    """Lengths, limits, the miss as told, and rotations that carry the bones there."""
    hip, knee, foot, target = case
    upper, lower = between(hip, knee), between(knee, foot)
    new_upper, new_lower = between(hip, placed.knee), between(placed.knee, placed.foot)
    lengths = math.hypot(*upper), math.hypot(*lower)
    near = CLOSURE * max(sum(lengths), *map(abs, hip))
    assert abs(math.hypot(*new_upper) - lengths[0]) <= near, told
    assert abs(math.hypot(*new_lower) - lengths[1]) <= near, told
    assert abs(math.dist(placed.foot, target) - placed.miss) <= near, told
    assert placed.outcome != 'reached' or placed.miss <= near, told
    carried = rotated(placed.knee_rotation, rotated(placed.hip_rotation, lower))
    assert math.dist(rotated(placed.hip_rotation, upper), new_upper) <= near, told
    assert math.dist(carried, new_lower) <= near, told
    for q in (placed.hip_rotation, placed.knee_rotation):
        assert abs(math.hypot(*q) - 1.0) <= 1e-15, told
    if min(lengths) > 1e-3 * sum(lengths):
        bend = angle_of(new_upper, new_lower)
        assert limits.knee[0] - ANGLE <= bend <= limits.knee[1] + ANGLE, (bend, told)
        if limits.hip_axis:
            assert angle_of(new_upper, limits.hip_axis) <= limits.hip_angle + ANGLE, told


def between(start, end):
    return tuple(b - a for a, b in zip(start, end))


def more_targets(rng, case):
    """The case, and the same bones with TARGETS - 1 other targets around the hip."""
    hip, knee, foot, _ = case
    reach = math.dist(hip, knee) + math.dist(knee, foot)
    away = 0.8 * reach * rng.normal(size=(TARGETS - 1, 3))
    return [case, *((hip, knee, foot, tuple(place)) for place in (hip + away).tolist())]


def test_bones_keep_their_lengths_and_limits_and_rotations_carry_them():
    rng = np.random.default_rng(0)
    outcomes = dict.fromkeys(('reached', 'too_far', 'too_near', 'hip_limit'), 0)
    for number in range(CASES // TARGETS):
        limits = random_limits(rng, number % 4)
        pole = tuple(direction(rng).tolist()) if rng.uniform() < 0.3 else None
        for case in more_targets(rng, random_case(rng)):
            placed = place_bones(*case, pole=pole, limits=limits)
            assert_kept(case, placed, limits, (case, limits, pole))
            outcomes[placed.outcome] += 1
    assert min(outcomes.values()) > cases(4000, 50)


def drawn_bones(rng, case, limits):
    """Knees and feet inside the limits, many on them (DRAWN, 3)."""
    hip, knee, foot, _ = map(np.array, case)
    upper = rng.normal(size=(DRAWN, 3))
    upper /= np.linalg.norm(upper, axis=1)[:, None]
    if limits.hip_axis:
        axis = np.array(limits.hip_axis)
        sideways = upper - np.outer(upper @ axis, axis)
        sideways /= np.linalg.norm(sideways, axis=1)[:, None]
        angle = limits.hip_angle * np.sqrt(rng.uniform(0.0, 1.0, DRAWN))[:, None]
        angle[::2] = limits.hip_angle
        upper = np.cos(angle) * axis + np.sin(angle) * sideways
    bend = rng.uniform(*limits.knee, DRAWN)[:, None]
    bend[::3], bend[1::3] = limits.knee
    sideways = rng.normal(size=(DRAWN, 3))
    sideways -= np.sum(sideways * upper, axis=1)[:, None] * upper
    sideways /= np.linalg.norm(sideways, axis=1)[:, None]
    knees = hip + np.linalg.norm(knee - hip) * upper
    lower = np.linalg.norm(foot - knee) * (np.cos(bend) * upper + np.sin(bend) * sideways)
    return knees, knees + lower


def test_no_position_inside_the_limits_is_nearer_to_the_target():
    rng = np.random.default_rng(1)
    for number in range(cases(4000, 50)):
        case, limits = random_case(rng), random_limits(rng, number % 4)
        placed = place_bones(*case, limits=limits)
        _, feet = drawn_bones(rng, case, limits)
        nearest = np.linalg.norm(feet - case[3], axis=1).min()
        assert placed.miss <= nearest * (1.0 + 1e-9) + 1e-9 * np.abs(case).max(), (case, limits)


def test_whatever_the_bones_can_do_is_reached():
    rng = np.random.default_rng(2)
    for number in range(cases(1000, 50)):
        case, limits = random_case(rng), random_limits(rng, number % 4)
        _, feet = drawn_bones(rng, case, limits)
        for foot in feet[:100].tolist():
            placed = place_bones(*case[:3], tuple(foot), limits=limits)
            assert placed.miss <= CLOSURE * np.abs(case).max(), (case, limits, foot)


def test_the_knee_moves_as_little_as_possible_or_to_the_pole():
    rng = np.random.default_rng(3)
    for _ in range(cases(3000)):
        case = random_case(rng)
        pole = direction(rng)
        free, poled = place_bones(*case), place_bones(*case, pole=tuple(pole))
        hip, knee, foot = (np.array(p) for p in (case[0], free.knee, free.foot))
        if free.outcome != 'reached' or np.linalg.norm(foot - hip) < 1e-6 * np.abs(case).max():
            continue
        axis = (foot - hip) / np.linalg.norm(foot - hip)
        middle = hip + ((knee - hip) @ axis) * axis
        across = knee - middle
        tiny = 1e-7 * np.abs(case).max()
        least = np.linalg.norm(knee - case[1])
        most = (np.array(poled.knee) - middle) @ pole
        for angle in rng.uniform(-math.pi, math.pi, 20):
            other = middle + math.cos(angle) * across + math.sin(angle) * np.cross(axis, across)
            assert least <= np.linalg.norm(other - case[1]) + tiny, case
            assert most >= (other - middle) @ pole - tiny, case


def test_turned_bones_put_knee_and_foot_where_two_bones_puts_them():
    quaternions = pytest.importorskip('transforms3d.quaternions')
    rng = np.random.default_rng(4)

    def transform(translation, rotation):
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = quaternions.quat2mat(rotation), translation
        return matrix

    for number in range(cases(3000)):
        hip, knee = (Bone(tuple(rng.normal(size=3)), tuple(unit4(rng))) for _ in range(2))
        if number % 10 == 0:  # the upper bone is to be turned by half a turn, or not at all
            knee = Bone((0.0, 0.0, 1.0), knee.rotation)
        parent, end = transform(rng.normal(size=3), unit4(rng)), tuple(rng.normal(size=3))
        limits = random_limits(rng, number % 4)
        target = tuple(2.0 * rng.normal(size=3))
        turned = turn_bones(parent, hip, knee, end, target, limits=limits)
        upper = parent @ transform(hip.translation, turned.hip_rotation)
        lower = upper @ transform(knee.translation, turned.knee_rotation)
        assert np.abs(upper - turned.hip_transform).max() < 1e-13
        assert np.abs(lower - turned.knee_transform).max() < 1e-13
        assert np.abs(lower[:3, 3] - turned.bones.knee).max() < 1e-13
        assert np.abs((lower @ [*end, 1.0])[:3] - turned.bones.foot).max() < 1e-13
        if limits.hip_axis:
            axis = parent[:3, :3] @ limits.hip_axis
            assert angle_of(lower[:3, 3] - upper[:3, 3], axis) <= limits.hip_angle + ANGLE


def unit4(rng):
    found = rng.normal(size=4)
    return found / np.linalg.norm(found)


def test_the_smallest_rotation_at_every_angle():
    """Right to the last bits next to no turn and next to half a turn, where the source has none;
    never by more than the angle between the vectors."""
    rng = np.random.default_rng(5)
    for _ in range(cases(20_000)):
        start = direction(rng)
        small = 10.0 ** rng.uniform(-18.0, 0.0) * direction(rng)
        end = rng.choice([-1.0, 1.0]) * start + small
        end /= np.linalg.norm(end)
        q = rotation_between(tuple(start), tuple(end))
        assert np.abs(np.array(rotated(q, tuple(start))) - end).max() <= 3e-15
        half = math.atan2(math.hypot(*q[1:]), abs(q[0]))
        assert 2.0 * half <= angle_of(start, end) + 1e-12
