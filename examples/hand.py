# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A hand that closes its fingers around a ball: `python examples/hand.py [FOLDER]`.

A tree, seen from the side: upper arm and forearm are the trunk, the wrist is the fork, and thumb
and fingers, with their metacarpal bones, are the limbs. The fork stays as near to its place at the
ball as it can while every fingertip reaches its target. After Ramachandran and John, figure 7.
"""

from __future__ import annotations

import math
from typing import Any

from animation import (
    BLUE,
    FILL,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    PAPER,
    PINK,
    RED,
    links,
    print_rate,
    write,
)

from ik_circles.geometry.circles import Point
from ik_circles.limbs import LinkTree, TreeShape

#: Lengths [cm]: trunk; thumb, index, middle, ring and little finger, metacarpal bones first.
HAND = LinkTree(
    (20.0, 20.0),
    (
        (5.0, 4.0, 3.4),
        (8.6, 4.4, 2.7, 2.1), (8.4, 4.9, 3.1, 2.2), (7.7, 4.5, 2.9, 2.2), (7.2, 3.6, 2.2, 1.9),
    ),
)  # fmt: skip
COLORS = RED, BLUE, GREEN, ORANGE, PINK
SIDES = 'right', 'left', 'left', 'left', 'left'
#: Direction from the ball's center in which each tip touches it [deg].
TOUCH = 218.0, 12.0, -6.0, 27.0, 58.0
#: Where each tip is while the hand is open: direction [deg] and distance [cm] from the wrist.
OPEN = ((-75.0, 11.6), (8.0, 17.2), (14.0, 18.0), (20.0, 16.7), (26.0, 14.4))
SHOULDER, RADIUS = (-40.0, -9.0), 4.4
#: The wrist's place, from the ball's center [cm].
WRIST = (-8.5, 5.5)
APPROACH, CLOSE, CARRY = 20, 20, 40
FRAMES = 2 * (APPROACH + CLOSE) + CARRY
STILL = APPROACH + CLOSE + 6


def share(frame: int, start: int, length: int) -> float:
    """How much of a phase is done, smoothly from 0 to 1."""
    done = min(max((frame - start) / length, 0.0), 1.0)
    return done * done * (3.0 - 2.0 * done)


def phases(frame: int) -> tuple[float, float, float]:
    """How near the ball is, how far the hand is closed, how far the ball is carried: 0 to 1."""
    lifted = APPROACH + CLOSE
    opened, left = lifted + CARRY, lifted + CARRY + CLOSE
    near = share(frame, 0, APPROACH) - share(frame, left, APPROACH)
    closed = share(frame, APPROACH, CLOSE) - share(frame, opened, CLOSE)
    return near, closed, share(frame, lifted, CARRY)


def ball(frame: int) -> Point:
    """The ball's center [cm]: it comes, is carried around, and goes."""
    near, _, carried = phases(frame)
    turn = 2.0 * math.pi * carried
    return 9.0 * (1.0 - near) + 5.0 * math.sin(turn), 3.0 * (1.0 - math.cos(turn))


def solve(frame: int) -> TreeShape:
    """The arm and all fingers."""
    near, closed, _ = phases(frame)
    x, y = ball(frame)
    wrist = x - 9.0 * (1.0 - near) + WRIST[0], y + WRIST[1]
    targets = [
        between(polar(wrist, reach, open_at), polar((x, y), RADIUS + 0.6, touch), closed)
        for (open_at, reach), touch in zip(OPEN, TOUCH)
    ]
    hand = HAND.solve(targets, 'even', trunk_side='right', limb_sides=SIDES, fork=wrist,
                      base=SHOULDER)  # fmt: skip
    assert hand is not None  # the ball is in range in every frame
    return hand


def polar(center: Point, radius: float, degrees: float) -> Point:
    """A point in a direction and at a distance from another."""
    angle = math.radians(degrees)
    return center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle)


def between(start: Point, end: Point, part: float) -> Point:
    """A point on the way from one to the other."""
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def main() -> None:
    """Write hand.gif and hand.png; print the rate."""

    def draw(axes: Any, frame: int) -> None:
        hand = solve(frame)
        draw_ball(axes, ball(frame))
        links(axes, hand.trunk.points, GRAY, 30.0, zorder=2)
        palm = [hand.fork, *(limb.points[1] for limb in reversed(hand.limbs))]
        axes.fill(*zip(*palm), color=GRAY, joinstyle='round', linewidth=14.0, zorder=2)
        for behind, limb in enumerate(hand.limbs):
            links(axes, limb.points, COLORS[behind], 13.0, zorder=4.0 - 0.1 * behind)
        axes.plot(*hand.fork, 'o', color=GRAY, markersize=22, markerfacecolor=PAPER, zorder=5)

    write('hand', (-25.0, 16.0), (-16.0, 21.5), draw, FRAMES, STILL)
    print_rate('hand, arm and five fingers', solve_all)


def solve_all() -> int:
    """Solve all frames and return how many."""
    for frame in range(FRAMES):
        solve(frame)
    return FRAMES


def draw_ball(axes: Any, center: Point) -> None:
    """The ball behind the fingers."""
    rim = [polar(center, RADIUS, 6.0 * step) for step in range(61)]
    axes.fill(*zip(*rim), color=FILL, zorder=1)
    axes.plot(*zip(*rim), color=INK, linewidth=2.0, zorder=1)


if __name__ == '__main__':
    main()
