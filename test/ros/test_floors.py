# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The floor that the launch file puts under an arm, with the links that params_file names."""

import pytest
from three_joints import shipped_text

from ik_circles.control.settings import NO_FLOOR
from ik_circles.errors import IkCirclesError, InvalidSettingError
from ik_circles.ros.floors import floor_under, height, links_in

TIP = 'gripper_frame_link'
HAND = '{ros__parameters: {base_link: "", tip_link: hand, floor: 0.1}}'


@pytest.mark.parametrize(
    ('text', 'namespace', 'is_given'),
    [
        (f'/**: {HAND}', '', True),
        (f'ik_node: {HAND}', '', True),
        (f'/ik_node: {HAND}', '', True),
        (f'/**/ik_node: {HAND}', '', True),
        (f'/**/ik_node: {HAND}', 'left/arm', True),
        (f'/*/ik_node: {HAND}', 'left', True),
        (f'/left/ik_node: {HAND}', '/left', True),
        (f'left: {{ik_node: {HAND}}}', 'left', True),
        (f'/left/ik_node: {HAND}', 'right', False),
        (f'ik_node: {HAND}', 'left', False),
        (f'sim_arm: {HAND}', '', False),
        ('ik_node: {ros__parameters: {tip_link: 7}}', '', False),
        ('ik_node: {ros__parameters: [tip_link, hand]}', '', False),
        ('ik_node: [1]', '', False),
        ('7', '', False),
        ('', '', False),
        ('{', '', False),
    ],
)
def test_links_that_a_file_gives_to_ik_node(tmp_path, text, namespace, is_given):
    file = tmp_path / 'parameters.yaml'
    file.write_text(text)
    assert links_in(str(file), namespace) == ({'tip_link': 'hand'} if is_given else {})


def test_a_robot_with_two_tips_has_a_floor_as_soon_as_its_tip_is_named():
    """Such as one with a camera at its hand, whose arm nobody finds without the name."""
    text = shipped_text('so101')
    camera = (
        '<link name="camera"/><joint name="camera" type="fixed">'
        '<parent link="gripper_link"/><child link="camera"/></joint>'
    )
    robot = text.replace('</robot>', f'{camera}</robot>')
    with pytest.raises(IkCirclesError, match='tip'):
        floor_under(robot)
    assert floor_under(robot, tip_link=TIP) == 0.0
    assert floor_under(shipped_text('planar_3r')) == NO_FLOOR


@pytest.mark.parametrize('text', ['', 'low', 'nan', 'inf'])
def test_a_height_is_a_number(text):
    assert height('-0.05') == -0.05
    with pytest.raises(InvalidSettingError, match='give a height in meters, auto, or none'):
        height(text)
