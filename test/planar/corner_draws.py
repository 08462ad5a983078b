# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms and targets at corners, and the search of hypothesis among them."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st
from law_cases import cases

from ik_circles import PlanarArm

SHORTEST = 1e-9  # [m] of links that have a length, for arms of a meter
PI = math.pi
SPECIAL = st.sampled_from([0.0, PI, -PI, PI / 2.0, -PI / 2.0, 2.0 * PI, -2.0 * PI, 1.0])
TINY = st.sampled_from([0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6, 1e-3])
ANGLES = st.one_of(SPECIAL, st.floats(-10.0, 10.0), st.builds(float.__add__, SPECIAL, TINY))
WIDTHS = st.one_of(TINY, st.sampled_from([PI, 2.0 * PI, 2.0 * PI + 1e-12]), st.floats(0.0, 9.0))
RANGES = st.builds(lambda lower, width: (lower, lower + width), ANGLES, WIDTHS)
LIMITS = st.one_of(st.none(), RANGES)
LENGTHS = st.one_of(st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.floats(1e-3, 2.0))
SIZES = st.sampled_from([1e-6, 1.0, 1e6])
SEARCH = settings(max_examples=cases(500), derandomize=True, database=None, deadline=None)


def search(law, *strategies):
    """Look for what breaks a law."""
    SEARCH(given(*strategies)(law))()


@st.composite
def arms(draw):
    """Lengths alike, sums of each other or off by a trifle; limits on, at and just past corners."""
    first, second, third = draw(LENGTHS), draw(LENGTHS), draw(LENGTHS)
    trifle = draw(TINY)
    second = draw(st.sampled_from([second, first, first + trifle]))
    third = draw(st.sampled_from([third, second + trifle, abs(first - second), first + second]))
    size = draw(SIZES)
    lengths = [size * (one if one > SHORTEST else 0.0) for one in (first, second, third)]
    if max(lengths) == 0.0:
        lengths[0] = size
    return PlanarArm(lengths, [draw(LIMITS) for _ in range(3)])


@st.composite
def arms_and_joints(draw):
    arm = draw(arms())
    q = []
    for lower, upper in arm.limits:
        lower, upper = (-PI, PI) if math.isinf(lower) else (lower, upper)
        angle = draw(st.one_of(ANGLES, st.just(lower), st.just(upper)))
        q.append(min(max(angle, lower), upper))
    return arm, tuple(q)


#: An arm, the share of its reach, a direction and an orientation [rad], and a trifle.
ANY_TARGET = arms(), st.floats(0.0, 2.0), ANGLES, ANGLES, TINY
