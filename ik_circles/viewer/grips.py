# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What can be dragged in the scene: the target's ball, and the ring that turns its plane."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ik_circles import palette
from ik_circles.geometry.rigid import Matrix
from ik_circles.palette import rgb
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.dragging import DragPlane, axis_of, in_plane, plane_at, turn_of
from ik_circles.viewer.state import TargetAnswer
from ik_circles.viewer.targets import point_of

COLORS = {
    'reached': rgb(palette.REACHED), 'tilted': rgb(palette.TILTED), 'refused': rgb(palette.REFUSED),
}  # fmt: skip
UNANSWERED, RING = rgb(palette.UNANSWERED), rgb(palette.HANDLE)
#: Radius of the target's ball, in reaches of the arm.
TARGET_RADIUS = 0.045
#: The hoop around the ball: its radius and half its thickness, in reaches of the arm. It stays
#: visible where the arm's wrist hides the ball.
HOOP_RADIUS, HOOP_HALF = 0.11, 0.012
#: The label of the ball until somebody drags it. It is visible even through a wrist.
HINT = 'drag'
#: The ring: its radius, half its thickness, and the radius of its knob, in reaches of the arm.
RING_RADIUS, RING_HALF, KNOB_RADIUS = 0.42, 0.014, 0.034
#: How far above the ground the ring is, in reaches of the arm.
RING_ABOVE = 0.02
#: If a yaw axis leans more than this, its ring is not moved to the ground; the cosine.
UPRIGHT = 0.5


class Grips:
    """The ball of a target in its hoop, and a ring if there is a yaw joint.

    `on_drag` is called with each position that a user drags the target to [m]. Set `yaw` to the
    angle of the arm's plane [rad].
    """

    def __init__(self, scene: Any, arm: RobotArm, on_drag: Callable[[Point3], None]) -> None:
        self.yaw = 0.0
        self._scene, self._arm, self._on_drag = scene, arm, on_drag
        reach = arm.arm.max_reach
        self._ball = scene.add_icosphere('/target', TARGET_RADIUS * reach, UNANSWERED)
        self._hoop = self._add_torus('/target/hoop', HOOP_RADIUS, HOOP_HALF, RING)
        self._hint = scene.add_label('/target/hint', HINT, anchor='bottom-center')
        self._plane: DragPlane | None = None
        self._grip: Matrix = np.zeros(3)
        self._ball.on_drag(self._on_ball)
        self._axis = axis_of(arm)
        self._knob: Any = None
        if self._axis is not None:
            self._add_ring(reach)

    def _add_torus(self, name: str, radius: float, half: float, color: tuple[int, int, int]) -> Any:
        """A torus about the z axis; its radius and half its thickness are in reaches of the arm."""
        import trimesh

        reach = self._arm.arm.max_reach
        torus = trimesh.creation.torus(radius * reach, half * reach)
        return self._scene.add_mesh_simple(name, torus.vertices, torus.faces, color=color)

    def _add_ring(self, reach: float) -> None:
        """A ring about the yaw axis near the ground, with a knob towards the target."""
        assert self._axis is not None
        height = (self._arm.floor or 0.0) + RING_ABOVE * reach
        point, direction = self._axis
        lift = (height - point[2]) / direction[2] if abs(direction[2]) > UPRIGHT else 0.0
        self._center = point + lift * direction
        ring = self._add_torus('/turn/ring', RING_RADIUS, RING_HALF, RING)
        ring.position, ring.wxyz = self._center, _about(direction)
        self._knob = self._scene.add_icosphere('/turn/knob', KNOB_RADIUS * reach, RING)
        self._gripped_at: Matrix = np.zeros(3)
        self._turned_from: Point3 = (0.0, 0.0, 0.0)
        for grip in (ring, self._knob):
            grip.on_drag(self._on_ring)

    @property
    def target(self) -> Point3:
        """Where the target's ball is [m]."""
        return point_of(self._ball.position)

    def place(self, position: Point3) -> None:
        """Put the target's ball there [m]; the knob of the ring points to it."""
        normal = plane_at(self._arm, position, self.yaw).normal
        self._ball.position, self._hoop.wxyz = position, _about(normal)
        if self._axis is not None:
            beside = np.cross(normal, self._axis.direction)
            self._knob.position = self._center + RING_RADIUS * self._arm.arm.max_reach * beside

    def color(self, answer: TargetAnswer | None) -> None:
        """Color the ball for an answer, or for none."""
        self._hint.visible = self._hint.visible and answer is None
        self._ball.color = UNANSWERED if answer is None else COLORS[answer.color]
        self._hoop.color = RING if answer is None else COLORS[answer.color]

    async def _on_ball(self, event: Any) -> None:
        """Move the ball in the plane in which it was gripped; the gripped spot stays under the
        pointer."""
        eye = event.client.camera.position
        if event.phase == 'start' or self._plane is None:
            self._plane = plane_at(self._arm, self.target, self.yaw)
            gripped = self._plane.seen(eye, np.array(event.start_position))
            self._grip = np.subtract(self._ball.position, gripped)
        pointed = self._plane.seen(eye, np.array(event.end_position)) + self._grip
        self._move(in_plane(self._arm, pointed))

    async def _on_ring(self, event: Any) -> None:
        if self._axis is None:
            return
        if event.phase == 'start':
            self._gripped_at, self._turned_from = np.array(event.start_position), self.target
        eye, end = event.client.camera.position, np.array(event.end_position)
        angle = turn_of(self._axis, eye, self._gripped_at, end)
        self._move(self._axis.turned(self._turned_from, angle))

    def _move(self, position: Point3) -> None:
        self._hint.visible = False
        self.place(position)
        self._on_drag(position)


def _about(direction: Matrix) -> Any:
    """The quaternion that turns the z axis to a direction."""
    import trimesh
    from viser.transforms import SO3

    rotation = trimesh.geometry.align_vectors([0.0, 0.0, 1.0], direction)[:3, :3]
    return SO3.from_matrix(rotation).wxyz
