# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The action ~/move_to of a node alone: without an arm, a model, or leave to move."""

from ros_processes import PLANAR_3R, running

# isort: split
from action_msgs.msg import GoalStatus
from motion_probe import MotionProbe, moving
from ros_probe import IkProbe

from ik_circles.reasons import Code

ABORTED = GoalStatus.STATUS_ABORTED


def test_a_killed_arm_is_noticed() -> None:
    """joint_states fall silent in motion; later goals are refused at once."""
    with moving('/killed') as arm:
        sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
        arm.underway(sent, 0.1)
        begin = len(arm.sent)
        arm.simulated.kill()
        status, result = arm.end(sent)
        assert (status, result.code) == (ABORTED, Code.NO_FEEDBACK)
        assert 'fell silent' in result.message
        assert len(arm.sent) > begin
        arm.check_smooth(1)
        begin = len(arm.sent)
        assert arm.go(joints=arm.joints(shoulder_pan=0.0))[1].code == Code.NO_FEEDBACK
        assert arm.set(motion='smooth').successful
        assert arm.send((0.2, 0.1, 0.15)).code == Code.NO_FEEDBACK
        assert len(arm.sent) == begin


def test_disabled_from_the_start() -> None:
    with running('ik_node', {'robot_description': PLANAR_3R, 'start_enabled': False},
                 '/careful') as process:  # fmt: skip
        probe = IkProbe(process)
        probe.connect()
        assert probe.send((0.5, 0.1, 0.0)).code == Code.DISABLED
        assert probe.check((0.5, 0.1, 0.0)).reachable
        assert not probe.set(start_enabled=True).successful
        probe.close()


def test_without_a_model_or_an_arm() -> None:
    with running('ik_node', {}, '/bodyless') as process:
        probe = MotionProbe(process, process)
        IkProbe.connect(probe)
        probe.wait(probe.moves.server_is_ready, 'the action server')
        assert probe.go(joints=probe.joints(a=1.0))[1].code == Code.NO_MODEL
        assert probe.set(robot_description=PLANAR_3R).successful
        _, result = probe.go(joints=probe.joints(elbow_joint=1.0))
        assert (result.code, result.reached.header.frame_id) == (Code.NO_FEEDBACK, '')
        assert 'elbow_joint' in result.message
        assert probe.sent == []
        probe.close()
