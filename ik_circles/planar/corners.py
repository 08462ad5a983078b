# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Orientations that two known joint angles leave at a point: the third joint turns the tip to it.

Where circles nearly touch, they give such an orientation only to within the root of the rounding.
If it stands alone, they miss it.
"""

import cmath
from collections.abc import Iterator, Sequence
from itertools import product

from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.model import ArmModel


def corner_orientations(
    model: ArmModel, x: float, y: float, angles: Sequence[Sequence[float]]
) -> Iterator[float]:
    """Orientations that reach a point with two joints at one of their angles each [rad]."""
    length_1, length_2, length_3 = model.link_lengths
    target, room = complex(x, y), TOLERANCE * model.max_reach
    all_q1, all_q2, all_q3 = angles
    for q2, q3 in product(all_q2, all_q3):
        from_base = length_1 + cmath.rect(length_2, q2) + cmath.rect(length_3, q2 + q3)
        if abs(abs(from_base) - abs(target)) <= room:
            yield cmath.phase(target) - cmath.phase(from_base) + q2 + q3
    for q1 in all_q1:
        left = target - cmath.rect(length_1, q1)
        for q2 in all_q2:
            last = left - cmath.rect(length_2, q1 + q2)
            if abs(abs(last) - length_3) <= room:
                yield cmath.phase(last)
        for q3 in all_q3:
            from_elbow = length_2 + cmath.rect(length_3, q3)
            if abs(abs(from_elbow) - abs(left)) <= room:
                yield cmath.phase(left) - cmath.phase(from_elbow) + q3
