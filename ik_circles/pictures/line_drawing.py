# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Pictures of straight lines: the joint positions along the line, and the arm that follows it."""

import math
import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from ik_circles.geometry.circles import Point
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.pictures.axes import axis_labels
from ik_circles.pictures.drawing import OUTLINE_CHORD
from ik_circles.pictures.style import SHAPES, THEMED
from ik_circles.planar.arm import PlanarArm
from ik_circles.robot.arm import RobotArm

#: Most characters in a line of the title.
WRAP = 90


class Curve(NamedTuple):
    """The positions of a joint along a line, by its name [rad]."""

    name: str
    positions: Sequence[float]


@names_wrong_kinds
def line_figure(
    arm: PlanarArm,
    shares: Sequence[float],
    curves: Sequence[Curve],
    shapes: Sequence[Sequence[Point]],
    message: str,
    robot: RobotArm | None = None,
) -> Any:
    """The joints along a line, and shapes of the arm on it, in its plane [m]."""
    figure = Figure(figsize=(13.0, 6.0), layout='constrained')
    axes, beside = figure.subplots(1, 2, width_ratios=(1.0, 1.2))
    x, y = axis_labels(robot)
    axes.set(aspect='equal', xlabel=x, ylabel=y)
    for arc in arm.workspace_boundary().arcs:
        axes.plot(*arc.chords(OUTLINE_CHORD).T, color=THEMED.gray, linewidth=1.5)
    if arm.floor is not None:
        axes.plot(*zip(*arm.floor.line(arm.max_reach)), color=THEMED.ink, linewidth=3, zorder=2)
    for number, points in enumerate(shapes, 1):
        shade = 0.25 + 0.75 * number / len(shapes)
        axes.plot(*zip(*points), '-o', color=THEMED.blue, alpha=shade, linewidth=3, zorder=3)
    tips = [points[-1] for points in shapes]
    axes.plot(*zip(*tips), '--', color=THEMED.orange, linewidth=2, zorder=4)
    for number, (name, positions) in enumerate(curves):
        color = SHAPES[number % len(SHAPES)]
        beside.plot(
            [100.0 * share for share in shares],
            [math.degrees(position) for position in positions],
            color=color,
            linewidth=2,
            marker='o',  # a line that ends where it begins would have no visible curve
            markevery=[0, -1],
            clip_on=False,
            label=name,
        )
    beside.set(xlim=(0.0, 100.0), xlabel='share of the line [%]', ylabel='joint position [deg]')
    beside.grid(alpha=0.3)
    figure.legend(loc='outside lower center', ncols=len(curves))  # it hides no curve
    figure.suptitle(textwrap.fill(message, WRAP))
    return figure
