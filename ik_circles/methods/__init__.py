"""Other ways to solve a limb, each in a module of its own that names its source."""

from ik_circles.methods.n_links import ChainShape, LinkChain
from ik_circles.methods.outermost import outermost_orientations, solve_outermost
from ik_circles.methods.skeleton import Bone, TurnedBones, turn_bones
from ik_circles.methods.tree import LinkTree, TreeShape
from ik_circles.methods.two_bones import BoneLimits, TwoBones, place_bones
from ik_circles.methods.two_circles import (
    TwoCircles,
    TwoCirclesBatch,
    solve_two_circles,
    solve_two_circles_batch,
)
from ik_circles.methods.two_links import (
    TwoLinks,
    TwoLinksBatch,
    solve_two_links,
    solve_two_links_batch,
    two_link_solutions,
)
from ik_circles.methods.z_form import ZShape, solve_z_form, z_shapes
from ik_circles.methods.z_reach import z_reach

__all__ = [
    'Bone',
    'BoneLimits',
    'ChainShape',
    'LinkChain',
    'LinkTree',
    'TreeShape',
    'TurnedBones',
    'TwoBones',
    'outermost_orientations',
    'place_bones',
    'solve_outermost',
    'turn_bones',
]
__all__ += [
    'TwoCircles',
    'TwoCirclesBatch',
    'TwoLinks',
    'TwoLinksBatch',
    'ZShape',
    'solve_two_circles',
    'solve_two_circles_batch',
    'solve_two_links',
    'solve_two_links_batch',
    'solve_z_form',
    'two_link_solutions',
    'z_reach',
    'z_shapes',
]
