# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Draws the figures of docs/derivation.md behind a yaw joint: `scripts/figures [FOLDER]`.

ik_circles computes all that is drawn, on each run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
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
    RED,
    ROOT,
    draw_circle,
    draw_line,
    draw_text,
    new_figure,
    write_figures,
)

from ik_circles import RobotArm, load_arm
from ik_circles.geometry.circles import Point
from ik_circles.spatial.yaw import Yaw

#: A target for the ur5e, whose plane passes the yaw axis [m]; the tool points down [rad].
BESIDE_TARGET, BESIDE_PHI = (0.48, 0.3, 0.2), -math.pi / 2.0
#: How far beside the yaw axis the px100's plane is put for a figure [m].
BESIDE = 0.08
#: Targets about the yaw axis: distance from it and height above the shoulder [m].
HALF_PLANE_TARGETS = (0.3, 0.22), (0.06, -0.23), (0.28, -0.24), (0.04, 0.02), (0.2, 0.1)
#: Points of a grid along each axis.
CELLS = 501
#: Largest angle of a chord of a drawn outline [rad].
CHORD = 0.01


def main() -> None:
    """Write every figure."""
    write_figures(shoulders, half_plane)


def shoulders() -> Figure:
    """The ur5e to its wrist center from above: both ways to turn its plane to a target."""
    arm = load_arm('ur5e', tip_link='wrist_2_link')
    yaw = _yaw_of(arm)
    figure, (axes,) = new_figure(11.0, 6.2, 1)
    draw_circle(axes, (0.0, 0.0), abs(yaw.aside), color=GRAY, linestyle='--', linewidth=1.5,
            label='fold circle, radius |a|')  # fmt: skip
    place = yaw.place_of(*arm.spatial.plane.into(BESIDE_TARGET))
    draw_line(axes, [(0.0, 0.0), BESIDE_TARGET[:2]], '-', color=GRAY, linewidth=1.2)
    for (shoulder, _), color, name in zip(
        arm.spatial.plane.shoulders(BESIDE_TARGET), (BLUE, ORANGE), ('facing', 'reaching backwards')
    ):
        outwards, height = yaw.from_axis(shoulder.point)
        ends = (yaw.in_plane(sign * 1.35 * abs(outwards), height) for sign in (-1.0, 1.0))
        plane = [arm.spatial.plane.point_at(*end, shoulder.yaw)[:2] for end in ends]
        foot = arm.spatial.plane.point_at(*yaw.in_plane(0.0, height), shoulder.yaw)[:2]
        draw_line(axes, plane, '--', color=color, linewidth=1.2)
        draw_line(axes, [(0.0, 0.0), foot], '-', color=color, linewidth=1.5)
        q = arm.arm.inverse_kinematics(*shoulder.point, BESIDE_PHI)[0]
        links = [arm.spatial.plane.point_at(*p, shoulder.yaw)[:2] for p in arm.arm.joint_points(q)]
        degrees = math.degrees(shoulder.yaw)
        draw_line(axes, links, '-o', color=color, linewidth=4, markersize=8, zorder=4,
              label=f'{name}: yaw {degrees:.1f}°')  # fmt: skip
        draw_text(axes, '|a|', (foot[0] / 2.0, foot[1] / 2.0), (0, 0), fontstyle='italic')
    x, y, _ = BESIDE_TARGET
    axes.plot(0.0, 0.0, 's', color=INK, markersize=9, zorder=6)
    axes.plot(x, y, 'X', color=RED, markersize=11, zorder=6)
    draw_text(axes, 'yaw axis', (0.0, 0.0), (-38, 0))
    draw_text(axes, 'target', (x, y), (30, -14))
    draw_text(axes, 'R', (0.55 * x, 0.55 * y), (0, 0), fontstyle='italic')
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
    figure, columns = new_figure(11.5, 8.6, 2)
    for axes, arm in zip(columns, map(load_arm, (text, beside))):
        yaw = _yaw_of(arm)
        _fill_half_plane(axes, arm, yaw)
        for faces, color, style in ((True, BLUE, '-'), (False, ORANGE, '--')):
            name = 'facing' if faces else 'backwards: the mirror image'
            for number, piece in enumerate(_half_outline(arm, yaw, faces)):
                label = None if number else name
                draw_line(axes, piece, style, color=color, linewidth=2.6, label=label)
        axes.axvline(0.0, color=INK, linewidth=2.0)
        if yaw.aside:
            axes.axvline(abs(yaw.aside), color=GRAY, linewidth=1.5, linestyle=':')
            draw_text(axes, 'r = |a|', (abs(yaw.aside), -0.345), (28, 0))
        for radius, height in HALF_PLANE_TARGETS:
            target = arm.spatial.plane.point_at(*yaw.in_plane(radius, height))
            _target_in_half_plane(axes, arm, yaw, target)
        axes.set_xlim(-0.02, 0.4)
        axes.set_ylim(-0.37, 0.37)
        axes.set_xlabel('r, distance from the yaw axis [m]')
        axes.set_ylabel('h, height above the shoulder [m]')
        where = 'holds the yaw axis' if yaw.holds_axis else f'passes it at {abs(yaw.aside):g} m'
        axes.set_title(f'px100, its plane {where}')
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.09), ncols=2)
    return figure


