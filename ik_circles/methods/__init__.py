"""Other ways to solve a limb, each in a module of its own that names its source."""

from ik_circles.methods.n_links import ChainShape, LinkChain
from ik_circles.methods.outermost import outermost_orientations, solve_outermost
from ik_circles.methods.tree import LinkTree, TreeShape

__all__ = ['ChainShape', 'LinkChain', 'LinkTree', 'TreeShape', 'outermost_orientations', 'solve_outermost']
