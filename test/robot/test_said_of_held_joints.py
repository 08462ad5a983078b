# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is said where a joint is held that could help, and whom the advice is for."""

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import fields

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from three_joints import shipped_text

from ik_circles import NoPlanarArmError, load_arm
from ik_circles.control.decision import decide
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.reasons import Code
from ik_circles.robot.shipped import shipped
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE

#: Parameters of the node, which Python and the command line do not have.
PARAMETERS = [one.name for one in fields(Settings) if '_' in one.name]


def changed(name, joint, **attributes):
    """A shipped robot with other attributes of the elements of a joint."""
    tree = ElementTree.fromstring(shipped_text(name))
    (found,) = (one for one in tree.findall('joint') if one.get('name') == joint)
    for key, value in attributes.items():
        element, attribute = key.split('_')
        found.find(element).set(attribute, value)
    return load_arm(ElementTree.tostring(tree))


def drawn(arm, rng):
    return {
        name: float(rng.uniform(max(one.lower, -3.0), min(one.upper, 3.0)))
        for name, one in arm.joints.items()
    }


@pytest.mark.parametrize('name', [*shipped(), 'skewed so101'])
def test_no_answer_of_an_arm_names_a_parameter_of_the_node(name):
    """The node adds what its parameters can do; the arm does not know them."""
    is_skewed = name == 'skewed so101'
    arm = changed('so101', 'wrist_roll', origin_rpy='0 0.1 0') if is_skewed else load_arm(name)
    rng, codes, advised = np.random.default_rng(0), set(), 0
    # As the arm has it: the node brings points into the plane from farther away.
    settings = Settings(
        orientation_mode='fixed', out_of_plane_tolerance=OUT_OF_PLANE_TOLERANCE
    )
    for _ in range(cases(400, least=20)):
        pose = arm.forward_kinematics(drawn(arm, rng))
        point = tuple(map(float, pose[:3, 3] + rng.normal(size=3) * rng.choice([0.0, 0.3])))
        about = rng.normal(size=3)
        rotation = rotation_by(about / np.linalg.norm(about), rng.uniform(0.0, 3.0)) @ pose[:3, :3]
        for asked in ({}, {'rotation': rotation}, {'phi': rng.uniform(-3.0, 3.0)}):
            told = arm.check_reachability(point, **asked)
            codes.add(told.code)
            assert not [one for one in PARAMETERS if one in told.message]
        said = decide(arm, settings, Target(point, rotation), None)
        is_advised = 'set orientation_mode to' in said.message
        assert is_advised == arm.check_reachability(point, rotation=rotation).is_tilted
        advised += is_advised
    assert Code.ORIENTATION in codes
    assert bool(advised) == (not arm.wrist_joints)


def test_a_held_joint_that_would_roll_the_tool_is_named_with_its_reason():
    arm = changed('so101', 'wrist_roll', origin_rpy='0 0 0.0002')
    own = dict.fromkeys(arm.commanded_joints, 0.3)
    pose = arm.forward_kinematics(own)
    rolled = pose[:3, :3] @ rotation_by((1.0, 0.0, 0.0), 0.5)
    told = arm.check_reachability(pose[:3, 3], rotation=rolled)
    why = 'wrist_roll is held at 0 rad (its axis is 0.0115 deg from being perpendicular to those of'
    assert told.code is Code.ORIENTATION
    assert f'{why} the three; at most 0.0057 deg is allowed) and does not roll' in told.message
    assert 'no joint rolls' not in told.message
    said = decide(arm, Settings(), Target(tuple(pose[:3, 3].tolist()), rolled), own).message
    assert f'{why} the three' in said
    moved = arm.holding({'wrist_roll': 0.2})
    assert 'wrist_roll is held at 0.2 rad (' in (
        moved.check_reachability(pose[:3, 3], rotation=rolled).message
    )


def test_no_joint_rolls_the_tool_where_none_could():
    arm = load_arm('px100')
    rolled = arm.forward_kinematics({})[:3, :3] @ rotation_by((1.0, 0.0, 0.0), 0.5)
    told = arm.check_reachability((0.2, 0.0, 0.1), rotation=rolled)
    assert 'no joint rolls the tool, so its roll is 28.6 deg' in told.message


def test_axes_that_are_not_parallel_are_refused_with_what_is_allowed():
    with pytest.raises(NoPlanarArmError, match=r'0\.01146 deg.*; at most 0\.0057 deg is allowed'):
        changed('planar_3r', 'elbow_joint', axis_xyz=f'0 {math.tan(2e-4)} 1')


def test_where_the_wrist_is_held_is_said_of_positions_and_not_of_orientations():
    """An orientation is refused with the wrist as it asks for: where it is held does not count."""
    arm, held = load_arm('so101'), 'with wrist_roll at 0.0 deg'
    upright = arm.forward_kinematics(dict.fromkeys(arm.commanded_joints, 0.0))
    about = rotation_by((0.0, 0.0, 1.0), 0.5) @ upright[:3, :3]
    turned = arm.check_reachability(upright[:3, 3], rotation=about)
    assert turned.code is Code.ORIENTATION
    assert held not in turned.message
    far = arm.check_reachability((2.0, 0.0, 0.0), rotation=upright[:3, :3])
    assert far.code is Code.TOO_FAR
    assert far.message.endswith(held)
