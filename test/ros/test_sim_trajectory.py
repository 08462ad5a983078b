# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The simulated arm on joint_trajectory: in time, and with an IK node that sends commands too."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from ros_processes import PLANAR_3R, Process, running

# isort: split
from builtin_interfaces.msg import Duration, Time
from ros_probe import IkProbe, Probe
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

JOINTS = ('shoulder_joint', 'elbow_joint', 'wrist_joint')
#: Stamps as seconds in a float are rounded to 2.4e-7 s.
ROUNDING = 1e-6


def seconds(time: Time | Duration) -> float:
    return time.sec + time.nanosec * 1e-9


class SimProbe(Probe):
    """Sends trajectories and commands, and keeps the arm's states."""

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.states: list[JointState] = []
        self.node.create_subscription(JointState, 'joint_states', self.states.append, 100)
        self.commands = self.node.create_publisher(JointState, 'joint_command', 10)
        self.trajectories = self.node.create_publisher(JointTrajectory, 'joint_trajectory', 10)
        for topic in (self.commands, self.trajectories):
            self.wait(topic.get_subscription_count, topic.topic_name)
        self.wait(lambda: self.states, 'joint states')

    def send(self, names: Sequence, points: Sequence, stamp: Time | None = None) -> None:
        """Send a trajectory of (time [s], positions, velocities or none)."""
        message = JointTrajectory(joint_names=names)
        message.header.stamp = stamp or Time()
        for time, positions, velocities in points:
            point = JointTrajectoryPoint(positions=positions, velocities=velocities)
            point.time_from_start = Duration(
                sec=math.floor(time), nanosec=round(time % 1.0 * 1e9)
            )
            message.points.append(point)
        self.trajectories.publish(message)

    def until_at(self, positions: Sequence[float]) -> None:
        def arrived() -> bool:
            if not self.states or any(self.states[-1].velocity):
                return False
            return tuple(self.states[-1].position) == tuple(positions)

        self.wait(arrived, f'the arm at {positions}')


@contextmanager
def simulated(namespace: str, **parameters: float) -> Iterator[SimProbe]:
    given = {'robot_description': PLANAR_3R, **parameters}
    with running('sim_arm', given, namespace) as process:
        probe = SimProbe(process)
        yield probe
        probe.close()


