# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm in space, where a yaw joint may turn its plane; it knows angles, no names and no URDF.

From the bottom: `yaw` (what turning the plane does), `plane` (between space and the plane),
`true_axes` (axes that are not exactly parallel), `arm` (what the arm is, `SpatialArm`), `points`
(points in space: a planar question for each shoulder, the choice among their solutions, the nearest
point and the verdict), `wrist` (the joints after the three), `poses` (full poses of an arm with a
wrist), `lines` (straight lines), and `batch` (many points and poses at once).
"""
