# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The URDF of your own SO-101 for ros2_control, from the official one and LeRobot's calibration.

python examples/so101_description.py so101_new_calib.urdf arm.json --port /dev/ttyACM0 >arm.urdf

It adds the driver feetech_ros2_driver with the servos' ids and offsets, narrows the joint limits to
the range that was recorded, and slows the joints down. It needs no ROS. It was not tried on an arm.
"""

import argparse
import json
import math
import sys
from xml.etree import ElementTree

from defusedxml.ElementTree import parse

#: Steps of a servo's encoder in a turn.
STEPS = 4096
#: Most that a joint turns [rad/s]. The driver lets servos turn at 2400 steps/s, which is 3.7 rad/s.
VELOCITY = 2.0
GRIPPER = 'gripper'
DRIVER = 'feetech_ros2_driver/FeetechHardwareInterface'
#: ros2_control's own stand-in for an arm: it is where it is sent.
MOCK = 'mock_components/GenericSystem'


def radians(steps):
    return steps * 2.0 * math.pi / STEPS


def described(robot, calibration, port):
    """Put the driver into a robot's XML, for the joints that have a calibration; no port: mock."""
    control = ElementTree.SubElement(robot, 'ros2_control', name='so101', type='system')
    hardware = ElementTree.SubElement(control, 'hardware')
    ElementTree.SubElement(hardware, 'plugin').text = DRIVER if port else MOCK
    if port:
        parameter(hardware, 'usb_port', port)
    joints = {joint.get('name'): joint for joint in robot.iterfind('joint')}
    for name, servo in calibration.items():
        if name not in joints:
            raise SystemExit(f'the URDF has no joint {name}; it has {", ".join(joints)}')
        limit = joints[name].find('limit')
        offset = zero(name, servo, limit)
        narrow(limit, offset, servo)
        joint = ElementTree.SubElement(control, 'joint', name=name)
        if port:
            parameter(joint, 'id', str(servo['id']))
            parameter(joint, 'offset', str(round(offset)))
        ElementTree.SubElement(joint, 'command_interface', name='position')
        state = ElementTree.SubElement(joint, 'state_interface', name='position')
        if not port:
            parameter(state, 'initial_value', '0.0')


def parameter(parent, name, text):
    ElementTree.SubElement(parent, 'param', name=name).text = text


def zero(name, servo, limit):
    """The step at which a joint is at 0: LeRobot's 0 degrees, the middle of the recorded range.

    The gripper has no degrees in LeRobot: 0 % is taken as its lower limit in the URDF.
    """
    if name == GRIPPER:
        return servo['range_min'] - float(limit.get('lower')) * STEPS / (2.0 * math.pi)
    return 0.5 * (servo['range_min'] + servo['range_max'])


def narrow(limit, offset, servo):
    """Limits that both the URDF and the recorded range allow, and a velocity that is gentle."""
    lower, upper = float(limit.get('lower')), float(limit.get('upper'))
    limit.set('lower', f'{max(lower, radians(servo["range_min"] - offset)):.6g}')
    limit.set('upper', f'{min(upper, radians(servo["range_max"] - offset)):.6g}')
    limit.set('velocity', f'{min(float(limit.get("velocity")), VELOCITY):g}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('urdf', help='the official URDF, so101_new_calib.urdf')
    parser.add_argument('calibration', help='the JSON file that lerobot-calibrate has written')
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument('--port', help='serial port of the arm, such as /dev/ttyACM0')
    where.add_argument('--mock', action='store_true', help='no arm: try the controllers without')
    given = parser.parse_args()
    robot = parse(given.urdf).getroot()
    with open(given.calibration) as file:
        described(robot, json.load(file), given.port)
    ElementTree.indent(robot)
    sys.stdout.write(ElementTree.tostring(robot, encoding='unicode') + '\n')


if __name__ == '__main__':
    main()
