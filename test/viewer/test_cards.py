# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's text: the verdict and the readings."""

import ast
import html
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from law_cases import cases
from viewer_arms import ARMS, TEXTS, each_arm

from ik_circles import Code
from ik_circles.control.target import Target
from ik_circles.reasons import meters_text
from ik_circles.spatial.points.ways import TILT_TOLERANCE
from ik_circles.viewer import cards, targets, theme
from ik_circles.viewer.orientation import target_at
from ik_circles.viewer.plain_words import HIGHER
from ik_circles.viewer.settings_controls import CHOICES
from ik_circles.viewer.standalone import SimulatedBackend
from ik_circles.viewer.state import NOTHING_TURNS, Snapshot, TargetAnswer, Turn

#: Letters of a card for which a laptop's page has room: 282 took six lines, and 293 took seven.
MOST_LETTERS = 282


def test_the_verdict_says_code_and_reason_and_no_markup() -> None:
    refused = TargetAnswer(Code.JOINT_LIMIT, '<b> would exceed its upper limit by 6.1 deg')
    state = Snapshot(ARMS['so101'], answer=refused, notice='a note; do that')
    text = re.sub('<[^>]*>', ' ', cards.verdict(state))
    assert 'JOINT LIMIT' in text
    assert '&lt;b&gt; would have to turn 6.1 deg past its upper limit' in text
    assert text.index('A note. Do that.') < text.index('JOINT LIMIT')
    ready = replace(state, answer=None, notice='')
    assert 'Drag the ball, or the hoop around it: the arm follows' in cards.verdict(ready)
    left = replace(ready, target=Target((0.2, 0.0, 0.2)))  # it was disabled when it was asked
    assert 'The arm has not gone to the ball' in cards.verdict(left)
    assert 'has not gone' not in cards.verdict(left, follows=False)


def said(answer: TargetAnswer) -> str:
    """The verdict as a reader sees it."""
    card = cards.verdict(Snapshot(ARMS['so101'], answer=answer))
    return ' '.join(html.unescape(re.sub('<[^>]*>', ' ', card)).split())


@pytest.mark.parametrize('name', ['planar_3r', 'so101'])
def test_a_margin_that_is_refused_says_what_is_possible_and_what_counts(name: str) -> None:
    """Law: the largest margin that the card names is accepted, and one more millimeter is not."""
    backend = SimulatedBackend(ARMS[name], TEXTS[name])
    backend.set('safe_zone_margin', 0.02, False)
    backend.set('safe_zone_margin', 0.5001, False)
    text = html.unescape(cards.verdict(backend.step(0.0)))
    found = re.search(r'"Keep from the edge" cannot be 0.500 m: at most (\S+) m works', text)
    most = float(found[1])
    assert 'It stays at 0.02 m.' in text
    for margin, is_refused in ((most, False), (most + 0.001, True)):
        backend.set('safe_zone_margin', margin, False)
        assert bool(backend.step(0.0).notice) is is_refused
    backend.set('safe_zone_margin', -1.0, False)
    assert '"Keep from the edge"' in html.unescape(cards.verdict(backend.step(0.0)))


def test_ok_says_by_how_much_the_tool_is_tilted_and_never_not() -> None:
    message = (
        'reachable, but not with this orientation: elbow_flex would exceed its upper limit by '
        '6.1 deg; the nearest of those tried is 1.8 deg away'
    )
    text = said(TargetAnswer(Code.OK, message, tilt=math.radians(1.8)))
    assert text.startswith('OK, tilted by 1.8 deg The arm takes the nearest orientation')
    assert 'As asked, elbow_flex would have to turn 6.1 deg past its upper limit.' in text
    assert not re.search(r'\bnot\b', text)
    assert said(TargetAnswer(Code.OK, 'reachable in one way')) == 'OK In reach, in one way.'


