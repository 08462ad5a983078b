# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where a view shows a point."""

from collections.abc import Sequence

import numpy as np

from ik_circles.robot.arm import Point3
from ik_circles.viewer.camera import FIELD, UP, View


def pixel_of(point: Point3, view: View, canvas: Sequence[float]) -> tuple[float, float]:
    """The pixel of a point [m] on a canvas at left, top, width and height [pixels]."""
    left, top, width, height = canvas
    ahead = np.subtract(view.look_at, view.position)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, UP)
    right /= np.linalg.norm(right)
    away = np.subtract(point, view.position)
    x, y = left + width / 2.0, top + height / 2.0
    scale = height / 2.0 / np.tan(FIELD / 2.0) / (away @ ahead)
    return x + scale * (away @ right), y - scale * (away @ np.cross(right, ahead))
