# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The real launch file, with the demonstration's scenario as the body of a launch_testing test."""

import os
import sys
import unittest
from pathlib import Path

import pytest

pytest.importorskip(
    'launch_testing', reason='launch_testing is missing: it comes with a full ROS 2, not as a wheel'
)
# isort: split
import launch_testing.actions
import launch_testing.asserts
import rclpy
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

from ik_circles.ros.demo import run_scenario

# launch_test does not read conftest.py
sys.path.append(str(Path(__file__).resolve().parents[2] / 'scripts'))
from domains import take

os.environ['ROS_DOMAIN_ID'] = str(take())


@pytest.mark.launch_test
def generate_test_description() -> LaunchDescription:
    file = Path(get_package_share_directory('ik_circles'), 'launch', 'arm.launch.py')
    return LaunchDescription([
        IncludeLaunchDescription(PythonLaunchDescriptionSource(str(file))),
        launch_testing.actions.ReadyToTest(),
    ])


class TestScenario(unittest.TestCase):
    def test_the_arm_does_what_it_is_told(self) -> None:
        rclpy.init()
        try:
            _, _, rows = run_scenario()
        finally:
            rclpy.try_shutdown()
        self.assertEqual([row.problem for row in rows], [''] * len(rows))
        self.assertTrue(any(row.status.command.name for row in rows))


@launch_testing.post_shutdown_test()
class TestEnd(unittest.TestCase):
    def test_every_process_ends_with_code_0(self, proc_info) -> None:
        launch_testing.asserts.assertExitCodes(proc_info)
