"""The Z-form: the middle one of three links crosses the line to the target at the share k."""

import math
from itertools import product

import numpy as np
import pytest
from law_cases import cases
from random_arms import inside

from ik_circles import InvalidArmError, InvalidSettingError, NotFiniteError, PlanarArm
from ik_circles.planar.redundancy import solve_z_form, z_reach, z_shapes

CLOSES = 1e-12  # of the reach
NAN, INF = math.nan, math.inf
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


def source_newton(lengths, distance, k, steps=50):
    """The source's E(x) = 0 by Newton's method from x = 0.5: every x on the way."""
    l1, l2, l3 = (length * length for length in lengths)
    d, x = distance * distance, 0.5
    way = []
    for _ in range(steps):
        e = (
            -l1 * (1.0 - x) * (1.0 - k)
            + l2 * (-(k**3) + k * k - x * k + x * k * k)
            + l3 * x * k
            + d * (-(x**3) + x * x - x * k + x * x * k)
        )
        slope = -l1 * (k - 1.0) + l2 * (k - 1.0) * k + l3 * k
        slope += d * (k * (2.0 * x - 1.0) + (2.0 - 3.0 * x) * x)
        x -= e / slope
        way.append(x)
    return way


# --- laws -----------------------------------------------------------------------------------------


def test_every_z_is_found_again_and_closes():
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(cases(100_000)):
        lengths, k, along, _, distance = random_z(rng)
        turn = rng.uniform(-PI, PI)
        x, y = distance * math.cos(turn), distance * math.sin(turn)
        arm = PlanarArm(tuple(lengths))
        found = solve_z_form(arm.solver, x, y, k)
        nearest = math.inf
        for q in found:
            place = lengths[0] * math.cos(q[0] - turn)
            place += k * lengths[1] * math.cos(q[0] + q[1] - turn)
            nearest = min(nearest, abs(place - along))
            rows.append((*lengths, k, x, y, *q))
        assert nearest <= 1e-6 * sum(lengths)  # at a double root the places differ by a root
    tip, aside, past = defects(rows)
    assert len(rows) > cases(190_000)
    assert tip.max() <= CLOSES
    assert aside.max() <= CLOSES
    assert past.max() <= CLOSES


def test_every_z_of_short_outer_links_is_found():
    """Down to 3e-7 of the middle link: where both are short, the roots are as close together."""
    rng = np.random.default_rng(7)
    rows = []
    for _ in range(cases(40_000)):
        lengths, k = short_outer_links(rng)
        reach = z_reach(lengths, k)
        assert all(z_shapes(lengths, rng.uniform(near, far), k) for near, far in reach)
        made = random_z_of(lengths, k, rng)
        if made is not None:
            along, _, distance = made
            assert any(near - CLOSES <= distance <= far + CLOSES for near, far in reach)
            shapes = z_shapes(lengths, distance, k)
            nearest = min(abs(shape.crossing * distance - along) for shape in shapes)
            assert nearest <= 1e-3 * min(lengths)
            for q in solve_z_form(PlanarArm(lengths).solver, distance, 0.0, k):
                rows.append((*lengths, k, distance, 0.0, *q))
    assert len(rows) > cases(70_000)
    for defect in defects(rows):
        assert defect.max() <= CLOSES


@pytest.mark.parametrize(
    ('lengths', 'k', 'distance'),
    [
        ((0.001, 1.0, 0.001), 0.45, 0.9980000033322379),
        (
            (0.0015961253461471568, 1.0, 0.001646705826510979),
            0.45914614088122335,
            0.9988403774940964,
        ),
        ((0.002, 1.0, 0.002), 0.45, 0.9960909700346389),
    ],
)
def test_both_outer_links_a_thousandth_of_the_middle_one(lengths, k, distance):
    near, far = z_reach(lengths, k)[0]
    assert near < distance < far
    check(PlanarArm(lengths), distance, 0.0, k)


