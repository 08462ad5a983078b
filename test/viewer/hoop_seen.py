# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The hoop around the ball of an arm at rest, and which of its points the robot does not hide."""

import math

import numpy as np

from ik_circles.robot.arm import RobotArm
from ik_circles.viewer.camera import View
from ik_circles.viewer.dragging import plane_at
from ik_circles.viewer.grips import HOOP_RADIUS
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.shapes import link_shapes
from ik_circles.viewer.targets import point_of

#: Points of the hoop that are looked at.
POINTS = 60


def hoop_points(arm: RobotArm) -> np.ndarray:
    """Points of the middle of the hoop with all joints at 0 [m]."""
    tip = arm.forward_kinematics(dict.fromkeys(arm.commanded_joints, 0.0))[:3, 3]
    normal = plane_at(arm, point_of(tip), 0.0).normal
    across = np.cross(normal, [0.3, 0.5, 0.8])
    across /= np.linalg.norm(across)
    angles = np.linspace(0.0, math.tau, POINTS, endpoint=False)
    around = np.outer(np.cos(angles), across) + np.outer(np.sin(angles), np.cross(normal, across))
    return tip + HOOP_RADIUS * arm.arm.max_reach * around


def is_seen(arm: RobotArm, text: str, view: View) -> np.ndarray:
    """Which of those points no triangle of the robot hides; `text` is that of its URDF."""
    poses = arm.tree.poses(arm.base_link, dict.fromkeys(arm.commanded_joints, 0.0))
    triangles = np.concatenate([
        mesh.copy().apply_transform(poses[link]).triangles
        for link, shapes in link_shapes(arm, text, MeshFiles()).items()
        for mesh, _ in shapes
    ])  # fmt: skip
    eye = np.array(view.position)
    return np.array([not _meets(triangles, eye, point) for point in hoop_points(arm)])


def _meets(triangles: np.ndarray, start: np.ndarray, end: np.ndarray) -> bool:
    """Whether a triangle meets the way between two points: by T. Moeller and B. Trumbore (1997)."""
    corner, way = triangles[:, 0], end - start
    one, other = triangles[:, 1] - corner, triangles[:, 2] - corner
    beside = np.cross(way, other)
    size = (one * beside).sum(axis=1)
    with np.errstate(divide='ignore', invalid='ignore'):
        u = ((start - corner) * beside).sum(axis=1) / size
        above = np.cross(start - corner, one)
        v, share = above @ way / size, (other * above).sum(axis=1) / size
    return bool(((u >= 0) & (v >= 0) & (u + v <= 1) & (share > 0) & (share < 1)).any())
