# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the arm can reach, in the scene: outline and safe zones in its plane, and the floor."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ik_circles import palette
from ik_circles.control.settings import Settings
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.palette import rgb
from ik_circles.robot.arm import RobotArm

#: Largest angle of a chord of a drawn arc [rad].
CHORD = math.radians(4.0)
#: Width of the lines [pixels].
LINE_WIDTH = 2.5
#: Half the side of the grid, and of a floor, in reaches of the arm.
GRID_HALF, FLOOR_HALF = 2.0, 1.25
#: How far the grid is below the base without a floor, and below a floor, in reaches of the arm.
GRID_BELOW, GRID_BELOW_FLOOR = 0.02, 0.004
FLOOR_OPACITY = 0.25


class WorkspaceDrawing:
    """The workspace of one arm with one safe zone margin, at the yaw angle 0 until it is turned.

    Without a margin, no safe zones are drawn: on the outline or beyond it, they would say nothing.
    """

    def __init__(self, scene: Any, arm: RobotArm, settings: Settings) -> None:
        self._arm = arm
        self._frame = scene.add_frame('/plane', show_axes=False)
        zones = settings.zones(arm).above(arm.arm.floor)
        outline = segments(arm.arm.workspace_boundary().arcs)
        dashes = segments(zones)[::2]  # every second chord
        add_lines(scene, '/plane/outline', outline, rgb(palette.OUTLINE_IN_SCENE))
        keeps = settings.safe_zone_margin > 0.0  # hidden, as an earlier margin may be drawn
        add_lines(scene, '/plane/safe_zones', dashes, rgb(palette.SAFE_ZONES), visible=keeps)
        if arm.arm.floor is not None:
            floor = np.pad(arm.arm.floor.line(arm.arm.max_reach), ((0, 0), (0, 1)))
            add_lines(scene, '/plane/floor', floor[np.newaxis], rgb(palette.OUTLINE_IN_SCENE))

    def turn(self, yaw: float) -> None:
        """Turn the drawing to a yaw angle [rad]."""
        from viser.transforms import SO3

        pose = plane_pose(self._arm, yaw)
        self._frame.position = pose[:3, 3]
        self._frame.wxyz = SO3.from_matrix(pose[:3, :3]).wxyz


def add_lines(
    scene: Any,
    name: str,
    ends: Matrix,
    color: tuple[int, int, int],
    width: float = LINE_WIDTH,
    visible: bool = True,
) -> Any:
    """Add N lines, given by both ends of each (N, 2, 3) [m], with a width [pixels]."""
    return scene.add_line_segments(
        name, ends, color, thickness=width, thickness_units='screen', visible=visible
    )


def add_ground(scene: Any, reach: float, floor: float | None) -> None:
    """Add the grid, and a floor at its height [m] if there is one.

    The floor is an image of one color, which no light falls on: it covers much of the scene, and a
    processor without a GPU takes longer for its light than for all the rest.
    """
    height, side = floor or 0.0, 2.0 * FLOOR_HALF * reach
    below = (GRID_BELOW if floor is None else GRID_BELOW_FLOOR) * reach
    add_lines(scene, '/grid', _grid(reach, height - below), rgb(palette.GRID), 1.0)
    color = np.array([[(*rgb(palette.FLOOR), round(255 * FLOOR_OPACITY))]], np.uint8)
    scene.add_image(
        '/floor',
        color,
        side,
        side,
        cast_shadow=False,
        receive_shadow=False,
        position=(0.0, 0.0, height),
        visible=floor is not None,
    )


def _grid(reach: float, height: float) -> Matrix:
    """Lines a fifth of a reach apart (N, 2, 3) [m].

    Without a GPU, viser's own grid takes up much of the time for drawing the scene.
    """
    half = GRID_HALF * reach
    places = np.linspace(-half, half, 21)
    along_x = [((-half, y, height), (half, y, height)) for y in places]
    along_y = [((x, -half, height), (x, half, height)) for x in places]
    return np.array(along_x + along_y)


def plane_pose(arm: RobotArm, yaw: float) -> Matrix:
    """Pose of the arm's plane in base_link (4x4) at a yaw angle [rad]."""
    pose: Matrix = np.eye(4)
    pose[:3, :3] = rotation_about(np.array(arm.spatial.plane.yaw_axis), yaw) @ arm.plane[:3, :3]
    pose[:3, 3] = arm.spatial.plane.point_at(0.0, 0.0, yaw)
    return pose


def segments(arcs: Iterable[Arc]) -> Matrix:
    """Both ends of each chord of the arcs, in the plane (N, 2, 3) [m]."""
    ends: list[Matrix] = [np.empty((0, 2, 3))]
    for arc in arcs:
        points = np.pad(arc.chords(CHORD), ((0, 0), (0, 1)))
        ends.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(ends)