def test_a_stretched_z_is_one_not_also_bent_by_rounding():
    lengths = (551011379.0956122, 209737698.91130683, 309268714.97774607)
    assert len(z_shapes(lengths, 1070017792.9846516, 0.5)) == 1
    assert 1 <= len(z_shapes((0.25, 1.0 / 3.0, 1.0 / 3.0), 0.25000000000000006, 1e-15)) <= 3


def test_one_is_found_wherever_a_scan_of_the_first_joint_finds_one():
    """Reference in joint space, with neither the cubic nor the angle at the crossing.

    Link 1 turned through half a turn; link 2 then points where it crosses the line at its share;
    the length that is left for link 3 changes sides somewhere between two steps.
    """
    rng = np.random.default_rng(1)
    first = np.linspace(1e-4, PI - 1e-4, 240)
    exist = found_more = 0
    for _ in range(cases(100)):
        rows = 1000
        lengths = rng.uniform(0.05, 1.0, (rows, 3)) * [1.0, rng.choice([1.0, 2.5]), 1.0]
        k, distance = rng.uniform(0.02, 1.0, rows), lengths.sum(axis=1) * rng.uniform(size=rows)
        height = lengths[:, :1] * np.sin(first)
        sine = -height / (k * lengths[:, 1])[:, None]
        ahead = np.sqrt(np.maximum(0.0, 1.0 - sine * sine))
        signs = np.zeros(rows, dtype=int)
        for cosine in (ahead, -ahead):
            elbow = lengths[:, :1] * np.cos(first)
            crossing = elbow + (k * lengths[:, 1])[:, None] * cosine
            wrist_x = elbow + lengths[:, 1:2] * cosine - distance[:, None]
            wrist_y = height + lengths[:, 1:2] * sine
            left = np.hypot(wrist_x, wrist_y) - lengths[:, 2:]
            valid = (abs(sine) <= 1.0) & (crossing >= 0.0) & (crossing <= distance[:, None])
            both = valid[:, 1:] & valid[:, :-1]
            signs += (both & (left[:, 1:] * left[:, :-1] < 0.0)).sum(axis=1)
        for row in range(rows):
            if signs[row]:
                shapes = z_shapes(lengths[row].tolist(), float(distance[row]), float(k[row]))
                assert len(shapes) >= signs[row]
                exist += 1
                found_more += len(shapes) > signs[row]
    assert exist > cases(30_000)
    assert found_more < 0.05 * exist  # what is between two steps of the scan


def test_the_reach_in_closed_form_is_where_there_is_a_z():
    rng = np.random.default_rng(2)
    gaps = turns = 0
    for _ in range(cases(12_500)):
        lengths, k = random_links(rng)
        reach = sum(lengths)
        intervals = z_reach(lengths, k)
        gaps += len(intervals) > 1
        signs = product((1.0, -1.0), repeat=3)
        flats = [abs(sum(a * b for a, b in zip(one, lengths))) for one in signs]
        for end in (end for interval in intervals for end in interval):
            turns += min(abs(end - flat) for flat in flats) > 1e-6 * reach
        for distance in (rng.uniform(0.0, 1.0, 8) * reach).tolist():
            within = any(near <= distance <= far for near, far in intervals)
            on_end = any(
                abs(distance - end) <= CLOSES * reach for pair in intervals for end in pair
            )
            assert on_end or within == bool(z_shapes(lengths, distance, k))
        for near, far in intervals:
            step = min(1e-11 * reach, (far - near) / 2.0)
            assert z_shapes(lengths, near + step, k)
            assert z_shapes(lengths, far - step, k)
            for beyond in (near - 1e-11 * reach, far + 1e-11 * reach):
                other = any(a <= beyond <= b for a, b in intervals)
                if beyond > 0.0 and not other and min(lengths) > 1e-3 * reach:
                    assert not z_shapes(lengths, beyond, k)
    assert gaps > cases(300)
    assert turns > cases(100)  # nearest or farthest where the arm is not flat


