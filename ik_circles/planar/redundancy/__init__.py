"""Which joint positions to take where any orientation will do."""

from ik_circles.planar.redundancy.outermost import outermost_orientations, solve_outermost
from ik_circles.planar.redundancy.z_form import ZShape, solve_z_form, z_shapes
from ik_circles.planar.redundancy.z_reach import z_reach

__all__ = [
    'ZShape',
    'outermost_orientations',
    'solve_outermost',
    'solve_z_form',
    'z_reach',
    'z_shapes',
]
