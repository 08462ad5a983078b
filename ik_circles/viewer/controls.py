# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The panels: where each control is, and what it shows. `Actions` says what the controls do."""

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ik_circles.errors import IkCirclesError
from ik_circles.geometry.circles import Point
from ik_circles.palette import LIGHT, rgb
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer import appearance, cards, targets, theme
from ik_circles.viewer.camera import VIEWS
from ik_circles.viewer.joint_sliders import JointSliders
from ik_circles.viewer.motion_controls import MotionControls
from ik_circles.viewer.notes import note
from ik_circles.viewer.own_script import first_element
from ik_circles.viewer.plain_words import plain
from ik_circles.viewer.plane_panel import PlanePanel
from ik_circles.viewer.scene import Scene
from ik_circles.viewer.settings_controls import HANDS_OFF, SettingsControls
from ik_circles.viewer.state import Backend, Snapshot
from ik_circles.viewer.target_fields import GO, PUT, TargetFields

#: Width of the panels [pixels].
PLANE_WIDTH, CONTROLS_WIDTH = 320.0, 340.0
#: The panel with the plane view. It is not called "Side": the camera's side view of a level arm
#: shows something else.
PLANE_VIEW = "Arm's plane"
#: The folder of the controls that move the arm independently of the ball.
MOTIONS = 'Motions'
#: The name of the browser's tab before there is a robot.
TITLE = 'ik_circles'


class Button(NamedTuple):
    """The label, the hint and the color of a button."""

    label: str
    hint: str
    color: tuple[int, int, int] | None = None


QUIET = rgb(LIGHT.gray)
BUTTONS = {
    'nearest': Button(
        'Go to the nearest point',
        'The ball goes to the nearest point that works; an arm that follows goes there at "Speed"',
    ),
    'stop': Button(
        'Stop', 'Stops every motion, those of other programs, too, and ends the demo path',
        rgb(theme.ALARM),
    ),
    'straight': Button(
        'Straight to the ball',
        'Moves the tip to the ball on a straight line; the tool keeps its orientation if it can',
    ),
    'home': Button(
        'Home', 'Moves all joints to 0, or to the limit next to it', QUIET
    ),
    'demo': Button('Demo path', 'Sends the arm to a few targets; some are out of reach', QUIET),
}
#: Other labels of that button: for an answer that keeps the point and gives only the orientation
#: way; for one in which the tool has to turn, too; and where only the ball moves, to the nearest
#: point or to where a straight line ends.
NEAREST_ORIENTATION, NEAREST_POSE = 'Take the nearest orientation', 'Go to the nearest pose'
NEAREST_BALL, LINES_END = 'Put the ball at the nearest point', "Put the ball at the line's end"
#: The hints of buttons by their labels. viser shows none of these by itself.
HINTS = {
    **{button.label: button.hint for button in BUTTONS.values()},
    **dict.fromkeys((NEAREST_ORIENTATION, NEAREST_POSE, NEAREST_BALL), BUTTONS['nearest'].hint),
    LINES_END: 'The ball goes to where the line ends; "Straight to the ball" then leads there',
    **dict((GO, PUT)),
}
VIEW_HINT = 'Looks at the robot from there; "Reset" shows the whole workspace'


class Actions(NamedTuple):
    """What the page does when a user uses a control."""

    typed: Callable[[Point3], None]
    turned: Callable[[], None]
    placed: Callable[[Point, bool], None]
    joints: Callable[[Mapping[str, float]], None]
    follow: Callable[[], None]
    set: Callable[[str, str | float], None]
    look: Callable[[Any, str], None]
    buttons: Mapping[str, Callable[[], None]]


