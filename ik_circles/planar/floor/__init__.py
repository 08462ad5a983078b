# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms above a floor: the same questions, with elbow, wrist and tip kept in a half plane.

For the elbow, the floor is one more limit of joint 1. For the wrist, it is an interval of the
tool's orientation. The solver, the orientations and the workspace of an arm with a floor are
composed of those of the same arm without it, with these limits of joint 1.
"""

from ik_circles.planar.floor.parts import is_above
from ik_circles.planar.floor.solver import FloorSolver
from ik_circles.planar.floor.workspace import FloorWorkspace

__all__ = ['FloorSolver', 'FloorWorkspace', 'is_above']
