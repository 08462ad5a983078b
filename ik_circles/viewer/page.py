# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page: a scene, a plane view and controls, served by viser.

The backend calls `show` from its own thread. User actions arrive in viser's event loop and go to
the backend, which never makes them wait. Nothing is computed or sent while nobody watches.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ik_circles.control.home import home_positions
from ik_circles.control.refusals import Refusal
from ik_circles.control.target import Target
from ik_circles.geometry.circles import Point
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer import targets
from ik_circles.viewer.camera import Cameras
from ik_circles.viewer.controls import Actions, Controls
from ik_circles.viewer.demo import DemoPath
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.orientation import target_at
from ik_circles.viewer.scene import Scene
from ik_circles.viewer.server import start_server
from ik_circles.viewer.state import Backend, Snapshot

#: How often the backend should call `show` [Hz].
REFRESH_RATE = 30.0


class Page:
    """The page at http://host:port, for any number of browsers."""

    def __init__(self, backend: Backend, host: str, port: int, files: MeshFiles) -> None:
        self._backend, self._files = backend, files
        self._server, self.address = start_server(host, port)
        self._shown = Snapshot()
        self._scene: Scene | None = None
        self._drawn: tuple[object, ...] = ()
        self._placed = False
        self._tip: Point3 | None = None
        self._in_plane = targets.PlaneDrag()
        self._demo = DemoPath()
        self._cameras = Cameras(self._server)
        self._controls = Controls(self._server, backend, self._actions())
        self._motion = self._controls.motion

    @property
    def watched(self) -> bool:
        """Whether a browser shows the page."""
        return bool(self._server.get_clients())

    def on_watched(self, call: Callable[[], None]) -> None:
        """Call `call` whenever a browser has connected, in a thread of the page."""
        self._server.on_client_connect(lambda client: call())

    def close(self) -> None:
        """Stop serving the page."""
        self._server.stop()

    # --- user actions, all in viser's event loop, which keeps their order ---

    def _actions(self) -> Actions:
        return Actions(
            typed=self._on_typed,
            turned=self._on_turned,
            placed=self._on_place,
            joints=self._on_joints,
            follow=self._on_follow,
            set=self._on_set,
            look=self._on_look,
            buttons={
                'nearest': self._on_nearest,
                'straight': self._on_straight,
                'stop': self._on_stop,
                'home': self._on_home,
                'demo': self._on_demo,
            },
        )

    def _on_turned(self) -> None:
        if self._shown.settings.orientation_mode == 'free':  # the number beside a gray slider
            self._placed = False
        elif self._scene is not None:
            self._aim(self._scene.target)

    def _on_follow(self) -> None:
        target, is_turned = self._motion.target, self._motion.is_turned
        self._motion.forget()
        if target is not None and is_turned and self._motion.follow.value:
            self._send(target)
        elif target is not None:  # a straight line led to it, or may lead there from now on
            self._on_drag(target.position)

    def _on_set(self, name: str, value: str | float) -> None:
        again = self._motion.follow.value and self._motion.enable.value
        self._backend.set(name, value, again)

    def _on_look(self, client: Any, side: str) -> None:
        arm, yaw = self._shown.arm, 0.0
        if arm is not None and self._shown.measured.keys() >= set(arm.commanded_joints):
            yaw = arm.naming.configuration(self._shown.measured).yaw
        self._cameras.place(client, side, yaw)

    def _on_drag(self, position: Point3, at_speed: bool = False) -> None:
        """The ball was dragged to a position [m]. A straight motion turns the tool by itself; if it
        ends early, the sliders stay."""
        arm = self._shown.arm
        if self._motion.follow.value:
            self._aim(position, at_speed)
        elif arm is not None and all(map(math.isfinite, position)):
            self._begin_anew()
            line = self._motion.lead(arm, self._shown, position)
            if line.gets_there:
                self._controls.fields.turn_to(arm, line.target, asked=False)
            else:
                self._controls.fields.asked(arm)

    def _on_place(self, point: Point, is_typed: bool) -> None:
        """The target was dragged to a point in the plane view [m], or the point was typed."""
        arm, scene = self._shown.arm, self._scene
        if arm is None or scene is None or not all(map(math.isfinite, point)):
            return
        position = self._in_plane.to(point, arm, scene.target, self._shown.measured)
        scene.place_target(position)
        self._on_drag(position, at_speed=is_typed)

    def _on_typed(self, position: Point3) -> None:
        if self._scene is not None:
            self._scene.place_target(position)
            self._on_drag(position, at_speed=True)

    def _on_joints(self, positions: Mapping[str, float]) -> None:
        self._begin_anew()
        if not self._motion.enable.value:
            self._motion.refuse()
            return
        self._motion.forget()
        self._backend.move_joints(positions, self._motion.speed)

    def _aim(self, position: Point3, at_speed: bool = False) -> None:
        """Send an arm that follows to a position [m], with the orientation that was asked for."""
        arm = self._shown.arm
        angles = None if arm is None else self._controls.fields.asked(arm)
        if arm is not None and angles is not None and all(map(math.isfinite, position)):
            self._begin_anew()
            target = target_at(arm, position, angles, self._shown.measured)
            if self._motion.follow.value:
                self._send(target, at_speed)
            else:
                self._motion.turn(target)

    def _begin_anew(self) -> None:
        """End what was begun in another way: the demo path, and numbers that are half typed."""
        self._demo.begin(())
        self._controls.moved()

    def _send(self, target: Target, at_speed: bool = False) -> None:
        """Send the arm to a target at once, or as a motion at `Speed` that replaces any other."""
        if not self._motion.enable.value:
            self._motion.turn(target)
        elif at_speed and self._shown.arm is not None:
            self._motion.travel(self._shown.arm, self._shown, target)
        elif self._shown.share is not None:  # a motion goes first; the ball goes back
            self._placed = False
        else:
            self._motion.forget()
            self._backend.aim(target)

    def _on_nearest(self) -> None:
        """Turn the tool only if it has to: the arm would otherwise refuse, or not move at all."""
        arm, answer, scene = self._shown.arm, self._shown.answer, self._scene
        if arm is None or scene is None or answer is None or answer.nearest is None:
            return
        self._begin_anew()
        is_fixed, turns_only = self._shown.settings.orientation_mode == 'fixed', answer.turns_only
        if self._motion.follow.value and (is_fixed or turns_only):
            self._go(arm, Target(answer.nearest, answer.toward), asked=turns_only, at_speed=True)
        else:
            self._on_typed(answer.nearest)

    def _on_straight(self) -> None:
        if self._shown.arm is not None and self._scene is not None:
            self._begin_anew()
            self._motion.go(self._shown.arm, self._shown, self._scene.target)

    def _on_stop(self) -> None:
        self._begin_anew()
        self._backend.stop()

    def _on_home(self) -> None:
        if self._shown.arm is not None:
            self._check_enabled()
            home = home_positions(self._shown.arm, self._shown.settings)
            self._controls.joints.go(home)

    def _on_demo(self) -> None:
        shown = self._shown
        if shown.arm is not None and shown.share is None:
            self._check_enabled()
            self._begin_anew()
            self._demo.begin(targets.demo_path(shown.arm, shown.settings, shown.measured))

    def _check_enabled(self) -> None:
        """Raise a Refusal while the arm is disabled: the ball would move without the arm."""
        if not self._shown.enabled:
            raise Refusal(Code.DISABLED, 'The arm is disabled, and stays. Check "Enable" first.')

    def _go(
        self, arm: RobotArm, target: Target, asked: bool = True, at_speed: bool = False
    ) -> None:
        """Send the arm to a target that nobody has dragged; the ball and the sliders follow.

        `asked` says whether its orientation replaces the one that was asked for.
        """
        if self._scene is not None:
            self._scene.place_target(target.position)
        self._controls.fields.turn_to(arm, target, asked)
        self._send(target, at_speed)

    # --- what is known, in the backend's thread ---

    def show(self, snapshot: Snapshot) -> None:
        """Bring the page up to date; only changes are sent."""
        with self._server.atomic():
            snapshot, way = self._motion.seen(_without_old_refusal(snapshot)), self._motion.way
            before, self._shown = self._shown, snapshot
            arm = snapshot.arm
            if arm is not None and _scene_state(snapshot) != self._drawn:
                self._renew_scene(arm, snapshot, stands=arm is before.arm)
            self._controls.follow(snapshot, self._demo.said)
            scene = self._scene
            if scene is None or arm is None:
                return
            self._advance_demo(arm, snapshot)
            moved = snapshot.measured != before.measured
            answered = snapshot.answer is not before.answer or snapshot.target is not before.target
            if moved:
                scene.place(snapshot.measured)
            if moved or answered or not self._placed:
                self._place_ball(arm, scene, snapshot)
            if answered:
                scene.mark(snapshot.target, snapshot.answer)
            scene.lead(way)
            self._controls.show(arm, scene, snapshot, moved or answered)

    def _place_ball(self, arm: RobotArm, scene: Scene, snapshot: Snapshot) -> None:
        """Put the ball at the target, unless it is there already; without a target, at the tip. The
        joints may be measured anew while a target is under way: then it comes back from the tip."""
        target = self._motion.target or snapshot.target
        is_tip = target is None
        if target is None and snapshot.measured.keys() >= set(arm.commanded_joints):
            tip = arm.forward_kinematics(snapshot.measured)
            target = Target(targets.point_of(tip[:3, 3]), tip[:3, :3])
        elif target is None or (self._placed and not scene.target == self._tip != target.position):
            return
        scene.place_target(target.position)
        self._controls.fields.turn_to(arm, target, asked=is_tip)
        self._placed, self._tip = True, target.position if is_tip else None

    def _renew_scene(self, arm: RobotArm, snapshot: Snapshot, stands: bool) -> None:
        """Draw the scene again for another arm, or only its workspace for another margin.

        A wrist that has moved counts once it `stands` still, because an outline takes long.
        """
        if self._scene is None or not self._scene.shows(arm, snapshot.description):
            text = snapshot.description
            self._scene = Scene(self._server, arm, text, self._files, self._on_drag)
            self._cameras.show(arm)
            self._controls.begin(arm)
            self._placed = False
            self._motion.forget()
        elif not stands:
            return
        self._drawn = _scene_state(snapshot)
        self._scene.outline(arm, snapshot.settings)
        self._scene.place(snapshot.measured)
        self._controls.plane.clear()

    def _advance_demo(self, arm: RobotArm, snapshot: Snapshot) -> None:
        """Send the next target of the demo path when it is due. The path ends if the arm is
        disabled: else the arm would set off by itself when it is enabled again."""
        if not snapshot.enabled:
            self._demo.begin(())
        if (target := self._demo.due(snapshot.is_there)) is not None:
            self._go(arm, target)


def _without_old_refusal(snapshot: Snapshot) -> Snapshot:
    """The snapshot without an answer that the arm is disabled, if it is enabled by now."""
    answer = snapshot.answer
    if snapshot.enabled and answer is not None and answer.code is Code.DISABLED:
        return replace(snapshot, answer=None)
    return snapshot


def _scene_state(snapshot: Snapshot) -> tuple[object, ...]:
    """Everything that the scene depends on; if it changes, the scene is drawn again."""
    return snapshot.arm, snapshot.description, snapshot.settings.safe_zone_margin
