# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How matplotlib draws in the colors of a palette."""

from typing import Any

from matplotlib.rcsetup import cycler

from ik_circles.palette import LIGHT, Palette

#: Matplotlib's names of the palette's colors. The current `style` decides which palette is used, so
#: one drawing works for light and dark pages.
THEMED = Palette(*(f'C{number}' for number in range(len(LIGHT))))
#: Colors of shapes that are drawn side by side.
SHAPES = (
    THEMED.blue, THEMED.orange, THEMED.green, THEMED.pink, THEMED.sky, THEMED.gray, THEMED.ink,
)  # fmt: skip


def style(palette: Palette) -> dict[str, Any]:
    """Settings of matplotlib that draw everything in the colors of a palette."""
    inked = 'text.color', 'axes.labelcolor', 'axes.edgecolor', 'xtick.color', 'ytick.color'
    papered = 'figure.facecolor', 'axes.facecolor', 'savefig.facecolor', 'legend.facecolor'
    return {
        'axes.prop_cycle': cycler(color=palette),
        'legend.edgecolor': palette.gray,
        **dict.fromkeys(inked, palette.ink),
        **dict.fromkeys(papered, palette.paper),
    }
