# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Streams that move a simulated arm: smooth targets, what controllers are sent, and jogs."""

import math
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from ros_processes import URDF

# isort: split
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PointStamped, TwistStamped
from motion_probe import ARM, ARRIVED, NAMES, MotionProbe, distance, moving, seconds
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from ik_circles.reasons import Code

assert URDF.is_dir()
BENT = {'shoulder_lift': -0.3, 'elbow_flex': 0.5, 'wrist_flex': 0.4}
#: Time between targets or jogs of a stream [s].
EVERY = 0.02
#: A box in front of the arm, all of which it reaches [m].
LOW, HIGH = np.array((0.17, -0.12, 0.08)), np.array((0.27, 0.12, 0.2))


@pytest.fixture(scope='module')
def shared() -> Iterator[MotionProbe]:
    with moving('/streamed') as probe:
        yield probe


@pytest.fixture
def arm(shared: MotionProbe) -> Iterator[MotionProbe]:
    """The arm at rest at BENT, and nothing kept of what was sent before."""
    shared.home(**BENT)
    shared.wait(shared.rests, 'the arm at rest')
    shared.all_sent()
    shared.sent.clear()
    yield shared
    shared.wait(shared.rests, 'the arm at rest')
    changes = {
        'floor': -1000.0, 'jog_timeout': 0.2, 'motion': 'direct', 'command_interface': 'joint_state'
    }  # fmt: skip
    for name, value in changes.items():
        shared.wait(lambda n=name, v=value: shared.set(**{n: v}).successful, name)
    shared.wait(lambda: shared.go(joints=shared.joints(elbow_flex=0.5))[1].code == 0, 'the arm')


def aim(probe: MotionProbe, position: Sequence[float]) -> None:
    """Send a target point, and do not wait for anything."""
    message = PointStamped()
    message.header.frame_id = 'base_link'
    message.point.x, message.point.y, message.point.z = map(float, position)
    probe.points.publish(message)


def stream(probe: MotionProbe, count: int, send: Callable[[int], None]) -> None:
    """Send something every 20 ms."""
    begin = time.monotonic()
    for number in range(count):
        send(number)
        due = begin + EVERY * (number + 1)
        probe.wait(lambda due=due: time.monotonic() >= due, 'the next one')


def jog(
    probe: MotionProbe,
    count: int,
    linear: Sequence[float] = (0.0, 0.0, 0.0),
    frame: str = 'base_link',
    stamp: Time | None = None,
) -> None:
    message = TwistStamped()
    message.header.frame_id, message.header.stamp = frame, stamp or Time()
    twist = message.twist.linear
    twist.x, twist.y, twist.z = map(float, linear)
    stream(probe, count, lambda _: probe.jogs.publish(message))


def tips(probe: MotionProbe) -> np.ndarray:
    _, places = probe.path()
    return np.array([probe.tip(dict(zip(NAMES, one)))[:3, 3] for one in places])


def check_arrived(probe: MotionProbe, position: Sequence[float]) -> None:
    probe.wait(
        lambda: probe.rests() and distance(probe.tip(probe.measured)[:3, 3], position) < ARRIVED,
        f'the tip at {position}',
    )


def test_direct_targets_are_sent_at_once(arm: MotionProbe) -> None:
    for y in (0.1, -0.1):
        status = arm.send_point((0.2, y, 0.15))
        assert status.code == Code.OK
        arm.wait(lambda status=status: arm.sent[-1:] == [status.command], 'the command')
    assert len(arm.sent) == 2
    check_arrived(arm, (0.2, -0.1, 0.15))


def test_smooth_targets_that_jump_keep_all_limits(arm: MotionProbe) -> None:
    random = np.random.default_rng(1)
    assert arm.set(motion='smooth').successful
    stream(arm, 100, lambda _: aim(arm, random.uniform(LOW, HIGH)))
    status = arm.send_point((0.22, -0.05, 0.12))
    assert status.code == Code.OK
    check_arrived(arm, (0.22, -0.05, 0.12))
    arm.check_smooth()
    assert len(arm.sent) > 100
    # Where the arm is already, nothing moves.
    arm.sent.clear()
    stream(arm, 20, lambda _: aim(arm, (0.22, -0.05, 0.12)))
    moved = np.ptp(arm.path()[1], axis=0) if arm.sent else np.zeros(1)
    assert moved.max() < 1e-3


