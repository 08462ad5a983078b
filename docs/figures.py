# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Draws the README's figure and the planar ones of docs/derivation.md: `scripts/figures [FOLDER]`.

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
    PAPER,
    REACHED,
    RED,
    REFUSED,
    arc_line,
    draw_arm,
    draw_circle,
    draw_line,
    draw_text,
    name_axes,
    new_figure,
    outline,
    write_figures,
)

from ik_circles import Arc, PlanarArm, load_arm
from ik_circles.control.decision import decide
from ik_circles.control.refusals import Refusal
from ik_circles.control.scenario import scenario_targets
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target, finite
from ik_circles.geometry.angles import TURN, wrap
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.geometry.intervals import middle_of_widest
from ik_circles.pictures.drawing import TargetMark, scenario_figure, shape_of
from ik_circles.robot.arm import NamedPositions

#: A joint this near to its limit at a cut is named there [rad].
AT_LIMIT = 1e-6
#: Orientations this near to each other are one cut [rad].
NUDGE = 1e-8
#: An arm and a target whose orientations end with a limit of each joint and a straight elbow.
CUT_ARM = PlanarArm((0.4, 0.3, 0.2), ((-1.0, 2.3), (-1.1, 1.6), (-1.7, 2.4)))
CUT_TARGET = 0.6, -0.08
#: An arm with a long first link, which leaves a hole even without limits.
RING_ARM = PlanarArm((0.6, 0.2, 0.15), ((-2.8, 2.8), (-1.5, 1.5), (-2.0, 2.0)))
#: Points of a grid along each axis.
CELLS = 501
#: Safe zone margin of the demonstration [m], as in ik_circles.ros.demo.
DEMO_MARGIN = 0.02


def main() -> None:
    """Write every figure."""
    write_figures(
        demo, two_circles, wrist_circle, workspace, nearest_and_margin, capability_map,
    )  # fmt: skip


# --- the figures ----------------------------------------------------------------------------------


def demo() -> Figure:
    """The scenario of scripts/demo, decided as the node does; the arm reaches every command."""
    arm, settings = load_arm('planar_3r'), Settings(safe_zone_margin=DEMO_MARGIN)
    marks, shapes, seed = [], [], NamedPositions()
    for target in scenario_targets(arm, settings):
        position, rotation = target.position, target.rotation
        command = None
        try:
            decision = decide(arm, settings, Target(finite(position), rotation), seed)
            reason, command = decision.message, decision.command
        except Refusal as error:
            reason = str(error)
        place, text = arm.spatial.plane.seen_at(position), target.labeled(reason)
        marks.append(TargetMark(*place, accepted=command is not None, text=text))
        if command is not None:
            seed = command
            shapes.append(shape_of(arm, command))
    figure = scenario_figure(arm.arm, settings.zones(arm), shapes, marks, arm)
    assert isinstance(figure, Figure)
    return figure


def two_circles() -> Figure:
    """The circles about base and wrist, and both elbows where they meet."""
    arm = PlanarArm((0.4, 0.3, 0.2))
    length_1, length_2, length_3 = arm.link_lengths
    x, y, phi = 0.68, 0.12, math.radians(-35.0)
    wrist = x - length_3 * math.cos(phi), y - length_3 * math.sin(phi)
    up, down = intersect_circles((0.0, 0.0), length_1, wrist, length_2, arm.tolerance)
    figure, (axes,) = new_figure(11.0, 6.2, 1)
    draw_circle(axes, (0.0, 0.0), length_1, color=BLUE, label='circle about the base, radius L1')
    draw_circle(axes, wrist, length_2, color=ORANGE, label='circle about the wrist, radius L2')
    foot = (up[0] + down[0]) / 2.0, (up[1] + down[1]) / 2.0
    draw_line(axes, [(0.0, 0.0), wrist], '--', color=GRAY, linewidth=1.2, label='base to wrist')
    draw_line(axes, [up, down], ':', color=GRAY, linewidth=1.2)
    for q, color, name in zip(arm.inverse_kinematics(x, y, phi), (GREEN, RED), ('up', 'down')):
        draw_arm(axes, arm, q, color, label=f'elbow {name}')
    draw_line(axes, [wrist, (x, y)], '-o', color=INK, linewidth=3, zorder=5, label='link 3')
    draw_text(axes, 'base', (0.0, 0.0), (-20, -14))
    draw_text(axes, 'elbow up', up, (-34, 14))
    draw_text(axes, 'elbow down', down, (-8, -18))
    draw_text(axes, 'wrist', wrist, (10, 15))
    draw_text(axes, 'target', (x, y), (8, -16))
    for name, end in (('a', (0.0, 0.0)), ('b', up)):
        middle = (foot[0] + end[0]) / 2.0, (foot[1] + end[1]) / 2.0
        draw_text(axes, name, middle, (0, 0), fontstyle='italic')
    axes.set_title('Two circles, two elbows: a along the line to the wrist, b across')
    axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1.0))
    return figure


