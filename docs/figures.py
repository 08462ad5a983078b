"""Draws the figures of docs/derivation.md: `scripts/figures [FOLDER]`, docs/figures without one.

Everything that is drawn is computed by ik_circles, on each run anew.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ik_circles import Arc, PlanarArm, PlanarChain, load_planar_chain
from ik_circles.angles import TURN, wrap
from ik_circles.circles import Point, intersect_circles
from ik_circles.drawing import BLUE, GREEN, GREY, ORANGE, RED
from ik_circles.orientation import middle_of_widest, orientation_cuts
from ik_circles.workspace import joint_points
from ik_circles.yaw import Yaw

ROOT = Path(__file__).resolve().parents[1]
#: How near a joint is to its limit at a cut, to be named there [rad].
AT_LIMIT = 1e-6
#: Orientations this near to each other are one cut [rad].
NUDGE = 1e-8
#: An arm and a target whose orientations end with a limit of each joint and a straight elbow.
CUT_ARM = PlanarArm((0.4, 0.3, 0.2), ((-1.0, 2.3), (-1.1, 1.6), (-1.7, 2.4)))
CUT_TARGET = 0.6, -0.08
#: A long first link, which leaves a hole even without limits.
RING_ARM = PlanarArm((0.6, 0.2, 0.15), ((-2.8, 2.8), (-1.5, 1.5), (-2.0, 2.0)))
#: A target for the ur5e, whose plane passes the yaw axis [m]; the tool points down [rad].
BESIDE_TARGET, BESIDE_PHI = (0.48, 0.3, 0.2), -math.pi / 2.0
#: How far beside the yaw axis the px100's plane is put for a figure [m].
BESIDE = 0.08
#: Targets about the yaw axis: distance from it and height above the shoulder [m].
HALF_PLANE_TARGETS = (0.3, 0.22), (0.06, -0.23), (0.28, -0.24), (0.04, 0.02), (0.2, 0.1)
#: Points of a grid along each axis.
CELLS = 501
LABEL = {'boxstyle': 'round,pad=0.12', 'facecolor': 'white', 'edgecolor': 'none', 'alpha': 0.75}


def main() -> None:
    """Write every figure into the folder given, or into docs/figures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / 'docs' / 'figures'
    folder.mkdir(parents=True, exist_ok=True)
    rcParams.update({'font.size': 11.0, 'axes.titlesize': 12.0, 'legend.fontsize': 10.0})
    figures: tuple[Callable[[], Figure], ...] = (
        two_circles, wrist_circle, workspace, nearest_and_margin, capability_map, shoulders,
        half_plane,
    )  # fmt: skip
    for draw in figures:
        draw().savefig(
            folder / f'{draw.__name__}.png',
            dpi=110, bbox_inches='tight', pad_inches=0.15, metadata={'Software': None},
        )  # fmt: skip


# --- the figures ----------------------------------------------------------------------------------


def two_circles() -> Figure:
    """The circles about base and wrist, and both elbows where they meet."""
    arm = PlanarArm((0.4, 0.3, 0.2))
    length_1, length_2, length_3 = arm.link_lengths
    x, y, phi = 0.68, 0.12, math.radians(-35.0)
    wrist = x - length_3 * math.cos(phi), y - length_3 * math.sin(phi)
    up, down = intersect_circles((0.0, 0.0), length_1, wrist, length_2, arm.tolerance)
    figure, (axes,) = _figure(11.0, 6.2, 1)
    _circle(axes, (0.0, 0.0), length_1, color=BLUE, label='circle about the base, radius L1')
    _circle(axes, wrist, length_2, color=ORANGE, label='circle about the wrist, radius L2')
    foot = (up[0] + down[0]) / 2.0, (up[1] + down[1]) / 2.0
    _line(axes, [(0.0, 0.0), wrist], '--', color=GREY, linewidth=1.2, label='base to wrist')
    _line(axes, [up, down], ':', color=GREY, linewidth=1.2)
    for q, color, name in zip(arm.inverse_kinematics(x, y, phi), (GREEN, RED), ('up', 'down')):
        _arm(axes, arm, q, color, label=f'elbow {name}')
    _line(axes, [wrist, (x, y)], '-o', color='black', linewidth=3, zorder=5, label='link 3')
    _text(axes, 'base', (0.0, 0.0), (-20, -14))
    _text(axes, 'elbow up', up, (-34, 14))
    _text(axes, 'elbow down', down, (-8, -18))
    _text(axes, 'wrist', wrist, (10, 15))
    _text(axes, 'target', (x, y), (8, -16))
    _text(axes, 'a', (foot[0] / 2.0, foot[1] / 2.0), (0, 0), fontstyle='italic')
    _text(axes, 'b', ((up[0] + foot[0]) / 2.0, (up[1] + foot[1]) / 2.0), (0, 0), fontstyle='italic')
    axes.set_title('Two circles, two elbows: a along the line to the wrist, b across')
    axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1.0))
    return figure


