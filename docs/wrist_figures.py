# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Draws the figures of docs/derivation.md about the wrist: `scripts/figures [FOLDER]`.

ik_circles computes all that is drawn, on each run.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from pictures import (
    BLUE,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    PINK,
    RED,
    draw_circle,
    draw_line,
    draw_text,
    name_axes,
    new_figure,
    write_figures,
)

from ik_circles import RobotArm, load_arm
from ik_circles.geometry.circles import Point
from ik_circles.robot.arm import NamedPositions
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm

#: Where the joints of the so101 are in the figure of its wrist center [rad].
SO101_AT = {
    'shoulder_pan': 0.0,
    'shoulder_lift': -0.3,
    'elbow_flex': 0.5,
    'wrist_flex': 0.3,
    'wrist_roll': 0.0,
}
#: Angles of its roll joint [rad].
ROLLS = 0.0, 1.0, 2.2, 2.8
#: A configuration of the ur5e, whose pose is solved [rad]: yaw, the three, the wrist.
UR5E_AT = 0.5, -1.1, 1.6, -1.2, 2.1, 0.6
#: How far axes are drawn beyond the wrist center [m].
AXIS = 0.09
#: Half the size of the picture of the so101's hand [m].
HAND = 0.018


def main() -> None:
    """Write every figure."""
    write_figures(wrist_center, wrist_flips)


def wrist_center() -> Figure:
    """The wrist centers of the so101, in its plane, and of the ur5e, from above."""
    figure, (left, right) = new_figure(12.0, 5.6, 2)
    _hand_of_one_joint(left)
    _wrist_center_from_above(right)
    return figure


def _hand_of_one_joint(axes: Any) -> None:
    """The so101's hand at several angles of its roll joint: the wrist center stays."""
    arm = load_arm('so101')
    whole = _whole_of(arm)
    one = arm.whole_naming.whole(SO101_AT)
    points = whole.carrier.planar.joint_points(one.q)
    center, phi = points[-1], sum(one.q)
    x, y = math.cos(phi - whole.wrist.phi_at_zero), math.sin(phi - whole.wrist.phi_at_zero)
    ends = [(center[0] + s * x, center[1] + s * y) for s in (-AXIS, AXIS)]
    draw_line(axes, ends, '--', color=GRAY, linewidth=1.5, label='axis of wrist_roll')
    draw_line(axes, points, '-o', color=BLUE, linewidth=4, label='link 3')
    for roll in ROLLS:
        tip = _tip_in_plane(arm, {**SO101_AT, 'wrist_roll': roll})
        draw_line(axes, [center, tip], '-', color=ORANGE, linewidth=2.5, zorder=5)
        axes.plot(*tip, 'X', color=RED, markersize=11, zorder=6)
        draw_text(axes, f'roll {math.degrees(roll):.0f}°', tip, (44, 0))
    axes.plot(*center, 'o', color=GREEN, markersize=10, zorder=7)
    draw_text(axes, 'wrist center', center, (-62, -16))
    axes.set_xlim(center[0] - HAND, center[0] + HAND)
    axes.set_ylim(center[1] - HAND, center[1] + HAND)
    name_axes(axes, arm)
    axes.set_title('so101, one wrist joint: the center is next to the tip')
    axes.legend(loc='lower left')


