# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's text as HTML: the verdict, the readings, the legend."""

import html
import math

from ik_circles import palette
from ik_circles.reasons import Code
from ik_circles.viewer.state import Snapshot

LEGEND = (
    (palette.ARM, 'the arm, as measured'),
    (palette.GHOST, 'other solutions'),
    (palette.OUTLINE, 'outline of the workspace'),
    (palette.SAFE_ZONES, 'safe zones'),
    (palette.CIRCLES, 'circles that solve it'),
    (palette.REACHED, 'reachable target, way ahead'),
    (palette.REFUSED, 'unreachable target or way, nearest point'),
)


def verdict(snapshot: Snapshot) -> str:
    """The answer to the target as a card, under a notice if something is wrong."""
    cards = []
    if snapshot.notice:
        cards.append(_card(palette.LIGHT.orange, 'notice', 'Note', snapshot.notice))
    answer = snapshot.answer
    if snapshot.share is not None:
        text = f'{100.0 * snapshot.share:.0f} % of the straight motion is done.'
        cards.append(_card(palette.ARM, 'verdict', 'Moving', text))
    elif answer is not None:
        color = palette.REACHED if answer.code is Code.OK else palette.REFUSED
        cards.append(_card(color, 'verdict', answer.code.name.replace('_', ' '), answer.message))
    elif snapshot.arm is not None:
        text = 'Drag the ball: the arm follows.'
        if snapshot.arm.spatial.yaw is not None:
            text += ' It moves parallel to the screen; turn the view to drag it elsewhere.'
        cards.append(_card(palette.LIGHT.gray, 'verdict', 'Ready', text))
    return ''.join(cards)


def readings(snapshot: Snapshot) -> str:
    """Latency, rate and measured joint positions as a table."""
    latency = '-' if math.isnan(snapshot.latency) else f'{snapshot.latency * 1e3:.1f} ms'
    rows = [('time to answer', latency), ('answers in the last second', str(snapshot.rate))]
    for name in snapshot.arm.commanded_joints if snapshot.arm else ():
        if name in snapshot.measured:
            degrees = round(math.degrees(snapshot.measured[name]), 1) + 0.0
            rows.append((name, f'{degrees:.1f}°'))
    cells = ''.join(
        f'<tr><td>{html.escape(name)}</td><td style="text-align:right">{value}</td></tr>'
        for name, value in rows
    )
    return (
        '<div class="readings" style="padding:0.2em 0.6em"><table style="width:100%;'
        f'font-size:0.8em;color:{palette.TEXT};font-variant-numeric:tabular-nums">{cells}</table></div>'
    )


def legend() -> str:
    """The meaning of the colors in both views."""
    items = ''.join(
        f'<span style="white-space:nowrap"><span style="color:{color}">&#9632;</span> {text}</span>'
        for color, text in LEGEND
    )
    return (
        f'<div style="font-size:0.75em;color:{palette.TEXT};padding:0.3em 0.8em">'
        '<p style="margin:0 0 0.6em">The elbow is where the circle of link 1 about the base '
        'meets the circle of link 2 about the wrist.</p>'
        '<div style="display:flex;flex-wrap:wrap;gap:0.1em 0.9em">'
        f'{items}</div></div>'
    )


def _card(color: str, kind: str, head: str, text: str) -> str:
    return (
        f'<div class="{kind}" style="border-left:5px solid {color};padding:0.35em 0.7em;'
        f'margin:0.4em 0.6em;min-height:8.6em;background:{palette.CARD};border-radius:3px;'
        'font-size:0.85em">'
        f'<b style="color:{color}">{html.escape(head)}</b><br>{html.escape(text)}</div>'
    )
