# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Bad input to any limb: an error that names the value, the rule and the fix."""

import math
import re

import numpy as np
import pytest

from ik_circles import IkCirclesError, InvalidArmError, InvalidSettingError, NotFiniteError, limbs
from ik_circles.limbs import Bone, BoneLimits, LinkChain, LinkTree, place_bones, turn_bones

CHAIN = LinkChain((1.0, 1.0, 1.0))
TREE = LinkTree((1.0,), ((1.0, 1.0), (1.0, 1.0)))
TARGETS = [(1.0, 1.0), (1.0, -1.0)]
SHAPE = TREE.solve(TARGETS)
HIP, KNEE, FOOT = (0.0, 0.0, 0.0), (0.0, 0.0, -2.0), (0.0, 0.1, -3.0)
EYE = np.eye(4)
BONE = Bone((0.0, 0.0, 1.0))


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        # A chain.
        (lambda: LinkChain(()), 'link_lengths is empty; give one'),
        (lambda: LinkChain((1, -2)), 'length -2.0 m is negative; lengths are at least 0'),
        (lambda: LinkChain((0, 0)), 'is 0 m; it must be between 1e-12'),
        (lambda: LinkChain((1, 1e300)), 'between 1e-12 and'),
        (lambda: LinkChain((1, math.nan)), 'nan.*give finite'),
        (lambda: LinkChain('abc'), "'abc'; give a sequence of numbers"),
        (lambda: LinkChain(None), 'None; give a sequence of numbers'),
        (lambda: LinkChain((1, 10**400)), 'give a sequence of numbers'),
        (lambda: CHAIN.solve((1, math.inf)), 'target is .*inf.*finite numbers'),
        (lambda: CHAIN.solve((1, 2, 3)), 'target has 3 numbers; give 2'),
        (lambda: CHAIN.solve(1), 'target is 1; give a sequence'),
        (lambda: CHAIN.solve((1, 1), base=(math.nan, 0)), 'base is .*nan'),
        (lambda: CHAIN.solve((1, 1), direction=math.nan), 'direction is .*nan'),
        (lambda: CHAIN.solve((1, 1), 7), 'policy is 7; choose one of'),
        (lambda: CHAIN.solve((1, 1), side='up'), "side is 'up'; choose one of left, right"),
        (lambda: CHAIN.solve((1, 1), 'near'), 'no previous shape.*give `previous`'),
        (lambda: CHAIN.solve((1, 1), 'near', previous=((0, 0),)), 'has 1 points.*links has 4'),
        (lambda: CHAIN.solve((1, 1), 'near', previous=3), 'has 0 points.*links has 4'),
        (lambda: CHAIN.solve((1, 1), 'near', previous=[(0, math.nan)] * 4), 'previous.*nan'),
        (lambda: CHAIN.forward_kinematics((1, 2)), 'joint_angles has 2 numbers; give 3'),
        # A tree.
        (lambda: LinkTree((1,), ()), 'limbs is empty; give the link lengths'),
        (lambda: LinkTree((1,), ((),)), 'limb 1 is empty; give one length'),
        (lambda: LinkTree((1,), ((1,), (1, -1))), 'limb 2: length -1.0 m is negative'),
        (lambda: LinkTree((-1,), ((1,),)), 'trunk: length -1.0 m is negative'),
        (lambda: LinkTree((math.inf,), ((1,),)), 'trunk is .*inf'),
        (lambda: LinkTree((1,), 5), 'limbs is 5; give a sequence'),
        (lambda: LinkTree(1, ((1,),)), 'trunk is 1; give a sequence'),
        (lambda: TREE.solve([(1, 1)]), '1 targets given; the tree has 2 limbs'),
        (lambda: TREE.solve(7), 'targets is 7; give a sequence'),
        (lambda: TREE.solve([(1, 1), (1, math.nan)]), 'target 2 is .*nan'),
        (lambda: TREE.solve([(1, 1), (1, 1, 1)]), 'target 2 has 3 numbers; give 2'),
        (lambda: TREE.solve(TARGETS, 'odd'), "policy is 'odd'; choose one of"),
        (lambda: TREE.solve(TARGETS, 'near'), 'needs `previous`.*give it, or choose'),
        (lambda: TREE.solve(TARGETS, 'near', previous=limbs.TreeShape(SHAPE.trunk, ())), 'needs'),
        (lambda: TREE.solve(TARGETS, trunk_side='up'), "trunk_side is 'up'; choose one of left"),
        (lambda: TREE.solve(TARGETS, limb_sides=('left',)), 'has 1 sides; give one for all, or 2'),
        (lambda: TREE.solve(TARGETS, limb_sides=('left', 3)), 'limb_sides is 3; choose one of'),
        (lambda: TREE.solve(TARGETS, fork=(0, math.inf)), 'fork is .*inf'),
        (lambda: TREE.solve(TARGETS, base=(0,)), 'base has 1 numbers; give 2'),
        (lambda: LinkChain((1.0,)).solve((1.0, 0.0), base=None), 'base is None'),
        # Two bones.
        (lambda: place_bones(HIP, KNEE, FOOT, (0, math.nan, 0)), 'target is .*nan'),
        (lambda: place_bones(HIP, KNEE, FOOT, (0, 0)), 'target has 2 numbers; give 3'),
        (lambda: place_bones(HIP, KNEE, FOOT, None), 'target is None; give a sequence'),
        (lambda: place_bones(HIP, KNEE, FOOT, (1e300, 0, 0)), r'target is .*give numbers up to 1e'),
        (lambda: place_bones(HIP, HIP, HIP, FOOT), r'the longest of the bones \(0.0, 0.0\) is 0 m'),
        (lambda: place_bones(HIP, KNEE, FOOT, FOOT, pole=(1, math.inf, 0)), 'pole is .*inf'),
        (lambda: place_bones(HIP, KNEE, FOOT, FOOT, limits=(0, 1)), 'give BoneLimits'),
        (lambda: BoneLimits((1.0, 0.5)), r'knee limits are \(1.0, 0.5\) rad; give 0'),
        (lambda: BoneLimits((-0.1, 0.5)), 'knee limits are .* give 0'),
        (lambda: BoneLimits((0.0, math.nan)), 'knee limits is .*nan'),
        (lambda: BoneLimits(hip_axis=(0, 0, 0), hip_angle=1.0), 'hip_axis has no length'),
        (lambda: BoneLimits(hip_axis=(0, 0, 1), hip_angle=4.0), 'hip_angle is 4.0 rad; it must be'),
        (lambda: turn_bones(np.eye(3), BONE, BONE, FOOT, FOOT), r'parent has shape \(3, 3\)'),
        (lambda: turn_bones(2 * EYE, BONE, BONE, FOOT, FOOT), 'parent is not a rotation'),
        (lambda: turn_bones(np.diag([1, 1, -1, 1]), BONE, BONE, FOOT, FOOT), 'take scale, shear'),
        (lambda: turn_bones(math.nan * EYE, BONE, BONE, FOOT, FOOT), 'numbers that are not finite'),
        (lambda: turn_bones('x', BONE, BONE, FOOT, FOOT), 'parent is not a matrix'),
        (lambda: turn_bones(EYE, Bone(FOOT, (1, 1, 0, 0)), BONE, FOOT, FOOT), 'rotation of hip is'),
        (lambda: turn_bones(EYE, BONE, Bone(FOOT, (1, 0, 0)), FOOT, FOOT), 'knee has 3 numbers'),
        (lambda: turn_bones(EYE, 3, BONE, FOOT, FOOT), 'hip is 3; give Bone'),
    ],
)
def test_bad_input_names_the_value_the_rule_and_the_fix(make, message):
    with pytest.raises(IkCirclesError) as raised:
        make()
    assert re.search(message, str(raised.value)), raised.value


