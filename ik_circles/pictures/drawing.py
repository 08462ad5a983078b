# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Pictures of an arm. Needs matplotlib, the extra `plot`.

Figures are drawn in the current `style`; `write` uses the light one.
"""

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.palette import LIGHT
from ik_circles.pictures.axes import axis_labels
from ik_circles.pictures.labels import labels
from ik_circles.pictures.style import SHAPES, THEMED, style
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.zones import SafeZones
from ik_circles.robot.arm import RobotArm
from ik_circles.spatial.batch.places import points_seen
from ik_circles.spatial.yaw import Yaw

#: Most characters in a line of a reason beside the picture.
WRAP = 44
#: Number of points of a capability map along each axis.
CELLS = 501
#: The same for a slice through space.
CELLS_IN_SLICE = 251
#: Largest angle of a chord of a drawn outline [rad].
OUTLINE_CHORD = 0.02
#: Largest angle of a chord of a safe zone's circle, about one degree [rad].
ZONE_CHORD = 0.0175
#: Resolution of a picture [dots per inch].
DPI = 110


class TargetMark(NamedTuple):
    """A target in the arm's plane [m], whether it was accepted, and a text about it."""

    x: float
    y: float
    accepted: bool
    text: str


class LabeledShape(NamedTuple):
    """Polylines [m] that are drawn in one color and share a label."""

    label: str
    polylines: Sequence[Sequence[Sequence[float]]]


@names_wrong_kinds
def shape_of(arm: RobotArm, positions: Mapping[str, float]) -> Sequence[Point]:
    """The three joints and the tip in the arm's plane [m], with the wrist in its given position."""
    held = arm.holding(positions)
    return held.arm.joint_points(held.naming.arm_angles(positions))


def write(output: str, draw: Callable[[], Any]) -> None:
    """Write the figure that a function draws, on a light background.

    The whole figure is written: with axes of equal scale, labels may lie outside the layout.
    """
    with rc_context(style(LIGHT)):
        draw().savefig(output, dpi=DPI, bbox_inches='tight')


@names_wrong_kinds
def scenario_figure(
    arm: PlanarArm,
    zones: SafeZones,
    shapes: Sequence[Sequence[Point]],
    marks: Sequence[TargetMark],
    robot: RobotArm | None = None,
) -> Any:
    """Outline, safe zones, the arm's shapes (its joints and its tip), and each target with its
    reason."""
    figure = Figure(figsize=(12.0, 7.0), layout='constrained')
    axes, legend = figure.subplots(1, 2, width_ratios=(1.6, 1.0))
    _draw_workspace(axes, arm, zones, robot)
    for number, points in enumerate(shapes, 1):
        x, y = zip(*points)
        shade = 0.35 + 0.65 * number / len(shapes)
        axes.plot(x, y, '-o', color=THEMED.blue, alpha=shade, linewidth=3, markersize=6, zorder=3)
    drawn = {
        number: mark
        for number, mark in enumerate(marks, 1)
        if math.isfinite(mark.x) and math.isfinite(mark.y)
    }
    for mark in drawn.values():
        axes.plot(mark.x, mark.y, 'o' if mark.accepted else 'X', color=_color(mark), markersize=11,
                  markeredgecolor=THEMED.paper, zorder=5)  # fmt: skip
    axes.margins(0.08)
    figure.legend(loc='outside lower left', ncols=3)  # it hides no part of the arm
    _write_reasons(legend, marks)
    _write_numbers(figure, axes, drawn)
    return figure


@names_wrong_kinds
def workspace_figure(arm: PlanarArm, robot: RobotArm | None = None) -> Any:
    """Capability map (share of the tool's orientations), outline and safe zones.

    For an arm behind a yaw joint, a slice across the yaw axis is drawn beside it, at the height of
    the first of the three joints.
    """
    yaw = None if robot is None else robot.spatial.yaw
    figure = Figure(figsize=(9.0 if yaw is None else 17.0, 7.5), layout='constrained')
    axes, *beside = figure.subplots(1, 1 if yaw is None else 2, squeeze=False)[0]
    x, y = np.meshgrid(*2 * [np.linspace(-1.03 * arm.max_reach, 1.03 * arm.max_reach, CELLS)])
    _draw_map(axes, x, y, arm.dexterity(x, y))
    _draw_workspace(axes, arm, arm.safe_zones, robot)
    if robot is not None and yaw is not None:
        _draw_slice(beside[0], robot, yaw)
    figure.legend(loc='outside lower center', ncols=2)
    return figure


@names_wrong_kinds
def methods_figure(
    shapes: Sequence[LabeledShape],
    targets: Sequence[Sequence[float]],
    zones: SafeZones | None = None,
    arm: PlanarArm | None = None,
    robot: RobotArm | None = None,
) -> Any:
    """The shape that each method found, in the plane or in space.

    The targets have two or three coordinates. Shapes below others are wider, so that all are seen.
    """
    figure = Figure(figsize=(9.0, 7.0), layout='constrained')
    if len(targets[0]) == 3:
        axes = figure.add_subplot(projection='3d', xlabel='x [m]', ylabel='y [m]', zlabel='z [m]')
    else:
        axes = figure.subplots()
        _draw_plane(axes, robot)
    if arm is not None:
        _draw_outline(axes, arm)
    if zones is not None:
        _draw_zones(axes, zones, None if arm is None else arm.floor)
    for number, shape in enumerate(shapes):
        color = SHAPES[number % len(SHAPES)]
        width = 2.5 + 6.0 * (len(shapes) - 1 - number) / len(shapes)
        for line, points in enumerate(shape.polylines):
            label = None if line else shape.label
            axes.plot(*zip(*points), '-o', color=color, linewidth=width, label=label, zorder=3)
    for target in targets:
        axes.plot(*target, 'X', color=THEMED.red, markersize=11, zorder=5)
    axes.set_aspect('equal')
    figure.legend(loc='outside right upper')
    return figure


