# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A headless Chromium on the viewer's page. Importing this skips a module where there is none."""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

pytest.importorskip('viser', reason='the extra viewer is not installed')
pytest.importorskip('selenium', reason='selenium, which drives the browser, is not installed')
# isort: split
from pixels import pixel_of
from pointers import Finger, Mouse
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from ik_circles import RobotArm
from ik_circles.robot.arm import Point3
from ik_circles.viewer.camera import View, view_of
from ik_circles.viewer.target_fields import PLACE

CHROMIUM, DRIVER = (shutil.which(name) for name in ('chromium', 'chromedriver'))
if not (CHROMIUM and DRIVER):
    pytest.skip('no Chromium: apt-get install chromium chromium-driver', allow_module_level=True)

#: Width and height of the window [pixels]: of a desk's, and of a phone's, upright and on its side.
DESK, PHONE, ON_ITS_SIDE = (1280, 800), (390, 844), (844, 390)
#: Longest wait for one condition [s]; the processor draws everything.
PATIENCE = 60.0
#: Longest wait for frames [s]; before the first one the processor compiles the shaders.
FRAMES_PATIENCE = 90.0
#: Of two messages within less than this, in its own time, viser's page sends the second only [s].
VISERS_PAUSE = 0.2
#: For how long [s] and in how many frames something must stay the same to count as still.
STILL, STILL_FRAMES = 0.5, 2
#: Without a graphics card Chromium draws by itself, but WebGL only if it is told that it may.
ARGUMENTS = (
    '--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--hide-scrollbars',
    '--enable-unsafe-swiftshader',
)  # fmt: skip


