"""What is in the scene: the robot, its ghosts, the plane, and the target to drag."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ik_circles.chain import NamedPositions, PlanarChain, Point3
from ik_circles.planner import Settings, Target
from ik_circles.reachability import Code
from ik_circles.urdf import Matrix
from ik_circles.viewer.figure import Color, Figure, moved_links
from ik_circles.viewer.shapes import link_shapes
from ik_circles.viewer.state import Answer
from ik_circles.viewer.workspace_view import WorkspaceView

ROBOT: Color = (0, 114, 178)
GHOST: Color = (142, 155, 176)
GOOD: Color = (0, 158, 115)
BAD: Color = (213, 94, 0)
UNKNOWN: Color = (120, 120, 120)
#: Opacity of a ghost, and the most that are drawn.
FAINT, MOST_GHOSTS = 0.25, 7
#: Radius of the target, length of its arrows, in reaches of the arm.
TARGET, ARROWS = 0.028, 0.26
#: From where the camera looks: out of the plane, along its y and x, in reaches of the arm.
CAMERA = 2.9, 0.45, 0.35


class Scene:
    """The scene of one robot. `on_drag` is awaited with each position that a user drags to."""

    def __init__(
        self,
        server: Any,
        chain: PlanarChain,
        description: str,
        folder: Path | None,
        on_drag: Callable[[Point3], None],
    ) -> None:
        self._server, self._scene = server, server.scene
        self._chain, self._description = chain, description
        self._scene.reset()
        self._reach = chain.arm.max_reach
        self._light()
        shapes = link_shapes(chain, description, folder)
        self._robot = Figure(self._scene, '/robot', chain, shapes, ROBOT)
        moved = moved_links(chain)
        self._ghost_shapes = {link: shape for link, shape in shapes.items() if link in moved}
        self._ghosts: list[Figure] = []
        self._gizmo = self._add_gizmo(on_drag)
        self._ball: Any = None
        self._nearest: list[Any] = []
        self._ball_at((0.0, 0.0, 0.0), UNKNOWN)

    def is_of(self, chain: PlanarChain, description: str) -> bool:
        """Whether it can go on for this chain: the same robot between the same links."""
        ends = (chain.base_link, chain.tip_link)
        return self._description == description and ends == (
            self._chain.base_link,
            self._chain.tip_link,
        )

    def _light(self) -> None:
        """Camera, floor and background for an arm of this size, seen on its plane."""
        x, y, normal, center = (self._chain.plane[:3, column] for column in range(4))
        out, up, aside = (share * self._reach for share in CAMERA)
        self._scene.set_up_direction(tuple(y))
        camera = self._server.initial_camera
        camera.position = tuple(center + out * normal + up * y + aside * x)
        camera.look_at = tuple(center)
        camera.up = tuple(y)
        for client in self._server.get_clients().values():
            client.camera.position = camera.position
            client.camera.look_at = camera.look_at
        self._scene.add_grid(
            '/grid',
            plane='xy',
            width=4.0 * self._reach,
            height=4.0 * self._reach,
            cell_size=self._reach / 5.0,
            section_size=self._reach,
            cell_color=(225, 225, 225),
            section_color=(200, 200, 200),
            position=(0.0, 0.0, -0.02 * self._reach),
        )

    def _add_gizmo(self, on_drag: Callable[[Point3], None]) -> Any:
        """Arrows along the plane, and across it if a yaw joint turns it."""
        from viser.transforms import SO3

        gizmo = self._scene.add_transform_controls(
            '/target',
            scale=ARROWS * self._reach,
            active_axes=(True, True, self._chain.yaw is not None),
            disable_rotations=True,
            depth_test=False,
            wxyz=SO3.from_matrix(self._chain.plane[:3, :3]).wxyz,
        )

        async def dragged(event: Any) -> None:
            position = _point(event.target.position)
            self._ball.position = position
            on_drag(position)

        gizmo.on_update(dragged)
        return gizmo

    def _ball_at(self, position: Point3, color: Color) -> None:
        self._ball = self._scene.add_icosphere(
            '/ball', TARGET * self._reach, color, position=position, cast_shadow=False
        )

    # --- what changes ---

    def outline(
        self, chain: PlanarChain, settings: Settings, measured: Mapping[str, float]
    ) -> None:
        """Draw the workspace with the held joints and the margin as they are now."""
        self._chain = chain
        self._plane = WorkspaceView(self._scene, chain, settings)
        self._plane.turn(chain.configuration(measured).yaw)

    def stand(self, measured: Mapping[str, float]) -> None:
        """Show the robot, and its plane, at the measured joint positions."""
        self._robot.stand(measured)
        if hasattr(self, '_plane'):
            self._plane.turn(self._chain.configuration(measured).yaw)

    def place_target(self, position: Point3) -> None:
        """Put the gizmo where nobody has dragged it."""
        self._gizmo.position = position
        self._ball.position = position

    def mark(self, target: Target | None, answer: Answer | None) -> None:
        """Colour the target, and show the nearest point and the other solutions."""
        if target is None:
            return
        color = UNKNOWN if answer is None else GOOD if answer.code is Code.OK else BAD
        self._ball_at(target.position, color)
        for handle in self._nearest:
            handle.remove()
        self._nearest = []
        if answer is not None and answer.code is not Code.OK:
            self._nearest = self._refused(target, answer)
        self._show_ghosts(answer.others if answer else [])

    def _refused(self, target: Target, answer: Answer) -> list[Any]:
        label = self._scene.add_label(
            '/reason', answer.message, position=target.position, anchor='bottom-left'
        )
        if answer.nearest is None:
            return [label]
        return [
            label,
            self._scene.add_icosphere('/nearest', TARGET * self._reach / 1.6, BAD,
                                      position=answer.nearest, cast_shadow=False),
            self._scene.add_line_segments(
                '/to_nearest', np.array([[target.position, answer.nearest]]), BAD,
                thickness=2.5, thickness_units='screen',
            ),
        ]  # fmt: skip

    def _show_ghosts(self, others: list[NamedPositions]) -> None:
        for number, positions in enumerate(others[:MOST_GHOSTS]):
            if number == len(self._ghosts):
                name = f'/ghost_{number}'
                shapes = self._ghost_shapes
                self._ghosts.append(
                    Figure(self._scene, name, self._chain, shapes, GHOST, FAINT)
                )
            self._ghosts[number].stand(positions)
        for ghost in self._ghosts[len(others) :]:
            ghost.hide()


def _point(values: Matrix) -> Point3:
    x, y, z = map(float, values)
    return x, y, z
