# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shape of each link: the visuals of the URDF if they are found, else bars between joints.

Needs trimesh, which viser brings.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from defusedxml import ElementTree

from ik_circles.geometry.rigid import Matrix
from ik_circles.robot.arm import RobotArm
from ik_circles.robot.tree import UrdfJoint

#: Radius of a bar, as a share of the arm's reach.
BAR = 0.017
#: Radius and height of a joint's disc, in radii of a bar.
DISC = 1.7, 2.6
#: Number of corners on the circumference of a bar or a disc.
SECTIONS = 24
#: Shortest bar that is drawn, in radii of a bar.
SHORTEST = 0.1


def link_shapes(arm: RobotArm, description: str, folder: Path | None) -> dict[str, Any]:
    """A trimesh for each link that has a shape, in the link's own frame.

    Parameters
    ----------
    arm : RobotArm
        An arm of the robot, whose size the bars have.
    description : str
        The text of the URDF.
    folder : Path or None
        The folder of relative file names; None: files with such names are not found.
    """
    visuals, of_files = _visuals(description, folder)
    radius = BAR * arm.arm.max_reach
    shapes = {}
    for link in arm.tree.links:
        parts = visuals.get(link) or list(_bars(arm, link, radius))
        above = arm.tree.joint_above.get(link)
        if above is not None and above.type != 'fixed' and link not in of_files:
            parts.append(_disc(above, radius))
        if parts:
            shapes[link] = parts[0] if len(parts) == 1 else trimesh.util.concatenate(parts)
    return shapes


# --- without visuals --------------------------------------------------------------------------


def _bars(arm: RobotArm, link: str, radius: float) -> Iterator[Any]:
    """Bars from the link's frame to each joint that it carries, and a ball at the arm's end."""
    for joint in arm.tree.joints:
        end = joint.origin[:3, 3]
        if joint.parent == link and np.linalg.norm(end) > SHORTEST * radius:
            segment = np.array([np.zeros(3), end])
            yield trimesh.creation.cylinder(radius, segment=segment, sections=SECTIONS)
            yield _ball(end, radius)
    if link == arm.tip_link:
        yield _ball(np.zeros(3), 1.2 * radius)


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


def _visuals(description: str, folder: Path | None) -> tuple[dict[str, list[Any]], set[str]]:
    """The visuals of each link in its frame, and the links that have mesh files.

    A link with a missing file has no visuals here. Meshes show the joint, so it needs no disc.
    """
    found: dict[str, list[Any]] = {}
    of_files = set()
    for link in ElementTree.fromstring(description.encode()).findall('link'):
        name = link.get('name', '')
        parts = [_visual(visual, folder) for visual in link.findall('visual')]
        if parts and all(part is not None for part in parts):
            found[name] = parts
            if link.find('visual/geometry/mesh') is not None:
                of_files.add(name)
    return found, of_files


def _visual(visual: Any, folder: Path | None) -> Any:
    """One visual as a trimesh; None if its file is missing or cannot be read."""
    try:
        mesh = _geometry(visual.find('geometry'), folder)
        origin = visual.find('origin')
        if mesh is not None and origin is not None:
            turn = trimesh.transformations.euler_matrix(*_numbers(origin.get('rpy', '0 0 0')))
            turn[:3, 3] = _numbers(origin.get('xyz', '0 0 0'))
            mesh.apply_transform(turn)
    except Exception:  # mesh readers raise any exception; the link gets bars instead
        return None
    return mesh


def _geometry(geometry: Any, folder: Path | None) -> Any:
    (shape,) = geometry
    if shape.tag == 'box':
        return trimesh.creation.box(_numbers(shape.get('size')))
    if shape.tag == 'sphere':
        return trimesh.creation.icosphere(subdivisions=2, radius=float(shape.get('radius')))
    if shape.tag == 'cylinder':
        length = float(shape.get('length'))
        return trimesh.creation.cylinder(float(shape.get('radius')), length, sections=SECTIONS)
    path = _file(shape.get('filename'), folder)
    if path is None:
        return None
    mesh = trimesh.load_mesh(path)
    mesh.apply_scale(_numbers(shape.get('scale', '1 1 1')))
    return mesh


def _file(name: str, folder: Path | None) -> Path | None:
    """The file that a URDF names by package://, file://, or a path relative to its folder."""
    if name.startswith('package://'):
        package, _, rest = name.removeprefix('package://').partition('/')
        prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
        candidates = [Path(prefix, 'share', package, rest) for prefix in prefixes if prefix]
    elif name.startswith('file://') or Path(name).is_absolute():
        candidates = [Path(name.removeprefix('file://'))]
    else:
        candidates = [folder / name] if folder else []
    return next((path for path in candidates if path.is_file()), None)


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]
