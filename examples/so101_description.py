# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The URDF of your own SO-101 for ros2_control, from the official one and LeRobot's calibration.

python examples/so101_description.py so101_new_calib.urdf arm.json --port /dev/ttyACM0 >arm.urdf

It adds the driver feetech_ros2_driver with the servos' ids and offsets, narrows the joint limits to
the range that was recorded, and slows the joints down. It needs no ROS. It was not tried on an arm.
With --mock in place of --port, there is no arm, and the calibration may be left out.
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
#: The middle of a joint's limits is this near to 0 where 0 is LeRobot's. It is at most 0.05 in
#: so101_new_calib.urdf, and 1.48 in so101_old_calib.urdf [rad].
MIDDLE = 0.2
GRIPPER = 'gripper'
DRIVER = 'feetech_ros2_driver/FeetechHardwareInterface'
#: ros2_control's own stand-in for an arm: it is where it is sent.
MOCK = 'mock_components/GenericSystem'
WRITTEN_BY = 'give the file that lerobot-calibrate has written'


class Refused(Exception):
    """What was given cannot be used: the value, the rule and the fix in a sentence."""


def radians(steps):
    return steps * 2.0 * math.pi / STEPS


def described(robot, calibration, port):
    """Put the driver into a robot's XML, for the joints that have a calibration; no port: mock.

    Without a calibration it is all joints that turn, with their limits as they are.
    """
    control = ElementTree.SubElement(robot, 'ros2_control', name='so101', type='system')
    hardware = ElementTree.SubElement(control, 'hardware')
    ElementTree.SubElement(hardware, 'plugin').text = DRIVER if port else MOCK
    if port:
        parameter(hardware, 'usb_port', port)
    joints = {joint.get('name'): joint for joint in robot.iterfind('joint')}
    turning = [name for name, joint in joints.items() if joint.get('type') == 'revolute']
    for name in turning if calibration is None else calibration:
        if name not in joints:
            present = ', '.join(map(str, joints)) or 'none'
            raise Refused(
                f'the URDF has no joint {name}; it has {present}; give so101_new_calib.urdf'
            )
        limit = limit_of(name, joints[name])
        check_zero(name, limit)
        limit.set('velocity', f'{min(float(limit.get("velocity")), VELOCITY):g}')
        joint = ElementTree.SubElement(control, 'joint', name=name)
        if calibration is not None:
            servo = calibration[name]
            offset = zero(name, servo, limit)
            narrow(limit, offset, servo)
        if port:
            parameter(joint, 'id', str(servo['id']))
            parameter(joint, 'offset', str(round(offset)))
        ElementTree.SubElement(joint, 'command_interface', name='position')
        for measured in ('position', 'velocity'):  # the gripper's controller wants both
            state = ElementTree.SubElement(joint, 'state_interface', name=measured)
            if not port:
                parameter(state, 'initial_value', '0.0')


def robot_in(file):
    """The root of a URDF's XML."""
    try:
        return parse(file).getroot()
    except OSError as error:
        raise Refused(f'{file}: {error.strerror}; give the official URDF') from None
    except (ElementTree.ParseError, ValueError) as error:
        raise Refused(f'{file} is not XML ({error}); give the official URDF') from None


def limit_of(name, joint):
    """The limit of a joint, with the numbers that it must have."""
    limit = joint.find('limit')
    for field in ('lower', 'upper', 'velocity'):
        value = None if limit is None else limit.get(field)
        try:
            usable = math.isfinite(float(value))
        except (TypeError, ValueError):
            usable = False
        if not usable:
            said = 'has no' if value is None else f'has {value!r} for'
            raise Refused(f'joint {name} {said} limit {field}, a number; give the official URDF')
    return limit


def calibration_in(file):
    """What lerobot-calibrate has written: id, range_min and range_max of each joint's servo."""
    try:
        with open(file) as opened:
            calibration = json.load(opened)
    except OSError as error:
        raise Refused(f'{file}: {error.strerror}; {WRITTEN_BY}') from None
    except ValueError as error:
        raise Refused(f'{file} is not JSON ({error}); {WRITTEN_BY}') from None
    if not isinstance(calibration, dict) or not calibration:
        raise Refused(f'{file} has no joints by name; {WRITTEN_BY}')
    for name, servo in calibration.items():
        for field in ('id', 'range_min', 'range_max'):
            if not isinstance(servo, dict) or field not in servo:
                raise Refused(f'{file}: {name} has no {field}; {WRITTEN_BY}')
            if type(servo[field]) is not int:
                raise Refused(
                    f'{file}: {field} of {name} is {servo[field]!r}, no whole number; {WRITTEN_BY}'
                )
        low, up = servo['range_min'], servo['range_max']
        if low >= up:
            raise Refused(
                f'{file}: {name} has range_min {low} and range_max {up}; '
                'range_min must be below range_max; calibrate again'
            )
    return calibration


def parameter(parent, name, text):
    ElementTree.SubElement(parent, 'param', name=name).text = text


def zero(name, servo, limit):
    """The step at which a joint is at 0: LeRobot's 0 degrees, the middle of the recorded range.

    The gripper has no degrees in LeRobot: 0 % is taken as its lower limit in the URDF.
    """
    if name == GRIPPER:
        return servo['range_min'] - float(limit.get('lower')) * STEPS / (2.0 * math.pi)
    return 0.5 * (servo['range_min'] + servo['range_max'])


def check_zero(name, limit):
    """Refuse a URDF whose zero is not LeRobot's."""
    lower, upper = float(limit.get('lower')), float(limit.get('upper'))
    if name != GRIPPER and abs(0.5 * (lower + upper)) > MIDDLE:
        raise Refused(
            f'{name} goes from {lower:g} to {upper:g} rad in the URDF: its 0 is not the middle, '
            "which is LeRobot's 0; give so101_new_calib.urdf, no other"
        )


def narrow(limit, offset, servo):
    """Limits that both the URDF and the recorded range allow."""
    lower, upper = float(limit.get('lower')), float(limit.get('upper'))
    limit.set('lower', f'{max(lower, radians(servo["range_min"] - offset)):.6g}')
    limit.set('upper', f'{min(upper, radians(servo["range_max"] - offset)):.6g}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('urdf', help='the official URDF, so101_new_calib.urdf')
    parser.add_argument(
        'calibration', nargs='?',
        help='the JSON file that lerobot-calibrate has written; --mock needs none',
    )  # fmt: skip
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument('--port', help='serial port of the arm, such as /dev/ttyACM0')
    where.add_argument('--mock', action='store_true', help='no arm: try the controllers without')
    given = parser.parse_args()
    try:
        if given.calibration is None and given.port is not None:
            raise Refused(f'--port needs the calibration of the arm; {WRITTEN_BY} after the URDF')
        robot = robot_in(given.urdf)
        described(robot, given.calibration and calibration_in(given.calibration), given.port)
    except Refused as error:
        print(f'so101_description: {error}', file=sys.stderr)
        sys.exit(2)
    ElementTree.indent(robot)
    sys.stdout.write(ElementTree.tostring(robot, encoding='unicode') + '\n')


if __name__ == '__main__':
    main()
