# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The laws that every answer obeys, over random targets of random arms: 100,000 of them in full."""

import cmath
import math

import numpy as np
from consistency import assert_consistent, assert_solutions
from law_cases import cases
from random_arms import joint_difference, random_arm, random_joints, ranges, sampled_tips, tip

ARMS = cases(5_900, 40, least=45)
SAMPLES = 300


def bent(arm, rng, q2):
    """Joints of a straight or folded elbow as far as the limits allow, or at their limits."""
    q = [rng.uniform(-3.0, 3.0), q2, rng.choice([0.0, math.pi, -math.pi])]
    return tuple(min(max(float(a), lower), upper) for a, (lower, upper) in zip(q, arm.limits))


def made_by_joints(rng, arm):
    """Joints inside the limits, some exactly on them, straight or folded."""
    yield from (random_joints(rng, arm) for _ in range(5))
    yield from (bent(arm, rng, q2) for q2 in (0.0, math.pi, -math.pi))
    yield tuple(float(rng.choice(pair)) for pair in ranges(arm))


def drawn(rng, arm):
    """In, out, far, on the base and next to it, on the rim to the last bit; (point, phi)."""
    reach, tiny = arm.max_reach, 10.0 ** rng.uniform(-17.0, -3.0)
    rim = reach * cmath.exp(1j * rng.uniform(-4.0, 4.0))
    beyond = complex(math.nextafter(rim.real, 4.0 * rim.real), rim.imag)
    for point in (
        *(complex(*rng.uniform(-1.2, 1.2, 2)) * reach for _ in range(3)),
        0j, tiny * rim, rim, beyond, 10.0 ** rng.uniform(0.0, 100.0) * rim,
    ):
        yield point, float(rng.uniform(-7.0, 7.0))


def is_family(arm, point, phi):
    wrist = abs(point - arm.link_lengths[2] * cmath.exp(1j * phi))
    return min(wrist, *arm.link_lengths[:2]) <= 10.0 * arm.tolerance


def rounding_of_joints(arm, point, q):
    """How far [rad] a tolerance in meters can turn a joint: by its root at a straight elbow."""
    length_1, length_2, length_3 = arm.link_lengths
    wrist = abs(point - length_3 * cmath.exp(1j * sum(q)))
    product = length_1 * length_2
    straight = math.sqrt(arm.tolerance * arm.max_reach / product)
    bent_elbow = wrist / (product * max(abs(math.sin(q[1])), 1e-100))
    bent_elbow += 1.0 / min(length_1, length_2)
    return 8.0 * min(straight, 10.0 * arm.tolerance * bent_elbow) + 8.0 * arm.tolerance / wrist


def test_every_answer_obeys_the_laws():
    rng = np.random.default_rng(0)
    count = {'made': 0, 'drawn': 0, 'reachable': 0}
    for _ in range(ARMS):
        arm = random_arm(rng)
        samples = sampled_tips(arm, rng, SAMPLES)
        for index, q in enumerate(made_by_joints(rng, arm)):
            point, phi = tip(arm, q)
            told = f'{arm!r}, joints {q}'
            found = assert_solutions(arm, point, phi, told)
            assert found, told
            if not is_family(arm, point, phi):
                nearest = min(joint_difference(arm, q, one) for one in found)
                assert nearest <= rounding_of_joints(arm, point, q), told
            if index % 3 == 0:
                assert assert_consistent(arm, point, phi, samples, told).reachable, told
            count['made'] += 1
        for point, phi in drawn(rng, arm):
            told = f'{arm!r}, target ({point.real!r}, {point.imag!r}, {phi!r})'
            answer = assert_consistent(arm, point, phi, samples, told)
            assert bool(assert_solutions(arm, point, phi, told)) == answer.reachable, told
            if not answer.reachable:
                assert arm.check_reachability(*answer.nearest).reachable, told
            count['drawn'] += 1
            count['reachable'] += answer.reachable
    assert count['made'] + count['drawn'] > cases(90_000, 40)
    assert cases(1_000, 40) < count['reachable'] < count['drawn'] - cases(10_000, 40)
