# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the pointer drags: the ball in its plane, from wherever that is seen, and the ring."""

import math

import numpy as np
import pytest
from viewer_arms import ARMS, each_arm

from ik_circles.geometry.rigid import rotation_about
from ik_circles.viewer.camera import view_of
from ik_circles.viewer.dragging import DEEPEST, GRAZING, axis_of, in_plane, plane_at, turn_of


@each_arm
def test_what_is_dragged_stays_in_its_plane_under_the_pointer(name: str) -> None:
    """Law: the plane through the target and the yaw axis, or the arm's only one."""
    arm, rng = ARMS[name], np.random.default_rng(2)
    for _ in range(50):
        target = tuple(rng.uniform(-0.5, 0.5, 3).tolist())
        if arm.spatial.yaw is None:
            target = in_plane(arm, np.array(target))
        plane = plane_at(arm, target, 0.0)
        eye = plane.point + rng.uniform(2.0, 3.0) * plane.normal + rng.uniform(-0.5, 0.5, 3)
        point = rng.uniform(-0.3, 0.3, 3)
        found = np.array(in_plane(arm, plane.seen(eye, point)))
        assert abs(plane.normal @ (np.array(target) - plane.point)) < 1e-9
        assert abs(plane.normal @ (found - plane.point)) < 1e-9
        assert np.linalg.norm(np.cross(found - eye, point - eye)) < 1e-9
        axis = axis_of(arm)
        if axis is not None:
            assert abs(plane.normal @ axis.direction) < 1e-9
            assert abs(plane.normal @ (axis.point - plane.point)) < 1e-9


@each_arm
@pytest.mark.parametrize('aspect', [1.8, 390 / 844])
@pytest.mark.parametrize('side', ['Front', 'Top'])
def test_a_plane_that_is_seen_from_its_edge_keeps_the_ball_as_far_away(
    name: str, side: str, aspect: float
) -> None:
    """Law: a drag across the plane moves nothing, and one along the plane moves as far as it says.
    A drag of 100 pixels took the ball to the camera, which filled the screen with it. A phone sees
    the plane from above at a small angle: then the ball does not go farther than the pointer."""
    arm, rng = ARMS[name], np.random.default_rng(3)
    axis, reach = axis_of(arm), arm.arm.max_reach
    if axis is None:  # a level plane is not seen from its edge
        return
    for _ in range(50):
        yaw = rng.uniform(-2.0, 2.0)
        eye = np.array(view_of(arm, aspect, side, yaw).position)
        in_plane = rotation_about(axis.direction, yaw) @ arm.plane[:3, :2]
        ball = axis.point + in_plane @ rng.uniform(0.2, 0.8, 2) * reach
        plane = plane_at(arm, tuple(ball), yaw)
        for across in (0.1, -0.3, 0.5):
            at = ball + across * reach * plane.normal
            off = 0.05 if aspect > 1.0 or side == 'Front' else 1.3 * abs(across)
            assert plane.seen(eye, at) == pytest.approx(ball, abs=off * reach)
        along = np.cross(plane.normal, ball - eye)
        to = ball + 0.3 * reach * along / np.linalg.norm(along)
        assert plane.seen(eye, to) == pytest.approx(to, abs=0.01 * reach)


@pytest.mark.parametrize('side', ['Front', 'Side', 'Reset'])
def test_a_level_plane_is_dragged_under_the_pointer_from_each_side(side: str) -> None:
    """Law: it is never seen from its edge, so the ball goes wherever the pointer shows in it."""
    arm, rng = ARMS['planar_3r'], np.random.default_rng(5)
    view = view_of(arm, 1.8, side)
    eye, ahead = np.array(view.position), np.subtract(view.look_at, view.position)
    for _ in range(50):
        ball, to = (np.array([*rng.uniform(-0.6, 0.6, 2), arm.plane[2, 3]]) for _ in range(2))
        at = eye + (to - eye) * ((ball - eye) @ ahead) / ((to - eye) @ ahead)
        assert plane_at(arm, tuple(ball), 0.0).seen(eye, at) == pytest.approx(to)