def _draw_map(axes: Any, x: Floats, y: Floats, shares: Floats) -> None:
    """The share of the full turn at each point of a grid; nothing where it is 0."""
    reached = np.ma.masked_equal(shares, 0.0)
    # One image in an SVG or PDF, in place of a path for each cell.
    shown = axes.pcolormesh(x, y, reached, cmap='cividis', vmin=0.0, rasterized=True)
    axes.figure.colorbar(shown, ax=axes, label='share of the full turn that the tool can take')


def _draw_slice(axes: Any, robot: RobotArm, yaw: Yaw) -> None:
    """The capability map across the yaw axis, at the height of the first joint."""
    reach = 1.03 * math.hypot(robot.arm.max_reach + math.hypot(*yaw.foot), yaw.aside)
    ahead, sideways = np.meshgrid(*2 * [np.linspace(-reach, reach, CELLS_IN_SLICE)])
    height = yaw.from_axis((0.0, 0.0))[1]
    points = points_seen(robot.spatial.plane, yaw, ahead.ravel(), sideways.ravel(), height)
    _draw_map(axes, ahead, sideways, robot.dexterity(points).reshape(ahead.shape))
    axes.set(
        aspect='equal',
        title=f'across the axis of {yaw.label.name}, at the height of {robot.joint_names[0]}',
        xlabel='ahead of the yaw axis at its angle 0 [m]',
        ylabel='sideways of the yaw axis [m]',
    )
    axes.plot(0.0, 0.0, '+', color=THEMED.ink, markersize=9, zorder=4)


def _draw_workspace(axes: Any, arm: PlanarArm, zones: SafeZones, robot: RobotArm | None) -> None:
    """Outline, safe zones, floor and base, in axes of equal scale."""
    _draw_plane(axes, robot)
    _draw_outline(axes, arm)
    _draw_zones(axes, zones, arm.floor)
    if arm.floor is not None:
        ends = zip(*arm.floor.line(arm.max_reach))
        axes.plot(*ends, color=THEMED.ink, linewidth=3, label='floor', zorder=2)


def _draw_plane(axes: Any, robot: RobotArm | None) -> None:
    x, y = axis_labels(robot)
    axes.set(aspect='equal', xlabel=x, ylabel=y)
    axes.plot(0.0, 0.0, 's', color=THEMED.ink, markersize=5, zorder=4)


def _draw_outline(axes: Any, arm: PlanarArm) -> None:
    for number, arc in enumerate(arm.workspace_boundary().arcs):
        label = None if number else 'workspace inside the joint limits'
        axes.plot(*arc.chords(OUTLINE_CHORD).T, color=THEMED.gray, linewidth=1.5, label=label)


def _draw_zones(axes: Any, zones: SafeZones, floor: Floor | None) -> None:
    for number, arc in enumerate(zones.above(floor)):
        label = None if number else 'safe zones'
        axes.plot(*arc.chords(ZONE_CHORD).T, '--', color=THEMED.orange, linewidth=1.5, label=label)


def _color(mark: TargetMark) -> str:
    return THEMED.reached if mark.accepted else THEMED.refused


def _write_numbers(figure: Any, axes: Any, marks: Mapping[int, TargetMark]) -> None:
    """Write the numbers of the marks, with a line from each number that is not next to its mark."""
    figure.draw_without_rendering()  # only now the scale of the axes is known
    scale = 72.0 / figure.dpi  # points in a pixel
    points = [tuple(scale * axes.transData.transform(mark[:2])) for mark in marks.values()]
    for number, point, label in zip(marks, points, labels([*marks], points)):
        color = _color(marks[number])
        axes.annotate(
            str(number),
            marks[number][:2],
            xytext=(label.x - point[0], label.y - point[1]),
            textcoords='offset points',
            ha='center',
            va='center',
            fontweight='bold',
            color=color,
            zorder=6,
            bbox={'boxstyle': 'round,pad=0.15', 'facecolor': THEMED.paper, 'edgecolor': 'none'},
            arrowprops=None if label.is_next else {'arrowstyle': '-', 'color': color},
        )


def _write_reasons(axes: Any, marks: Sequence[TargetMark]) -> None:
    axes.set_axis_off()
    line, height = 0.98, 0.031
    for number, mark in enumerate(marks, 1):
        text = textwrap.fill(f'{number}  {mark.text}', WRAP, subsequent_indent='    ')
        color = _color(mark)
        axes.text(0.0, line, text, color=color, va='top', fontsize=10, transform=axes.transAxes)
        line -= height * (text.count('\n') + 1) + 0.016
