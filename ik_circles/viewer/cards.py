# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's text as HTML: the verdict, the readings, the legend."""

import html
import math
import re
import time
from dataclasses import replace

from ik_circles.reasons import Code, degrees_text
from ik_circles.viewer import theme
from ik_circles.viewer.plain_words import HIGHER, plain
from ik_circles.viewer.state import NOTHING_TURNS, Snapshot, TargetAnswer, Turn

LEGEND = (
    (theme.ARM, 'arm'),
    (theme.GHOST, 'other solutions'),
    (theme.AREA, 'in reach'),
    (theme.CIRCLES, 'circles meet at the elbow'),
    (theme.REACHED, 'as asked'),
    (theme.TILTED, 'tilted'),
    (theme.REFUSED, 'refused'),
    (theme.SAFE_ZONES, 'keep from the edge'),
)
#: A smaller tilt than this is not mentioned [rad].
NOT_TILTED = math.radians(0.05)
#: A larger tilt than this counts as turned to the other side [rad].
FAR_TILT = math.pi / 2.0
#: The card mentions a turn of a joint that is larger than this [rad].
FAR_TURN = math.pi / 2.0
#: How long the card mentions a large turn [s]. The answers to a drag change too fast to be read.
TURN_SAID_FOR = 10.0
#: The end of the message about a line that can be followed, and the beginning of the message about
#: a line that ends early.
FOLLOWED, ENDS_EARLY = 'can be followed', 'the line can be followed for'
#: The head of the card about a line that ends early. Its code would be about the ball, which may be
#: in reach.
LINE = 'LINE ENDS EARLY'
#: The head of the card about a motion that has ended on its way, such as by "Stop"; and about a
#: target that comes while another motion goes first.
STOPPED, WAIT, GOES_FIRST = 'STOPPED', 'WAIT', 'goes first'
#: What a card says about a tool that is turned to the other side, and what to do about it.
OTHER_SIDE = 'the arm finds nothing nearer here'
STAY_THEN = ' With "Orientation: as asked, or refuse", the arm stays.'
#: How joints that are sent somewhere without a ball get around the floor.
HIGHER_JOINTS = 'raise the arm with another joint first'
#: What a card says while the arm is disabled.
IS_DISABLED, MAY_MOVE = 'The arm is disabled, and stays.', 'Check "Enable", and it may move.'
#: Codes of requests that cannot be carried out from where the arm is. The arm stays there.
STAYS = {
    Code.TOO_FAR, Code.TOO_CLOSE, Code.JOINT_LIMIT, Code.ORIENTATION, Code.OUT_OF_PLANE, Code.FLOOR,
}  # fmt: skip
#: What a message says about the nearest point. The card gives the point's coordinates instead.
OF_THE_NEAREST = re.compile(
    '; (?:the nearest|a) reachable point is [^;]* away|; moving to the nearest pose instead'
)
#: What the node says of a motion that the floor ends.
RESTS_BEFORE = 'comes to rest before that'
#: Finds why an orientation gave way in a message; the reason comes after the orientation.
WHY_NOT = re.compile('not with [^:]*: (.*); the nearest ')


class FarTurn:
    """Remembers a large turn of a joint for a while."""

    def __init__(self) -> None:
        self._turn, self._until = NOTHING_TURNS, -math.inf

    def before(self, answer: TargetAnswer | None) -> Turn:
        """The large turn for an answer before this one, if there was one."""
        if answer is None or not answer.command:
            return NOTHING_TURNS
        now = time.monotonic()
        if answer.farthest.angle > FAR_TURN:
            self._turn, self._until = answer.farthest, now + TURN_SAID_FOR
            return NOTHING_TURNS
        return self._turn if now < self._until else NOTHING_TURNS


def verdict(
    snapshot: Snapshot, follows: bool = True, demo: str = '', turned: Turn = NOTHING_TURNS
) -> str:
    """The answer to the target as a card; above it a notice, if something is wrong.

    `follows` says whether the arm follows the ball, `demo` where the demo path is, and `turned`
    which joint has just turned far for another target.
    """
    cards = []
    if snapshot.notice:
        note = plain(snapshot.notice)
        if 'safe_zone_margin' in snapshot.notice:
            note += f' It stays at {snapshot.settings.safe_zone_margin:g} m.'
        cards.append(_card(theme.TILTED, 'notice', 'Note', note))
    answer = snapshot.answer
    if snapshot.share is not None:
        text = f'{100.0 * snapshot.share:.0f} % of the motion is done. "Stop" ends it.'
        cards.append(_card(theme.ARM, theme.ANSWER, 'Moving', text))
    elif answer is not None:
        counts = answer.is_of_target and (snapshot.enabled or answer.code is not Code.OK)
        color = theme.variable(answer.color) if counts else theme.OUTLINE
        if snapshot.target is None:
            answer = replace(answer, message=answer.message.replace(HIGHER, HIGHER_JOINTS))
        head, text = _said(answer, snapshot.enabled)
        text = f'{text.rstrip(".")}. {demo}' if demo else text
        if turned.joint:
            degrees = degrees_text(turned.angle)
            text = f'{text.rstrip(".")}. A moment ago, {turned.joint} had to turn by {degrees}.'
        cards.append(_card(color, theme.ANSWER, head, text))
    elif snapshot.arm is not None and not snapshot.notice:
        cards.append(_card(theme.OUTLINE, theme.ANSWER, *_ready(snapshot, follows)))
    return f'<div class="{theme.CARDS}">{"".join(cards)}</div>'


