# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Why a target in space cannot be taken: the code, the sentence with its figure, bad input."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    SHORT,
    axis_of,
    checked,
    limits_of,
    random_arm,
    random_configuration,
    random_rotation,
    ranges,
    rotation_by,
    somewhere,
    spatial_arm,
    tip_pose,
    yaw_joint,
)

from ik_circles.errors import NotFiniteError
from ik_circles.reasons import Code
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.plane import STEEP, TurnedAway
from ik_circles.spatial.points.sentences import turned_away

PASSED = re.compile(r'would exceed its \w+ limit by (\S+) deg')
ROUNDED = 0.051  # [deg] messages have one decimal
CLOSURE = 1e-12  # [m], of arms of about a meter
FLAT = [random_arm(np.random.default_rng(seed), False, None) for seed in range(3)]


def test_behind_the_axis_and_too_near_to_it():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, FREE, 0.05))
    _, (x, y, _) = axis_of(arm)
    for height in (0.62, 0.47, 0.33):  # where no arc of the workspace passes
        assert checked(arm, (x, y, height)).margin == pytest.approx(-0.05, abs=1e-12)
    answer = checked(arm, (x, y, 0.5))
    assert answer.code is Code.TOO_CLOSE
    assert answer.message.startswith('too close to the axis of the yaw joint by 0.050 m')
    assert "the arm's plane passes it at 0.050 m" in answer.message
    assert 'nearest reachable' not in answer.message
    assert answer.margin == pytest.approx(-0.05, abs=1e-12)
    assert arm.inverse_kinematics((x, y, 0.5), 0.0) == []
    nearer = checked(arm, (x + 0.02, y, 0.5))
    assert nearer.message.startswith('too close to the axis of the yaw joint by 0.030 m')


def test_the_reason_of_the_yaw_joint_has_its_figure():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.2)))
    for past, which in ((1.2 + 0.3, 'upper'), (-1.0 - 0.3, 'lower')):
        answer = checked(arm, (0.7 * math.cos(past), 0.7 * math.sin(past), 0.1))
        assert answer.code is Code.JOINT_LIMIT
        over = f'{math.degrees(0.3):.1f} deg'
        assert answer.message.startswith(f'the yaw joint would exceed its {which} limit by {over}')
        assert 'the nearest reachable point is' in answer.message


def test_of_two_shoulders_as_far_off_the_one_that_can_be_turned_to_gives_the_reason():
    for limits, backwards in (((-0.5, 0.5), True), ((2.5, 3.5), False)):
        arm = spatial_arm(SHORT, yaw_joint(SHORT, limits))
        message = checked(arm, (-2.0, 0.0, 0.0)).message
        assert message.startswith('reaching backwards, ' * backwards + 'too far by')
        assert 'yaw' not in message


def test_without_a_yaw_angle_an_orientation_is_that_at_zero():
    """The tool looks up by 0.6 rad, with a heading of 2 rad: backwards from the plane at 0."""
    arm = spatial_arm(SHORT, yaw_joint(SHORT, FREE))
    wanted = rotation_by((0.0, 0.0, 1.0), 2.0) @ rotation_by((0.0, 1.0, 0.0), -0.6)
    orientation = arm.tool.orientation(wanted)
    assert orientation.angle(0.0) == pytest.approx(math.pi - 0.6)
    assert orientation.angle(1.0) == pytest.approx(0.6)


def test_a_place_that_neither_the_yaw_joint_nor_the_others_reach_gives_both_reasons():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.0)))
    answer = checked(arm, (-1.5 * math.cos(1.2), 1.5 * math.sin(1.2), 0.0))
    over = math.degrees(math.pi - 1.2 - 1.0)
    assert answer.code is Code.TOO_FAR
    assert f'; also, the yaw joint would exceed its upper limit by {over:.1f} deg' in answer.message


def test_the_reason_is_that_of_the_shoulder_that_can_be_turned():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.0)))
    answer = checked(arm, (-0.2, 0.0, 0.2))  # by the joints not even when facing it
    assert answer.code is Code.JOINT_LIMIT
    assert answer.message.startswith('reaching backwards, joint')
    facing = checked(arm, (0.2, 0.0, 0.2))
    assert facing.code is Code.JOINT_LIMIT and facing.message.startswith('joint')


def test_out_of_a_plane_that_nothing_turns():
    arm = FLAT[0]
    frame = arm.plane.pose
    q = random_configuration(np.random.default_rng(0), arm)
    inside_it, _ = tip_pose(arm, q)
    for off in (0.003, -0.003):
        target = inside_it + off * frame[:3, 2]
        answer = checked(arm, target)
        assert (answer.code, answer.reachable) == (Code.OUT_OF_PLANE, False)
        assert answer.margin == pytest.approx(-0.003, abs=1e-12)
        assert math.dist(answer.nearest[:3], inside_it) <= CLOSURE
        assert answer.message == (
            'out of the plane of joint 1, joint 2, joint 3 by 0.003 m; at most 1e-06 m is allowed'
        )
        assert (answer.configurations, answer.is_tilted) == ([], False)
        assert arm.inverse_kinematics(target, sum(q.q)) == []
        near = checked(arm, target, off=0.004)
        assert near.reachable and not near.as_wanted
        assert math.dist(near.nearest[:3], inside_it) <= CLOSURE
        assert near.margin >= 0.0
    far = checked(arm, somewhere(np.random.default_rng(1), arm, 9.0))
    assert far.code is Code.OUT_OF_PLANE and '; in the plane: too far by' in far.message
    near = inside_it + 0.9e-6 * frame[:3, 2]
    assert checked(arm, near).reachable and arm.inverse_kinematics(near, sum(q.q))