def test_a_tool_that_is_turned_to_the_other_side_is_said_to_be_and_how_to_stay_instead() -> None:
    """"tilted by 178.5 deg" reads like a slip."""
    message = 'reachable, but not with this orientation: too far; the nearest of those tried is it'
    text = said(TargetAnswer(Code.OK, message, tilt=math.radians(178.5)))
    assert text == (
        'OK, turned by 178.5 deg The arm finds nothing nearer here. As asked, too far. '
        'With "Orientation: as asked, or refuse", the arm stays.'
    )
    choice = CHOICES['orientation_mode']
    assert f'"{choice.label}: {choice.names["fixed"]}"' in text


def test_an_answer_with_all_that_may_be_said_fits_into_the_room_for_cards() -> None:
    """A longer one moves the controls below it on a laptop."""
    message = (
        'reachable, but not with this orientation: the axis of wrist_roll would have to leave the '
        "arm's plane by 4.1 deg; the nearest of those tried is 163.0 deg away"
    )
    turned = Turn('wrist_roll', math.radians(150.2))
    answer = TargetAnswer(
        Code.OK, message, tilt=math.radians(163.0), other_elbow='down', farthest=turned
    )
    assert len(said(answer)) <= MOST_LETTERS


def test_ok_with_a_tilt_that_counts_is_no_success_in_green() -> None:
    """Law: up to the tilt that Python takes as the whole orientation, it is green."""
    state = Snapshot(ARMS['so101'])
    for tilt, color in (
        (0.0, theme.REACHED), (TILT_TOLERANCE, theme.REACHED),
        (1.01 * TILT_TOLERANCE, theme.TILTED), (math.radians(40.0), theme.TILTED),
    ):  # fmt: skip
        card = cards.verdict(replace(state, answer=TargetAnswer(Code.OK, 'reachable', tilt=tilt)))
        assert [one for one in (theme.REACHED, theme.TILTED, theme.REFUSED) if one in card] == [
            color
        ]


def test_ok_says_that_the_elbow_is_not_where_it_was_asked_for() -> None:
    text = said(TargetAnswer(Code.OK, 'reachable in one way', other_elbow='down'))
    assert text == 'OK In reach, in one way. The elbow cannot be up here: it is down.'
    tilted = TargetAnswer(Code.OK, 'reachable', tilt=0.1, other_elbow='up')
    assert said(tilted).endswith('finds here. The elbow cannot be down here: it is up.')
    assert 'elbow' not in said(TargetAnswer(Code.TOO_FAR, 'too far', other_elbow='up'))


@each_arm
def test_an_accepted_target_of_any_orientation_is_said_in_one_voice(name: str) -> None:
    """Law: a green OK never says "not", and a tilt that it says is that of the command."""
    arm, rng = ARMS[name], np.random.default_rng(7)
    backend, tilted = SimulatedBackend(arm, TEXTS[name]), 0
    for _ in range(60):
        q = {joint.name: rng.uniform(-1.0, 1.0) for joint in arm.naming.joints.values()}
        pose = arm.forward_kinematics(q)
        position = targets.point_of(pose[:3, 3])
        angles = (rng.uniform(-3.0, 3.0), *(0.5,) * len(arm.wrist_joints))
        backend.aim(target_at(arm, position, angles))
        answer = backend.step(0.0).answer
        if answer.code is Code.OK:
            assert not re.search(r'\bnot\b', said(answer)), answer.message
            side = 'turned' if answer.tilt > math.pi / 2.0 else 'tilted'
            tilted += f'OK, {side} by' in said(answer)
    assert tilted > 5


def test_out_of_reach_it_says_where_the_nearest_point_is_and_that_the_arm_stays() -> None:
    far = TargetAnswer(Code.TOO_FAR, 'too far by 0.1 m', (0.25, -0.0001, 0.3))
    text = said(far)
    assert text.endswith('The nearest point is at x 0.250, y 0.000, z 0.300 m. The arm stays.')
    assert said(replace(far, command={'shoulder_pan': 0.0})).endswith('The arm goes there.')


