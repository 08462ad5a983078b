# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The scene: the robot, its ghosts, the arm's plane, and the target to drag."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ik_circles import palette
from ik_circles.control.moves.ahead import Ahead
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.rigid import Matrix
from ik_circles.palette import rgb
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm
from ik_circles.viewer.camera import FIELD, dragged_to, view_of
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.robot_drawing import RobotDrawing, moved_links
from ik_circles.viewer.state import TargetAnswer
from ik_circles.viewer.targets import point_of
from ik_circles.viewer.workspace_drawing import WorkspaceDrawing, add_ground, add_lines

ROBOT, GHOST = rgb(palette.ARM_IN_SCENE), rgb(palette.GHOST)
REACHED, REFUSED = rgb(palette.REACHED), rgb(palette.REFUSED)
UNANSWERED = rgb(palette.UNANSWERED)
#: Opacity of a ghost.
GHOST_OPACITY = 0.18
#: Most ghosts that are drawn.
MOST_GHOSTS = 7
#: Radius of the target's ball, in reaches of the arm.
TARGET_RADIUS = 0.04
#: Width of the way ahead [pixels].
WAY_WIDTH = 5.0
#: Shorter parts of the way ahead are not drawn, in reaches of the arm.
SHORTEST_WAY = 1e-3


class Scene:
    """The scene of one robot. `on_drag` is called with each position that a user drags to."""

    def __init__(
        self,
        server: Any,
        arm: RobotArm,
        description: str,
        files: MeshFiles,
        on_drag: Callable[[Point3], None],
    ) -> None:
        from ik_circles.viewer.shapes import link_shapes  # it needs trimesh, which viser brings

        self._server, self._scene = server, server.scene
        self._arm, self._description = arm, description
        self._scene.reset()
        self._reach = arm.arm.max_reach
        self._set_up()
        shapes = link_shapes(arm, description, files)
        self._robot = RobotDrawing(self._scene, '/robot', arm, shapes, ROBOT)
        moved = moved_links(arm)
        self._ghost_shapes = {link: shape for link, shape in shapes.items() if link in moved}
        self._ghosts: list[RobotDrawing] = []
        self._refusal: list[Any] = []
        self._way: Ahead | None = None
        self._way_lines: list[Any] = []
        self._workspace: WorkspaceDrawing | None = None
        self._grip: Matrix = np.zeros(3)
        self._ball = self._add_target(on_drag)

    def shows(self, arm: RobotArm, description: str) -> bool:
        """Whether it is the scene of this arm: of the same robot, between the same links."""
        ends = self._arm.base_link, self._arm.tip_link
        return self._description == description and ends == (arm.base_link, arm.tip_link)

    def _set_up(self) -> None:
        """Camera and light for an arm of this size."""
        self._scene.configure_default_lights(cast_shadow=False)
        view = view_of(self._arm)
        self._scene.set_up_direction(view.up)
        camera = self._server.initial_camera
        camera.fov, camera.up = FIELD, view.up
        camera.position, camera.look_at = view.position, view.look_at
        for client in self._server.get_clients().values():
            client.camera.position, client.camera.look_at = view.position, view.look_at

    def _add_target(self, on_drag: Callable[[Point3], None]) -> Any:
        """A ball that is dragged across the line of sight, or in the arm's only plane."""
        ball = self._scene.add_icosphere('/target', TARGET_RADIUS * self._reach, UNANSWERED)

        async def dragged(event: Any) -> None:
            eye = event.client.camera.position
            if event.phase == 'start':  # the spot that was gripped stays under the pointer
                gripped = dragged_to(self._arm, eye, np.array(event.start_position))
                self._grip = np.subtract(ball.position, gripped)
            pointed = dragged_to(self._arm, eye, np.array(event.end_position))
            ball.position = np.add(pointed, self._grip)
            on_drag(point_of(ball.position))

        ball.on_drag(dragged)
        return ball

    # --- what changes ---

    def outline(self, arm: RobotArm, settings: Settings) -> None:
        """Draw the workspace for the held joints and the margin as they are now; then `place`."""
        self._arm = arm
        self._workspace = WorkspaceDrawing(self._scene, arm, settings)
        add_ground(self._scene, self._reach, arm.floor)

    def place(self, measured: Mapping[str, float]) -> None:
        """Show the robot and its plane at the measured joint positions."""
        self._robot.place(measured)
        if self._workspace is not None:
            self._workspace.turn(self._arm.naming.configuration(measured).yaw)

    @property
    def arm(self) -> RobotArm:
        """The arm whose workspace is drawn."""
        return self._arm

    @property
    def target(self) -> Point3:
        """Where the target's ball is [m]."""
        return point_of(self._ball.position)

    def place_target(self, position: Point3) -> None:
        """Put the target's ball there [m]."""
        self._ball.position = position

    def lead(self, way: Ahead | None) -> None:
        """Show the straight line to a target: what can be done of it, and the rest."""
        if way is self._way:
            return
        self._way = way
        for handle in self._way_lines:
            handle.remove()
        self._way_lines = []
        if way is None:
            return
        ends = (way.start, way.done_to), (way.done_to, way.end)
        for name, (begin, end), color in zip(('done', 'rest'), ends, (REACHED, REFUSED)):
            if math.dist(begin, end) > SHORTEST_WAY * self._reach:
                line = np.array([[begin, end]])
                drawn = add_lines(self._scene, f'/ahead/{name}', line, color, WAY_WIDTH)
                self._way_lines.append(drawn)

    def mark(self, target: Target | None, answer: TargetAnswer | None) -> None:
        """Color the target, and show the nearest point and the other solutions."""
        if target is None:
            return
        accepted = answer is not None and answer.code is Code.OK
        self._ball.color = UNANSWERED if answer is None else REACHED if accepted else REFUSED
        for handle in self._refusal:
            handle.remove()
        self._refusal = []
        if answer is not None and not accepted:
            self._refusal = self._add_refusal(target, answer)
        self._show_ghosts(answer.others if answer else [])

    def _add_refusal(self, target: Target, answer: TargetAnswer) -> list[Any]:
        """The reason beside the target, and the way to the nearest point, if there is one."""
        if (nearest := answer.nearest) is None:
            return []
        text = re.split('[:;]', answer.message)[0]
        to_the_right = self._arm.spatial.plane.into(target.position)[0] > 0.0
        anchor = 'bottom-right' if to_the_right else 'bottom-left'  # inwards, where there is room
        label = self._scene.add_label('/reason', text, position=target.position, anchor=anchor)
        radius, way = TARGET_RADIUS * self._reach / 1.6, np.array([[target.position, nearest]])
        ball = self._scene.add_icosphere('/nearest', radius, REFUSED, position=nearest)
        return [label, ball, add_lines(self._scene, '/to_nearest', way, REFUSED)]

    def _show_ghosts(self, others: list[NamedPositions]) -> None:
        for number, positions in enumerate(others[:MOST_GHOSTS]):
            if number == len(self._ghosts):
                shapes, name = self._ghost_shapes, f'/ghost_{number}'
                ghost = RobotDrawing(self._scene, name, self._arm, shapes, GHOST, GHOST_OPACITY)
                self._ghosts.append(ghost)
            self._ghosts[number].place(positions)
        for ghost in self._ghosts[len(others) :]:
            ghost.hide()

