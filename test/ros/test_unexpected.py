# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Whatever goes wrong inside the node, it answers, goes on, and says in its log where it was."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ros_processes import started

# isort: split
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import TwistStamped
from motion_probe import TEXT, MotionProbe

from ik_circles.reasons import Code

NODE = """#!{python}
import sys
from pathlib import Path
from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.mover import Mover
from ik_circles.control.reporting import Tally
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import ModelParameters
from ik_circles.ros import ik_node, motion, move_replies

def plant(owner, name):
    call, file = getattr(owner, name), Path(__file__).with_name(name)
    def planted(*given, **named):
        if file.exists():
            raise ZeroDivisionError(f'planted in {{name}}')
        return call(*given, **named)
    setattr(owner, name, planted)

plant(ik_node, 'assess'), plant(ik_node, 'decide_checked'), plant(motion, 'plan')
plant(Mover, 'begin'), plant(Mover, 'step'), plant(Mover, 'stop'), plant(Jogging, '_aim')
plant(ModelParameters, 'load'), plant(JointMemory, 'hear'), plant(Tally, 'summary')
plant(move_replies, 'tip')
sys.exit(ik_node.main())
"""
#: What a message says of an error that was planted.
SAID = 'an error inside the node (ZeroDivisionError: planted in '


@pytest.fixture(scope='module')
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[MotionProbe, Path]]:
    """A node in which errors can be planted: each is a file of that name in a folder."""
    folder = tmp_path_factory.mktemp('planted')
    program = folder / 'node'
    program.write_text(NODE.format(python=sys.executable))
    program.chmod(0o755)
    given, place = {'robot_description': TEXT}, '/planted'
    with started(str(program), given, place) as process, started('sim_arm', given, place) as arm:
        probe = MotionProbe(process, arm)
        probe.connect()
        yield probe, folder
        probe.close()
        assert process.running


@pytest.fixture
def arm(node: tuple[MotionProbe, Path]) -> Iterator[MotionProbe]:
    """A node that works, before and after what was planted."""
    yield node[0]
    for file in node[1].iterdir():
        if file.name in NODE and file.name != 'node':
            file.unlink()
    assert node[0].check((0.2, 0.1, 0.15)).reachable
    node[0].make_ready()


@pytest.fixture
def plant(node: tuple[MotionProbe, Path], arm: MotionProbe):
    return lambda name: (node[1] / name).touch()


def logged(arm: MotionProbe, name: str) -> None:
    arm.wait(lambda: f'ZeroDivisionError: planted in {name}' in arm.process.output, 'the log')


def test_a_question_is_answered(arm, plant):
    plant('assess')
    answer = arm.check((0.2, 0.1, 0.15))
    assert (answer.reachable, answer.code) == (False, Code.NO_MODEL)
    assert answer.message.startswith(SAID)
    logged(arm, 'assess')


@pytest.mark.parametrize('name', ['decide_checked', 'begin'])
def test_a_target_is_answered_and_moves_nothing(arm, plant, name):
    assert arm.set(motion='smooth').successful
    plant(name)
    count = len(arm.sent)
    status = arm.send((0.2, 0.1, 0.15))
    assert (status.code, status.command.name) == (Code.NO_MODEL, [])
    assert status.message.startswith(SAID) and len(arm.sent) == count


@pytest.mark.parametrize('name', ['plan', 'begin', 'step', 'tip'])
def test_a_goal_is_answered(arm, plant, name):
    """What cannot be begun is aborted, and what cannot go on is stopped, or given up."""
    plant(name)
    status, result = arm.go(joints=arm.joints(shoulder_pan=0.5))
    assert (status, result.code) == (GoalStatus.STATUS_ABORTED, Code.NO_MODEL)
    assert SAID in result.message


def test_what_cannot_be_stopped_is_given_up(arm, plant):
    """Nothing more is sent."""
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.2)
    arm.underway(sent, 0.1)
    plant('stop')
    arm.cancel(sent)
    status, result = arm.end(sent)
    assert (status, result.code) == (GoalStatus.STATUS_ABORTED, Code.CANCELED)
    assert SAID in result.message
    count = len(arm.sent)
    arm.all_sent()
    assert len(arm.sent) <= count + 1


def test_a_jog_goes_on(arm, plant):
    plant('_aim')
    jog = TwistStamped()
    jog.header.frame_id, jog.twist.linear.y = 'base_link', 0.05

    def is_logged() -> bool:
        arm.jogs.publish(jog)
        return 'planted in _aim' in arm.process.output

    arm.wait(is_logged, 'the log')
    arm.all_sent()


def test_a_description_is_refused_and_a_parameter_too(arm, plant):
    plant('load')
    refused = arm.set(tip_link='gripper_frame_link')
    assert not refused.successful and refused.reason.startswith(SAID)


@pytest.mark.parametrize('name', ['hear', 'summary'])
def test_what_nobody_waits_for_is_logged(arm, plant, name):
    plant(name)
    logged(arm, name)
