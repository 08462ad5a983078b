# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Targets whose transform comes late, with a stand-in for tf2_ros; simulated time stands still."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from ros_processes import PLANAR_3R

# isort: split
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PointStamped, TransformStamped
from ik_circles.srv import CheckReachability
from rclpy.task import Future
from ros_probe import LATCHED, IkProbe, probed
from rosgraph_msgs.msg import Clock

from ik_circles import load_arm
from ik_circles.reasons import Code

#: Stands in for tf2_ros: keeps the newest transform to each frame, and hears them on `late_tf`.
STAND_IN = """
from geometry_msgs.msg import TransformStamped
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.time import Time

class TransformException(Exception): pass
class LookupException(TransformException): pass
class ConnectivityException(TransformException): pass
class ExtrapolationException(TransformException): pass

class Buffer:
    def __init__(self):
        self.newest = {}

    def clear(self):
        self.newest.clear()

    def lookup_transform(self, target_frame, source_frame, time):
        if source_frame == 'island':
            raise ConnectivityException('they are not part of the same tree')
        found = self.newest.get(source_frame)
        if found is None:
            raise LookupException(f'{source_frame} does not exist. ')  # as tf2 ends a sentence
        at = Time.from_msg(found.header.stamp).nanoseconds
        if time.nanoseconds not in (0, at):
            raise ExtrapolationException(f'there is only {at}')
        return found

    def get_latest_common_time(self, target_frame, source_frame):
        return Time.from_msg(self.newest[source_frame].header.stamp)

class TransformListener:
    def __init__(self, buffer, node):
        self.buffer = buffer
        qos = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        node.create_subscription(TransformStamped, 'late_tf', self.callback, qos)

    def callback(self, data):
        self.buffer.newest[data.child_frame_id] = data
"""
#: Longer than any test: whatever is answered was answered by its transform, or at once.
LONG = 1000.0
#: Where the camera is seen from base_link [m].
CAMERA = (0.5, 0.1, 0.0)
#: A target that needs no transform [m].
GOOD = (0.6, 0.2, 0.0)
ARM = load_arm(PLANAR_3R)


@pytest.fixture(scope='module')
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IkProbe]:
    folder: Path = tmp_path_factory.mktemp('stand_in')
    (folder / 'tf2_ros.py').write_text(STAND_IN)
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:  # for this one process
            patch.setenv('PYTHONPATH', f'{folder}{os.pathsep}{os.environ["PYTHONPATH"]}')
            parameters = {'robot_description': PLANAR_3R, 'use_sim_time': True}
            probe = stack.enter_context(probed(parameters, '/late'))
        probe.transforms = probe.node.create_publisher(TransformStamped, 'late_tf', LATCHED)
        yield probe


@pytest.fixture
def ik(node: IkProbe) -> Iterator[IkProbe]:
    """The node, which knows the camera at second 10, and waits long."""
    assert node.set(transform_timeout=LONG).successful
    come(node, 10)
    node.wait(lambda: wait(node, ask(node, 10)).code == Code.OK, 'the camera')
    node.statuses.clear()
    yield node
    node.set_defaults(PLANAR_3R)


def come(ik: IkProbe, second: int) -> None:
    """The camera's transform at this second comes."""
    transform = TransformStamped(child_frame_id='camera')
    transform.header.frame_id, transform.header.stamp.sec = 'base_link', second
    at = transform.transform.translation
    at.x, at.y, at.z = CAMERA
    ik.transforms.publish(transform)


def aim(ik: IkProbe, second: int) -> None:
    """Send a target with this stamp; the node does not answer it, but a later question."""
    message = PointStamped()
    message.header.frame_id, message.header.stamp.sec = 'camera', second
    before = answers(ik)
    ik.points.publish(message)
    assert ik.check(GOOD).code == Code.OK
    assert answers(ik) == before


def ask(ik: IkProbe, second: int) -> Future:
    """Ask about the camera's place at this second."""
    target = ik.pose((0.0, 0.0, 0.0), frame='camera')
    target.header.stamp = Time(sec=second)
    return ik.service.call_async(CheckReachability.Request(target=target))


def answers(ik: IkProbe) -> list[tuple[int, int]]:
    """Second and code of every answer to a target in the camera's frame."""
    return [
        (status.header.stamp.sec, status.code)
        for status, _ in ik.statuses
        if status.header.frame_id == 'camera'
    ]


def test_a_target_waits_for_its_transform(ik: IkProbe) -> None:
    aim(ik, 11)
    come(ik, 11)
    ik.wait(lambda: answers(ik), 'the answer')
    assert answers(ik) == [(11, Code.OK)]
    command = ik.statuses[-1][0].command
    tip = ARM.forward_kinematics(dict(zip(command.name, command.position, strict=True)))[:3, 3]
    assert tuple(map(float, tip)) == pytest.approx(CAMERA, abs=1e-9)


