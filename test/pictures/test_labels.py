# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The numbers of marks in a picture: each can be read, whatever is beside it."""

import math
from itertools import combinations

import numpy as np
import pytest
from law_cases import cases

from ik_circles import PlanarArm
from ik_circles.pictures.labels import MARK, labels

#: Marks as the demonstration of a so101 has them: 1 and 7 are at one place, 2 and 4 are beside [m].
CROWD = (
    (0.28, 0.155), (0.308, 0.166), (0.178, 0.322), (0.322, 0.172), (0.376, 0.21),
    (-0.22, -0.084), (0.28, 0.155),
)  # fmt: skip


def test_numbers_cover_neither_marks_nor_each_other():
    rng = np.random.default_rng(0)
    for _ in range(cases(2000)):
        crowds = rng.uniform(0.0, 400.0, (3, 2))
        marks = (crowds[rng.integers(3, size=9)] + rng.normal(0.0, 12.0, (9, 2))).tolist()
        marks[rng.integers(9)] = marks[rng.integers(9)]
        found = labels(range(5, 14), marks)
        for one, mark in zip(found, marks):
            assert not any(map(one.covers, marks))
            assert math.hypot(one.x - mark[0], one.y - mark[1]) < 65.0
        for one, other in combinations(found, 2):
            assert not one.meets(other)


def test_a_mark_alone_has_its_number_to_the_upper_right():
    (label,) = labels([7], [(100.0, 50.0)])
    assert label.is_next and label.x > 100.0 and label.y > 50.0


def test_the_numbers_of_a_crowd_can_be_read_in_the_picture():
    pytest.importorskip('matplotlib', reason='the extra plot draws')
    from ik_circles.pictures.drawing import TargetMark, scenario_figure

    arm = PlanarArm((0.116, 0.135, 0.159))
    marks = [TargetMark(*place, accepted=True, text='') for place in CROWD]
    figure = scenario_figure(arm, arm.safe_zones, [], marks)
    figure.canvas.draw()
    axes = figure.axes[0]
    boxes = {text.get_text(): text.get_window_extent() for text in axes.texts}
    assert list(boxes) == [str(number) for number in range(1, 8)]
    for one, other in combinations(boxes.values(), 2):
        assert not one.overlaps(other)
    (legend,) = figure.legends  # it covers nothing that is drawn
    assert legend.get_texts() and not legend.get_window_extent().overlaps(axes.get_window_extent())
    for mark in axes.transData.transform(CROWD):
        for box in boxes.values():
            beside = max(box.x0 - mark[0], mark[0] - box.x1, 0.0)
            above = max(box.y0 - mark[1], mark[1] - box.y1, 0.0)
            assert math.hypot(beside, above) * 72.0 / figure.dpi >= 0.8 * MARK
