# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A mouse and a finger in a browser that selenium drives."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from selenium.webdriver.common.action_chains import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_MOUSE
from selenium.webdriver.common.actions.pointer_input import PointerInput

#: Moves between two points of a drag.
STEPS = 12

Place = Sequence[float]


def _between(before: Place, after: Place) -> np.ndarray:
    return np.linspace(before, after, STEPS + 1)[1:]


class Mouse:
    """The mouse, with its left button."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._mouse = PointerInput(POINTER_MOUSE, 'mouse')

    def drag(
        self, places: Sequence[Place], frames: Callable[[int], None], release: bool = True
    ) -> None:
        """Drag along places [pixels]; `frames` waits for pictures."""
        start, *others = places
        self._move([start])
        frames(2)
        builder = ActionBuilder(self._driver, mouse=self._mouse)
        builder.pointer_action.pointer_down()
        builder.perform()
        self._move([start])
        for before, after in zip([start, *others], others, strict=False):
            self._move(_between(before, after))
        if release:
            frames(2)
            builder = ActionBuilder(self._driver, mouse=self._mouse)
            builder.pointer_action.pointer_up()
            builder.perform()

    def _move(self, places: Sequence[Place]) -> None:
        builder = ActionBuilder(self._driver, mouse=self._mouse, duration=40)
        for x, y in places:
            builder.pointer_action.move_to_location(round(float(x)), round(float(y)))
        builder.perform()


class Finger:
    """One finger on the screen of a phone."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def drag(
        self, places: Sequence[Place], frames: Callable[[int], None], release: bool = True
    ) -> None:
        """Drag along places [pixels]; `frames` waits for pictures."""
        self._touch('touchStart', places[0])
        for before, after in zip(places, places[1:], strict=False):
            for place in _between(before, after):
                self._touch('touchMove', place)
                frames(1)
        if release:
            self._touch('touchEnd')

    def tap(self, place: Place) -> None:
        """Touch a place [pixels]."""
        self._touch('touchStart', place)
        self._touch('touchEnd')

    def _touch(self, kind: str, *places: Place) -> None:
        points = [{'x': float(x), 'y': float(y)} for x, y in places]
        event = {'type': kind, 'touchPoints': points}
        self._driver.execute_cdp_cmd('Input.dispatchTouchEvent', event)