def _ready(snapshot: Snapshot, follows: bool) -> tuple[str, str]:
    """Head and text while there is no answer."""
    if not snapshot.enabled:
        return 'The arm stays', MAY_MOVE
    if follows and snapshot.target is not None:  # nobody has answered it: the arm was disabled
        text = 'The arm has not gone to the ball. Drag the ball, and the arm follows.'
    elif follows:
        text = 'Drag the ball, or the hoop around it: the arm follows.'
    else:
        text = 'Drag the ball to where the arm should go, then press "Straight to the ball".'
    if snapshot.arm is not None and snapshot.arm.spatial.yaw is not None:
        text += ' Drag the ring around the base to turn the plane in which the ball moves.'
    return 'Ready', text


def _head(answer: TargetAnswer) -> str:
    """What an answer is called."""
    if answer.code is Code.CANCELED:
        return WAIT if GOES_FIRST in answer.message else STOPPED
    return LINE if ENDS_EARLY in answer.message else answer.code.name.replace('_', ' ')


def _said(answer: TargetAnswer, enabled: bool) -> tuple[str, str]:
    """Head and text of an answer."""
    head, text = _head(answer), answer.message
    is_line = ENDS_EARLY in text
    if answer.code is Code.OK and answer.tilt > NOT_TILTED:
        is_far, why = answer.tilt > FAR_TILT, WHY_NOT.search(text)
        head += f', {"turned" if is_far else "tilted"} by {degrees_text(answer.tilt)}'
        text = OTHER_SIDE if is_far else 'the arm takes the nearest orientation that it finds here'
        text += f'; as asked, {why[1]}.' if why else '.'
        text += STAY_THEN if is_far else ''
    elif answer.code is Code.OK and text.endswith(FOLLOWED) and enabled:
        text += '. Press "Straight to the ball", and the arm goes there.'
    elif answer.code in STAYS:
        text += '.'
        text = OF_THE_NEAREST.sub('', text)
        rests_before = RESTS_BEFORE in answer.message
        no_point = is_line or rests_before or answer.code is Code.ORIENTATION
        if answer.nearest is not None and not no_point:
            x, y, z = (round(value, 3) + 0.0 for value in answer.nearest)
            text += f' The nearest point is at x {x:.3f}, y {y:.3f}, z {z:.3f} m.'
        if enabled and not rests_before:
            text += ' The arm goes there.' if answer.command else ' The arm stays.'
        if is_line:
            text += ' With "Follow the ball" it may go there another way.'
    if answer.code is Code.OK and answer.other_elbow:
        asked = 'down' if answer.other_elbow == 'up' else 'up'
        text = f'{text.rstrip(".")}. The elbow cannot be {asked} here: it is {answer.other_elbow}.'
    joint, angle = answer.farthest
    if angle > FAR_TURN and (answer.code is Code.OK or answer.command):
        text = f'{text.rstrip(".")}. Getting there turns {joint} by {degrees_text(angle)}.'
    if answer.is_of_target and not enabled:
        text = f'{text.rstrip(".")}. {IS_DISABLED}'
        text += f' {MAY_MOVE}' if answer.code is Code.OK else ''
    return head, plain(text)


def readings(snapshot: Snapshot) -> str:
    """Latency and rate, and the joint positions as measured, as a table."""
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
        '<div class="readings" style="padding:0 0.6em"><table style="width:100%;'
        f'font-size:0.9em;line-height:1.2;color:{theme.TEXT};font-variant-numeric:tabular-nums">'
        f'{cells}</table></div>'
    )


def legend(has_zones: bool) -> str:
    """The meaning of the colors in both views. `has_zones` says whether safe zones are drawn."""
    items = ''.join(
        f'<span><span style="color:{color}">&#9632;</span> {text}</span>'
        for color, text in LEGEND
        if has_zones or color != theme.SAFE_ZONES
    )
    return (
        f'<div class="legend" style="font-size:0.85em;color:{theme.TEXT};padding:0.3em 0.8em">'
        '<div style="display:flex;flex-wrap:wrap;gap:0.1em 0.7em">'
        f'{items}</div></div>'
    )


def _card(color: str, kind: str, head: str, text: str) -> str:
    return (
        f'<div class="{kind}" style="border-left:5px solid {color};padding:0.35em 0.7em;'
        f'margin:0.4em 0.6em;background:{theme.CARD};color:{theme.TEXT};'
        'border-radius:3px;font-size:0.95em;line-height:1.25">'
        f'<b style="color:{theme.letters(color)}">{html.escape(head)}</b><br>'
        f'{html.escape(text)}</div>'
    )
