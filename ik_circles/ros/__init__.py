# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The ROS 2 shell: parameters, conversions and thin nodes. The only place that imports rclpy."""
