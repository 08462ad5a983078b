# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a user does on a phone, by touch: drag, open the panels, scroll, and stop the arm."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import ON_ITS_SIDE, PHONE, Browser, browsing
from test_view_command import viewing
from viewer_arms import ARMS, URDF

from ik_circles.viewer.controls import PLANE_VIEW
from ik_circles.viewer.grips import HOOP_RADIUS, RING_ABOVE, RING_RADIUS
from ik_circles.viewer.theme import CARDS, FINGER, STOP_NEXT

ARM = ARMS['so101']
#: How far a drag may be off [m].
NEAR = 0.02
#: How much of a panel is seen where it opens, without a scroll [pixels].
SEEN = 100
#: What is at the bottom of a phone, and the button that is not in it there.
SHEET = '[class*=ScrollArea-root]'
SLIDER = '[role=slider]'
STOP = f'div:has(> .{STOP_NEXT}) + div button'
#: The button below the card, and the part of its panel that scrolls.
NEAREST = f'div:has(> .{CARDS}) + div button'
PANEL = f'[class*=ScrollArea-viewport]:has(.{STOP_NEXT})'
#: The last list, at the lower edge, where its choices flickered, and the heights of the choices of
#: an open one [pixels].
LAST_LIST = """
  const one = [...document.querySelectorAll('.mantine-Select-input')].at(-1);
  one.scrollIntoView({block: 'end'});
  const {x, y, width, height} = one.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
"""
CHOICES = """return [...document.querySelectorAll('.mantine-Select-option')]
  .filter(one => one.checkVisibility()).map(one => one.offsetHeight)"""
TITLE_BAR = f'div[style*="cursor"]:has(+ div .{STOP_NEXT})'
#: The thumb of the slider of a joint, in sight [pixels].
THUMB = """
  const label = [...document.querySelectorAll('label')].find(
    one => one.textContent.startsWith(arguments[0]));
  let row = label;
  while (!row.querySelector('[role=slider]')) row = row.parentElement;
  const thumb = row.querySelector('[role=slider]');
  thumb.scrollIntoView({block: 'center'});
  const {x, y, width, height} = thumb.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
"""
#: The length of the track of each slider that is shown [pixels], and the least one in fingers: a
#: thumb is one finger wide, and a finger that scrolls should not hit it.
TRACKS = """return [...document.querySelectorAll('.mantine-Slider-track')]
  .filter(one => one.checkVisibility()).map(one => one.offsetWidth)"""
TRACK_FINGERS = 4


@pytest.fixture(scope='module')
def address() -> Iterator[str]:
    with viewing(URDF / 'so101.urdf') as address:
        yield address


def edges(page: Browser, selector: str) -> tuple[float, float]:
    """Top and bottom of an element [pixels]."""
    top, bottom = page.driver.execute_script(
        'const one = document.querySelector(arguments[0]).getBoundingClientRect();'
        'return [one.top, one.bottom]', selector,
    )  # fmt: skip
    return top, bottom


def _is_open(page: Browser) -> bool:
    """Whether the folder of the joints shows its sliders, as high as they are."""
    return page.driver.execute_script(
        """let one = [...document.querySelectorAll('label')].find(
          label => label.textContent.includes('…'));
        while (one = one?.parentElement)
          if (one.offsetHeight < one.scrollHeight - 1 && one.style.overflow === 'hidden')
            return false;
        return true;"""
    )


