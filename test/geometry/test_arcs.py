# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arcs: the chords that they are drawn with."""

import math

import numpy as np
import pytest

from ik_circles.geometry.arcs import Arc


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
