# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node in a stream: stale targets, jumps, floods, controllers, moving frames."""

import math
import time
from collections.abc import Iterator

import pytest
from ros_processes import PLANAR_3R, URDF

# isort: split
from ros_probe import IkProbe, probed
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from ik_circles import load_arm
from ik_circles.reasons import Code

GOOD = (0.6, 0.2, 0.0)
FAR = (1.0, 0.0, 0.0)
#: Targets sent as fast as possible: answered one by one they would take seconds.
FLOOD = 10_000
#: After the flood, at most this many answers may come before that to the newest; a queue has more.
MOST_BEFORE = FLOOD // 100
#: Memory may grow by less than this [kB]: kept, the messages of a flood would take several MB.
PILED_UP = 2000
#: A finger that slides on the hand; the IK node knows its position only from joint_states. Another
#: one follows it, and is not in joint_states.
FINGER = """
  <link name="finger"/>
  <joint name="finger_joint" type="prismatic">
    <parent link="hand"/> <child link="finger"/>
    <origin xyz="0.1 0 0"/> <axis xyz="0 1 0"/>
    <limit lower="0" upper="0.05" velocity="0.1"/>
  </joint>
  <link name="other_finger"/>
  <joint name="other_finger_joint" type="prismatic">
    <parent link="hand"/> <child link="other_finger"/>
    <origin xyz="0.1 0 0"/> <axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.05" velocity="0.1"/> <mimic joint="finger_joint"/>
  </joint>
</robot>"""
GRIPPER = PLANAR_3R.replace('</robot>', FINGER)
ARM = load_arm(GRIPPER)
JOINTS = ARM.joint_names
AT = dict(zip(JOINTS, (0.3, 0.4, -0.2), strict=True))


@pytest.fixture(scope='module')
def node() -> Iterator[IkProbe]:
    with probed({'robot_description': GRIPPER}, '/stream') as probe:
        yield probe


@pytest.fixture
def ik(node: IkProbe) -> Iterator[IkProbe]:
    """The node with a model that remembers nothing; its parameters are put back afterwards."""
    again = node.set(robot_description=GRIPPER + f'<!-- {time.monotonic_ns()} -->')
    assert again.successful, again.reason
    yield node
    node.set_defaults(GRIPPER)


def tip(command: JointState) -> tuple[float, float, float]:
    positions = dict(zip(command.name, command.position, strict=True))
    x, y, z = map(float, ARM.forward_kinematics(positions)[:3, 3])
    return x, y, z


def measure(ik: IkProbe, positions: dict[str, float]) -> None:
    """Tell the node where the joints are, until its answers show that it knows."""
    message = JointState(name=list(positions), position=list(positions.values()))
    last = next(reversed(positions))

    def known() -> bool:
        ik.joint_states.publish(message)
        frame = 'finger' if last == 'finger_joint' else 'hand'
        return ik.send_point((0.0, 0.0, 0.0), frame).code != Code.BAD_FRAME

    ik.wait(known, f'{last} to be known')


def now(ik: IkProbe) -> int:
    return ik.node.get_clock().now().nanoseconds


def test_stale_targets(ik: IkProbe) -> None:
    assert ik.send_stamped(GOOD, now(ik) - 10**12).code == Code.OK
    assert ik.set(target_timeout=5.0).successful
    assert ik.send_stamped(GOOD, now(ik)).code == Code.OK
    assert ik.send_stamped(GOOD, 0).code == Code.OK
    for seconds, words in ((-60, 's old, target_timeout is 5 s'), (60, "ahead of this node's")):
        before = len(ik.commands)
        status = ik.send_stamped(GOOD, now(ik) + seconds * 10**9)
        assert status.code == Code.STALE and words in status.message
        assert not status.command.name and len(ik.commands) == before
    point = ik.send_point(GOOD)  # its stamp is of 1970
    assert point.code == Code.STALE and 's old' in point.message


def test_jumps(ik: IkProbe) -> None:
    assert ik.set(max_joint_step=0.5).successful
    assert ik.send(GOOD).code == Code.OK  # nothing is known yet: nobody can tell
    status = ik.send((0.1, -0.5, 0.0))  # the last command tells
    assert status.code == Code.JUMP and not status.command.name
    assert 'deg in one command, max_joint_step allows 28.6 deg' in status.message
    measure(ik, dict.fromkeys(JOINTS, 0.0))
    assert ik.send_point((0.1, -0.5, 0.0)).code == Code.JUMP
    assert ik.send_point((0.89, 0.05, 0.0)).code == Code.OK
    assert ik.set(on_unreachable='nearest').successful
    assert ik.send_point((0.0, 5.0, 0.0)).code == Code.JUMP
    near = ik.send_point((5.0, 1.0, 0.0))
    assert near.code == Code.TOO_FAR and near.command.name
    assert ik.check((0.1, -0.5, 0.0)).code == Code.OK  # the service moves nothing


