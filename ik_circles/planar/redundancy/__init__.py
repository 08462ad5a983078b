# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The choice of joint positions for a point, if any orientation of the tool is good.

`Redundancy` names the choice, and `candidates` makes it. Two choices are also solvers of their own:
`solve_outermost` puts the wrist as far out as possible, and `solve_z_form` bends the arm like a Z.
"""

from ik_circles.planar.redundancy.outermost import outermost_orientations, solve_outermost
from ik_circles.planar.redundancy.rules import REDUNDANCIES, Redundancy, candidates
from ik_circles.planar.redundancy.z_form import ZShape, solve_z_form, z_shapes
from ik_circles.planar.redundancy.z_reach import z_reach

__all__ = [
    'REDUNDANCIES',
    'Redundancy',
    'ZShape',
    'candidates',
    'outermost_orientations',
    'solve_outermost',
    'solve_z_form',
    'z_reach',
    'z_shapes',
]