def test_slack_of_the_axes_is_allowed():
    straight = spatial_arm(LINKS, slack=1e-4)
    off = (0.5, 0.9e-4, 0.1)
    assert checked(straight, off).reachable
    assert straight.inverse_kinematics(off, 0.3)
    assert checked(straight, (0.5, 1.1e-4, 0.1)).code is Code.OUT_OF_PLANE
    made = straight.tool.rotation(0.3)
    assert not checked(straight, (0.5, 0.0, 0.1), rotation=made).as_wanted


def test_an_orientation_that_the_limits_forbid_says_what_works():
    for arm in (spatial_arm(SHORT), spatial_arm(SHORT, yaw_joint(SHORT))):
        answer = checked(arm, (0.85, 0.0, 0.0), 2.0)
        assert answer.code is Code.ORIENTATION and not answer.is_tilted
        assert answer.message.startswith('not with tool orientation 114.6 deg')
        works = max(abs(end) for pair in answer.orientation_intervals for end in pair)
        assert abs(answer.nearest.phi) == pytest.approx(works)
        assert answer.nearest[:3] == (0.85, 0.0, 0.0)
        assert answer.margin == pytest.approx(0.05)
        assert answer.configurations == []


def test_an_orientation_that_no_joint_can_give():
    tilted = rotation_by((1.0, 0.0, 0.0), 0.3)
    fixed = spatial_arm(LINKS)
    answer = checked(fixed, (0.5, 0.0, 0.1), rotation=tilted, tilt=0.01)
    assert answer.code is Code.ORIENTATION and answer.is_tilted
    assert answer.message.startswith("the orientation tilts the arm's plane by 17.2 deg, which no")
    assert checked(fixed, (0.5, 0.0, 0.1), rotation=tilted, tilt=0.31).reachable
    behind = spatial_arm(LINKS, yaw_joint(LINKS))
    turned = rotation_by((0.0, 0.0, 1.0), 0.3)
    answer = checked(behind, (0.5, 0.0, 0.1), rotation=turned, tilt=0.01)
    assert answer.code is Code.ORIENTATION and answer.is_tilted
    assert answer.message.startswith('only the pitch of the tool can be chosen there')
    assert answer.message.count('17.2 deg') == 1
    assert math.dist(answer.nearest[:3], (0.5, 0.0, 0.1)) == 0.0
    assert answer.nearest.yaw == 0.0  # not backwards
    pitch = checked(behind, (0.5, 0.0, 0.1), rotation=turned)
    assert pitch.reachable and not pitch.as_wanted
    assert pitch.tilt_at(pitch.nearest_configuration) == pytest.approx(0.3, abs=1e-9)


@pytest.mark.parametrize('beside', [False, True])
def test_law_an_orientation_that_one_joint_past_its_limit_gives_needs_no_more_than_that(beside):
    rng, by_other_shoulder = np.random.default_rng(9), 0
    for _ in range(cases(10_000, least=1000)):
        arm, past = random_arm(rng, beside, limits_of(rng, 4.0)), rng.uniform(1e-3, 0.5)
        angles, limits = [*np.hstack(random_configuration(rng, arm)).tolist()], ranges(arm)
        joint, side = rng.choice([0, 0, 0, 1, 2, 3]), rng.integers(2)
        angles[joint] = limits[joint][side] + past * (2 * side - 1)
        point, rotation = tip_pose(arm, Configuration(angles[0], tuple(angles[1:])))
        answer = checked(arm, point, rotation=rotation, tilt=1e-6)
        if answer.reachable:
            continue
        assert answer.code in (Code.ORIENTATION, Code.JOINT_LIMIT)
        assert not answer.is_tilted
        (figure,) = PASSED.findall(answer.message)
        assert float(figure) <= math.degrees(past) + ROUNDED
        by_other_shoulder += '; otherwise, ' in answer.message
    assert by_other_shoulder


@pytest.mark.parametrize('limits', [FREE, (-3.1, 3.1), (-1.0, 2.0)])
def test_on_the_yaw_axis_the_orientation_decides_the_yaw(limits):
    rng = np.random.default_rng(3)
    arm = random_arm(rng, False, limits, LINKS)
    for _ in range(20):
        yaw = rng.uniform(-1.0, 2.0)
        point = arm.plane.point_at(*arm.yaw.in_plane(0.0, rng.uniform(-0.4, 0.4)))
        rotation = arm.tool.rotation(rng.uniform(-3.0, 3.0), yaw)
        exact = checked(arm, point, rotation=rotation, tilt=1e-6)
        pitch = checked(arm, point, rotation=rotation)
        phi = arm.tool.orientation(rotation).angle(yaw)
        planar = arm.planar.inverse_kinematics(*arm.plane.shoulders(point)[0][0].point, phi)
        assert exact.reachable == exact.as_wanted == bool(planar)
        if exact.reachable:
            assert pitch.as_wanted
            for one in exact.configurations:
                np.testing.assert_allclose(tip_pose(arm, one)[1], rotation, atol=1e-6)
        somehow = checked(arm, point, rotation=random_rotation(rng))
        assert somehow.nearest is not None


