"""Other ways to solve a limb, each in a module of its own that names its source."""

from ik_circles.limbs.n_links import ChainShape, LinkChain
from ik_circles.limbs.skeleton import Bone, TurnedBones, turn_bones
from ik_circles.limbs.tree import LinkTree, TreeShape
from ik_circles.limbs.two_bones import BoneLimits, TwoBones, place_bones
from ik_circles.limbs.two_circles import (
    TwoCircles,
    TwoCirclesBatch,
    solve_two_circles,
    solve_two_circles_batch,
)
from ik_circles.limbs.two_links import (
    TwoLinks,
    TwoLinksBatch,
    solve_two_links,
    solve_two_links_batch,
    two_link_solutions,
)

__all__ = [
    'Bone',
    'BoneLimits',
    'ChainShape',
    'LinkChain',
    'LinkTree',
    'TreeShape',
    'TurnedBones',
    'TwoBones',
    'TwoCircles',
    'TwoCirclesBatch',
    'TwoLinks',
    'TwoLinksBatch',
    'place_bones',
    'solve_two_circles',
    'solve_two_circles_batch',
    'solve_two_links',
    'solve_two_links_batch',
    'turn_bones',
    'two_link_solutions',
]