class Browser:
    """The page in its own window, which shows an arm from the first view."""

    def __init__(
        self, address: str, arm: RobotArm, size: tuple[int, int] = DESK, dark: bool = False
    ) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability('goog:loggingPrefs', {'performance': 'ALL'})
        self._arm = arm
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(FRAMES_PATIENCE)
        self._mouse, self._finger = Mouse(self.driver), Finger(self.driver)
        self.is_phone = size in (PHONE, ON_ITS_SIDE)
        self.resize(*size)
        self.scheme('dark' if dark else 'light')
        self.open(address)

    def open(self, address: str) -> None:
        """Show the page, and wait until it is there."""
        self.driver.get(address)
        self.wait(lambda: self.html('.plane-view') and self.text('.verdict'), 'the page')
        self.frames(3)
        self.wait_until_still(lambda: self.canvas, 'the panels')
        self.frames(3)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size [pixels]."""
        size = {'width': width, 'height': height, 'deviceScaleFactor': 1}
        cdp = self.driver.execute_cdp_cmd
        cdp('Emulation.setDeviceMetricsOverride', {**size, 'mobile': self.is_phone})
        touch = {'enabled': self.is_phone, 'maxTouchPoints': 5 if self.is_phone else 1}
        cdp('Emulation.setTouchEmulationEnabled', touch)

    def scheme(self, name: str) -> None:
        """The system turns dark or light."""
        features = [{'name': 'prefers-color-scheme', 'value': name}]
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': features})

    # --- what it shows ---

    def wait(
        self, condition: Callable[[], object], what: str, found: Callable[[], object] | None = None
    ) -> None:
        """Wait until a condition holds; else say what the page shows, or what `found` returns."""
        give_up = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > give_up:
                shown = self.text('.verdict') if found is None else found()
                raise AssertionError(f'waited {PATIENCE:.0f} s for {what}; found {shown!r}')
            time.sleep(0.05)

    def wait_until_still(self, read: Callable[[], object], what: str) -> None:
        """Wait until `read` has returned the same for a while, and in several frames."""
        value, since, drawn = read(), time.monotonic(), 0

        def still() -> bool:
            nonlocal value, since, drawn
            self.frames(1)
            before, value, drawn = value, read(), drawn + 1
            if value != before:
                since, drawn = time.monotonic(), 0
            return time.monotonic() - since > STILL and drawn >= STILL_FRAMES

        self.wait(still, what, lambda: value)

    def text(self, selector: str) -> str:
        """The text of the first such element, '' if there is none."""
        return self._of(selector, 'innerText')

    def html(self, selector: str) -> str:
        return self._of(selector, 'outerHTML')

    def _of(self, selector: str, what: str) -> str:
        script = f'return document.querySelector(arguments[0])?.{what} ?? ""'
        return self.driver.execute_script(script, selector)

    def frames(self, count: int) -> None:
        """Wait until this many frames have been drawn."""
        self.driver.execute_async_script(
            """const [count, done] = arguments;
            let drawn = 0;
            const next = () => ++drawn > count ? done() : requestAnimationFrame(next);
            requestAnimationFrame(next);""",
            count,
        )

    def count_pictures(self) -> None:
        """Count the frames from now on; each starts by clearing the canvas."""
        self.driver.execute_script(
            """const scene = WebGL2RenderingContext.prototype, clear = scene.clear;
            window.drawn = 0;
            scene.clear = function (...what) { ++window.drawn; return clear.apply(this, what); };"""
        )

    @property
    def pictures(self) -> int:
        """How many frames have been drawn since `count_pictures`."""
        return self.driver.execute_script('return window.drawn')

    def requests(self) -> set[str]:
        """Addresses that the browser has requested since the last call."""
        messages = (json.loads(e['message'])['message'] for e in self.driver.get_log('performance'))
        return {
            message['params']['request']['url']
            for message in messages
            if message['method'] == 'Network.requestWillBeSent'
        }

    def close_notice(self) -> None:
        """Close viser's notice that the processor draws: on a phone, it may cover the ball."""
        close = '[class*=Notification-closeButton]'
        self.driver.execute_script(
            f'document.querySelectorAll("{close}").forEach(button => button.click())'
        )
        self.wait(lambda: not self.html(close), 'the notice to fade')
        self.frames(5)

    def picture(self, file: str, folder: Path | None = None) -> None:
        """A screenshot, without the notice that the processor draws."""
        self.close_notice()
        folder = Path(os.environ.get('VIEWER_PICTURES') or folder or tempfile.gettempdir())
        folder.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(folder / file))

    # --- what a user does ---

    def click(self, label: str) -> None:
        """Press the button with this label."""
        buttons = self.driver.find_elements(By.TAG_NAME, 'button')
        next(button for button in buttons if button.text.strip() == label).click()

    def check(self, name: str) -> None:
        """Click the check box beside a label."""
        self.driver.execute_script('arguments[0].click()', self._input(name))

    def checked(self, name: str) -> bool:
        """Whether a check box is checked."""
        return self._input(name).is_selected()

    def choose(self, name: str, choice: str) -> None:
        """Choose an entry of a dropdown."""
        self._input(name).click()
        self.wait(lambda: self._entries(choice), choice)
        self._entries(choice)[0].click()

    def _entries(self, choice: str) -> list[WebElement]:
        entries = self.driver.find_elements(By.CSS_SELECTOR, '[role=option]')
        return [entry for entry in entries if entry.is_displayed() and entry.text == choice]

    def type(self, name: str, text: str, *then: str) -> None:
        """Replace what is in the field beside a label, and press a key."""
        self._input(name).send_keys(Keys.CONTROL, 'a', Keys.NULL, text)
        # Else what is typed into the next field would replace it.
        self.driver.execute_async_script(f'setTimeout(arguments[0], {1e3 * VISERS_PAUSE})')
        if then:
            self._input(name).send_keys(*then)

    def value(self, name: str) -> str:
        """What the field beside a label has, also that of a slider."""
        return self._input(name).get_attribute('value')

    @property
    def ball(self) -> Point3:
        """Where the fields say that the ball is [m]."""
        x, y, z = (float(self.value(name)) for name in PLACE)
        return x, y, z

    def slide(self, name: str, keys: str) -> None:
        """Press keys while the slider beside a label has the focus."""
        path = f'//label[contains(normalize-space(), "{name}")]/ancestor::div[.//*[@role="slider"]]'
        self.driver.find_element(By.XPATH, f'({path})[last()]//*[@role="slider"]').send_keys(keys)

    def press(self, keys: str, number: int = 0) -> None:
        """Press keys while one of the orientation's sliders has the focus."""
        _, *sliders = self.driver.find_elements(By.CSS_SELECTOR, '[role=slider]')  # after "Speed"
        sliders[number].send_keys(keys)

    @property
    def labels(self) -> list[str]:
        """What the controls are called."""
        found = self.driver.find_elements(By.TAG_NAME, 'label')
        return [label.text for label in found if label.text]

    def chosen(self, name: str) -> str:
        """The current entry of a dropdown."""
        return self._input(name).get_attribute('value')

    def _input(self, name: str) -> WebElement:
        """The input beside a label."""
        real = 'input[not(@type="hidden")]'
        path = f'//label[normalize-space()="{name}"]/ancestor::div[.//{real}][1]//{real}'
        return self.driver.find_element(By.XPATH, path)

    def drag(self, *points: Point3, release: bool = True) -> None:
        """Drag the ball along points [m], from where it rests."""
        self.wait(lambda: self.value(PLACE[0]), 'the ball')
        self.wait_until_still(lambda: self.ball, 'the ball to rest')
        self.drag_pixels(*map(self.pixel, (self.ball, *points)), release=release)

    def drag_pixels(self, *pixels: tuple[float, float], release: bool = True) -> None:
        """Drag what is at the first pixel along the others, on a phone with a finger."""
        pointer = self._finger if self.is_phone else self._mouse
        pointer.drag(pixels, self.frames, release)

    def tap(self, selector: str) -> None:
        """Touch the middle of an element."""
        self._finger.tap(self.middle(selector))

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of an element [pixels]."""
        x, y = self.driver.execute_script(
            'const r = document.querySelector(arguments[0]).getBoundingClientRect();'
            'return [r.x + r.width / 2, r.y + r.height / 2]',
            selector,
        )
        return x, y

    @property
    def canvas(self) -> list[float]:
        """Left, top, width and height of the scene [pixels]."""
        return self.driver.execute_script(
            'const r = document.querySelector("canvas").getBoundingClientRect();'
            'return [r.x, r.y, r.width, r.height]'
        )

    @property
    def view(self) -> View:
        """The first view in a window of this shape."""
        *_, width, height = self.canvas
        return view_of(self._arm, width / height)

    def pixel(self, point: Point3) -> tuple[float, float]:
        """Where the first view shows a point in base_link [m], in the window."""
        return pixel_of(point, self.view, self.canvas)

    def close(self) -> None:
        self.driver.quit()


def browsing(
    address: str, arm: RobotArm, size: tuple[int, int] = DESK, dark: bool = False
) -> AbstractContextManager[Browser]:
    """A browser that shows the page, closed at the end."""
    return closing(Browser(address, arm, size, dark))