class Controls:
    """The panels.

    Attributes
    ----------
    motion, plane, fields, joints : MotionControls, PlanePanel, TargetFields, JointSliders
        The parts that the page uses directly.
    """

    def __init__(self, server: Any, backend: Backend, actions: Actions) -> None:
        self._gui, self._actions = server.gui, actions
        self._enabled_at, self._far_turn = 0.0, cards.FarTurn()
        self._build_main(backend)
        self._build_plane()
        appearance.set_up(server, self._build_controls())

    # --- where they are ---

    def _build_main(self, backend: Backend) -> None:
        """The panel that is always visible, also on a phone.

        "Enable" and "Stop" come first, so that no long card moves them. A hint covers what is above
        its control, so no other control's hint covers them, either.
        """
        gui = self._gui
        gui.set_panel_label(TITLE)
        gui.main_panel.dock_left()
        gui.main_panel.set_width(PLANE_WIDTH)
        self._first = gui.add_html(first_element(TITLE, HINTS))
        self.motion = MotionControls(gui, backend)
        self.motion.enable.on_update(self._enabler(backend))
        gui.add_html(f'<div class="{theme.STOP_NEXT}"></div>')
        self._add_button('stop')
        self._verdict = gui.add_html(cards.verdict(Snapshot()))
        self._nearest = self._add_button('nearest')
        self._nearest.disabled = True  # it stays, so that no other button moves
        look = gui.add_button_group('Look from', tuple(VIEWS), hint=VIEW_HINT)
        look.on_click(self._looked)
        self.motion.add_follow(gui)
        self.motion.follow.on_update(self._followed)

    def _build_plane(self) -> None:
        panel = self._gui.add_panel()
        with panel.add_tab(PLANE_VIEW):
            self.plane = PlanePanel(self._gui, self._actions.placed)
            self._readings = self._gui.add_html(cards.readings(Snapshot()))
        panel.dock_below(self._gui.main_panel)

    def _build_controls(self) -> Any:
        """The panel with everything else; the folder of its settings."""
        gui, panel = self._gui, self._gui.add_panel()
        with panel.add_tab('Controls'):
            self.motion.add_speed(gui)
            with gui.add_folder('Target'):
                self.fields = TargetFields(gui, self._actions.typed, self._actions.turned)
                self._add_button('demo')
            with gui.add_folder(MOTIONS), gui.add_form(None) as form:
                self._straight = self._add_button('straight')
                self._straight.disabled = True
                self._add_button('home')
                self.joints = JointSliders(gui, form, self._actions.joints)
            with gui.add_folder('Settings') as settings:
                self._settings = SettingsControls(gui, self._actions.set)
        panel.dock_right()
        panel.set_width(CONTROLS_WIDTH)
        return settings

    def _add_button(self, name: str) -> Any:
        label, _, color = BUTTONS[name]

        async def clicked(event: Any) -> None:
            try:
                self._actions.buttons[name]()
            except IkCirclesError as error:
                note(event, label, plain(str(error)))

        button = self._gui.add_button(label, color=color)
        button.on_click(clicked)
        return button

    # --- what a user does ---

    async def _followed(self, event: Any) -> None:
        if event.client is not None:
            self._actions.follow()

    def _enabler(self, backend: Backend) -> Any:
        async def enabled(event: Any) -> None:
            if event.client is not None:
                self._enabled_at = time.monotonic()
                backend.enable(event.target.value)

        return enabled

    async def _looked(self, event: Any) -> None:
        if event.client is not None:
            self._actions.look(event.client, event.target.value)

    # --- what they show ---

    def begin(self, arm: RobotArm) -> None:
        """Show another arm."""
        self._gui.set_panel_label(arm.tree.name or TITLE)
        _put(self._first, first_element(arm.tree.name or TITLE, HINTS))
        self.fields.begin(arm)
        self.joints.begin(arm)

    def moved(self) -> None:
        """Forget what was typed and not sent, because the target was moved."""
        for part in (self.fields, self.plane, self.joints):
            part.moved()

    def follow(self, snapshot: Snapshot, demo: str) -> None:
        """Show the node's parameters and its verdict, and where the demo path is."""
        self._settings.follow(snapshot.settings)
        enable, follows = self.motion.enable, self.motion.follow.value
        if enable.value != snapshot.enabled and time.monotonic() - self._enabled_at > HANDS_OFF:
            enable.value = snapshot.enabled
        moves = follows and enable.value
        self.fields.heed(snapshot.settings, moves)
        answer = snapshot.answer
        turned = self._far_turn.before(answer)
        _put(self._verdict, cards.verdict(snapshot, follows, demo, turned))
        self._offer_nearest(snapshot, follows, moves)
        _enable(self._straight, not follows and self.motion.may_go)

    def _offer_nearest(self, snapshot: Snapshot, follows: bool, moves: bool) -> None:
        """Enable the button that goes to the nearest point, and say what it does."""
        answer = snapshot.answer
        is_fixed = snapshot.settings.orientation_mode == 'fixed'
        label = NEAREST_POSE if is_fixed else BUTTONS['nearest'].label
        label, offers = label if moves else NEAREST_BALL, False
        if answer is not None and answer.code is not Code.OK and not answer.command:
            offers = answer.nearest is not None
            if cards.ENDS_EARLY in answer.message:
                label = LINES_END
            elif offers and answer.turns_only:
                label = NEAREST_ORIENTATION if follows else label
                offers = follows  # a straight line does not turn the tool
        _enable(self._nearest, offers)
        if self._nearest.label != label:
            self._nearest.label = label

    def show(self, arm: RobotArm, scene: Scene, snapshot: Snapshot, changed: bool) -> None:
        """Show where the arm and the target are; `changed` says whether either has moved."""
        if changed or self.plane.is_empty:
            self.plane.show(arm, scene.arm, snapshot)
        at, measured = scene.target, snapshot.measured
        self.fields.show(at)
        self.plane.place(targets.nearest_shoulder(arm, at, measured).point)
        self.joints.show(arm.tree.with_followers(measured), snapshot.share is not None)
        _put(self._readings, cards.readings(snapshot))


def _put(element: Any, content: str) -> None:
    if element.content != content:
        element.content = content


def _enable(button: Any, enabled: bool) -> None:
    if button.disabled == enabled:
        button.disabled = not enabled
