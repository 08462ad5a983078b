# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The action ~/move_to, with a node and a simulated arm as processes."""

import math
import time
from collections.abc import Iterator

import numpy as np
import pytest
from ros_processes import URDF

# isort: split
from action_msgs.msg import GoalStatus
from ik_circles.action import MoveTo
from motion_probe import ARM, ARRIVED, BENT, NAMES, MotionProbe, distance, moving
from sensor_msgs.msg import JointState
from transforms3d.quaternions import mat2quat

from ik_circles.reasons import Code

assert URDF.is_dir()
DONE, ABORTED = GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_ABORTED
CANCELED = GoalStatus.STATUS_CANCELED
#: How far the tip may be from its line [m].
LINE = 1e-4
#: Time between the goals of a burst [s].
APART = 0.005


@pytest.fixture(scope='module')
def shared() -> Iterator[MotionProbe]:
    with moving('/moved') as probe:
        yield probe


@pytest.fixture
def arm(shared: MotionProbe) -> MotionProbe:
    shared.make_ready()
    return shared


def pose_goal(positions: dict[str, float], **more: object) -> MoveTo.Goal:
    tip = ARM.forward_kinematics(positions)
    goal = MoveTo.Goal(kind=MoveTo.Goal.POSE, **more)
    goal.target.header.frame_id = 'base_link'
    at, q = goal.target.pose.position, goal.target.pose.orientation
    at.x, at.y, at.z = tip[:3, 3].tolist()
    q.w, q.x, q.y, q.z = mat2quat(tip[:3, :3]).tolist()
    return goal


def home(**positions: float) -> dict[str, float]:
    return dict.fromkeys(NAMES, 0.0) | BENT | positions


def reached(result: MoveTo.Result) -> tuple[float, float, float]:
    at = result.reached.pose.position
    return at.x, at.y, at.z


def check_line(probe: MotionProbe, goal: np.ndarray) -> None:
    """Every command has the tip on the straight line from the first to the goal."""
    _, places = probe.path()
    tips = np.array([probe.tip(dict(zip(NAMES, one)))[:3, 3] for one in places])
    way = goal - tips[0]
    shares = np.clip((tips - tips[0]) @ way / (way @ way), 0.0, 1.0)
    assert np.linalg.norm(tips - tips[0] - shares[:, None] * way, axis=1).max() < LINE


def test_joints(arm: MotionProbe) -> None:
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.0, elbow_flex=-0.5))
    status, result = arm.end(sent)
    assert (status, result.code, result.share) == (DONE, Code.OK, 1.0)
    assert 'from its goal' in result.message
    there = home(shoulder_pan=1.0, elbow_flex=-0.5)
    assert distance(reached(result), arm.tip(there)[:3, 3]) < ARRIVED
    assert dict(zip(result.measured.name, result.measured.position)) == pytest.approx(
        there, abs=2e-3
    )
    assert {name for one in arm.sent for name in one.name} == {'shoulder_pan', 'elbow_flex'}
    arm.check_smooth()
    shares = [one.share for one in sent.feedback]
    assert len(shares) >= 3
    assert shares == sorted(shares)
    left = [one.time_left for one in sent.feedback]
    assert left == sorted(left, reverse=True)
    assert sent.feedback[0].distance_left > sent.feedback[-1].distance_left >= 0.0


def test_a_pose(arm: MotionProbe) -> None:
    there = home(shoulder_pan=0.7, wrist_roll=0.5)
    status, result = arm.go(pose_goal(there))
    assert (status, result.code) == (DONE, Code.OK)
    assert distance(reached(result), arm.tip(there)[:3, 3]) < ARRIVED
    arm.check_smooth()


def test_a_point(arm: MotionProbe) -> None:
    status, result = arm.go(arm.point(0.25, 0.1, 0.15))
    assert (status, result.code, result.reached.header.frame_id) == (DONE, Code.OK, 'base_link')
    assert distance(reached(result), (0.25, 0.1, 0.15)) < ARRIVED
    arm.check_smooth()


def test_a_straight_line_to_a_point(arm: MotionProbe) -> None:
    goal = arm.tip(home())[:3, 3] + (-0.05, 0.08, 0.02)
    status, result = arm.go(arm.point(*goal, straight=True))
    assert (status, result.code, result.share) == (DONE, Code.OK, 1.0), result.message
    assert distance(reached(result), goal) < ARRIVED
    check_line(arm, goal)
    arm.check_smooth()


