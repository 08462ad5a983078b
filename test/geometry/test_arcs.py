# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arcs: the chords that they are drawn with, and the points of them nearest to others."""

import math

import numpy as np
import pytest

from ik_circles.geometry.arcs import Arc, nearest_on


@pytest.mark.parametrize('largest', [0.01, math.radians(4.0), 1.0])
def test_chords_run_along_the_arc_and_none_is_too_long(largest):
    rng = np.random.default_rng(0)
    for _ in range(50):
        arc = Arc(
            tuple(rng.uniform(-1.0, 1.0, 2)), rng.uniform(0.1, 2.0),
            rng.uniform(-4.0, 4.0), rng.uniform(0.0, 2.0 * math.pi),
        )  # fmt: skip
        points = arc.chords(largest)
        assert points[0] == pytest.approx(arc.point_at(arc.start), abs=1e-12)
        assert points[-1] == pytest.approx(arc.point_at(arc.end), abs=1e-12)
        middle = arc.point_at(arc.start + arc.sweep / (len(points) - 1))
        assert points[1] == pytest.approx(middle, abs=1e-12)
        spans = np.linalg.norm(np.diff(points, axis=0), axis=1)
        assert np.all(spans <= 2.0 * arc.radius * math.sin(largest / 2.0) + 1e-12)
        assert len(points) <= 2 + arc.sweep / largest


def test_the_points_nearest_to_many_are_those_nearest_to_each():
    """Beside the arc, past either end of it, and opposite its middle, where its start counts."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        sweep = rng.choice([0.0, 2.0 * math.pi, *rng.uniform(0.0, 6.0, 4)])
        center, start = rng.uniform(-1.0, 1.0, 2), rng.uniform(-4.0, 4.0)
        arc = Arc(tuple(center), rng.uniform(0.1, 2.0), start, sweep)
        angles = start + np.array([0.0, sweep, sweep / 2.0 + math.pi, *rng.uniform(-4.0, 4.0, 9)])
        x, y = center[:, None] + rng.uniform(0.1, 3.0, 12) * (np.cos(angles), np.sin(angles))
        offsets, *places = nearest_on(arc, x, y)
        arc_points = complex(*center) + arc.radius * np.exp(
            1j * (start + sweep * np.linspace(0.0, 1.0, 500))
        )
        for *point, offset, place_x, place_y in zip(x, y, offsets, *places):
            assert 0.0 <= offset <= sweep
            for same in (arc.point_at(start + offset), arc.nearest_to(point)):
                assert (place_x, place_y) == pytest.approx(same, abs=1e-12)
            least = np.abs(arc_points - complex(*point)).min()
            assert math.dist((place_x, place_y), point) <= least + 1e-12
