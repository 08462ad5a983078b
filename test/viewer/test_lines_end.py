# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A straight line that ends early: the ball can be put where it ends, and the arm goes there."""

import math
from contextlib import ExitStack

import numpy as np
import pytest
from page_user import User
from viewer_arms import ARMS

from ik_circles import Code
from ik_circles.control.moves.ahead import ahead, held
from ik_circles.control.settings import Settings
from ik_circles.viewer.controls import LINES_END
from ik_circles.viewer.targets import out_of_reach, point_of

#: How far from a shorter way the ball may be [m].
NEAR = 1e-3
BENT = {'shoulder_joint': 0.9, 'elbow_joint': -1.1, 'wrist_joint': 0.2}
#: A point in reach, past what a straight line can do [m].
PAST_THE_LINE = (-0.5, 0.3, 0.0)


def test_the_ball_goes_to_the_end_of_the_line() -> None:
    arm = ARMS['planar_3r']
    with ExitStack() as stack:
        user = User(stack)
        user.show(measured=BENT)
        tip = arm.forward_kinematics(BENT)[:3, 3]
        user.see(lambda: user.ball == pytest.approx(tip))
        button = user.control('Go to the nearest point')
        user.set('Follow the ball', False)
        user.stop()
        user.drag(PAST_THE_LINE)
        user.see(lambda: 'LINE ENDS EARLY' in user.newest('verdict'))
        user.see(lambda: user.updates(button, 'label')[-1:] == [LINES_END])
        assert user.updates(button, 'disabled')[-1] is False
        assert 'nearest' not in user.newest('verdict')
        way = ahead(arm, Settings(), held(arm, PAST_THE_LINE, BENT).target, BENT)
        assert way is not None
        user.set('Go to the nearest point')
        user.see(lambda: math.dist(user.ball, way.done_to) < NEAR)
        user.see(lambda: 'can be followed. Press' in user.newest('verdict'))
        assert not user.asked.targets


@pytest.mark.parametrize('name', ['planar_3r', 'so101', 'px100', 'ur5e'])
def test_a_line_to_where_another_one_ends_can_be_followed(name: str) -> None:
    """Law: else the button would offer the same again."""
    arm, rng, found = ARMS[name], np.random.default_rng(1), 0
    while found < 10:
        joints = {joint: rng.uniform(-0.8, 0.8) for joint in arm.commanded_joints}
        tip = arm.forward_kinematics(joints)[:3, 3]
        off = 0.3 * arm.arm.max_reach * rng.normal(size=3)
        at = point_of(tip + off * (1.0, 1.0, arm.spatial.yaw is not None))
        target = held(arm, at, joints).target
        way = ahead(arm, Settings(), target, joints)
        ends_early = way is not None and way.code is not Code.OK
        if not ends_early or out_of_reach(arm, Settings(), target):
            continue
        if math.dist(way.start, way.done_to) < NEAR:
            continue
        again = ahead(arm, Settings(), held(arm, way.done_to, joints).target, joints)
        assert again is not None and again.code is Code.OK, again
        found += 1
