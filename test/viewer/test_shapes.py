# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What each link looks like: its visuals in their materials, or bars between the joints."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from viewer_arms import ARMS, TEXTS

from ik_circles import load_arm
from ik_circles.viewer.mesh_files import MeshFiles

pytest.importorskip('viser', reason='the extra viewer is not installed')
# isort: split
import trimesh

from ik_circles.viewer.robot_drawing import RobotDrawing
from ik_circles.viewer.shapes import Shape, link_shapes

BOX = '<geometry><box size="1 1 1"/></geometry>'
RED, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 0.5)


def _shapes_of_tip(visuals: str, folder: Path | None = None, more: str = '') -> list[Shape]:
    """The shapes of planar_3r's tip with these visuals."""
    text = TEXTS['planar_3r'].replace('<link name="tip"/>', f'<link name="tip">{visuals}</link>')
    text = text.replace('</robot>', f'{more}</robot>')
    return link_shapes(load_arm(text), text, MeshFiles(folder)).get('tip', [])


def _bounds(shapes: list[Shape]) -> np.ndarray:
    return trimesh.util.concatenate([shape.mesh for shape in shapes]).bounds


def test_without_visuals_there_are_bars_to_the_joints_and_a_ball_at_the_tip() -> None:
    text = TEXTS['planar_3r']
    while '<visual>' in text:
        text = text[: text.index('<visual>')] + text[text.index('</visual>') + 9 :]
    shapes = link_shapes(load_arm(text), text, MeshFiles())
    assert _bounds(shapes['upper_arm'])[1, 0] == pytest.approx(0.4, abs=0.02)
    assert np.allclose(_bounds(shapes['tip']).sum(axis=0), 0.0)
    assert all(shape.color is None for found in shapes.values() for shape in found)


def test_visuals_stand_for_the_whole_link() -> None:
    shapes = link_shapes(ARMS['planar_3r'], TEXTS['planar_3r'], MeshFiles())
    assert 'tip' not in shapes  # the hand has a visual, and shows where it is
    assert _bounds(_shapes_of_tip(f'<visual><origin xyz="0 0 3"/>{BOX}</visual>')).tolist() == [
        [-0.5, -0.5, 2.5],
        [0.5, 0.5, 3.5],
    ]


def test_visuals_have_their_materials() -> None:
    def colors(material: str, more: str = '') -> list[object]:
        shapes = _shapes_of_tip(f'<visual>{BOX}{material}</visual>', more=more)
        return [one.color for one in shapes]

    named = '<material name="a"><color rgba="0 1 0 0.5"/></material>'
    assert colors('<material name="b"><color rgba="1 0 0 1"/></material>') == [RED]
    assert colors('<material name="a"/>', named) == [GREEN]
    assert colors('<material name="unknown"/>') == colors('') == [None]
    for nonsense in ('', '1 0 0', 'a b c d'):
        assert colors(f'<material name="b"><color rgba="{nonsense}"/></material>') == [None]
    assert colors('<material name="b"><color rgba="9 -1 0 1"/></material>') == [RED]


def test_the_material_of_the_urdf_counts_before_that_of_the_mesh(tmp_path: Path) -> None:
    box = trimesh.creation.box((1.0, 1.0, 1.0))
    material = trimesh.visual.material.SimpleMaterial(diffuse=(255, 0, 0, 255))
    box.visual = trimesh.visual.TextureVisuals(material=material)
    box.export(tmp_path / 'box.obj')
    assert (tmp_path / 'material.mtl').is_file()
    mesh = '<geometry><mesh filename="box.obj"/></geometry>'
    blue = '<material name="b"><color rgba="0 0 1 1"/></material>'
    assert [one.color for one in _shapes_of_tip(f'<visual>{mesh}</visual>', tmp_path)] == [RED]
    (shape,) = _shapes_of_tip(f'<visual>{mesh}{blue}</visual>', tmp_path)
    assert shape.color == (0.0, 0.0, 1.0, 1.0)


def test_a_mesh_is_scaled_and_placed_and_a_missing_one_gives_bars(tmp_path: Path) -> None:
    trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / 'box.stl')
    visual = (
        '<visual><origin xyz="0 0 3"/><geometry>'
        '<mesh filename="box.stl" scale="2 2 2"/></geometry></visual>'
    )
    there = _bounds(_shapes_of_tip(visual, tmp_path))
    assert np.allclose(there, [[-1.0, -1.0, 2.0], [1.0, 1.0, 4.0]])


class Recorded:
    """What is drawn, by name."""

    def __init__(self) -> None:
        self.frames, self.meshes = {}, {}

    def add_frame(self, name: str, **given: object) -> 'Recorded':
        self.frames[name] = given
        return self

    def add_mesh_simple(self, name: str, *_: object, **given: object) -> None:
        self.meshes[name] = given


@pytest.mark.parametrize('opacity', [None, 0.2])
def test_a_link_is_drawn_in_its_colors_and_a_ghost_in_one(opacity: float | None) -> None:
    def box(color: tuple[float, ...] | None) -> Shape:
        return Shape(trimesh.creation.box((1.0, 1.0, 1.0)), color)

    shapes: Mapping[str, list[Shape]] = {'tip': [box(RED), box(None), box(GREEN), box(RED)]}
    scene, plain = Recorded(), (1, 2, 3)
    RobotDrawing(scene, '/robot', ARMS['planar_3r'], shapes, plain, opacity)
    drawn = [(one['color'], one['opacity']) for one in scene.meshes.values()]
    assert drawn == (
        [((255, 0, 0), None), (plain, None), ((0, 255, 0), 0.5)]
        if opacity is None
        else [(plain, opacity)]
    )
    assert list(scene.frames) == ['/robot/tip']
    assert all(name.startswith('/robot/tip/') for name in scene.meshes)