def test_the_newest_of_a_flood_is_answered_at_once_and_nothing_piles_up(ik: IkProbe) -> None:
    before = ik.process.resident
    message = ik.pose(GOOD)
    for number in range(FLOOD):
        message.header.stamp.sec, message.header.stamp.nanosec = 1, number
        message.pose.position.x = 0.5 + 0.2 * number / FLOOD
        ik.poses.publish(message)
    ik.wait(lambda: any(s.header == message.header for s, _ in ik.statuses), 'the newest')
    assert len(ik.statuses) < MOST_BEFORE
    assert ik.statuses[-1][0].header == message.header
    assert ik.process.resident - before < PILED_UP
    assert ik.send(GOOD).code == Code.OK


# --- controllers ---


def test_a_joint_trajectory_controller_is_sent_its_joints(ik: IkProbe) -> None:
    sent: list[tuple[JointTrajectory, int]] = []
    ik.collect(JointTrajectory, 'joint_trajectory', sent)
    assert ik.node.count_publishers('joint_trajectory') == 0
    order = ['finger_joint', *reversed(JOINTS)]
    assert ik.set(controller_joints=order).successful
    assert ik.set(command_interface='trajectory').successful
    ik.wait(lambda: ik.node.count_publishers('joint_trajectory') == 1, 'its publisher')
    measure(ik, AT)
    refused = ik.send(GOOD)
    assert refused.code == Code.STALE and not refused.command.name
    words = 'no joint_states received for finger_joint, which controller_joints lists'
    assert words in refused.message
    measure(ik, {**AT, 'finger_joint': 0.02})

    found: list[JointTrajectory] = []
    command: dict[str, float] = {}

    def matched() -> bool:  # this side may know the publisher later than the node knows this side
        answer = ik.send(GOOD).command
        command.update(zip(answer.name, answer.position, strict=True))
        positions = [0.02, *(command[name] for name in order[1:])]
        found[:] = [t for t, _ in sent if list(t.points[0].positions) == positions]
        return bool(found)

    ik.wait(matched, 'its trajectory')
    trajectory = found[-1]
    assert trajectory.joint_names == order
    assert (trajectory.header.stamp.sec, trajectory.header.stamp.nanosec) == (0, 0)
    (point,) = trajectory.points
    assert not point.velocities and not point.accelerations
    took = point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec
    limits = {name: joint.velocity for name, joint in ARM.naming.joints.items()}
    assert took == pytest.approx(max(abs(command[n] - AT[n]) / limits[n] for n in JOINTS), abs=1e-6)
    assert ik.set(command_interface='joint_state').successful
    ik.wait(lambda: ik.node.count_publishers('joint_trajectory') == 0, 'its end')


def test_a_forward_command_controller_is_sent_numbers_in_its_order(ik: IkProbe) -> None:
    sent: list[tuple[Float64MultiArray, int]] = []
    ik.collect(Float64MultiArray, 'position_commands', sent)
    assert ik.set(command_interface='position_array').successful
    ik.wait(lambda: ik.node.count_publishers('position_commands') == 1, 'its publisher')
    ik.wait(lambda: ik.send(GOOD).code == Code.OK and sent, 'an array')
    assert list(sent[-1][0].data) == list(ik.send(GOOD).command.position)
    assert ik.set(controller_joints=list(reversed(JOINTS))).successful
    sent.clear()
    reverse = list(ik.send(GOOD).command.position)[::-1]
    ik.wait(lambda: sent, 'an array')
    assert list(sent[-1][0].data) == reverse
    assert ik.set(command_interface='trajectory').successful
    ik.wait(lambda: ik.node.count_publishers('position_commands') == 0, 'its end')


# --- frames and models ---


