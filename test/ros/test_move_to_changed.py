# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The action ~/move_to while the arm is disabled, enabled, or changed in motion."""

from collections.abc import Iterator

import numpy as np
import pytest
from ros_processes import URDF

# isort: split
from action_msgs.msg import GoalStatus
from motion_probe import MotionProbe, moving
from trajectory_msgs.msg import JointTrajectory

from ik_circles.reasons import Code

assert URDF.is_dir()
DONE, ABORTED = GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_ABORTED


@pytest.fixture(scope='module')
def shared() -> Iterator[MotionProbe]:
    with moving('/changed') as probe:
        yield probe


@pytest.fixture
def arm(shared: MotionProbe) -> MotionProbe:
    shared.make_ready()
    return shared


def test_disabling_in_motion_comes_to_rest(arm: MotionProbe) -> None:
    """Then targets and goals are refused, and questions are answered."""
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(sent)
    assert 'nothing is sent' in arm.enable(False)
    status, result = arm.end(sent)
    assert (status, result.code) == (ABORTED, Code.DISABLED)
    assert 'brought to rest' in result.message
    arm.check_smooth()
    arm.sent.clear()
    assert arm.go(joints=arm.joints(shoulder_pan=0.0))[1].code == Code.DISABLED
    told = arm.send((0.2, 0.1, 0.15))
    assert (told.code, list(told.command.name)) == (Code.DISABLED, [])
    assert arm.check((0.2, 0.1, 0.15)).reachable
    assert arm.sent == []
    assert arm.enable(True) == 'enabled'
    assert arm.go(joints=arm.joints(shoulder_pan=0.0))[0] == DONE


def test_enabling_while_it_brakes(arm: MotionProbe) -> None:
    """The next goal takes over in motion."""
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(sent)
    arm.enable(False)
    arm.enable(True)
    assert arm.go(joints=arm.joints(shoulder_pan=0.2))[0] == DONE
    assert arm.end(sent)[0] == ABORTED
    arm.check_smooth()


def test_changes_of_parameters_in_motion(arm: MotionProbe) -> None:
    """What says how the controller is told waits for rest; the others count from the next motion.
    """
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(sent, 0.1)
    refused = arm.set(command_interface='trajectory')
    assert not refused.successful
    assert 'when it rests' in refused.reason
    for changes in ({'max_acceleration': 2.0}, {'command_rate': 50.0}, {'motion': 'smooth'}):
        assert arm.set(**changes).successful
    assert arm.end(sent)[0] == DONE
    arm.check_smooth()
    arm.sent.clear()
    assert arm.go(joints=arm.joints(shoulder_pan=0.0))[0] == DONE
    arm.check_smooth(acceleration=2.0)
    times, _ = arm.path()
    assert np.median(np.diff(times)) == pytest.approx(0.02, rel=0.2)
    for changes in ({'max_acceleration': 5.0}, {'command_rate': 100.0}, {'motion': 'direct'}):
        assert arm.set(**changes).successful


def test_a_new_model_in_motion_stops_the_arm(arm: MotionProbe) -> None:
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(sent, 0.1)
    assert arm.set(floor=-0.5).successful
    status, result = arm.end(sent)
    assert (status, result.code) == (ABORTED, Code.NO_MODEL)
    assert 'model has changed' in result.message
    newer = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)  # from where the arm was sent
    assert arm.end(newer)[0] == DONE
    arm.check_smooth()
    assert arm.set(floor=-1000.0).successful


def test_a_stop_at_the_time_of_the_beginning_reaches_the_controller() -> None:
    """Law: the arm stays, and plays no path to its end, if simulated time stands still."""
    with moving('/paused', {'command_interface': 'trajectory'}) as arm:
        paths: list[JointTrajectory] = []
        arm.listen(JointTrajectory, 'joint_trajectory', paths)
        at = dict(arm.measured)
        assert arm.set(use_sim_time=True).successful
        sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.1)
        arm.wait(lambda: paths, 'the path')
        arm.enable(False)
        arm.wait(lambda: len(paths) > 1, 'the stop')
        assert list(paths[-1].points[-1].positions) == pytest.approx(
            [at[name] for name in paths[-1].joint_names], abs=1e-3
        )
        assert arm.set(use_sim_time=False).successful
        assert arm.end(sent)[1].code == Code.DISABLED
        assert abs(arm.measured['shoulder_pan'] - at['shoulder_pan']) < 0.1
