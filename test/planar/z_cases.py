# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Random shapes of the Z-form, and by how much joint positions miss being one."""

import math

import numpy as np
from random_arms import inside

from ik_circles.planar.redundancy import solve_z_form

CLOSES = 1e-12  # of the reach
PI = math.pi


def random_links(rng):
    """Three lengths [m] and k: any, one short, equal ends, a long middle, 1e-6 m to 1e6 m."""
    lengths = rng.uniform(0.02, 1.0, 3)
    kind = rng.integers(6)
    if kind == 0:
        lengths[rng.integers(3)] *= 10.0 ** rng.uniform(-8.0, 0.0)
    elif kind == 1:
        lengths[2] = lengths[0]
    elif kind == 2:
        lengths *= 10.0 ** rng.uniform(-6.0, 6.0)
    elif kind == 3:
        lengths[1] *= 3.0
    k = (rng.uniform(), 0.5, 0.0, 1.0, 10.0 ** rng.uniform(-8.0, 0.0), rng.uniform())[
        rng.integers(6)
    ]
    return lengths.tolist(), float(k)


def random_z(rng):
    """Lengths, k, and a Z of them: where it crosses [m], the angle there, and the distance [m]."""
    while True:
        lengths, k = random_links(rng)
        found = random_z_of(lengths, k, rng)
        if found is not None:
            return lengths, k, *found


def short_outer_links(rng):
    """A middle link of 1 m, the outer ones 3e-7 m to 1 m long, alike or not, and k."""
    size, alike = 10.0 ** rng.uniform(-6.0, 0.0), rng.integers(2)
    outer = size * rng.uniform(0.3, 1.0, 2) if alike else 10.0 ** rng.uniform(-6.0, 0.0, 2)
    near_half = 0.5 + 0.4 * size * rng.uniform(-1.0, 1.0)
    k = (rng.uniform(0.001, 0.999), 0.5, 0.45, near_half)[rng.integers(4)]
    return (float(outer[0]), 1.0, float(outer[1])), float(k)


def random_z_of(lengths, k, rng):
    """A Z of these lengths: its crossing [m], the angle there, the distance [m]; or None."""
    part_1, part_2 = k * lengths[1], (1.0 - k) * lengths[1]
    widest = PI
    for outer, part in ((lengths[0], part_1), (lengths[2], part_2)):
        if outer < part:
            widest = min(widest, math.asin(outer / part))
    angle = widest * (10.0 ** rng.uniform(-8.0, 0.0) if rng.integers(8) == 0 else rng.uniform())
    sides = []
    for outer, part in ((lengths[0], part_1), (lengths[2], part_2)):
        root = math.sqrt(max(0.0, outer**2 - (part * math.sin(angle)) ** 2))
        sign = -1.0 if outer < part and rng.integers(2) else 1.0
        sides.append(part * math.cos(angle) + sign * root)
    return (sides[0], angle, sides[0] + sides[1]) if min(sides) >= 0.0 else None


def joint_angles(lengths, k, along, angle, distance):
    """Joint positions of a Z whose target is in direction +x."""
    part_1, part_2 = k * lengths[1], (1.0 - k) * lengths[1]
    cos, sin = math.cos(angle), math.sin(angle)
    first = math.atan2(-part_1 * sin, along - part_1 * cos)
    last = math.atan2(-part_2 * sin, distance - along - part_2 * cos)
    return first, angle - first, last - angle


def defects(rows):
    """Rows of lengths (3), k, target x, y, q (3): misses of tip, of crossing aside and past an end.

    All as shares of the reach, (N,) each.
    """
    rows = np.array(rows)
    lengths, k, target = rows[:, :3], rows[:, 3], rows[:, 4] + 1j * rows[:, 5]
    bones = lengths * np.exp(1j * np.cumsum(rows[:, 6:], axis=1))
    reach = lengths.sum(axis=1)
    crossing = bones[:, 0] + k * bones[:, 1]
    distance = abs(target)
    toward = np.divide(target, distance, out=np.ones_like(target), where=distance > 0.0)
    place = crossing * toward.conj()
    past = np.maximum(0.0, np.maximum(-place.real, place.real - distance))
    return abs(bones.sum(axis=1) - target) / reach, abs(place.imag) / reach, past / reach


def check(arm, x, y, k, count=None):
    found = solve_z_form(arm.solver, x, y, k)
    assert found
    assert all(inside(arm, q) for q in found)
    for defect in defects([(*arm.link_lengths, k, x, y, *q) for q in found]):
        assert defect.max() <= CLOSES
    assert count is None or len(found) == count
    return found
