"""Pictures of an arm. Needs matplotlib, the extra `plot`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ik_circles.arm import JointPositions, PlanarArm
from ik_circles.workspace import SafeZones, joint_points

#: Okabe and Ito's colours, which colour-blind people can tell apart.
GREEN, RED, BLUE, ORANGE, GREY = '#009e73', '#d55e00', '#0072b2', '#e69f00', '#555555'
#: Characters after which a reason starts a new line beside the picture.
WRAP = 44
#: Points of a capability map along each axis.
CELLS = 501


class TargetMark(NamedTuple):
    """A target in the arm's plane [m], whether it was accepted, and what to write about it."""

    x: float
    y: float
    accepted: bool
    text: str


def draw_scenario(
    arm: PlanarArm,
    zones: SafeZones,
    poses: Sequence[JointPositions],
    marks: Sequence[TargetMark],
    output: str,
) -> None:
    """Write a picture: outline, safe zones, the arm's poses, and each target with its reason."""
    figure = _figure(12.0, 7.0)
    axes, legend = figure.subplots(1, 2, width_ratios=(1.6, 1.0))
    _draw_workspace(axes, arm, zones)
    for number, q in enumerate(poses, 1):
        x, y = zip(*joint_points(arm, q))
        shade = 0.35 + 0.65 * number / len(poses)
        axes.plot(x, y, '-o', color=BLUE, alpha=shade, linewidth=3, markersize=6, zorder=3)
    for number, mark in enumerate(marks, 1):
        if math.isfinite(mark.x) and math.isfinite(mark.y):
            _draw_mark(axes, number, mark)
    axes.margins(0.08)
    axes.legend(loc='lower left', framealpha=0.9)
    _write_reasons(legend, marks)
    figure.savefig(output, dpi=110)


def draw_workspace(arm: PlanarArm, output: str) -> None:
    """Write a picture: capability map (share of the tool's orientations), outline, safe zones."""
    figure = _figure(9.0, 7.5)
    axes = figure.subplots()
    x, y = np.meshgrid(*2 * [np.linspace(-1.03 * arm.max_reach, 1.03 * arm.max_reach, CELLS)])
    share = np.ma.masked_equal(arm.dexterity(x, y), 0.0)
    shown = axes.pcolormesh(x, y, share, cmap='cividis', vmin=0.0)
    figure.colorbar(shown, ax=axes, label='share of the full turn that the tool can take')
    _draw_workspace(axes, arm, arm.safe_zones)
    figure.legend(loc='outside lower center', ncols=2)
    figure.savefig(output, dpi=110)


def _figure(width: float, height: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout='constrained', facecolor='white')
    FigureCanvasAgg(figure)
    return figure


def _draw_workspace(axes: Any, arm: PlanarArm, zones: SafeZones) -> None:
    """Outline, safe zones and base, in axes of equal scale."""
    axes.set_aspect('equal')
    axes.set_xlabel('x in the plane [m]')
    axes.set_ylabel('y in the plane [m]')
    axes.plot(0.0, 0.0, 's', color='black', markersize=5, zorder=4)
    for number, arc in enumerate(arm.workspace_boundary().arcs):
        angles = np.linspace(arc.start, arc.end, 2 + int(arc.sweep / 0.02))
        x, y = zip(*(arc.point_at(angle) for angle in angles))
        label = None if number else 'workspace inside the joint limits'
        axes.plot(x, y, color=GREY, linewidth=1.5, label=label)
    turn = np.linspace(0.0, 2.0 * math.pi, 361)
    for number, radius in enumerate((zones.outer, zones.inner)):
        label = None if number else 'safe zones'
        circle = radius * np.cos(turn), radius * np.sin(turn)
        axes.plot(*circle, '--', color=ORANGE, linewidth=1.5, label=label)


def _draw_mark(axes: Any, number: int, mark: TargetMark) -> None:
    color, shape = (GREEN, 'o') if mark.accepted else (RED, 'X')
    axes.plot(mark.x, mark.y, shape, color=color, markersize=11, markeredgecolor='white', zorder=5)
    axes.annotate(
        str(number),
        (mark.x, mark.y),
        xytext=(7, 6),
        textcoords='offset points',
        fontweight='bold',
        color=color,
        zorder=6,
        bbox={'boxstyle': 'round,pad=0.15', 'facecolor': 'white', 'edgecolor': 'none'},
    )


def _write_reasons(axes: Any, marks: Sequence[TargetMark]) -> None:
    import textwrap

    axes.set_axis_off()
    line, height = 0.98, 0.031
    for number, mark in enumerate(marks, 1):
        text = textwrap.fill(f'{number}  {mark.text}', WRAP, subsequent_indent='    ')
        color = GREEN if mark.accepted else RED
        axes.text(0.0, line, text, color=color, va='top', fontsize=10, transform=axes.transAxes)
        line -= height * (text.count('\n') + 1) + 0.016
