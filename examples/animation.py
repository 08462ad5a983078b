"""What the examples share: a figure without a display, an animated GIF plus a still, the rate."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.animation import PillowWriter
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ik_circles.circles import Point

#: Frames per second of a GIF, and its resolution and that of a still [dots per inch].
FPS, DPI, STILL_DPI = 20, 60, 110
#: For how long the rate is measured [s].
MEASURED = 0.5


def output_folder() -> Path:
    """The folder given as an argument, made if it is missing; without one, the current one."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else '.')
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def new_figure(width: float, height: float) -> tuple[Figure, Any]:
    """A figure [inches] with one pair of axes."""
    figure = Figure(figsize=(width, height), layout='constrained', facecolor='white')
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


def write(
    name: str, figure: Figure, axes: Any, draw: Callable[[int], None], frames: int, still: int
) -> None:
    """Draw every frame into NAME.gif, and one of them into NAME.png."""
    folder = output_folder()
    writer = PillowWriter(fps=FPS)
    with writer.saving(figure, str(folder / f'{name}.gif'), DPI):
        for frame in range(frames):
            axes.clear()
            draw(frame)
            writer.grab_frame()
    axes.clear()
    draw(still)
    figure.savefig(folder / f'{name}.png', dpi=STILL_DPI, metadata={'Software': None})
    print(f'written: {folder / name}.gif and .png')


def print_rate(what: str, solve: Callable[[], int]) -> None:
    """Print solves per second of a function that does some and returns how many."""
    solve()
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < MEASURED:
        count += solve()
    print(f'{what}: {count / (time.perf_counter() - begin):,.0f} solves per second')


def links(axes: Any, points: Sequence[Point], color: str, width: float, **how: Any) -> None:
    """Links as a thick line, joints as white dots on it."""
    how.setdefault('zorder', 3)
    axes.plot(
        *zip(*points), '-o', color=color, linewidth=width, solid_capstyle='round',
        solid_joinstyle='round', markersize=0.8 * width, markerfacecolor='white',
        markeredgecolor=color, **how,
    )  # fmt: skip
