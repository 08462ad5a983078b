# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page on three screens, light and dark: nothing is cut off, tiny, or without a hint.

The screenshots go to the folder VIEWER_PICTURES, or to the test's own: look at them.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import PHONE, Browser, browsing
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_view_command import TARGETS, in_the_plane, viewing
from viewer_arms import ARMS, URDF

from ik_circles.viewer.camera import VIEWS
from ik_circles.viewer.controls import PLANE_VIEW
from ik_circles.viewer.settings_controls import KEEP
from ik_circles.viewer.theme import GHOST, SERVER_GONE

#: What a browser shows; on a laptop of 768 lines, it takes about 90 of them itself.
SCREENS = {'phone': PHONE, 'laptop': (1366, 680), 'desk': (1920, 1080)}
#: Smallest size of letters [pixels].
SMALLEST = 11.0
#: The longest number beside a slider of a joint.
LONGEST = '-359.9'
#: Smallest size of numbers and choices in fields [pixels].
IN_FIELDS = 12.0
#: Largest share of a column of panels that is empty on a desk.
MOST_EMPTY = 0.25
#: Widest that text may be beyond its screen [pixels].
ROUNDING = 1.0


@pytest.fixture(scope='module')
def address() -> Iterator[str]:
    with viewing(URDF / 'so101.urdf') as address:
        yield address


def letters(page: Browser) -> dict[str, float]:
    """The size of the letters of each text that is shown [pixels]."""
    return page.driver.execute_script(
        """const found = {};
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
          const text = walk.currentNode.textContent.trim(), own = walk.currentNode.parentElement;
          if (!text || !own.checkVisibility() || own.closest('script, style')) continue;
          found[text] = parseFloat(getComputedStyle(own).fontSize);
        }
        return found;"""
    )


def field_letters(page: Browser) -> list[float]:
    """The size of the letters in each field that is shown [pixels]."""
    return page.driver.execute_script(
        """const shown = [...document.querySelectorAll('input.mantine-Input-input')]
          .filter(one => one.checkVisibility());
        return shown.map(one => parseFloat(getComputedStyle(one).fontSize));"""
    )


def cut_off(page: Browser) -> list[str]:
    """The fields beside sliders, of those shown, that are too narrow for the longest number."""
    return page.driver.execute_script(
        """const all = [...document.querySelectorAll('.mantine-NumberInput-input')];
        return all.filter(one => one.checkVisibility()).filter(one => {
          const {value} = one;
          one.value = arguments[0];
          const cut = one.scrollWidth > one.clientWidth;
          one.value = value;
          return cut;
        }).map(one => one.value);""",
        LONGEST,
    )


def emptiness(page: Browser) -> list[float]:
    """How much of the left and the right column of panels has nothing in it [pixels]."""
    left, right = page.driver.execute_script(
        """const columns = {};
        for (const panel of document.querySelectorAll('[class*=ScrollArea-viewport]')) {
          if (!panel.clientHeight) continue;
          const empty = panel.clientHeight - panel.firstElementChild.offsetHeight;
          const x = panel.getBoundingClientRect().x;
          columns[x] = (columns[x] ?? 0) + Math.max(empty, 0);
        }
        return Object.keys(columns).sort((a, b) => a - b).map(x => columns[x]);"""
    )
    return [left, right]


def contrast(page: Browser, selector: str) -> float:
    """The contrast of an element's text to what is behind it, as WCAG has it."""
    return page.driver.execute_script(
        """let one = document.querySelector(arguments[0]);
        const {color} = getComputedStyle(one), back = () => getComputedStyle(one).backgroundColor;
        while (back() === 'rgba(0, 0, 0, 0)') one = one.parentElement;
        const light = color => {
          const [r, g, b] = color.match(/[0-9.]+/g).map(one => one / 255)
            .map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const [a, b] = [light(color), light(back())].sort((a, b) => b - a);
        return (a + 0.05) / (b + 0.05);""",
        selector,
    )


