"""Draws the figures of docs/methods.md: `scripts/figures [FOLDER]`.

Everything that is drawn is computed by ik_circles.limbs, on each run anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from pictures import (
    BLUE,
    FILL,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    PAPER,
    PINK,
    RED,
    SKY,
    arc_line,
    draw_arm,
    draw_circle,
    draw_line,
    draw_links,
    draw_text,
    new_figure,
    outline,
    write_figures,
)

from ik_circles import Arc, PlanarArm
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import Point, angle_between_sides
from ik_circles.limbs import (
    BoneLimits,
    LinkChain,
    LinkTree,
    place_bones,
    solve_two_circles,
    solve_two_links,
)
from ik_circles.planar.critical_arcs import joint_points
from ik_circles.planar.redundancy import solve_z_form, z_reach
from ik_circles.planar.redundancy.policy import CHOICES, Redundancy, candidates
from ik_circles.planar.selection import Policy, choose

ORIGIN: Point = (0.0, 0.0)
#: Two links [m], and targets that they reach, too far for them, and too near.
PAIR = 0.4, 0.25
PAIR_TARGETS = (0.5, 0.18), (0.62, 0.42), (0.06, 0.05)
#: Joint limits of two links [rad], and targets that these keep them from.
PAIR_LIMITS = (-0.4, 1.9), (-0.3, 2.2)
KEPT_FROM = (0.3, -0.5), (-0.55, 0.42), (0.62, 0.5)
#: Links of the Z-form [m], its target, and links of which it has two reaches.
Z_ARM, Z_TARGET = PlanarArm((0.35, 0.5, 0.3)), (0.62, 0.2)
Z_GAP = 0.5, 2.0, 0.1
#: A chain of which the long link leaves a hole [m]; a target near its outer safe zone, and one
#: amid both, with the target before.
CHAIN = LinkChain((0.66, 0.16, 0.13, 0.1, 0.08, 0.07))
FAR_TARGET, CHAIN_TARGET, CHAIN_WAS = (0.85, 0.62), (0.52, 0.36), (0.2, 0.72)
#: A trunk of two links, three limbs of two and three [m], a target for each.
TREE = LinkTree((0.4, 0.35), ((0.25, 0.2), (0.2, 0.16, 0.12), (0.26, 0.2)))
TREE_TARGETS = (0.46, 0.8), (0.84, 0.66), (0.84, 0.28)
#: The arm of urdf/planar_3r.urdf, a target, and where it was [rad].
ARM = PlanarArm((0.4, 0.3, 0.2), ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))
ARM_TARGET, ARM_WAS = (0.6, 0.3), (0.9, -0.9, -0.9)
#: Hip, knee and foot as they are [m], and where the knee is to bend to.
HIP, KNEE, FOOT, POLE = (0.0, 0.0, 0.0), (0.1, 0.0, -0.45), (0.0, 0.0, -0.75), (1.0, 0.0, 0.3)


def main() -> None:
    """Write every figure."""
    write_figures(
        method_two_circles, method_two_links, method_z_form, method_n_links, method_tree,
        method_redundancy, method_two_bones,
    )  # fmt: skip


# --- two links ------------------------------------------------------------------------------------


def method_two_circles() -> Figure:
    """Both elbows within reach; the links stretched, and folded, out of it."""
    figure, columns = new_figure(12.0, 4.6, 3, sharey=True)
    names = 'within reach: both elbows', 'too far: stretched', 'too near: folded'
    for axes, target, name in zip(columns, PAIR_TARGETS, names):
        found = solve_two_circles(ORIGIN, target, *PAIR, out_of_reach='nearest')
        draw_circle(axes, ORIGIN, PAIR[0], color=BLUE, linewidth=1.2)
        draw_circle(axes, target, PAIR[1], color=ORANGE, linewidth=1.2)
        for elbow, color in zip(found.elbows, (GREEN, PINK)):
            draw_links(axes, (ORIGIN, elbow, found.tip), color)
        if found.reached:
            draw_text(axes, 'left', found.elbows[0], (-4, 16))
            draw_text(axes, 'right', found.elbows[1], (4, -16))
        else:
            draw_line(axes, (found.tip, target), ':', color=RED, linewidth=2.0)
            draw_text(axes, f'miss {found.miss:.3f} m', target, (0, 18 if target[0] > 0.2 else -32))
        axes.plot(*target, 'X', color=RED, markersize=10, zorder=6)
        axes.set_title(name)
        axes.set(xlim=(-0.46, 0.92), ylim=(-0.46, 0.74))
    for axes in columns[1:]:
        axes.set_ylabel('')
    return figure


def method_two_links() -> Figure:
    """The bend that is chosen, and its angles; the nearest points that limits allow."""
    figure, (left, right) = new_figure(11.0, 5.2, 2)
    for branch, color in (('elbow_up', GREEN), ('elbow_down', PINK)):
        q1, q2 = solve_two_links(*PAIR_TARGETS[0], *PAIR, branch=branch).joint_positions
        points = _two_link_points(q1, q2)
        draw_links(left, points, color, label=f'{branch}: {_degrees(q1)}, {_degrees(q2)}')
        radius, beside = (0.13, (13, 4)) if q1 > 0.0 else (0.27, (0, -16))
        _angle(left, ORIGIN, radius, (0.0, q1), color, 'q1', beside)
        _angle(left, points[1], 0.1, (q1, q1 + q2), color, 'q2', (14, 0))
        beyond = 0.16 * math.cos(q1), 0.16 * math.sin(q1)
        end = points[1][0] + beyond[0], points[1][1] + beyond[1]
        draw_line(left, (points[1], end), ':', color=GRAY, linewidth=1.2)
    draw_line(left, (ORIGIN, (0.58, 0.0)), ':', color=GRAY, linewidth=1.2)
    left.plot(*PAIR_TARGETS[0], 'X', color=RED, markersize=10, zorder=6)
    left.set_title('the bend is chosen')
    left.legend(loc='upper left')
    left.set(xlim=(-0.12, 0.72), ylim=(-0.2, 0.56))
    _fill_reached(right)
    for target in KEPT_FROM:
        nearest = solve_two_links(*target, *PAIR, joint_limits=PAIR_LIMITS)
        points = _two_link_points(*nearest.joint_positions)
        draw_links(right, points, BLUE)
        draw_line(right, (points[-1], target), ':', color=RED, linewidth=2.0)
        right.plot(*target, 'X', color=RED, markersize=10, zorder=6)
        draw_text(right, f'{nearest.miss:.3f} m', target, (0, -16 if target[1] < 0.0 else 16))
    right.set_title('out of reach, with joint limits: the nearest')
    right.set(xlim=(-0.76, 0.88), ylim=(-0.68, 0.8038))
    return figure


def _two_link_points(q1: float, q2: float) -> tuple[Point, ...]:
    return LinkChain(PAIR).forward_kinematics((q1, q2))


def _fill_reached(axes: Any) -> None:
    """Shade the points that two links reach inside their limits."""
    along = np.linspace(-0.7, 0.7, 141)
    miss = [[solve_two_links(x, y, *PAIR, joint_limits=PAIR_LIMITS).miss for x in along]
            for y in along]  # fmt: skip
    axes.contourf(along, along, miss, levels=(-1.0, 1e-3), colors=[FILL])


def _angle(
    axes: Any, center: Point, radius: float, ends: Point, color: str, name: str, beside: Point
) -> None:
    """An angle as an arc with its name beside the middle."""
    first, last = sorted(ends)
    arc = Arc(center, radius, first, last - first)
    arc_line(axes, arc, color=color, linewidth=1.5)
    middle = arc.point_at((first + last) / 2.0)
    draw_text(axes, name, middle, beside, fontstyle='italic', color=color)


def _degrees(angle: float) -> str:
    return f'{math.degrees(angle):.1f}°'


# --- three links ----------------------------------------------------------------------------------


def method_z_form() -> Figure:
    """The Z and its mirror image, three shares k, and the distances over which there is a Z."""
    figure, (left, middle, right) = new_figure(
        13.0, 4.9, 3, width_ratios=(1.0, 1.0, 0.97)
    )
    share = 0.4
    draw_line(left, (ORIGIN, Z_TARGET), '--', color=GRAY, linewidth=1.2)
    for q, color, name in zip(solve_z_form(Z_ARM, *Z_TARGET, share), (GREEN, PINK), ('', 'mirror')):
        points = joint_points(Z_ARM, q)
        draw_links(left, points, color)
        crossing = _between(points[1], points[2], share)
        left.plot(*crossing, 'o', color=PAPER, markeredgecolor=INK, markersize=8, zorder=7)
        draw_text(left, name or 'Z', points[1], (0, 16 if points[1][1] > 0.1 else -16))
    left.set_title('k = 0.4, and the mirror image')
    for share, color in ((0.2, BLUE), (0.5, ORANGE), (0.8, GREEN)):
        q = solve_z_form(Z_ARM, *Z_TARGET, share)[0]
        draw_arm(middle, Z_ARM, q, color, label=f'k = {share:g}')
    draw_line(middle, (ORIGIN, Z_TARGET), '--', color=GRAY, linewidth=1.2)
    middle.set_title('the share k settles the shape')
    middle.legend(loc='lower right')
    for axes in (left, middle):
        axes.plot(*Z_TARGET, 'X', color=RED, markersize=10, zorder=6)
        axes.set(xlim=(-0.12, 0.8), ylim=(-0.3, 0.52))
    middle.set_ylabel('')
    _draw_z_reach(right)
    return figure


def _draw_z_reach(axes: Any) -> None:
    for k in np.linspace(0.0, 1.0, 201):
        for nearest, farthest in z_reach(Z_GAP, float(k)):
            axes.plot((k, k), (nearest, farthest), color=SKY, linewidth=1.6, solid_capstyle='butt')
    axes.set_aspect('auto')
    axes.set_box_aspect(0.82 / 0.92)
    axes.set(xlim=(0.0, 1.0), xlabel='share k', ylabel='distance of the target [m]')
    axes.set_title('links 0.5, 2, 0.1 m: where a Z exists')


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def method_redundancy() -> Figure:
    """A point by each choice of the parameter `redundancy`."""
    figure, columns = new_figure(13.0, 3.9, len(CHOICES), sharey=True)
    for axes, choice, color in zip(columns, CHOICES, (BLUE, ORANGE, GREEN, PINK)):
        found = candidates(ARM, *ARM_TARGET, ARM_WAS, Policy(), Redundancy(choice))
        q = choose(ARM, found, ARM_WAS, 'nearest')
        assert q is not None
        points = joint_points(ARM, q)
        outline(axes, ARM)
        if choice == 'keep_orientation':
            draw_arm(axes, ARM, ARM_WAS, GRAY, linewidth=2, alpha=0.6)
            draw_text(axes, 'before', ARM.forward_kinematics(ARM_WAS)[:2], (0, -14))
        if choice == 'outermost':
            draw_circle(axes, ORIGIN, math.hypot(*points[2]), color=GRAY, linestyle='--',
                        linewidth=1.2)  # fmt: skip
        if choice == 'z_form':
            draw_line(axes, (ORIGIN, ARM_TARGET), '--', color=GRAY, linewidth=1.2)
        draw_links(axes, points, color)
        axes.plot(*ARM_TARGET, 'X', color=RED, markersize=10, zorder=6)
        axes.set_title(choice)
        axes.set(xlim=(-0.22, 0.95), ylim=(-0.45, 0.8))
    for axes in columns[1:]:
        axes.set_ylabel('')
    return figure


# --- many links -----------------------------------------------------------------------------------


def method_n_links() -> Figure:
    """Joint by joint from the tip, each on the part of its circle that lets the rest close; and
    the three policies."""
    figure, (left, right) = new_figure(13.0, 6.4, 2)
    for axes in (left, right):
        for number, radius in enumerate(CHAIN.zones[-1]):
            draw_circle(axes, ORIGIN, radius, color=ORANGE, linestyle='--', linewidth=1.6,
                        label=None if number else 'safe zones')  # fmt: skip
    shape = CHAIN.solve(FAR_TARGET, 'even')
    assert shape is not None
    for joint in range(len(CHAIN.link_lengths) - 1, 0, -1):
        label = joint == 1
        _draw_step(left, joint, shape.points[joint + 1], label=label)
    draw_links(left, shape.points, BLUE)
    left.set_title("each joint's circle, and where on it the rest can close")
    before = CHAIN.solve(CHAIN_WAS, 'even')
    assert before is not None
    draw_links(right, before.points, GRAY, linewidth=2, alpha=0.6, label='before')
    for policy, color in (('outermost', GREEN), ('even', BLUE), ('near', PINK)):
        found = CHAIN.solve(CHAIN_TARGET, policy, previous=before.points)
        assert found is not None
        draw_links(right, found.points, color, label=policy)
    right.set_title('three policies for the same target')
    for axes, target in ((left, FAR_TARGET), (right, CHAIN_TARGET)):
        axes.plot(*target, 'X', color=RED, markersize=11, zorder=6)
        axes.legend(loc='lower left')
    left.set(xlim=(-0.16, 1.2), ylim=(-0.3, 1.06))
    right.set(xlim=(-0.45, 1.28), ylim=(-0.45, 1.28))
    right.set_ylabel('')
    return figure


def _draw_step(axes: Any, joint: int, child: Point, *, label: bool) -> None:
    """The circle about the joint's child, thick where the links before it can close."""
    length = CHAIN.link_lengths[joint]
    draw_circle(axes, child, length, color=GRAY, linewidth=0.8,
                label='circle of the next link' if label else None)  # fmt: skip
    distance = math.hypot(*child)
    inwards = math.atan2(-child[1], -child[0])
    least, most = (angle_between_sides(distance, length, radius, 0.0)
                   for radius in CHAIN.feasible_radii(joint, distance))  # fmt: skip
    for start in (inwards + least, inwards - most):
        arc_line(axes, Arc(child, length, start, most - least), color=GREEN, linewidth=4.0,
                 alpha=0.7, solid_capstyle='butt', zorder=3,
                 label='feasible radii' if label and start > inwards else None)  # fmt: skip


