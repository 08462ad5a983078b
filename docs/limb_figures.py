# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Draws the figures of docs/methods.md for chains, trees and bones: `scripts/figures [FOLDER]`.

ik_circles.limbs computes all that is drawn, on each run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
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
    arc_line,
    draw_circle,
    draw_line,
    draw_links,
    draw_text,
    new_figure,
    write_figures,
)

from ik_circles import Arc
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import Point, angle_between_sides
from ik_circles.limbs import BoneLimits, LinkChain, LinkTree, place_bones

#: A chain whose long link leaves a hole [m].
CHAIN = LinkChain((0.66, 0.16, 0.13, 0.1, 0.08, 0.07))
#: A target near its outer safe zone [m].
FAR_TARGET = 0.85, 0.62
#: A target between both safe zones, and the target before it [m].
CHAIN_TARGET, CHAIN_WAS = (0.52, 0.36), (0.2, 0.72)
#: A trunk of two links with three limbs, and a target for each limb [m].
TREE = LinkTree((0.4, 0.35), ((0.25, 0.2), (0.2, 0.16, 0.12), (0.26, 0.2)))
TREE_TARGETS = (0.46, 0.8), (0.84, 0.66), (0.84, 0.28)
#: Distance of the lines of their grid [m].
GRID = 0.2
#: Hip, knee and foot before [m], and the direction in which the knee should bend.
HIP, KNEE, FOOT, POLE = (0.0, 0.0, 0.0), (0.1, 0.0, -0.45), (0.0, 0.0, -0.75), (1.0, 0.0, 0.3)


def main() -> None:
    """Write every figure."""
    write_figures(method_n_links, method_tree, method_two_bones)


# --- many links -----------------------------------------------------------------------------------


def method_n_links() -> Figure:
    """The circle of each joint, with the part on which the rest can close; the three policies."""
    figure, (left, right) = new_figure(13.0, 6.4, 2)
    for axes in (left, right):
        for number, radius in enumerate(CHAIN.zones[-1]):
            draw_circle(axes, ORIGIN, radius, color=ORANGE, linestyle='--', linewidth=1.6,
                        label=None if number else 'safe zones')  # fmt: skip
    shape = CHAIN.solve(FAR_TARGET, 'even')
    assert shape is not None
    for joint in range(len(CHAIN.link_lengths) - 1, 0, -1):
        label = joint == 1
        _draw_step(left, joint, shape.points[joint + 1], label=label)
    draw_links(left, shape.points, BLUE)
    left.set_title("each joint's circle, and where on it the rest can close")
    before = CHAIN.solve(CHAIN_WAS, 'even')
    assert before is not None
    draw_links(right, before.points, GRAY, linewidth=2, alpha=0.6, label='before')
    for policy, color in (('outermost', GREEN), ('even', BLUE), ('near', PINK)):
        found = CHAIN.solve(CHAIN_TARGET, policy, previous=before.points)
        assert found is not None
        draw_links(right, found.points, color, label=policy)
    right.set_title('three policies for the same target')
    for axes, target in ((left, FAR_TARGET), (right, CHAIN_TARGET)):
        axes.plot(*target, 'X', color=RED, markersize=11, zorder=6)
        axes.legend(loc='lower left')
    left.set(xlim=(-0.16, 1.2), ylim=(-0.3, 1.06))
    right.set(xlim=(-0.45, 1.28), ylim=(-0.45, 1.28))
    right.set_ylabel('')
    return figure


def _draw_step(axes: Any, joint: int, child: Point, *, label: bool) -> None:
    """The circle about the joint's child, thick where the links before it can close."""
    length = CHAIN.link_lengths[joint]
    draw_circle(axes, child, length, color=GRAY, linewidth=0.8,
                label='circle of the next link' if label else None)  # fmt: skip
    distance = math.hypot(*child)
    inwards = math.atan2(-child[1], -child[0])
    least, most = (angle_between_sides(distance, length, radius, 0.0)
                   for radius in CHAIN.feasible_radii(joint, distance))  # fmt: skip
    for start in (inwards + least, inwards - most):
        arc_line(axes, Arc(child, length, start, most - least), color=GREEN, linewidth=4.0,
                 alpha=0.7, solid_capstyle='butt', zorder=3,
                 label='feasible radii' if label and start > inwards else None)  # fmt: skip