@each_arm
@pytest.mark.parametrize(('setting', 'end'), [('reject', 'stays'), ('nearest', 'goes there')])
def test_the_nearest_point_is_named_once(name: str, setting: str, end: str) -> None:
    """Law: where it is replaces how far it is away, so that the card stays short."""
    arm, rng = ARMS[name], np.random.default_rng(11)
    backend = SimulatedBackend(arm, TEXTS[name])
    backend.set('on_unreachable', setting, False)
    named = 0
    for _ in range(cases(200, least=10)):
        at = tuple((1.2 * arm.arm.max_reach * rng.uniform(-1.0, 1.0, 3)).tolist())
        backend.aim(Target(at))
        answer = backend.step(0.0).answer
        if answer.code is not Code.OK and answer.nearest is not None:
            named += 1
            answer = replace(answer, farthest=NOTHING_TURNS)  # which is said after that
            assert said(answer).lower().count('nearest') == 1, said(answer)
            assert said(answer).endswith(f'm. The arm {end}.')
    assert named > 1


def test_before_a_target_the_card_says_what_the_check_box_says() -> None:
    state = Snapshot(ARMS['so101'])
    assert 'the arm follows' in cards.verdict(state)
    alone = html.unescape(cards.verdict(state, follows=False))
    assert 'follows' not in alone and '"Straight to the ball"' in alone


def test_a_disabled_arm_says_how_to_enable_it() -> None:
    state = Snapshot(ARMS['so101'], enabled=False)
    assert 'Check "Enable"' in html.unescape(cards.verdict(state))
    assert 'Drag' not in cards.verdict(state)


def test_what_is_refused_says_that_the_arm_stays() -> None:
    line = TargetAnswer(Code.JOINT_LIMIT, 'the line can be followed for 0.002 of 0.223 m (0.8 %)')
    assert '(0.8 %). The arm stays. With "Follow the ball"' in said(line)
    assert said(line).startswith('LINE ENDS EARLY The line')  # the ball may be in reach
    assert said(TargetAnswer(Code.CANCELED, 'canceled')) == 'STOPPED Canceled.'
    busy = 'a goal of ~/move_to moves the arm, and goes first; wait for its end, or cancel it'
    assert said(TargetAnswer(Code.CANCELED, busy)).startswith('WAIT A motion is under way')
    rest = TargetAnswer(Code.CANCELED, 'canceled; the arm was brought to rest')
    assert 'The arm was brought to rest, and stays until it is asked for something.' in said(rest)
    for answer in (rest, TargetAnswer(Code.DISABLED, 'the arm is disabled')):
        assert not answer.is_of_target
        assert theme.REFUSED not in cards.verdict(Snapshot(ARMS['so101'], answer=answer))


def test_the_readings_say_latency_rate_and_joints() -> None:
    measured = {'shoulder_pan': math.radians(12.34), 'gripper': 1.0}
    state = Snapshot(ARMS['so101'], measured=measured, latency=0.00123, rate=20)
    text = re.sub('<[^>]*>', ' ', cards.readings(state))
    assert re.search(r'time to answer\s+1\.2 ms', text)
    assert re.search(r'last second\s+20', text)
    assert re.search(r'shoulder_pan\s+12\.3°', text)
    assert 'gripper' not in text


#: Two distances as messages say them.
NEAR_AND_FAR = meters_text(2.8e-7), meters_text(0.0124)
CONTROLS = {
    'add_button_group', 'add_checkbox', 'add_dropdown', 'add_number', 'add_slider', 'add_text',
}  # fmt: skip


def test_each_control_has_a_hint() -> None:
    """Those of buttons are in test_page_looks: viser takes and drops them."""
    found = 0
    for path in Path(cards.__file__).parent.glob('*.py'):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, 'attr', '') in CONTROLS:
                found += 1
                assert 'hint' in {one.arg for one in node.keywords}, f'{path.name}:{node.lineno}'
    assert found >= 10


