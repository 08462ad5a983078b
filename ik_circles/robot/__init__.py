# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""From a robot description (URDF) to the arm inside it, with answers by joint name.

From the bottom up: `text`, `tree` (`RobotTree`), `urdf_joint` and `urdf` (reading), `search`
(finding the three joints), `naming` (between angles and joint positions by name), `reduction` (the
robot reduced to an arm in space) with `notes`, `verdict` (the answer) and `arm` (`RobotArm`,
`load_arm`).
"""
