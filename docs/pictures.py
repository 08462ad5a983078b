# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the figures share: colors of light and dark pages, axes, circles, arms, labels, files."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from ik_circles import Arc, PlanarArm, RobotArm
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import Point
from ik_circles.palette import DARK, LIGHT
from ik_circles.pictures.axes import axis_labels
from ik_circles.pictures.style import THEMED, style

ROOT = Path(__file__).resolve().parents[1]
GREEN, RED, BLUE, ORANGE, GRAY, PINK, SKY, INK, PAPER, FILL = THEMED
REACHED, REFUSED = THEMED.reached, THEMED.refused
#: Resolution [dots per inch].
DPI = 100
#: Number of colors of a picture, few for small files.
COLORS = 256
#: Largest angle of a chord of a drawn arc [rad].
CHORD = 0.01
SIZES = {'font.size': 11.0, 'axes.titlesize': 12.0, 'legend.fontsize': 10.0}
ORIGIN: Point = (0.0, 0.0)
LABEL = {'boxstyle': 'round,pad=0.12', 'facecolor': PAPER, 'edgecolor': 'none', 'alpha': 0.75}


def folder() -> Path:
    """The folder given as an argument, made if it is missing; by default docs/figures."""
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / 'docs' / 'figures'
    given.mkdir(parents=True, exist_ok=True)
    return given


def write_figures(*figures: Callable[[], Figure]) -> None:
    """Write NAME.png and NAME-dark.png of every figure."""
    for palette, suffix in ((LIGHT, ''), (DARK, '-dark')):
        with rc_context({**style(palette), **SIZES}):
            for draw in figures:
                write(draw(), folder() / f'{draw.__name__}{suffix}.png')


def write(figure: Figure, path: Path) -> None:
    """Write a figure in few colors."""
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=DPI, bbox_inches='tight', pad_inches=0.15)
    image = Image.open(drawn).convert('RGB')
    few = image.quantize(COLORS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def new_figure(width: float, height: float, columns: int, **how: Any) -> tuple[Figure, list[Any]]:
    """A figure of this size [inches] with axes of equal scale beside each other."""
    figure = Figure(figsize=(width, height), layout='constrained')
    FigureCanvasAgg(figure)
    axes = list(figure.subplots(1, columns, squeeze=False, **how)[0])
    for one in axes:
        one.set_aspect('equal')
        one.set_xlabel('x in the plane [m]')
        one.set_ylabel('y in the plane [m]')
    return figure, axes


def name_axes(axes: Any, arm: RobotArm) -> None:
    """What the axes of an arm's plane are, as the pictures of the package say it."""
    x, y = axis_labels(arm)
    axes.set(xlabel=x, ylabel=y)


def draw_line(axes: Any, points: Iterable[Point], *style: str, **how: Any) -> None:
    """A line through points."""
    axes.plot(*zip(*points), *style, **how)


def arc_line(axes: Any, arc: Arc, **how: Any) -> None:
    """A circular arc."""
    axes.plot(*arc.chords(CHORD).T, **how)


def draw_circle(axes: Any, center: Point, radius: float, **how: Any) -> None:
    """A whole circle."""
    arc_line(axes, Arc(center, radius, 0.0, TURN), **how)


def outline(axes: Any, arm: PlanarArm, **how: Any) -> None:
    """The exact outline of an arm's workspace."""
    style = {'color': GRAY, 'linewidth': 1.2, 'solid_capstyle': 'round', 'zorder': 2.5, **how}
    text = style.pop('label', None)
    for number, arc in enumerate(arm.workspace_boundary().arcs):
        arc_line(axes, arc, label=None if number else text, **style)


def draw_arm(
    axes: Any, arm: PlanarArm, q: tuple[float, float, float], color: str, **how: Any
) -> None:
    """An arm at joint angles."""
    draw_links(axes, arm.joint_points(q), color, **how)


def draw_links(axes: Any, points: Iterable[Point], color: str, **how: Any) -> None:
    """Links through points, the base as a square."""
    places = list(points)
    how = {'linewidth': 3, 'markersize': 7, 'zorder': 4, **how}
    draw_line(axes, places, '-o', color=color, **how)
    axes.plot(*places[0], 's', color=INK, markersize=9, zorder=5)


def draw_text(axes: Any, text: str, place: Point, offset: tuple[float, float], **how: Any) -> None:
    """A text beside a place, shifted by points of the page."""
    axes.annotate(text, place, xytext=offset, textcoords='offset points', ha='center',
                  va='center', zorder=9, bbox=LABEL, **how)  # fmt: skip
