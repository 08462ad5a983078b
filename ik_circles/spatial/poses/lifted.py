# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A whole arm without the limits of some joints: do they alone keep it from a pose?"""

from collections.abc import Collection
from dataclasses import replace

from ik_circles.geometry.angles import CONTINUOUS
from ik_circles.reasons import JointLabel
from ik_circles.spatial.poses.whole_arm import WholeArm


def labels(arm: WholeArm) -> list[JointLabel]:
    """The names of the chain's joints."""
    yaw = arm.carrier.yaw
    return [*([yaw.label] if yaw else []), *arm.carrier.labels, *arm.wrist.labels]


def lifted(arm: WholeArm, joints: Collection[int]) -> WholeArm:
    """The same arm without the limits of some joints of its chain."""
    carrier, wrist, count = arm.carrier, arm.wrist, len(arm.limits)
    limits = [CONTINUOUS if i in joints else one for i, one in enumerate(arm.limits)]
    after = count - len(wrist.limits)
    if carrier.yaw is not None and 0 in joints:
        plane = replace(carrier.plane, yaw=carrier.yaw._replace(limits=CONTINUOUS))
        carrier = replace(carrier, tool=replace(carrier.tool, plane=plane))
    a, b, c = (
        None if CONTINUOUS in (its, limit) else its
        for its, limit in zip(carrier.planar.limits, limits[after - 3 :])
    )
    planar = replace(carrier.planar, joint_limits=(a, b, c))
    of_wrist = (
        CONTINUOUS if i in joints else its for i, its in enumerate(wrist.limits, start=after)
    )
    return replace(
        arm, carrier=replace(carrier, planar=planar), wrist=replace(wrist, limits=tuple(of_wrist)),
        limits=limits,
    )  # fmt: skip
