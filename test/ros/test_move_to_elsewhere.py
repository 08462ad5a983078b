# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""~/move_to with simulated time, with a late transform, with names and with a gripper."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ros_processes import URDF, running

# isort: split
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TransformStamped
from ik_circles.action import MoveTo
from motion_probe import ARRIVED, NAMES, TEXT, MotionProbe, Sent, distance, moving
from ros_probe import LATCHED, IkProbe
from rosgraph_msgs.msg import Clock
from test_late_transforms import STAND_IN

from ik_circles.control.moves.mover import SETTLED
from ik_circles.reasons import Code

assert URDF.is_dir()
DONE, CANCELED = GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_CANCELED
#: Longer than any test: whatever is answered was answered by its transform, or at once.
LONG = 1000.0
#: Where the camera is seen from base_link [m], and where the tip should go.
CAMERA = (0.1, 0.0, 0.05)
THERE = (0.22, 0.08, 0.12)
GRIPPER = """<link name="jaw"/> <joint name="gripper" type="revolute">
  <parent link="gripper_link"/> <child link="jaw"/> <axis xyz="0 0 1"/>
  <limit lower="-0.2" upper="1.7" effort="1" velocity="2"/> </joint> </robot>"""
#: Simulated time goes on in steps [s], and is set back or forward by so much.
STEP, SET = 0.01, 100.0


class Simulated:
    """Simulated time, which goes on while the probe waits, at a share of the real speed."""

    def __init__(self, arm: MotionProbe, speed: float = 1.0) -> None:
        self.now, self._speed = 1000.0, speed
        self._clock = arm.node.create_publisher(Clock, '/clock', 10)
        self._timer = arm.node.create_timer(STEP, self._on_timer)

    def _on_timer(self) -> None:
        self.now += STEP * self._speed
        second, rest = divmod(round(self.now * 1e9), 10**9)
        self._clock.publish(Clock(clock=Time(sec=second, nanosec=rest)))


def test_simulated_time_that_is_set_back_in_motion() -> None:
    """Law: the motion goes on from where it was; nothing jumps, and it ends at its goal."""
    # A busy machine may be late with the joint states.
    with moving('/simulated', {'feedback_timeout': 5.0}, connected=False) as arm:
        time = Simulated(arm)
        assert arm.set(use_sim_time=True).successful
        arm.connect()
        arm.home()
        arm.all_sent()
        arm.sent.clear()
        sent = arm.begin(joints=arm.joints(shoulder_pan=1.0, elbow_flex=-0.5), speed=0.3)
        arm.underway(sent, 0.3)
        time.now -= SET
        status, result = arm.end(sent)
        assert (status, result.code) == (DONE, Code.OK)
        assert arm.measured['shoulder_pan'] == pytest.approx(1.0, abs=ARRIVED)
        stamps = [one.header.stamp.sec for one in arm.sent]
        assert max(stamps) - min(stamps) > SET / 2.0
        places = arm.path()[1]
        assert np.abs(np.diff(places, axis=0)).max() < 10.0 * 0.3 * 0.1  # as far as in 0.1 s
        assert all((np.diff(places, axis=0) * (places[-1] - places[0])).ravel() >= -1e-9)
        sent = arm.begin(joints=arm.joints(shoulder_pan=0.0), speed=0.3)
        arm.underway(sent, 0.3)
        time.now -= SET
        arm.cancel(sent)
        assert arm.end(sent)[0] == CANCELED


def test_simulated_time_that_is_set_forward_at_rest() -> None:
    """Law: nothing that was measured is too old for that."""
    given = {'robot_description': TEXT, 'use_sim_time': True, 'feedback_timeout': SET / 2.0}
    with running('ik_node', given, '/set') as process:
        arm = MotionProbe(process, process)
        time, told = Simulated(arm), []
        arm.listen(DiagnosticArray, '/diagnostics', told)
        IkProbe.connect(arm)
        arm.wait(arm.moves.server_is_ready, 'the action server')
        where = arm.joints(**dict.fromkeys(NAMES, 0.0))

        def is_there() -> bool:
            arm.joint_states.publish(where)
            return arm.go(joints=where)[1].code == Code.OK

        for begin in 1000.0 + SET, 1000.0 + 2.0 * SET:
            arm.wait(is_there, 'the arm to be heard')
            time.now += SET
            while not told or told[-1].header.stamp.sec < begin:
                told.clear()
                arm.wait(told.__len__, 'the node to know it')
            result = arm.go(joints=where)[1]
            assert result.code == Code.OK, result
        arm.close()


def test_a_controller_that_plays_paths_more_slowly() -> None:
    """As that of a UR at half its speed: a stop begins where the arm is, and a goal ends there."""
    # A busy machine may be late with the joint states, too.
    parameters = {'command_interface': 'trajectory', 'feedback_timeout': 5.0}
    with moving('/slowed', parameters, connected=False, use_sim_time=True) as arm:
        Simulated(arm, 0.5)
        arm.connect()
        arm.home()
        sent = arm.begin(joints=arm.joints(shoulder_pan=1.0), speed=0.3)
        arm.underway(sent, 0.5)
        arm.cancel(sent)
        at = arm.measured['shoulder_pan']
        assert arm.end(sent)[0] == CANCELED
        arm.wait(arm.rests, 'the arm at rest')
        assert at - ARRIVED < arm.measured['shoulder_pan'] < at + 0.2
        status, result = arm.go(joints=arm.joints(shoulder_pan=1.0), speed=0.3)
        assert (status, result.code) == (DONE, Code.OK)
        assert arm.measured['shoulder_pan'] == pytest.approx(1.0, abs=SETTLED)


