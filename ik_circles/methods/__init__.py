"""Other ways to solve a limb, each in a module of its own that names its source."""

from ik_circles.methods.n_links import ChainShape, LinkChain
from ik_circles.methods.outermost import outermost_orientations, solve_outermost
from ik_circles.methods.skeleton import Bone, TurnedBones, turn_bones
from ik_circles.methods.tree import LinkTree, TreeShape
from ik_circles.methods.two_bones import BoneLimits, TwoBones, place_bones

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
