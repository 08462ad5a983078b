# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Quality of service of the topics."""

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

#: A target: only the newest counts.
LATEST = QoSProfile(depth=1)
#: Answers, commands and states: a few may wait.
QUEUED = QoSProfile(depth=10)
#: Joint states: several nodes may report different joints, so the queue is deep. Lost messages are
#: not sent again.
MEASURED = QoSProfile(depth=50, reliability=ReliabilityPolicy.BEST_EFFORT)
#: Messages that a late subscriber should get, too: robot_description, the workspace.
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
#: Requests of an action: a burst of goals must not be lost. Services keep 10.
REQUESTS = QoSProfile(depth=100)
