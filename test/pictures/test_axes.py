# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The axes of pictures say what they are."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ik_circles import PlanarArm, load_arm
from ik_circles.pictures.axes import axis_labels

URDF = Path(__file__).resolve().parents[2] / 'urdf'
HEIGHT = 'height above the shoulder [m]'
X = {
    'braccio': 'distance ahead of the shoulder, which is 2 mm behind the yaw axis [m]',
    'open_manipulator_x': 'distance from the yaw axis [m]',
    'px100': 'distance from the yaw axis [m]',
    'so101': 'distance ahead of the shoulder, which is 30.4 mm ahead of the yaw axis [m]',
    'ur5e': "distance from the yaw axis along the arm's plane [m]",
    'xarm5': 'distance from the yaw axis [m]',
}


@pytest.mark.parametrize('name', X)
def test_behind_an_upright_yaw_axis_they_are_distance_and_height(name: str) -> None:
    arm = load_arm((URDF / f'{name}.urdf').read_text())
    assert axis_labels(arm) == (X[name], HEIGHT)
    # what they say is so: the tip at zero, measured in space from the shoulder and the yaw axis
    plane, tip = arm.spatial.plane, arm.forward_kinematics({})[:3, 3]
    x, y = plane.seen_at(tip.tolist(), 0.0)
    shoulder = arm.link_pose(arm.tree.movable_joints[arm.joint_names[0]].child, {})[:3, 3]
    assert y == pytest.approx(tip[2] - shoulder[2], abs=1e-6)
    ahead = arm.plane[:2, 0] @ shoulder[:2]
    assert x + ahead == pytest.approx(arm.plane[:2, 0] @ tip[:2], abs=1e-6)
    if 'mm' in X[name]:
        assert f'{1e3 * abs(ahead):.3g} mm {"ahead" if ahead > 0.0 else "behind"}' in X[name]
    else:
        assert np.isclose(ahead, 0.0, atol=1e-6)


def test_without_a_yaw_joint_they_are_x_and_y() -> None:
    arm = load_arm((URDF / 'planar_3r.urdf').read_text())
    assert axis_labels(arm) == axis_labels(None) == ('x in the plane [m]', 'y in the plane [m]')


@pytest.mark.parametrize(('rpy', 'upright'), [(f'{np.pi / 2.0!r} 0 0', True), ('0.5 0 0', False)])
def test_an_arm_in_an_upright_plane_has_a_height(rpy: str, upright: bool) -> None:
    text = (URDF / 'planar_3r.urdf').read_text().replace(
        '</robot>',
        '<link name="wall"/><joint name="mount" type="fixed"><parent link="wall"/>'
        f'<child link="base_link"/><origin rpy="{rpy}"/></joint></robot>',
    )
    labels = axis_labels(load_arm(text, base_link='wall'))
    assert (labels == ('distance ahead of the shoulder [m]', HEIGHT)) is upright


def test_every_picture_of_a_plane_has_them(drawing: ModuleType) -> None:
    from ik_circles.pictures.line_drawing import Curve, line_figure

    robot = load_arm((URDF / 'so101.urdf').read_text())
    arm, (x, y) = robot.arm, axis_labels(robot)
    shape = arm.joint_points((0.0, 0.0, 0.0))
    figures = [
        drawing.scenario_figure(arm, arm.safe_zones, [], [], robot),
        drawing.workspace_figure(arm, robot),
        drawing.methods_figure([], [(0.1, 0.1)], None, arm, robot),
        line_figure(arm, [0.0], [Curve('q1', [0.0])], [shape], '', robot),
    ]
    for figure in figures:
        assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == (x, y)
    bare = drawing.workspace_figure(PlanarArm((0.3, 0.2, 0.1))).axes[0]
    assert bare.get_xlabel() == 'x in the plane [m]'


def test_of_the_zones_what_is_above_the_floor_is_drawn(drawing: ModuleType) -> None:
    arm = load_arm(URDF / 'so101.urdf').above(0.0).arm
    figures = [
        drawing.scenario_figure(arm, arm.safe_zones, [], []),
        drawing.methods_figure([], [(0.1, 0.1)], arm.safe_zones, arm),
    ]
    for figure in figures:
        dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == '--']
        lowest = min(line.get_ydata().min() for line in dashed)
        assert lowest == pytest.approx(arm.floor.height)


def test_the_names_of_the_joints_hide_no_curve() -> None:
    pytest.importorskip('matplotlib', reason='the extra plot draws')
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from ik_circles.pictures.line_drawing import Curve, line_figure

    robot = load_arm((URDF / 'ur5e.urdf').read_text())
    names, shape = robot.commanded_joints, robot.arm.joint_points((0.0, 0.0, 0.0))
    rng = np.random.default_rng(1)
    curves = [Curve(name, rng.uniform(-3.0, 3.0, 11).tolist()) for name in names]
    figure = line_figure(
        robot.arm, np.linspace(0.0, 1.0, 11).tolist(), curves, [shape], 'done', robot
    )
    FigureCanvasAgg(figure).draw()
    legends = [*figure.legends, *filter(None, (one.get_legend() for one in figure.axes))]
    assert [text.get_text() for one in legends for text in one.get_texts()] == [*names]
    for legend in legends:
        box = legend.get_window_extent()
        assert box.x0 >= 0.0 and box.x1 <= figure.bbox.width
        assert not any(box.overlaps(axes.get_window_extent()) for axes in figure.axes)


def test_a_line_that_ends_where_it_begins_shows_where_each_joint_is() -> None:
    pytest.importorskip('matplotlib', reason='the extra plot draws')
    from ik_circles.pictures.line_drawing import Curve, line_figure

    arm = PlanarArm((0.4, 0.3, 0.2))
    shape, curves = arm.joint_points((0.1, 0.2, 0.3)), [Curve('q1', [0.1]), Curve('q2', [0.2])]
    _, beside = line_figure(arm, [0.0], curves, [shape], 'done').axes
    assert [line.get_marker() for line in beside.lines] == ['o', 'o']
