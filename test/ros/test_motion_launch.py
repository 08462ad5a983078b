# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motions under a launch: move, cancel, preempt, jog, disable, and an arm that is gone."""

import math
import os
import sys
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    'launch_testing', reason='launch_testing is missing: it comes with a full ROS 2, not as a wheel'
)
# isort: split
import launch_testing.actions
import rclpy
from geometry_msgs.msg import TwistStamped
from ik_circles.action import MoveTo
from launch import LaunchDescription
from launch_ros.actions import Node
from rclpy.action import ActionClient
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from ik_circles.reasons import Code

# launch_test does not read conftest.py
sys.path.append(str(Path(__file__).resolve().parents[2] / 'scripts'))
from domains import take

os.environ['ROS_DOMAIN_ID'] = str(take())
SO101 = [{'urdf_file': 'so101'}]
PATIENCE = 30.0
FAR = 1.5


@pytest.mark.launch_test
def generate_test_description() -> tuple[LaunchDescription, dict[str, Node]]:
    ik_node, sim_arm = (
        Node(package='ik_circles', executable=name, parameters=SO101)
        for name in ('ik_node', 'sim_arm')
    )
    ready = launch_testing.actions.ReadyToTest()
    return LaunchDescription([ik_node, sim_arm, ready]), {'sim_arm': sim_arm}


class TestMotions(unittest.TestCase):
    def setUp(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node('mover')
        self.moves = ActionClient(self.node, MoveTo, 'ik_node/move_to')
        self.jogs = self.node.create_publisher(TwistStamped, 'ik_node/jog', 1)
        self.enable = self.node.create_client(SetBool, 'ik_node/enable')
        self.pan, self.speeds = math.nan, [1.0]
        self.node.create_subscription(JointState, 'joint_states', self.hear, 10)
        self.until(self.moves.server_is_ready)
        self.until(self.jogs.get_subscription_count)
        self.until(lambda: math.isfinite(self.pan))

    def tearDown(self) -> None:
        self.moves.destroy()
        self.node.destroy_node()
        rclpy.try_shutdown()

    def hear(self, message: JointState) -> None:
        self.pan, self.speeds = message.position[0], list(message.velocity)

    def until(self, condition: Callable[[], Any]) -> None:
        give_up = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), give_up)
            rclpy.spin_once(self.node, timeout_sec=0.05)

    def result(self, future: Any) -> Any:
        self.until(future.done)
        return future.result()

    def send(self, pan: float) -> Any:
        joints = JointState(name=['shoulder_pan'], position=[pan])
        goal = MoveTo.Goal(kind=MoveTo.Goal.JOINTS, joints=joints, speed=0.4)
        return self.result(self.moves.send_goal_async(goal))

    def code(self, handle: Any) -> int:
        return int(self.result(handle.get_result_async()).result.code)

    def moving(self) -> bool:
        return any(abs(speed) > 0.1 for speed in self.speeds)

    def test_everything_that_may_happen_to_a_motion(self, proc_info, sim_arm) -> None:
        self.until(lambda: self.code(self.send(0.0)) == Code.OK)  # once the node has heard the arm
        self.assertEqual(self.code(self.send(0.5)), Code.OK)
        self.assertAlmostEqual(self.pan, 0.5, delta=0.01)

        canceled = self.send(-FAR)
        self.until(self.moving)
        self.result(canceled.cancel_goal_async())
        self.assertEqual(self.code(canceled), Code.CANCELED)

        first = self.send(-FAR)
        self.until(self.moving)
        second = self.send(0.0)
        self.assertEqual(self.code(first), Code.CANCELED)
        self.assertEqual(self.code(second), Code.OK)

        twist = TwistStamped()
        twist.header.frame_id, twist.twist.linear.y = 'base_link', 0.1
        before = self.pan

        def jogged() -> bool:
            self.jogs.publish(twist)
            return abs(self.pan - before) > 0.05

        self.until(jogged)
        self.until(lambda: not any(self.speeds))

        disabled = self.send(-FAR)
        self.until(self.moving)
        self.assertTrue(self.result(self.enable.call_async(SetBool.Request(data=False))).success)
        self.assertEqual(self.code(disabled), Code.DISABLED)
        self.assertEqual(self.code(self.send(0.0)), Code.DISABLED)
        self.assertTrue(self.result(self.enable.call_async(SetBool.Request(data=True))).success)

        silent = self.send(FAR)
        self.until(self.moving)
        os.kill(sim_arm.process_details['pid'], 9)
        self.assertEqual(self.code(silent), Code.NO_FEEDBACK)
