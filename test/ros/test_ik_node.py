# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node's contract over topics and the service: targets, good and bad."""

import math
import random
import re
from collections.abc import Iterator

import pytest
from ros_processes import PLANAR_3R

# isort: split
from ros_probe import LEVEL, IkProbe, probed
from sensor_msgs.msg import JointState

from ik_circles import load_arm
from ik_circles.reasons import Code

INF, NAN = math.inf, math.nan
ARM = load_arm(PLANAR_3R)
LIMITS = dict(zip(ARM.joint_names, ARM.arm.limits, strict=True))
GOOD = (0.6, 0.2, 0.0)
#: A frame that a fixed joint puts 0.5 m ahead of base_link and turns by 90 deg about z.
TABLE = """
  <link name="table"/>
  <joint name="table_joint" type="fixed">
    <parent link="base_link"/> <child link="table"/>
    <origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/>
  </joint>
</robot>"""


@pytest.fixture(scope='module')
def ik() -> Iterator[IkProbe]:
    description = PLANAR_3R.replace('</robot>', TABLE)
    with probed({'robot_description': description, 'tip_link': 'tip'}) as probe:
        yield probe
    for command, _ in probe.commands:
        assert len(command.name) == len(command.position) == 3
        for name, position in zip(command.name, command.position, strict=True):
            lower, upper = LIMITS[name]
            assert lower <= position <= upper


def tip(command: JointState) -> tuple[float, float, float]:
    positions = dict(zip(command.name, command.position, strict=True))
    x, y, z = map(float, ARM.forward_kinematics(positions)[:3, 3])
    return x, y, z


def test_a_reachable_pose_is_sent_and_reported(ik: IkProbe) -> None:
    status = ik.send(GOOD)
    assert (status.code, status.header.frame_id) == (Code.OK, 'base_link')
    assert tip(status.command) == pytest.approx(GOOD, abs=1e-9)
    assert sum(status.command.position) == pytest.approx(0.0, abs=1e-9)
    assert status.margin > 0.0
    assert status.command.header.stamp.sec > 1_000_000_000


def test_a_point_is_reached_with_any_orientation(ik: IkProbe) -> None:
    status = ik.send_point(GOOD)
    assert status.code == Code.OK
    assert tip(status.command) == pytest.approx(GOOD, abs=1e-9)


def test_the_service_answers_and_moves_nothing(ik: IkProbe) -> None:
    before = len(ik.commands)
    answer = ik.check(GOOD)
    assert answer.reachable and answer.code == Code.OK and answer.margin > 0.0
    assert [tip(solution) for solution in answer.solutions] == [pytest.approx(GOOD)] * 2
    assert len(answer.orientation_lower) == len(answer.orientation_upper) > 0
    turned = 0.0, 0.0, math.sin(0.2), math.cos(0.2)
    as_it_is = ik.check(GOOD, turned, orientation=True)
    assert as_it_is.reachable and as_it_is.nearest.pose == ik.pose(GOOD, turned).pose
    longer = ik.check(GOOD, [1.005 * value for value in turned], orientation=True)
    answered = longer.nearest.pose.orientation
    assert (answered.z, answered.w) == pytest.approx(turned[2:], abs=1e-12)
    far = ik.check((2.0, 0.0, 0.0))
    assert (far.reachable, far.code, far.solutions) == (False, Code.TOO_FAR, [])
    assert far.margin == pytest.approx(-1.1)
    assert far.nearest.pose.position.x == pytest.approx(0.9)
    ik.send((2.0, 0.0, 0.0))  # whatever the service had sent would be here before this answer
    assert len(ik.commands) == before


def test_an_answer_tells_nothing_of_those_before(ik: IkProbe) -> None:
    """The node fills the same message again; only the stamp is the target's own."""
    questions = [
        lambda: ik.check(GOOD),
        lambda: ik.check(GOOD, (0.0, 0.0, math.sin(0.2), math.cos(0.2)), orientation=True),
        lambda: ik.check((2.0, 0.0, 0.0)),
        lambda: ik.check((NAN, 0.0, 0.0)),
        lambda: ik.check(GOOD, frame='moon'),
        lambda: ik.check((0.6, 0.2, 0.1)),
        lambda: ik.check(GOOD, TILTED, orientation=True),
    ]

    def answer(number: int) -> str:
        return re.sub('nanosec=[0-9]+', '', str(questions[number]()))

    first = [answer(number) for number in range(len(questions))]
    assert len(set(first)) == len(first)
    draw = random.Random(1)
    for _ in range(60):
        number = draw.randrange(len(questions))
        assert answer(number) == first[number]


TILTED = (math.sin(0.5), 0.0, 0.0, math.cos(0.5))


