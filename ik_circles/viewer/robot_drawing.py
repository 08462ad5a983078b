# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The robot in the scene: a shape for each link, placed by the core's forward kinematics."""

from collections.abc import Mapping
from typing import Any

from ik_circles.robot.arm import RobotArm


class RobotDrawing:
    """One drawing of the robot, hidden until it is placed.

    `shapes` are those of `link_shapes`, of the links to draw.
    """

    def __init__(
        self,
        scene: Any,
        name: str,
        arm: RobotArm,
        shapes: Mapping[str, Any],
        color: tuple[int, int, int],
        opacity: float | None = None,
    ) -> None:
        self._arm = arm
        self._parts = {
            link: scene.add_mesh_simple(
                f'{name}/{link}',
                shape.vertices,
                shape.faces,
                color=color,
                opacity=opacity,
                flat_shading=True,
                visible=False,
            )
            for link, shape in shapes.items()
        }

    def place(self, positions: Mapping[str, float]) -> None:
        """Show it at joint positions by name [rad or m]; joints that are not named are at 0."""
        from viser.transforms import SO3

        poses = self._arm.tree.poses(self._arm.base_link, positions)
        for link, part in self._parts.items():
            pose = poses[link]
            part.position = pose[:3, 3]
            part.wxyz = SO3.from_matrix(pose[:3, :3]).wxyz
            part.visible = True

    def hide(self) -> None:
        """Hide it until it is placed again."""
        for part in self._parts.values():
            part.visible = False


def moved_links(arm: RobotArm) -> set[str]:
    """The links that the commanded joints move."""
    commanded = set(arm.commanded_joints)
    return {
        link for link in arm.tree.links if not commanded.isdisjoint(arm.joints_moving(link) or ())
    }
