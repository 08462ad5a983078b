# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The scene's geometry: links, ghosts, plane, outline and shapes are where the core has them."""

from pathlib import Path

import numpy as np
import pytest
from viewer_arms import ARMS, TEXTS, each_arm

from ik_circles import load_arm
from ik_circles.viewer.robot_drawing import moved_links
from ik_circles.viewer.workspace_drawing import add_ground, plane_pose, segments


@each_arm
def test_links_are_drawn_where_the_core_has_them(name: str) -> None:
    arm, rng = ARMS[name], np.random.default_rng(3)
    positions = {joint.name: rng.uniform(-1.0, 1.0) for joint in arm.tree.joints}
    for link, pose in arm.tree.poses(arm.base_link, positions).items():
        assert np.allclose(pose, arm.link_pose(link, positions))


@each_arm
def test_ghosts_have_the_links_that_move(name: str) -> None:
    moved = moved_links(ARMS[name])
    assert ARMS[name].tip_link in moved
    assert ARMS[name].base_link not in moved


@each_arm
def test_the_plane_turns_with_the_arm(name: str) -> None:
    arm, rng = ARMS[name], np.random.default_rng(4)
    for _ in range(20):
        positions = {joint: rng.uniform(-1.0, 1.0) for joint in arm.commanded_joints}
        arm = arm.holding(positions)
        yaw, q = arm.naming.configuration(positions)
        x, y, _ = arm.arm.forward_kinematics(q)
        tip = plane_pose(arm, yaw) @ (x, y, 0.0, 1.0)
        assert np.allclose(tip[:3], arm.forward_kinematics(positions)[:3, 3], atol=1e-4)


def test_the_outline_is_drawn_on_its_arcs() -> None:
    arcs = ARMS['planar_3r'].arm.workspace_boundary().arcs
    drawn = segments(arcs)
    assert drawn.shape[1:] == (2, 3)
    for point in drawn[:, 0]:
        assert min(arc.distance_to((point[0], point[1])) for arc in arcs) < 1e-9


class Recorded:
    """What is added to a scene, by name."""

    def __init__(self) -> None:
        self.lines, self.boxes = {}, {}

    def add_line_segments(self, name, ends, *_, **__):
        self.lines[name] = ends

    def add_box(self, name, _, dimensions, **given):
        self.boxes[name] = dimensions, given


@pytest.mark.parametrize('floor', [None, 0.0, -0.3])
def test_a_floor_is_drawn_with_its_top_at_its_height(floor: float | None) -> None:
    scene = Recorded()
    add_ground(scene, 0.5, floor)
    (side, _, thickness), box = scene.boxes['/floor']
    top = box['position'][2] + thickness / 2.0
    assert box['visible'] is (floor is not None)
    assert side / 2.0 > 0.5 and thickness < 0.01 * side
    assert top == pytest.approx(floor or 0.0)
    below = top - scene.lines['/grid'][..., 2]
    assert ((below > 0.0) & (below <= 0.01)).all()


def test_shapes_are_the_visuals_or_bars_between_the_joints(tmp_path: Path) -> None:
    trimesh = pytest.importorskip('trimesh', reason='the extra viewer is not installed')
    from ik_circles.viewer.shapes import link_shapes

    boxes = link_shapes(ARMS['planar_3r'], TEXTS['planar_3r'], None)
    assert np.allclose(boxes['upper_arm'].bounds[1, 0], 0.4)
    bars = link_shapes(ARMS['so101'], TEXTS['so101'], None)
    wrist = next(j for j in ARMS['so101'].tree.joints if j.name == 'wrist_flex')
    assert bars['lower_arm_link'].bounds[0, 0] <= wrist.origin[0, 3] + 1e-9
    # a file that is there is taken, scaled and placed; one that is not gives bars
    trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / 'box.stl')
    visual = (
        '<link name="tip"><visual><origin xyz="0 0 3"/><geometry>'
        '<mesh filename="box.stl" scale="2 2 2"/></geometry></visual></link>'
    )
    text = TEXTS['planar_3r'].replace('<link name="tip"/>', visual)
    there = link_shapes(load_arm(text), text, tmp_path)['tip']
    assert np.allclose(there.bounds, [[-1.0, -1.0, 2.0], [1.0, 1.0, 4.0]])
    missing = link_shapes(load_arm(text), text, tmp_path / 'elsewhere')['tip']
    assert missing.bounds[1, 2] < 0.1