@pytest.mark.parametrize('dark', [False, True], ids=['light', 'dark'])
@pytest.mark.parametrize('screen', SCREENS)
def test_on_each_screen_text_can_be_read(
    address: str, screen: str, dark: bool, tmp_path: Path
) -> None:
    arm = ARMS['so101']
    with browsing(address, arm, SCREENS[screen], dark) as page:
        scheme = 'return document.documentElement.dataset.mantineColorScheme'
        wanted = 'dark' if dark else 'light'
        page.wait(lambda: page.driver.execute_script(scheme) == wanted, wanted)
        page.frames(3)
        page.picture(f'so101_{screen}_{wanted}.png', tmp_path)
        sizes = letters(page)
        assert {'Follow the ball', 'Look from', 'Stop', 'so101'} <= sizes.keys()
        assert not {text: size for text, size in sizes.items() if size < SMALLEST}
        assert min(field_letters(page), default=IN_FIELDS) >= IN_FIELDS
        assert contrast(page, '.verdict') > 7.0
        for name in ('Stop',) if screen == 'phone' else ('Stop', 'Go there'):
            number = page.driver.execute_script(f'return {CONTROL.format("button")}.id', name)
            assert contrast(page, f'[id="{number}"]') > 4.5, name
        assert not cut_off(page)
        legend = page.driver.execute_script(EDGES.format('document.querySelector(".legend")'))
        assert screen == 'phone' or legend[1] <= SCREENS[screen][1]
        wide = page.driver.execute_script('return document.documentElement.scrollWidth')
        assert wide <= SCREENS[screen][0] + ROUNDING
        if screen == 'desk':
            assert all(empty < MOST_EMPTY * SCREENS[screen][1] for empty in emptiness(page))


def test_no_panel_is_called_as_a_view_of_the_camera(address: str) -> None:
    """A level arm is seen from above in its plane's panel, and from its side by `Side`."""
    with browsing(address, ARMS['so101'], SCREENS['laptop']) as page:
        shown = page.text('body')
        assert PLANE_VIEW in shown
        assert not [view for view in VIEWS if view in PLANE_VIEW]
        assert not re.search(r'\bside\b', shown)


#: Top and bottom of what a script finds [pixels]; null if there is nothing.
EDGES = 'const one = {0}?.getBoundingClientRect(); return one ? [one.top, one.bottom] : null'
CONTROL = "[...document.querySelectorAll('{0}')].find(one => one.textContent === arguments[0])"
#: The title of each button that is shown, by its label.
TITLES = """const all = [...document.querySelectorAll('.mantine-Button-root')];
const shown = all.filter(one => one.checkVisibility());
return Object.fromEntries(shown.map(one => [one.textContent, one.title]))"""


def test_each_button_has_a_hint_and_none_covers_what_stops_the_arm(address: str) -> None:
    """Laws: viser shows no hint of a button, so the page does; and no hint of another control that
    is always seen is on "Enable" or "Stop"."""
    with browsing(address, ARMS['so101'], SCREENS['laptop']) as page:
        run = page.driver.execute_script
        home = run(f'return {CONTROL.format("button")}', 'Home')
        ActionChains(page.driver).move_to_element(home).perform()
        page.wait(lambda: run(TITLES)['Home'], 'a hint')
        assert run(TITLES).keys() >= {'Stop', 'Go to the nearest point', 'Straight to the ball'}
        assert {name for name, title in run(TITLES).items() if not title} == {*VIEWS}
        kept = {
            name: run(EDGES.format(CONTROL.format(kind)), name)
            for kind, name in (('label', 'Enable'), ('button', 'Stop'))
        }
        for name, selector in (
            ('Enable', 'label'), ('Top', 'button'), ('Follow the ball', 'label'),
        ):
            own = run(f'return {CONTROL.format(selector)}', name)
            row = run('return arguments[0].control ?? arguments[0]', own)
            ActionChains(page.driver).move_to_element(row).perform()
            hint = "document.querySelector('[role=tooltip]')"
            page.wait(lambda: run(EDGES.format(hint)), f'the hint of {name}')  # noqa: B023
            page.wait_until_still(lambda: run(EDGES.format(hint)), 'the hint')  # noqa: B023
            top, bottom = run(EDGES.format(hint))
            for upper, lower in (edges for one, edges in kept.items() if one != name):
                assert bottom <= upper + ROUNDING or top >= lower - ROUNDING, name
            away = page.driver.find_element(By.TAG_NAME, 'canvas')
            ActionChains(page.driver).move_to_element(away).perform()
            page.wait(lambda: not run(EDGES.format(hint)), 'the hint to go')  # noqa: B023


