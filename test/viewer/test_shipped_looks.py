# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shipped robots look like themselves: simple shapes that hang together and do not flicker."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from viewer_arms import URDF

from ik_circles import RobotArm, load_arm
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.robot_drawing import moved_links

pytest.importorskip('viser', reason='the extra viewer is not installed')
# isort: split
import trimesh
from hoop_seen import is_seen

from ik_circles.viewer.camera import view_of
from ik_circles.viewer.shapes import link_shapes

NAMES = sorted(path.stem for path in URDF.glob('*.urdf'))
each_robot = pytest.mark.parametrize('name', NAMES)
#: Shapes that are no further apart than this touch, and planes no further apart flicker [m].
NEAR = 2e-4
#: The background of viser's dark page: red, green, blue.
DARK_PAGE = 20 / 255, 20 / 255, 20 / 255
#: Points on a shape that are looked at.
POINTS = 1500


class Placed(NamedTuple):
    """A shape of a robot, in base_link."""

    link: str
    color: object
    mesh: trimesh.Trimesh


def _placed(arm: RobotArm, text: str, positions: dict[str, float]) -> list[Placed]:
    poses = arm.tree.poses(arm.base_link, positions)
    return [
        Placed(link, color, mesh.copy().apply_transform(poses[link]))
        for link, shapes in link_shapes(arm, text, MeshFiles()).items()
        for mesh, color in shapes
    ]


def _touch(one: trimesh.Trimesh, other: trimesh.Trimesh) -> bool:
    """Whether points of one convex shape are in the other, or nearly."""
    apart = np.maximum(one.bounds[0] - other.bounds[1], other.bounds[0] - one.bounds[1])
    if (apart > NEAR).any():
        return False
    for some, whole in ((one, other), (other, one)):
        points = trimesh.sample.sample_surface(some, POINTS, seed=0)[0]
        away = points[:, None] - whole.triangles_center
        if ((away * whole.face_normals).sum(axis=-1).max(axis=1) < NEAR).any():
            return True
    return False


@each_robot
def test_each_link_that_moves_has_colored_shapes_and_no_file(name: str) -> None:
    text = (URDF / f'{name}.urdf').read_text()
    arm = load_arm(text)
    shapes = link_shapes(arm, text, MeshFiles())
    bare = moved_links(arm) - shapes.keys()
    assert all(arm.tree.joint_above[link].type == 'fixed' for link in bare)
    assert all(shape.color is not None for found in shapes.values() for shape in found)
    assert '<mesh' not in text


@each_robot
def test_no_shape_is_lost_on_a_dark_page(name: str) -> None:
    """Law: each has twice the contrast of black to viser's dark page, as WCAG has it."""
    text = (URDF / f'{name}.urdf').read_text()

    def light(color: Sequence[float]) -> float:
        parts = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in color]
        return 0.05 + float(np.dot((0.2126, 0.7152, 0.0722), parts))

    for shapes in link_shapes(load_arm(text), text, MeshFiles()).values():
        for shape in shapes:
            assert light(shape.color[:3]) > 2.0 * light(DARK_PAGE)


@each_robot
def test_the_shapes_hang_together_however_the_joints_are(name: str) -> None:
    text = (URDF / f'{name}.urdf').read_text()
    arm, rng = load_arm(text), np.random.default_rng(1)
    for share in (0.0, 1.0):
        positions = {joint: share * rng.uniform(-1.0, 1.0) for joint in arm.commanded_joints}
        first, *loose = _placed(arm, text, positions)
        held = [first]
        while held:
            shape = held.pop()
            touched = [other for other in loose if _touch(shape.mesh, other.mesh)]
            loose = [other for other in loose if all(other is not one for one in touched)]
            held += touched
        assert not [(one.link, one.mesh.bounds.round(3).tolist()) for one in loose]


@each_robot
def test_no_two_colors_share_a_plane(name: str) -> None:
    """Where they do, the picture flickers between them as the camera moves."""
    text = (URDF / f'{name}.urdf').read_text()
    arm = load_arm(text)
    shapes = _placed(arm, text, dict.fromkeys(arm.commanded_joints, 0.0))
    for one, other in combinations(shapes, 2):
        if one.color != other.color:
            assert not _flickers(one.mesh, other.mesh), (one.link, other.link)


def _flickers(one: trimesh.Trimesh, other: trimesh.Trimesh) -> bool:
    """Whether triangles of both lie in one plane, face the same way, and overlap."""
    same = one.face_normals @ other.face_normals.T > 0.9999
    away = one.triangles_center[:, None] - other.triangles_center
    same &= abs((away * one.face_normals[:, None]).sum(axis=-1)) < NEAR
    shares = np.random.default_rng(0).dirichlet((1.0, 1.0, 1.0), 60)
    for i, k in zip(*np.nonzero(same)):
        corner, *others = other.triangles[k]
        points = shares @ one.triangles[i] - corner
        inside = np.linalg.lstsq(np.subtract(others, corner).T, points.T, rcond=None)[0]
        if ((inside > 0.01).all(axis=0) & (inside.sum(axis=0) < 0.99)).any():
            return True
    return False


@each_robot
@pytest.mark.parametrize('aspect', [390 / 844, 1.0])
def test_the_hoop_around_the_ball_is_seen_at_the_start(name: str, aspect: float) -> None:
    """Wherever a robot hides its ball, as a ur5e does."""
    arm = load_arm(text := (URDF / f'{name}.urdf').read_text())
    assert is_seen(arm, text, view_of(arm, aspect)).mean() > 0.4


@each_robot
def test_the_description_says_that_the_shapes_are_for_looking_only(name: str) -> None:
    text = (URDF / f'{name}.urdf').read_text()
    comment = ' '.join(re.search(r'<!--(.*?)-->', text, re.DOTALL)[1].split())
    assert 'The shapes are for looking only' in comment