def wrist_circle() -> Figure:
    """A target, the circle of its wrists, and the cuts, named by what happens there."""
    arm, target = CUT_ARM, CUT_TARGET
    length_3 = arm.link_lengths[2]
    found = arm.orientation_intervals(*target)
    figure, (left, right) = _figure(16.0, 6.2, 2, width_ratios=(1.0, 1.8))
    for axes in (left, right):
        arc = Arc(target, length_3, 0.0, TURN)
        _draw_arc(axes, arc, color=GREY, linewidth=1.5, linestyle=(0, (2, 2)), label='not reached')
        for number, (lower, upper) in enumerate(found):
            arc = Arc(target, length_3, lower + math.pi, upper - lower)
            label = None if number else 'reached'
            _draw_arc(axes, arc, color=GREEN, linewidth=6.0, alpha=0.8, label=label)
        axes.plot(*target, 'x', color='black', markersize=9, markeredgewidth=2, zorder=6)
    phi = middle_of_widest(found)
    _arm(left, arm, arm.inverse_kinematics(*target, phi)[0], BLUE)
    _draw_outline(left, arm)
    _text(left, 'base', (0.0, 0.0), (-18, 10))
    _text(left, 'target', target, (28, -4))
    left.set_title('The wrist: on a circle of radius L3 about the target')
    _name_cuts(right, arm, target, found)
    right.legend(loc='lower center', bbox_to_anchor=(0.5, 0.33))
    right.set_title('Its cuts (white, thin: the answer is the same on both sides)')
    return figure


def workspace() -> Figure:
    """Two workspaces: critical arcs thin, outline thick, safe zones dashed."""
    figure, columns = _figure(14.5, 7.6, 2)
    for axes, (name, arm) in zip(columns, (('planar_3r', _planar_3r()), ('ring', RING_ARM))):
        _fill(axes, arm)
        for number, critical in enumerate(arm.workspace.critical_arcs):
            label = None if number else 'critical arcs'
            _draw_arc(axes, critical.arc, color=BLUE, linewidth=0.8, label=label)
        _draw_outline(axes, arm, linewidth=3.0, color='black', label='outline')
        zones = arm.safe_zones
        label = f'safe zones: {zones.inner:.2f} m to {zones.outer:.2f} m'
        for radius in {zones.inner, zones.outer} - {0.0}:
            _circle(axes, (0.0, 0.0), radius, color=ORANGE, linestyle='--', linewidth=2.0,
                    label=label if radius == zones.outer else None)  # fmt: skip
        axes.plot(0.0, 0.0, 's', color='black', markersize=7)
        lengths = ', '.join(f'{length:g}' for length in np.round(arm.link_lengths, 6))
        axes.set_title(f'{name}: links {lengths} m, area {arm.workspace_boundary().area:.4f} m²')
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.09), ncols=3)
    return figure


def nearest_and_margin() -> Figure:
    """Targets outside with the nearest point; targets inside with the disc of their margin."""
    arm = _planar_3r()
    targets = (
        (0.95, 0.55), (-0.7, 0.78), (-0.62, 0.0), (0.0, -0.03), (-0.3, -1.02),
        (0.52, -0.1), (0.1, 0.6), (-0.35, -0.3),
    )  # fmt: skip
    figure, (axes,) = _figure(12.0, 8.0, 1)
    _fill(axes, arm)
    _draw_outline(axes, arm, linewidth=2.0, color='black', label='outline')
    outside = inside = None
    for x, y in targets:
        answer = arm.check_reachability(x, y)
        assert answer.nearest is not None
        if answer.reachable:
            _circle(axes, (x, y), answer.margin, color=GREEN, linewidth=1.6,
                    label=None if inside else 'reachable: disc of its margin')  # fmt: skip
            inside = axes.plot(x, y, 'o', color=GREEN, markersize=7, zorder=5)
        else:
            away = answer.nearest[:2]
            _line(axes, [(x, y), away], '-', color=RED, linewidth=1.6,
                  label=None if outside else 'out of reach: nearest point')  # fmt: skip
            axes.plot(*away, 'o', color='white', markeredgecolor=RED, markersize=7, zorder=5)
            outside = axes.plot(x, y, 'X', color=RED, markersize=10, zorder=5)
        in_hole = math.hypot(x, y) < 0.1
        offset = (0, -42) if in_hole else (0, -15) if y < -0.9 else (0, 14)
        _text(axes, f'{answer.margin:+.3f} m', (x, y), offset)
    axes.margins(0.08)
    axes.set_title('planar_3r: the margin, and the nearest point from outside')
    axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1.0))
    return figure


