# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The Z-form: the middle one of three links crosses the line to the target at the share k."""

import math

import numpy as np
import pytest
from law_cases import cases
from z_cases import CLOSES, PI, check, defects, random_links, random_z

from ik_circles import InvalidArmError, InvalidSettingError, NotFiniteError, PlanarArm
from ik_circles.planar.redundancy import solve_z_form, z_reach, z_shapes

NAN, INF = math.nan, math.inf


def test_every_z_is_found_again_and_closes():
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(cases(40_000, 40)):
        lengths, k, along, _, distance = random_z(rng)
        direction = rng.uniform(-PI, PI)
        x, y = distance * math.cos(direction), distance * math.sin(direction)
        arm = PlanarArm(tuple(lengths))
        found = solve_z_form(arm.solver, x, y, k)
        nearest = math.inf
        for q in found:
            place = lengths[0] * math.cos(q[0] - direction)
            place += k * lengths[1] * math.cos(q[0] + q[1] - direction)
            nearest = min(nearest, abs(place - along))
            rows.append((*lengths, k, x, y, *q))
        assert nearest <= 1e-6 * sum(lengths)  # at a double root the places differ by a root
    tip, aside, past = defects(rows)
    assert len(rows) > cases(76_000, 40)
    assert tip.max() <= CLOSES
    assert aside.max() <= CLOSES
    assert past.max() <= CLOSES


def test_a_stretched_z_is_one_not_also_bent_by_rounding():
    lengths = (551011379.0956122, 209737698.91130683, 309268714.97774607)
    assert len(z_shapes(lengths, 1070017792.9846516, 0.5)) == 1
    assert 1 <= len(z_shapes((0.25, 1.0 / 3.0, 1.0 / 3.0), 0.25000000000000006, 1e-15)) <= 3


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


@pytest.mark.parametrize(
    ('lengths', 'k', 'distance', 'crossing'),
    [
        ((0.26, 0.77, 0.18), 0.43, 0.48, None),
        ((0.69, 0.97, 0.16), 0.76, 0.42, None),
        ((0.2, 0.74, 0.32), 0.3, 0.61, 0.0441235),
        ((0.2, 0.48, 0.18), 0.62, 0.35, None),
    ],
)
def test_where_newton_from_the_middle_finds_none(lengths, k, distance, crossing):
    """It leaves the interval, leaves it, never settles, and ends where there is no Z."""
    (shape,) = z_shapes(lengths, distance, k)
    assert crossing is None or shape.crossing == pytest.approx(crossing, abs=1e-7)
    check(PlanarArm(lengths), distance, 0.0, k, 2)


def test_the_sources_own_example_is_in_the_middle():
    (shape,) = z_shapes((0.5, 0.4, 0.5), 0.8, 0.5)
    assert shape.crossing == pytest.approx(0.5, abs=1e-15)


def test_more_than_one_z_ascending():
    counts = {}
    rng = np.random.default_rng(6)
    for _ in range(cases(20_000, least=1000)):
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


def test_k_of_zero_link_one_is_on_the_line():
    found = check(PlanarArm((0.3, 0.4, 0.35)), 0.0, 0.7, 0.0, 2)
    assert all(q[0] == pytest.approx(PI / 2.0, abs=1e-15) for q in found)


def test_k_of_one_link_three_is_on_the_line():
    found = check(PlanarArm((0.3, 0.4, 0.35)), -0.7, 0.0, 1.0, 2)
    assert all(abs(math.remainder(sum(q) - PI, 2.0 * PI)) < 1e-14 for q in found)


def test_a_stretched_or_a_folded_z_is_flat_and_a_bent_one_is_not():
    lengths = (0.5, 0.25, 0.5)
    for distance, is_flat in ((1.25, True), (0.75, True), (1.0, False)):
        (shape,) = z_shapes(lengths, distance, 0.5)
        assert shape.flat == is_flat
        assert len(solve_z_form(PlanarArm(lengths).solver, distance, 0.0, 0.5)) == 2 - is_flat


@pytest.mark.parametrize('k', [0.0, 0.3, 0.5, 1.0])
def test_folded(k):
    """L1 - L2 + L3, the source's least distance."""
    check(PlanarArm((0.5, 0.3, 0.4)), 0.6, 0.0, k, 1)
    assert solve_z_form(PlanarArm((0.5, 0.3, 0.4)).solver, 0.6 - 1e-9, 0.0, k) == []


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


def test_equal_links():
    check(PlanarArm((0.3, 0.3, 0.3)), 0.5, 0.2, 0.5, 2)
    found = check(PlanarArm((0.3, 0.3, 0.3)), 0.3, 0.0, 0.5)
    assert found


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


def test_with_the_target_on_the_base_both_outer_links_are_as_long_as_their_parts():
    """By hand: the middle link passes the base, and the outer links fold back onto it."""
    (shape,) = z_shapes((1.0, 2.0, 1.0), 0.0, 0.5)
    assert shape.crossing == 0.0
    assert z_shapes((1.0, 2.0, 1.25), 0.0, 0.5) == []
