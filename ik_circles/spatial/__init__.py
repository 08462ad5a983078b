# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm in space, where a yaw joint may turn its plane; it knows angles, no names and no URDF.

From the bottom: `yaw` (what turning the plane does), `plane` (between space and the plane), `arm`
(what the arm is, `SpatialArm`), `ways` (one planar question for each shoulder, and the choice among
their solutions), `nearest` (distances behind a yaw joint), `sentences` and `verdict` (the answer,
on top).
"""
