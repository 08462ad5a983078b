# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node's robot description: over the topic, broken, and too small for the margin."""

from ros_processes import PLANAR_3R

# isort: split
from ros_probe import probed
from std_msgs.msg import String

from ik_circles.reasons import Code

GOOD = (0.6, 0.2, 0.0)
#: The same arm with a shorter hand: reaches 0.8 m.
SHORTER = PLANAR_3R.replace('xyz="0.2 0 0"/>\n  </joint>', 'xyz="0.1 0 0"/>\n  </joint>')


def test_the_description_may_come_on_the_topic() -> None:
    with probed({'safe_zone_margin': 0.42}, '/described') as ik:
        for answer in (ik.send(GOOD), ik.check(GOOD)):
            assert answer.code == Code.NO_MODEL and 'no robot_description' in answer.message
        ik.descriptions.publish(String(data='<robot'))
        ik.wait(lambda: 'not well-formed' in ik.send(GOOD).message, 'the reason')
        ik.descriptions.publish(String(data=SHORTER))
        ik.wait(lambda: 'safe_zone_margin' in ik.send(GOOD).message, 'the reason')
        assert ik.set(safe_zone_margin=0.0).successful
        assert ik.send(GOOD).code == Code.OK  # it fits now
        ik.descriptions.publish(String(data=PLANAR_3R))
        ik.wait(lambda: ik.send((0.85, 0.0, 0.0)).code == Code.OK, 'the longer arm')
        ik.descriptions.publish(String(data='<robot'))
        ik.wait(lambda: 'keeping the model before it' in ik.process.output, 'the refusal')
        assert ik.send(GOOD).code == Code.OK


def test_a_margin_that_is_too_large_at_the_start_can_be_mended() -> None:
    start = {'robot_description': PLANAR_3R, 'safe_zone_margin': 5.0}
    with probed(start, '/mended') as ik:
        assert ik.send(GOOD).code == Code.NO_MODEL
        assert ik.set(branch='elbow_up').successful
        assert ik.set(safe_zone_margin=0.0).successful
        assert ik.send(GOOD).code == Code.OK


def test_an_empty_parameter_goes_back_to_the_topic() -> None:
    with probed({'robot_description': PLANAR_3R}, '/back') as ik:
        assert ik.set(robot_description='').successful
        answer = ik.send(GOOD)
        assert answer.code == Code.NO_MODEL and 'no robot_description yet' in answer.message
        assert ik.set(branch='elbow_up').successful
        ik.descriptions.publish(String(data=SHORTER))
        ik.wait(lambda: ik.send((0.85, 0.0, 0.0)).code == Code.TOO_FAR, 'the shorter arm')
        assert ik.set(robot_description=PLANAR_3R).successful
        assert ik.send((0.85, 0.0, 0.0)).code == Code.OK
        assert ik.set(robot_description='').successful
        assert ik.send((0.85, 0.0, 0.0)).code == Code.TOO_FAR
        assert ik.send(GOOD).command.name
