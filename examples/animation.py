# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the examples share: animated GIFs and stills without a display, and the rate of solves."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

try:
    import numpy as np
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import to_rgb
    from matplotlib.figure import Figure
    from PIL import Image

    from ik_circles.geometry.circles import Point
    from ik_circles.palette import DARK, LIGHT, Palette
    from ik_circles.pictures.style import THEMED, style
except ModuleNotFoundError as error:
    print(f"the examples need {error.name}; run pip install '.[plot]'", file=sys.stderr)
    raise SystemExit(2) from None

GREEN, RED, BLUE, ORANGE, GRAY, PINK, SKY, INK, PAPER, FILL = THEMED
#: Width of a picture [inches].
WIDTH = 6.0
#: Resolution of a GIF [dots per inch].
DPI = 72
#: Resolution of a still [dots per inch].
STILL_DPI = 110
#: Time from one frame to the next [ms].
PAUSE = 50
#: Shades that smooth the edge between two colors.
SHADES = 5
#: Time for which the rate is measured [s].
MEASURED = 0.5

Range = tuple[float, float]


def output_folder() -> Path:
    """The folder given as an argument, made if it is missing; by default the current one.

    The program ends with a sentence and exit code 2 if nothing can be written there.
    """
    parser = argparse.ArgumentParser(description='Draw an example as animated GIFs and stills.')
    parser.add_argument(
        'folder', nargs='?', type=Path, default='.', help='where to write; default: the current one'
    )
    folder: Path = parser.parse_args().folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        parser.exit(2, f'{parser.prog}: cannot write into {folder}: {error.strerror}\n')
    return folder


def write(
    name: str, x: Range, y: Range, draw: Callable[[Any, int], None], frames: int, still: int
) -> None:
    """Write every frame to NAME.gif and the frame `still` to NAME.png, over the ranges x and y.

    The same for dark pages goes to NAME-dark.gif and NAME-dark.png. `draw` gets axes of equal scale
    and the frame's number.
    """
    folder = output_folder()
    for palette, suffix in ((LIGHT, ''), (DARK, '-dark')):
        with rc_context(style(palette)):
            images = [_pixels(x, y, draw, frame, DPI) for frame in range(frames)]
            large = _pixels(x, y, draw, still, STILL_DPI)
        colors = _colors(palette)
        still_image, first, *rest = (_in_colors(image, colors) for image in (large, *images))
        still_image.save(folder / f'{name}{suffix}.png', optimize=True)
        first.save(
            folder / f'{name}{suffix}.gif', save_all=True, append_images=rest, duration=PAUSE,
            loop=0, optimize=True,
        )  # fmt: skip
    print(f'written: {folder / name}.gif and .png, and both with -dark')


def _colors(palette: Palette) -> Any:
    """The colors of a file: those of the palette, and the shades between every two of them."""
    shades = np.linspace(0.0, 1.0, SHADES, endpoint=False)
    pairs = list(combinations(map(to_rgb, palette), 2))
    mixed = [(1.0 - shade) * np.array(one) + shade * np.array(other)
             for one, other in pairs for shade in shades]  # fmt: skip
    return np.unique(np.rint(255.0 * np.array([*mixed, to_rgb(palette[-1])])), axis=0)


def _in_colors(pixels: Any, colors: Any) -> Image.Image:
    """An image of pixels (height, width, 3), each in the nearest of the colors."""
    numbers = pixels.astype(np.int32) @ (1, 1 << 8, 1 << 16)
    _, first, places = np.unique(numbers, return_index=True, return_inverse=True)
    found = pixels.reshape(-1, 3)[first]
    nearest = np.linalg.norm(found[:, None] - colors, axis=2).argmin(axis=1).astype(np.uint8)
    image = Image.fromarray(nearest[places].reshape(numbers.shape))
    image.putpalette(colors.astype(np.uint8).tobytes())
    return image


def _pixels(x: Range, y: Range, draw: Callable[[Any, int], None], frame: int, dpi: int) -> Any:
    height = WIDTH * (y[1] - y[0]) / (x[1] - x[0])
    figure = Figure(figsize=(WIDTH, height), dpi=dpi)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=x, ylim=y, autoscale_on=False)
    axes.set_axis_off()
    draw(axes, frame)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3]


def print_rate(what: str, solve: Callable[[], int]) -> None:
    """Print solves per second of a function that returns how many solves it did."""
    solve()
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < MEASURED:
        count += solve()
    print(f'{what}: {count / (time.perf_counter() - begin):,.0f} solves per second')


def links(axes: Any, points: Sequence[Point], color: str, width: float, **how: Any) -> None:
    """Draw links as a thick line, and joints as light dots on it."""
    how.setdefault('zorder', 3)
    axes.plot(
        *zip(*points), '-o', color=color, linewidth=width, solid_capstyle='round',
        solid_joinstyle='round', markersize=0.6 * width, markerfacecolor=PAPER,
        markeredgecolor=color, **how,
    )  # fmt: skip
