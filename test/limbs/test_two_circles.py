# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two links by two circles, without trigonometry."""

import decimal
import math

import numpy as np
import pytest
from law_cases import cases
from random_links import links, size, targets_in_ring

from ik_circles.limbs import solve_two_circles, solve_two_circles_batch

CLOSES = 1e-12  # of the reach


def test_circles_both_elbows_are_a_link_from_both_ends_and_on_their_sides():
    rng = np.random.default_rng(0)
    for _ in range(100):
        lengths = links(rng)
        base = rng.uniform(-1.0, 1.0, 2) * sum(lengths)
        targets = base + targets_in_ring(rng, lengths, 1000)
        found = solve_two_circles_batch(base, targets, *lengths)
        room = 2e-13 * sum(lengths)  # a target may miss by 1e-13 of the reach
        assert (found.miss == 0.0).all()
        assert (found.tips == targets).all()
        assert (abs(size(found.elbows - base) - lengths[0]) <= room).all()
        assert (abs(size(targets[:, None] - found.elbows) - lengths[1]) <= room).all()
        left, right = np.moveaxis(found.elbows - base, 1, 0)
        offset = targets - base
        side_left = offset[:, 0] * left[:, 1] - offset[:, 1] * left[:, 0]
        side_right = offset[:, 0] * right[:, 1] - offset[:, 1] * right[:, 0]
        assert (side_left >= -room * size(offset)).all()
        assert (side_right <= room * size(offset)).all()


def test_circles_one_and_batch_agree():
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        lengths, base = links(rng), rng.uniform(-1.0, 1.0, 2)
        targets = np.concatenate(
            (targets_in_ring(rng, lengths, 5), rng.uniform(-2.0, 2.0, (5, 2)) * sum(lengths))
        )
        for choice in ('none', 'nearest'):
            many = solve_two_circles_batch(base, base + targets, *lengths, out_of_reach=choice)
            for row, target in enumerate(base + targets):
                one = solve_two_circles(base, target, *lengths, out_of_reach=choice)
                scale = sum(lengths) + size(base)
                assert one.reached == (many.miss[row] == 0.0)
                assert one.miss == pytest.approx(many.miss[row], abs=1e-15 * scale + 1e-15)
                assert one.tip == pytest.approx(many.tips[row], abs=1e-15 * scale + 1e-15)
                if one.elbows:
                    left, right = one.elbows[0], one.elbows[-1]
                    # near a touch, one unit in the distance's last place is its root in the elbow
                    assert left == pytest.approx(many.elbows[row, 0], abs=1e-8 * scale)
                    assert right == pytest.approx(many.elbows[row, 1], abs=1e-8 * scale)
                else:
                    assert np.isnan(many.elbows[row]).all()


def test_circles_out_of_reach_the_links_keep_their_lengths():
    rng = np.random.default_rng(2)
    for _ in range(cases(1000)):
        lengths = links(rng)
        hole, total = abs(lengths[0] - lengths[1]), sum(lengths)
        near, far = hole * rng.uniform(0.0, 0.999, 50), total * (1.001 + rng.uniform(size=50))
        radius = np.concatenate((near, far))
        angle = rng.uniform(-math.pi, math.pi, 100)
        targets = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
        out = (radius < hole) | (radius > total)
        none = solve_two_circles_batch((0.0, 0.0), targets, *lengths)
        found = solve_two_circles_batch((0.0, 0.0), targets, *lengths, out_of_reach='nearest')
        room = CLOSES * total
        assert np.isnan(none.elbows[out]).all()
        assert (abs(size(found.elbows[out, 0]) - lengths[0]) <= room).all()
        assert (abs(size(found.tips[out, None] - found.elbows[out]) - lengths[1]) <= room).all()
        gap = np.maximum(radius - total, hole - radius)
        assert (abs(found.miss - gap)[out] <= room).all()
        assert (abs(size(found.tips - targets) - gap)[out] <= room).all()


@pytest.mark.parametrize(
    ('lengths', 'distance'),
    [((1.0, 1.0 - 3e-9), 1e-8), ((1.0, 1.0 - 1.1e-5), 3e-5), ((0.75, 0.5), 1.25 - 2e-12)],
    ids=['1e-8 from the base', '3e-5 from the base', 'circles that nearly touch'],
)
def test_circles_keep_the_digits_that_the_source_loses(lengths, distance):
    """Against fifty digits: the elbow is off by 1e-15 here, by 1e-12 at least in the source."""
    r1, r2 = lengths
    with decimal.localcontext() as context:
        context.prec = 50
        a, b, d = (decimal.Decimal(length) for length in (r1, r2, distance))
        along = (d * d + a * a - b * b) / (2 * d)
        aside = (a * a - along * along).sqrt()
    h = distance * distance
    w = h + r1 * r1 - r2 * r2
    s = max(4.0 * r1 * r1 * h - w * w, 0.0)
    source = w * distance * 0.5 / h, math.sqrt(s) * distance * 0.5 / h
    left, _ = solve_two_circles((0.0, 0.0), (distance, 0.0), r1, r2).elbows
    assert math.dist(left, (along, aside)) <= 1e-15
    assert math.dist(source, (along, aside)) > 1e-12


def test_circles_that_coincide():
    found = solve_two_circles((1.0, 2.0), (1.0, 2.0), 0.5, 0.5)
    assert found.reached
    assert found.elbows == ((1.0, 2.5), (1.0, 1.5))
    many = solve_two_circles_batch((1.0, 2.0), [(1.0, 2.0)], 0.5, 0.5)
    assert many.elbows[0].tolist() == [[1.0, 2.5], [1.0, 1.5]]


def test_circles_about_one_point_without_a_common_one():
    assert solve_two_circles((0.0, 0.0), (0.0, 0.0), 0.5, 0.2).elbows == ()
    folded = solve_two_circles((0.0, 0.0), (0.0, 0.0), 0.2, 0.5, out_of_reach='nearest')
    assert folded.elbows == ((-0.2, 0.0),)
    assert folded.tip == pytest.approx((0.3, 0.0))
    assert folded.miss == pytest.approx(0.3)


@pytest.mark.parametrize(('lengths', 'elbow'), [((0.0, 1.0), (0.0, 0.0)), ((1.0, 0.0), (0.0, 1.0))])
def test_circles_a_link_without_length(lengths, elbow):
    found = solve_two_circles((0.0, 0.0), (0.0, 1.0), *lengths)
    assert found.elbows == (pytest.approx(elbow),)