def test_as_far_from_the_axis_as_the_plane_rounding_counts_by_its_root():
    rng = np.random.default_rng(6)
    arm = random_arm(rng, True, (-3.0, 3.0), LINKS)
    for outwards in [0.0, *(10.0 ** rng.uniform(-13.0, -4.0, 80))]:
        inside_it = None
        while not inside_it:
            point = arm.yaw.in_plane(outwards, rng.uniform(-0.9, 0.9))
            inside_it = arm.planar.orientation_intervals(*point)
        yaw = float(rng.choice([*arm.yaw.limits, rng.uniform(-3.0, 3.0)]))
        target = arm.plane.point_at(*point, yaw)
        answer = checked(arm, target)
        assert answer.reachable and answer.margin >= 0.0
        assert math.dist(arm.tip_at(answer.nearest_configuration), target) <= CLOSURE
        assert checked(arm, target, answer.nearest.phi).code in (
            Code.OK, Code.ORIENTATION
        )  # fmt: skip


def test_numbers_that_are_not_finite_are_refused():
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    for point, phi in [((math.nan, 0, 0), None), ((0, 0, 0), math.inf)]:
        with pytest.raises(NotFiniteError):
            checked(arm, point, phi)
    for point, phi in [((0.1, 0.0, math.inf), 0.0), ((0.1, 0.0, 0.1), math.nan)]:
        with pytest.raises(NotFiniteError):
            arm.inverse_kinematics(point, phi)
    rotation = np.eye(3)
    rotation[0, 1] = math.nan
    for rows in (rotation, rotation.tolist()):
        with pytest.raises(NotFiniteError, match='nine finite numbers'):
            checked(arm, (0.2, 0.1, 0.1), rotation=rows)


def test_heading_and_roll_are_named_if_they_are_larger_than_allowed_or_else_the_larger_one():
    """0.5 rad is 28.6 deg, 0.25 rad is 14.3 deg."""
    heading, roll = 'the position decides the heading, which is ', 'nothing rolls, so its roll is '
    for angles, least, said in (
        ((0.5, 0.25), 0.1, f'{heading}28.6 deg off, and {roll}14.3 deg off'),
        ((0.5, 0.25), 0.25, f'{heading}28.6 deg off'),
        ((0.25, 0.5), 0.25, f'{roll}28.6 deg off'),
        ((0.5, 0.25), 1.0, f'{heading}28.6 deg off'),
        ((0.25, 0.5), 0.5, f'{roll}28.6 deg off'),
    ):
        assert turned_away(TurnedAway(*angles, 'nothing rolls'), least) == said


def test_an_orientation_changes_nothing_of_why_a_position_is_out_of_reach():
    rng, compared = np.random.default_rng(10), 0
    for number in range(cases(600, least=30)):
        arm = random_arm(rng, bool(number % 2), limits_of(rng))
        point, phi = somewhere(rng, arm, 1.0), rng.uniform(-3.0, 3.0)
        without, told = checked(arm, point), checked(arm, point, phi)
        if not without.reachable:
            assert (told.code, told.message) == (without.code, without.message), f'{arm}, {point}'
            compared += without.code is Code.JOINT_LIMIT
    assert compared


def test_repr_says_the_verdict():
    arm = spatial_arm(LINKS)
    assert repr(checked(arm, (2.0, 0.0, 0.0))).startswith('SpatialReachability(TOO_FAR: ')


def test_a_tool_along_the_yaw_axis_has_no_heading_of_its_own():
    """All of a turn about the axis counts as heading there, and elsewhere what it is."""
    rng = np.random.default_rng(9)
    for _ in range(50):
        arm = random_arm(rng, False, FREE)
        along, yaw = math.atan2(*reversed(arm.yaw.along)), rng.uniform(-3.0, 3.0)
        axis, _ = axis_of(arm)
        for off, heading, roll in (
            (0.0, 0.3, 0.0), (0.9 * STEEP, 0.3, 0.0), (1.1 * STEEP, 0.3, 0.2),
            (math.pi / 2.0, 0.3, 0.2),
        ):  # fmt: skip
            phi = along + off
            given = arm.tool.rotation(phi, yaw)
            tool = rotation_by(axis, yaw) @ arm.plane.pose[:3, :2] @ (math.cos(phi), math.sin(phi))
            wanted = rotation_by(axis, heading) @ rotation_by(tool, roll) @ given
            turned = arm.tool.orientation(wanted.tolist()).turned_away(phi, yaw)
            assert (turned.heading, turned.roll) == pytest.approx((heading, roll), abs=1e-6)