def test_the_newest_target_and_the_first_wait(ik: IkProbe) -> None:
    for second in (11, 12, 13):
        aim(ik, second)
    come(ik, 11)
    ik.wait(lambda: answers(ik), 'the first answer')
    come(ik, 12)
    asked = ask(ik, 12)
    ik.wait(asked.done, 'second 12 to be known')
    come(ik, 13)
    ik.wait(lambda: len(answers(ik)) > 1, 'the last answer')
    assert answers(ik) == [(11, Code.OK), (13, Code.OK)]


def test_a_target_that_need_not_wait_replaces_those_that_do(ik: IkProbe) -> None:
    aim(ik, 11)
    assert ik.send_point(GOOD).code == Code.OK
    come(ik, 11)
    asked = ask(ik, 11)
    ik.wait(asked.done, 'second 11 to be known')
    aim(ik, 12)
    come(ik, 12)
    ik.wait(lambda: answers(ik), 'the answer')
    assert answers(ik) == [(12, Code.OK)]


def test_every_question_waits_and_is_answered(ik: IkProbe) -> None:
    asked = {second: ask(ik, second) for second in (12, 11)}
    assert ik.check(GOOD).code == Code.OK
    assert not any(future.done() for future in asked.values())
    for second in (11, 12):
        come(ik, second)
        ik.wait(asked[second].done, f'the answer about second {second}')
        assert asked[second].result().code == Code.OK
        assert asked[second].result().nearest.header.stamp.sec == second


def test_the_wait_ends_while_simulated_time_stands_still(ik: IkProbe) -> None:
    words = "frame 'camera' has no transform at the target's stamp yet: the newest one is {} s"
    for patience, second in ((0.0, 14), (0.1, 15)):
        assert ik.set(transform_timeout=patience).successful
        target = ik.send_point((0.0, 0.0, 0.0), 'camera', second)
        for answer in (target, wait(ik, ask(ik, second))):
            assert answer.code == Code.BAD_FRAME
            assert words.format(second - 10) in answer.message


def test_what_no_wait_can_help_is_answered_at_once(ik: IkProbe) -> None:
    for frame, second, words in (
        ('camera', 9, "at the target's stamp any more"),
        ('moon', 14, "frame 'moon' is unknown (tf2 says: moon does not exist); "),
        ('island', 14, "frame 'island' is not connected with 'base_link' (tf2 says: they are not "),
        ('camera', -1, "the target's stamp is before 1970"),
        ('', 14, 'frame_id is empty'),
    ):
        answer = ik.send_point((0.0, 0.0, 0.0), frame, second)
        assert answer.code == Code.BAD_FRAME and words in answer.message
    assert ik.send_point(GOOD, 'base_link', 14).code == Code.OK


def test_what_came_before_simulated_time_was_set_back_is_forgotten(ik: IkProbe) -> None:
    clock = ik.node.create_publisher(Clock, '/clock', LATCHED)
    for second, code in ((100, Code.OK), (1, Code.BAD_FRAME)):

        def has_come(second: int = second) -> bool:
            clock.publish(Clock(clock=Time(sec=second)))
            ik.statuses.clear()  # it may have been asked before the second came
            return ik.send_point(GOOD, 'base_link', 0).command.header.stamp.sec == second

        ik.wait(has_come, f'second {second}')
        assert wait(ik, ask(ik, 10)).code == code
    ik.node.destroy_publisher(clock)


def wait(ik: IkProbe, future: Future) -> CheckReachability.Response:
    ik.wait(future.done, 'an answer')
    return future.result()


def test_targets_stamped_now_in_a_frame_that_tf2_moves_are_taken() -> None:
    """With the real tf2_ros, where there is one."""
    tf2_ros = pytest.importorskip('tf2_ros', reason='tf2_ros is missing: it comes with full ROS 2')
    with probed({'robot_description': PLANAR_3R, 'transform_timeout': LONG}, '/real') as ik:
        sender = tf2_ros.TransformBroadcaster(ik.node)

        def move() -> None:
            transform = TransformStamped(child_frame_id='camera')
            transform.header.frame_id = 'base_link'
            transform.header.stamp = ik.node.get_clock().now().to_msg()
            transform.transform.translation.x = CAMERA[0]
            sender.sendTransform(transform)

        def known() -> bool:
            move()
            return wait(ik, ask(ik, 0)).code == Code.OK

        ik.wait(known, 'the camera')
        timer = ik.node.create_timer(0.05, move)
        for _ in range(20):
            stamp = ik.node.get_clock().now().to_msg()
            target = PointStamped()
            target.header.frame_id, target.header.stamp = 'camera', stamp
            assert ik.answer(ik.points, target).code == Code.OK
        ik.node.destroy_timer(timer)
