# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""LeRobot's kinematics of an arm, and a processor step that keeps targets inside its workspace.

Nothing of LeRobot is imported. The interfaces are those of its commit 7427f31 (2026-08-23):
`src/lerobot/model/kinematics.py` and `src/lerobot/processor/pipeline.py`.
"""

from ik_circles.bridges.lerobot.kinematics import RobotKinematics
from ik_circles.bridges.lerobot.workspace import EEInsideWorkspace

__all__ = ['EEInsideWorkspace', 'RobotKinematics']
