# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where the camera is: a first view of an arm that shows the whole workspace, and other sides.

A camera that goes below the ground is put back above it, because viser has no limit for that. The
same happens to a camera that would see a level plane from its edge. Each picture shows base_link's
z axis upright, as viser does.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.dragging import axis_of
from ik_circles.viewer.grips import HOOP_HALF, HOOP_RADIUS
from ik_circles.viewer.targets import point_of
from ik_circles.viewer.theme import SHEET

#: Direction of the camera in the first view: along x and y of the arm's plane, and out of it.
FIRST = 0.16, 0.24, 1.0
#: Directions of the camera by the names of the buttons; the last one is the first view.
VIEWS = {
    'Front': (1.0, 0.12, 0.0),
    'Side': (0.0, 0.0, 1.0),
    'Top': (0.0, 1.0, 0.001),
    'Reset': FIRST,
}
#: The same for an arm whose plane is level. The side that faces the plane is above it. From lower
#: sides, a few pixels would take a dragged ball from one end of the workspace to the other.
LEVEL_SIDES = {
    'Front': (1.0, 0.0, 0.5),
    'Side': (0.0, -1.0, 0.5),
    'Top': (0.0, -0.001, 1.0),
    'Reset': (0.0, -0.24, 1.0),
}
#: Upward in every picture, so that the horizon stays level however a user turns the camera.
UP = 0.0, 0.0, 1.0
#: A plane whose normal has a larger vertical part than this counts as level; the cosine.
LEVEL_PLANE = 0.7
#: The camera's vertical field of view [rad].
FIELD = math.radians(60.0)
#: Width by height of a picture, until a browser has reported its own.
ASPECT = 1.2
#: A picture narrower than this is on a phone. This share of its height is for the card at the top;
#: SHEET is for the controls at the bottom [1].
NARROW, CARD = 0.75, 0.16
#: Room for the whole workspace, and for the hoop of a ball at its edge [1].
ROOM = 1.0 + HOOP_RADIUS + HOOP_HALF
#: Lowest height of the camera above the ground, in reaches of the arm.
LOWEST = 0.03
#: Lowest height of the camera above a level plane by its distance. From a lower place, the
#: workspace would look like a line.
LEVEL_SLOPE = 0.15
#: Cameras that are closer together than this are at the same place, in reaches of the arm.
SAME_PLACE = 0.02


class View(NamedTuple):
    """The camera's position and the point that it looks at [m]."""

    position: Point3
    look_at: Point3


def view_of(
    arm: RobotArm, aspect: float = ASPECT, side: str = 'Reset', yaw: float = 0.0
) -> View:
    """A view of the whole workspace from a side of the arm's plane at the angle `yaw` [rad].

    `aspect` is the width of the picture by its height.
    """
    x, y, normal, center = (arm.plane[:3, column] for column in range(4))
    radius, axis = ROOM * arm.arm.max_reach, axis_of(arm)
    if axis is not None:
        beside = axis.beside(center)
        radius, center = radius + float(np.linalg.norm(beside)), center - beside
        if side != 'Reset':
            x, normal = (rotation_about(axis.direction, yaw) @ one for one in (x, normal))
    is_level = _is_level(normal)
    right, up, out = (LEVEL_SIDES if is_level else VIEWS)[side]
    if is_level:
        normal = math.copysign(1.0, normal[2]) * normal
    away = right * x + up * y + out * normal
    away /= np.linalg.norm(away)
    half = math.tan(FIELD / 2.0)
    over, under = (CARD, SHEET) if aspect < NARROW else (0.0, 0.0)
    highest, lowest = math.atan((1.0 - 2.0 * over) * half), math.atan((2.0 * under - 1.0) * half)
    above = (highest + lowest) / 2.0  # of the room that is left, its middle
    distance = radius / min(
        math.sin(highest - above), math.cos(above) * math.sin(math.atan(half * aspect))
    )
    seen_up = np.array(UP) - away * away[2]
    seen_up /= float(np.linalg.norm(seen_up))
    is_from_top = away[2] > LEVEL_PLANE
    if is_from_top:  # where it is tilted to is up, so it is moved instead
        distance *= math.cos(above)
    lower = math.tan(above) * distance * seen_up
    eye = center + distance * away - (lower if is_from_top else 0.0)
    return View(point_of(eye), point_of(center - lower))


