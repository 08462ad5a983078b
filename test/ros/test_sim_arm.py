# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The simulated arm over topics: rate, velocity limits, and what it refuses."""

import math
from collections.abc import Iterator
from statistics import median

import pytest
from ros_processes import PLANAR_3R, URDF, Process, running

# isort: split
from ros_probe import LATCHED, Probe
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ik_circles import load_arm
from ik_circles.control.floor import GRAZE, lowest

JOINTS = ('shoulder_joint', 'elbow_joint', 'wrist_joint')
VELOCITY_LIMITS = (2.0, 2.5, 3.0)
RATE = 100.0
NAN = math.nan


class SimProbe(Probe):
    """Commands the arm and keeps its states."""

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.states: list[JointState] = []
        self.node.create_subscription(JointState, 'joint_states', self.states.append, 100)
        self._commands = self.node.create_publisher(JointState, 'joint_command', 10)
        self.descriptions = self.node.create_publisher(String, 'robot_description', LATCHED)
        self.repeat_until_said('command refused', ('moon',), (0.0,))

    def command(self, names: tuple, positions: tuple) -> None:
        self._commands.publish(JointState(name=names, position=positions))

    def repeat_until_said(self, words: str, *command: tuple) -> None:
        """Send a bad command until the arm, which may not know this node yet, has warned of it."""

        def said() -> bool:
            self.command(*command)
            return words in self.process.output

        self.wait(said, words)

    def move(self, names: tuple, positions: tuple) -> list[JointState]:
        """Command it; the states until it has arrived."""
        self.states.clear()
        self.command(names, positions)
        self.wait(
            lambda: self.states and self._arrived(self.states[-1], names, positions), 'the arm'
        )
        return list(self.states)

    def _arrived(self, state: JointState, names: tuple, positions: tuple) -> bool:
        at = dict(zip(state.name, state.position, strict=True))
        close = all(abs(at[n] - p) < 1e-12 for n, p in zip(names, positions, strict=True))
        return close and not any(state.velocity)


@pytest.fixture(scope='module')
def arm() -> Iterator[SimProbe]:
    with running('sim_arm', {'robot_description': PLANAR_3R}) as process:
        probe = SimProbe(process)
        yield probe
        probe.close()


def seconds(state: JointState) -> float:
    return state.header.stamp.sec + state.header.stamp.nanosec * 1e-9


def test_states_come_at_the_rate_with_velocities(arm: SimProbe) -> None:
    """A machine that stands still for a moment only makes the test take longer."""
    arm.states.clear()

    def at_the_rate() -> bool:
        times = [seconds(state) for state in arm.states[-51:]]
        periods = [after - before for before, after in zip(times, times[1:], strict=False)]
        expected = pytest.approx(1.0 / RATE, rel=0.3)
        return len(periods) == 50 and median(periods) == expected == sum(periods) / 50.0

    arm.wait(at_the_rate, 'joint states at the rate')
    for state in arm.states:
        assert tuple(state.name) == JOINTS
        assert len(state.position) == len(state.velocity) == 3


def test_no_joint_is_faster_than_its_velocity_limit(arm: SimProbe) -> None:
    arm.move(JOINTS, (0.0, 0.0, 0.0))
    states = arm.move(JOINTS, (1.0, -1.0, 0.3))
    assert seconds(states[-1]) - seconds(states[0]) > 0.4  # 0.5 s at 2 rad/s
    for before, after in zip(states, states[1:], strict=False):
        duration = seconds(after) - seconds(before)
        for joint, limit in enumerate(VELOCITY_LIMITS):
            moved = abs(after.position[joint] - before.position[joint])
            assert moved <= limit * duration + 1e-6
            assert abs(after.velocity[joint]) <= limit + 1e-9
    assert max(abs(state.velocity[0]) for state in states) == pytest.approx(2.0)
    assert tuple(states[-1].velocity) == (0.0, 0.0, 0.0)