def test_no_button_of_visers_takes_stop_away(address: str) -> None:
    """Its settings would take the place of all that is in the panel."""
    with browsing(address, ARMS['so101'], SCREENS['laptop']) as page:
        buttons = page.driver.find_elements(By.CSS_SELECTOR, '[data-dock-header] button')
        assert buttons
        assert not [one for one in buttons if one.is_displayed()]


@pytest.mark.parametrize('screen', ['phone', 'laptop'])
def test_a_server_that_has_gone_is_said(screen: str, tmp_path: Path) -> None:
    """Else only gray controls show that the page is old and stops nothing."""
    said = 'return getComputedStyle(document.body, "::before").content'
    with ExitStack() as exits:
        server = exits.enter_context(ExitStack())
        address = server.enter_context(viewing(URDF / 'so101.urdf'))
        page = exits.enter_context(browsing(address, ARMS['so101'], SCREENS[screen]))
        assert page.driver.execute_script(said) == 'none'
        server.close()
        page.wait(lambda: SERVER_GONE in page.driver.execute_script(said), 'the news')
        page.picture(f'gone_{screen}.png', tmp_path)


#: What is above and below the card, in each panel.
AROUND_THE_CARD = (
    ('label', 'Enable'), ('button', 'Stop'), ('button', 'Go to the nearest point'),
    ('label', 'Follow the ball'),
)  # fmt: skip


@pytest.mark.parametrize('screen', ['laptop', 'desk'])
def test_a_long_card_moves_nothing(address: str, screen: str, tmp_path: Path) -> None:
    """On a laptop, the longest answers took controls out of their panel."""
    with browsing(address, ARMS['so101'], SCREENS[screen]) as page:

        def edges() -> list[list[float]]:
            run = page.driver.execute_script
            return [run(EDGES.format(CONTROL.format(kind)), name) for kind, name in AROUND_THE_CARD]

        before = edges()
        assert before[-1][1] <= SCREENS[screen][1] / 2  # it is in sight, above the other panel
        page.type(KEEP, '0.02', Keys.ENTER)
        page.type('x [m]', '-0.5')
        page.type('y [m]', '-0.2', Keys.ENTER)
        page.wait(lambda: 'would have to turn' in page.text('.verdict'), 'the verdict')
        page.picture(f'too_far_{screen}.png', tmp_path)
        assert len(page.text('.verdict')) > 220
        assert edges() == [pytest.approx(one) for one in before]
        page.type(KEEP, '0', Keys.ENTER)
        page.type('x [m]', '0.3')
        page.type('y [m]', '0', Keys.ENTER)
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')


def test_a_ghost_and_a_refusal_on_a_desk(tmp_path: Path) -> None:
    """For looking at; the first one is docs/viewer.png."""
    arm = ARMS['px100']
    bad = in_the_plane(arm, *TARGETS['px100'][1])
    with viewing(URDF / 'px100.urdf') as address, browsing(address, arm) as page:
        page.type('x [m]', '0.2')
        page.type('z [m]', '0.2', Keys.ENTER)
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
        page.wait_until_still(lambda: page.text('.readings'), 'the arm to rest')
        page.type('Tool angle [°]', '-30')
        page.wait(lambda: page.html('.plane-view').count(GHOST) == 2, 'both solutions')
        page.wait_until_still(lambda: page.text('.readings'), 'the arm to rest')
        page.picture('viewer.png', tmp_path)
        page.drag(bad)
        page.wait(lambda: page.text('.verdict').endswith('The arm stays.'), 'the refusal')
        page.picture('nearest.png', tmp_path)
