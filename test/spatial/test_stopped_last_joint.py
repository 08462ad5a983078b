# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Outstretched arms with the tip on the axis of a last joint that a limit stops."""

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import random_rotation
from tilted_robots import TiltedRobot, leaned
from wrist_robots import pose_of, random_robot, turned_away, with_tip_on_axis

NEARER = 1e-6  # [rad]


def some_robots(rng, count):
    """Robots with two wrist joints and the tip on the last axis, some with axes that lean."""
    for number in range(count):
        text = with_tip_on_axis(random_robot(rng, number % 2 == 0, 2).text)
        yield TiltedRobot(leaned(text, rng, 1e-6) if number % 7 == 0 else text)


def test_law_an_arm_whose_orientation_gave_way_stays_when_it_is_asked_again():
    """With the wrist and the position that it has gone to, no orientation in the plane is nearer.
    """
    rng, on_limit = np.random.default_rng(0), 0
    for robot in some_robots(rng, cases(1500, least=60)):
        for _ in range(5):
            own = robot.drawn(rng)
            for name in robot.arm.joint_names[1:]:  # mostly far out
                if rng.random() < 0.5:
                    own[name] = float(np.clip(rng.normal() * 0.1, *robot.limits[name]))
            point, rotation = pose_of(robot, own)[0], random_rotation(rng)
            there = robot.arm.solve(point, rotation=rotation, seed=robot.drawn(rng))
            if there is None or there['w2'] not in robot.limits['w2']:
                continue
            on_limit += 1
            verdict = robot.arm.check_reachability(point, rotation=rotation)
            nearest = pose_of(robot, verdict.nearest_joint_positions)[1]
            command = pose_of(robot, robot.arm.solve(point, rotation=rotation))[1]
            found, sent = (turned_away(one, rotation) for one in (nearest, command))
            assert found <= sent + NEARER, (robot.text, point, rotation)
            again = robot.arm.solve(point, rotation=rotation, seed=there)
            away, less = (turned_away(pose_of(robot, one)[1], rotation) for one in (there, again))
            assert less >= away - NEARER, (robot.text, point, rotation)
            assert again == pytest.approx(there, abs=1e-6), (robot.text, point, rotation)
    assert on_limit > cases(400, least=20)