def test_a_trajectory_with_a_stamp_is_played_in_time() -> None:
    with simulated('/timed') as arm:
        start = arm.node.get_clock().now().nanoseconds + 500_000_000
        stamp = Time(sec=start // 10**9, nanosec=start % 10**9)
        rest, end = (0.0, 0.0, 0.0), (0.5, -1.0, 0.0)
        arm.states.clear()
        arm.send(JOINTS, [(0.0, rest, rest), (1.5, end, rest)], stamp)
        arm.until_at(end)
        for state in arm.states:
            share = (seconds(state.header.stamp) - start * 1e-9) / 1.5
            share = min(max(share, 0.0), 1.0)
            at, speed = share * share * (3.0 - 2.0 * share), 6.0 * share * (1.0 - share) / 1.5
            expected = [at * one for one in end], [speed * one for one in end]
            assert list(state.position) == pytest.approx(expected[0], abs=ROUNDING)
            assert list(state.velocity) == pytest.approx(expected[1], abs=2.0 * ROUNDING)


def test_a_stamp_of_zero_starts_at_once_and_a_new_one_or_none_replaces_it() -> None:
    with simulated('/replaced') as arm:
        rest = (0.0,)
        arm.send(JOINTS[:1], [(60.0, (1.0,), rest)])
        arm.wait(lambda: arm.states[-1].velocity[0] > 0.0, 'the arm to move')
        arm.send(JOINTS[:2], [(0.3, (-0.5, 0.5), (0.0, 0.0))])
        arm.until_at((-0.5, 0.5, 0.0))
        arm.send(JOINTS, [(60.0, (1.0, 1.0, 1.0), ())])
        arm.wait(lambda: arm.states[-1].velocity[1] > 0.0, 'the arm to move')
        arm.send((), [])
        arm.wait(lambda: not any(arm.states[-1].velocity), 'the arm to stop')
        assert all(state.position[1] < 0.6 for state in arm.states)


def test_bad_trajectories_are_refused_in_a_sentence() -> None:
    with simulated('/hostile') as arm:
        for names, points, words in (
            (('moon',), [(1.0, (0.1,), ())], "trajectory refused: unknown joint 'moon'"),
            (JOINTS[:1], [(1.0, (math.nan,), ())], 'is sent to nan; give a finite number'),
            (JOINTS[:1], [(-0.5, (0.1,), ())], 'point 1 is at -0.5 s from the start'),
            (JOINTS[:2], [(1.0, (0.1,), ())], 'point 1 has 1 positions for 2 joints'),
        ):

            def refused(names=names, points=points, words=words) -> bool:
                arm.send(names, points)  # again, because warnings are throttled
                return words in arm.process.output

            arm.wait(refused, words)
        assert tuple(arm.states[-1].position) == (0.0, 0.0, 0.0)


def test_joint_command_has_the_joints_again_when_nobody_publishes_trajectories() -> None:
    with simulated('/both') as arm:
        command = JointState(name=JOINTS[:2], position=(-0.4, -0.4))
        arm.send(JOINTS[:1], [(0.1, (0.3,), (0.0,))])
        arm.until_at((0.3, 0.0, 0.0))
        arm.commands.publish(command)
        arm.until_at((0.3, -0.4, 0.0))
        assert 'joints that follow joint_trajectory ignore joint_command' in arm.process.output
        arm.node.destroy_publisher(arm.trajectories)

        def moved() -> bool:
            arm.commands.publish(command)
            return tuple(arm.states[-1].position) == (-0.4, -0.4, 0.0)

        arm.wait(moved, 'the arm at the command')


def test_the_acceleration_is_a_parameter() -> None:
    with simulated('/gentle', max_acceleration=0.5) as arm:
        arm.states.clear()
        arm.commands.publish(JointState(name=JOINTS[:1], position=(0.5,)))
        arm.until_at((0.5, 0.0, 0.0))  # 2 s, at up to 0.5 rad/s
        moving = [state for state in arm.states if state.velocity[0] > 0.1]
        assert len(moving) > 5
        for state in moving:  # a busy machine may miss the fastest
            way = min(state.position[0], 0.5 - state.position[0])
            assert state.velocity[0] ** 2 == pytest.approx(2.0 * 0.5 * way, abs=0.02)
        for before, after in zip(arm.states, arm.states[1:]):
            period = seconds(after.header.stamp) - seconds(before.header.stamp)
            assert abs(after.velocity[0] - before.velocity[0]) <= 0.5 * period + ROUNDING


def test_with_an_ik_node_that_sends_trajectories_the_joints_arrive_together() -> None:
    """A joint_command would send each joint off at its own speed; the IK node sends both."""
    given = {'robot_description': PLANAR_3R, 'command_interface': 'trajectory'}
    with simulated('/with_ik') as arm, running('ik_node', given, '/with_ik') as process:
        ik = IkProbe(process)
        ik.connect()

        def moving() -> bool:  # until both nodes know each other's topics
            ik.aim((0.6, 0.1, 0.0))
            return any(arm.states[-1].velocity)

        arm.wait(moving, 'the arm to move')
        arm.until_at(ik.send((0.6, 0.1, 0.0)).command.position)
        for target in ((0.5, 0.4, 0.0), (0.4, -0.5, 0.0), (0.6, 0.3, 0.0)):
            before = list(arm.states[-1].position)
            arm.states.clear()
            command = list(ik.send(target).command.position)
            arm.until_at(command)
            ways = [end - start for start, end in zip(before, command)]
            for state in arm.states:
                shares = [
                    (at - start) / way
                    for at, start, way in zip(state.position, before, ways)
                    if abs(way) > 0.2
                ]
                assert max(shares) - min(shares) < 0.15
        ik.close()
