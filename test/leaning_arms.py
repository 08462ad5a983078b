# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms on axes that lean, made by hand, and ways to where joint angles put their tips."""

import math

import numpy as np
from spatial_arms import pose, yaw_joint

from ik_circles import PlanarArm
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain
from ik_circles.spatial.true_axes.leaning import Leaning
from ik_circles.spatial.true_axes.true_way import AskedOfWay, TrueWay

LENGTHS = (0.4, 0.3, 0.2)
LEAN, SLACK = 1e-6, 1e-6
Q = (0.3, 0.8, -0.5)
YAW = 0.4


def leaning(yaw_limits=None, limits=None, floor=None, lengths=LENGTHS):
    """An arm along x with its axes along z up to the lean, behind a yaw joint along y if that has
    limits."""
    planar = PlanarArm(lengths, limits, floor)
    ends = np.cumsum((0.0, *lengths)).tolist()
    ways = (0.0, LEAN), (LEAN, 0.0), (-LEAN, LEAN / 2.0)
    axes = [np.array((*way, 1.0)) / math.hypot(*way, 1.0) for way in ways]
    hinges = [Hinge(tuple(one.tolist()), (x, 0.0, 0.0), 0.0) for one, x in zip(axes, ends)]
    yaw = None
    if yaw_limits is not None:
        yaw, hinges = (
            yaw_joint(planar, yaw_limits),
            [Hinge((0.0, 1.0, 0.0), (0.0,) * 3, 0.0), *hinges],
        )
    plane = ArmPlane(pose(np.eye(3), (0.0, 0.0, 0.0)), yaw, SLACK)
    return Leaning(planar, plane, HingeChain(tuple(hinges), (ends[3], 0.0, 0.0)), LEAN)


def way(some, yaw=0.0, q=Q, zones=None, yaws=None, found=None, **asked):
    """The way to where joint angles put the tip, and the place of parallel axes."""
    x, y, phi = some.planar.pose_at(q)
    zones = SafeZones.of(some.planar) if zones is None else zones
    its = AskedOfWay(some.tip(yaw, q), phi, None, 0.0, zones)._replace(**asked)
    if found is None:
        found = Reachability(some.planar.workspace, (x, y), its.phi, SafeZones.of(some.planar))
    return TrueWay(some, its, Shoulder(yaw, (x, y)), [yaw] if yaws is None else yaws, found)


def missed(some, angles, point):
    away = np.subtract(some.tip(*angles), point)
    return float(np.linalg.norm(away if some.plane.yaw else away[:2]))