def method_tree() -> Figure:
    """The rings of trunk and limbs, the fork in all of them, and the shape."""
    figure, (axes,) = new_figure(11.0, 6.6, 1)
    shape = TREE.solve(TREE_TARGETS, 'even', limb_sides=('right', 'left', 'left'))
    assert shape is not None
    colors = INK, GREEN, BLUE, PINK
    rings = TREE.rings(TREE_TARGETS)
    x, y = np.meshgrid(np.linspace(-0.3, 1.5, 701), np.linspace(-0.5, 1.5, 701))
    common = np.ones(x.shape, dtype=bool)
    for ring, color in zip(rings, colors):
        distance = np.hypot(x - ring.center[0], y - ring.center[1])
        common &= (distance >= ring.inner) & (distance <= ring.outer)
        for radius in {ring.inner, ring.outer} - {0.0}:
            draw_circle(axes, ring.center, radius, color=color, linestyle='--', linewidth=1.0)
    axes.contourf(x, y, common, levels=(0.5, 1.5), colors=[FILL])
    draw_links(axes, shape.trunk.points, INK, label='trunk, and its ring')
    for number, (limb, color) in enumerate(zip(shape.limbs, colors[1:]), 1):
        draw_line(axes, limb.points, '-o', color=color, linewidth=3, markersize=7, zorder=4,
                  label=f'limb {number}, and its ring about the target')  # fmt: skip
    for target in TREE_TARGETS:
        axes.plot(*target, 'X', color=RED, markersize=11, zorder=6)
    axes.plot(*shape.fork, 'o', color=PAPER, markeredgecolor=INK, markersize=11, zorder=7)
    axes.fill([], [], color=FILL, label='all places for the fork')
    draw_text(axes, 'fork', shape.fork, (-22, -14))
    axes.set(xlim=(-0.15, 1.42), ylim=(-0.32, 1.3))
    axes.legend(loc='upper left', bbox_to_anchor=(1.02, 1.0))
    return figure