def test_one_z_at_most_where_the_outer_links_are_longer_than_their_parts():
    rng = np.random.default_rng(3)
    for _ in range(cases(5000)):
        k = rng.uniform()
        middle = rng.uniform(0.1, 1.0)
        lengths = [k * middle + rng.uniform(), middle, (1.0 - k) * middle + rng.uniform()]
        near, far = lengths[0] + lengths[2] - middle, sum(lengths)
        assert z_reach(lengths, k) == [pytest.approx((near, far), rel=1e-15)]
        assert len(z_shapes(lengths, rng.uniform(near, far), k)) == 1


def test_limits_hold_and_what_is_inside_them_is_found():
    rng = np.random.default_rng(4)
    rows = []
    for case in range(cases(100_000)):
        lengths, k, along, angle, distance = random_z(rng)
        q = joint_angles(lengths, k, along, angle, distance)
        room = rng.uniform(0.0, 2.0, (3, 2)) * rng.choice([0.0, 1.0, 1.0, 3.0], (3, 2))
        limits = [
            (joint - below, joint + above) if limited else None
            for joint, (below, above), limited in zip(q, room.tolist(), rng.integers(6, size=3))
        ]
        arm = PlanarArm(tuple(lengths), limits)
        found = solve_z_form(arm.solver, distance, 0.0, k)
        assert found, (case, lengths, k, distance, limits)
        for one in found:
            assert inside(arm, one)
            rows.append((*lengths, k, distance, 0.0, *one))
    for defect in defects(rows):
        assert defect.max() <= CLOSES


def test_the_mirrored_z_is_the_other_way_round():
    up, down = solve_z_form(PlanarArm((0.4, 0.3, 0.35)).solver, 0.6, 0.0, 0.4)
    assert up[0] > 0.0 > down[0]
    assert up == tuple(-angle for angle in down)
    only_up = PlanarArm((0.4, 0.3, 0.35), [(0.0, 3.0), None, None])
    assert solve_z_form(only_up.solver, 0.6, 0.0, 0.4) == [up]


def test_turns_and_mirrors_and_swaps():
    """The mirrored target has the mirrored joints; k from the other end is the arm turned round."""
    rng = np.random.default_rng(5)
    for _ in range(cases(2000)):
        lengths, k, _, _, distance = random_z(rng)
        shapes = z_shapes(lengths, distance, k)
        swapped = z_shapes(lengths[::-1], distance, 1.0 - k)
        assert len(swapped) == len(shapes)
        for one, other in zip(shapes, reversed(swapped)):
            if distance > 1e-3 * sum(lengths):
                assert one.crossing == pytest.approx(1.0 - other.crossing, abs=1e-4)


# --- where the source's iteration fails -----------------------------------------------------------


@pytest.mark.parametrize(
    ('lengths', 'k', 'distance'),
    [((0.26, 0.77, 0.18), 0.43, 0.48), ((0.69, 0.97, 0.16), 0.76, 0.42)],
)
def test_newton_from_the_middle_leaves_the_interval(lengths, k, distance):
    way = source_newton(lengths, distance, k)
    assert not all(0.0 <= x <= 1.0 for x in way)
    assert len(z_shapes(lengths, distance, k)) == 1


def test_newton_from_the_middle_never_settles():
    lengths, k, distance = (0.2, 0.74, 0.32), 0.3, 0.61
    way = source_newton(lengths, distance, k)
    assert max(way[-10:]) - min(way[-10:]) > 0.1
    (shape,) = z_shapes(lengths, distance, k)
    assert shape.crossing == pytest.approx(0.0441235, abs=1e-7)


