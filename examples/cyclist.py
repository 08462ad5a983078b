# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A cyclist with both feet on turning pedals: `python examples/cyclist.py [FOLDER]`.

A tree without a trunk: two legs of three links that begin at the hip. Three links to a pedal leave
the ankle free. It should be behind and above the pedal, and the knee in front; the policy 'near'
keeps the leg as near to that as it can. After Ramachandran and John, figure 6.
"""

from __future__ import annotations

import math
from typing import Any

from animation import BLUE, GRAY, INK, ORANGE, RED, SKY, links, print_rate, write

from ik_circles.geometry.circles import Point
from ik_circles.limbs import ChainShape, LinkTree, TreeShape

THIGH, SHANK, FOOT, CRANK = 0.44, 0.43, 0.16, 0.17
LEGS = LinkTree((), ((THIGH, SHANK, FOOT), (THIGH, SHANK, FOOT)))
HIP, CRANK_AXLE = (-0.24, 1.02), (0.0, 0.29)
REAR, FRONT, WHEEL = (-0.43, 0.34), (0.6, 0.34), 0.34
HEAD_TUBE, HANDLE = (0.48, 0.86), (0.58, 0.98)
SHOULDER, HEAD = (0.14, 1.42), (0.24, 1.57)
FRAMES, STILL = 48, 8


def pedals(frame: float) -> tuple[Point, Point]:
    """The near and the far pedal [m]; the rider goes right, so the cranks turn clockwise."""
    turn = -2.0 * math.pi * frame / FRAMES
    (x, y), (aside, up) = CRANK_AXLE, (CRANK * math.cos(turn), CRANK * math.sin(turn))
    return (x + aside, y + up), (x - aside, y - up)


def wanted_leg(pedal: Point) -> ChainShape:
    """A leg with the knee in front, and the heel higher the lower the pedal is."""
    low = (CRANK_AXLE[1] - pedal[1]) / CRANK
    angle = math.radians(140.0 - 12.0 * low)
    ankle = pedal[0] + FOOT * math.cos(angle), pedal[1] + FOOT * math.sin(angle)
    return ChainShape((HIP, (HIP[0] + THIGH, HIP[1]), ankle, pedal), ())


def solve(frame: float) -> TreeShape:
    """Both legs."""
    targets = pedals(frame)
    wanted = TreeShape(ChainShape((HIP,), ()), tuple(map(wanted_leg, targets)))
    legs = LEGS.solve(targets, 'near', previous=wanted, base=HIP)
    assert legs is not None  # both pedals are always inside the safe zones
    return legs


def main() -> None:
    """Write cyclist.gif and cyclist.png; print the rate."""

    def draw(axes: Any, frame: int) -> None:
        near, far = solve(frame).limbs
        pedal, other = pedals(frame)
        links(axes, far.points, SKY, 13.0, zorder=2)
        axes.plot(*zip(other, CRANK_AXLE), color=GRAY, linewidth=4, zorder=1)
        draw_bicycle(axes, 2.0 * math.pi * frame / FRAMES)
        axes.plot(*zip(CRANK_AXLE, pedal), color=INK, linewidth=5, zorder=4)
        draw_rider(axes)
        links(axes, near.points, BLUE, 15.0, zorder=5)
        for x, y in (pedal, other):
            axes.plot((x - 0.05, x + 0.05), (y - 0.02, y - 0.02), color=RED, linewidth=5, zorder=6)

    write('cyclist', (-0.95, 1.1), (-0.06, 1.84), draw, FRAMES, STILL)
    print_rate('cyclist, both legs', solve_all)


def solve_all() -> int:
    """Solve all frames and return how many."""
    for frame in range(FRAMES):
        solve(frame)
    return FRAMES


def draw_bicycle(axes: Any, turn: float) -> None:
    """Wheels with turning spokes, frame, chain ring."""
    for hub in (REAR, FRONT):
        rim = [spoke_end(hub, WHEEL, 2.0 * math.pi * step / 60) for step in range(61)]
        axes.plot(*zip(*rim), color=INK, linewidth=3, zorder=1)
        for spoke in range(8):
            end = spoke_end(hub, WHEEL, (spoke - 4.0 * turn / math.pi) * math.pi / 4.0)
            axes.plot(*zip(hub, end), color=GRAY, linewidth=0.8, zorder=1)
    saddle = HIP[0] - 0.02, HIP[1] - 0.1
    for tube in ((REAR, CRANK_AXLE), (CRANK_AXLE, saddle), (CRANK_AXLE, HEAD_TUBE),
                 (REAR, (-0.17, 0.8)), ((-0.17, 0.8), HEAD_TUBE), (FRONT, HEAD_TUBE),
                 (HEAD_TUBE, (0.5, 0.98)), ((0.5, 0.98), HANDLE)):  # fmt: skip
        axes.plot(*zip(*tube), color=ORANGE, linewidth=5, solid_capstyle='round', zorder=3)
    axes.plot((saddle[0] - 0.12, saddle[0] + 0.12), (saddle[1], saddle[1]), color=INK,
              linewidth=8, solid_capstyle='round', zorder=3)  # fmt: skip
    ring = [spoke_end(CRANK_AXLE, 0.09, 2.0 * math.pi * step / 40) for step in range(41)]
    axes.plot(*zip(*ring), color=INK, linewidth=3, zorder=3)
    axes.axhline(0.0, color=GRAY, linewidth=1.0, zorder=0)


def draw_rider(axes: Any) -> None:
    """The trunk, the head and the arm, which do not move."""
    elbow = 0.34, 1.13
    axes.plot(*zip(HIP, SHOULDER), color=BLUE, linewidth=20, solid_capstyle='round', zorder=4)
    axes.plot(*zip(SHOULDER, elbow, HANDLE), color=BLUE, linewidth=8, solid_capstyle='round',
              solid_joinstyle='round', zorder=4)  # fmt: skip
    axes.plot(*zip(SHOULDER, HEAD), color=BLUE, linewidth=11, zorder=4)
    axes.plot(*HEAD, 'o', color=BLUE, markersize=34, zorder=4)


def spoke_end(hub: Point, radius: float, angle: float) -> Point:
    """A point of a circle."""
    return hub[0] + radius * math.cos(angle), hub[1] + radius * math.sin(angle)


if __name__ == '__main__':
    main()
