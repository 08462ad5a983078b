"""The three-joint robot arm, dragged along a path: `python examples/robot_arm.py [FOLDER]`.

The path leaves both safe zones; the tip then stays on the nearest point inside. Each shape is near
to the one before, so that nothing jumps. Rebuilt from Ramachandran and John, figure 5.
"""

from __future__ import annotations

import math
from functools import partial

from animation import links, new_figure, print_rate, write

from ik_circles.circles import Point
from ik_circles.drawing import BLUE, GREEN, GREY, ORANGE, RED
from ik_circles.methods import ChainShape, LinkChain
from ik_circles.methods.n_links import POLICIES

CHAIN = LinkChain((0.62, 0.28, 0.2))
FRAMES, STILL = 120, 47


def wanted(frame: int) -> Point:
    """Where the tip is dragged to: round and round the base, in and out of the zones [m]."""
    turn = 2.0 * math.pi * frame / FRAMES
    distance = 0.66 + 0.58 * math.cos(3.0 * turn)
    return distance * math.cos(turn), distance * math.sin(turn)


def shapes() -> list[ChainShape]:
    """The arm at each frame. A round before the first makes the last one lead on to it."""
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
    figure, axes = new_figure(7.4, 7.8)

    def draw(frame: int) -> None:
        zones, shape = CHAIN.safe_zones, arms[frame]
        turns = [2.0 * math.pi * step / 200 for step in range(201)]
        name = f'safe zones: {zones.inner:.2f} m and {zones.outer:.2f} m'
        for radius, label in ((zones.outer, name), (zones.inner, None)):
            circle = [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]
            axes.plot(*zip(*circle), '--', color=ORANGE, linewidth=2.0, label=label)
        axes.plot(*zip(*(wanted(step) for step in range(FRAMES + 1))), ':', color=GREY,
                  linewidth=1.2, label='path of the drag')  # fmt: skip
        axes.plot(*zip(*(arm.points[-1] for arm in arms[: frame + 1])), color=GREEN, linewidth=2.0,
                  label='path of the tip')  # fmt: skip
        links(axes, shape.points, BLUE, 9.0)
        axes.plot(*wanted(frame), 'x', color=RED, markersize=12, markeredgewidth=3, zorder=5,
                  label='dragged to')  # fmt: skip
        axes.plot(0.0, 0.0, 's', color='black', markersize=12, zorder=4)
        axes.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35), xlabel='x [m]', ylabel='y [m]')
        axes.set_aspect('equal')
        axes.set_title('Three links by two circles, each shape near to the one before')
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.08), ncols=2, frameon=False)

    write('robot_arm', figure, axes, draw, FRAMES, STILL)
    for policy in POLICIES:
        print_rate(f'robot arm, {policy}', partial(solve_all, policy, arms))


def solve_all(policy: str, arms: list[ChainShape]) -> int:
    """Solve all frames by a policy; how many."""
    for arm in arms:
        CHAIN.solve(arm.points[-1], policy, previous=arm.points)
    return len(arms)


if __name__ == '__main__':
    main()
