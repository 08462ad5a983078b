# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the result of a goal of ~/move_to says."""

import numpy as np
from law_cases import cases
from moving_arms import PARAMETERS
from spatial_arms import random_rotation
from three_joints import shipped_arm
from wrist_robots import turned_away

from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.moves.playing import Playing
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.reasons import degrees_text
from ik_circles.ros.move_replies import whereabouts

SO101 = shipped_arm('so101')
HOME = dict.fromkeys(SO101.commanded_joints, 0.0)


def test_an_orientation_that_gave_way_is_said():
    """Law: a goal says how far the tool is turned from what was asked, if that is over 0.01 rad."""
    rng, turned = np.random.default_rng(3), 0
    for number in range(cases(1000)):
        rotation = random_rotation(rng) if number % 2 else SO101.forward_kinematics(HOME)[:3, :3]
        point = (rng.uniform(0.15, 0.3), rng.uniform(-0.2, 0.2), rng.uniform(0.05, 0.3))
        target = Target(point, rotation)
        try:
            planned = plan(SO101, Settings(), PARAMETERS, Wish(target), State(dict(HOME)))
        except Refusal:
            continue
        there = SO101.forward_kinematics(planned.end)
        angle = turned_away(there[:3, :3], rotation)
        said = whereabouts(Playing(planned, 0.0), SO101, planned.end)
        assert ('turned by' in said) == (angle > 0.01)
        assert angle <= 0.01 or f'turned by {degrees_text(angle)} from the' in said
        turned += angle > 0.01
    assert turned