def wrist_circle() -> Figure:
    """A target, the circle of its wrists, and the cuts, named by what happens there."""
    arm, target = CUT_ARM, CUT_TARGET
    length_3 = arm.link_lengths[2]
    found = arm.orientation_intervals(*target)
    figure, (left, right) = new_figure(12.5, 4.9, 2, width_ratios=(1.0, 1.8))
    for axes in (left, right):
        arc = Arc(target, length_3, 0.0, TURN)
        arc_line(axes, arc, color=GRAY, linewidth=1.5, linestyle=(0, (2, 2)), label='not reached')
        for number, (lower, upper) in enumerate(found):
            arc = Arc(target, length_3, lower + math.pi, upper - lower)
            label = None if number else 'reached'
            arc_line(axes, arc, color=GREEN, linewidth=6.0, alpha=0.8, label=label)
        axes.plot(*target, 'x', color=INK, markersize=9, markeredgewidth=2, zorder=6)
    phi = middle_of_widest(found)
    draw_arm(left, arm, arm.inverse_kinematics(*target, phi)[0], BLUE)
    outline(left, arm)
    draw_text(left, 'base', (0.0, 0.0), (-18, 10))
    draw_text(left, 'target', target, (28, -4))
    left.set_title('The wrist: L3 from the target')
    _name_cuts(right, arm, target, found)
    right.legend(loc='upper center', bbox_to_anchor=(0.5, -0.2), ncols=2)
    right.set_title('Its cuts (hollow, thin: the answer is the same on both sides)')
    return figure


def workspace() -> Figure:
    """Two workspaces: critical arcs thin, outline thick, safe zones dashed."""
    figure, columns = new_figure(11.0, 6.2, 2)
    arms = {'planar_3r': _arm_of('planar_3r'), 'ring': RING_ARM}
    for axes, (name, arm) in zip(columns, arms.items()):
        _fill(axes, arm)
        for number, critical in enumerate(arm.workspace.critical_arcs):
            label = None if number else 'critical arcs'
            arc_line(axes, critical.arc, color=BLUE, linewidth=0.8, label=label)
        outline(axes, arm, linewidth=3.0, color=INK, label='outline')
        zones = arm.safe_zones
        label = f'safe zones: {zones.inner:.2f} m to {zones.outer:.2f} m'
        for radius in {zones.inner, zones.outer} - {0.0}:
            draw_circle(axes, (0.0, 0.0), radius, color=ORANGE, linestyle='--', linewidth=2.0,
                    label=label if radius == zones.outer else None)  # fmt: skip
        axes.plot(0.0, 0.0, 's', color=INK, markersize=7)
        lengths = ', '.join(f'{length:g}' for length in np.round(arm.link_lengths, 6))
        axes.set_title(f'{name}: links {lengths} m, area {arm.workspace_boundary().area:.4f} m²')
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.14), ncols=3)
    return figure


def nearest_and_margin() -> Figure:
    """Targets outside with the nearest point; targets inside with the disc of their margin."""
    arm = _arm_of('planar_3r')
    targets = (
        (0.95, 0.55), (-0.7, 0.78), (-0.62, 0.0), (0.0, -0.03), (-0.3, -1.02),
        (0.52, -0.1), (0.1, 0.6), (-0.35, -0.3),
    )  # fmt: skip
    figure, (axes,) = new_figure(12.0, 8.0, 1)
    _fill(axes, arm)
    outline(axes, arm, linewidth=2.0, color=INK, label='outline')
    outside = inside = None
    for x, y in targets:
        answer = arm.check_reachability(x, y)
        assert answer.nearest is not None
        if answer.reachable:
            draw_circle(axes, (x, y), answer.margin, color=REACHED, linewidth=1.6,
                    label=None if inside else 'reachable: disc of its margin')  # fmt: skip
            inside = axes.plot(x, y, 'o', color=REACHED, markersize=7, zorder=5)
        else:
            away = answer.nearest[:2]
            draw_line(axes, [(x, y), away], '-', color=REFUSED, linewidth=1.6,
                  label=None if outside else 'out of reach: nearest point')  # fmt: skip
            axes.plot(*away, 'o', color=PAPER, markeredgecolor=REFUSED, markersize=7, zorder=5)
            outside = axes.plot(x, y, 'X', color=REFUSED, markersize=10, zorder=5)
        in_hole = math.hypot(x, y) < 0.1
        offset = (0, -42) if in_hole else (0, -15) if y < -0.9 else (0, 14)
        draw_text(axes, f'{answer.margin:+.3f} m', (x, y), offset)
    axes.margins(0.08)
    axes.set_title('planar_3r: the margin, and the nearest point from outside')
    axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1.0))
    return figure


