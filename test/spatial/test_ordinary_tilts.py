# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A wrist axis that leaves the plane: which tilts are answered straight through."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from test_ordinary_poses import with_limit
from tilted_robots import TiltedRobot
from wrist_robots import drawn_on_axis, random_robot, random_robots, without_limits

from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.tilts import most_seen, much_turned_within
from ik_circles.spatial.wrist import LEVEL

TILT = 1e-4  # [rad]
#: Shares of a bound that are clearly below it and above it.
BELOW, ABOVE = 0.8, 1.25


def tilted(arm, own, angle):
    """The pose of a configuration with the only wrist axis out of the plane by an angle [rad]; the
    wrist center stays."""
    (point, rotation), plane = arm.pose(own), arm.carrier.plane
    center = np.array(arm.wrist.center_at(point, rotation.tolist()))
    turned = plane.pose[:3, :3] @ arm.chain.rotation(arm.angles(own))
    normal = rotation_by(plane.yaw_axis, own.yaw) @ plane.normal
    about = np.cross(normal, turned @ arm.chain.hinges[-1].axis)
    turn = rotation_by(about / np.linalg.norm(about), angle)
    place = center + turn @ (point - center)
    pose = FullPose(arm, tuple(place.tolist()), turn @ rotation, TILT)
    least = min(way.posture.tilt for way in pose.ways)
    assert least == pytest.approx(angle, rel=1e-3, abs=2e-11)
    return pose


def bent(rng, count, **others):
    """Exact arms without limits and with one wrist joint, and configurations with a bent elbow."""
    for robot in random_robots(rng, count, each=1, **others):
        one = without_limits(robot)
        own = one.arm.whole_naming.whole(one.drawn(rng))
        if abs(math.sin(own.q[1])) > 0.2 and one.arm.whole.wrist.length > 0.02:
            yield one, own


@pytest.mark.parametrize('share', [BELOW, ABOVE])
def test_no_closer_look_is_needed_past_the_tilt_that_is_allowed_if_no_joint_turns_the_plane(share):
    """Nor if a yaw joint turns it, and the tilt is more than the plane may see of that."""
    rng, seen = np.random.default_rng(0), 0
    for one, own in bent(rng, cases(200, least=10), kinds=[(False, 1)]):
        pose = tilted(one.arm.whole, own, share * TILT)
        assert pose.is_ordinary == (share > 1.0), one.text
        assert not pose.is_ordinary or pose.solutions == []
        seen += 1
    for one, own in bent(rng, cases(200, least=10), kinds=[(True, 1)], on_axis=True):
        arm = one.arm.whole
        outwards = arm.carrier.yaw.from_axis(arm.carrier.planar.pose_at(own.q)[:2])[0]
        if abs(outwards) > 0.1:
            most = most_seen(arm.wrist.length, TILT, outwards)
            assert tilted(arm, own, ABOVE * most).is_ordinary, one.text
            seen += 1
    assert seen


def test_next_to_the_yaw_axis_every_tilt_needs_a_closer_look():
    """Within what a tilt turns far, also if the plane may not see so much."""
    rng, seen = np.random.default_rng(1), [0, 0]
    for robot in random_robots(rng, cases(600, least=30), each=1, kinds=[(True, 1)], on_axis=True):
        one = without_limits(robot)
        arm = one.arm.whole
        within = much_turned_within(arm.wrist.length, TILT)
        for share in (BELOW, ABOVE, -BELOW, -ABOVE):
            own = drawn_on_axis(one, rng, away=share * within)
            own = own and one.arm.whole_naming.whole(own)
            if not own or arm.wrist.length < 0.02 or not tilted(arm, own, 0.0).is_ordinary:
                continue
            assert tilted(arm, own, 0.5).is_ordinary == (abs(share) > 1.0), one.text
            for of_level, is_level in ((BELOW, True), (ABOVE, False)):
                pose = tilted(arm, own, of_level * LEVEL)
                assert pose.is_ordinary == is_level, one.text
            seen[abs(share) > 1.0] += 1
    assert min(seen) > 0


def test_links_of_which_only_one_is_as_short_as_rounding_leave_no_ordinary_pose():
    rng = np.random.default_rng(3)
    for length, apply in ((1e-10, False), (0.1, True)):
        text = random_robot(rng, True, 1, on_axis=True).text
        tree = ElementTree.fromstring(text)
        (origin,) = [one.find('origin') for one in tree.findall('joint') if one.get('name') == 'j3']
        origin.set('xyz', f'{length} 0.0 0.0')
        arm = TiltedRobot(ElementTree.tostring(tree, encoding='unicode')).arm.whole
        assert arm.ordinary.apply is apply
        point, rotation = arm.pose(arm.home)
        assert FullPose(arm, point, rotation, TILT).is_ordinary <= apply


@pytest.mark.parametrize('count', [1, 2])
def test_a_yaw_joint_past_its_limits_needs_a_closer_look_only_if_a_tilt_may_turn_the_plane(
    count,
):
    rng, seen = np.random.default_rng(2), 0
    for one, own in bent(rng, cases(400, 40, least=8), kinds=[(True, count)], on_axis=True):
        name = one.arm.yaw_joint
        named = one.arm.whole_naming.named_whole(own)[name]
        arm = with_limit(one, name, named + 0.1, named + 1.5).arm.whole
        outwards = arm.carrier.yaw.from_axis(arm.carrier.planar.pose_at(own.q)[:2])[0]
        if abs(outwards) < 0.1:
            continue
        if count == 2:
            pose = FullPose(arm, *arm.pose(own), TILT)
            assert pose.is_ordinary and pose.solutions == []
            seen += 1
            continue
        most = most_seen(arm.wrist.length, TILT, outwards)
        for angle, may_turn in (
            (BELOW * LEVEL, False), (ABOVE * LEVEL, True),
            (BELOW * most, True), (ABOVE * most, False),
        ):  # fmt: skip
            pose = tilted(arm, own, angle)
            assert pose.is_ordinary != may_turn, (one.text, angle)
            assert may_turn or pose.solutions == []
        seen += 1
    assert seen
