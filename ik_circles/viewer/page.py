"""The page: a scene, a side view and controls, served by viser.

The backend calls `show` from its own thread; what users do arrives in viser's event loop and goes
to the backend, which does not make it wait. Nothing is computed or sent while nobody looks.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

from ik_circles.control.settings import ON_UNREACHABLE, ORIENTATION_MODES, Settings
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.palette import LIGHT, rgb
from ik_circles.planar.selection import BRANCHES
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer import cards as words
from ik_circles.viewer.scene import Scene
from ik_circles.viewer.server import start_server
from ik_circles.viewer.side_view import side_view
from ik_circles.viewer.state import (
    Backend,
    Snapshot,
    construction,
    demo_path,
    home_target,
    orientation_of,
    point_of,
    shoulder_beside,
    target_at,
)

#: How often what is behind the page should show what it knows [Hz].
RATE = 30.0
#: A control that a user has touched follows the node again after this time [s].
HANDS_OFF = 0.7
#: Between two targets of the demo path [s].
DEMO_PAUSE = 2.0
CHOICES = {
    'orientation_mode': ORIENTATION_MODES,
    'branch': BRANCHES,
    'on_unreachable': ON_UNREACHABLE,
}
SIDE_WIDTH, CONTROLS_WIDTH = 330.0, 290.0


class Page:
    """The page at http://host:port, for any number of browsers."""

    def __init__(
        self, backend: Backend, host: str, port: int, folder: Path | None = None
    ) -> None:
        self._backend, self._folder = backend, folder
        self._server = start_server(host, port)
        self.address = f'http://{host}:{self._server.get_port()}'
        self._shown = Snapshot()
        self._scene: Scene | None = None
        self._placed = False
        self._touched: dict[str, float] = {}
        self._path: list[Target] = []
        self._next_at = 0.0
        self._build()

    @property
    def watched(self) -> bool:
        """Whether a browser shows the page."""
        return bool(self._server.get_clients())

    def on_watched(self, call: Any) -> None:
        """Have `call` called, in a thread of the page's, whenever a browser has come."""
        self._server.on_client_connect(lambda client: call())

    def close(self) -> None:
        self._server.stop()

    # --- what it is made of ---

    def _build(self) -> None:
        gui = self._server.gui
        gui.set_panel_label('ik_circles')
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=rgb(LIGHT.blue))
        gui.main_panel.dock_right()
        gui.main_panel.set_width(CONTROLS_WIDTH)
        side = gui.add_panel()
        with side.add_tab('Side view'):
            self._side = gui.add_html('')
            gui.add_html(words.legend())
        side.dock_left()
        side.set_width(SIDE_WIDTH)
        self._verdict = gui.add_html(words.verdict(self._shown))
        self._controls: dict[str, Any] = {
            'orientation': gui.add_slider('orientation [°]', -180.0, 180.0, 0.5, 0.0)
        }
        self._controls['orientation'].on_update(self._on_orientation)
        for name, choices in CHOICES.items():
            self._controls[name] = gui.add_dropdown(name, choices)
        self._controls['safe_zone_margin'] = gui.add_slider(
            'safe_zone_margin [m]', 0.0, 1.0, 0.001, 0.0
        )
        for name in (*CHOICES, 'safe_zone_margin'):
            self._controls[name].on_update(self._setter(name))
        self._add_button('Home', self._on_home)
        self._add_button('Demo path', self._on_demo)
        self._figures = gui.add_html(words.figures(self._shown))

    def _add_button(self, label: str, act: Any) -> None:
        async def clicked(event: Any) -> None:
            try:
                act()
            except IkCirclesError as error:
                event.client.add_notification(label, str(error))

        self._server.gui.add_button(label).on_click(clicked)

    # --- what users do, in viser's event loop: there it stays in order ---

    async def _on_orientation(self, event: Any) -> None:
        if event.client is not None and self._scene is not None:
            self._aim(self._scene.target)

    def _setter(self, name: str) -> Any:
        async def changed(event: Any) -> None:
            if event.client is not None:  # else this page has set it
                self._touched[name] = time.monotonic()
                self._backend.set(name, event.target.value)

        return changed

    def _aim(self, position: Point3) -> None:
        """Send the arm there with the orientation of the slider."""
        chain, degrees = self._shown.chain, self._controls['orientation'].value
        if chain is not None and all(map(math.isfinite, (*position, degrees))):
            self._path = []
            self._backend.aim(target_at(chain, position, math.radians(degrees)))

    def _on_home(self) -> None:
        shown = self._shown
        if shown.chain is not None:
            self._path = []
            self._go(shown.chain, home_target(shown.chain, shown.settings))

    def _on_demo(self) -> None:
        shown = self._shown
        if shown.chain is not None:
            self._path, self._next_at = demo_path(shown.chain, shown.settings), 0.0

    def _go(self, chain: RobotArm, target: Target) -> None:
        """Send the arm to a target that nobody has dragged: gizmo and slider go with it."""
        if self._scene is not None:
            self._scene.place_target(target.position)
        degrees = math.degrees(orientation_of(chain, target))
        self._controls['orientation'].value = round(degrees, 1)
        self._backend.aim(target)

    # --- what is known, in the backend's thread ---

    def show(self, snapshot: Snapshot) -> None:
        """Bring the page up to date; what has not changed is not sent again."""
        with self._server.atomic():
            before, self._shown = self._shown, snapshot
            if _still(before) != _still(snapshot):
                self._start_over(before, snapshot)
            self._follow(snapshot.settings)
            chain = snapshot.chain
            if chain is None or self._scene is None:
                self._verdict.content = words.verdict(snapshot)
                return
            if self._path and time.monotonic() >= self._next_at:
                self._next_at = time.monotonic() + DEMO_PAUSE
                self._go(chain, self._path.pop(0))
            if not self._placed:
                self._place_target(self._scene, chain, snapshot)
            moved = snapshot.measured != before.measured
            answered = (
                snapshot.answer is not before.answer or snapshot.target is not before.target
            )
            if moved:
                self._scene.stand(snapshot.measured)
            if answered:
                self._scene.mark(snapshot.target, snapshot.answer)
            if moved or answered or not self._side.content:
                self._side.content = _side(chain, snapshot)
            _put(self._verdict, words.verdict(snapshot))
            _put(self._figures, words.figures(snapshot))

    def _start_over(self, before: Snapshot, snapshot: Snapshot) -> None:
        """Another arm, or another margin: the scene is made anew."""
        chain = snapshot.chain
        if chain is None:
            return
        if self._scene is None or not self._scene.is_of(chain, snapshot.description):
            self._scene = Scene(
                self._server, chain, snapshot.description, self._folder, self._aim
            )
            zones = chain.arm.safe_zones
            self._controls['safe_zone_margin'].max = round((zones.outer - zones.inner) / 2.0, 3)
            self._scene.stand(snapshot.measured)
            self._placed = False
        self._scene.outline(chain, snapshot.settings, snapshot.measured)
        self._side.content = ''

    def _place_target(self, scene: Scene, chain: RobotArm, snapshot: Snapshot) -> None:
        """The target begins where the tip is, as soon as that is known."""
        if snapshot.measured.keys() >= set(chain.commanded_joints):
            scene.place_target(point_of(chain.forward_kinematics(snapshot.measured)[:3, 3]))
            self._placed = True

    def _follow(self, settings: Settings) -> None:
        """The controls say what the node has, but for one that a user has his hands on."""
        now = time.monotonic()
        for name in (*CHOICES, 'safe_zone_margin'):
            control, value = self._controls[name], getattr(settings, name)
            if control.value != value and now - self._touched.get(name, 0.0) > HANDS_OFF:
                control.value = value


def _still(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.chain, snapshot.description, snapshot.settings.safe_zone_margin


def _put(element: Any, content: str) -> None:
    if element.content != content:
        element.content = content


def _side(chain: RobotArm, snapshot: Snapshot) -> str:
    answer = snapshot.answer
    nearest = answer.nearest if answer is not None else None
    return side_view(
        chain.arm,
        snapshot.settings.zones(chain),
        chain.arm_angles(snapshot.measured),
        construction(chain, snapshot),
        reachable=answer is None or answer.code == 0,
        nearest=nearest and shoulder_beside(chain, nearest, snapshot.measured).point,
    )
