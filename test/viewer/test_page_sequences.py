# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a page says after one thing and then another: ball, fields, pictures and card agree."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from page_user import User, waits
from viewer_arms import ARMS

from ik_circles import Code, palette
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.palette import rgb
from ik_circles.viewer import theme
from ik_circles.viewer.cards import IS_DISABLED
from ik_circles.viewer.controls import MOTIONS, NEAREST_BALL, NEAREST_ORIENTATION
from ik_circles.viewer.state import TargetAnswer
from ik_circles.viewer.target_fields import FREE_HINT, ORIENTATION
from ik_circles.viewer.targets import demo_path

ARM = ARMS['planar_3r']
#: Where the tip is at first, two other places, and one out of reach [m].
FIRST, NEAR, OTHER, FAR = (0.9, 0.0, 0.0), (0.5, 0.3, 0.0), (0.4, -0.3, 0.0), (0.9, 0.9, 0.0)


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
    user.hear(lambda: theme.UNANSWERED in user.newest('plane-view'))
    assert theme.REACHED not in user.newest('plane-view')
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
    user.socket.hear_of('Arrived')
    assert user.ball == pytest.approx(NEAR)
    for _ in range(3):
        user.show()
    assert len(user.asked.targets) == sent


def test_disabled_the_demo_path_is_over(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the arm would set off by itself when it is enabled again."""
    monkeypatch.setattr('ik_circles.viewer.demo.DEMO_PAUSE', 0.0)
    user.set('Demo path')
    waits(lambda: user.show() or user.asked.targets)
    user.show(enabled=False)
    sent = len(user.asked.targets)
    for _ in range(5):
        user.show(enabled=True)
    assert len(user.asked.targets) == sent


def test_the_card_says_which_target_of_the_demo_path_it_is_about(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('ik_circles.viewer.demo.DEMO_PAUSE', 0.0)
    count = len(demo_path(ARM, Settings()))
    user.set('Demo path')
    user.see(lambda: len(user.asked.targets) == count)
    user.show(target=user.asked.targets[-1], answer=TargetAnswer(Code.OK, 'reachable in one way'))
    said = f'In reach, in one way. Demo path: point {count} of {count}.'
    user.see(lambda: said in user.newest('verdict'))
    user.drag(NEAR)
    user.see(lambda: 'Demo path' not in user.newest('verdict'))


def test_the_demo_path_waits_for_a_slow_arm(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """From halfway to a target, the way to the next one may lead below what the arm stands on."""
    for pause in ('DEMO_PAUSE', 'SETTLING'):
        monkeypatch.setattr(f'ik_circles.viewer.demo.{pause}', 0.0)
    command = dict.fromkeys(ARM.commanded_joints, 0.5)
    user.show(answer=TargetAnswer(Code.OK, '', command=command))  # it was moved since
    user.set('Demo path')
    waits(lambda: user.show() or user.asked.targets)
    for share in (0.0, 0.3, 0.6):
        user.show(measured={joint: share * angle for joint, angle in command.items()})
    assert len(user.asked.targets) == 1
    user.show(measured=command)
    assert len(user.asked.targets) == 2


def test_the_ball_at_the_nearest_point_is_hollow_and_the_target_is_not(user: User) -> None:
    answer = TargetAnswer(Code.TOO_FAR, 'too far by 0.1 m', NEAR)
    user.show(target=Target((1.0, 0.6, 0.0)), answer=answer)
    user.socket.hear_of("'/nearest'")
    added = [one for one in user.socket.heard if 'props' in one and 'name' in one]
    balls = {one['name']: one['props'] for one in added}
    assert balls['/nearest']['wireframe']
    assert not balls['/target']['wireframe']


def test_a_tilted_target_has_the_same_color_in_both_views(user: User) -> None:
    user.show(target=Target(NEAR), answer=TargetAnswer(Code.OK, 'reachable', tilt=0.7))
    user.hear(lambda: theme.TILTED in user.newest('plane-view'))
    assert theme.REACHED not in user.newest('plane-view')
    user.hear(lambda: str(list(rgb(palette.TILTED))) in str(user.socket.heard))


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
    shown = [one for one in user.socket.heard if one['type'] == 'NotificationShowMessage']
    assert shown and all(one['props']['auto_close_seconds'] > 0.0 for one in shown)
    user.stop()
    user.show(rate=1)
    user.socket.hear_of('answers in the last second')
    assert user.ball == pytest.approx(NEAR)
    assert user.values('x [m]')[path:] == []
    assert len(user.asked.targets) == sent
    user.show(enabled=True)
    user.set(button)
    waits(lambda: user.show() or len(user.asked.targets) > sent or user.asked.moves)


def test_a_button_that_only_turns_the_tool_says_so(user: User) -> None:
    label = 'Go to the nearest point'
    button, target = user.control(label), Target(NEAR)
    for code, said in ((Code.ORIENTATION, NEAREST_ORIENTATION), (Code.TOO_FAR, label)):
        user.show(target=target, answer=TargetAnswer(code, 'a reason', nearest=NEAR))
        user.hear(lambda: user.updates(button, 'label')[-1:] == [said])  # noqa: B023


def test_a_ball_that_is_not_followed_is_not_said_to_be(user: User) -> None:
    user.set('Follow the ball', False)
    user.stop()
    user.show()
    user.hear(lambda: 'follows' not in user.newest('verdict'))


def test_an_orientation_that_does_not_count_cannot_be_changed(user: User) -> None:
    """The sliders are gray while it is free, and their hints say why."""
    fields = [name for name, _ in ORIENTATION[-1]]  # they are called so at first
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
    assert [said[i]['props']['label'] for i in folders] == ['Target', MOTIONS, 'Settings']
    assert all(said[i + 1]['container_uuid'] == said[i]['uuid'] for i in folders)


def test_numbers_typed_by_half_are_forgotten_when_the_demo_path_begins(user: User) -> None:
    user.set('x [m]', '0.123')
    user.set('Demo path')
    waits(lambda: user.show() or user.asked.targets)
    user.show(target=user.asked.targets[-1])
    wanted = f'{round(user.asked.targets[-1].position[0], 3):.3f}'.rstrip('0')
    user.hear(lambda: wanted in user.values('x [m]'))


def test_disabled_the_ball_is_answered_and_nothing_is_sent(user: User) -> None:
    user.show(enabled=False)
    user.drag(NEAR)
    user.see(lambda: 'In reach' in user.newest('verdict'))
    assert IS_DISABLED in user.newest('verdict')
    assert theme.REACHED in user.newest('plane-view')
    user.drag(FAR)
    user.see(lambda: 'TOO FAR' in user.newest('verdict'))
    assert 'Too far by 0.373 m' in user.newest('verdict')
    assert 'The nearest point is at x 0.636, y 0.636' in user.newest('verdict')
    assert user.newest('verdict').count(IS_DISABLED) == 1
    assert 'The arm stays' not in user.newest('verdict')
    assert any(one.get('name') == '/nearest' for one in user.socket.heard)
    user.set('Go to the nearest point')
    user.see(lambda: 'OK, tilted by' in user.newest('verdict'))
    user.show(enabled=True)  # the arm does not set off by itself
    user.see(lambda: 'has not gone to the ball' in user.newest('verdict'))
    user.set('Follow the ball', False)
    user.see(lambda: 'can be followed' in user.newest('verdict'))
    assert not user.asked.targets
    user.set('Follow the ball', True)
    waits(lambda: user.asked.targets)


def test_a_joint_slider_of_a_disabled_arm_leaves_the_ball_and_says_why(user: User) -> None:
    user.show(enabled=False)
    user.drag(NEAR)
    user.see(lambda: 'In reach' in user.newest('verdict'))
    user.set(user.slider('elbow_joint'), 20.0)
    user.see(lambda: 'DISABLED' in user.newest('verdict'))
    assert IS_DISABLED in user.newest('verdict')
    assert theme.REFUSED not in user.newest('plane-view')
    user.see(lambda: user.values(user.slider('elbow_joint'))[-1:] == [0.0])  # it follows its joint
    assert user.ball == pytest.approx(NEAR)
    assert not user.asked.moves
    user.drag(OTHER)
    user.see(lambda: 'In reach' in user.newest('verdict'))
    user.show(enabled=True)
    user.set(user.slider('elbow_joint'), 30.0)
    user.see(lambda: bool(user.asked.moves))


def test_a_ball_that_is_not_followed_has_a_nearest_point_to_go_to(user: User) -> None:
    user.set('Follow the ball', False)
    user.stop()
    user.drag(FAR)
    user.see(lambda: 'The nearest point is at x 0.6' in user.newest('verdict'))
    assert 'TOO FAR' in user.newest('verdict')
    assert any(one.get('name') == '/nearest' for one in user.socket.heard)
    button = user.control('Go to the nearest point')
    user.see(lambda: user.updates(button, 'label')[-1:] == [NEAREST_BALL])
    user.set('Go to the nearest point')
    user.see(lambda: user.ball == pytest.approx((0.636, 0.636, 0.0), abs=1e-3))
    user.see(lambda: 'nearest' not in user.newest('verdict'))
    assert not user.asked.targets
    user.drag((-0.5, 0.3, 0.0))  # a point in reach, past what a straight line can do
    user.see(lambda: 'The arm stays' in user.newest('verdict'))
    assert 'nearest' not in user.newest('verdict')
    assert 'it may go there another way.' in user.newest('verdict')


def test_the_nearest_point_of_a_disabled_arm_is_for_the_ball_alone(user: User) -> None:
    button = user.control('Go to the nearest point')
    user.show(enabled=False)
    user.drag(FAR)
    user.see(lambda: user.updates(button, 'label')[-1:] == [NEAREST_BALL])
    user.show(enabled=True)
    user.see(lambda: user.updates(button, 'label')[-1:] != [NEAREST_BALL])


def test_what_moves_straight_is_gray_unless_a_ball_waits_for_it(user: User) -> None:
    button = user.control('Straight to the ball')

    def is_gray() -> bool:
        first = next(one for one in user.socket.heard if one.get('uuid') == button)
        return [first['props']['disabled'], *user.updates(button, 'disabled')][-1]

    assert is_gray()
    user.set('Follow the ball', False)
    user.stop()
    for _ in range(3):
        user.see(is_gray)  # the tip is at the ball
    user.drag(NEAR)
    user.see(lambda: not is_gray())
    for past_the_line in (FAR, (-0.5, 0.3, 0.0)):
        user.drag(past_the_line)
        user.see(is_gray)
        user.drag(NEAR)
        user.see(lambda: not is_gray())
    user.set('Follow the ball', True)
    user.see(is_gray)
    user.show(enabled=False)
    user.drag(OTHER)
    user.see(lambda: 'In reach' in user.newest('verdict'))
    assert is_gray()
