# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node's robot description: over the topic, broken, and too small for the margin."""

from ros_processes import PLANAR_3R, URDF

# isort: split
from ros_probe import probed
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ik_circles.reasons import Code

GOOD = (0.6, 0.2, 0.0)
#: The same arm with a shorter hand: reaches 0.8 m.
SHORTER = PLANAR_3R.replace('xyz="0.2 0 0"/>\n  </joint>', 'xyz="0.1 0 0"/>\n  </joint>')
#: An arm on a mount that can tilt it, and a place that it reaches.
PLACE = (0.2, 0.0, 0.1)
TILTED = (URDF / 'px100.urdf').read_text().replace('<link name="px100/base_link">', """
  <link name="mount"/>
  <joint name="tilt" type="revolute">
    <parent link="mount"/> <child link="px100/base_link"/> <axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/>
  </joint>
  <link name="px100/base_link">""")  # fmt: skip


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
        ik.wait(lambda: 'keeping the previous model' in ik.process.output, 'the refusal')
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


def test_a_held_joint_that_tilts_the_arm_above_a_floor_is_told_and_the_node_lives_on() -> None:
    """Such a floor is none of a tilted arm, so there is no model until the arm stands again."""
    with probed({'robot_description': TILTED, 'floor': 0.0}, '/tilted') as ik:
        for tilt, code in ((0.0, Code.OK), (0.3, Code.NO_MODEL), (0.0, Code.OK)):
            ik.joint_states.publish(JointState(name=['tilt'], position=[tilt]))
            ik.wait(lambda code=code: ik.send(PLACE, frame='mount').code == code, code.name)
            asked = ik.check(PLACE, frame='mount')
            assert asked.code == code
            assert ('leans from the z of base_link' in asked.message) == (code == Code.NO_MODEL)