# --- two bones in space ---------------------------------------------------------------------------


def method_two_bones() -> Figure:
    """The knee's circle with and without a pole; too far; too near; the hip's cone."""
    figure = Figure(figsize=(13.0, 4.4), layout='constrained')
    FigureCanvasAgg(figure)
    cone = BoneLimits(hip_axis=(0.2, 0.0, -1.0), hip_angle=0.55)
    cases: Sequence[tuple[str, Any, Any, BoneLimits]] = (
        ('reached', (0.35, 0.25, -0.45), POLE, BoneLimits()),
        ('too far: stretched', (0.55, 0.3, -0.8), None, BoneLimits()),
        ('too near: longer bone to it', (0.06, 0.05, -0.03), None, BoneLimits()),
        ("the hip's cone: the nearest", (0.6, 0.2, 0.08), None, cone),
    )
    for number, (name, target, pole, limits) in enumerate(cases, 1):
        axes = figure.add_subplot(1, len(cases), number, projection='3d')
        found = place_bones(HIP, KNEE, FOOT, target, pole=pole, limits=limits)
        draw_line(axes, (HIP, KNEE, FOOT), '-o', color=GRAY, linewidth=2, alpha=0.6)
        if found.outcome == 'reached':
            _knee_circle(axes, target)
        if pole is not None:
            axes.quiver(*found.knee, *pole, length=0.25, color=ORANGE, linewidth=2)
        if limits.hip_axis is not None:
            _draw_cone(axes, limits)
        draw_line(axes, (HIP, found.knee, found.foot), '-o', color=BLUE, linewidth=4)
        axes.plot(*HIP, 's', color=INK, markersize=8)
        if found.miss > 0.0:
            draw_line(axes, (found.foot, target), ':', color=RED, linewidth=2)
        axes.plot(*target, 'X', color=RED, markersize=9)
        axes.set_title(name)
        _dress(axes)
    return figure


