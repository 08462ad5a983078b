# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which orientations of a wrist in columns are left to the code for one target."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import random_rotation, rotation_by
from test_columns import shoulder_at
from wrist_robots import random_robot, shipped_robots

from ik_circles.spatial.batch.wrists import most_tilts, postures, turns_by_much
from ik_circles.spatial.plane import INWARD
from ik_circles.spatial.tilts import most_seen, much_turned_within
from ik_circles.spatial.wrist import LEVEL

ZERO = np.zeros(1)
#: The axis of the wrist outwards, along the yaw axis, and sideways.
OUTWARDS, ALONG, SIDEWAYS = np.eye(3)


def single_wrist(rng, aside=0.2):
    """A robot with one wrist joint and the plane beside its yaw axis: the arm, wrist and yaw joint.
    """
    while True:
        whole = random_robot(rng, True, 1, on_axis=False, aside=aside).arm.whole
        if not whole.carrier.yaw.holds_axis:
            return whole.carrier, whole.wrist, whole.carrier.yaw


def sight_with(axis):
    """An orientation in columns (9, 1) with the wrist's axis in a direction."""
    axis = np.array(axis) / np.linalg.norm(axis)
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across /= np.linalg.norm(across)
    return np.array([axis, across, np.cross(axis, across)]).T.reshape(9, 1)


def doubtful_with(wrist, axis):
    (found,) = postures(wrist, list(sight_with(axis)), shoulder_at(ZERO, ZERO))
    return bool(found.doubtful[0])


def test_rows_in_which_rounding_says_whether_a_plane_is_tilted_are_left():
    _, wrist, _ = single_wrist(np.random.default_rng(0))
    for off, is_left in ((-0.1, False), (-5e-4, True), (0.0, True), (5e-4, True), (0.1, False)):
        for sign in (1.0, -1.0):
            assert doubtful_with(wrist, (0.8, 0.6, sign * LEVEL * (1.0 + off))) == is_left


def test_rows_in_which_rounding_says_whether_the_axis_points_inwards_are_left():
    """One that points inwards by less than INWARD of its level part counts as pointing outwards. An
    upright one has no such part."""
    _, wrist, _ = single_wrist(np.random.default_rng(1))
    for off, is_left in ((-1e-11, False), (-5e-13, True), (5e-13, True), (1e-11, False)):
        assert doubtful_with(wrist, (-0.6 * INWARD + off, 0.8, 0.6)) == is_left
        assert not doubtful_with(wrist, (0.6 * INWARD + off, 0.8, 0.6))
        assert not doubtful_with(wrist, (off / 10.0, 1.0, 0.0))
    for ahead in (-1.1 * INWARD, -0.9 * INWARD, 0.0, 0.9 * INWARD, 1.1 * INWARD):
        sight = sight_with((ahead, 0.8, 0.6))
        (many,) = postures(wrist, list(sight), shoulder_at(ZERO, ZERO))
        (one,) = wrist.postures(sight.reshape(3, 3).tolist(), 0.0)
        assert many.phi[0] == pytest.approx(one.phi, abs=1e-12)
        assert many.wrist[0][0] == pytest.approx(one.wrist[0], abs=1e-12)


def seen_from(yaw, outwards, angle):
    """A point of the plane at a yaw angle, in the axes of the plane at 0 (3, 1) [m]."""
    return np.array([yaw.turned(*yaw.in_plane(outwards, 0.1), angle)]).T