def method_tree() -> Figure:
    """The rings of trunk and limbs, the fork in all of them, and the shape."""
    figure, (axes,) = new_figure(11.0, 6.6, 1)
    shape = TREE.solve(TREE_TARGETS, 'even', limb_sides=('right', 'left', 'left'))
    assert shape is not None
    colors = INK, GREEN, BLUE, PINK
    rings = TREE.rings(TREE_TARGETS)
    x, y = np.meshgrid(np.linspace(-0.3, 1.5, 701), np.linspace(-0.5, 1.5, 701))
    common = np.ones(x.shape, dtype=bool)
    for ring, color in zip(rings, colors):
        distance = np.hypot(x - ring.center[0], y - ring.center[1])
        common &= (distance >= ring.inner) & (distance <= ring.outer)
        for radius in {ring.inner, ring.outer} - {0.0}:
            draw_circle(axes, ring.center, radius, color=color, linestyle='--', linewidth=1.0)
    axes.contourf(x, y, common, levels=(0.5, 1.5), colors=[FILL])
    draw_links(axes, shape.trunk.points, INK, label='trunk, and its ring')
    for number, (limb, color) in enumerate(zip(shape.limbs, colors[1:]), 1):
        draw_line(axes, limb.points, '-o', color=color, linewidth=3, markersize=7, zorder=4,
                  label=f'limb {number}, and its ring about the target')  # fmt: skip
    for target in TREE_TARGETS:
        axes.plot(*target, 'X', color=RED, markersize=11, zorder=6)
    axes.plot(*shape.fork, 'o', color=PAPER, markeredgecolor=INK, markersize=11, zorder=7)
    axes.fill([], [], color=FILL, label='all places for the fork')
    draw_text(axes, 'fork', shape.fork, (-22, -14))
    axes.set(xlim=(-0.15, 1.42), ylim=(-0.32, 1.3))
    axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1.0))
    return figure


# --- two bones in space ---------------------------------------------------------------------------


def method_two_bones() -> Figure:
    """The knee's circle with and without a pole; too far; too near; the hip's cone."""
    figure = Figure(figsize=(13.0, 4.4), layout='constrained')
    FigureCanvasAgg(figure)
    cone = BoneLimits(hip_axis=(0.2, 0.0, -1.0), hip_angle=0.55)
    cases: Sequence[tuple[str, Any, Any, BoneLimits]] = (
        ('reached', (0.35, 0.25, -0.45), POLE, BoneLimits()),
        ('too far: stretched', (0.55, 0.3, -0.8), None, BoneLimits()),
        ('too near: longer bone to it', (0.06, 0.05, -0.03), None, BoneLimits()),
        ("the hip's cone: the nearest", (0.6, 0.2, 0.08), None, cone),
    )
    for number, (name, target, pole, limits) in enumerate(cases, 1):
        axes = figure.add_subplot(1, len(cases), number, projection='3d')
        found = place_bones(HIP, KNEE, FOOT, target, pole=pole, limits=limits)
        draw_line(axes, (HIP, KNEE, FOOT), '-o', color=GRAY, linewidth=2, alpha=0.6)
        if found.outcome == 'reached':
            _knee_circle(axes, target)
        if pole is not None:
            axes.quiver(*found.knee, *pole, length=0.25, color=ORANGE, linewidth=2)
        if limits.hip_axis is not None:
            _draw_cone(axes, limits)
        draw_line(axes, (HIP, found.knee, found.foot), '-o', color=BLUE, linewidth=4)
        axes.plot(*HIP, 's', color=INK, markersize=8)
        if found.miss > 0.0:
            draw_line(axes, (found.foot, target), ':', color=RED, linewidth=2)
        axes.plot(*target, 'X', color=RED, markersize=9)
        axes.set_title(name)
        _dress(axes)
    return figure


def _knee_circle(axes: Any, target: Sequence[float]) -> None:
    """Every place of the knee, found by poles in all directions."""
    places = []
    for turn in np.linspace(0.0, TURN, 121):
        pole = (math.cos(turn), math.sin(turn), 0.3)
        places.append(place_bones(HIP, KNEE, FOOT, tuple(target), pole=pole).knee)
    draw_line(axes, places, '--', color=GREEN, linewidth=1.6)


def _draw_cone(axes: Any, limits: BoneLimits) -> None:
    """The cone's surface, as far out as the knee."""
    assert limits.hip_axis is not None
    axis = np.array(limits.hip_axis)
    side = np.cross(axis, (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    length = math.dist(HIP, KNEE)
    turn, along = np.meshgrid(np.linspace(0.0, TURN, 61), (0.0, length))
    sine, cosine = math.sin(limits.hip_angle), math.cos(limits.hip_angle)
    around = np.cos(turn)[..., None] * side + np.sin(turn)[..., None] * other
    mantle = along[..., None] * (cosine * axis + sine * around)
    axes.plot_surface(*np.moveaxis(mantle, -1, 0), color=ORANGE, alpha=0.25, linewidth=0)


def _dress(axes: Any) -> None:
    """Set equal scales, and leave only the grid and the names of the axes."""
    axes.set_box_aspect((1.0, 1.0, 1.0), zoom=1.1)
    axes.set(xlabel='x', ylabel='y', zlabel='z')
    axes.view_init(elev=16.0, azim=-66.0)
    axes.tick_params(labelbottom=False, labelleft=False, labelright=False)
    for one in (axes.xaxis, axes.yaxis, axes.zaxis):
        one.set_ticks(np.arange(-0.8, 0.7, GRID))
        one.set_ticklabels([])
        one.labelpad = -12.0  # next to the axis: there are no numbers between
        one.set_pane_color((0.5, 0.5, 0.5, 0.06))
    axes.set(xlim=(-0.35, 0.65), ylim=(-0.35, 0.65), zlim=(-0.85, 0.15))  # ticks widen them


if __name__ == '__main__':
    main()
