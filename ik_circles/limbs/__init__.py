# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Other limbs than the three-joint arm, solved in closed form: no iteration, no timeout.

Which solver for which limb:

============================================  ==================================================
two links in a plane, you want points         `solve_two_circles`: where the elbow can be
two links in a plane, you want joint angles   `solve_two_links`, with joint limits;
                                              `two_link_solutions` for all of them
the same for thousands of targets             `solve_two_circles_batch`, `solve_two_links_batch`
any number of links in a plane                `LinkChain.solve`: every target within reach
a trunk with several limbs (hand, cyclist)    `LinkTree.solve`: every tip on its own target
thigh and shin in space                       `place_bones`: knee and foot as points
the same inside a skeleton of transforms      `turn_bones`: new rotations of hip and knee
============================================  ==================================================

All lengths are in meters, all angles in radians and counter-clockwise. A target out of reach is an
answer, not an exception. Each module names the published source of its method and what was added.

Examples
--------
>>> from ik_circles.limbs import LinkChain, solve_two_links
>>> solve_two_links(0.5, 0.0, 0.4, 0.3).reached
True
>>> solve_two_links(0.8, 0.0, 0.4, 0.3)  # 0.1 m too far: the arm points at the target
TwoLinks(joint_positions=(0.0, 0.0), miss=0.10000000000000009)
>>> chain = LinkChain((0.4, 0.3, 0.2, 0.1))
>>> shape = chain.solve((0.6, 0.5), 'even')  # every joint bends by about as much
>>> len(shape.points), shape.points[-1]
(5, (0.6, 0.5))
"""

from ik_circles.limbs.bones import BoneLimits
from ik_circles.limbs.n_links import ChainShape, LinkChain
from ik_circles.limbs.skeleton import Bone, TurnedBones, turn_bones
from ik_circles.limbs.tree import LinkTree, TreeShape
from ik_circles.limbs.two_bones import TwoBones, place_bones
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
