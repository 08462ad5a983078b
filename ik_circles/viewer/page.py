# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page: a scene, a side view and controls, served by viser.

The backend calls `show` from its own thread. User actions arrive in viser's event loop and go to
the backend, which does not make them wait. Nothing is computed or sent while nobody watches.
"""

import math
import time
from collections.abc import Callable
from typing import Any

from ik_circles.control.parameters import parameters_of
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.palette import LIGHT, rgb
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer import cards, targets
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.motion_controls import MotionControls
from ik_circles.viewer.scene import Scene
from ik_circles.viewer.server import start_server
from ik_circles.viewer.side_view import side_view
from ik_circles.viewer.state import Backend, Snapshot

#: How often the backend should call `show` [Hz].
REFRESH_RATE = 30.0
#: Time after which a control that a user has changed follows the node again [s].
HANDS_OFF = 0.7
#: Time between two targets of the demo path [s].
DEMO_PAUSE = 2.0
#: Width of the panel with the side view [pixels].
SIDE_WIDTH = 330.0
#: Width of the panel with the controls [pixels].
CONTROLS_WIDTH = 290.0
MARGIN, ENABLED = 'safe_zone_margin', 'enabled'
#: The sliders of the target's orientation, for a wrist of none, one and two joints.
ORIENTATION = ('orientation [°]',), ('pitch [°]', 'roll [°]'), ('pitch [°]', 'roll [°]', 'turn [°]')
#: The parameters that have a dropdown, and its entries.
DROPDOWNS = {
    one.name: one.choices
    for one in parameters_of(Settings)
    if one.name in ('orientation_mode', 'branch', 'on_unreachable')
}


class Page:
    """The page at http://host:port, for any number of browsers."""

    def __init__(self, backend: Backend, host: str, port: int, files: MeshFiles) -> None:
        self._backend, self._files = backend, files
        self._server, self.address = start_server(host, port)
        self._shown = Snapshot()
        self._scene: Scene | None = None
        self._drawn: tuple[object, ...] = ()
        self._placed = False
        self._touched: dict[str, float] = {}
        self._path: list[Target] = []
        self._next_at = 0.0
        self._build()

    @property
    def watched(self) -> bool:
        """Whether a browser shows the page."""
        return bool(self._server.get_clients())

    def on_watched(self, call: Callable[[], None]) -> None:
        """Have `call` called, in a thread of the page, whenever a browser has connected."""
        self._server.on_client_connect(lambda client: call())

    def close(self) -> None:
        """Stop serving the page."""
        self._server.stop()

    # --- its parts ---

    def _build(self) -> None:
        gui = self._server.gui
        gui.set_panel_label('ik_circles')
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=rgb(LIGHT.blue))
        gui.main_panel.dock_right()
        gui.main_panel.set_width(CONTROLS_WIDTH)
        side = gui.add_panel()
        with side.add_tab('Side view'):
            self._side = gui.add_html('')
            gui.add_html(cards.legend())
        side.dock_left()
        side.set_width(SIDE_WIDTH)
        self._verdict = gui.add_html(cards.verdict(self._shown))
        self._orientation = [
            gui.add_slider(name, -180.0, 180.0, 0.5, 0.0, visible=False) for name in ORIENTATION[-1]
        ]
        for slider in self._orientation:
            slider.on_update(self._on_orientation)
        self._controls: dict[str, Any] = {
            name: gui.add_dropdown(name, entries) for name, entries in DROPDOWNS.items()
        }
        self._controls[MARGIN] = gui.add_slider(f'{MARGIN} [m]', 0.0, 1.0, 0.001, 0.0)
        self._motion = MotionControls(gui, self._backend)
        self._motion.follow.on_update(self._on_follow)
        self._controls[ENABLED] = self._motion.enable
        for name, control in self._controls.items():
            control.on_update(self._setter(name))
        self._add_button('Straight to the target', self._on_straight)
        self._add_button('Stop', self._on_stop, rgb(LIGHT.red))
        self._add_button('Home', self._on_home)
        self._add_button('Demo path', self._on_demo)
        self._readings = gui.add_html(cards.readings(self._shown))

    def _add_button(self, label: str, act: Callable[[], None], color: Any = None) -> None:
        async def clicked(event: Any) -> None:
            try:
                act()
            except IkCirclesError as error:
                event.client.add_notification(label, str(error))

        self._server.gui.add_button(label, color=color).on_click(clicked)

    # --- user actions, all in viser's event loop, which keeps their order ---

    async def _on_orientation(self, event: Any) -> None:
        if event.client is not None and self._scene is not None:
            self._aim(self._scene.target)

    async def _on_follow(self, event: Any) -> None:
        target = self._motion.target
        self._motion.forget()
        if event.client is not None and target is not None:
            self._backend.aim(target)

    def _setter(self, name: str) -> Any:
        async def changed(event: Any) -> None:
            if event.client is not None:  # a user has changed it, not this page
                self._touched[name] = time.monotonic()
                if name == ENABLED:
                    self._backend.enable(event.target.value)
                else:
                    self._backend.set(name, event.target.value, self._motion.follow.value)

        return changed

    def _on_drag(self, position: Point3) -> None:
        """The ball has been dragged there [m]. A straight motion turns the tool by itself."""
        arm = self._shown.arm
        if self._motion.follow.value:
            self._aim(position)
        elif arm is not None and all(map(math.isfinite, position)):
            self._path = []
            self._turn_sliders(arm, self._motion.lead(arm, self._shown, position))

    def _aim(self, position: Point3) -> None:
        """Send the arm there [m] with the orientation of the sliders, if it follows."""
        arm, degrees = self._shown.arm, [slider.value for slider in self._orientation]
        if arm is not None and all(map(math.isfinite, (*position, *degrees))):
            self._path = []
            phi, *wrist = map(math.radians, degrees[: 1 + len(arm.wrist_joints)])
            target = targets.target_at(arm, position, targets.Sliders(phi, tuple(wrist)))
            if self._motion.follow.value:
                self._send(target)
            else:
                self._motion.turn(target)

    def _send(self, target: Target) -> None:
        self._motion.forget()
        self._backend.aim(target)

    def _on_straight(self) -> None:
        if self._shown.arm is not None and self._scene is not None:
            self._path = []
            self._motion.go(self._shown.arm, self._shown, self._scene.target)

    def _on_stop(self) -> None:
        self._path = []
        self._backend.stop()

    def _on_home(self) -> None:
        shown = self._shown
        if shown.arm is not None:
            self._path = []
            self._go(shown.arm, targets.home_target(shown.arm, shown.settings))

    def _on_demo(self) -> None:
        shown = self._shown
        if shown.arm is not None:
            self._path = targets.demo_path(shown.arm, shown.settings, shown.measured)
            self._next_at = 0.0

    def _go(self, arm: RobotArm, target: Target) -> None:
        """Send the arm to a target that nobody has dragged; ball and sliders go there too."""
        if self._scene is not None:
            self._scene.place_target(target.position)
        self._turn_sliders(arm, target)
        self._send(target)

    def _turn_sliders(self, arm: RobotArm, target: Target) -> None:
        phi, wrist = targets.sliders_of(arm, target)
        for slider, angle in zip(self._orientation, (phi, *wrist)):
            slider.value = round(math.degrees(angle), 1)

    # --- what is known, in the backend's thread ---

    def show(self, snapshot: Snapshot) -> None:
        """Bring the page up to date; what has not changed is not sent again."""
        with self._server.atomic():
            snapshot, way = self._motion.seen(snapshot), self._motion.way
            before, self._shown = self._shown, snapshot
            arm = snapshot.arm
            if arm is not None and _scene_state(snapshot) != self._drawn:
                self._renew_scene(arm, snapshot, stands=arm is before.arm)
            self._follow(snapshot)
            _put(self._verdict, cards.verdict(snapshot))
            scene = self._scene
            if scene is None or arm is None:
                return
            self._advance_demo(arm)
            if not self._placed and snapshot.measured.keys() >= set(arm.commanded_joints):
                tip = arm.forward_kinematics(snapshot.measured)[:3, 3]
                scene.place_target(targets.point_of(tip))
                self._placed = True
            moved = snapshot.measured != before.measured
            answered = snapshot.answer is not before.answer or snapshot.target is not before.target
            if moved:
                scene.place(snapshot.measured)
            if answered:
                scene.mark(snapshot.target, snapshot.answer)
            scene.lead(way)
            if moved or answered or not self._side.content:
                self._side.content = _side_view(arm, scene.arm, snapshot)
            _put(self._readings, cards.readings(snapshot))

    def _renew_scene(self, arm: RobotArm, snapshot: Snapshot, stands: bool) -> None:
        """Draw the scene again for another arm, or its workspace for another margin.

        Or for a wrist that is somewhere else, once it `stands` still: an outline takes long.
        """
        if self._scene is None or not self._scene.shows(arm, snapshot.description):
            text = snapshot.description
            self._scene = Scene(self._server, arm, text, self._files, self._on_drag)
            names = ORIENTATION[len(arm.wrist_joints)]
            for slider, name in zip(self._orientation, names):
                slider.label, slider.visible = name, True
            for slider in self._orientation[len(names) :]:
                slider.visible = False
            zones = arm.arm.safe_zones
            self._controls[MARGIN].max = round((zones.outer - zones.inner) / 2.0, 3)
            self._placed = False
            self._motion.forget()
        elif not stands:
            return
        self._drawn = _scene_state(snapshot)
        self._scene.outline(arm, snapshot.settings)
        self._scene.place(snapshot.measured)
        self._side.content = ''

    def _follow(self, snapshot: Snapshot) -> None:
        """Controls show the node's parameters, unless a user has just changed them."""
        now = time.monotonic()
        for name, control in self._controls.items():
            value = getattr(snapshot if name == ENABLED else snapshot.settings, name)
            if control.value != value and now - self._touched.get(name, 0.0) > HANDS_OFF:
                control.value = value

    def _advance_demo(self, arm: RobotArm) -> None:
        """Send the next target of the demo path when it is due."""
        if self._path and time.monotonic() >= self._next_at:
            self._next_at = time.monotonic() + DEMO_PAUSE
            self._go(arm, self._path.pop(0))


def _scene_state(snapshot: Snapshot) -> tuple[object, ...]:
    """What the scene is drawn for; a change draws it again."""
    return snapshot.arm, snapshot.description, snapshot.settings.safe_zone_margin


def _put(element: Any, content: str) -> None:
    if element.content != content:
        element.content = content


def _side_view(arm: RobotArm, outlined: RobotArm, snapshot: Snapshot) -> str:
    """The side view of the arm as measured, on the outline of the same with its wrist at rest."""
    answer, measured = snapshot.answer, snapshot.measured
    nearest = None if answer is None else answer.nearest
    return side_view(
        arm.arm,
        outlined.arm,
        snapshot.settings.zones(outlined),
        arm.naming.arm_angles(measured),
        targets.target_in_plane(arm, snapshot),
        reachable=answer is None or answer.code is Code.OK,
        nearest=nearest and targets.nearest_shoulder(arm, nearest, measured).point,
    )
