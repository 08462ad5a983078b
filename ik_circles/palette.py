# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The colors of every picture, page and marker, as hex; other formats are converted from it."""

from __future__ import annotations

from typing import NamedTuple


class Palette(NamedTuple):
    """The hues of Okabe and Ito, which color-blind people can tell apart, with ink and paper.

    `fill` shades an area, `sky` is a blue that stays behind `blue`.
    """

    green: str
    red: str
    blue: str
    orange: str
    gray: str
    pink: str
    sky: str
    ink: str
    paper: str
    fill: str

    @property
    def reached(self) -> str:
        """A target that the arm takes."""
        return self.green

    @property
    def refused(self) -> str:
        """A target that it does not take."""
        return self.red


LIGHT = Palette(
    '#009e73', '#d55e00', '#0072b2', '#e69f00', '#555555', '#cc79a7', '#7fb7d8',
    '#000000', '#ffffff', '#dcebf5',
)  # fmt: skip
#: The same hues on a dark background: brighter where they are dark.
DARK = Palette(
    '#1fbf92', '#f0752a', '#56b4e9', '#f0b429', '#9aa4af', '#d98db6', '#2f6f95',
    '#e6edf3', '#0d1117', '#16304a',
)  # fmt: skip

# What is drawn has the same color everywhere on a light background.
REACHED, REFUSED = LIGHT.reached, LIGHT.refused
#: A target that is reached in another orientation: orange, dark enough for letters.
TILTED = '#b97a00'
ARM, SAFE_ZONES, OUTLINE, CIRCLES = LIGHT.blue, LIGHT.orange, LIGHT.gray, LIGHT.pink
#: Solutions that were not chosen.
GHOST = '#8e9bb0'
#: The arm in the scene of the page: lighter than ARM, because the shading darkens it.
ARM_IN_SCENE = '#1e8cd2'
#: A target before its answer.
UNANSWERED = '#787878'
#: Lines of the ground; the scene is light or dark.
GRID = '#8f959b'
#: The outline in the scene.
OUTLINE_IN_SCENE = '#7b828a'
#: What turns the arm's plane, in the scene.
HANDLE = '#7d6bb5'
#: The floor that no part of the arm may go below, on the page: seen through.
FLOOR = '#c8b48c'
AXES = '#dddddd'
TEXT = '#444444'
#: Behind a text on the page.
CARD = '#f7f7f7'


def rgb(color: str) -> tuple[int, int, int]:
    """Red, green and blue of a hex color, each from 0 to 255."""
    red, green, blue = bytes.fromhex(color.removeprefix('#'))
    return red, green, blue


def rgba(color: str, opacity: float = 1.0) -> tuple[float, float, float, float]:
    """Red, green, blue and opacity of a hex color, each from 0 to 1."""
    red, green, blue = (channel / 255.0 for channel in rgb(color))
    return red, green, blue, opacity
