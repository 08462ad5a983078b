# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Markers for RViz: the workspace, and the newest target with its answer."""

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ros_processes import PLANAR_3R, URDF

# isort: split
import rclpy
from geometry_msgs.msg import Point
from ik_circles.msg import IkStatus
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from visualization_msgs.msg import Marker, MarkerArray

from ik_circles import Code, load_arm
from ik_circles.geometry.rigid import rotation_about
from ik_circles.planar.zones import SafeZones
from ik_circles.ros.given import Given, Stamped
from ik_circles.ros.markers import LINE, TargetMarkers, target_markers, workspace_markers

ARM = load_arm(PLANAR_3R)
#: Longest wait for a message [s].
PATIENCE = 60.0


@pytest.mark.parametrize('urdf', sorted(URDF.glob('*.urdf')), ids=lambda path: path.stem)
def test_the_workspace_moves_with_the_link_that_carries_the_arm(urdf: Path) -> None:
    arm = load_arm(urdf.read_text())
    zones = SafeZones.of(arm.arm, 0.05 * arm.arm.max_reach)
    outline, safe_zones, plane = workspace_markers(arm, zones).markers
    frame = outline.header.frame_id
    assert {safe_zones.header.frame_id, plane.header.frame_id} == {frame}
    position = 0.4 if arm.yaw_joint else 0.0
    yaw = arm.naming.yaw.sign * position if arm.naming.yaw else 0.0
    pose = arm.link_pose(frame, {arm.yaw_joint: position} if arm.yaw_joint else {})
    base = arm.spatial.plane.point_at(0.0, 0.0, yaw)
    first = arm.arm.workspace_boundary().arcs[0]

    def places(marker: Marker) -> np.ndarray:
        return np.array([(p.x, p.y, p.z) for p in marker.points]) @ pose[:3, :3].T + pose[:3, 3]

    start = arm.spatial.plane.point_at(*first.point_at(first.start), yaw)
    assert places(outline)[0] == pytest.approx(start, abs=1e-12)
    for marker in (safe_zones, plane):
        radii = np.linalg.norm(places(marker) - base, axis=1)
        known = np.abs(radii[:, None] - [zones.inner, zones.outer]).min(axis=1)
        assert known.max() < 1e-12 and np.ptp(radii) > 0.5 * arm.arm.max_reach
    frame = arm.spatial.plane
    turned = rotation_about(np.array(frame.yaw_axis), yaw) @ frame.normal
    away = (places(plane) - base) @ turned
    assert np.abs(away).max() < 1e-12


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_the_outline_is_that_of_the_wrist_as_it_is_held(name: str) -> None:
    """Every marked place can be reached with that wrist, and most are on the edge of that."""
    arm = load_arm(name)
    held = arm.holding(dict.fromkeys(arm.wrist_joints, 0.9))
    outline, *_ = workspace_markers(held, held.arm.safe_zones).markers
    at_zero, *_ = workspace_markers(arm, arm.arm.safe_zones).markers
    assert outline.points != at_zero.points
    pose = held.link_pose(outline.header.frame_id, {})
    places = [pose[:3, :3] @ (p.x, p.y, p.z) + pose[:3, 3] for p in outline.points[::20]]
    margins = [held.check_reachability(tuple(one.tolist())).margin for one in places]
    assert min(margins) > -1e-3 * held.arm.max_reach  # chords are inside of their arcs
    assert np.median(margins) < 1e-3 * held.arm.max_reach


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100'])
def test_zones_and_plane_end_at_the_floor(name: str) -> None:
    arm = load_arm(name).above(0.0)
    markers = workspace_markers(arm, SafeZones.of(arm.arm, 0.02)).markers
    pose = arm.link_pose(markers[0].header.frame_id, {})
    for marker in markers[1:]:
        heights = [pose[2, :3] @ (p.x, p.y, p.z) + pose[2, 3] for p in marker.points]
        assert min(heights) == pytest.approx(0.0, abs=1e-9), marker.ns
    beneath = workspace_markers(arm.above(5.0), arm.arm.safe_zones).markers[:3]
    assert [len(marker.points) for marker in beneath] == [0, 0, 0]


def _status(code: Code, nearest: tuple[float, float] | None = None) -> IkStatus:
    status = IkStatus(code=int(code), message='too far by 0.100 m')
    if nearest is not None:
        status.nearest.header.frame_id = 'base_link'
        status.nearest.pose.position = Point(x=nearest[0], y=nearest[1])
    return status


def _given(frame: str, x: float) -> Given:
    return Given(Stamped(frame, 0, 0), (x, 0.0, 0.0), None)


