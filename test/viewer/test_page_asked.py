# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a user has asked for stays so: orientations, joint positions, and what is no number."""

import math
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace

import numpy as np
import pytest
from page_user import User
from viewer_arms import ARMS, URDF, each_arm

from ik_circles import Code, load_arm
from ik_circles.control.floor import stands
from ik_circles.control.home import home_positions
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.target import Refusal, Target
from ik_circles.viewer.controls import NEAREST_POSE
from ik_circles.viewer.grips import HINT
from ik_circles.viewer.motion_controls import AT_THE_BALL
from ik_circles.viewer.orientation import rotation_of
from ik_circles.viewer.state import NOTHING_TURNS, TargetAnswer, Turn
from ik_circles.viewer.target_fields import GO, ORIENTATION, PLACE, PUT
from ik_circles.viewer.targets import answered

#: Two places, one out of reach, and the nearest point to that [m].
NEAR, FAR, EDGE = (0.5, 0.3, 0.0), (0.9, 0.9, 0.0), (0.636, 0.636, 0.0)
#: The slider that each arm has, as it is called at first.
PITCH = ORIENTATION[-1][0][0]
TURNED = 20.0


@pytest.fixture
def user() -> Iterator[User]:
    """One who has turned the tool."""
    with ExitStack() as stack:
        user = User(stack)
        user.set(PITCH, TURNED)
        user.stop()
        yield user


def _sent(user: User) -> tuple[tuple[float, ...], float]:
    """Where the newest target is [m], and its angle in the plane of planar_3r [deg]."""
    user.stop()
    target = user.asked.newest
    return target.position, math.degrees(math.atan2(target.rotation[1, 0], target.rotation[0, 0]))


@pytest.mark.parametrize(('mode', 'expected'), [('preferred', TURNED), ('fixed', 50.0)])
def test_the_nearest_point_turns_the_tool_only_where_it_must_and_a_drag_turns_it_back(
    user: User, mode: str, expected: float
) -> None:
    user.drag(FAR)
    assert _sent(user)[1] == pytest.approx(TURNED)
    toward = rotation_of(0.0, 0.0, math.radians(50.0))
    answer = TargetAnswer(Code.TOO_FAR, 'too far by 0.37 m', nearest=EDGE, toward=toward)
    settings = Settings(orientation_mode=mode)
    user.show(target=user.asked.targets[-1], answer=answer, settings=settings)
    user.set('Go to the nearest point')
    position, angle = _sent(user)
    assert position == pytest.approx(EDGE)
    assert angle == pytest.approx(expected)
    user.hear(lambda: user.ball == pytest.approx(EDGE))
    user.drag(NEAR)
    position, angle = _sent(user)
    assert position == pytest.approx(NEAR)
    assert angle == pytest.approx(TURNED)
    user.stop()
    assert [one for one in user.values(PITCH) if one not in (0.0, TURNED, expected)] == []


def test_a_button_that_may_turn_the_tool_says_so(user: User) -> None:
    button, answer = user.control('Go to the nearest point'), TargetAnswer(Code.TOO_FAR, '', EDGE)
    user.show(answer=answer, settings=Settings(orientation_mode='fixed'))
    user.hear(lambda: user.updates(button, 'label')[-1:] == [NEAREST_POSE])


def test_following_the_ball_again_turns_the_tool_back_from_a_straight_line(user: User) -> None:
    user.set('Follow the ball', False)
    user.stop()
    user.drag(NEAR)
    user.hear(lambda: user.values(PITCH)[-1:] not in ([], [TURNED]))  # as the line keeps it
    user.set('Follow the ball', True)
    position, angle = _sent(user)
    assert position == pytest.approx(NEAR)
    assert angle == pytest.approx(TURNED)
    user.hear(lambda: user.values(PITCH)[-1] == TURNED)


@each_arm
def test_home_is_for_the_joints(name: str) -> None:
    """A pose could be reached with other joints, in six ways or with whole turns."""
    with ExitStack() as stack:
        user = User(stack, name)
        user.set('Home')
        user.stop()
        assert user.asked.moves == [dict.fromkeys(ARMS[name].commanded_joints, 0.0)]
        assert not user.asked.targets


