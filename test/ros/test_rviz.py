# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""RViz's configuration: its topics are the node's, and its view shows the plane of the arm."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from ros_processes import PLANAR_3R, PREFIX, URDF, running

# isort: split
from ros_probe import Probe

from ik_circles import load_arm
from ik_circles.ros.rviz import configured

SHIPPED = (PREFIX / 'share' / 'ik_circles' / 'rviz' / 'arm.rviz').read_text()
ARMS = sorted(URDF.glob('*.urdf'))
FROM_ABOVE = 'rviz_default_plugins/TopDownOrtho'
#: Message type of each display and tool of the configuration.
TYPES = {
    'rviz_default_plugins/RobotModel': 'std_msgs/msg/String',
    'rviz_default_plugins/MarkerArray': 'visualization_msgs/msg/MarkerArray',
    'rviz_default_plugins/SetGoal': 'geometry_msgs/msg/PoseStamped',
    'rviz_default_plugins/PublishPoint': 'geometry_msgs/msg/PointStamped',
}


def manager_for(description: str) -> dict[str, Any]:
    """RViz's settings for the robot that is described."""
    return yaml.safe_load(configured(SHIPPED, description))['Visualization Manager']


def camera(view: dict[str, Any]) -> tuple[float, float, float]:
    """The direction from the arm to the camera."""
    if view['Class'] == FROM_ABOVE:
        return 0.0, 0.0, 1.0
    yaw, pitch = view['Yaw'], view['Pitch']
    level = math.cos(pitch)
    return level * math.cos(yaw), level * math.sin(yaw), math.sin(pitch)


def test_every_topic_of_the_configuration_is_one_of_the_node() -> None:
    manager = yaml.safe_load(SHIPPED)['Visualization Manager']
    wanted = [
        ((part.get('Description Topic') or part['Topic'])['Value'], TYPES[part['Class']])
        for part in (*manager['Displays'], *manager['Tools'])
        if part['Class'] in TYPES
    ]
    assert len(wanted) == 5
    with running('ik_node', {'robot_description': PLANAR_3R}) as process:
        probe = Probe(process)
        node = probe.node

        def known() -> set[tuple[str, str]]:
            if ('ik_node', '/') not in node.get_node_names_and_namespaces():
                return set()  # its topics may be known before its name
            pairs = (
                *node.get_publisher_names_and_types_by_node('ik_node', '/'),
                *node.get_subscriber_names_and_types_by_node('ik_node', '/'),
            )
            return {(name.lstrip('/'), types[0]) for name, types in pairs}

        probe.wait(lambda: set(wanted) <= known(), f'all of {wanted}')
        probe.close()


@pytest.mark.parametrize('urdf', ARMS, ids=lambda path: path.stem)
def test_the_root_is_the_fixed_frame_and_the_plane_is_looked_at(urdf: Path) -> None:
    arm = load_arm(urdf.read_text())
    manager = manager_for(urdf.read_text())
    expected = yaml.safe_load(SHIPPED)['Visualization Manager']
    assert manager['Global Options'].pop('Fixed Frame') == arm.base_link
    view = manager['Views'].pop('Current')
    assert (view['Class'] == FROM_ABOVE) is (urdf.stem == 'planar_3r')
    center = arm.spatial.plane.point_at(0.0, 0.0, arm.spatial.home.yaw)
    if view['Class'] == FROM_ABOVE:
        assert (view['X'], view['Y']) == pytest.approx(center[:2])
    else:
        assert [view['Focal Point'][axis] for axis in 'XYZ'] == pytest.approx(center)
        assert view['Distance'] > 2.0 * arm.arm.max_reach
        assert np.dot(camera(view), arm.spatial.plane.normal) > 0.7
    del expected['Global Options']['Fixed Frame'], expected['Views']['Current']
    assert manager == expected


@pytest.mark.parametrize('degrees', [-175.0, -150.0, -90.0, -60.0, -10.0, 20.0, 45.0, 90.0, 130.0])
def test_a_plane_is_never_seen_from_its_edge(degrees: float) -> None:
    tilted = f'<child link="upper_arm"/><origin rpy="{math.radians(degrees)} 0 0"/>'
    description = PLANAR_3R.replace('<child link="upper_arm"/>', tilted)
    towards = camera(manager_for(description)['Views']['Current'])
    assert abs(np.dot(towards, load_arm(description).spatial.plane.normal)) > 0.7


@pytest.mark.parametrize(
    'description', ['', 'not a URDF', '<robot name="r"><link name="a"/></robot>']
)
def test_without_an_arm_there_is_a_configuration(description: str) -> None:
    expected = yaml.safe_load(SHIPPED)['Visualization Manager']
    if '<link' in description:
        expected['Global Options']['Fixed Frame'] = 'a'
    assert manager_for(description) == expected
