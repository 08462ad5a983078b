# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A robot arm of three joints, dragged along a path: `python examples/robot_arm.py [FOLDER]`.

Where the path (dotted) leaves the safe zones (dashed), the tip stays at the nearest point inside.
Each shape is near to the last one, so that nothing jumps. After Ramachandran and John, figure 5.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from animation import BLUE, GRAY, GREEN, INK, ORANGE, RED, links, print_rate, write

from ik_circles.geometry.circles import Point
from ik_circles.limbs import ChainShape, LinkChain
from ik_circles.limbs.bends import POLICIES

CHAIN = LinkChain((0.62, 0.28, 0.2))
FRAMES, STILL = 120, 47


def wanted(frame: int) -> Point:
    """Where the tip is dragged to [m]: around the base, in and out of the safe zones."""
    turn = 2.0 * math.pi * frame / FRAMES
    distance = 0.66 + 0.58 * math.cos(3.0 * turn)
    return distance * math.cos(turn), distance * math.sin(turn)


def shapes() -> list[ChainShape]:
    """The arm at each frame, solved for two rounds so that the last frame leads to the first."""
    shape = CHAIN.solve(CHAIN.nearest_inside(wanted(0)), 'even')
    found: list[ChainShape] = []
    for frame in range(2 * FRAMES):
        assert shape is not None  # inside the safe zones there is always one
        shape = CHAIN.solve(CHAIN.nearest_inside(wanted(frame)), 'near', previous=shape.points)
        assert shape is not None
        found.append(shape)
    return found[FRAMES:]


def main() -> None:
    """Write robot_arm.gif and robot_arm.png; print the rates."""
    arms = shapes()
    path = [wanted(step) for step in range(FRAMES + 1)]
    turns = [2.0 * math.pi * step / 200 for step in range(201)]

    def draw(axes: Any, frame: int) -> None:
        for radius in CHAIN.zones[-1]:
            circle = [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]
            axes.plot(*zip(*circle), '--', color=ORANGE, linewidth=2.5)
        axes.plot(*zip(*path), ':', color=GRAY, linewidth=1.5)
        tips = [arm.points[-1] for arm in arms[: frame + 1]]
        axes.plot(*zip(*tips), color=GREEN, linewidth=3.0)
        links(axes, arms[frame].points, BLUE, 13.0)
        axes.plot(*wanted(frame), 'X', color=RED, markersize=15, zorder=5)
        axes.plot(0.0, 0.0, 's', color=INK, markersize=16, zorder=4)

    write('robot_arm', (-1.35, 1.35), (-1.25, 1.25), draw, FRAMES, STILL)
    for policy in POLICIES:
        print_rate(f'robot arm, {policy}', partial(solve_all, policy, arms))


def solve_all(policy: str, arms: list[ChainShape]) -> int:
    """Solve all frames by a policy and return how many."""
    for arm in arms:
        CHAIN.solve(arm.points[-1], policy, previous=arm.points)
    return len(arms)


if __name__ == '__main__':
    main()
