# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two arms in namespaces of their own, and nodes that are in the way of others."""

import subprocess
import time
from contextlib import ExitStack

from ros_processes import PLANAR_3R, PREFIX, URDF, Process, running

# isort: split
from ros_probe import AGAIN, IkProbe, Probe, probed
from sensor_msgs.msg import JointState

from ik_circles import load_arm
from ik_circles.reasons import Code

ARMS = {'/left': PLANAR_3R, '/right': (URDF / 'open_manipulator_x.urdf').read_text()}


def test_two_arms_do_not_hear_each_other() -> None:
    with ExitStack() as stack:
        probes = {}
        for namespace, description in ARMS.items():
            parameters = {'robot_description': description}
            process = stack.enter_context(running('ik_node', parameters, namespace))
            stack.enter_context(running('sim_arm', parameters, namespace))
            probes[namespace] = IkProbe(process)
            stack.callback(probes[namespace].close)
        for probe in probes.values():
            probe.connect()
        for namespace, other in (('/left', '/right'), ('/right', '/left')):
            _only_one_moves(probes[namespace], probes[other], ARMS[namespace])


def _only_one_moves(one: IkProbe, other: IkProbe, description: str) -> None:
    arm = load_arm(description)
    states: list[tuple[JointState, int]] = []
    one.collect(JointState, 'joint_states', states)
    other.send((9.0, 0.0, 0.0), frame='')  # late answers to what `connect` has sent are here now
    heard, commands = len(other.statuses), len(other.commands)
    position = tuple(arm.forward_kinematics(dict.fromkeys(arm.joint_names, 0.3))[:3, 3])
    begin, goals = time.monotonic(), []

    def arrived() -> bool:
        # A command that the node gives before it and its arm have found each other is lost.
        if time.monotonic() > begin + AGAIN * len(goals):
            status = one.send_point(position, arm.base_link)
            assert status.code == Code.OK
            goals.append(dict(zip(status.command.name, status.command.position, strict=True)))
        at = dict(zip(states[-1][0].name, states[-1][0].position, strict=True)) if states else {}
        return bool(at) and all(abs(at[name] - goal) < 1e-9 for name, goal in goals[-1].items())

    one.wait(arrived, f'the arm of {one.process.namespace}')
    # whatever had gone astray would be here before this answer
    assert other.send_point((9.0, 0.0, 0.0), '').code == Code.BAD_FRAME
    assert (len(other.statuses), len(other.commands)) == (heard + 1, commands)


def test_a_second_source_of_commands_is_told_of() -> None:
    with probed({'robot_description': PLANAR_3R}, '/masters') as ik:
        words = '/masters/joint_command is published by /masters/ik_node too'
        with running('ik_node', {'robot_description': PLANAR_3R}, '/masters') as twin:
            ik.wait(lambda: words in ik.process.output and words in twin.output, 'both warnings')
        ik.wait(lambda: 'only by this node again' in ik.process.output, 'the end of it')
        assert ik.process.output.count(words) == 1


def test_a_second_source_of_joint_states_is_told_of() -> None:
    with running('sim_arm', {'robot_description': PLANAR_3R}, '/rival') as process:
        probe = Probe(process)
        states = probe.node.create_publisher(JointState, 'joint_states', 10)
        words = '/rival/joint_states is published by /rival/probe too'
        probe.wait(lambda: words in process.output, 'the warning')
        probe.node.destroy_publisher(states)
        probe.wait(lambda: 'only by this node again' in process.output, 'the end of it')
        assert process.output.count(words) == 1
        _second_of_the_same_name(process, probe)
        probe.close()


def _second_of_the_same_name(process: Process, probe: Probe) -> None:
    with running('sim_arm', {'robot_description': PLANAR_3R}, '/rival') as twin:
        words = 'is published by /rival/sim_arm too'
        probe.wait(lambda: words in process.output and words in twin.output, 'both warnings')


def test_the_demonstration_does_not_move_the_arm_of_another_ik_node() -> None:
    """It starts an ik_node of its own, but may find the other one first."""
    command = [PREFIX / 'lib' / 'ik_circles' / 'demo', '--urdf', 'so101']
    with running('ik_node', {'robot_description': PLANAR_3R}, '/busy') as process:
        ended = subprocess.run(
            [*command, '--ros-args', '-r', '__ns:=/busy'],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert 'no floor' in process.output
    assert (ended.returncode, ended.stdout) == (1, '')
    assert 'demo: an ik_node of another robot runs in this ROS_DOMAIN_ID' in ended.stderr