def test_a_straight_line_to_a_pose(arm: MotionProbe) -> None:
    here = arm.tip(home())
    goal = here[:3, 3] + (-0.03, 0.0, 0.03)
    line = ARM.straight_line(home(), goal.tolist())
    assert line.share == 1.0
    status, result = arm.go(pose_goal(line.positions(1.0), straight=True))
    assert (status, result.code) == (DONE, Code.OK), result.message
    check_line(arm, goal)
    _, places = arm.path()
    turned = arm.tip(dict(zip(NAMES, places[len(places) // 2])))[:3, :3]
    assert turned == pytest.approx(here[:3, :3], abs=1e-6)
    arm.check_smooth()


def test_a_share_of_the_speed(arm: MotionProbe) -> None:
    assert arm.go(joints=arm.joints(shoulder_pan=0.5), speed=0.3)[0] == DONE
    times, places = arm.path()
    speeds = np.abs(np.diff(places[:, 0]) / np.diff(times))
    assert speeds.max() == pytest.approx(0.3 * math.sqrt(0.5 * 5.0), rel=0.05)


def test_nowhere_to_go(arm: MotionProbe) -> None:
    """Where the arm is already: joints, a point, and a line of no length."""
    at = arm.tip(home())[:3, 3]
    for goal in (None, arm.point(*at), arm.point(*at, straight=True)):
        status, result = arm.go(goal, **({} if goal else {'joints': arm.joints(**home())}))
        assert (status, result.code) == (DONE, Code.OK), result.message


def test_refusals_move_nothing(arm: MotionProbe) -> None:
    far = arm.tip(home())[:3, 3] + (0.3, 0.0, 0.0)
    line = ARM.straight_line(home(), far.tolist(), orientation='free')
    named = {'kind': MoveTo.Goal.JOINTS}
    straight = {'straight': True}
    for goal, code, words, share in (
        (arm.point(2.0, 0.0, 0.1), Code.TOO_FAR, 'too far', 0.0),
        (arm.point(*far, **straight), line.code, 'can be followed for', line.share),
        (MoveTo.Goal(joints=arm.joints(nothing=1.0), **named), Code.NO_MODEL, "'nothing'", 0.0),
        (MoveTo.Goal(joints=arm.joints(elbow_flex=2.0), **named), Code.JOINT_LIMIT, 'outside', 0.0),
        (MoveTo.Goal(joints=arm.joints(elbow_flex=9.0), **named), Code.JOINT_LIMIT,
         'is it in degrees?', 0.0),
        (MoveTo.Goal(joints=arm.joints(elbow_flex=0.1), **straight, **named), Code.NOT_FINITE,
         'without straight', 0.0),
        (MoveTo.Goal(joints=arm.joints(elbow_flex=math.nan), **named), Code.NOT_FINITE, 'nan', 0.0),
        (MoveTo.Goal(joints=JointState(name=['elbow_flex']), **named), Code.NOT_FINITE,
         'one for each', 0.0),
        (MoveTo.Goal(**named), Code.NO_MODEL, 'no joint is named', 0.0),
        (MoveTo.Goal(kind=MoveTo.Goal.NAMED, name='hoem'), Code.NOT_FINITE, "mean 'home'?", 0.0),
        (MoveTo.Goal(kind=9), Code.NOT_FINITE, 'kind is 9; give 0 for a pose', 0.0),
        (arm.point(0.2, 0.0, 0.1, speed=2.0), Code.NOT_FINITE, 'speed is 2.0', 0.0),
        (arm.point(0.2, 0.0, 0.1, speed=0.0), Code.NOT_FINITE, 'speed is 0.0', 0.0),
        (arm.point(0.2, 0.0, 0.1, speed=math.nan), Code.NOT_FINITE, 'speed is nan', 0.0),
        (arm.point(math.nan, 0.0, 0.1), Code.NOT_FINITE, 'nan', 0.0),
        (arm.point(0.2, 0.0, 0.1, frame='nowhere'), Code.BAD_FRAME, 'nowhere', 0.0),
    ):  # fmt: skip
        status, result = arm.go(goal)
        assert (status, result.code) == (ABORTED, code), result.message
        assert words in result.message
        assert result.share == pytest.approx(share, abs=1e-4)
        assert distance(reached(result), arm.tip(arm.measured)[:3, 3]) < ARRIVED
    assert arm.sent == []


def test_a_cancellation_comes_to_rest(arm: MotionProbe) -> None:
    """Canceling it again changes nothing."""
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(sent)
    arm.cancel(sent)
    arm.cancel(sent)
    status, result = arm.end(sent)
    assert (status, result.code) == (CANCELED, Code.CANCELED)
    assert 'canceled' in result.message
    assert 0.2 <= result.share < 1.0
    arm.check_smooth()
    assert distance(reached(result), arm.tip(arm.measured)[:3, 3]) < 0.01


def test_a_cancellation_of_a_line_comes_to_rest_on_it(arm: MotionProbe) -> None:
    goal = arm.tip(home())[:3, 3] + (-0.05, 0.08, 0.02)
    sent = arm.begin(arm.point(*goal, straight=True, speed=0.3))
    arm.underway(sent)
    arm.cancel(sent)
    assert arm.end(sent)[0] == CANCELED
    arm.check_smooth()
    check_line(arm, goal)


def test_a_newer_goal_during_a_stop(arm: MotionProbe) -> None:
    """The older goal still ends with the reason of its stop, and its share."""
    older = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(older)
    arm.cancel(older)
    newer = arm.begin(joints=arm.joints(shoulder_pan=0.0), speed=0.4)
    status, result = arm.end(older)
    assert (status, result.code) == (CANCELED, Code.CANCELED)
    assert 'brought to rest' in result.message
    assert 0.2 <= result.share < 1.0
    assert arm.end(newer)[0] == DONE
    arm.check_smooth()


def test_a_newer_goal_of_joints_moves_on(arm: MotionProbe) -> None:
    """It begins with the velocity that the arm has; the older one ends CANCELED."""
    older = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(older)
    newer = arm.begin(joints=arm.joints(shoulder_pan=-0.5, elbow_flex=0.2), speed=0.4)
    status, result = arm.end(older)
    assert (status, result.code) == (ABORTED, Code.CANCELED)
    assert 'newer goal' in result.message
    assert arm.end(newer)[0] == DONE
    arm.check_smooth()
    assert arm.measured['shoulder_pan'] == pytest.approx(-0.5, abs=2e-3)


def test_a_newer_goal_of_another_joint_lets_the_others_rest(arm: MotionProbe) -> None:
    """Law: a joint that moves, and that the newer goal does not name, brakes."""
    older = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(older)
    newer = arm.begin(joints=arm.joints(wrist_roll=0.3))
    assert arm.end(newer)[0] == DONE
    assert arm.end(older)[1].code == Code.CANCELED
    arm.check_smooth()


def test_a_newer_straight_goal_rests_first(arm: MotionProbe) -> None:
    older = arm.begin(joints=arm.joints(shoulder_pan=1.0, wrist_roll=1.0), speed=0.4)
    arm.underway(older)
    at = arm.tip(arm.measured)[:3, 3]
    newer = arm.begin(arm.point(at[0] - 0.03, at[1], at[2] + 0.03, straight=True, speed=0.4))
    status, result = arm.end(newer)
    assert status == DONE, result.message
    assert arm.end(older)[1].code == Code.CANCELED
    arm.check_smooth()


def test_a_refused_newer_goal_leaves_the_older_one_alone(arm: MotionProbe) -> None:
    older = arm.begin(joints=arm.joints(shoulder_pan=1.5), speed=0.4)
    arm.underway(older)
    for goal in (arm.point(2.0, 0.0, 0.1), arm.point(2.0, 0.0, 0.1, straight=True)):
        assert arm.go(goal)[0] == ABORTED
    assert arm.end(older)[0] == DONE
    arm.check_smooth()


def test_targets_wait_for_the_end_of_a_goal(arm: MotionProbe) -> None:
    sent = arm.begin(joints=arm.joints(shoulder_pan=1.0), speed=0.4)
    arm.underway(sent)
    status = arm.send((0.2, -0.1, 0.15))
    assert (status.code, list(status.command.name)) == (Code.CANCELED, [])
    assert 'goes first' in status.message
    assert not sent.ended.done()
    assert arm.end(sent)[0] == DONE
    assert {tuple(one.name) for one in arm.sent} == {('shoulder_pan',)}
    arm.check_smooth()


def test_a_burst_of_goals(arm: MotionProbe) -> None:
    """The newest is done, whatever the order of answers; all others end CANCELED."""
    goals = [
        MoveTo.Goal(kind=MoveTo.Goal.JOINTS, joints=arm.joints(shoulder_pan=0.1 * n - 0.9))
        for n in range(20)
    ]
    asked = []
    for goal in goals:
        asked.append(arm.moves.send_goal_async(goal))
        begin = time.monotonic()
        arm.wait(lambda begin=begin: time.monotonic() - begin > APART, 'the next goal')
    arm.wait(lambda: all(one.done() for one in asked), 'all goals accepted')
    ends = [one.result().get_result_async() for one in asked]
    arm.wait(lambda: all(one.done() for one in ends), 'all results')
    codes = [one.result().result.code for one in ends]
    assert codes == [Code.CANCELED] * 19 + [Code.OK]
    arm.check_smooth()
    assert arm.measured['shoulder_pan'] == pytest.approx(1.0, abs=2e-3)


def test_canceled_before_it_begins(arm: MotionProbe) -> None:
    """The cancellation comes at once after the goal."""
    asked = arm.moves.send_goal_async(arm.point(0.25, -0.2, 0.2, speed=0.4))
    arm.wait(asked.done, 'the goal')
    canceled = asked.result().cancel_goal_async()
    ended = asked.result().get_result_async()
    arm.wait(lambda: canceled.done() and ended.done(), 'the result')
    assert ended.result().result.code == Code.CANCELED
    assert ended.result().status == CANCELED