def _wrist_center_from_above(axes: Any) -> None:
    """The ur5e from above: the pose of the tip gives the wrist center, and that both planes."""
    arm = load_arm('ur5e')
    whole = _whole_of(arm)
    pose = arm.forward_kinematics(_ur5e_at(arm))
    tip, rotation = tuple(pose[:3, 3].tolist()), pose[:3, :3]
    center = whole.wrist.center_at(tip, rotation)
    carrier, yaw = whole.carrier, whole.carrier.yaw
    assert yaw is not None
    draw_circle(axes, (0.0, 0.0), abs(yaw.aside), color=GRAY, linestyle=':', linewidth=1.5)
    for (shoulder, _), color, name in zip(
        carrier.plane.shoulders(center), (BLUE, ORANGE), ('facing', 'reaching backwards')
    ):
        outwards, height = yaw.from_axis(shoulder.point)
        ends = (yaw.in_plane(share * outwards, height) for share in (-0.35, 1.25))
        line = [carrier.plane.point_at(*end, shoulder.yaw)[:2] for end in ends]
        draw_line(axes, line, '--', color=color, linewidth=1.5, label=f'plane, {name}')
    last = rotation @ whole.wrist.after[:, 1]
    along = [(center[0] + s * last[0], center[1] + s * last[1]) for s in (-AXIS, 2.0 * AXIS)]
    draw_line(axes, along, ':', color=PINK, linewidth=2.0, label='axis of wrist_3_joint')
    draw_line(axes, [center[:2], tip[:2]], '-', color=INK, linewidth=3.0)
    axes.plot(*tip[:2], 'X', color=RED, markersize=11, zorder=6)
    axes.plot(*center[:2], 'o', color=GREEN, markersize=10, zorder=6)
    axes.plot(0.0, 0.0, 's', color=INK, markersize=9, zorder=6)
    draw_text(axes, 'tip', tip[:2], (22, 8))
    draw_text(axes, 'wrist center', center[:2], (-50, 8))
    draw_text(axes, 'yaw axis', (0.0, 0.0), (0, -18))
    length = math.dist(tip, center)
    axes.set_title(f'ur5e from above: the center is {1000.0 * length:.1f} mm from the tip')
    axes.set_xlabel('x in base_link [m]')
    axes.set_ylabel('y in base_link [m]')
    axes.legend(loc='upper left')


def wrist_flips() -> Figure:
    """All solutions of a pose of the ur5e, a picture for each shoulder."""
    arm = load_arm('ur5e')
    whole = _whole_of(arm)
    pose = arm.forward_kinematics(_ur5e_at(arm))
    found = arm.inverse_kinematics(pose[:3, 3], rotation=pose[:3, :3])
    seen = [(positions, arm.whole_naming.whole(positions)) for positions in found]
    yaws = list(dict.fromkeys(round(one.yaw, 6) for _, one in seen))
    figure, columns = new_figure(12.5, 6.6, 2)
    for axes, yaw, name in zip(columns, yaws, ('facing', 'reaching backwards')):
        some = [each for each in seen if math.isclose(each[1].yaw, yaw, abs_tol=1e-5)]
        for positions, one in some:
            _draw_flip(axes, arm, positions, one)
        center = whole.carrier.planar.joint_points(some[0][1].q)[-1]
        axes.plot(*center, 'o', color=GREEN, markersize=10, zorder=8, label='wrist center')
        axes.plot(0.0, 0.0, 's', color=INK, markersize=9, zorder=6)
        name_axes(axes, arm)
        axes.set_title(f'{name}, yaw {math.degrees(yaw):.1f}°: {len(some)} solutions')
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.12), ncols=2)
    return figure


def _draw_flip(axes: Any, arm: RobotArm, positions: NamedPositions, one: Whole) -> None:
    """An arm in its plane, in the color of its flip and the style of its elbow."""
    whole = _whole_of(arm)
    is_first = math.cos(one.wrist[0] + whole.wrist.first_at_zero) > 0.0
    is_up = math.sin(one.q[1]) < 0.0
    first, last = (math.degrees(math.remainder(angle, math.tau)) for angle in one.wrist)
    label = f'wrist_2 {first:.0f}°, wrist_3 {last:.0f}°' if is_up else None
    points = whole.carrier.planar.joint_points(one.q)
    color = BLUE if is_first else ORANGE
    draw_line(axes, points, '-o' if is_up else '--o', color=color, linewidth=3.5, markersize=7,
              zorder=4, label=label)  # fmt: skip
    tip = _tip_in_plane(arm, positions)
    draw_line(axes, [points[-1], tip], '-', color=INK, linewidth=2.0, zorder=3)
    axes.plot(*tip, 'X', color=RED, markersize=10, zorder=7)


def _tip_in_plane(arm: RobotArm, positions: NamedPositions) -> Point:
    """The tip projected into the plane of the arm, wherever that is turned [m]."""
    yaw = arm.yaw_joint
    assert yaw is not None
    pose = arm.forward_kinematics({**positions, yaw: 0.0})
    x, y, _ = _whole_of(arm).carrier.plane.into(pose[:3, 3].tolist())
    return x, y


def _ur5e_at(arm: RobotArm) -> NamedPositions:
    return dict(zip(arm.commanded_joints, np.array(UR5E_AT).tolist()))


def _whole_of(arm: RobotArm) -> WholeArm:
    assert arm.whole is not None
    return arm.whole


if __name__ == '__main__':
    main()