@pytest.mark.parametrize(
    ('position', 'quaternion', 'code', 'words'),
    [
        ((1.0, 0.0, 0.0), None, Code.TOO_FAR, 'too far by 0.100 m'),
        ((-0.8, 0.0, 0.0), None, Code.JOINT_LIMIT, 'would exceed its'),
        ((0.6, 0.2, 0.1), None, Code.OUT_OF_PLANE, 'by 0.1 m'),
        ((NAN, 0.0, 0.0), None, Code.NOT_FINITE, 'nan'),
        ((0.5, INF, 0.0), None, Code.NOT_FINITE, 'inf'),
        ((0.5, 0.0, -INF), None, Code.NOT_FINITE, '-inf'),
        (GOOD, (0.0, 0.0, NAN, 1.0), Code.NOT_FINITE, 'nan'),
        (GOOD, (0.0, 0.0, INF, 1.0), Code.NOT_FINITE, 'inf'),
        (GOOD, (0.0, 0.0, 0.0, 0.0), Code.ORIENTATION, 'length 0'),
        (GOOD, (0.0, 0.0, 0.0, 2.0), Code.ORIENTATION, 'length 2'),
        (GOOD, (0.0, 0.0, 1e308, 1e308), Code.ORIENTATION, 'length'),
        (GOOD, TILTED, Code.ORIENTATION, "tilts the arm's plane by 57.3 deg"),
        ((1e308, 0.0, 0.0), None, Code.TOO_FAR, 'too far'),
        ((-1e308, 1e308, 0.0), None, Code.TOO_FAR, 'too far'),
        ((1e308, 1e308, 1e308), None, Code.OUT_OF_PLANE, 'out of the plane'),
    ],
)
def test_bad_targets_are_refused_with_a_reason(
    ik: IkProbe, position: tuple, quaternion: tuple | None, code: Code, words: str
) -> None:
    turned = quaternion or LEVEL
    status = ik.send(position, turned)
    answer = ik.check(position, turned, orientation=True)
    assert Code(status.code) is Code(answer.code) is code
    assert words in status.message and words in answer.message
    assert not status.command.name and not answer.reachable
    assert ik.send_point(position).code == (code if quaternion is None else Code.OK)


def test_bytes_that_are_no_message_are_left_out(ik: IkProbe) -> None:
    before = len(ik.commands), len(ik.statuses)
    for data in (b'\x00', b'\x00\x01\x00\x00' + b'\xff' * 80, b'no message at all'):
        for publisher in (ik.poses, ik.points):
            publisher.publish(data)
    assert ik.send(GOOD).code == Code.OK
    assert (len(ik.commands), len(ik.statuses)) == (before[0] + 1, before[1] + 1)


def test_a_target_on_the_base_is_answered(ik: IkProbe) -> None:
    for position in ((0.0, 0.0, 0.0), (5e-324, -5e-324, 0.0)):
        assert ik.send_point(position).code == ik.check(position).code


def test_frames(ik: IkProbe) -> None:
    for frame, words in (('', "is empty; use 'base_link'"), ('moon', "'moon' is unknown")):
        for status in (ik.send(GOOD, frame=frame), ik.send_point(GOOD, frame)):
            assert (status.code, status.header.frame_id) == (Code.BAD_FRAME, frame)
            assert words in status.message and not status.command.name
            assert math.isnan(status.margin) and status.nearest.header.frame_id == ''
    unknown = ik.check(GOOD, frame='moon').message
    assert 'links of the robot are base_link, tip, ' in unknown and 'did you mean' not in unknown
    assert "did you mean 'base_link'? " in ik.check(GOOD, frame='/base_link').message
    assert len(ik.check(GOOD, frame='m' * 10_000).message) < 1000
    status = ik.send((0.2, -0.1, 0.0), frame='table')
    assert tip(status.command) == pytest.approx((0.6, 0.2, 0.0), abs=1e-9)
    assert ik.send((1e308, 1e308, 0.0), frame='table').code == Code.TOO_FAR


def test_a_stamp_before_the_epoch_is_no_trouble(ik: IkProbe) -> None:
    message = ik.pose(GOOD)
    message.header.stamp.sec = -5
    assert ik.answer(ik.poses, message).code == Code.OK
    message.header.frame_id = 'moon'
    assert ik.answer(ik.poses, message).code == Code.BAD_FRAME


def test_the_measured_joints_choose_the_branch(ik: IkProbe) -> None:
    names = list(ARM.joint_names)
    one, other = (solution.position for solution in ik.check(GOOD, orientation=True).solutions)
    for near in (one, other, one):
        ik.joint_states.publish(JointState(name=names, position=near))
        ik.wait(
            lambda near=near: ik.send(GOOD).command.position == pytest.approx(near, abs=1e-6),
            'the branch near the measured joints',
        )


@pytest.mark.parametrize(
    ('name', 'position'),
    [
        (ARM.joint_names, (NAN, INF, -INF)),
        (ARM.joint_names, (0.1,)),
        (ARM.joint_names[:1], (0.1, 0.2, 0.3)),
        ((), (0.1,)),
        (('moon', ''), (1.0, 2.0)),
        (ARM.joint_names, (1e308, -1e308, 1e308)),
    ],
)
def test_junk_joint_states_do_no_harm(ik: IkProbe, name: tuple, position: tuple) -> None:
    ik.joint_states.publish(JointState(name=name, position=position))
    for _ in range(3):
        assert tip(ik.send(GOOD).command) == pytest.approx(GOOD, abs=1e-9)
        assert tip(ik.send_point(GOOD).command) == pytest.approx(GOOD, abs=1e-9)