@pytest.mark.parametrize('name', sorted(path.stem for path in URDF.glob('*.urdf')))
def test_home_can_be_sent_and_ends_at_its_joints(name: str) -> None:
    """Law: also above the floor on which an arm stands, from where nothing is below it."""
    arm = load_arm(name)
    arm = arm.above(0.0) if stands(arm) else arm
    home, rng, begun = home_positions(arm, Settings()), np.random.default_rng(13), 0
    assert home.keys() == set(arm.commanded_joints)
    for _ in range(30):
        limits = {name: (joint.lower, joint.upper) for name, joint in arm.joints.items()}
        start = {name: rng.uniform(max(a, -3.0), min(b, 3.0)) for name, (a, b) in limits.items()}
        state = State(start, dict.fromkeys(home, 0.0))
        with suppress(Refusal):  # the way leads below the floor
            planned = plan(arm, Settings(), MotionParameters(), Wish(joints=home), state)
            assert planned.end == pytest.approx(home)
            begun += 1
    assert begun > 5


@each_arm
def test_joints_are_called_as_messages_call_them(name: str) -> None:
    with ExitStack() as stack:
        user = User(stack, name)
        assert all(user.slider(joint) for joint in ARMS[name].commanded_joints)


def test_the_button_below_the_numbers_says_what_it_does(user: User) -> None:
    labels = [GO[0]]
    for follows, enabled in ((False, True), (True, True), (True, False)):
        user.set('Follow the ball', follows)
        user.stop()
        user.show(enabled=enabled)
        labels.append(GO[0] if follows and enabled else PUT[0])
        user.see(lambda: [GO[0], *user.values(GO[0], 'label')] == labels)


@pytest.mark.parametrize('typed', ['abc', '', '1.2.3', 'nan'])
def test_what_is_no_number_is_said(user: User, typed: str) -> None:
    before, sent = user.ball, len(user.asked.targets)
    user.set('y [m]', typed)
    user.set('Go there')
    user.socket.hear_of(f'"{typed}" is not a number')
    field = user.control('Right, up [m]')
    form = next(one['container_uuid'] for one in user.socket.heard if one.get('uuid') == field)
    user.set('Right, up [m]', f'0.1, {typed}')
    user.socket.say({'type': 'GuiFormSubmitMessage', 'uuid': form})
    user.socket.hear_of(f'"0.1, {typed}" is not two numbers')
    user.stop()
    user.show(rate=1)
    user.hear(lambda: np.allclose(user.ball, before) and user.values('y [m]')[-1:] == ['0'])
    assert len(user.asked.targets) == sent


def test_a_far_turn_of_a_drag_stays_on_the_card(user: User) -> None:
    """Each event of a drag has its own answer, and only one of them turns a joint far."""
    turn = Turn('shoulder_joint', 2.0)
    far = TargetAnswer(Code.OK, 'reachable', command={'shoulder_joint': 2.0}, farthest=turn)
    user.show(answer=far)
    user.hear(lambda: 'turns shoulder_joint by 114.6 deg' in user.newest('verdict'))
    user.show(answer=replace(far, farthest=NOTHING_TURNS))
    user.hear(lambda: 'shoulder_joint had to turn by 114.6 deg' in user.newest('verdict'))


def test_the_hints_of_the_place_name_the_robots_own_base(user: User) -> None:
    text = (URDF / 'open_manipulator_x.urdf').read_text()
    arm = load_arm(text)
    assert arm.base_link == 'world'
    user.show(arm=arm, description=text, measured=dict.fromkeys(arm.commanded_joints, 0.0))
    for name in PLACE:
        user.hear(lambda: any('world' in one for one in user.values(name, 'hint')))  # noqa: B023
        assert 'world' in user.values(name, 'hint')[-1]


def test_straight_is_gray_where_the_tip_is_at_the_ball(user: User) -> None:
    """It would do nothing, as after a straight motion."""
    button = user.control('Straight to the ball')
    first = user.ball
    user.set('Follow the ball', False)
    for place, is_gray in ((NEAR, False), (first, True), (NEAR, False)):
        user.drag(place)
        user.see(lambda: user.updates(button, 'disabled')[-1:] == [is_gray])  # noqa: B023
        assert (AT_THE_BALL in user.newest('verdict')) is is_gray


