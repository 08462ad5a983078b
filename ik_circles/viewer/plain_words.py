# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's own words for messages. Programs read a message with all its figures; people read the
card."""

import math
import re
from collections.abc import Sequence

#: An angle, a length, and joints that would pass their limits, as `reasons` writes them.
_ANGLE, _LENGTH = r'-?[\d.e+-]+ deg', r'-?[\d.e+-]+ m'
_PASSED = re.compile(rf'(\S+) would exceed its (\w+) limit by ({_ANGLE})')
_SEVERAL = re.compile(rf'\S+ would exceed its \w+ limit by at most {_ANGLE}')
_LIST = re.compile(rf'{_SEVERAL.pattern}(?: and {_SEVERAL.pattern})*')
#: The end of a message about a motion that would go below the floor on its way.
HIGHER = 'go there by way of a higher place'
#: A tip nearer to its goal than this is there, and the card gives no figure [m].
NO_FIGURE = 1e-3

#: Lengths beyond these get no figure either [m]; with more decimals than this, a length is rounded.
NO_SHORTER, NO_LONGER, DECIMALS = 1e-3, 1e3, 3
#: The figures of a margin's message are rounded: a margin this near to the largest may be
#: refused [mm].
ROUNDED = 1e-2
#: The smallest angle that is given as a figure, and what is said of smaller ones [deg].
SMALLEST_ANGLE = 0.1
LESS = f'less than {SMALLEST_ANGLE:g} deg'
_METERS = re.compile(r'(?:more than )?(-?[\d.]+(?:e[+-]?\d+)?) m(?![\w/])')
#: A margin that is too large for the arm.
_NO_ROOM = re.compile(
    rf'safe_zone_margin ({_LENGTH}) leaves nothing between the safe zones of (\S+) m and (\S+) m; '
    'make it smaller'
)

#: Patterns in a message, and what the page says instead. They are replaced in this order.
PLAIN: Sequence[tuple[str, str]] = (
    # the wrist, as it is
    (rf'; with [^;]*? at {_ANGLE}(?: and [^;]*? at {_ANGLE})?', ''),
    # what can be done
    (r'reachable with every tool orientation in the plane of the arm',
     "in reach, with the tool at any angle in the arm's plane"),
    (r'reachable with (?:the )?tool orientations? ', 'in reach, with a tool angle of '),
    (r'; a joint is free: each way has endless solutions, and gives the one nearest to the seed',
     '. In each, some joints can turn together and leave the tool where it is'),
    (r'(the nearest|a) reachable point is', r'\1 point in reach is'),
    (r'reachable in (\w+ ways?)', r'in reach, in \1'),
    # what cannot
    (rf'(?:reachable, but )?not with tool orientation ({_ANGLE}): (.*?); the nearest that works is '
     rf'({_ANGLE})', r'the tool cannot be at \1 there: \2. At \3 it can'),
    (rf'(?:reachable, but )?not with this orientation: (.*?); the nearest of those tried is '
     rf'({_ANGLE}) away',
     r'the tool cannot be turned like this there: \1. Turned by another \2, it can'),
    (r": the arm's plane passes it at ", ': the arm gets no nearer to it than '),
    (r", which the arm's plane passes at ", ', and the arm gets no nearer to it than '),
    (rf' and the safe zone margin is ({_LENGTH})', r', and the arm keeps \1 from the edge'),
    (rf'the tip would not keep the safe zone margin of ({_LENGTH})',
     r'the tip would be nearer to the edge than \1'),
    (rf'out of the plane of .*? by ({_LENGTH}); at most {_LENGTH} is allowed',
     r"the ball is \1 beside the arm's plane, which no joint turns"),
    (r', or set orientation_mode to free', ', or set "Orientation" to "any"'),
    (r'; set orientation_mode to preferred', '. Set "Orientation" to "nearest that works"'),
    # settings and the demo path
    ('no demonstration pose is sure to be reached above z = 0 of base_link',
     'the arm may go below the ground on the demo path'),
    ('no demonstration pose is inside the safe zones',
     'no point of the demo path is as far from the edge as "Keep from the edge" asks for'),
    ('safe_zone_margin', '"Keep from the edge"'),
    # lines and motions
    (r'(\S+) is singular: its neighbors would turn half round at once; bend it',
     r'\1 is where its two neighbors turn about one axis, and they would turn half round at once. '
     r'Move the slider of \1 some degrees either way first'),
    (rf'after ([\d.]+ %) of its way, the motion would go below the floor, by {_LENGTH} or more',
     r'after \1 of the way there, the arm would go below the floor'),
    (HIGHER,
     'drag the ball there in a high arc, point the tool down there, or turn the joints one by one'),
    (r'turn first, without straight, or send a point', 'check "Follow the ball" to turn first'),
    (r'canceled; the arm was brought to rest',
     'the arm was brought to rest, and stays until it is asked for something'),
    (r'enable it with the service \S+/enable', 'check "Enable"'),
    (r'a goal of ~/move_to moves the arm, and goes first; wait for its end, or cancel it',
     'a motion is under way, and goes first. Wait for its end, or press "Stop"'),
)  # fmt: skip


def plain(message: str) -> str:
    """A message in the page's own words, as sentences."""
    text = _LIST.sub(_several, message)
    text = _PASSED.sub(_turns_past, text)
    text = _NO_ROOM.sub(_room, text)
    for said, words in PLAIN:
        text = re.sub(said, words, text)
    text = re.sub(r'arrived: the tip is measured (\S+) m from its goal', _arrived, text)
    return sentences(_METERS.sub(_rounded, text))