def lowest_height(arm: RobotArm) -> float:
    """The lowest height of a camera above base_link [m]."""
    return (arm.floor or 0.0) + LOWEST * arm.arm.max_reach


class Cameras:
    """The cameras of all browsers that look at one arm."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._arm: RobotArm | None = None
        self._placed: dict[int, View] = {}
        self._on_the_way: set[int] = set()
        server.on_client_connect(self._connected)
        server.on_client_disconnect(self._gone)

    def show(self, arm: RobotArm) -> None:
        """Show another arm to all browsers."""
        self._arm = arm
        camera, view = self._server.initial_camera, view_of(arm)
        camera.fov, camera.position, camera.look_at = FIELD, view.position, view.look_at
        for client in self._server.get_clients().values():
            self.place(client)

    def place(self, client: Any, side: str = 'Reset', yaw: float = 0.0) -> None:
        """Move one browser's camera to a side of the arm's plane at the angle `yaw` [rad]."""
        if self._arm is None:
            return
        view = _above_ground(self._arm, view_of(self._arm, client.camera.aspect, side, yaw))
        number = client.client_id
        _put(client, view)
        self._placed.pop(number, None)
        self._on_the_way.discard(number)
        if side == 'Reset':
            self._placed[number] = view
            self._on_the_way.add(number)

    async def _connected(self, client: Any) -> None:
        """A browser has connected. viser calls `_moved` next for the same message, which places it.

        A camera placed here would be in place already when `_moved` looks at it.
        """
        self._on_the_way.add(client.client_id)
        client.camera.on_update(self._moved)

    async def _gone(self, client: Any) -> None:
        self._placed.pop(client.client_id, None)
        self._on_the_way.discard(client.client_id)

    async def _moved(self, camera: Any) -> None:
        """A user has moved a camera, or its picture has another shape, as when a panel opens."""
        arm, client = self._arm, camera.client
        if arm is None:
            return
        if self._is_to_be_placed(camera, arm):
            self.place(client)
            return
        view = View(point_of(camera.position), point_of(camera.look_at))
        above = _above_ground(arm, view)
        if view.position[2] < above.position[2] - SAME_PLACE * LOWEST:
            _put(client, above)

    def _is_to_be_placed(self, camera: Any, arm: RobotArm) -> bool:
        """Whether nobody has moved a camera since it was placed, but it should be elsewhere now.

        Until a camera reports the place where it was put, nobody has moved it. What it reports
        earlier was already on its way, such as viser's own view, which may be below the ground.
        """
        number = camera.client.client_id
        placed, is_on_the_way = self._placed.get(number), number in self._on_the_way
        if placed is None:
            return is_on_the_way

        def is_at(view: View) -> bool:
            return math.dist(view.position, camera.position) < SAME_PLACE * arm.arm.max_reach

        if is_at(placed):
            self._on_the_way.discard(number)
            return placed != _above_ground(arm, view_of(arm, camera.aspect))
        return is_on_the_way or is_at(view_of(arm))  # viser puts it there at first


def _is_level(normal: Matrix) -> bool:
    return bool(abs(normal[2]) > LEVEL_PLANE)


def _above_ground(arm: RobotArm, view: View) -> View:
    """A view from above the ground, and well above a level plane."""
    (x, y, z), lowest = view.position, lowest_height(arm)
    if arm.spatial.yaw is None and _is_level(arm.plane[:3, 2]):
        slope = LEVEL_SLOPE * math.dist((x, y), view.look_at[:2])
        lowest = max(lowest, float(arm.plane[2, 3]) + slope)
    return view._replace(position=(x, y, max(z, lowest)))


def _put(client: Any, view: View) -> None:
    """Move a camera. A new position alone would also move the point that it looks at."""
    with client.atomic():
        client.camera.position = view.position
        client.camera.look_at = view.look_at