def _fill_half_plane(axes: Any, arm: RobotArm, yaw: Yaw) -> None:
    """Shade what either shoulder reaches, over distance from the axis and height."""
    reach = arm.arm.max_reach + abs(yaw.aside)
    r, h = np.meshgrid(np.linspace(0.0, reach, CELLS), np.linspace(-reach, reach, CELLS))
    outwards = np.sqrt(np.maximum(r**2 - yaw.aside**2, 0.0))
    sides = [np.reshape([yaw.in_plane(sign * o, z) for o, z in zip(outwards.flat, h.flat)],
                        (*r.shape, 2)) for sign in (1.0, -1.0)]  # fmt: skip
    shares = [arm.arm.dexterity(side[..., 0], side[..., 1]) for side in sides]
    works = (np.maximum(*shares) > 0.0) & (r >= abs(yaw.aside))
    axes.contourf(r, h, works, levels=(0.5, 1.5), colors=[FILL])


def _half_outline(arm: RobotArm, yaw: Yaw, faces: bool) -> Iterable[list[Point]]:
    """Pieces of the outline on one side of the axis, as distances from it and heights."""
    for arc in arm.arm.workspace_boundary().arcs:
        piece: list[Point] = []
        for x, y in arc.chords(CHORD).tolist():
            outwards, height = yaw.from_axis((x, y))
            if (outwards >= 0.0) is faces:
                piece.append((math.hypot(outwards, yaw.aside), height))
            elif piece:
                yield piece
                piece = []
        if piece:
            yield piece


def _target_in_half_plane(axes: Any, arm: RobotArm, yaw: Yaw, target: Any) -> None:
    answer = arm.check_reachability(target)
    assert answer.nearest is not None
    radius, _, height = yaw.place_of(*arm.spatial.plane.into(target))
    if answer.reachable:
        draw_circle(axes, (radius, height), answer.margin, color=GREEN, linewidth=1.6)
        axes.plot(radius, height, 'o', color=GREEN, markersize=7, zorder=5)
    else:
        near = yaw.place_of(*arm.spatial.plane.into(answer.nearest[:3]))
        line = (radius, height), (near.radius, near.height)
        draw_line(axes, line, '-', color=RED, linewidth=1.6)
        axes.plot(near.radius, near.height, 'o', color=PAPER, markeredgecolor=RED, markersize=7,
                  zorder=5)  # fmt: skip
        axes.plot(radius, height, 'X', color=RED, markersize=10, zorder=5)
    above = answer.reachable or height > 0.0
    draw_text(axes, f'{answer.margin:+.3f} m', (radius, height), (0, 15 if above else -16))


def _yaw_of(arm: RobotArm) -> Yaw:
    assert arm.spatial.yaw is not None
    return arm.spatial.yaw


if __name__ == '__main__':
    main()
