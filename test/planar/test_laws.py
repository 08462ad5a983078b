"""The laws that every answer obeys, over 100,000 random targets of random arms.

The only reference is forward kinematics by complex numbers: joints drawn inside the limits.
"""

import cmath
import math

import numpy as np
import pytest
from random_arms import TURN, inside, random_arm, random_joints, ranges, tip, turn_between

from ik_circles import Code

ARMS = 5_900
CLOSURE = 1e-12  # of the arm's reach, and in radians
#: Root of the tolerance, over the shortest link: orientations where two circles touch [rad].
ROUNDING_OF_TANGENCY = 1e-5
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
    """How far [rad] a tolerance in metres can turn a joint: by its root at a straight elbow."""
    length_1, length_2, length_3 = arm.link_lengths
    wrist = abs(point - length_3 * cmath.exp(1j * sum(q)))
    product = length_1 * length_2
    straight = math.sqrt(arm.tolerance * arm.max_reach / product)
    bent_elbow = wrist / (product * max(abs(math.sin(q[1])), 1e-100))
    bent_elbow += 1.0 / min(length_1, length_2)
    return 8.0 * min(straight, 10.0 * arm.tolerance * bent_elbow) + 8.0 * arm.tolerance / wrist


def joint_difference(arm, q, other):
    return max(
        turn_between(a, b) if math.isinf(lower) else abs(a - b)
        for a, b, (lower, _) in zip(q, other, arm.limits)
    )


def outside_by(found, phi):
    """How far `phi` is outside of the intervals [rad], 0 inside."""
    if any((phi - lower) % TURN <= upper - lower for lower, upper in found):
        return 0.0
    return min(turn_between(phi, end) for interval in found for end in interval)


def assert_closes(arm, q, point, phi, told):
    assert inside(arm, q), told
    reached, orientation = tip(arm, q)
    assert abs(reached - point) <= CLOSURE * arm.max_reach, told
    assert turn_between(orientation, phi) <= CLOSURE, told


def assert_solutions(arm, point, phi, told):
    found = arm.inverse_kinematics(point.real, point.imag, phi)
    for q in found:
        assert_closes(arm, q, point, phi, told)
    assert len(set(found)) == len(found), told
    return found


def assert_consistent(arm, point, phi, samples, told):
    """Verdict, code, intervals, solutions, margin and nearest tell the same."""
    answer = arm.check_reachability(point.real, point.imag, phi)
    intervals, nearest = answer.orientation_intervals, answer.nearest
    assert intervals == arm.orientation_intervals(point.real, point.imag), told
    assert answer.reachable == (answer.code is Code.OK) == bool(answer.solutions), told
    assert bool(intervals) == (answer.code in (Code.OK, Code.ORIENTATION)), told
    for lower, upper in intervals:
        assert -math.pi <= lower <= math.pi, told
        assert lower <= upper < lower + TURN or intervals == [(-math.pi, math.pi)], told
    for (_, upper), (lower, _) in zip(intervals, intervals[1:]):
        assert upper < lower, told
    place = complex(nearest.x, nearest.y)
    assert_closes(arm, answer.nearest_joint_positions, place, nearest.phi, told)
    away = abs(place - point)
    assert (away == 0.0) == bool(intervals), told
    assert away <= np.abs(samples - point).min() * (1.0 + 1e-15) + CLOSURE * arm.max_reach, told
    if intervals:
        assert answer.reachable or turn_between(nearest.phi, phi) > 0.0, told
        assert answer.reachable is False or outside_by(intervals, phi) <= ROUNDING_OF_TANGENCY, told
    else:
        assert answer.margin == pytest.approx(-away, rel=1e-12), told
    assert answer.message, told
    return answer


def sampled_tips(arm, rng):
    lower, upper = ranges(arm).T
    joints = lower + (upper - lower) * rng.uniform(-0.3, 1.3, (SAMPLES, 3)).clip(0.0, 1.0)
    return np.exp(1j * np.cumsum(joints, axis=1)) @ np.array(arm.link_lengths)


def test_a_hundred_thousand_targets():
    rng = np.random.default_rng(0)
    count = {'made': 0, 'drawn': 0, 'reachable': 0}
    for _ in range(ARMS):
        arm = random_arm(rng)
        samples = sampled_tips(arm, rng)
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
    assert count['made'] + count['drawn'] > 100_000
    assert 1_000 < count['reachable'] < count['drawn'] - 10_000
