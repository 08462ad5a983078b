# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The scene: the robot, its ghosts, the arm's plane, and the target to drag."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ik_circles import palette
from ik_circles.control.moves.ahead import Ahead
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.palette import rgb
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.grips import Grips
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.robot_drawing import RobotDrawing, moved_links
from ik_circles.viewer.state import TargetAnswer
from ik_circles.viewer.workspace_drawing import WorkspaceDrawing, add_ground, add_lines

ROBOT, GHOST = rgb(palette.ARM_IN_SCENE), rgb(palette.GHOST)
REACHED, REFUSED = rgb(palette.REACHED), rgb(palette.REFUSED)
#: Opacity of a ghost: if there are few, and if there may be seven, which are seen through each
#: other.
ALONE_OPACITY, GHOST_OPACITY = 0.45, 0.3
#: Most ghosts that are drawn.
MOST_GHOSTS = 7
#: Radius of the hollow ball at the nearest point, in reaches of the arm, and how often its faces
#: are divided. With more lines, it would look filled.
NEAREST_RADIUS, NEAREST_FACES = 0.045, 0
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

        self._scene = server.scene
        self._arm, self._description = arm, description
        self._scene.reset()
        self._reach = arm.arm.max_reach
        self._scene.configure_default_lights(cast_shadow=False)
        shapes = link_shapes(arm, description, files)
        self._robot = RobotDrawing(self._scene, '/robot', arm, shapes, ROBOT)
        moved = moved_links(arm)
        self._ghost_shapes = {link: shape for link, shape in shapes.items() if link in moved}
        self._ghosts: list[RobotDrawing] = []
        self._refusal: list[Any] = []
        self._way: Ahead | None = None
        self._way_lines: list[Any] = []
        self._workspace: WorkspaceDrawing | None = None
        self._grips = Grips(self._scene, arm, on_drag)

    def shows(self, arm: RobotArm, description: str) -> bool:
        """Whether the scene shows this arm: the same robot, between the same links."""
        ends = self._arm.base_link, self._arm.tip_link
        return self._description == description and ends == (arm.base_link, arm.tip_link)

    # --- what changes ---

    def outline(self, arm: RobotArm, settings: Settings) -> None:
        """Draw the workspace for the held joints and the margin as they are now; then `place`."""
        self._arm = arm
        self._workspace = WorkspaceDrawing(self._scene, arm, settings)
        add_ground(self._scene, self._reach, arm.floor)

    def place(self, measured: Mapping[str, float]) -> None:
        """Show the robot and its plane at the measured joint positions."""
        yaw = self._arm.naming.configuration(measured).yaw
        self._robot.place(measured)
        self._grips.yaw = yaw
        if self._workspace is not None:
            self._workspace.turn(yaw)

    @property
    def arm(self) -> RobotArm:
        """The arm whose workspace is drawn."""
        return self._arm

    @property
    def target(self) -> Point3:
        """Where the target's ball is [m]."""
        return self._grips.target

    def place_target(self, position: Point3) -> None:
        """Put the target's ball there [m]."""
        self._grips.place(position)

    def lead(self, way: Ahead | None) -> None:
        """Show the straight line to a target: the part that can be followed, and the rest."""
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
        answer = answer if target and answer and answer.is_of_target else None
        accepted = answer is not None and answer.code is Code.OK
        self._grips.color(answer)
        for handle in self._refusal:
            handle.remove()
        self._refusal = []
        if target is not None and answer is not None and not accepted:
            self._refusal = self._add_refusal(target, answer)
        self._show_ghosts(answer)

    def _add_refusal(self, target: Target, answer: TargetAnswer) -> list[Any]:
        """The way to the nearest point, if there is one."""
        if (nearest := answer.nearest) is None:
            return []
        radius, way = NEAREST_RADIUS * self._reach, np.array([[target.position, nearest]])
        ball = self._scene.add_icosphere(
            '/nearest', radius, REFUSED,
            subdivisions=NEAREST_FACES, wireframe=True, position=nearest,
        )  # fmt: skip
        return [ball, add_lines(self._scene, '/to_nearest', way, REFUSED)]

    def _show_ghosts(self, answer: TargetAnswer | None) -> None:
        others = answer.others if answer else []
        for number, positions in enumerate(others[:MOST_GHOSTS]):
            if number == len(self._ghosts):
                shapes, name = self._ghost_shapes, f'/ghost_{number}'
                opacity = ALONE_OPACITY if len(self._arm.wrist_joints) < 2 else GHOST_OPACITY
                ghost = RobotDrawing(self._scene, name, self._arm, shapes, GHOST, opacity)
                self._ghosts.append(ghost)
            self._ghosts[number].place(positions, answer.command if answer else None)
        for ghost in self._ghosts[len(others) :]:
            ghost.hide()

