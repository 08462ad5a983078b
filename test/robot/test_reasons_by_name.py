# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a verdict says of a robot, word by word, and what it says of where the wrist is held."""

import pytest
from robot_texts import THREE, robot
from three_joints import shipped_arm

from ik_circles import InvalidUrdfError, load_arm

FAR = 9.0, 0.0, 0.0


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'planar_3r'])
def test_only_a_no_says_where_the_wrist_is_held(name):
    arm = shipped_arm(name)
    point = arm.forward_kinematics(dict.fromkeys(arm.commanded_joints, 0.5))[:3, 3]
    for asked, is_reached in ((point, True), (FAR, False)):
        told = arm.check_reachability(asked)
        says_so = '; with ' in told.message
        assert told.reachable == is_reached
        assert says_so == (not is_reached and bool(arm.wrist_joints)), told.message


def test_a_long_reason_of_the_parser_is_cut():
    """Of the encoding that a text declares, 100 characters are said."""
    said = f'unknown encoding: {"x" * 300}'
    with pytest.raises(InvalidUrdfError) as raised:
        load_arm(f'<?xml version="1.0" encoding="{"x" * 300}"?><robot/>'.encode())
    assert f'({said[:100]}… ({len(said)} characters))' in str(raised.value)


@pytest.mark.parametrize('dtd', ['<!DOCTYPE robot>', '<!DOCTYPE robot SYSTEM "r.dtd">'])
def test_a_dtd_is_refused_even_if_it_is_empty(dtd):
    with pytest.raises(InvalidUrdfError, match='a DTD or entities'):
        load_arm(f'{dtd}{robot(*THREE)}')