def test_a_partial_command_moves_only_its_joints(arm: SimProbe) -> None:
    shoulder, elbow, _ = arm.move(JOINTS, (0.1, 0.2, 0.3))[-1].position
    for state in arm.move(('wrist_joint',), (-0.2,))[1:]:
        assert tuple(state.position[:2]) == (shoulder, elbow)


@pytest.mark.parametrize(
    ('names', 'positions'),
    [
        (('shoulder_joint', 'moon'), (0.5, 0.1)),
        (('shoulder_joint', 'elbow_joint'), (0.5, 2.3)),
        (('shoulder_joint',), (-1.9,)),
        (('shoulder_joint', 'elbow_joint'), (0.5, NAN)),
        (('shoulder_joint',), (math.inf,)),
        (('shoulder_joint',), (-1e308,)),
        (('shoulder_joint', 'elbow_joint'), (0.5,)),
        (('shoulder_joint',), (0.5, 0.6)),
        (('shoulder_joint',), ()),
        ((), (0.5,)),
        ((), ()),
        (('',), (0.5,)),
    ],
)
def test_bad_commands_are_refused_as_a_whole(
    arm: SimProbe, names: tuple, positions: tuple
) -> None:
    arm.move(JOINTS, (0.0, 0.0, 0.0))
    arm.command(names, positions)
    for state in arm.move(('wrist_joint',), (0.1,)):  # comes after the bad command
        assert tuple(state.position[:2]) == (0.0, 0.0)


def test_a_command_on_the_limit_is_taken(arm: SimProbe) -> None:
    last = arm.move(JOINTS, (1.8, -2.2, 1.9))[-1]
    assert tuple(last.position) == (1.8, -2.2, 1.9)


def test_it_says_why_a_command_is_refused_and_starts_inside_the_limits() -> None:
    description = PLANAR_3R.replace('lower="-1.8"', 'lower="0.4"')
    parameters = {'robot_description': description, 'rate': 20.0}
    with running('sim_arm', parameters, '/limited') as process:
        probe = SimProbe(process)
        probe.wait(lambda: probe.states, 'joint states')
        assert tuple(probe.states[0].position) == (0.4, 0.0, 0.0)
        reason = "joint 'shoulder_joint' is sent to 0, outside its limits of 0.4 to 1.8"
        probe.repeat_until_said(reason, ('shoulder_joint',), (0.0,))
        probe.close()


def test_an_arm_that_stands_starts_above_the_ground() -> None:
    """A braccio with its joints at 0 has its tip 3 cm below z = 0 of base_link."""
    description = (URDF / 'braccio.urdf').read_text()
    arm = load_arm(description)
    with running('sim_arm', {'robot_description': description}, '/standing') as process:
        probe = SimProbe(process)
        probe.wait(lambda: probe.states, 'joint states')
        start = dict(zip(probe.states[0].name, probe.states[0].position, strict=True))
        assert lowest(arm, start, start) >= -GRAZE
        probe.close()


def test_the_description_may_come_on_the_topic() -> None:
    with running('sim_arm', {}, '/described') as process:
        probe = SimProbe(process)
        assert 'command refused: no robot_description yet' in process.output
        probe.descriptions.publish(String(data='<robot'))
        probe.wait(lambda: 'robot_description refused' in process.output, 'the refusal')
        assert not probe.states
        probe.descriptions.publish(String(data=PLANAR_3R))
        probe.move(JOINTS, (0.3, 0.2, 0.1))
        for text in ('<robot', PLANAR_3R):  # a broken one or the same again moves nothing
            probe.descriptions.publish(String(data=text))
            probe.states.clear()
            probe.wait(lambda: len(probe.states) > 5, 'joint states')
            for state in probe.move(('wrist_joint',), (0.2,)):
                assert tuple(state.position[:2]) == (0.3, 0.2)
        probe.close()