def capability_map() -> Figure:
    """Share of the full turn with which each point can be reached."""
    figure, columns = _figure(14.5, 6.2, 2)
    for axes, name in zip(columns, ('planar_3r', 'open_manipulator_x')):
        arm = _arm_of(name)
        x, y = _grid(arm)
        share = np.ma.masked_equal(arm.dexterity(x, y), 0.0)
        shown = axes.pcolormesh(x, y, share, cmap='cividis', vmin=0.0)
        _draw_outline(axes, arm, linewidth=1.2, color='black')
        axes.plot(0.0, 0.0, '+', color=RED, markersize=9, markeredgewidth=2)
        axes.set_title(f'{name}: largest share on this grid {float(share.max()):.3f}')
        bar = axes.figure.colorbar(shown, ax=axes, shrink=0.9)
        bar.set_label('share of the full turn that the tool can take')
    return figure


def shoulders() -> Figure:
    """The ur5e from above: both ways to turn its plane, which passes the yaw axis, to a target."""
    chain = _chain_of('ur5e')
    yaw = _yaw_of(chain)
    figure, (axes,) = _figure(11.0, 6.2, 1)
    _circle(axes, (0.0, 0.0), abs(yaw.aside), color=GREY, linestyle='--', linewidth=1.5,
            label='fold circle, radius |a|')  # fmt: skip
    place = chain.place_of(yaw, BESIDE_TARGET)
    _line(axes, [(0.0, 0.0), BESIDE_TARGET[:2]], '-', color=GREY, linewidth=1.2)
    for (shoulder, _), color, name in zip(
        chain.shoulders(BESIDE_TARGET), (BLUE, ORANGE), ('facing', 'reaching backwards')
    ):
        outwards, height = yaw.from_axis(shoulder.point)
        ends = (yaw.in_plane(sign * 1.35 * abs(outwards), height) for sign in (-1.0, 1.0))
        plane = [chain.from_plane(*end, shoulder.yaw)[:2] for end in ends]
        foot = chain.from_plane(*yaw.in_plane(0.0, height), shoulder.yaw)[:2]
        _line(axes, plane, '--', color=color, linewidth=1.2)
        _line(axes, [(0.0, 0.0), foot], '-', color=color, linewidth=1.5)
        q = chain.arm.inverse_kinematics(*shoulder.point, BESIDE_PHI)[0]
        links = [chain.from_plane(*p, shoulder.yaw)[:2] for p in joint_points(chain.arm, q)]
        degrees = math.degrees(shoulder.yaw)
        _line(axes, links, '-o', color=color, linewidth=4, markersize=8, zorder=4,
              label=f'{name}: yaw {degrees:.1f}°')  # fmt: skip
        _text(axes, '|a|', (foot[0] / 2.0, foot[1] / 2.0), (0, 0), fontstyle='italic')
    x, y, _ = BESIDE_TARGET
    axes.plot(0.0, 0.0, 's', color='black', markersize=9, zorder=6)
    axes.plot(x, y, 'X', color=RED, markersize=11, zorder=6)
    _text(axes, 'yaw axis', (0.0, 0.0), (-38, 0))
    _text(axes, 'target', (x, y), (30, -14))
    _text(axes, 'R', (0.55 * x, 0.55 * y), (0, 0), fontstyle='italic')
    figures = f'R = {place.radius:.3f} m, a = {yaw.aside:.4f} m'
    axes.set_title(f'ur5e from above, {figures}: two tangents')
    axes.set_xlabel('x in base_link [m]')
    axes.set_ylabel('y in base_link [m]')
    axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1.0))
    return figure


