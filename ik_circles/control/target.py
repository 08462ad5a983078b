# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A target of the tip, in base_link."""

import math
from typing import NamedTuple

from ik_circles.control.refusals import Refusal
from ik_circles.geometry.rigid import Rotation
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3


class Target(NamedTuple):
    """The wanted pose of tip_link in base_link.

    Parameters
    ----------
    position : tuple of three floats
        Position of the tip [m].
    rotation : array_like, shape (3, 3), optional
        Orientation of tip_link; without it, any orientation will do.
    """

    position: Point3
    rotation: Rotation | None = None


def finite(position: Point3) -> Point3:
    """The position [m] itself; Refusal if it is not finite."""
    if not all(map(math.isfinite, position)):
        numbers = ', '.join(f'{value:.6g}' for value in position)
        raise Refusal(Code.NOT_FINITE, f'the target position is ({numbers}) m; give finite numbers')
    return position