@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf, None, 'far'])
def test_numbers_that_are_none(bad):
    for ask in (
        lambda: limbs.solve_two_links(bad, 0.0, 1.0, 1.0),
        lambda: limbs.solve_two_links(0.0, 0.0, bad, 1.0),
        lambda: limbs.solve_two_links(0.0, 0.0, 1.0, 1.0, joint_limits=[(0.0, bad), None]),
        lambda: limbs.solve_two_links_batch([(0.0, bad)], 1.0, 1.0),
        lambda: limbs.solve_two_circles((0.0, bad), (0.0, 0.0), 1.0, 1.0),
        lambda: limbs.solve_two_circles((0.0, 0.0), (0.0, 0.0), 1.0, bad),
        lambda: limbs.solve_two_circles_batch((0.0, 0.0), [(0.0, bad)], 1.0, 1.0),
    ):
        with pytest.raises(IkCirclesError, match=r'nan|inf|None|far|numbers'):
            ask()


def two_links(x=0.0, y=0.0, length_1=1.0, **named):
    return limbs.solve_two_links(x, y, length_1, 1.0, **named)


def two_circles(base, target, length=1.0, **named):
    return limbs.solve_two_circles(base, target, length, length, **named)


@pytest.mark.parametrize(
    ('make', 'error', 'message'),
    [
        (lambda: CHAIN.solve((1, 1), 'inner'), InvalidSettingError,
         "policy is 'inner'; choose one of outermost, even"),
        (lambda: two_links(length_1=-1.0), InvalidArmError, 'is negative; lengths are at least 0'),
        (lambda: two_circles((0, 0), (0, 0), 0.0), InvalidArmError, 'must be between'),
        (lambda: two_links(branch='left'), InvalidSettingError,
         "'left'; choose one of elbow_up, elbow_down"),
        (lambda: two_circles((0, 0), (0, 0), out_of_reach='stretch'), InvalidSettingError,
         "'stretch'; choose one of none, nearest"),
        (lambda: two_links(joint_limits=[(1.0, 0.0), None]), InvalidArmError, 'upside down.*swap'),
        (lambda: two_links(joint_limits=[None]), InvalidArmError, '1 joint limits given; give 2'),
        (lambda: two_links(joint_limits=[(0.0, 1e9), None]), InvalidArmError, '5 turns'),
        (lambda: limbs.solve_two_links_batch([1.0, 2.0], 1.0, 1.0), InvalidSettingError,
         r'shape \(2,\); give points \(N, 2\)'),
        (lambda: two_circles((-1.7e308, 0), (1.7e308, 0)), NotFiniteError, 'too far from the base'),
        (lambda: two_links(1.7e308, 1.7e308), NotFiniteError, 'too far from the base'),
    ],
)  # fmt: skip
def test_errors_are_of_their_class(make, error, message):
    with pytest.raises(error, match=message):
        make()