def test_while_the_arm_is_disabled_no_answer_is_green() -> None:
    """Unchecking "Enable" changes the card at once, also of a line that could be followed."""
    whole = TargetAnswer(Code.OK, 'the whole line of 0.191 m can be followed')
    tilted = TargetAnswer(Code.OK, 'not with this orientation: x; the nearest', tilt=0.1)
    for answer in (whole, tilted, TargetAnswer(Code.OK, 'reachable in one way')):
        color = theme.TILTED if answer is tilted else theme.REACHED
        green = cards.verdict(Snapshot(arm=ARMS['so101'], answer=answer, enabled=True))
        gray = cards.verdict(Snapshot(arm=ARMS['so101'], answer=answer, enabled=False))
        assert color in green and 'Enable' not in green
        assert color not in gray and gray.count('. Check &quot;Enable&quot;, and it') == 1
    assert 'followed. Press &quot;Straight' in cards.verdict(Snapshot(answer=whole))


def test_a_joint_that_turns_far_is_said() -> None:
    far, near = (Turn('wrist_1', math.radians(degrees)) for degrees in (153.0, 89.0))
    turned = TargetAnswer(Code.OK, 'reachable in one way', farthest=far)
    assert said(turned) == 'OK In reach, in one way. Getting there turns wrist_1 by 153.0 deg.'
    assert 'wrist_1' not in said(replace(turned, farthest=near))
    stays = TargetAnswer(Code.TOO_FAR, 'too far by 0.1 m', farthest=far)
    assert 'wrist_1' not in said(stays)
    assert 'turns wrist_1' in said(replace(stays, command={'wrist_1': 0.0}))


def test_a_far_turn_is_said_until_it_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the next answer to the same drag takes it away at once."""
    clock = [100.0]
    monkeypatch.setattr(cards.time, 'monotonic', lambda: clock[-1])
    turn = Turn('waist', math.radians(153.0))
    far = TargetAnswer(Code.OK, 'reachable', command={'waist': 2.0}, farthest=turn)
    near, stays = replace(far, farthest=NOTHING_TURNS), replace(far, command={})
    newest = cards.FarTurn()
    assert [*map(newest.before, (near, far, None, stays))] == [NOTHING_TURNS] * 4
    for later in (100.1, 100.0 + 0.99 * cards.TURN_SAID_FOR):
        clock.append(later)
        turned = newest.before(near)
        state = Snapshot(ARMS['px100'], answer=near)
        assert 'A moment ago, waist had to turn by 153.0 deg.' in cards.verdict(
            state, turned=turned
        )
    clock.append(100.1 + cards.TURN_SAID_FOR)
    assert newest.before(near) is NOTHING_TURNS


def test_how_far_a_motion_has_ended_from_its_goal_is_said_if_a_person_could_see_it() -> None:
    """The gripper alone has no goal of the tip, and without ROS the page says no more either."""
    near, far = (f'arrived: the tip is measured {one} from its goal' for one in NEAR_AND_FAR)
    assert said(TargetAnswer(Code.OK, near)) == 'OK Arrived.'
    assert said(TargetAnswer(Code.OK, far)) == f'OK A{far[1:]}.'


def test_a_joint_sent_below_the_floor_is_not_told_to_drag_the_ball() -> None:
    """Law: what to do about it is about the ball only if the ball is the goal."""
    why = 'after 19.2 % of its way, the motion would go below the floor, by 0.01 m or more; '
    why += HIGHER
    state = Snapshot(ARMS['so101'], answer=TargetAnswer(Code.FLOOR, why))
    assert 'the floor. Raise the arm with another joint first. The arm' in cards.verdict(state)
    ball = cards.verdict(replace(state, target=Target((0.1, 0.2, 0.0))))
    assert 'Drag the ball there in a high arc' in ball and 'Raise' not in ball


def test_a_motion_that_the_floor_ends_does_not_go_to_the_nearest_point() -> None:
    """The ball is within reach: it is the nearest point itself, and the arm rests before it."""
    why = 'after 19.2 % of its way, the motion would go below the floor, by 0.01 m or more; '
    why += f'{HIGHER}; the arm comes to rest before that'
    answer = TargetAnswer(Code.FLOOR, why, (0.1, 0.2, 0.0), command=dict.fromkeys('abc', 0.0))
    text = cards.verdict(Snapshot(ARMS['so101'], answer=answer))
    assert 'The arm comes to rest before that.' in text
    assert 'nearest point' not in text and 'goes there' not in text