@pytest.mark.parametrize('side', ['Front', 'Side', 'Reset'])
def test_a_ball_in_a_level_plane_moves_little_farther_than_the_pointer(side: str) -> None:
    """Law: from no side at which the page looks. From `Side`, 20 pixels took it from the middle of
    the workspace to its edge."""
    arm, rng, step = ARMS['planar_3r'], np.random.default_rng(6), 0.01
    view = view_of(arm, 1.8, side)
    ahead = np.subtract(view.look_at, view.position)
    up = np.array((0.0, 0.0, 1.0)) - ahead * ahead[2] / (ahead @ ahead)
    up *= step / np.linalg.norm(up)
    for _ in range(50):
        ball = np.array([*rng.uniform(-0.6, 0.6, 2), arm.plane[2, 3]])
        found = plane_at(arm, tuple(ball), 0.0).seen(np.array(view.position), ball + up)
        assert np.linalg.norm(found - ball) < 4.0 * step


def test_a_dragged_ball_never_jumps_from_whichever_side_its_plane_is_seen() -> None:
    """Law: it moves at most a few times as far as the pointer, neither to the eye nor behind it."""
    rng, step = np.random.default_rng(4), 0.001
    plane = plane_at(ARMS['so101'], (0.3, 0.0, 0.2), 0.0)
    for _ in range(300):
        ball = np.array([0.3, 0.0, 0.2]) + rng.uniform(-0.1, 0.1, 3) * (1.0, 0.0, 1.0)
        away = rng.normal(size=3) * (1.0, rng.choice([0.02, 0.1, 0.3, 1.0]), 1.0)
        away /= np.linalg.norm(away)
        across = np.cross(away, rng.normal(size=3))
        across /= np.linalg.norm(across)
        eye = ball + away
        found = [plane.seen(eye, ball + share * across) for share in np.arange(0.0, 1.0, step)]
        assert np.abs(np.diff(found, axis=0)).max() < step * 3.0 / GRAZING**2
        assert (np.dot(found - eye, -away) > 0.1).all()
        assert np.linalg.norm(found - eye, axis=1).max() < 1.1 * DEEPEST * math.sqrt(2.0)


def test_a_target_on_the_yaw_axis_is_dragged_in_the_arms_plane() -> None:
    arm = ARMS['so101']
    axis = axis_of(arm)
    yaw = 0.7
    plane = plane_at(arm, tuple(axis.point + 0.3 * axis.direction), yaw)
    facing = arm.forward_kinematics({'shoulder_pan': -yaw, 'shoulder_lift': 0.5})[:3, 3]
    assert abs(plane.normal @ (facing - plane.point)) < 1e-3


@each_arm
def test_the_ring_turns_the_target_about_the_yaw_axis(name: str) -> None:
    """Law: dragged along itself by an arc, the ring turns by its angle, whichever side is seen."""
    axis, rng = axis_of(ARMS[name]), np.random.default_rng(6)
    if axis is None:
        assert name == 'planar_3r'
        return
    for _ in range(50):
        start = axis.point + np.array([0.2, 0.0, -axis.point[2]])
        start = np.array(axis.turned(tuple(start), rng.uniform(-3.0, 3.0)))
        along = np.cross(axis.direction, axis.beside(start))
        eye = start + 2.0 * axis.beside(start) + np.array([0.0, 0.0, 0.4])
        small = rng.uniform(-0.02, 0.02)
        assert turn_of(axis, eye, start, start + small * along) == pytest.approx(small)
        target = (0.3, 0.1, 0.2)
        turned = np.array(axis.turned(target, small))
        assert np.isclose(np.linalg.norm(axis.beside(turned)),
                          np.linalg.norm(axis.beside(np.array(target))))  # fmt: skip
        assert np.isclose(turned @ axis.direction, np.array(target) @ axis.direction)