def half_plane() -> Figure:
    """Places that the px100 reaches, facing them or backwards: as it is, and beside the axis."""
    text = (ROOT / 'urdf' / 'px100.urdf').read_text()
    before = '<child link="px100/upper_arm_link"/>'
    beside = text.replace(before, f'{before}<origin xyz="0 {BESIDE} 0"/>')
    figure, columns = _figure(11.5, 8.6, 2)
    for axes, chain in zip(columns, map(load_planar_chain, (text, beside))):
        yaw = _yaw_of(chain)
        _fill_half_plane(axes, chain, yaw)
        for faces, color, style in ((True, BLUE, '-'), (False, ORANGE, '--')):
            name = 'facing' if faces else 'backwards: the mirror image'
            for number, piece in enumerate(_half_outline(chain, yaw, faces)):
                label = None if number else name
                _line(axes, piece, style, color=color, linewidth=2.6, label=label)
        axes.axvline(0.0, color='black', linewidth=2.0)
        if yaw.aside:
            axes.axvline(abs(yaw.aside), color=GREY, linewidth=1.5, linestyle=':')
            _text(axes, 'r = |a|', (abs(yaw.aside), -0.345), (28, 0))
        for radius, height in HALF_PLANE_TARGETS:
            target = chain.from_plane(*yaw.in_plane(radius, height))
            _target_in_half_plane(axes, chain, yaw, target)
        axes.set_xlim(-0.02, 0.4)
        axes.set_ylim(-0.37, 0.37)
        axes.set_xlabel('r, distance from the yaw axis [m]')
        axes.set_ylabel('h, height above the shoulder [m]')
        where = 'holds the yaw axis' if yaw.holds_axis else f'passes it at {abs(yaw.aside):g} m'
        axes.set_title(f'px100, its plane {where}')
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.09), ncols=2)
    return figure


# --- behind a yaw joint ---------------------------------------------------------------------------


def _fill_half_plane(axes: Any, chain: PlanarChain, yaw: Yaw) -> None:
    """Shade what either shoulder reaches, over distance from the axis and height."""
    reach = chain.arm.max_reach + abs(yaw.aside)
    r, h = np.meshgrid(np.linspace(0.0, reach, CELLS), np.linspace(-reach, reach, CELLS))
    outwards = np.sqrt(np.maximum(r**2 - yaw.aside**2, 0.0))
    sides = [np.reshape([yaw.in_plane(sign * o, z) for o, z in zip(outwards.flat, h.flat)],
                        (*r.shape, 2)) for sign in (1.0, -1.0)]  # fmt: skip
    shares = [chain.arm.dexterity(side[..., 0], side[..., 1]) for side in sides]
    works = (np.maximum(*shares) > 0.0) & (r >= abs(yaw.aside))
    axes.contourf(r, h, works, levels=(0.5, 1.5), colors=['#dcebf5'])


def _half_outline(chain: PlanarChain, yaw: Yaw, faces: bool) -> Iterable[list[Point]]:
    """Pieces of the outline on one side of the axis, as distances from it and heights."""
    for arc in chain.arm.workspace_boundary().arcs:
        piece: list[Point] = []
        for angle in np.linspace(arc.start, arc.end, 2 + int(arc.sweep / 0.01)):
            outwards, height = yaw.from_axis(arc.point_at(float(angle)))
            if (outwards >= 0.0) is faces:
                piece.append((math.hypot(outwards, yaw.aside), height))
            elif piece:
                yield piece
                piece = []
        if piece:
            yield piece


def _target_in_half_plane(axes: Any, chain: PlanarChain, yaw: Yaw, target: Any) -> None:
    answer = chain.check_reachability(target)
    assert answer.nearest is not None
    radius, _, height = chain.place_of(yaw, target)
    if answer.reachable:
        _circle(axes, (radius, height), answer.margin, color=GREEN, linewidth=1.6)
        axes.plot(radius, height, 'o', color=GREEN, markersize=7, zorder=5)
    else:
        near = chain.place_of(yaw, answer.nearest[:3])
        _line(axes, [(radius, height), (near.radius, near.height)], '-', color=RED, linewidth=1.6)
        axes.plot(near.radius, near.height, 'o', color='white', markeredgecolor=RED, markersize=7,
                  zorder=5)  # fmt: skip
        axes.plot(radius, height, 'X', color=RED, markersize=10, zorder=5)
    above = answer.reachable or height > 0.0
    _text(axes, f'{answer.margin:+.3f} m', (radius, height), (0, 15 if above else -16))


# --- what happens at a cut ------------------------------------------------------------------------