def capability_map() -> Figure:
    """Share of the full turn with which each point can be reached."""
    figure, columns = new_figure(11.5, 4.9, 2)
    for axes, name in zip(columns, ('planar_3r', 'open_manipulator_x')):
        arm = _arm_of(name)
        x, y = _grid(arm)
        share = np.ma.masked_equal(arm.dexterity(x, y), 0.0)
        shown = axes.pcolormesh(x, y, share, cmap='cividis', vmin=0.0)
        outline(axes, arm, linewidth=1.2, color=INK)
        axes.plot(0.0, 0.0, '+', color=RED, markersize=9, markeredgewidth=2)
        name_axes(axes, load_arm(name))
        axes.set_title(f'{name}: up to {float(share.max()):.3f} on this grid')
        bar = axes.figure.colorbar(shown, ax=axes, shrink=0.9)
        bar.set_label('share of the full turn that the tool can take')
    return figure


# --- what happens at a cut ------------------------------------------------------------------------


def _name_cuts(axes: Any, arm: PlanarArm, target: Point, found: list[tuple[float, float]]) -> None:
    """Label each cut beside the circle, on two sides, evenly spaced so that none overlap."""
    radius = arm.link_lengths[2]
    ends = [wrap(end) for interval in found for end in interval]
    cuts = []
    for phi in sorted({round(wrap(cut), 9) for cut in arm.orientations.cuts(*target)}):
        place = Arc(target, radius, 0.0, 0.0).point_at(phi + math.pi)
        changes = any(abs(wrap(phi - end)) < AT_LIMIT for end in ends)
        text = f'{_happening(arm, *target, phi)}, {round(math.degrees(phi))}°'
        cuts.append((place, changes, text))
    for side in (-1.0, 1.0):
        column = [cut for cut in cuts if (cut[0][0] >= target[0]) is (side > 0.0)]
        column.sort(key=lambda cut: cut[0][1])
        wanted = [target[1] + 1.25 * (place[1] - target[1]) for place, _, _ in column]
        for (place, changes, text), height in zip(column, _apart(wanted, 0.29 * radius)):
            color = RED if changes else GRAY
            axes.annotate(
                text, place, xytext=(target[0] + side * 1.3 * radius, height), color=INK,
                ha='left' if side > 0.0 else 'right', va='center', zorder=7,
                arrowprops={'arrowstyle': '-', 'color': color, 'linewidth': 1.0},
                fontweight='bold' if changes else 'normal',
            )  # fmt: skip
            face = color if changes else PAPER
            axes.plot(*place, 'o', color=face, markeredgecolor=color, markersize=9, zorder=8)
    axes.set_xlim(target[0] - 4.1 * radius, target[0] + 4.1 * radius)
    axes.set_ylim(target[1] - 1.7 * radius, target[1] + 1.7 * radius)


def _apart(heights: list[float], gap: float) -> list[float]:
    """Ascending heights, pushed apart until neighbors have the gap between them."""
    for _ in range(1000):
        for index in range(len(heights) - 1):
            overlap = gap - (heights[index + 1] - heights[index])
            if overlap > 0.0:
                heights[index] -= overlap / 2.0
                heights[index + 1] += overlap / 2.0
    return heights


def _happening(arm: PlanarArm, x: float, y: float, phi: float) -> str:
    """What is special with this orientation, found by solving without limits."""
    free = PlanarArm(arm.link_lengths)
    nearly = phi, phi + NUDGE, phi - NUDGE  # rounding may put a straight elbow out of reach
    names = []
    for q in next(found for one in nearly if (found := free.inverse_kinematics(x, y, one))):
        if abs(math.sin(q[1])) < math.sqrt(AT_LIMIT):
            names.append('elbow straight' if math.cos(q[1]) > 0.0 else 'elbow folded')
        for joint, (angle, limits) in enumerate(zip(q, arm.limits), 1):
            for limit, which in zip(limits, ('lower', 'upper')):
                if abs(wrap(angle - limit)) < AT_LIMIT:
                    names.append(f'joint {joint} at {which} limit')
    return names[0]


# --- robots and what they reach -------------------------------------------------------------------


def _arm_of(name: str) -> PlanarArm:
    return load_arm(name).arm


def _grid(arm: PlanarArm) -> tuple[Any, Any]:
    axis = np.linspace(-1.03 * arm.max_reach, 1.03 * arm.max_reach, CELLS)
    x, y = np.meshgrid(axis, axis)
    return x, y


def _fill(axes: Any, arm: PlanarArm) -> None:
    x, y = _grid(arm)
    axes.contourf(x, y, arm.dexterity(x, y) > 0.0, levels=(0.5, 1.5), colors=[FILL])


if __name__ == '__main__':
    main()
