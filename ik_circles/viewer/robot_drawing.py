# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The robot in the scene: a shape for each link, placed by the core's forward kinematics."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ik_circles.robot.arm import RobotArm

#: Poses (4x4) are the same if no entry differs by more [1 or m].
SAME_POSE = 1e-3

if TYPE_CHECKING:
    from ik_circles.viewer.shapes import Shape  # it needs trimesh, which viser brings


class RobotDrawing:
    """One drawing of the robot, hidden until it is placed.

    `shapes` are those of `link_shapes`, for the links to draw. A shape without a color of its own
    is drawn in `color`. If an `opacity` is given, every shape is.
    """

    def __init__(
        self,
        scene: Any,
        name: str,
        arm: RobotArm,
        shapes: 'Mapping[str, list[Shape]]',
        color: tuple[int, int, int],
        opacity: float | None = None,
    ) -> None:
        self._arm = arm
        self._parts = {}
        for link, found in shapes.items():
            frame = scene.add_frame(f'{name}/{link}', show_axes=False, visible=False)
            self._parts[link] = frame
            plain = opacity is not None
            for number, (mesh, look) in enumerate(_merged(found, plain)):
                *share, seen = look or (None,)
                scene.add_mesh_simple(
                    f'{name}/{link}/{number}',
                    mesh.vertices,
                    mesh.faces,
                    color=tuple(round(255 * one) for one in share) or color,
                    opacity=opacity if plain or seen == 1.0 else seen,
                    flat_shading=True,
                )

    def place(
        self, positions: Mapping[str, float], other: Mapping[str, float] | None = None
    ) -> None:
        """Show it at joint positions by name [rad or m]; joints that are not named are at 0.

        Links that are in the same place at `other` joint positions are hidden: what is seen through
        would only dull the colors of the drawing there.
        """
        from viser.transforms import SO3

        poses = self._arm.tree.poses(self._arm.base_link, positions)
        taken = {} if other is None else self._arm.tree.poses(self._arm.base_link, other)
        for link, part in self._parts.items():
            pose = poses[link]
            part.position = pose[:3, 3]
            part.wxyz = SO3.from_matrix(pose[:3, :3]).wxyz
            part.visible = link not in taken or not np.allclose(pose, taken[link], atol=SAME_POSE)

    def hide(self) -> None:
        """Hide it until it is placed again."""
        for part in self._parts.values():
            part.visible = False


def _merged(shapes: 'list[Shape]', plain: bool) -> 'list[Shape]':
    """One shape for each color; a single shape if all are drawn `plain`."""
    import trimesh

    from ik_circles.viewer.shapes import Shape

    meshes: dict[Any, list[Any]] = {}
    for mesh, color in shapes:
        meshes.setdefault(None if plain else color, []).append(mesh)
    return [Shape(trimesh.util.concatenate(some), color) for color, some in meshes.items()]


def moved_links(arm: RobotArm) -> set[str]:
    """The links that the commanded joints move."""
    commanded = set(arm.commanded_joints)
    return {
        link for link in arm.tree.links if not commanded.isdisjoint(arm.joints_moving(link) or ())
    }
