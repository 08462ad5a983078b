# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The palette: every color is hex, and its conversions agree."""

import pytest

from ik_circles.palette import DARK, GHOST, LIGHT, rgb, rgba


@pytest.mark.parametrize('color', sorted({*LIGHT, *DARK, GHOST}))
def test_conversions_of_a_color_agree(color):
    assert '#{:02x}{:02x}{:02x}'.format(*rgb(color)) == color
    assert rgba(color, 0.25) == pytest.approx((*(channel / 255 for channel in rgb(color)), 0.25))
    assert rgba(color)[3] == 1.0


def test_the_hues_of_a_palette_are_distinct():
    for palette in (LIGHT, DARK):
        assert len(set(palette)) == len(palette)
