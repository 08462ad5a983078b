# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The floor stops a smooth target on its way, and the status says so."""

import math

from ros_processes import URDF

# isort: split
from motion_probe import ARM, ARRIVED, NAMES, MotionProbe, moving

from ik_circles.reasons import Code

assert URDF.is_dir()
FLOOR = 0.05
#: From here, all joints together, to this point [m]: the wrist would be below the floor by 1 mm.
START = {'shoulder_pan': 0.0, 'shoulder_lift': 0.6, 'elbow_flex': -0.1, 'wrist_flex': -0.4}
BEYOND = (0.184, -0.084, 0.054)


def test_a_smooth_target_that_the_floor_stops_is_told_at_once() -> None:
    """Law: FLOOR, with the figure, and the command is where the arm comes to rest."""
    with moving('/floored', {'floor': FLOOR, 'motion': 'smooth'}) as arm:
        said = f'floor at {FLOOR} m, motion smooth, commands as joint_state, enabled'
        assert arm.process.output.count(said) == 1
        assert arm.go(joints=arm.joints(**START))[1].code == Code.OK
        arm.wait(arm.rests, 'the start')
        arm.all_sent()
        arm.sent.clear()
        status = arm.send_point(BEYOND)
        assert status.code == Code.FLOOR
        assert 'the motion would go below the floor, by ' in status.message
        assert status.message.endswith('the arm comes to rest before that')
        rest = dict(zip(status.command.name, status.command.position))
        arm.wait(lambda: arm.rests() and is_at(arm, rest), 'the arm at rest where the status said')
        arm.check_smooth()
        _, places = arm.path()
        heights = [arm.tip(dict(zip(NAMES, one)))[2, 3] for one in places]
        assert min(heights) > FLOOR - 2e-4
        arm.enable(False)
        arm.wait(lambda: 'disabled: questions' in arm.process.output, 'a line about that')
        assert math.dist(arm.tip(rest)[:3, 3], BEYOND) > 0.01


def is_at(arm: MotionProbe, places: dict[str, float]) -> bool:
    return all(abs(arm.measured[name] - places[name]) < ARRIVED for name in ARM.commanded_joints)