def test_targets_that_come_faster_than_commands_move_the_arm(arm: MotionProbe) -> None:
    """Law: a new target does not put the next command off."""
    assert arm.set(command_rate=20.0).successful
    assert arm.set(motion='smooth').successful
    stream(arm, 75, lambda number: aim(arm, (0.2, 0.1 - 0.1 * (number % 2), 0.15)))
    assert len(arm.sent) > 15
    assert arm.send_point((0.2, 0.1, 0.15)).code == Code.OK
    check_arrived(arm, (0.2, 0.1, 0.15))
    arm.check_smooth()
    assert arm.set(command_rate=100.0).successful


def test_a_controller_of_trajectories_is_sent_whole_timed_paths(arm: MotionProbe) -> None:
    paths: list[JointTrajectory] = []
    arm.listen(JointTrajectory, 'joint_trajectory', paths)
    assert arm.set(command_interface='trajectory').successful
    assert arm.set(motion='smooth').successful
    arm.wait(lambda: arm.node.count_publishers(arm.node.resolve_topic_name('joint_trajectory')),
             'the publisher')  # fmt: skip
    goal = (0.2, 0.1, 0.15)
    paths.clear()
    at = dict(arm.measured)
    assert arm.send_point(goal).code == Code.OK
    arm.wait(lambda: paths, 'a path')
    check_arrived(arm, goal)
    (path,) = paths
    assert list(path.joint_names) == list(NAMES)
    times = [seconds(one.time_from_start) for one in path.points]
    assert times == sorted(set(times))
    assert times[0] > 0.0
    assert not any(path.points[-1].velocities)
    assert all(len(one.velocities) == len(NAMES) == len(one.positions) for one in path.points)
    first = np.array(path.points[0].positions)
    reach = np.abs(path.points[0].velocities) * times[0]  # it begins at rest, where the arm is
    assert (np.abs(first - [at[name] for name in NAMES]) <= reach + 1e-3).all()
    # Jumping targets, a goal, a cancellation of it and a jog: the simulated arm refuses none.
    random = np.random.default_rng(2)
    stream(arm, 40, lambda _: aim(arm, random.uniform(LOW, HIGH)))
    assert arm.send_point(goal).code == Code.OK
    check_arrived(arm, goal)
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.0), speed=0.4)
    arm.underway(sent)
    arm.cancel(sent)
    arm.cancel(sent)
    assert arm.end(sent)[1].code == Code.CANCELED
    begin = arm.tip(arm.measured)[:3, 3]
    jog(arm, 30, (0.0, -0.05, 0.0))
    arm.wait(arm.rests, 'the arm at rest')
    assert begin[1] - arm.tip(arm.measured)[1, 3] > 0.015
    assert 'refused' not in arm.simulated.output
    assert all(one.points and not any(one.points[-1].velocities) for one in paths)


def test_a_forward_controller_is_sent_samples(arm: MotionProbe) -> None:
    samples: list[Float64MultiArray] = []
    arm.listen(Float64MultiArray, 'position_commands', samples)
    names = list(reversed(NAMES))
    assert arm.set(controller_joints=names).successful
    assert arm.set(command_interface='position_array').successful
    topic = arm.node.resolve_topic_name('position_commands')
    arm.wait(lambda: arm.node.count_publishers(topic), 'the publisher')
    assert arm.go(joints=arm.joints(shoulder_pan=0.5), speed=0.4)[1].code == Code.OK
    arm.wait(lambda: samples, 'samples')
    last = dict(zip(names, samples[-1].data))
    assert last == pytest.approx(dict.fromkeys(NAMES, 0.0) | BENT | {'shoulder_pan': 0.5}, abs=2e-3)
    assert len(samples) > 10
    assert arm.set(controller_joints=list(NAMES)).successful


def test_a_jog_moves_the_tip_along_its_velocity(arm: MotionProbe) -> None:
    jog(arm, 50, (0.0, 0.05, 0.0))
    arm.check_smooth()
    way = tips(arm)
    moved = way[-1] - way[0]
    assert 0.035 < moved[1] < 0.075
    assert math.hypot(moved[0], moved[2]) < 0.002


def test_a_jog_in_the_frame_of_the_tip(arm: MotionProbe) -> None:
    forward = arm.tip(arm.measured)[:3, :3] @ (0.0, 0.0, -1.0)
    jog(arm, 40, (0.0, 0.0, -0.03), ARM.tip_link)
    arm.check_smooth()
    moved = tips(arm)[-1] - tips(arm)[0]
    assert distance(moved / np.linalg.norm(moved), forward) < 0.1


