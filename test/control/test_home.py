# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Home is where all joints are as near to 0 as limits allow, or the tip as near as a floor does."""

import numpy as np
import pytest
from three_joints import shipped_arms, shipped_text

from ik_circles.control.floor import GRAZE, lowest, stands
from ik_circles.control.home import home_positions, start_in, start_positions
from ik_circles.control.settings import Settings

ARMS = shipped_arms()


@pytest.mark.parametrize('name', ARMS)
def test_without_a_floor_each_joint_is_as_near_to_0_as_its_limits_allow(name):
    arm = ARMS[name]
    home = home_positions(arm, Settings())
    assert home.keys() == arm.joints.keys()
    for joint, position in home.items():
        limits = arm.joints[joint].lower, arm.joints[joint].upper
        assert position == (0.0 if limits[0] <= 0.0 <= limits[1] else min(limits, key=abs))


@pytest.mark.parametrize('name', [name for name, arm in ARMS.items() if stands(arm)])
def test_above_a_floor_the_tip_is_as_near_to_that_place_as_the_floor_allows(name):
    arm = ARMS[name]
    free = home_positions(arm, Settings())
    low = lowest(arm, free, free)
    for just_kept in (low - 0.1, low, low + GRAZE * 0.9):
        assert home_positions(arm.above(just_kept), Settings()) == free
    tip, above = arm.forward_kinematics(free), arm.above(low + 1e-3)
    home = home_positions(above, Settings())
    assert lowest(arm, home, home) >= low + 1e-3 - GRAZE
    assert home.keys() == free.keys()
    nearest = above.check_reachability(tip[:3, 3], rotation=tip[:3, :3]).nearest
    found = above.forward_kinematics(home)
    assert np.linalg.norm(found[:3, 3] - tip[:3, 3]) == pytest.approx(
        np.linalg.norm(np.subtract(nearest[:3], tip[:3, 3])), abs=1e-6
    )


@pytest.mark.parametrize('name', ARMS)
def test_an_arm_that_stands_starts_above_z_0_unless_it_has_another_floor(name):
    arm = ARMS[name]
    start, home = start_positions(arm), home_positions(arm, Settings())
    assert start == start_in(shipped_text(name))
    if not stands(arm):
        assert start == home
        return
    assert lowest(arm, start, start) >= -GRAZE
    assert start == home_positions(arm.above(0.0), Settings())
    lower = arm.above(lowest(arm, home, home) - 0.01)
    assert start_positions(lower) == home


def test_no_start_is_found_without_an_arm():
    assert start_in('<robot name="r"><link name="base"/></robot>') == {}