def test_targets_in_frames_of_moving_links(ik: IkProbe) -> None:
    for answer in (ik.send_point((-0.05, 0.0, 0.0), 'tip'), ik.check(GOOD, frame='tip')):
        assert answer.code == Code.BAD_FRAME
        words = f"no joint_states received for {', '.join(JOINTS)}, which the target's frame 'tip'"
        assert words in answer.message
    measure(ik, AT)
    x, y, z = (ARM.forward_kinematics(AT) @ (-0.05, 0.02, 0.0, 1.0))[:3]
    for status in (
        ik.send_point((-0.05, 0.02, 0.0), 'tip'),
        ik.send((-0.05, 0.02, 0.0), frame='tip'),
    ):
        assert status.code == Code.OK and status.header.frame_id == 'tip'
        assert tip(status.command) == pytest.approx((x, y, z), abs=1e-9)
    missing = ik.send_point((0.0, 0.0, 0.0), 'finger')
    assert missing.code == Code.BAD_FRAME
    assert "received for finger_joint, which the target's frame 'finger' moves" in missing.message
    measure(ik, {**AT, 'finger_joint': 0.03})
    for finger in ('finger', 'other_finger'):
        there = ARM.link_pose(finger, {**AT, 'finger_joint': 0.03})[:3, 3]
        status = ik.send_point((0.0, 0.0, 0.0), finger)
        assert tip(status.command) == pytest.approx(tuple(map(float, there)), abs=1e-9)


def test_poses_and_points_differ_in_orientation_only(ik: IkProbe) -> None:
    measure(ik, AT)
    assert ik.set(max_joint_step=1.0).successful
    for position, frame in (
        (GOOD, 'base_link'), (FAR, 'base_link'), ((0.1, -0.5, 0.0), 'base_link'), (GOOD, 'moon'),
        (GOOD, ''), ((0.6, 0.2, 0.1), 'base_link'), ((math.nan, 0, 0), 'base_link'),
        ((-0.01, 0.0, 0.0), 'tip'),
    ):
        pose, point = ik.send(position, frame=frame), ik.send_point(position, frame)
        assert pose.code == point.code, (position, frame)
        if pose.command.name:
            assert tip(pose.command) == pytest.approx(tip(point.command), abs=1e-9)


def test_a_new_model_starts_without_seeds_of_the_old_one(ik: IkProbe) -> None:
    one, other = (solution.position for solution in ik.check(GOOD, orientation=True).solutions)
    fresh = ik.send(GOOD).command.position
    far = other if fresh == pytest.approx(one, abs=1e-6) else one
    measure(ik, dict(zip(JOINTS, far, strict=True)))
    assert ik.send(GOOD).command.position == pytest.approx(far, abs=1e-6)
    assert ik.set(robot_description=GRIPPER + '<!-- again -->').successful
    assert ik.send(GOOD).command.position == pytest.approx(fresh, abs=1e-6)
    shorter = GRIPPER.replace('xyz="0.2 0 0"/>\n  </joint>', 'xyz="0.1 0 0"/>\n  </joint>')
    assert ik.set(robot_description=shorter).successful
    assert ik.send((0.85, 0.0, 0.0)).code == Code.TOO_FAR


def test_a_seed_far_past_its_limit_is_warned_about_once(ik: IkProbe) -> None:
    words = 'elbow_joint is measured 45.8 deg past its limit'
    measure(ik, {**AT, 'elbow_joint': 3.0})
    for _ in range(3):
        assert ik.send(GOOD).code == Code.OK
    ik.wait(lambda: words in ik.process.output, 'the warning')
    assert ik.process.output.count(words) == 1


def test_a_roll_that_moves_the_tip_is_taken_where_it_is_measured(ik: IkProbe) -> None:
    urdf = (URDF / 'so101.urdf').read_text()
    assert ik.set(robot_description=urdf).successful
    arm, roll, target = load_arm(urdf), 1.2, (0.15, 0.2, 0.1)

    def missed_by(command: JointState, roll: float) -> float:
        positions = dict(zip(command.name, command.position, strict=True))
        return math.dist(arm.forward_kinematics({**positions, 'wrist_roll': roll})[:3, 3], target)

    assert missed_by(ik.send_point(target).command, 0.0) < 1e-12
    measured = JointState(name=['wrist_roll', 'gripper'], position=[roll, 0.4])

    def rolled() -> bool:
        ik.joint_states.publish(measured)
        return missed_by(ik.send_point(target).command, roll) < 1e-12

    ik.wait(rolled, 'the roll to count')
    assert missed_by(ik.send_point(target).command, 0.0) > 0.001
