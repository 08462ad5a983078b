# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The colors of the page's text and of the plane view, for a light and a dark page.

Each color is a CSS variable. `STYLE` sets it by viser's color scheme. An element that is saved as a
file of its own has the light colors.
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
    'area': (LIGHT.fill, '#1d4266'),
    'circles': (LIGHT.pink, DARK.pink),
    'reached': (LIGHT.reached, DARK.reached),
    'tilted': (palette.TILTED, '#cf9125'),
    'refused': (LIGHT.refused, DARK.refused),
    'unanswered': (palette.UNANSWERED, palette.UNANSWERED),
}


def variable(name: str) -> str:
    """The color of this name, for CSS."""
    return f'var(--ik-{name},{COLORS[name][0]})'


def _setting(number: int) -> str:
    return ''.join(f'--ik-{name}:{both[number]};' for name, both in COLORS.items())


TEXT, CARD, AXES, DOT = map(variable, ('text', 'card', 'axes', 'dot'))
GHOST, ARM, SAFE_ZONES = map(variable, ('ghost', 'arm', 'zones'))
OUTLINE, AREA, CIRCLES = map(variable, ('outline', 'area', 'circles'))
REACHED, TILTED, REFUSED, UNANSWERED = map(
    variable, ('reached', 'tilted', 'refused', 'unanswered')
)

#: How much of its color is in the head of a card; the rest is that of the text, so that it can be
#: read on a light and on a dark page [%].
HEAD_SHARE = 65
#: Behind white letters: the red of the palette, darker.
ALARM = '#b84f00'


def letters(color: str) -> str:
    """A color of the page for letters."""
    return f'color-mix(in srgb,{color} {HEAD_SHARE}%,{TEXT})'