def test_by_touch_on_a_phone(address: str, tmp_path: Path) -> None:
    with browsing(address, ARM, PHONE, dark=True) as phone:
        *_, width, _ = phone.canvas
        card, sheet = edges(phone, '.verdict')[1], edges(phone, SHEET)[0]
        for side in np.linspace(0.0, math.tau, 24):
            away = (1.0 + HOOP_RADIUS) * ARM.arm.max_reach  # the hoop of a ball at the edge
            x, y = away * np.array([math.cos(side), math.sin(side)])
            across, down = phone.pixel(ARM.spatial.plane.point_at(x, y))
            assert 0.0 <= across <= width
            assert card <= down < sheet
        phone.close_notice()
        x, y, z = np.array(phone.ball)
        phone.drag((0.8 * x, 0.8 * y, z + 0.06))
        phone.wait(lambda: np.array(phone.ball)[2] > z + 0.05, 'the ball')
        phone.wait_until_still(lambda: np.array(phone.ball).tolist(), 'the ball to rest')
        assert np.array(phone.ball) == pytest.approx((0.8 * x, 0.8 * y, z + 0.06), abs=NEAR)
        phone.picture('phone_touched.png', tmp_path)
        phone.tap(f'[aria-label="Expand panel {PLANE_VIEW}"]')
        phone.wait(lambda: phone.middle('.grip')[1] > 0.0, 'the plane view')
        phone.wait_until_still(lambda: phone.middle('.grip'), 'the plane view')
        assert edges(phone, '.plane-view')[0] < PHONE[1] - SEEN
        assert edges(phone, '.verdict')[1] < edges(phone, SHEET)[0]
        to_grip = 'document.querySelector(".grip").scrollIntoView({block: "center"})'
        phone.driver.execute_script(to_grip)
        phone.wait_until_still(lambda: phone.middle('.grip'), 'the plane view')
        x, y = phone.middle('.grip')
        before = np.array(phone.ball)
        phone.drag_pixels((x, y), (x - 20.0, y))
        phone.wait(lambda: np.linalg.norm(np.array(phone.ball) - before) > 0.02, 'the target')
        phone.picture('phone_plane_view.png', tmp_path)
        phone.tap('[aria-label="Expand panel Controls"]')
        phone.wait(lambda: _is_open(phone), 'the sliders of the joints')


def test_on_a_phone_card_and_stop_stay_however_the_sheet_is_scrolled(
    address: str, tmp_path: Path
) -> None:
    with browsing(address, ARM, PHONE) as phone:
        phone.close_notice()
        phone.check('Follow the ball')
        x, y, z = np.array(phone.ball)
        phone.drag((0.8 * x, 0.8 * y, z + 0.06))
        phone.wait(lambda: 'can be followed' in phone.text('.verdict'), 'the way ahead')
        phone.tap('[aria-label="Expand panel Controls"]')
        phone.wait(lambda: edges(phone, SLIDER)[1] > 0.0, 'the controls')
        phone.wait(lambda: _is_open(phone), 'the sliders of the joints')
        phone.type('Speed', '0.05')
        phone.click('Straight to the ball')
        phone.wait(lambda: '% of the motion is done' in phone.text('.verdict'), 'the motion')
        last = '[...document.querySelectorAll("[type=checkbox]")].at(-1)'
        phone.driver.execute_script(f'{last}.scrollIntoView(false)')
        phone.frames(3)
        phone.picture('phone_scrolled.png', tmp_path)
        shown = [edges(phone, one) for one in ('.verdict', STOP)]
        sheet, _ = edges(phone, SHEET)
        assert all(0.0 <= top < bottom <= sheet for top, bottom in shown), (shown, sheet)
        phone.tap(STOP)
        phone.wait(lambda: 'brought to rest' in phone.text('.verdict'), 'the arm to stop')
        phone.check('Follow the ball')


