# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shapes of each link: the visuals of the URDF if they are found, else bars between joints.

Needs trimesh, which comes with viser.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import trimesh
from defusedxml import ElementTree

from ik_circles.geometry.rigid import Matrix
from ik_circles.robot.arm import RobotArm
from ik_circles.robot.tree import UrdfJoint
from ik_circles.viewer.mesh_files import MeshFiles

#: Radius of a bar, as a share of the arm's reach.
BAR = 0.017
#: Radius and height of a joint's disc, in radii of a bar.
DISC = 1.7, 2.6
#: Number of corners on the circumference of a bar or a disc.
SECTIONS = 24
#: Shortest bar that is drawn, in radii of a bar.
SHORTEST = 0.1


class Shape(NamedTuple):
    """A trimesh in its link's frame, and its red, green, blue and opacity; None: the robot's."""

    mesh: Any
    color: tuple[float, ...] | None = None


def link_shapes(arm: RobotArm, description: str, files: MeshFiles) -> dict[str, list[Shape]]:
    """The shapes of each link that has any.

    Parameters
    ----------
    arm : RobotArm
        An arm of the robot; its size decides the thickness of the bars.
    description : str
        The text of the URDF.
    files : MeshFiles
        Reads the mesh files that it names.
    """
    visuals = _visuals(description, files)
    radius = BAR * arm.arm.max_reach
    shapes = {}
    for link in arm.tree.links:
        above = arm.tree.joint_above.get(link)
        found = visuals.get(link, [])
        if not found:
            found = [Shape(bar) for bar in _bars(arm, link, radius)]
            if link == arm.tip_link and (above is None or not visuals.get(above.parent)):
                found.append(Shape(_ball(np.zeros(3), 1.2 * radius)))
            if above is not None and above.type != 'fixed':
                found.append(Shape(_disc(above, radius)))
        if found:
            shapes[link] = found
    return shapes


# --- without visuals --------------------------------------------------------------------------


def _bars(arm: RobotArm, link: str, radius: float) -> Iterator[Any]:
    """Bars from the link's frame to each joint that it carries."""
    for joint in arm.tree.joints:
        end = joint.origin[:3, 3]
        if joint.parent == link and np.linalg.norm(end) > SHORTEST * radius:
            segment = np.array([np.zeros(3), end])
            yield trimesh.creation.cylinder(radius, segment=segment, sections=SECTIONS)
            yield _ball(end, radius)


def _ball(center: Matrix, radius: float) -> Any:
    ball = trimesh.creation.icosphere(subdivisions=2, radius=radius)
    ball.apply_translation(center)
    return ball


def _disc(joint: UrdfJoint, radius: float) -> Any:
    """A disc about the joint's axis, in the frame of the link that the joint carries."""
    wide, high = DISC
    half = joint.axis * high * radius / 2.0
    segment = np.array([-half, half])
    return trimesh.creation.cylinder(wide * radius, segment=segment, sections=SECTIONS)


# --- visuals ----------------------------------------------------------------------------------


def _visuals(description: str, files: MeshFiles) -> dict[str, list[Shape]]:
    """The visuals of each link in its frame; none for a link with a missing file."""
    robot = ElementTree.fromstring(description.encode())
    colors = dict(filter(None, map(_named_color, robot.iter('material'))))
    found: dict[str, list[Shape]] = {}
    for link in robot.findall('link'):
        parts = [_visual(visual, files, colors) for visual in link.findall('visual')]
        if all(parts):
            found[link.get('name', '')] = [shape for shapes in parts for shape in shapes]
    return found


def _named_color(material: Any) -> tuple[str, tuple[float, ...]] | None:
    """The name and the color of a material; None if it has no valid color."""
    color = material.find('color')
    try:
        red, green, blue, opacity = _numbers(color.get('rgba'))
    except (AttributeError, ValueError):
        return None
    rgba = tuple(min(max(share, 0.0), 1.0) for share in (red, green, blue, opacity))
    return material.get('name', ''), rgba


def _visual(visual: Any, files: MeshFiles, colors: Mapping[str, Any]) -> list[Shape]:
    """One visual; [] if its file is missing or cannot be read."""
    material, color = visual.find('material'), None
    if material is not None:
        _, color = _named_color(material) or ('', colors.get(material.get('name', '')))
    try:
        meshes = _geometry(visual.find('geometry'), files)
        origin = visual.find('origin')
        if origin is not None:
            pose = trimesh.transformations.euler_matrix(*_numbers(origin.get('rpy', '0 0 0')))
            pose[:3, 3] = _numbers(origin.get('xyz', '0 0 0'))
            for mesh in meshes:
                mesh.apply_transform(pose)
        return [Shape(mesh, color or _own_color(mesh)) for mesh in meshes]
    except Exception:  # nonsense in the URDF raises any kind; the link gets bars instead
        return []


def _own_color(mesh: Any) -> tuple[float, ...] | None:
    """The color of a mesh file, as a single one; None if it has none."""
    if not mesh.visual.defined:
        return None
    look = getattr(mesh.visual, 'material', mesh.visual)
    return tuple(float(share) / 255.0 for share in look.main_color)


def _geometry(geometry: Any, files: MeshFiles) -> list[Any]:
    (shape,) = geometry
    if shape.tag == 'box':
        return [trimesh.creation.box(_numbers(shape.get('size')))]
    if shape.tag == 'sphere':
        return [trimesh.creation.icosphere(subdivisions=2, radius=float(shape.get('radius')))]
    if shape.tag == 'cylinder':
        length = float(shape.get('length'))
        return [trimesh.creation.cylinder(float(shape.get('radius')), length, sections=SECTIONS)]
    meshes = files.load(shape.get('filename'))
    for mesh in meshes:
        mesh.apply_scale(_numbers(shape.get('scale', '1 1 1')))
    return meshes


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]
