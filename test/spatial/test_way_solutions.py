# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Solutions of a way far from those of exact axes, with an elbow that can be neither straight nor
folded."""

import numpy as np
from law_cases import cases
from spatial_arms import direction, rotation_by
from test_ordinary_poses import with_limit
from wrist_robots import pose_of, random_robots, without_limits

from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.way_solutions import turned_by_much

CLOSES = 1e-8  # [m]
ELBOW = 0.5, 1.5  # [rad], one way or the other


def test_turned_by_much_the_tip_is_in_its_place_and_the_elbow_stays_inside_its_limits():
    rng, seen = np.random.default_rng(0), 0
    for robot in random_robots(rng, cases(400, 40, least=5), each=1, kinds=[(True, 1), (False, 1)]):
        naming = robot.arm.naming.three[1]
        ends = sorted(naming.sign * (end - naming.offset) for end in ELBOW)
        one = with_limit(without_limits(robot), naming.joint.name, *ends)
        arm, (lower, upper) = one.arm.whole, one.arm.whole.limits_of_three[1]
        point, rotation = pose_of(one, one.drawn(rng))
        rotation = rotation_by(direction(rng), rng.uniform(0.3, 1.0)) @ rotation
        for tilt in (0.3, 3.0):
            pose = FullPose(arm, point, rotation, tilt)
            for way in pose.allowed_ways:
                for found in turned_by_much(pose.aim, way):
                    away, turned = arm.miss(found, point, rotation.tolist())
                    assert away <= CLOSES and turned <= tilt + CLOSES
                    assert lower <= found.q[1] <= upper
                    seen += 1
    assert seen
