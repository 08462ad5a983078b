# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The demonstration's targets: each gets its code, for every shipped robot."""

import math
import re
from functools import cache

import numpy as np
import pytest
from three_joints import shipped_arms, shipped_text

from ik_circles import load_arm
from ik_circles.control.decision import assess
from ik_circles.control.scenario import (
    ALONG_AN_ARC,
    BESIDE_AN_ARC,
    MORE_SHARES,
    POSES,
    SHARES,
    YAW_SHARE,
    scenario_targets,
)
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import InvalidSettingError
from ik_circles.reasons import Code
from ik_circles.spatial.arm import Configuration

ARMS = shipped_arms()
SETTINGS = Settings(), Settings(safe_zone_margin=0.02), Settings(orientation_mode='free')
#: A target past a limit is at least this far from the workspace [m].
CLEARLY = 0.02
#: These robots reach points inside the inner safe zone from behind, or with another wrist.
REACH_BEHIND = ('so101', 'youbot_arm', 'ur5e')
#: A wrist that has moved would change the outline.
WITHOUT_WRIST = [name for name, arm in ARMS.items() if not arm.wrist_joints]
#: With these limits, a px100 looks down: beside its longest arc, what is past a limit is below
#: z = 0.
LOOKING_DOWN = {
    'low elbow': ((-0.6, 1.0), (-0.6, 0.7), (-0.1, 2.1)),
    'low shoulder': ((-0.4, 1.8), (-0.8, 1.0), (-1.0, 1.5)),
}
#: The limits of a UR5e are so wide that no target is past them.
WITHOUT_LIMITS = 'ur5e'


@cache
def arm_of(name):
    """A shipped robot, or a px100 that looks down."""
    if name in ARMS:
        return ARMS[name]
    limits = iter(LOOKING_DOWN[name])
    bounds = re.compile(r'lower="[^"]*" upper="[^"]*"')
    joints = re.compile(r'<joint name="(shoulder|elbow|wrist_angle)".*?</joint>', re.S)

    def limited(joint):
        return bounds.sub('lower="{}" upper="{}"'.format(*next(limits)), joint[0])

    return load_arm(joints.sub(limited, shipped_text('px100')))


@cache
def targets_of(name, settings):
    """The targets of a robot from home: several laws are about the same ones."""
    return scenario_targets(arm_of(name), settings)


def test_all_shares_are_inside_their_range():
    for share in (YAW_SHARE, *ALONG_AN_ARC, *(one for shares in SHARES for one in shares)):
        assert 0.0 < share < 1.0


def test_more_shares_are_spread_evenly_inside_the_limits():
    """Of the 64 boxes that halves of halves of three joints make, none is empty or crowded."""
    each = (0.1, 0.3, 0.5, 0.7, 0.9)
    found, _ = np.histogramdd(np.array(MORE_SHARES), bins=(each, each, each))
    fair = len(MORE_SHARES) / found.size
    assert found.sum() == len(MORE_SHARES)
    assert 0.3 * fair < found.min() and found.max() < 2.0 * fair


@pytest.mark.parametrize('name', ARMS)
def test_a_reason_says_the_name_of_its_target_once(name):
    settings = Settings(safe_zone_margin=0.02)
    for one in targets_of(name, settings)[:-1]:
        reason = assess(ARMS[name], settings, Target(one.position)).message
        assert reason in one.labeled(reason)
        assert one.labeled(reason).count(one.name) == 1


@pytest.mark.parametrize('name', ARMS)
def test_each_target_gets_its_code(name):
    arm = ARMS[name]
    for settings in SETTINGS:
        targets = targets_of(name, settings)
        names = [one.name for one in targets]
        assert names[:POSES] == [f'pose {number}' for number in range(1, POSES + 1)]
        assert names[-1] == 'not finite' and math.isnan(targets[-1].position[0])
        turns = bool(arm.yaw_joint)
        assert ('turned' in names, 'out of the plane' in names) == (turns, not turns)
        is_closed = settings.safe_zone_margin > 0.0 and name not in REACH_BEHIND
        assert ('too close' in names) is is_closed
        assert 'too far' in names and len(set(names)) == len(names)
        for one in targets[:-1]:
            is_free = settings.orientation_mode == 'free'
            rotation = None if is_free else one.rotation
            found = assess(arm, settings, Target(one.position, rotation))
            assert found.code in (one.expected, one.expected if is_free else Code.ORIENTATION)


@pytest.mark.parametrize('name', ARMS)
def test_refused_targets_are_clearly_refused(name):
    arm = ARMS[name]
    for settings in SETTINGS:
        targets = targets_of(name, settings)
        past = [one.position for one in targets if one.expected is Code.JOINT_LIMIT]
        assert len(past) == (name != WITHOUT_LIMITS)
        for position in past:
            margin = assess(arm, settings, Target(position)).margin
            assert -BESIDE_AN_ARC * arm.arm.max_reach - 1e-9 <= margin <= -CLEARLY
        for one in targets:
            if one.expected is Code.TOO_FAR:
                beyond = assess(arm, settings, Target(one.position)).margin
                assert -0.13 * arm.arm.max_reach <= beyond <= -CLEARLY
            if one.expected is Code.TOO_CLOSE:
                x, y, _ = arm.spatial.plane.into(one.position)
                assert math.hypot(x, y) == pytest.approx(settings.zones(arm).inner / 2.0)
            if one.expected is Code.OUT_OF_PLANE:
                middle = np.mean([targets[0].position, targets[POSES - 1].position], axis=0)
                expected = (*arm.spatial.plane.into(middle)[:2], 0.05)
                assert arm.spatial.plane.into(one.position) == pytest.approx(expected)


