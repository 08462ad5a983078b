# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The colors of letters: WCAG asks for a contrast of 4.5 to 1 to what is behind them."""

import numpy as np
import pytest

from ik_circles.palette import rgb
from ik_circles.viewer import theme

ENOUGH = 4.5


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """The contrast of two colors, as WCAG has it."""
    parts = np.array([one, other]) / 255.0
    parts = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    dark, light = sorted(0.05 + parts @ (0.2126, 0.7152, 0.0722))
    return light / dark


@pytest.mark.parametrize('dark', [False, True], ids=['light', 'dark'])
@pytest.mark.parametrize('name', ['reached', 'tilted', 'refused', 'arm', 'outline'])
def test_the_head_of_a_card_can_be_read(name: str, dark: bool) -> None:
    """With the palette's own colors, it was 3.2 to 1; that of a note, 2.1."""
    color, text, card = (
        np.array(rgb(theme.COLORS[one][dark]), float) for one in (name, 'text', 'card')
    )
    share = theme.HEAD_SHARE / 100.0
    assert contrast(share * color + (1.0 - share) * text, card) > ENOUGH


@pytest.mark.parametrize('dark', [False, True], ids=['light', 'dark'])
def test_the_names_of_controls_can_be_read(dark: bool) -> None:
    """The gray of viser has a contrast of 3.3 to 1 on white, which was hard to read."""
    gray, text = (np.array(rgb(theme.COLORS[one][dark]), float) for one in ('outline', 'text'))
    share = theme.HEAD_SHARE / 100.0
    behind = np.array(rgb('#242424' if dark else '#ffffff'), float)  # viser's panels
    assert contrast(share * gray + (1.0 - share) * text, behind) > ENOUGH
    assert f'--mantine-color-dimmed:{theme.letters(theme.OUTLINE)}!important' in theme.STYLE


def test_white_letters_can_be_read_on_what_stops_the_arm() -> None:
    assert contrast(np.full(3, 255.0), np.array(rgb(theme.ALARM))) > ENOUGH
