# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Evenly bent chains: near one circle, and equal links by nearly equal angles."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles.limbs import LinkChain

FEWER_CASES = cases(20_000, 50)


def on_circles(lengths, distances):
    """Joints of polygons with all corners on a circle (N, links + 1), found by halving; the tip
    towards +x and the joints on the left of the line to it. Lengths are (N, links)."""
    halves = lengths / (2.0 * lengths.max(axis=1, keepdims=True))
    low, high = np.full(len(lengths), 1e-9), np.full(len(lengths), math.pi)
    for _ in range(50):
        angle = (low + high) / 2.0  # at the center over the longest link
        radius = lengths.max(axis=1) / (2.0 * np.sin(angle / 2.0))
        arcs = 2.0 * np.arcsin(2.0 * halves * np.sin(angle / 2.0)[:, None])
        total = arcs.sum(axis=1)
        bends_less = (total <= 2.0 * math.pi) & (2.0 * radius * np.sin(total / 2.0) > distances)
        low, high = np.where(bends_less, angle, low), np.where(bends_less, high, angle)
    passed = np.column_stack((np.zeros(len(lengths)), np.cumsum(arcs, axis=1)))
    places = radius[:, None] * np.exp(1j * (math.pi / 2.0 + total[:, None] / 2.0 - passed))
    return places - places[:, :1]


def test_even_puts_joints_near_one_circle():
    rng = np.random.default_rng(5)
    for links in range(5, 10):
        lengths = rng.uniform(0.5, 1.0, (FEWER_CASES, links))
        distances = rng.uniform(0.1, 1.0, FEWER_CASES) * lengths.sum(axis=1)
        circles = on_circles(lengths, distances)
        found = [
            LinkChain(tuple(row)).solve((distance, 0.0), 'even').points
            for row, distance in zip(lengths.tolist(), distances.tolist())
        ]
        misses = np.abs(np.array(found) @ [1.0, 1j] - circles).max(axis=1)
        assert (misses <= 0.015 * lengths.sum(axis=1)).all()


@pytest.mark.parametrize('count', [3, 4, 5, 7, 12, 40])
@pytest.mark.parametrize('side', ['left', 'right'])
def test_even_bends_equal_links_by_nearly_equal_angles(count, side):
    chain = LinkChain((1.0,) * count)
    for distance in (0.0, 1e-9, *np.linspace(1e-3, count - 1e-3, 300), count - 1e-9, count):
        bends = chain.solve((0.0, float(distance)), 'even', side=side).joint_angles[1:]
        assert max(bends) - min(bends) <= 0.06
        assert all(bend <= 1e-6 if side == 'left' else bend >= -1e-6 for bend in bends)
