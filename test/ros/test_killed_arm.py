# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A simulated arm that is killed under `ros2 launch`: a goal under way is told before all ends."""

import os
import re
import signal
from pathlib import Path

from test_launch_file import launching

# isort: split
from motion_probe import MotionProbe

from ik_circles.reasons import Code


def test_a_goal_is_told_before_the_launch_ends(tmp_path: Path) -> None:
    with launching(tmp_path, 'arm.launch.py', 'urdf:=so101') as launch:
        probe = MotionProbe(launch, launch)
        probe.connect()
        sent = probe.begin(joints=probe.joints(shoulder_pan=-1.5), speed=0.05)
        probe.wait(lambda: sent.feedback, 'the arm to move')
        started = re.search(r'\[sim_arm-\d+\]: process started with pid \[(\d+)\]', launch.output)
        assert started is not None
        os.kill(int(started[1]), signal.SIGKILL)
        assert probe.end(sent)[1].code == Code.NO_FEEDBACK
        probe.close()
        assert launch.wait() == 1
    assert 'sim_arm has ended with exit code -9, so this launch ends' in launch.output