@pytest.fixture(scope='module')
def seeing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MotionProbe]:
    """A node that has a stand-in for tf2."""
    folder: Path = tmp_path_factory.mktemp('stand_in')
    (folder / 'tf2_ros.py').write_text(STAND_IN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('PYTHONPATH', f'{folder}{os.pathsep}{os.environ["PYTHONPATH"]}')
        with moving('/seeing', {'transform_timeout': LONG}) as probe:
            probe.transforms = probe.node.create_publisher(TransformStamped, 'late_tf', LATCHED)
            yield probe


def come(arm: MotionProbe, second: int) -> None:
    """The camera's transform at this second comes."""
    transform = TransformStamped(child_frame_id='camera')
    transform.header.frame_id, transform.header.stamp.sec = 'base_link', second
    at = transform.transform.translation
    at.x, at.y, at.z = CAMERA
    arm.transforms.publish(transform)


def seen(arm: MotionProbe, second: int, **more: object) -> MoveTo.Goal:
    """A goal at a place that the camera has seen at this second."""
    goal = arm.point(*np.subtract(THERE, CAMERA), frame='camera', **more)
    goal.target.header.stamp.sec = second
    return goal


def waiting(arm: MotionProbe, second: int) -> Sent:
    """A goal that the node waits with; it answers questions meanwhile, and moves nothing."""
    arm.sent.clear()
    sent = arm.begin(seen(arm, second))
    assert arm.check((0.2, 0.1, 0.15)).reachable
    assert not sent.ended.done()
    assert arm.sent == []
    return sent


def test_a_goal_waits_for_its_transform(seeing: MotionProbe) -> None:
    seeing.home(shoulder_lift=-0.3, elbow_flex=0.5)
    come(seeing, 10)
    assert seeing.go(seen(seeing, 10))[1].code == Code.OK
    seeing.home(shoulder_lift=-0.3, elbow_flex=0.5)
    seeing.all_sent()
    sent = waiting(seeing, 11)
    come(seeing, 11)
    status, result = seeing.end(sent)
    assert (status, result.code) == (DONE, Code.OK)
    assert distance(seeing.tip(seeing.measured)[:3, 3], THERE) < ARRIVED
    seeing.check_smooth()


def test_a_goal_that_waits_is_canceled_at_once(seeing: MotionProbe) -> None:
    """Law: its transform, when it comes at last, moves nothing."""
    seeing.all_sent()
    sent = waiting(seeing, 12)
    seeing.cancel(sent)
    status, result = seeing.end(sent)
    assert (status, result.code) == (CANCELED, Code.CANCELED)
    come(seeing, 12)
    seeing.all_sent()
    assert seeing.sent == []


def test_a_newer_goal_ends_the_wait_of_one_before_it(seeing: MotionProbe) -> None:
    sent = waiting(seeing, 13)
    assert seeing.go(joints=seeing.joints(shoulder_pan=0.3))[0] == DONE
    _, result = seeing.end(sent)
    assert result.code == Code.CANCELED


def test_positions_that_have_a_name(seeing: MotionProbe) -> None:
    """Joints that the name does not list stay."""
    seeing.home(wrist_flex=0.4)
    assert seeing.set(named_positions=['park shoulder_pan=0.3 elbow_flex=0.2']).successful
    for name, there in (
        ('park', {'shoulder_pan': 0.3, 'elbow_flex': 0.2, 'wrist_flex': 0.4}),
        ('home', {}),
    ):
        status, result = seeing.go(MoveTo.Goal(kind=MoveTo.Goal.NAMED, name=name))
        assert (status, result.code) == (DONE, Code.OK), result.message
        measured = {one: seeing.measured[one] for one in NAMES}
        assert measured == pytest.approx(dict.fromkeys(NAMES, 0.0) | there, abs=ARRIVED)


@pytest.mark.parametrize('interface', ('joint_state', 'trajectory'))
def test_a_gripper_is_left_where_it_is(interface: str) -> None:
    """Law: it moves if it is named, and else stays, whatever the arm does."""
    text = TEXT.replace('</robot>', GRIPPER)
    given = {'robot_description': text, 'command_interface': interface}
    if interface == 'trajectory':
        given['controller_joints'] = [*NAMES, 'gripper']
    with moving('/gripping', given, robot_description=text) as arm:
        assert arm.go(joints=arm.joints(gripper=0.8))[0] == DONE
        arm.all_sent()
        arm.sent.clear()
        for goal in (
            MoveTo.Goal(kind=MoveTo.Goal.JOINTS, joints=arm.joints(elbow_flex=0.5, wrist_flex=0.4)),
            arm.point(*THERE),
            arm.point(*THERE[:2], THERE[2] + 0.03, straight=True),
        ):
            assert arm.go(goal)[0] == DONE
            assert arm.measured['gripper'] == pytest.approx(0.8, abs=ARRIVED)
        assert arm.sent
        assert not any('gripper' in message.name for message in arm.sent)
        with_it = arm.joints(gripper=0.1, shoulder_pan=0.4)
        assert arm.go(joints=with_it)[0] == DONE
        assert arm.measured['gripper'] == pytest.approx(0.1, abs=ARRIVED)
        assert arm.measured['shoulder_pan'] == pytest.approx(0.4, abs=ARRIVED)