def test_newton_from_the_middle_ends_where_there_is_no_z():
    lengths, k, distance = (0.2, 0.48, 0.18), 0.62, 0.35
    x = source_newton(lengths, distance, k)[-1]
    assert 0.0 <= x <= 1.0
    along, part = x * distance, k * lengths[1]
    assert abs((along**2 + part**2 - lengths[0] ** 2) / (2.0 * along * part)) > 1.0
    (shape,) = z_shapes(lengths, distance, k)
    assert abs(shape.crossing - x) > 0.5
    assert len(solve_z_form(PlanarArm(lengths).solver, distance, 0.0, k)) == 2


def test_the_sources_own_example_is_in_the_middle():
    (shape,) = z_shapes((0.5, 0.4, 0.5), 0.8, 0.5)
    assert shape.crossing == pytest.approx(0.5, abs=1e-15)


def test_a_long_middle_link_leaves_a_gap_in_the_reach():
    (near, gap), (resume, far) = z_reach((0.5, 2.0, 0.1), 0.5)
    assert (near, gap) == pytest.approx((1.4, 1.6))
    assert (resume, far) == pytest.approx((2.4, 2.6))
    assert z_shapes((0.5, 2.0, 0.1), 2.0, 0.5) == []


def test_more_than_one_z_ascending():
    counts = {}
    rng = np.random.default_rng(6)
    for _ in range(cases(50_000)):
        lengths, k = random_links(rng)
        shapes = z_shapes(lengths, rng.uniform() * sum(lengths), k)
        assert shapes == sorted(shapes)
        counts[len(shapes)] = counts.get(len(shapes), 0) + 1
    assert set(counts) == {0, 1, 2, 3}


def test_two_crossings_close_to_a_short_link_one_are_two():
    """Links of 4.7e-8 and 0.48 m: the crossings are 6.5e-8 m apart, which is 3 rad of joint 1."""
    arm = PlanarArm((4.705021243291568e-08, 0.4814762005436135, 0.4960086901653624))
    k, distance = 1.782451675262489e-07, 0.9002301907160308
    near, far = z_shapes(arm.link_lengths, distance, k)
    assert near.crossing * distance == pytest.approx(4.62e-8, rel=1e-2)
    assert far.crossing * distance == pytest.approx(11.14e-8, rel=1e-2)
    assert len(check(arm, distance, 0.0, k)) == 4


def test_two_joints_on_their_limits():
    """Rounding puts joint 3 past its limit; on it, joint 1 is past its own."""
    q = (-0.013252445773017901, 0.013253227891050903, -1.2201419611251017e-06)
    limits = [(q[0], 1.0), (-1.0, 1.0), (-1.0, q[2])]
    arm = PlanarArm((1.1175007954579976e-08, 0.11080895852975972, 0.1975179602699926), limits)
    (found,) = check(arm, 0.3083269299737261, 0.0, 0.0017087714999616847)
    assert found == pytest.approx(q, abs=1e-9)


# --- degenerate cases -----------------------------------------------------------------------------


def check(arm, x, y, k, count=None):
    found = solve_z_form(arm.solver, x, y, k)
    assert found
    assert all(inside(arm, q) for q in found)
    for defect in defects([(*arm.link_lengths, k, x, y, *q) for q in found]):
        assert defect.max() <= CLOSES
    assert count is None or len(found) == count
    return found


def test_k_of_zero_link_one_is_on_the_line():
    found = check(PlanarArm((0.3, 0.4, 0.35)), 0.0, 0.7, 0.0, 2)
    assert all(q[0] == pytest.approx(PI / 2.0, abs=1e-15) for q in found)


def test_k_of_one_link_three_is_on_the_line():
    found = check(PlanarArm((0.3, 0.4, 0.35)), -0.7, 0.0, 1.0, 2)
    assert all(abs(math.remainder(sum(q) - PI, 2.0 * PI)) < 1e-14 for q in found)


@pytest.mark.parametrize('k', [0.0, 0.3, 0.5, 1.0])
def test_stretched(k):
    assert check(PlanarArm((0.3, 0.4, 0.35)), 1.05, 0.0, k, 1) == [(0.0, 0.0, 0.0)]
    limited = PlanarArm((0.3, 0.4, 0.35), [(0.0, 1.0), (0.0, 1.0), (-1.0, 0.0)])
    assert check(limited, 1.05, 0.0, k, 1) == [(0.0, 0.0, 0.0)]


