# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints that follow others, as the second finger of a gripper does."""

import numpy as np
import pytest
from robot_texts import joint, limit, robot

from ik_circles.robot.urdf import parse_urdf


def test_a_joint_that_follows_another_is_where_that_one_puts_it():
    """Law: unless its own position is given. Else one finger of a gripper stays as it closes."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        multiplier, offset, at = rng.normal(size=3)
        mimic = f'<mimic joint="j0" multiplier="{multiplier}" offset="{offset}"/>'
        slides = limit(-9.0, 9.0)
        tree = parse_urdf(
            robot(
                joint('j0', 'l0', 'l1', 'prismatic', (0, 0, 0), (0, 0, 0), (0, 1, 0), slides),
                joint('j1', 'l0', 'l2', 'prismatic', (0, 0, 0), (0, 0, 0), (1, 0, 0),
                      slides + mimic),
            )
        )  # fmt: skip
        follows, own = multiplier * at + offset, rng.normal()
        for given, wanted in (({'j0': at}, follows), ({'j0': at, 'j1': own}, own), ({}, 0.0)):
            assert tree.poses('l0', given)['l2'][0, 3] == pytest.approx(wanted)
            assert tree.with_followers(given).get('j1', 0.0) == pytest.approx(wanted)