def test_all_that_is_not_dragged_goes_at_speed(user: User) -> None:
    """A new user took it for the speed of "Go there", too."""
    field = user.control('Right, up [m]')
    form = next(one['container_uuid'] for one in user.socket.heard if one.get('uuid') == field)
    turned = len(user.asked.targets)
    user.set('Speed', 0.25)
    user.set('Home')
    user.stop()
    user.set(user.slider('elbow_joint'), 20.7)
    user.see(lambda: len(user.asked.moves) == 2)
    for name, place in zip(PLACE, NEAR):
        user.set(name, f'{place}')
    user.set(GO[0])
    user.stop()
    user.set('Right, up [m]', '0.4, 0.3')
    user.socket.say({'type': 'GuiFormSubmitMessage', 'uuid': form})
    user.stop()
    assert [there.target.position for there in user.asked.arrivals[2:]] == [NEAR, (0.4, 0.3, 0.0)]
    assert len(user.asked.targets) == turned
    user.hear(lambda: user.ball == pytest.approx((0.4, 0.3, 0.0)))
    user.drag(NEAR)
    user.stop()
    assert user.asked.targets[-1].position == pytest.approx(NEAR)
    answer = TargetAnswer(Code.TOO_FAR, 'too far by 0.1 m', nearest=(0.3, 0.4, 0.0))
    user.show(target=user.asked.targets[-1], answer=answer)
    user.set('Go to the nearest point')
    user.stop()
    assert user.asked.arrivals[-1].target.position == answer.nearest
    user.set('Follow the ball', False)
    user.hear(lambda: user.ball == pytest.approx(answer.nearest))
    user.drag(NEAR)
    user.stop()
    user.set('Straight to the ball')
    user.stop()
    assert user.asked.speeds == [0.25] * 6


def test_a_typed_place_is_answered_like_one_that_is_dragged(user: User) -> None:
    """Its joints go where the answer has them; out of reach, the node says why."""
    user.set('x [m]', '0.5')
    user.set(GO[0])
    user.stop()
    ((target, answer),) = user.asked.arrivals
    arm, measured = ARMS['planar_3r'], dict.fromkeys(ARMS['planar_3r'].commanded_joints, 0.0)
    assert answer == answered(arm, Settings(), target, measured)
    assert user.asked.moves == [answer.command]
    assert arm.forward_kinematics(answer.command)[:3, 3] == pytest.approx([0.5, 0.0, 0.0])
    user.set('x [m]', '5.0')
    user.set(GO[0])
    user.stop()
    assert user.asked.targets[-1].position == (5.0, 0.0, 0.0)
    assert len(user.asked.moves) == 1


def test_a_ball_that_is_not_followed_keeps_the_tool_typed_and_dragged_behind_the_base() -> None:
    """A ball behind the base turned the sliders, as the line would that ends before it."""
    with ExitStack() as stack:
        user = User(stack, 'so101')
        sliders = [name for name, _ in ORIENTATION[-1][:2]]
        user.set('Follow the ball', False)
        user.stop()
        x, y, z = user.ball
        user.drag((-0.1, y, z))
        user.see(lambda: 'The arm stays' in user.newest('verdict'))
        for place in ('-0.2', f'{x:.3f}'):
            user.set('x [m]', place)
            user.set('Go there')
            user.see(lambda: user.ball[0] == pytest.approx(float(place)))  # noqa: B023
        user.see(lambda: '>OK<' in user.newest('verdict'))
        assert not [one for name in sliders for one in user.values(name) if one]


def test_what_to_drag_is_said_at_the_ball_until_it_is_dragged(user: User) -> None:
    """Also where a wrist hides the ball, as that of a ur5e: a label is seen through it."""
    (label,) = (one for one in user.socket.heard if one['type'] == 'LabelMessage')
    assert label['props']['text'] == HINT and not label['props']['depth_test']
    assert label['name'].startswith('/target/')

    def seen() -> list[bool]:
        said = (one for one in user.socket.heard if one['type'].startswith('SetSceneNodeVis'))
        return [one['visible'] for one in said if one['name'] == label['name']]

    assert all(seen())
    user.drag(NEAR)
    user.hear(lambda: seen()[-1:] == [False])


def test_a_target_takes_the_ball_back_from_a_tip_that_was_measured_anew(user: User) -> None:
    """A real arm's joints are measured anew all the time, also while a target is on its way to the
    node: then the ball stayed at the tip, and the card spoke about another place."""
    user.drag(FAR)
    user.stop()
    target = user.asked.newest
    user.hear(lambda: user.ball == pytest.approx(FAR))
    user.show(measured=dict.fromkeys(ARMS['planar_3r'].commanded_joints, 1e-4))
    user.hear(lambda: user.ball != pytest.approx(FAR))
    user.show(target=target, answer=TargetAnswer(Code.TOO_FAR, 'too far by 0.37 m', nearest=EDGE))
    user.hear(lambda: user.ball == pytest.approx(FAR))


def test_half_a_turn_is_shown_without_a_sign() -> None:
    """Rounding chose the end: a ur5e began with a yaw of -180."""
    with ExitStack() as stack:
        user = User(stack, 'ur5e')
        names = [name for name, _ in ORIENTATION[-1]]
        user.hear(lambda: user.values(names[2]) != [])
        for sign in (1.0, -1.0):
            user.show(target=Target(NEAR, rotation_of(sign * math.pi, 0.0, sign * math.pi)))
            user.show(rate=1)
        assert not [one for name in names for one in user.values(name) if one == -180.0]
