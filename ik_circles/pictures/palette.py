"""Colors of every picture and page."""

from __future__ import annotations

from typing import Any, NamedTuple


class Palette(NamedTuple):
    """Colours: Okabe and Ito's, which colour-blind people can tell apart; ink, paper, and fill."""

    green: str
    red: str
    blue: str
    orange: str
    grey: str
    pink: str
    sky: str
    ink: str
    paper: str
    fill: str


LIGHT = Palette(
    '#009e73', '#d55e00', '#0072b2', '#e69f00', '#555555', '#cc79a7', '#7fb7d8',
    'black', 'white', '#dcebf5',
)  # fmt: skip


#: The same hues, brighter where they are dark.
DARK = Palette(
    '#1fbf92', '#f0752a', '#56b4e9', '#f0b429', '#9aa4af', '#d98db6', '#2f6f95',
    '#e6edf3', '#0d1117', '#16304a',
)  # fmt: skip


GREEN, RED, BLUE, ORANGE, GREY = LIGHT[:5]


#: Matplotlib's names of these colours: what they are is up to the `style` it is set to.
THEMED = Palette(*(f'C{number}' for number in range(len(LIGHT))))


#: Colours of shapes side by side.
SHAPES = (
    THEMED.blue, THEMED.orange, THEMED.green, THEMED.pink, THEMED.sky, THEMED.grey, THEMED.ink,
)  # fmt: skip


def style(palette: Palette) -> dict[str, Any]:
    """Settings of matplotlib with which everything is drawn in the colours of a palette."""
    from matplotlib.rcsetup import cycler

    ink, paper = palette.ink, palette.paper
    inked = 'text.color', 'axes.labelcolor', 'axes.edgecolor', 'xtick.color', 'ytick.color'
    papered = 'figure.facecolor', 'axes.facecolor', 'savefig.facecolor', 'legend.facecolor'
    return {
        'axes.prop_cycle': cycler(color=palette),
        'legend.edgecolor': palette.grey,
        **dict.fromkeys(inked, ink),
        **dict.fromkeys(papered, paper),
    }
