# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a page says after one thing and then another: ball, fields, pictures and card agree."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

import pytest
from page_socket import DRAG, Socket, page_at
from viewer_arms import ARMS, TEXTS

from ik_circles import Code
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.viewer import theme
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.page import Page
from ik_circles.viewer.state import Snapshot, TargetAnswer
from ik_circles.viewer.target_fields import ANGLES, FREE_HINT, ORIENTATION

ARM = ARMS['planar_3r']
#: Where the tip is at first, and two other places [m].
FIRST, NEAR, OTHER = (0.9, 0.0, 0.0), (0.5, 0.3, 0.0), (0.4, -0.3, 0.0)
#: Longest wait for one condition [s]; the machine may be busy.
PATIENCE = 60.0


class Asked:
    """A backend that does nothing, and keeps what it is asked for."""

    def __init__(self) -> None:
        self.targets: list[Target] = []
        self.moved: list[Mapping[str, float]] = []
        self.stops = 0

    def move_joints(self, positions: Mapping[str, float], speed: float) -> None:
        self.moved.append(positions)

    def aim(self, target: Target) -> None:
        self.targets.append(target)

    def stop(self) -> None:
        self.stops += 1

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: None


class User:
    """An open page, and the server that is told what there is to show."""

    def __init__(self, stack: ExitStack, name: str = 'planar_3r') -> None:
        arm, self.asked = ARMS[name], Asked()
        self._page = Page(self.asked, '127.0.0.1', 0, MeshFiles())
        stack.callback(self._page.close)
        self.socket: Socket = stack.enter_context(page_at(self._page.address))
        self._state = Snapshot(
            arm, TEXTS[name], measured=dict.fromkeys(arm.commanded_joints, 0.0)
        )
        self.show()
        self.socket.hear_of('Home')
        tip = arm.forward_kinematics(self._state.measured)[:3, 3]
        self.hear(lambda: self.ball == pytest.approx(tip))

    def show(self, **changes: Any) -> None:
        self._state = replace(self._state, **changes)
        self._page.show(self._state)

    def hear(self, condition: Callable[[], bool]) -> None:
        """Hear what the page is told until a condition holds; else TimeoutError."""
        while not condition():
            self.socket.hear()

    def _said(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.socket.heard if one['type'] == kind]

    @property
    def ball(self) -> tuple[float, ...]:
        """Where the ball is [m]."""
        said = reversed(self._said('SetPositionMessage'))
        return next((tuple(one['position']) for one in said if one['name'] == '/target'), ())

    def newest(self, kind: str) -> str:
        """The newest HTML with an element of this class."""
        contents = [str(one['updates'].get('content')) for one in self._said('GuiUpdateMessage')]
        return next(one for one in reversed(contents) if f'class="{kind}"' in one)

    def control(self, label: str) -> str:
        """The number of a control."""
        said = (one for one in self.socket.heard if 'props' in one and 'uuid' in one)
        return next(one['uuid'] for one in said if one['props'].get('label') == label)

    def values(self, label: str, of: str = 'value') -> list[object]:
        """What a control has been told to show."""
        number = self.control(label)
        updates = [one for one in self._said('GuiUpdateMessage') if one['uuid'] == number]
        return [one['updates'][of] for one in updates if of in one['updates']]

    def set(self, label: str, value: object = True) -> None:
        """Press a button, or change a control."""
        uuid = self.control(label)
        self.socket.say({'type': 'GuiUpdateMessage', 'uuid': uuid, 'updates': {'value': value}})

    def drag(self, to: tuple[float, ...]) -> None:
        """Drag the ball, which is seen from straight above."""
        start = self.ball
        for phase, end in (('start', start), ('update', to), ('end', to)):
            at = {'start_position': start, 'end_position': end}
            self.socket.say({**DRAG, 'phase': phase, **at})

    def stop(self) -> None:
        """Press Stop, and wait until the page has done that and all before it."""
        count = self.asked.stops
        self.set('Stop')
        waits(lambda: self.asked.stops > count)


