"""What is in the scene: the robot, its ghosts, the plane, and the target to drag."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ik_circles import palette
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.rigid import Matrix
from ik_circles.palette import rgb
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm
from ik_circles.viewer.robot_view import Figure, moved_links
from ik_circles.viewer.shapes import link_shapes
from ik_circles.viewer.state import Answer, point_of
from ik_circles.viewer.workspace_view import WorkspaceView

#: Lighter than `palette.ARM`: the scene's shading darkens it.
ROBOT = rgb('#1e8cd2')
REACHED, REFUSED, GHOST = rgb(palette.REACHED), rgb(palette.REFUSED), rgb(palette.GHOST)
#: The target before its answer.
UNANSWERED = rgb('#787878')
FLOOR = rgb('#e4e4e4')
#: Opacity of a ghost, and the most that are drawn.
FAINT, MOST_GHOSTS = 0.18, 7
#: Radius of the target, in reaches of the arm.
TARGET = 0.04
#: From where the camera looks: out of the plane, along its y and x, in reaches of the arm.
CAMERA = 2.55, 0.4, 0.3
#: The camera's vertical field of view [rad].
FIELD = math.radians(60.0)
#: A line of sight is along the plane if it meets it at less than this, as a sine.
ALONG = 0.02


class View(NamedTuple):
    """Where a camera is, what it looks at [m], and which direction is up."""

    position: Point3
    look_at: Point3
    up: Point3


def view_of(chain: RobotArm) -> View:
    """The first view of an arm: its plane from the side, x to the right."""
    x, y, normal, center = (chain.plane[:3, column] for column in range(4))
    out, up, aside = (share * chain.arm.max_reach for share in CAMERA)
    return View(point_of(center + out * normal + up * y + aside * x), point_of(center), point_of(y))


def held(chain: RobotArm, eye: Matrix, point: Matrix) -> Point3:
    """Where a target goes that is dragged to what the eye sees at `point` [m]: to that point, or
    without a yaw joint to the point of the arm's plane that is seen there."""
    if chain.yaw is None:
        sight = np.subtract(point, eye)
        normal = chain.plane[:3, 2]
        slope = float(normal @ sight)
        if abs(slope) > ALONG * float(np.linalg.norm(sight)):
            point = eye + sight * (float(normal @ (chain.plane[:3, 3] - eye)) / slope)
        x, y, _ = chain.into_plane(point.tolist())
        return chain.from_plane(x, y)
    return point_of(point)


def _floor(reach: float) -> Matrix:
    """Lines a fifth of a reach apart, on a square four reaches wide (N, 2, 3) [m]: viser's grid
    takes a third of the time in which a processor draws all of the scene."""
    half, below = 2.0 * reach, -0.02 * reach
    places = np.linspace(-half, half, 21)
    along_x = [((-half, y, below), (half, y, below)) for y in places]
    along_y = [((x, -half, below), (x, half, below)) for x in places]
    return np.array(along_x + along_y)


class Scene:
    """The scene of one robot. `on_drag` is awaited with each position that a user drags to."""

    def __init__(
        self,
        server: Any,
        chain: RobotArm,
        description: str,
        folder: Path | None,
        on_drag: Callable[[Point3], None],
    ) -> None:
        self._server, self._scene = server, server.scene
        self._chain, self._description = chain, description
        self._scene.reset()
        self._reach = chain.arm.max_reach
        self._set_up()
        shapes = link_shapes(chain, description, folder)
        self._robot = Figure(self._scene, '/robot', chain, shapes, ROBOT)
        moved = moved_links(chain)
        self._ghost_shapes = {link: shape for link, shape in shapes.items() if link in moved}
        self._ghosts: list[Figure] = []
        self._refusal: list[Any] = []
        self._grip: Matrix = np.zeros(3)
        self._ball = self._add_target(on_drag)

    def is_of(self, chain: RobotArm, description: str) -> bool:
        """Whether it can go on for this chain: the same robot between the same links."""
        ends = (chain.base_link, chain.tip_link)
        return self._description == description and ends == (
            self._chain.base_link,
            self._chain.tip_link,
        )

    def _set_up(self) -> None:
        """Camera and floor for an arm of this size, seen on its plane."""
        self._scene.configure_default_lights(cast_shadow=False)
        view = view_of(self._chain)
        self._scene.set_up_direction(view.up)
        camera = self._server.initial_camera
        camera.fov, camera.up = FIELD, view.up
        camera.position, camera.look_at = view.position, view.look_at
        for client in self._server.get_clients().values():
            client.camera.position, client.camera.look_at = view.position, view.look_at
        self._scene.add_line_segments(
            '/floor', _floor(self._reach), FLOOR, thickness=1.0, thickness_units='screen'
        )

    def _add_target(self, on_drag: Callable[[Point3], None]) -> Any:
        """A ball to drag across the line of sight, or in the plane of an arm that has only one."""
        ball = self._scene.add_icosphere('/target', TARGET * self._reach, UNANSWERED)

        async def dragged(event: Any) -> None:
            eye = event.client.camera.position
            if event.phase == 'start':  # where it was taken stays under the pointer
                taken = held(self._chain, eye, np.array(event.start_position))
                self._grip = np.subtract(ball.position, taken)
            seen = held(self._chain, eye, np.array(event.end_position))
            ball.position = np.add(seen, self._grip)
            on_drag(point_of(ball.position))

        ball.on_drag(dragged)
        return ball

    # --- what changes ---

    def outline(
        self, chain: RobotArm, settings: Settings, measured: Mapping[str, float]
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

    @property
    def target(self) -> Point3:
        """Where the ball is [m]."""
        return point_of(self._ball.position)

    def place_target(self, position: Point3) -> None:
        """Put the ball there."""
        self._ball.position = position

    def mark(self, target: Target | None, answer: Answer | None) -> None:
        """Colour the target, and show the nearest point and the other solutions."""
        if target is None:
            return
        color = UNANSWERED if answer is None else REACHED if answer.code is Code.OK else REFUSED
        self._ball.color = color
        for handle in self._refusal:
            handle.remove()
        self._refusal = []
        if answer is not None and answer.code is not Code.OK:
            self._refusal = self._refused(target, answer)
        self._show_ghosts(answer.others if answer else [])

    def _refused(self, target: Target, answer: Answer) -> list[Any]:
        text = re.split('[:;]', answer.message)[0]
        to_the_right = self._chain.into_plane(target.position)[0] > 0.0
        anchor = 'bottom-right' if to_the_right else 'bottom-left'  # inwards, where there is room
        label = self._scene.add_label('/reason', text, position=target.position, anchor=anchor)
        if answer.nearest is None:
            return [label]
        return [
            label,
            self._scene.add_icosphere('/nearest', TARGET * self._reach / 1.6, REFUSED,
                                      position=answer.nearest),
            self._scene.add_line_segments(
                '/to_nearest', np.array([[target.position, answer.nearest]]), REFUSED,
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