def _name_cuts(axes: Any, arm: PlanarArm, target: Point, found: list[tuple[float, float]]) -> None:
    """Label each cut beside the circle, on two sides, evenly spaced so that none overlap."""
    radius = arm.link_lengths[2]
    ends = [wrap(end) for interval in found for end in interval]
    cuts = []
    for phi in sorted({round(wrap(cut), 9) for cut in orientation_cuts(arm, *target)}):
        place = Arc(target, radius, 0.0, 0.0).point_at(phi + math.pi)
        changes = any(abs(wrap(phi - end)) < AT_LIMIT for end in ends)
        text = f'{_happening(arm, *target, phi)}, {round(math.degrees(phi))}°'
        cuts.append((place, changes, text))
    for side in (-1.0, 1.0):
        column = [cut for cut in cuts if (cut[0][0] >= target[0]) is (side > 0.0)]
        column.sort(key=lambda cut: cut[0][1])
        wanted = [target[1] + 1.25 * (place[1] - target[1]) for place, _, _ in column]
        for (place, changes, text), height in zip(column, _apart(wanted, 0.22 * radius)):
            color = RED if changes else GREY
            axes.annotate(
                text, place, xytext=(target[0] + side * 1.3 * radius, height), color='black',
                ha='left' if side > 0.0 else 'right', va='center', zorder=7,
                arrowprops={'arrowstyle': '-', 'color': color, 'linewidth': 1.0},
                fontweight='bold' if changes else 'normal',
            )  # fmt: skip
            face = color if changes else 'white'
            axes.plot(*place, 'o', color=face, markeredgecolor=color, markersize=9, zorder=8)
    axes.set_xlim(target[0] - 3.05 * radius, target[0] + 3.05 * radius)
    axes.set_ylim(target[1] - 1.5 * radius, target[1] + 1.5 * radius)


def _apart(heights: list[float], gap: float) -> list[float]:
    """Ascending heights, pushed apart until neighbours have the gap between them."""
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


# --- drawing --------------------------------------------------------------------------------------


def _figure(width: float, height: float, columns: int, **how: Any) -> tuple[Figure, list[Any]]:
    figure = Figure(figsize=(width, height), layout='constrained', facecolor='white')
    FigureCanvasAgg(figure)
    axes = list(figure.subplots(1, columns, squeeze=False, **how)[0])
    for one in axes:
        one.set_aspect('equal')
        one.set_xlabel('x in the plane [m]')
        one.set_ylabel('y in the plane [m]')
    return figure, axes


def _planar_3r() -> PlanarArm:
    return _arm_of('planar_3r')


def _arm_of(name: str) -> PlanarArm:
    return _chain_of(name).arm


def _chain_of(name: str) -> PlanarChain:
    return load_planar_chain((ROOT / 'urdf' / f'{name}.urdf').read_bytes())


def _yaw_of(chain: PlanarChain) -> Yaw:
    assert chain.yaw is not None
    return chain.yaw


def _grid(arm: PlanarArm) -> tuple[Any, Any]:
    axis = np.linspace(-1.03 * arm.max_reach, 1.03 * arm.max_reach, CELLS)
    x, y = np.meshgrid(axis, axis)
    return x, y


def _fill(axes: Any, arm: PlanarArm) -> None:
    x, y = _grid(arm)
    axes.contourf(x, y, arm.dexterity(x, y) > 0.0, levels=(0.5, 1.5), colors=['#dcebf5'])


def _draw_outline(axes: Any, arm: PlanarArm, **how: Any) -> None:
    style = {'color': GREY, 'linewidth': 1.2, 'solid_capstyle': 'round', 'zorder': 2.5, **how}
    label = style.pop('label', None)
    for number, arc in enumerate(arm.workspace_boundary().arcs):
        _draw_arc(axes, arc, label=None if number else label, **style)


def _draw_arc(axes: Any, arc: Arc, **how: Any) -> None:
    angles = np.linspace(arc.start, arc.end, 2 + int(arc.sweep / 0.01))
    _line(axes, [arc.point_at(angle) for angle in angles], **how)


def _circle(axes: Any, center: Point, radius: float, **how: Any) -> None:
    _draw_arc(axes, Arc(center, radius, 0.0, TURN), **how)


def _line(axes: Any, points: Iterable[Point], *style: str, **how: Any) -> None:
    axes.plot(*zip(*points), *style, **how)


def _arm(axes: Any, arm: PlanarArm, q: tuple[float, float, float], color: str, **how: Any) -> None:
    points = joint_points(arm, q)
    _line(axes, points, '-o', color=color, linewidth=3, markersize=7, zorder=4, **how)
    axes.plot(0.0, 0.0, 's', color='black', markersize=9, zorder=5)


def _text(axes: Any, text: str, place: Point, offset: tuple[float, float], **how: Any) -> None:
    axes.annotate(text, place, xytext=offset, textcoords='offset points', ha='center',
                  va='center', zorder=9, bbox=LABEL, **how)  # fmt: skip


if __name__ == '__main__':
    main()