@pytest.mark.parametrize('name', [*WITHOUT_WRIST, *LOOKING_DOWN])
def test_the_target_past_a_limit_is_beside_the_longest_arc_that_has_one(name):
    """Beside the middle of a longer arc, there is none above z = 0. If it is below, all are."""
    arm = arm_of(name)
    step, arcs = BESIDE_AN_ARC * arm.arm.max_reach, arm.arm.workspace_boundary().arcs
    (past,) = (one for one in targets_of(name, SETTINGS[0]) if one.expected is Code.JOINT_LIMIT)

    def beside(arc, share):
        for radius in (arc.radius - step, arc.radius + step):
            place = arc._replace(radius=radius).point_at(arc.start + share * arc.sweep)
            yield arm.spatial.plane.point_at(*place)

    def is_past(position):
        found = assess(arm, SETTINGS[0], Target(position))
        return found.code is Code.JOINT_LIMIT and found.margin <= -CLEARLY

    for arc in sorted(arcs, key=lambda one: one.radius * one.sweep, reverse=True):
        if any(past.position == one for share in ALONG_AN_ARC for one in beside(arc, share)):
            break
        assert not any(is_past(one) and one[2] >= 0.0 for one in beside(arc, 0.5))
    else:
        raise AssertionError(past)
    if past.position[2] < 0.0:
        every = [one for arc in arcs for share in ALONG_AN_ARC for one in beside(arc, share)]
        assert not any(one[2] >= 0.0 and is_past(one) for one in every)


@pytest.mark.parametrize('name', ARMS)
def test_refused_targets_have_the_orientation_of_the_first_pose_that_fits(name):
    """An arm that stands looks upwards to them: at a pose no lower than its first joint."""
    arm = ARMS[name]
    targets = targets_of(name, SETTINGS[0])
    shoulder = arm.plane[2, 3] if arm.yaw_joint else -math.inf
    poses = [one for one in targets[:POSES] if one.position[2] >= shoulder] or targets[:POSES]
    for one in targets[POSES:]:
        if one.name in ('too far', 'too close', 'past a limit', 'not finite'):
            np.testing.assert_array_equal(one.rotation, poses[0].rotation)
        if one.name == 'not finite':
            assert one.position[1:] == poses[0].position[1:]


@pytest.mark.parametrize('name', ARMS)
def test_poses_have_each_joint_at_a_share_of_its_range(name):
    """The yaw joint is at 0, and for the turned one at 60 % of its range. Some are left out."""
    arm, targets = ARMS[name], targets_of(name, SETTINGS[0])

    def at(shares, yaw):
        q = (low + share * (high - low) for share, (low, high) in zip(shares, arm.arm.limits))
        joints = arm.naming.named(Configuration(yaw, tuple(q)))
        for wrist, share in zip(arm.wrist_joints, shares):
            low, high = arm.joints[wrist].lower, arm.joints[wrist].upper
            joints[wrist] = low + share * (high - low)
        return arm.forward_kinematics(joints)

    yaw = arm.spatial.yaw
    turned = [one for one in targets if one.name == 'turned']
    for some, angle in ((targets[:POSES], 0.0), (turned, yaw and np.dot((0.4, 0.6), yaw.limits))):
        poses = (at(shares, angle) for shares in (*SHARES, *MORE_SHARES))
        for one in some:  # in the same order
            assert any(
                math.dist(one.position, pose[:3, 3]) < 1e-9
                and np.allclose(one.rotation, pose[:3, :3], rtol=0.0, atol=1e-9)
                for pose in poses
            )


def test_a_continuous_joint_has_a_range_of_its_own():
    planar = shipped_text('planar_3r')
    limits = re.compile(r'lower="[^"]*" upper="[^"]*"')
    free = load_arm(limits.sub('', planar).replace('"revolute"', '"continuous"'))
    bound = load_arm(limits.sub('lower="-2" upper="2"', planar))
    poses = [scenario_targets(arm, Settings())[:POSES] for arm in (free, bound)]
    for one, other in zip(*poses, strict=True):
        assert one.position == pytest.approx(other.position)


def test_a_wide_tolerance_moves_the_target_farther_out_of_the_plane():
    targets = scenario_targets(ARMS['planar_3r'], Settings(out_of_plane_tolerance=0.1))
    (target,) = (one for one in targets if one.expected is Code.OUT_OF_PLANE)
    assert abs(ARMS['planar_3r'].spatial.plane.into(target.position)[2]) == pytest.approx(0.3)


def test_a_margin_that_leaves_no_pose_is_named():
    with pytest.raises(InvalidSettingError, match='no demonstration pose is inside the safe zones'):
        scenario_targets(ARMS['planar_3r'], Settings(safe_zone_margin=0.4499))


def test_too_far_is_upwards_where_the_first_pose_is_not():
    """The so101 with its shoulder at 0.117 m."""
    start = {'shoulder_lift': -0.7, 'elbow_flex': 0.2, 'wrist_flex': 0.4, 'wrist_roll': 0.7}
    arm = ARMS['so101']
    first, *_ = targets = scenario_targets(arm, Settings(), start)
    (too_far,) = (one for one in targets if one.name == 'too far')
    assert first.position[2] < arm.spatial.plane.point_at(0.0, 0.0)[2] < too_far.position[2]