def test_a_tilt_turns_the_plane_far_next_to_the_axis_unless_the_wrists_axis_is_in_every_plane():
    """Next to the axis means within much_turned_within. At one of the two shoulders, the axis of
    the wrist is out of the plane, or at both."""
    rng, tilt = np.random.default_rng(2), 0.01
    for _ in range(cases(200)):
        arm, wrist, yaw = single_wrist(rng, rng.uniform(0.05, 0.3))
        much, angle = much_turned_within(wrist.length, tilt), rng.uniform(-3.0, 3.0)
        for share, is_near in ((1e-3, True), (0.99, True), (1.01, False), (1.5, False)):
            for side in (1.0, -1.0):
                center = seen_from(yaw, side * share * much, angle)
                ahead = (math.cos(angle), rng.uniform(-1.0, 1.0), -math.sin(angle))
                off = LEVEL * np.array((math.sin(angle), 0.0, math.cos(angle)))
                for axis, is_out in (
                    (ahead, True), (ALONG, False), (ALONG + 0.8 * off, True),
                    (ALONG - 0.2 * off, False), (random_rotation(rng)[0], True),
                ):  # fmt: skip
                    far = turns_by_much(arm, wrist, center, sight_with(axis), tilt)
                    assert far.tolist() == [is_near and is_out]


def test_a_tilt_may_bring_a_wrist_center_as_far_outwards_as_it_moves_the_tool():
    """The center is nearer to the axis than the plane is. However large the tilt, the axis of the
    wrist moves it towards the plane by no more than the length of the tool."""
    rng = np.random.default_rng(3)
    for _ in range(cases(200)):
        arm, wrist, yaw = single_wrist(rng, rng.uniform(0.3, 0.4))
        for tilt in (0.01, 0.5, 1.0, 1.5):
            moved = min(tilt, 1.0) * wrist.length
            for share, is_near in ((1e-3, True), (0.99, True), (1.01, False), (1.5, False)):
                radius = abs(yaw.aside) - share * moved
                if radius < 0.0:
                    continue
                turned = radius * np.exp(1j * rng.uniform(-3.0, 3.0))
                center = *yaw.in_plane(turned.real, 0.1), yaw.aside - turned.imag
                far = turns_by_much(arm, wrist, np.array([center]).T, sight_with(ALONG), tilt)
                assert far.tolist() == [is_near]


@pytest.mark.parametrize('number', [1, 2])
def test_a_tilt_turns_no_plane_of_two_wrist_joints_and_none_without_a_yaw_joint(number):
    robot = random_robot(np.random.default_rng(4), number == 2, number)
    center, sight = np.zeros((3, 1)), sight_with(SIDEWAYS)
    assert not turns_by_much(robot.arm.whole.carrier, robot.arm.whole.wrist, center, sight, 1.0)


def test_tilts_in_columns_are_those_of_one_target():
    rng, tool, tilt = np.random.default_rng(5), 0.2, 0.01
    arm, _, yaw = single_wrist(rng)
    outwards = np.array([0.0, 1e-3, -0.1, 0.3])
    x, y = np.array([yaw.in_plane(one, 0.1) for one in outwards]).T
    one = shoulder_at(np.zeros(4), np.zeros(4))._replace(x=x, y=y)
    wanted = [most_seen(tool, tilt, its) for its in outwards]
    assert most_tilts(arm, tool, one, tilt)[1:] == pytest.approx(wanted[1:])
    assert most_tilts(arm, tool, one, tilt)[0] > 1e6 * tilt
    fixed = shipped_robots()['ur5e'].arm.whole.carrier
    without = random_robot(rng, False, 1).arm.whole.carrier
    assert fixed.yaw is not None and most_tilts(without, tool, one, tilt).tolist() == [tilt] * 4


def test_a_tilted_axis_leans_out_of_the_plane_by_its_angle():
    _, wrist, _ = single_wrist(np.random.default_rng(6))
    for tilt in (0.0, 1e-3, 0.5, 1.5):
        axis = rotation_by(OUTWARDS, tilt) @ ALONG
        (found,) = postures(wrist, list(sight_with(axis)), shoulder_at(ZERO, ZERO))
        assert found.tilt == pytest.approx([tilt], abs=1e-12)
        (one,) = wrist.postures(sight_with(axis).reshape(3, 3).tolist(), 0.0)
        assert one.tilt == pytest.approx(tilt, abs=1e-12)