def test_a_jog_slides_along_the_edge(arm: MotionProbe) -> None:
    assert arm.set(jog_timeout=1.0).successful  # a busy machine may send a jog late
    jog(arm, 100, (0.15, 0.0, 0.0))
    before = arm.tip(arm.measured)[:3, 3]

    def slid() -> bool:
        jog(arm, 1, (0.1, 0.1, 0.0))
        return bool(arm.tip(arm.measured)[1, 3] - before[1] > 0.02)

    arm.wait(slid, 'the tip to slide')
    arm.check_smooth()


def test_a_jog_that_falls_silent_stops(arm: MotionProbe) -> None:
    """In jog_timeout, and what is older than that counts as nothing."""
    jog(arm, 20, (0.0, 0.05, 0.0))
    arm.wait(lambda: arm.rests() and arm.sent, 'rest')
    arm.check_smooth()
    times, places = arm.path()
    still = np.flatnonzero(np.abs(np.diff(places, axis=0)).max(axis=1) > 1e-9)[-1]
    assert times[still] - times[0] < 20 * EVERY + 0.2 + 0.5
    arm.sent.clear()
    now = arm.node.get_clock().now().nanoseconds - 2_000_000_000
    jog(arm, 5, (0.0, 0.05, 0.0), stamp=Time(sec=now // 10**9, nanosec=now % 10**9))
    arm.wait(lambda: 'old, jog_timeout is' in arm.process.output, 'a warning')
    assert arm.sent == []


def test_bad_jogs_draw_one_warning() -> None:
    with moving('/badly') as arm:
        arm.all_sent()
        arm.sent.clear()
        for linear, frame, words in (
            ((0.1, 0.0, 0.0), 'nowhere', 'nowhere'),
            ((math.nan, 0.0, 0.0), 'base_link', 'give finite numbers'),
            ((0.1, 0.0, 0.0), 'base_link', 'enable it with the service /badly/ik_node/enable'),
        ):
            if 'enable' in words:
                arm.enable(False)
            before = arm.process.output.count('jog: ')
            jog(arm, 5, linear, frame)
            arm.wait(lambda words=words: words in arm.process.output, words)
            assert arm.process.output.count('jog: ') == before + 1
            wake = time.monotonic() + 1.1  # the next warning is due
            arm.wait(lambda wake=wake: time.monotonic() > wake, 'a second')
        assert arm.sent == []


def test_a_jog_of_an_arm_that_is_gone_stops() -> None:
    """Law: the stream does not hide that joint_states are silent.

    Where the jogs were late, too, the arm had stopped for that, and the next one is refused.
    """
    with moving('/gone') as arm:
        arm.home(**BENT)
        arm.all_sent()
        arm.sent.clear()
        jog(arm, 20, (0.0, 0.02, 0.0))
        arm.simulated.kill()
        for _ in range(60):  # a busy machine needs more than the first 1.5 s
            jog(arm, 75, (0.0, 0.02, 0.0))
            if 'which is feedback_timeout' in arm.process.output:
                break
        assert 'which is feedback_timeout' in arm.process.output
        arm.check_smooth()
        count = len(arm.sent)
        jog(arm, 20, (0.0, 0.02, 0.0))
        assert len(arm.sent) == count


def test_above_the_floor(arm: MotionProbe) -> None:
    """A target below it is FLOOR, a way through it is refused, and `smooth` rests above it."""
    floor = 0.05
    assert arm.set(floor=floor).successful
    assert arm.set(motion='smooth').successful
    arm.wait(lambda: arm.send_point((0.2, 0.0, 0.12)).code == Code.OK, 'measured joints')
    check_arrived(arm, (0.2, 0.0, 0.12))
    status = arm.send_point((0.2, 0.05, 0.0))
    assert status.code == Code.FLOOR
    down = arm.joints(shoulder_lift=1.5, elbow_flex=0.0, wrist_flex=0.0)
    _, result = arm.go(joints=down)
    assert result.code == Code.FLOOR
    assert 0.0 < result.share < 1.0
    assert 'below the floor' in result.message
    arm.sent.clear()
    jog(arm, 75, (0.0, 0.0, -0.1))
    arm.check_smooth()
    assert tips(arm)[:, 2].min() > floor - 2e-4
    random = np.random.default_rng(3)
    arm.sent.clear()
    low, high = (*LOW[:2], floor), (*HIGH[:2], floor + 0.03)
    stream(arm, 50, lambda _: aim(arm, random.uniform(low, high)))
    arm.wait(arm.rests, 'rest')
    arm.check_smooth()
    assert tips(arm)[:, 2].min() > floor - 2e-4
