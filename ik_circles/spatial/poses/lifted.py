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
    wrist, after = arm.wrist, len(arm.limits) - len(arm.wrist.limits)
    limits = [CONTINUOUS if i in joints else one for i, one in enumerate(arm.limits)]
    of_wrist = (
        CONTINUOUS if i in joints else its for i, its in enumerate(wrist.limits, start=after)
    )
    wrist = replace(wrist, limits=tuple(of_wrist))
    return replace(arm, carrier=arm.carrier.lifted(joints), wrist=wrist, limits=limits)
