# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Random arms for the laws, awkward ones among them, and forward kinematics written anew."""

import cmath
import math

import numpy as np

from ik_circles import PlanarArm

TURN = 2.0 * math.pi


def random_limits(rng):
    """Continuous, common, narrow, of width zero, shifted by a turn, above a turn, around zero."""
    kind = rng.integers(7)
    lower = rng.uniform(-math.pi, math.pi)
    if kind == 0:
        return None
    if kind == 1:
        return -math.pi * rng.uniform(), math.pi * rng.uniform()
    if kind == 2:
        return lower, lower + 0.01 * rng.uniform()
    if kind == 3:
        return lower, lower
    if kind == 4:
        return lower + TURN, lower + TURN + 3.0 * rng.uniform()
    if kind == 5:
        return lower - TURN, lower + TURN * rng.uniform(0.5, 1.5)
    return (0.0, math.pi / 2.0) if rng.uniform() < 0.5 else (-math.pi, math.pi)


def random_arm(rng, limits=random_limits):
    """Links of any sizes; equal ones and one of length zero now and then; 1e-6 m to 1e6 m."""
    lengths = rng.uniform(0.05, 1.0, 3)
    kind = rng.integers(8)
    if kind == 0:
        lengths[1] = lengths[0]
    elif kind == 1:
        lengths[rng.integers(3)] = 0.0
    elif kind == 2:
        lengths[rng.integers(3)] *= 0.01
    if rng.integers(4) == 0:
        lengths *= 10.0 ** rng.uniform(-6.0, 6.0)
    return PlanarArm(tuple(lengths), [limits(rng) for _ in range(3)])


def random_joints(rng, arm):
    """Joint positions inside the limits, now and then exactly on one or straight."""
    q = []
    for lower, upper in arm.limits:
        kind = rng.integers(8)
        if math.isinf(lower):
            lower, upper = -math.pi, math.pi
        value = rng.uniform(lower, upper)
        if kind < 3:
            value = (lower, upper, min(max(0.0, lower), upper))[kind]
        q.append(float(min(value, upper)))
    return tuple(q)


def tip(arm, q):
    """Tip as a complex number [m] and orientation [rad]: one link after the other."""
    position, direction = 0j, 0.0
    for length, angle in zip(arm.link_lengths, q):
        direction += angle
        position += length * cmath.exp(1j * direction)
    return position, direction


def inside(arm, q):
    """Whether every joint is inside its limits, to the last bit."""
    return all(lower <= angle <= upper for angle, (lower, upper) in zip(q, arm.limits))


def angle_between(a, b):
    """Angle between two directions [rad], at least 0."""
    return abs(math.remainder(a - b, TURN))


def ranges(arm):
    """Limits with one turn for a continuous joint, as an array [rad]."""
    return np.array([(-math.pi, math.pi) if math.isinf(a) else (a, b) for a, b in arm.limits])


def joint_difference(arm, q, other):
    """Largest difference of a joint, by whole turns only where it is continuous [rad]."""
    return max(
        angle_between(a, b) if math.isinf(lower) else abs(a - b)
        for a, b, (lower, _) in zip(q, other, arm.limits)
    )


def outside_by(found, phi):
    """How far `phi` is outside of the intervals [rad], 0 inside."""
    if any((phi - lower) % TURN <= upper - lower for lower, upper in found):
        return 0.0
    return min(angle_between(phi, end) for interval in found for end in interval)


def sampled_tips(arm, rng, count):
    """Tips at joint positions inside the limits, a good share of them on limits, (N,) complex."""
    lower, upper = ranges(arm).T
    joints = lower + (upper - lower) * rng.uniform(-0.3, 1.3, (count, 3)).clip(0.0, 1.0)
    return np.exp(1j * np.cumsum(joints, axis=1)) @ np.array(arm.link_lengths)