def sentences(text: str) -> str:
    """The parts of a message as sentences; the name of a joint is not capitalized."""
    parts = [part.strip() for part in re.split(r'; |(?<=\D)\. ', text)]
    text = '. '.join(_capital(part) for part in parts if part)
    return text if text.endswith(('.', '?', '"')) else f'{text}.'


def _capital(part: str) -> str:
    first = part.split(' ')[0].rstrip(',:')
    return part[:1].upper() + part[1:] if first.isalpha() else part


def _several(found: re.Match[str]) -> str:
    """What several joints would have to do, without figures: one posture needs more of one joint
    and less of another, so the figures say little."""
    names = re.findall(r'(\S+) would exceed', found[0])
    if len(names) == 1:
        return f'{names[0]} would have to turn past its limit'
    return f'{", ".join(names[:-1])} and {names[-1]} would have to turn past their limits'


def _turns_past(found: re.Match[str]) -> str:
    """How far a joint would have to turn past its limit, as the page shows angles."""
    joint, side, angle = found.groups()
    angle = angle if float(angle.split()[0]) >= SMALLEST_ANGLE / 2.0 else LESS
    return f'{joint} would have to turn {angle} past its {side} limit'


def _arrived(found: re.Match[str]) -> str:
    """That a motion has ended, and how far from its goal if a person could see that."""
    return 'arrived' if float(found[1]) < NO_FIGURE else found[0]


def _room(found: re.Match[str]) -> str:
    """Says that a margin is too large, and which is the largest that leaves the ball a place."""
    half = (float(found[3]) - float(found[2])) / 2.0
    most = NO_SHORTER * math.floor(half / NO_SHORTER - ROUNDED)
    return f'"Keep from the edge" cannot be {found[1]}: at most {most:.{DECIMALS}f} m works'


def _rounded(found: re.Match[str]) -> str:
    """A length as a person would measure it."""
    length = float(found[1])
    if 0.0 < abs(length) < NO_SHORTER:
        return f'less than {NO_SHORTER:g} m'
    if abs(length) > NO_LONGER:
        return f'more than {NO_LONGER:g} m'
    is_short = re.fullmatch(rf'-?\d+(\.\d{{1,{DECIMALS}}})?', found[1])
    return found[0] if is_short else f'{length:.{DECIMALS}f} m'
