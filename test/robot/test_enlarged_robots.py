# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An arm that is larger in all lengths does the same, larger: also what its axes leave open."""

import numpy as np
from law_cases import cases
from tilted_robots import leaned
from wrist_robots import KINDS, enlarged, random_robot

from ik_circles import load_arm


def test_the_slack_of_leaning_axes_grows_with_the_arm():
    rng = np.random.default_rng(0)
    for number in range(cases(400)):
        text = leaned(random_robot(rng, *KINDS[number % 4]).text, rng)
        arm, large = load_arm(text), load_arm(enlarged(text, 8.0))
        slack = arm.spatial.plane.slack
        assert slack > 0.0
        assert abs(large.spatial.plane.slack - 8.0 * slack) <= 1e-9 * slack