@pytest.mark.parametrize('k', [0.0, 0.3, 0.5, 1.0])
def test_folded(k):
    """L1 - L2 + L3, the source's least distance."""
    check(PlanarArm((0.5, 0.3, 0.4)), 0.6, 0.0, k, 1)
    assert solve_z_form(PlanarArm((0.5, 0.3, 0.4)).solver, 0.6 - 1e-9, 0.0, k) == []


@pytest.mark.parametrize('k', [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize('zero', [0, 1, 2])
def test_a_link_without_length_on_the_line(zero, k):
    """What is left of the arm is flat, unless the crossing is at the link without length."""
    lengths = [0.5, 0.5, 0.5]
    lengths[zero] = 0.0
    check(PlanarArm(tuple(lengths)), 1.0, 0.0, k)
    bent = [
        ((-3.0, -0.2), (0.2, 3.0), None),
        ((-0.1, 0.1), (0.2, 3.0), (-3.0, 3.0)),
        (None, None, (1.0, 2.0)),
    ]
    check(PlanarArm(tuple(lengths), bent[zero]), 1.0, 0.0, k)


def test_a_link_without_length_at_the_crossing_leaves_two_links():
    check(PlanarArm((0.0, 0.5, 0.6)), 0.3, 0.4, 0.0)
    check(PlanarArm((0.6, 0.5, 0.0)), 0.3, 0.4, 1.0)
    assert solve_z_form(PlanarArm((0.0, 0.5, 0.6)).solver, 0.3, 0.4, 0.5) == []
    assert z_reach((0.0, 0.5, 0.6), 0.0) == [pytest.approx((0.1, 1.1))]


@pytest.mark.parametrize('lengths', [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
@pytest.mark.parametrize('k', [0.0, 0.5, 1.0])
def test_two_links_without_length(lengths, k):
    check(PlanarArm(lengths), 0.6, 0.8, k)
    assert solve_z_form(PlanarArm(lengths).solver, 0.6, 0.7, k) == []


@pytest.mark.parametrize('k', [0.0, 0.5, 1.0])
def test_what_carries_no_length_is_as_near_to_zero_as_the_limits_allow(k):
    def solve(limits):
        return solve_z_form(PlanarArm((1.0, 0.0, 0.0), limits).solver, 1.0, 0.0, k)

    assert solve(None) == [(0.0, 0.0, 0.0)]
    assert solve([(-2.0, 2.0)] * 3) == [(0.0, 0.0, 0.0)]
    assert solve([None, None, (0.0, 0.0)]) == [(0.0, 0.0, 0.0)]
    assert solve([None, (0.2, 0.3), (-0.6, -0.5)]) == [(0.0, 0.2, -0.5)]
    assert solve([(0.1, 0.2), None, None]) == []


def test_link_one_without_length_and_joint_three_held_near_straight():
    """Rounding moves joint 3 by 2e-12 rad, out of its limits, which are one value."""
    held = 0.0005380810423449844
    arm = PlanarArm((0.0, 1.0, 0.21992828966700131), [None, None, (held, held)])
    check(arm, 0.0731143632840504, 1.217735298878751, 0.0, 1)


def test_an_outer_link_without_length_and_the_elbow_held():
    rng = np.random.default_rng(8)
    for _ in range(cases(10_000)):
        one, other = rng.uniform(0.02, 1.0, 2).tolist()
        near = rng.choice([0.0, PI]) + rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-10.0, 0.0)
        bend, turn = float(near), rng.uniform(-3.0, 3.0)
        tip = one * np.exp(1j * turn) + other * np.exp(1j * (turn + bend))
        if abs(tip) > 1e-6:
            elbow = (bend, bend)
            check(PlanarArm((0.0, one, other), [None, None, elbow]), tip.real, tip.imag, 0.0)
            check(PlanarArm((one, other, 0.0), [None, elbow, None]), tip.real, tip.imag, 1.0)


def test_equal_links():
    check(PlanarArm((0.3, 0.3, 0.3)), 0.5, 0.2, 0.5, 2)
    found = check(PlanarArm((0.3, 0.3, 0.3)), 0.3, 0.0, 0.5)
    assert found


@pytest.mark.parametrize('limits', [None, [(-1.0, 1.0), (0.7, 0.8), (3.0, 3.2)]])
def test_link_one_ends_at_the_target_and_the_others_fold_back(limits):
    check(PlanarArm((0.5, 0.3, 0.3), limits), 0.5, 0.0, 0.0)


@pytest.mark.parametrize('limits', [None, [(0.7, 0.8), (3.0, 3.2), None]])
def test_link_three_starts_at_the_base(limits):
    check(PlanarArm((0.3, 0.3, 0.5), limits), 0.5, 0.0, 1.0)


def test_target_on_the_base():
    """The line has no length: link 2 has to pass the base at its share k."""
    found = check(PlanarArm((0.2, 0.5, 0.3)), 0.0, 0.0, 0.4, 1)
    assert found == [(0.0, PI, PI)]
    check(PlanarArm((0.2, 0.5, 0.3), [(1.0, 2.0), None, (-4.0, -3.0)]), 0.0, 0.0, 0.4)
    assert solve_z_form(PlanarArm((0.3, 0.3, 0.3)).solver, 0.0, 0.0, 0.5) == []
    check(PlanarArm((0.0, 0.3, 0.3)), 0.0, 0.0, 0.0)
    check(PlanarArm((0.3, 0.3, 0.0)), 0.0, 0.0, 1.0)


def test_out_of_reach():
    arm = PlanarArm((0.3, 0.4, 0.35))
    assert solve_z_form(arm.solver, 1.06, 0.0, 0.5) == []
    assert solve_z_form(arm.solver, 1e300, 1e300, 0.5) == []
    assert solve_z_form(arm.solver, 1.7e308, 1.7e308, 0.5) == []


# --- hostile input --------------------------------------------------------------------------------


@pytest.mark.parametrize('bad', [NAN, INF, None, 'x'])
def test_numbers_that_are_none(bad):
    arm = PlanarArm((0.3, 0.4, 0.35))
    for ask in (
        lambda: solve_z_form(arm.solver, bad, 0.0, 0.5),
        lambda: solve_z_form(arm.solver, 0.0, bad, 0.5),
        lambda: solve_z_form(arm.solver, 0.0, 0.0, bad),
        lambda: z_shapes((bad, 1.0, 1.0), 1.0, 0.5),
        lambda: z_shapes((1.0, 1.0, 1.0), bad, 0.5),
        lambda: z_reach((1.0, 1.0, 1.0), bad),
    ):
        with pytest.raises((NotFiniteError, InvalidArmError), match=r'nan|inf|None|x'):
            ask()


def test_other_bad_input_names_the_value_and_the_rule():
    for k in (-0.1, 1.1, -1e-300):
        with pytest.raises(InvalidSettingError, match=rf'k is {k}; .*give 0 to 1'):
            solve_z_form(PlanarArm((0.3, 0.4, 0.35)).solver, 0.5, 0.0, k)
    with pytest.raises(InvalidArmError, match=r'-1\.0 m; it must be at least 0'):
        z_shapes((1.0, 1.0, 1.0), -1.0, 0.5)
    with pytest.raises(InvalidArmError, match=r'-1\.0 m is negative; lengths are at least 0'):
        z_reach((1.0, -1.0, 1.0), 0.5)
    with pytest.raises(InvalidArmError, match=r'2 link_lengths given; give 3'):
        z_reach((1.0, 1.0), 0.5)
