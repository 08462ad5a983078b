# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node's parameters and robot description, changed while it runs."""

import math
from collections.abc import Iterator

import pytest
from ros_processes import PLANAR_3R

# isort: split
from ros_probe import IkProbe, probed
from sensor_msgs.msg import JointState

from ik_circles.reasons import Code

GOOD = (0.6, 0.2, 0.0)
FAR = (1.0, 0.0, 0.0)
#: The same arm with a shorter hand: reaches 0.8 m.
SHORTER = PLANAR_3R.replace('xyz="0.2 0 0"/>\n  </joint>', 'xyz="0.1 0 0"/>\n  </joint>')
TURNED = (0.0, 0.0, 1.0, 0.0)


@pytest.fixture(scope='module')
def node() -> Iterator[IkProbe]:
    with probed({'robot_description': PLANAR_3R}, '/left') as probe:
        yield probe


@pytest.fixture
def ik(node: IkProbe) -> Iterator[IkProbe]:
    """The node; its parameters are put back afterwards."""
    yield node
    node.set_defaults(PLANAR_3R)


def elbow(command: JointState) -> float:
    return command.position[list(command.name).index('elbow_joint')]


def test_a_description_longer_than_the_cap_is_refused_unread(ik: IkProbe) -> None:
    refused = ik.set(max_description_bytes=100)
    assert not refused.successful
    assert 'bytes' in refused.reason and '100' in refused.reason
    assert ik.send(GOOD).code == Code.OK


def test_the_namespace_is_on_every_name(ik: IkProbe) -> None:
    assert ik.send(GOOD).code == Code.OK  # the probe is in the namespace, with relative names
    topics = {
        topic
        for topic, _ in ik.node.get_topic_names_and_types()
        if topic not in ('/rosout', '/parameter_events', '/tf', '/tf_static', '/diagnostics')
    }
    assert {topic for topic in topics if not topic.startswith('/left/')} == set()
    assert '/left/ik_node/workspace' in topics


def test_branch(ik: IkProbe) -> None:
    assert ik.set(branch='elbow_up').successful
    assert elbow(ik.send(GOOD).command) < 0.0
    assert ik.set(branch='elbow_down').successful
    assert elbow(ik.send(GOOD).command) > 0.0


def test_orientation_mode(ik: IkProbe) -> None:
    preferred = ik.send(GOOD, TURNED)
    assert preferred.code == Code.OK and 'not with tool orientation 180.0 deg' in preferred.message
    assert ik.set(orientation_mode='fixed').successful
    fixed = ik.send(GOOD, TURNED)
    assert fixed.code == Code.ORIENTATION and not fixed.command.name
    assert ik.set(orientation_mode='free').successful
    assert ik.send(GOOD, (0.0, 0.0, 0.0, 0.0)).code == Code.OK


def test_on_unreachable(ik: IkProbe) -> None:
    assert not ik.send(FAR).command.name
    assert ik.set(on_unreachable='nearest').successful
    status = ik.send(FAR)
    assert status.code == Code.TOO_FAR
    assert 'moving to the nearest pose instead' in status.message
    assert tuple(status.command.position) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    for code, bad in ((Code.NOT_FINITE, (math.nan, 0, 0)), (Code.TOO_FAR, (1e308, 1e308, 0))):
        status = ik.send(bad)
        assert status.code == code and bool(status.command.name) == (code is Code.TOO_FAR)


def test_lengths(ik: IkProbe) -> None:
    assert ik.send((0.85, 0.0, 0.0)).code == Code.OK
    assert ik.set(safe_zone_margin=0.1).successful
    assert ik.send((0.85, 0.0, 0.0)).code == Code.TOO_FAR
    assert ik.send((0.6, 0.2, 0.05)).code == Code.OUT_OF_PLANE
    assert ik.set(out_of_plane_tolerance=0.1).successful
    assert ik.send((0.6, 0.2, 0.05)).code == Code.OK


@pytest.mark.parametrize(
    ('name', 'value', 'words'),
    [
        ('branch', 'left', "branch is 'left'; choose one of nearest"),
        ('branch', 1, 'type'),
        ('orientation_mode', 'any', "orientation_mode is 'any'; choose one of fixed"),
        ('on_unreachable', '', "on_unreachable is ''; choose one of reject"),
        ('safe_zone_margin', -0.1, 'safe_zone_margin'),
        ('safe_zone_margin', math.nan, 'nan'),
        ('safe_zone_margin', 0.5, 'leaves nothing between the safe zones'),
        ('out_of_plane_tolerance', math.inf, 'out_of_plane_tolerance'),
        ('seed_tolerance', -0.1, 'seed_tolerance'),
        ('max_joint_step', math.nan, 'nan'),
        ('target_timeout', math.inf, 'target_timeout'),
        ('command_interface', 'effort', "command_interface is 'effort'; choose one of joint_state"),
        ('controller_joints', ['moon'], "names 'moon', which is not a movable joint of the robot"),
        ('controller_joints', ['elbow_joint'], 'lacks shoulder_joint, wrist_joint; it must have'),
        ('controller_joints', ['elbow_joint'] * 2, "names 'elbow_joint' twice"),
        ('controller_joints', 'elbow_joint', 'lacks shoulder_joint'),
        ('named_positions', ['park'], 'write NAME JOINT=POSITION'),
        ('controller_joints', [1, 2], 'controller_joints has 1; give a list of texts'),
        ('base_link', 'moon', "no link 'moon'"),
        ('tip_link', 'base_link', 'three successive revolute joints'),
        ('robot_description', '<robot', 'not well-formed'),
        ('robot_description', '<robot name="r"><link name="a"/></robot>', ''),
        ('robot_description', PLANAR_3R.replace('lower="-1.8"', 'lower="9"'), 'upside down'),
        ('robot_description', PLANAR_3R.replace('0 0 1', '1 0 0', 1), 'parallel axes'),
    ],
)
def test_a_bad_value_is_refused_and_the_old_one_stays(
    ik: IkProbe, name: str, value: object, words: str
) -> None:
    before = ik.send(GOOD)
    result = ik.set(**{name: value})
    assert not result.successful
    assert words in result.reason and len(result.reason) > 20
    after = ik.send(GOOD)
    assert (after.code, after.command.position) == (before.code, before.command.position)


def test_a_description_must_fit_the_margin(ik: IkProbe) -> None:
    assert ik.set(safe_zone_margin=0.42).successful
    result = ik.set(robot_description=SHORTER)
    assert not result.successful and 'safe_zone_margin 0.42 m leaves nothing' in result.reason
    assert ik.set(safe_zone_margin=0.0).successful
    assert ik.set(robot_description=SHORTER).successful
    assert ik.send((0.85, 0.0, 0.0)).code == Code.TOO_FAR