def _knee_circle(axes: Any, target: Sequence[float]) -> None:
    """All places of the knee: solved for poles all around."""
    places = []
    for turn in np.linspace(0.0, TURN, 121):
        pole = (math.cos(turn), math.sin(turn), 0.3)
        places.append(place_bones(HIP, KNEE, FOOT, tuple(target), pole=pole).knee)
    draw_line(axes, places, '--', color=GREEN, linewidth=1.6)


def _draw_cone(axes: Any, limits: BoneLimits) -> None:
    """The cone's mantle to the knee's distance."""
    assert limits.hip_axis is not None
    axis = np.array(limits.hip_axis)
    side = np.cross(axis, (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    length = math.dist(HIP, KNEE)
    turn, along = np.meshgrid(np.linspace(0.0, TURN, 61), (0.0, length))
    sine, cosine = math.sin(limits.hip_angle), math.cos(limits.hip_angle)
    around = np.cos(turn)[..., None] * side + np.sin(turn)[..., None] * other
    mantle = along[..., None] * (cosine * axis + sine * around)
    axes.plot_surface(*np.moveaxis(mantle, -1, 0), color=ORANGE, alpha=0.25, linewidth=0)


def _dress(axes: Any) -> None:
    """Equal scales, and nothing but a grid."""
    axes.set(xlim=(-0.35, 0.65), ylim=(-0.35, 0.65), zlim=(-0.85, 0.15))
    axes.set_box_aspect((1.0, 1.0, 1.0), zoom=1.15)
    axes.view_init(elev=16.0, azim=-66.0)
    axes.tick_params(labelbottom=False, labelleft=False, labelright=False)
    for one in (axes.xaxis, axes.yaxis, axes.zaxis):
        one.set_ticklabels([])
        one.set_pane_color((0.5, 0.5, 0.5, 0.06))


if __name__ == '__main__':
    main()
