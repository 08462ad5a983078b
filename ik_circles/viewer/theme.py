# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The colors of the page's text and of the side view, for a light and a dark page.

Each is a CSS variable that `STYLE` sets by viser's color scheme; in a file of its own, an element
has the light ones.
"""

from ik_circles import palette
from ik_circles.palette import DARK, LIGHT

#: The colors of the panels' text, cards and lines: light, dark.
COLORS = {
    'text': (palette.TEXT, '#d6dbe1'),
    'card': (palette.CARD, '#33363b'),
    'axes': (palette.AXES, '#50545a'),
    'dot': (LIGHT.paper, '#1f2124'),
    'ghost': ('#76849c', palette.GHOST),
    'arm': (LIGHT.blue, DARK.blue),
    'zones': (LIGHT.orange, DARK.orange),
    'outline': (LIGHT.gray, DARK.gray),
    'circles': (LIGHT.pink, DARK.pink),
    'reached': (LIGHT.reached, DARK.reached),
    'refused': (LIGHT.refused, DARK.refused),
    'unanswered': (palette.UNANSWERED, palette.UNANSWERED),
}


def _variable(name: str) -> str:
    return f'var(--ik-{name},{COLORS[name][0]})'


def _setting(number: int) -> str:
    return ''.join(f'--ik-{name}:{both[number]};' for name, both in COLORS.items())


TEXT, CARD, AXES, DOT = map(_variable, ('text', 'card', 'axes', 'dot'))
GHOST, ARM, SAFE_ZONES = map(_variable, ('ghost', 'arm', 'zones'))
OUTLINE, CIRCLES = map(_variable, ('outline', 'circles'))
REACHED, REFUSED, UNANSWERED = map(_variable, ('reached', 'refused', 'unanswered'))

#: Screens without much room; viser's phones are up to 36em wide.
_SMALL = '(max-width:36em),(max-height:50em)'
#: The class of a card. With much room it has that for long answers: what is below does not move.
ANSWER = 'verdict'
#: The variables and the class, for a <style> element.
STYLE = (
    f':root{{{_setting(0)}}}:root[data-mantine-color-scheme=dark]{{{_setting(1)}}}'
    f'.{ANSWER}{{min-height:10.8em}}@media{_SMALL}{{.{ANSWER}{{min-height:7.6em}}}}'
)
