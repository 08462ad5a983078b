# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Draws the figures of docs/methods.md for two and three links: `scripts/figures [FOLDER]`.

ik_circles computes all that is drawn, on each run.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from pictures import (
    BLUE,
    FILL,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    ORIGIN,
    PAPER,
    PINK,
    RED,
    SKY,
    arc_line,
    draw_arm,
    draw_circle,
    draw_line,
    draw_links,
    draw_text,
    new_figure,
    outline,
    write_figures,
)

from ik_circles import Arc, PlanarArm
from ik_circles.geometry.circles import Point
from ik_circles.limbs import (
    LinkChain,
    solve_two_circles,
    solve_two_links,
)
from ik_circles.planar.redundancy import solve_z_form, z_reach
from ik_circles.planar.redundancy.rules import REDUNDANCIES, Redundancy, candidates
from ik_circles.planar.selection import Policy, choose

#: Two links [m].
PAIR = 0.4, 0.25
#: Targets within their reach, too far, and too near [m].
PAIR_TARGETS = (0.5, 0.18), (0.62, 0.42), (0.06, 0.05)
#: Joint limits of the two links [rad].
PAIR_LIMITS = (-0.4, 1.9), (-0.3, 2.2)
#: Targets that these limits keep them from [m].
KEPT_FROM = (0.3, -0.5), (-0.55, 0.42), (0.62, 0.5)
#: An arm for the Z-form, and its target [m].
Z_ARM, Z_TARGET = PlanarArm((0.35, 0.5, 0.3)), (0.62, 0.2)
#: Links whose Z-form has two separate ranges of distances [m].
Z_GAP = 0.5, 2.0, 0.1
#: The arm of urdf/planar_3r.urdf, a target [m], and its joint positions before [rad].
ARM = PlanarArm((0.4, 0.3, 0.2), ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))
ARM_TARGET, ARM_WAS = (0.6, 0.3), (0.9, -0.9, -0.9)


def main() -> None:
    """Write every figure."""
    write_figures(method_two_circles, method_two_links, method_z_form, method_redundancy)


# --- two links ------------------------------------------------------------------------------------


def method_two_circles() -> Figure:
    """Both elbows within reach; the links stretched, and folded, out of it."""
    figure, columns = new_figure(12.0, 4.6, 3, sharey=True)
    names = 'within reach: both elbows', 'too far: stretched', 'too near: folded'
    for axes, target, name in zip(columns, PAIR_TARGETS, names):
        found = solve_two_circles(ORIGIN, target, *PAIR, out_of_reach='nearest')
        draw_circle(axes, ORIGIN, PAIR[0], color=BLUE, linewidth=1.2)
        draw_circle(axes, target, PAIR[1], color=ORANGE, linewidth=1.2)
        for elbow, color in zip(found.elbows, (GREEN, PINK)):
            draw_links(axes, (ORIGIN, elbow, found.tip), color)
        if found.reached:
            draw_text(axes, 'left', found.elbows[0], (-4, 16))
            draw_text(axes, 'right', found.elbows[1], (4, -16))
        else:
            draw_line(axes, (found.tip, target), ':', color=RED, linewidth=2.0)
            draw_text(axes, f'miss {found.miss:.3f} m', target, (0, 18 if target[0] > 0.2 else -32))
        axes.plot(*target, 'X', color=RED, markersize=10, zorder=6)
        axes.set_title(name)
        axes.set(xlim=(-0.46, 0.92), ylim=(-0.46, 0.74))
    for axes in columns[1:]:
        axes.set_ylabel('')
    return figure


def method_two_links() -> Figure:
    """The bend that is chosen, and its angles; the nearest points that limits allow."""
    figure, (left, right) = new_figure(11.0, 5.2, 2)
    for branch, color in (('elbow_up', GREEN), ('elbow_down', PINK)):
        q1, q2 = solve_two_links(*PAIR_TARGETS[0], *PAIR, branch=branch).joint_positions
        points = _two_link_points(q1, q2)
        draw_links(left, points, color, label=f'{branch}: {_degrees(q1)}, {_degrees(q2)}')
        radius, beside = (0.13, (13, 4)) if q1 > 0.0 else (0.27, (0, -16))
        _angle(left, ORIGIN, radius, (0.0, q1), color, 'q1', beside)
        _angle(left, points[1], 0.1, (q1, q1 + q2), color, 'q2', (14, 0))
        beyond = 0.16 * math.cos(q1), 0.16 * math.sin(q1)
        end = points[1][0] + beyond[0], points[1][1] + beyond[1]
        draw_line(left, (points[1], end), ':', color=GRAY, linewidth=1.2)
    draw_line(left, (ORIGIN, (0.58, 0.0)), ':', color=GRAY, linewidth=1.2)
    left.plot(*PAIR_TARGETS[0], 'X', color=RED, markersize=10, zorder=6)
    left.set_title('the bend is chosen')
    left.legend(loc='upper left')
    left.set(xlim=(-0.12, 0.72), ylim=(-0.2, 0.56))
    _fill_reached(right)
    for target in KEPT_FROM:
        nearest = solve_two_links(*target, *PAIR, joint_limits=PAIR_LIMITS)
        points = _two_link_points(*nearest.joint_positions)
        draw_links(right, points, BLUE)
        draw_line(right, (points[-1], target), ':', color=RED, linewidth=2.0)
        right.plot(*target, 'X', color=RED, markersize=10, zorder=6)
        draw_text(right, f'{nearest.miss:.3f} m', target, (0, -16 if target[1] < 0.0 else 16))
    right.set_title('out of reach, with joint limits: the nearest')
    right.set(xlim=(-0.76, 0.88), ylim=(-0.68, 0.8038))
    return figure