def _shown(frame: str, x: float, status: IkStatus) -> dict[str, Marker]:
    first, *others = target_markers(ARM, _given(frame, x), status).markers
    assert first.action == Marker.DELETEALL  # the markers before are removed
    return {marker.ns: marker for marker in others}


def test_a_target_that_was_taken_is_green_and_alone() -> None:
    shown = _shown('base_link', 0.5, _status(Code.OK, (0.5, 0.0)))
    assert list(shown) == ['target']
    assert shown['target'].color.g > shown['target'].color.r
    assert shown['target'].pose.position == Point(x=0.5)


def test_a_refused_target_is_red_with_nearest_point_line_and_reason() -> None:
    shown = _shown('base_link', 1.0, _status(Code.TOO_FAR, (0.9, 0.0)))
    assert list(shown) == ['target', 'reason', 'nearest', 'to_nearest']
    assert shown['target'].color.r > shown['target'].color.g
    assert shown['reason'].text.split() == ['too', 'far', 'by', '0.100', 'm']
    assert shown['nearest'].pose.position == Point(x=0.9)
    assert [point.x for point in shown['to_nearest'].points] == [1.0, 0.9]


def test_a_long_reason_stands_above_the_target_in_lines_that_fit() -> None:
    status = _status(Code.JOINT_LIMIT)
    status.message = (
        'shoulder_joint would exceed its upper limit by 8.5 deg; '
        'the nearest reachable point is 0.052 m away'
    )
    text = _shown('base_link', -0.6, status)['reason'].text
    lines = text.split('\n')
    said = [line for line in lines if line]
    assert ' '.join(said) == status.message and max(map(len, said)) <= LINE
    assert lines[: len(said)] == said and len(lines) > 2 * len(said)  # RViz centers it


@pytest.mark.parametrize(
    ('frame', 'x', 'names'),
    [
        ('hand', 1.0, ['target', 'reason', 'nearest']),  # a line needs one frame
        ('base_link', math.nan, []),
        ('', 1.0, []),
    ],
)
def test_markers_that_cannot_be_drawn_are_left_out(frame: str, x: float, names: list[str]) -> None:
    assert list(_shown(frame, x, _status(Code.TOO_FAR, (0.9, 0.0)))) == names


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_of_a_full_pose_out_of_reach_the_nearest_place_and_the_wrist_are_shown(name: str) -> None:
    arm = load_arm(name)
    told = arm.check_reachability((2.0, 0.0, 0.2), rotation=np.eye(3))
    status = _status(told.code)
    status.message, status.nearest.header.frame_id = told.message, arm.base_link
    x, y, z = told.nearest[:3]
    status.nearest.pose.position = Point(x=x, y=y, z=z)
    given = Given(Stamped(arm.base_link, 0, 0), (2.0, 0.0, 0.2), (1.0, 0.0, 0.0, 0.0))
    _, *others = target_markers(arm, given, status).markers
    shown = {marker.ns: marker for marker in others}
    assert list(shown) == ['target', 'reason', 'nearest', 'to_nearest']
    said = ' '.join(shown['reason'].text.split())
    assert all(f'{joint} at 0.0 deg' in said for joint in arm.wrist_joints)
    assert shown['nearest'].pose.position == Point(x=x, y=y, z=z)


def test_markers_are_sent_if_somebody_listens_and_something_has_changed() -> None:
    context = Context()
    rclpy.init(context=context)
    node = rclpy.create_node('ik_node', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    markers = TargetMarkers(node)
    heard: list[MarkerArray] = []
    targets = [_given('base_link', x) for x in (0.0, 0.3)]
    try:
        markers.show(ARM, targets[0], _status(Code.OK))  # nobody listens
        node.create_subscription(MarkerArray, 'ik_node/target_markers', heard.append, 10)
        _spin_until(executor, lambda: node.count_subscribers('ik_node/target_markers'))
        for _ in range(3):
            markers.show(ARM, targets[0], _status(Code.OK))
        _spin_until(executor, lambda: heard)
        markers.show(None, targets[1], _status(Code.NO_MODEL))
        for _ in range(3):
            markers.show(ARM, targets[1], _status(Code.OK))
        _spin_until(executor, lambda: heard and heard[-1].markers[1].pose.position.x == 0.3)
        assert [m.markers[1].pose.position.x for m in heard] == [0.0, 0.3]
    finally:
        executor.shutdown()
        node.destroy_node()
        context.try_shutdown()


def _spin_until(executor: SingleThreadedExecutor, condition: Callable[[], object]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up
        executor.spin_once(timeout_sec=0.1)