@pytest.mark.parametrize('size', [PHONE, ON_ITS_SIDE], ids=['upright', 'on its side'])
def test_what_is_touched_is_as_high_as_a_finger(
    address: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """Each button, field, box, choice in a list and head of a panel, and a slider's thumb.

    At first, the sheet needs no scroll. On its side, the card and the button below it are in sight
    together, and the button stays where it is whatever the card says.
    """
    with browsing(address, ARM, size) as phone:
        phone.close_notice()  # on its side, it covers thumbs
        if size == PHONE:
            assert 0.0 < edges(phone, '[aria-label="Expand panel Controls"]')[1] <= PHONE[1]
            phone.tap('[aria-label="Expand panel Controls"]')
            phone.wait(lambda: edges(phone, SLIDER)[1] > 0.0, 'the controls')
        else:
            places = [edges(phone, NEAREST)]
            phone.click('Home')
            phone.wait(lambda: 'Arrived' in phone.text('.verdict'), 'a short card')
            places.append(edges(phone, NEAREST))
            assert edges(phone, '.verdict')[1] < places[0][1] <= edges(phone, PANEL)[1]
            assert places[0] == places[1]
        phone.wait(lambda: _is_open(phone), 'the sliders of the joints')
        phone.wait(lambda: all(_touched(phone)[1]), 'nothing in front of the thumbs')
        tracks = phone.driver.execute_script(TRACKS)
        assert len(tracks) > 7
        assert size != PHONE or min(tracks) > TRACK_FINGERS * FINGER
        high, grips = _touched(phone)
        phone.picture(f'phone_sliders_{size[0]}.png', tmp_path)
        assert not [name for name, height in high if height < FINGER]
        assert len(high) > 20 and len(grips) > 9 and all(grips)
        place = phone.driver.execute_script(LAST_LIST)
        phone.frames(3)
        phone.drag_pixels(place)  # which is a tap
        phone.wait(lambda: phone.driver.execute_script(CHOICES), 'the choices')
        phone.picture(f'phone_choices_{size[0]}.png', tmp_path)
        assert min(phone.driver.execute_script(CHOICES)) >= FINGER


def test_no_tap_takes_stop_away(address: str, tmp_path: Path) -> None:
    """Else a tap on the title bar of the sheet, or on its buttons, hides all that is in it."""
    with browsing(address, ARM, PHONE) as phone:
        shown = edges(phone, STOP)
        phone.tap(TITLE_BAR)
        phone.wait_until_still(lambda: edges(phone, STOP), 'the sheet')
        assert edges(phone, STOP) == shown
        buttons = f'return document.querySelectorAll(`{TITLE_BAR} button`).length'
        visible = f'[...document.querySelectorAll(`{TITLE_BAR} button`)]'
        assert phone.driver.execute_script(buttons)
        assert not phone.driver.execute_script(f'return {visible}.some(one => one.offsetHeight)')


def test_a_finger_turns_the_ring_and_moves_a_joint_and_a_scroll_does_neither(
    address: str, tmp_path: Path
) -> None:
    """Law: a joint moves where its thumb is dragged, and not where the sheet is."""
    with browsing(address, ARM, PHONE) as phone:
        phone.close_notice()
        before, ring = np.array(phone.ball), RING_RADIUS * ARM.arm.max_reach
        at = math.atan2(before[1], before[0])
        knob, along = (
            (ring * math.cos(side), ring * math.sin(side), RING_ABOVE * ARM.arm.max_reach)
            for side in (at, at - 0.5)
        )
        phone.drag_pixels(phone.pixel(knob), phone.pixel(along))
        phone.wait_until_still(lambda: phone.ball, 'the ball to rest')
        turned = math.atan2(phone.ball[1], phone.ball[0]) - at
        assert turned == pytest.approx(-0.5, abs=0.15)
        phone.tap('[aria-label="Expand panel Controls"]')
        phone.wait(lambda: _is_open(phone), 'the sliders of the joints')
        name = 'elbow_flex'

        def thumb() -> list[float]:
            return phone.driver.execute_script(THUMB, name)

        thumb()
        phone.frames(3)
        x, y = thumb()
        phone.drag_pixels((x, y), (x + 15.0, y))
        phone.wait(lambda: 'Arrived' in phone.text('.verdict'), 'the joint to move')
        phone.wait_until_still(lambda: phone.text('.readings'), 'the last move of the finger')
        rest = phone.text('.readings')
        phone.picture('phone_joint.png', tmp_path)
        assert thumb()[0] == pytest.approx(x + 15.0, abs=6.0)
        phone.drag_pixels((x - 30.0, y), (x - 30.0, y - 120.0))  # on the track, as a finger may be
        phone.wait_until_still(lambda: phone.text('.readings'), 'nothing')
        assert phone.text('.readings') == rest
        x, y = thumb()
        phone.drag_pixels((x, y), (x + 8.0, y - 120.0))  # along the page, from the thumb
        phone.wait_until_still(lambda: phone.text('.readings'), 'nothing')
        assert phone.text('.readings') == rest


def _touched(phone: Browser) -> list:
    """The names and heights of what is touched; and of each thumb and box, scrolled into sight,
    whether nothing else is in front of it."""
    return phone.driver.execute_script(
        """const seen = kind => [...document.querySelectorAll(kind)]
          .filter(one => one.checkVisibility());
        const grip = thumb => {
          thumb.scrollIntoView({block: 'center'});
          const {x, y, width, height} = thumb.getBoundingClientRect();
          const at = up => document.elementFromPoint(x + width / 2, y + height / 2 + up);
          return [-1, 1].every(side => at(side * arguments[0]) === thumb);
        };
        const kinds = '.mantine-Button-root, .mantine-Input-input, [type=checkbox],' +
          '[aria-label^="Expand panel "], [aria-label="Collapse panel Controls"]';
        return [seen(kinds).map(one => [one.textContent || one.id, one.offsetHeight]),
          seen('.mantine-Slider-thumb, [type=checkbox]').map(grip)];""",
        FINGER / 2 - 1,
    )