def _two_link_points(q1: float, q2: float) -> tuple[Point, ...]:
    return LinkChain(PAIR).forward_kinematics((q1, q2))


def _fill_reached(axes: Any) -> None:
    """Shade the points that two links reach inside their limits."""
    along = np.linspace(-0.7, 0.7, 141)
    miss = [[solve_two_links(x, y, *PAIR, joint_limits=PAIR_LIMITS).miss for x in along]
            for y in along]  # fmt: skip
    axes.contourf(along, along, miss, levels=(-1.0, 1e-3), colors=[FILL])


def _angle(
    axes: Any, center: Point, radius: float, ends: Point, color: str, name: str, beside: Point
) -> None:
    """An angle as an arc with its name beside the middle."""
    first, last = sorted(ends)
    arc = Arc(center, radius, first, last - first)
    arc_line(axes, arc, color=color, linewidth=1.5)
    middle = arc.point_at((first + last) / 2.0)
    draw_text(axes, name, middle, beside, fontstyle='italic', color=color)


def _degrees(angle: float) -> str:
    return f'{math.degrees(angle):.1f}°'


# --- three links ----------------------------------------------------------------------------------


def method_z_form() -> Figure:
    """The Z and its mirror image, three shares k, and the distances over which there is a Z."""
    figure, (left, middle, right) = new_figure(
        13.0, 4.9, 3, width_ratios=(1.0, 1.0, 0.97)
    )
    share = 0.4
    draw_line(left, (ORIGIN, Z_TARGET), '--', color=GRAY, linewidth=1.2)
    both = solve_z_form(Z_ARM.solver, *Z_TARGET, share)
    for q, color, name in zip(both, (GREEN, PINK), ('', 'mirror')):
        points = Z_ARM.joint_points(q)
        draw_links(left, points, color)
        crossing = _between(points[1], points[2], share)
        left.plot(*crossing, 'o', color=PAPER, markeredgecolor=INK, markersize=8, zorder=7)
        draw_text(left, name or 'Z', points[1], (0, 16 if points[1][1] > 0.1 else -16))
    left.set_title('k = 0.4, and the mirror image')
    for share, color in ((0.2, BLUE), (0.5, ORANGE), (0.8, GREEN)):
        q = solve_z_form(Z_ARM.solver, *Z_TARGET, share)[0]
        draw_arm(middle, Z_ARM, q, color, label=f'k = {share:g}')
    draw_line(middle, (ORIGIN, Z_TARGET), '--', color=GRAY, linewidth=1.2)
    middle.set_title('the share k settles the shape')
    middle.legend(loc='lower right')
    for axes in (left, middle):
        axes.plot(*Z_TARGET, 'X', color=RED, markersize=10, zorder=6)
        axes.set(xlim=(-0.12, 0.8), ylim=(-0.3, 0.52))
    middle.set_ylabel('')
    _draw_z_reach(right)
    return figure


def _draw_z_reach(axes: Any) -> None:
    for k in np.linspace(0.0, 1.0, 201):
        for nearest, farthest in z_reach(Z_GAP, float(k)):
            axes.plot((k, k), (nearest, farthest), color=SKY, linewidth=1.6, solid_capstyle='butt')
    axes.set_aspect('auto')
    axes.set_box_aspect(0.82 / 0.92)
    axes.set(xlim=(0.0, 1.0), xlabel='share k', ylabel='distance of the target [m]')
    axes.set_title('links 0.5, 2, 0.1 m: where a Z exists')


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def method_redundancy() -> Figure:
    """A point by each choice of the parameter `redundancy`."""
    figure, columns = new_figure(13.0, 3.9, len(REDUNDANCIES), sharey=True)
    colors = BLUE, ORANGE, GREEN, PINK
    for axes, choice, color in zip(columns, REDUNDANCIES, colors, strict=True):
        found = candidates(ARM.workspace, *ARM_TARGET, ARM_WAS, Policy(), Redundancy(choice))
        q = choose(ARM, found, ARM_WAS, 'nearest')
        assert q is not None
        points = ARM.joint_points(q)
        outline(axes, ARM)
        if choice == 'keep_orientation':
            draw_arm(axes, ARM, ARM_WAS, GRAY, linewidth=2, alpha=0.6)
            draw_text(axes, 'before', ARM.forward_kinematics(ARM_WAS)[:2], (0, -14))
        if choice == 'outermost':
            draw_circle(axes, ORIGIN, math.hypot(*points[2]), color=GRAY, linestyle='--',
                        linewidth=1.2)  # fmt: skip
        if choice == 'z_form':
            draw_line(axes, (ORIGIN, ARM_TARGET), '--', color=GRAY, linewidth=1.2)
        draw_links(axes, points, color)
        axes.plot(*ARM_TARGET, 'X', color=RED, markersize=10, zorder=6)
        axes.set_title(choice)
        axes.set(xlim=(-0.22, 0.95), ylim=(-0.45, 0.8))
    for axes in columns[1:]:
        axes.set_ylabel('')
    return figure


if __name__ == '__main__':
    main()