#: Screens that are not tall, and phones: for viser, these are screens of at most 36em in width. A
#: phone on its side is wider, so it gets the panels of a desk.
_LOW, PHONE, _ON_ITS_SIDE = '(max-height:50em)', '(max-width:36em)', '(max-height:30em)'
#: Screens on which a finger touches everything.
_TOUCHED = '(pointer:coarse)'
#: The class of all cards, and the class of an empty element right before the button that stops the
#: arm. On a phone, cards and button stay at the top of the screen, however the sheet is scrolled.
CARDS, STOP_NEXT = 'cards', 'stop-next'
#: Width of that button on a phone.
_STOP = '5em'
#: On a phone, least height of a button, of a choice in a list, of the head of a panel in the sheet,
#: and of the part of a slider that a finger grips [pixels].
FINGER = 40
#: Size of the smallest letters in fields, in lists and in groups of buttons [pixels].
FIELD_LETTERS = 12
#: Greatest height of the sheet with the controls on a phone, as a share of the screen. The whole
#: workspace fits above it, at the full width of the phone.
SHEET = 0.39
#: The same while a panel in the sheet is open. The beginning of the panel is then visible.
OPEN_SHEET = 0.5
#: The class of a card with an answer. All cards together have room for a long one, so that nothing
#: below them moves; the last card fills it.
ANSWER = 'verdict'
#: The class of the plane view, and its greatest height on low and on tall screens. It leaves room
#: for the legend on a low screen, and also for the joints below it on a tall one.
PLANE, LOW_PLANE, HIGH_PLANE = 'plane-view', '28vh', '23vh'
#: A card on a low screen, where everything below it has to fit into half of the height.
_SMALL_CARD = 'font-size:.85em!important;line-height:1.2!important;margin-block:.2em!important'
_TOP = 'position:fixed;top:0;z-index:1'
#: The sheet; what viser makes narrow in it, which leaves sliders a quarter of the phone's width;
#: and the heads of open and of closed panels in it.
_SHEET = f'[style*="max-height"]:has(.{STOP_NEXT})'
_NARROW = ','.join(f'[style*="{one}"]:has(.{STOP_NEXT})' for one in ('max-height', 'width: 20em'))
_OPEN, _CLOSED = '[aria-label^="Collapse panel"]', '[aria-label^="Expand panel"]'
#: The title bar of the panel or of the sheet. A tap on the sheet's title bar, or on a button of
#: either, would show viser's settings in place of the button that stops the arm.
_TITLE_BAR = f'div[style*="cursor"]:has(+div .{STOP_NEXT})'
#: What viser does to the controls when its server has gone: it grays them out, without a word.
_GONE = f':root:has([style*="opacity: 0.5"][style*="pointer-events: none"] .{STOP_NEXT})'
SERVER_GONE = (
    'The server has gone: what you see is old, and this page cannot stop the arm. '
    'If it is back and this stays, reload the page.'
)
_SAY_GONE = (
    f'content:"{SERVER_GONE}";position:fixed;top:5.5em;left:50%;transform:translateX(-50%);z-index:99;'
    'width:max-content;max-width:min(24em,85vw);padding:.6em 1em;border-radius:3px;'
    f'background:{ALARM};color:#fff;font-family:sans-serif;font-weight:bold'
)
#: A column is split in halves until somebody moves the line between them. Here the button that goes
#: to the nearest point would be hidden, so the panel with the card gets two thirds, and the button
#: that stops the arm is beside the check box that is otherwise above it.
_SIDEWAYS = (
    f'[style*="flex: 0.5 1 0px"]:has(.{STOP_NEXT}){{flex-grow:1!important}}'
    f'.{CARDS}{{min-height:6.4em}}'
    f'div:has(>.{STOP_NEXT})+div{{margin-top:calc(-{FINGER}px - .95em);'
    'margin-inline-start:55%!important}'
)
_ON_A_PHONE = (
    f'.{CARDS}{{{_TOP};left:0;right:calc({_STOP} + 1em);pointer-events:none}}'
    f'.{CARDS}>*{{box-shadow:0 1px 4px rgba(0,0,0,.3)}}.{CARDS}{{min-height:0}}'
    f'div:has(>.{STOP_NEXT})+div{{{_TOP};right:0;width:{_STOP};margin:.4em .6em}}'
    f'{_SHEET}{{max-height:{100 * SHEET:g}%!important}}{_NARROW}{{width:100%!important}}'
    f'{_SHEET}:has({_OPEN}){{max-height:{100 * OPEN_SHEET:g}%!important}}'
    f'{_OPEN},{_CLOSED}{{min-height:{FINGER}px!important}}'
    f'{_TITLE_BAR}{{pointer-events:none;height:2.3em!important}}'
)
_FOR_FINGERS = (
    # A finger that scrolls must not move a joint, so only the thumb of a slider can be gripped.
    '[class*=Slider-trackContainer]{pointer-events:none}[class*=Slider-thumb]{pointer-events:auto}'
    f'.mantine-Button-root{{min-height:{FINGER}px;padding-inline:.4em}}'
    f'input.mantine-Input-input{{height:{FINGER}px!important}}'
    f'.mantine-Select-option{{min-height:{FINGER}px}}'
    # Choices that are wider or lower than the screen make the page grow, and themselves with it.
    '.mantine-Select-dropdown{position:fixed!important}'
    # The visible box is smaller than the area that can be touched.
    f'.mantine-Checkbox-root [class*=inner],.mantine-Checkbox-input{{width:{FINGER}px!important;'
    f'height:{FINGER}px!important}}.mantine-Checkbox-input{{border:8px solid transparent!important;'
    f'background-clip:padding-box;box-shadow:inset 0 0 0 1px {LIGHT.gray}}}'
    f'.mantine-Slider-root{{padding-block:{(FINGER - 6) / 2:g}px!important}}'
    'div:has(>.mantine-Slider-root){align-items:center!important}'
    '.mantine-Slider-thumb{width:16px!important;height:24px!important}'
    '.mantine-Slider-thumb::after{content:"";position:absolute;top:50%;left:50%;'
    f'transform:translate(-50%,-50%);width:{FINGER}px;height:{FINGER}px}}'
)
#: Letters in fields and lists, which are smaller than all others, and those of colored buttons: on
#: a dark page, some are black on dark blue.
_LETTERS = (
    f'.mantine-Input-input,.mantine-Select-option{{font-size:{FIELD_LETTERS}px!important}}'
    '.mantine-NumberInput-input{padding-inline:2px!important}'  # else -182.2 is cut off
    ':root[data-mantine-color-scheme=dark] .mantine-Button-root:not([data-variant=outline])'
    ':not(:disabled){color:#fff!important}'
    f'.mantine-Button-root[data-size^=compact]{{font-size:{FIELD_LETTERS}px;padding-inline:.2em}}'
)
#: The variables and the classes, for a <style> element.
STYLE = (
    f':root{{{_setting(0)}}}:root[data-mantine-color-scheme=dark]{{{_setting(1)}}}'
    # The names of controls and panels, which have a contrast of 3.3 to 1 in viser's gray.
    f':root{{--mantine-color-dimmed:{letters(OUTLINE)}!important}}'
    f'.{CARDS}{{display:flex;flex-direction:column;min-height:12.4em}}'
    f'.{CARDS}>:last-child{{flex-grow:1}}{_TITLE_BAR} button{{display:none}}'
    f'{_GONE} body::before{{{_SAY_GONE}}}{_LETTERS}'
    f'.{PLANE}{{max-height:{HIGH_PLANE}}}'
    f'@media{_LOW}{{.{CARDS}{{min-height:8.2em}}.{CARDS}>*{{{_SMALL_CARD}}}'
    f'.{PLANE}{{max-height:{LOW_PLANE}}}}}'
    f'@media{_ON_ITS_SIDE}{{{_SIDEWAYS}}}'
    f'@media{PHONE},{_TOUCHED}{{{_FOR_FINGERS}}}@media{PHONE}{{{_ON_A_PHONE}}}'
)
