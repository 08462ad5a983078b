# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Numbers that are typed beside sliders: no half of one is sent, and a drag is not late."""

import math
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from page_user import User

from ik_circles.control.settings import Settings
from ik_circles.viewer import half_typed
from ik_circles.viewer.settings_controls import KEEP
from ik_circles.viewer.target_fields import ORIENTATION

PITCH, JOINT = ORIENTATION[-1][0][0], 'wrist_1_joint'
#: A value of a slider is sent within this, which is also the least between two [s].
AT_ONCE = 0.15


@pytest.fixture
def user() -> Iterator[User]:
    with ExitStack() as stack:
        yield User(stack, 'ur5e')


def press(user: User, control: str, *values: float) -> None:
    """Have a control changed to one value after the other, each while the page is shown."""
    for value in values:
        user.set(control, value)
        shown_for(user, 2.0 * AT_ONCE)


def shown_for(user: User, seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        user.show()
        time.sleep(0.02)


def enter(user: User, control: str) -> None:
    """Press Enter in the number of a slider."""
    number = user.control(control)
    said = (one for one in user.socket.heard if one.get('uuid') == number)
    form = next(one['container_uuid'] for one in said if 'container_uuid' in one)
    user.socket.say({'type': 'GuiFormSubmitMessage', 'uuid': form})


@pytest.mark.parametrize('with_enter', [False, True])
def test_a_joint_whose_number_is_typed_sets_off_for_the_whole_number(
    user: User, with_enter: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if with_enter:
        monkeypatch.setattr(half_typed, 'NEXT_KEY', math.inf)
    joint = user.slider(JOINT)
    press(user, joint, 2.0, 20.0, 200.0)
    assert not user.asked.moves
    if with_enter:
        enter(user, joint)
    user.see(lambda: bool(user.asked.moves))
    assert user.asked.moves == [{JOINT: pytest.approx(math.radians(200.0))}]


def test_a_tool_whose_angle_is_typed_turns_to_the_whole_number(user: User) -> None:
    press(user, PITCH, -4.0, -45.0)
    assert not user.asked.targets
    user.see(lambda: bool(user.asked.targets))
    (target,) = user.asked.targets
    assert target.rotation[2, 1] == pytest.approx(-math.sqrt(0.5))


def test_a_slider_that_is_dragged_is_not_late(user: User) -> None:
    joint = user.slider(JOINT)
    press(user, joint, 10.3, 14.6, 21.7)
    assert len(user.asked.moves) == 3


@pytest.mark.parametrize('what', ['Stop', 'a drag'])
def test_what_is_typed_by_half_does_not_count_after_something_else(user: User, what: str) -> None:
    press(user, user.slider(JOINT), 2.0)
    x, y, z = user.ball
    if what == 'Stop':
        user.stop()
    else:
        user.drag((x - 0.1, y, z))
    shown_for(user, 1.5 * half_typed.NEXT_KEY)
    assert not user.asked.moves


def test_a_margin_counts_once_it_is_typed_and_the_one_before_if_it_is_refused(user: User) -> None:
    """Its first key is a 0, which took the margin away; what followed was too large, and was not
    sent. Without a margin, the arm goes to the very edge."""
    kept: list[object] = []
    user.asked.set = lambda name, value, again: kept.append((name, value))
    before = Settings(safe_zone_margin=0.02)
    user.show(settings=before)
    for keys in ('0', '0.', '0.5'):
        user.set(KEEP, keys)
        shown_for(user, AT_ONCE)
    assert kept == []
    enter(user, KEEP)
    user.see(lambda: kept == [('safe_zone_margin', 0.5)])
    user.see(lambda: user.values(KEEP)[-1:] == ['0.02'])
    user.set(KEEP, 'much')
    enter(user, KEEP)
    user.socket.hear_of('"much" is not a number')
    user.see(lambda: user.values(KEEP)[-1:] == ['0.02'])
    assert len(kept) == 1


def test_which_values_may_be_typed_by_half() -> None:
    """Law: whatever is typed, none of its keys but the last one is sent; of a drag, nearly all."""
    for keys in (('2', '20', '200'), ('-4', '-45'), ('0', '0.5'), ('15', '1', '9', '90')):
        before = 15.2
        for key in keys[:-1]:
            assert half_typed.may_be_half(before, float(key)), keys
            before = float(key)
    dragged = [-90.0 + 1.7 * step for step in range(100)]
    held = sum(map(half_typed.may_be_half, dragged, dragged[1:]))
    assert held <= 5