def waits(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.fixture
def user() -> Iterator[User]:
    with ExitStack() as stack:
        yield User(stack)


def test_during_a_motion_nothing_else_is_asked_for_and_the_ball_stays_with_it(user: User) -> None:
    """Else it would end with "arrived" and a green ball where the arm is not."""
    user.drag(NEAR)
    waits(lambda: user.asked.targets)
    user.stop()
    target = user.asked.targets[-1]
    assert target.position == pytest.approx(NEAR)
    sent = len(user.asked.targets)
    user.show(target=target, share=0.3)
    user.hear(lambda: theme.UNANSWERED in user.newest('side-view'))
    assert theme.REACHED not in user.newest('side-view')
    user.drag(OTHER)
    user.set('Home')
    user.set('Demo path')
    user.stop()
    user.show(share=0.6)
    user.set('Follow the ball', False)
    user.drag(OTHER)
    user.set('Follow the ball', True)
    user.stop()
    user.show(share=0.7)
    user.show(share=None, answer=TargetAnswer(Code.OK, 'arrived'))
    user.socket.hear_of('arrived')
    assert user.ball == pytest.approx(NEAR)
    for _ in range(3):
        user.show()
    assert len(user.asked.targets) == sent


def test_disabled_the_demo_path_is_over(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the arm would set off by itself when it is enabled again."""
    monkeypatch.setattr('ik_circles.viewer.page.DEMO_PAUSE', 0.0)
    user.set('Demo path')
    waits(lambda: user.show() or user.asked.targets)
    user.show(enabled=False)
    sent = len(user.asked.targets)
    for _ in range(5):
        user.show(enabled=True)
    assert len(user.asked.targets) == sent


def test_the_ball_at_the_nearest_point_is_hollow_and_the_target_is_not(user: User) -> None:
    answer = TargetAnswer(Code.TOO_FAR, 'too far by 0.1 m', NEAR)
    user.show(target=Target((1.0, 0.6, 0.0)), answer=answer)
    user.socket.hear_of("'/nearest'")
    added = [one for one in user.socket.heard if 'props' in one and 'name' in one]
    balls = {one['name']: one['props'] for one in added}
    assert balls['/nearest']['wireframe']
    assert not balls['/target']['wireframe']


@pytest.mark.parametrize('button', ['Home', 'Demo path'])
def test_disabled_a_button_says_why_nothing_happens_and_the_ball_stays(
    user: User, button: str
) -> None:
    user.drag(NEAR)
    user.stop()
    user.show(target=user.asked.targets[-1], enabled=False)
    user.hear(lambda: '0.3' in user.values('y [m]'))
    sent, path = len(user.asked.targets), len(user.values('x [m]'))
    user.set(button)
    user.socket.hear_of('Check "Enable" first')
    user.stop()
    user.show(rate=1)
    user.socket.hear_of('answers in the last second')
    assert user.ball == pytest.approx(NEAR)
    assert user.values('x [m]')[path:] == []
    assert len(user.asked.targets) == sent
    user.show(enabled=True)
    user.set(button)
    waits(lambda: user.show() or len(user.asked.targets) > sent)


def test_a_joint_slider_of_a_disabled_arm_goes_back_and_the_ball_stays(user: User) -> None:
    slider = next(
        one['props']['label']
        for one in user.socket.heard
        if one['type'] == 'GuiSliderMessage' and ARM.commanded_joints[0].removesuffix('_joint')
        in one['props']['label']
    )  # fmt: skip
    user.drag(NEAR)
    waits(lambda: user.asked.targets)
    user.show(target=user.asked.targets[-1], enabled=False)
    user.set(slider, 10.0)
    user.stop()

    def is_back() -> bool:
        user.show()
        with suppress(TimeoutError):
            user.socket.hear(0.05)
        return user.values(slider)[-1:] == [0.0]

    waits(is_back)
    assert not user.asked.moved
    assert user.ball == pytest.approx(NEAR)
    user.show(enabled=True)
    user.set(slider, 10.0)
    waits(lambda: user.show() or user.asked.moved)


def test_a_ball_that_is_not_followed_is_not_said_to_be(user: User) -> None:
    user.set('Follow the ball', False)
    user.stop()
    user.show()
    user.hear(lambda: 'follows' not in user.newest('verdict'))


def test_an_orientation_that_does_not_count_cannot_be_changed(user: User) -> None:
    """The sliders and fields are gray while it is free, and their hints say why."""
    fields = [name for name, _ in ORIENTATION[-1]] + list(ANGLES)  # they are called so at first
    for mode, is_gray in (('free', True), ('fixed', False), ('free', True), ('preferred', False)):
        user.socket.heard[:] = [one for one in user.socket.heard if 'props' in one]
        user.show(settings=Settings(orientation_mode=mode))
        user.hear(lambda: all(user.values(name, 'hint') for name in fields))
        for name in fields:
            assert user.values(name, 'disabled') == [is_gray]
            assert (user.values(name, 'hint') == [FREE_HINT]) is is_gray
    assert user.values('x [m]', 'disabled') == []


def test_what_is_typed_beside_a_gray_slider_goes_back(user: User) -> None:
    user.drag(NEAR)
    user.stop()
    sent, name = len(user.asked.targets), ORIENTATION[-1][0][0]
    user.show(target=user.asked.targets[-1], settings=Settings(orientation_mode='free'))
    user.hear(lambda: True in user.values(name, 'disabled'))
    user.set(name, 50.0)
    user.stop()
    user.show()
    user.hear(lambda: user.values(name)[-1:] == [0.0])
    assert len(user.asked.targets) == sent


def test_no_folder_is_empty_at_first(user: User) -> None:
    """In a closed panel, as on a phone, viser never opens a folder that gets its controls later."""
    said = [one for one in user.socket.heard if 'container_uuid' in one]
    folders = [i for i, one in enumerate(said) if one['type'] == 'GuiFolderMessage']
    assert [said[i]['props']['label'] for i in folders] == [
        'Target', 'Joints', 'Settings', 'Readings',
    ]  # fmt: skip
    assert all(said[i + 1]['container_uuid'] == said[i]['uuid'] for i in folders)


def test_a_ball_that_is_not_followed_keeps_the_tool_typed_and_dragged_behind_the_base() -> None:
    """A ball dragged behind the base turned the sliders, and typed in front again, the tool."""
    with ExitStack() as stack:
        user = User(stack, 'so101')
        pitch = ORIENTATION[-1][0][0]
        user.set('Follow the ball', False)
        user.stop()
        x, y, z = user.ball
        user.drag((-0.1, y, z))
        user.hear(lambda: any(abs(one) > 90.0 for one in user.values(pitch)))
        user.set('x [m]', f'{x:.3f}')
        user.set('Go there')
        user.hear(lambda: user.values(pitch)[-1] == 0.0)  # as at first


def test_numbers_typed_by_half_are_forgotten_when_the_demo_path_begins(user: User) -> None:
    user.set('x [m]', '0.123')
    user.set('Demo path')
    waits(lambda: user.show() or user.asked.targets)
    user.show(target=user.asked.targets[-1])
    wanted = f'{round(user.asked.targets[-1].position[0], 3):.3f}'.rstrip('0')
    user.hear(lambda: wanted in user.values('x [m]'))
