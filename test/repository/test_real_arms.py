# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a real arm is started with: the URDF with its driver, parameters, and controllers."""

import importlib
import json
import math
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import vendor_arm

from ik_circles import load_arm
from ik_circles.control.parameters import parameters_of
from ik_circles.control.settings import ModelParameters, MotionParameters, Settings
from ik_circles.robot.shipped import shipped

yaml = pytest.importorskip('yaml', reason='PyYAML comes with ROS')
ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / 'config'
#: The shipped robot for each file of parameters.
ROBOTS = {'so101': 'so101', 'open_manipulator_x': 'open_manipulator_x', 'ur': 'ur5e'}


@pytest.fixture
def description(monkeypatch, tmp_path, capsys):
    """The script for the SO-101's URDF, run in a folder with what it reads; its text as XML."""
    monkeypatch.syspath_prepend(str(ROOT / 'examples'))
    monkeypatch.chdir(tmp_path)
    vendor_arm.put_into(tmp_path)
    script = importlib.import_module('so101_description')

    def run(*options, files=('so101_new_calib.urdf', 'my_arm.json')):
        monkeypatch.setattr(sys, 'argv', ['so101_description', *files, *options])
        script.main()
        return capsys.readouterr().out

    return run


def test_each_servo_has_the_offset_at_which_lerobot_says_0_degrees(description):
    root = ElementTree.fromstring(description('--port', '/dev/ttyACM7'))
    hardware = root.find('ros2_control/hardware')
    assert hardware.findtext('plugin') == 'feetech_ros2_driver/FeetechHardwareInterface'
    assert hardware.findtext("param[@name='usb_port']") == '/dev/ttyACM7'
    for joint in root.iterfind('ros2_control/joint'):
        servo, low, up = vendor_arm.CALIBRATION[joint.get('name')]
        assert int(joint.findtext("param[@name='id']")) == servo
        offset = int(joint.findtext("param[@name='offset']"))
        if joint.get('name') != 'gripper':
            # LeRobot: degrees = (step - middle of the range) * 360 / 4095.
            assert abs((offset - 0.5 * (low + up)) * 360.0 / 4095.0) <= 0.05
        assert [one.get('name') for one in joint.iterfind('command_interface')] == ['position']
        states = [one.get('name') for one in joint.iterfind('state_interface')]
        assert states == ['position', 'velocity']
    assert len(root.findall('ros2_control/joint')) == len(vendor_arm.CALIBRATION)


def test_limits_are_what_both_the_urdf_and_the_recorded_range_allow(description):
    given = load_arm('so101_new_calib.urdf').joints
    narrowed = load_arm(description('--port', '/dev/ttyACM0')).joints
    for name, joint in narrowed.items():
        _, low, up = vendor_arm.CALIBRATION[name]
        half = (up - low) * math.pi / 4096.0
        assert joint.lower == pytest.approx(max(given[name].lower, -half), abs=1e-5), name
        assert joint.upper == pytest.approx(min(given[name].upper, half), abs=1e-5), name
        assert joint.velocity == 2.0


def test_without_an_arm_ros2_control_has_its_stand_in(description):
    root = ElementTree.fromstring(description('--mock'))
    assert root.findtext('ros2_control/hardware/plugin') == 'mock_components/GenericSystem'
    assert root.find("ros2_control/joint/param[@name='id']") is None


def test_the_stand_in_needs_no_calibration_and_keeps_the_limits(description):
    text = description('--mock', files=['so101_new_calib.urdf'])
    joints = ElementTree.fromstring(text).findall('ros2_control/joint')
    assert {joint.get('name') for joint in joints} == set(vendor_arm.CALIBRATION)
    given, found = load_arm('so101_new_calib.urdf').joints, load_arm(text).joints
    for name, joint in found.items():
        assert (joint.lower, joint.upper) == (given[name].lower, given[name].upper)
        assert joint.velocity == 2.0


def test_the_stand_in_needs_the_zero_of_the_arm_too(description, capsys):
    _old_zero()
    with pytest.raises(SystemExit):
        description('--mock', files=['so101_new_calib.urdf'])
    assert 'elbow_flex goes from -0.17' in capsys.readouterr().err


def _changed(field, value):
    """The calibration with a field of elbow_flex in another way; None: without it."""
    calibration = json.loads(Path('my_arm.json').read_text())
    calibration['elbow_flex'][field] = value
    if value is None:
        del calibration['elbow_flex'][field]
    Path('my_arm.json').write_text(json.dumps(calibration))


def _old_zero():
    """The limits of elbow_flex as so101_old_calib.urdf has them, whose 0 is at the lower end."""
    file = Path('so101_new_calib.urdf')
    new = 'lower="-1.69" upper="1.69"'
    assert file.read_text().count(new) == 1
    file.write_text(file.read_text().replace(new, 'lower="-0.174533" upper="3.14159"'))


@pytest.mark.parametrize(
    ('spoil', 'sentence'),
    [
        (lambda: Path('so101_new_calib.urdf').unlink(), 'No such file .*; give the official URDF'),
        (lambda: Path('so101_new_calib.urdf').write_text('<robot'), 'is not XML .*; give'),
        (lambda: Path('so101_new_calib.urdf').write_text('<robot/>'), 'no joint shoulder_pan; it'),
        (
            lambda: Path('so101_new_calib.urdf').write_text(
                '<robot><joint name="shoulder_pan" type="revolute"/></robot>'
            ),
            'joint shoulder_pan has no limit lower, a number; give',
        ),
        (_old_zero, 'elbow_flex goes from -0.17.* to 3.14.* its 0 is not the middle.*_new_calib'),
        (lambda: Path('my_arm.json').unlink(), 'my_arm.json: No such file .*; give the file'),
        (lambda: Path('my_arm.json').write_text('{"elbow'), 'my_arm.json is not JSON .*; give'),
        (lambda: Path('my_arm.json').write_bytes(b'\xff\xfe\x00'), 'is not JSON .*; give'),
        (lambda: Path('my_arm.json').write_text('[1, 2]'), 'has no joints by name; give'),
        (lambda: Path('my_arm.json').write_text('{"elbow_flex": 3}'), 'elbow_flex has no id; give'),
        (lambda: _changed('id', None), 'elbow_flex has no id; give'),
        (lambda: _changed('range_min', None), 'elbow_flex has no range_min; give'),
        (lambda: _changed('range_max', 'far'), "range_max of elbow_flex is 'far', no whole"),
        (
            lambda: _changed('range_min', 3107),
            'elbow_flex has range_min 3107 and range_max 3107; '
            'range_min must be below range_max; calibrate again',
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_in_a_sentence(description, capsys, spoil, sentence):
    spoil()
    with pytest.raises(SystemExit) as ended:
        description('--port', '/dev/ttyACM0')
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, '')
    assert re.fullmatch(f'so101_description: .*{sentence}.*\n', said.err)


def test_an_arm_needs_its_calibration(description, capsys):
    with pytest.raises(SystemExit) as ended:
        description('--port', '/dev/ttyACM0', files=['so101_new_calib.urdf'])
    assert ended.value.code == 2
    assert '--port needs the calibration of the arm; give' in capsys.readouterr().err


@pytest.mark.parametrize('name', ROBOTS)
def test_parameters_of_real_arms_are_those_of_the_node_and_gentle(name):
    (given,) = yaml.safe_load((CONFIG / f'real_{name}.yaml').read_text()).values()
    values = given['ros__parameters']
    kinds = ModelParameters, Settings, MotionParameters
    assert set(values) <= {one.name for kind in kinds for one in parameters_of(kind)}
    arm = load_arm(ROBOTS[name])
    assert set(values['controller_joints']) == set(arm.commanded_joints)
    assert (values['start_enabled'], values['motion']) == (False, 'smooth')
    assert values['floor'] == (0.1 if name == 'ur' else 0.0) and values['max_acceleration'] <= 2.0
    assert ROBOTS[name] in shipped()


def test_the_controllers_of_the_so101_have_its_joints():
    given = yaml.safe_load((CONFIG / 'so101_controllers.yaml').read_text())
    controller = given['joint_trajectory_controller']['ros__parameters']
    (parameters,) = yaml.safe_load((CONFIG / 'real_so101.yaml').read_text()).values()
    assert controller['joints'] == parameters['ros__parameters']['controller_joints']
    started = given['controller_manager']['ros__parameters']
    launch = (ROOT / 'launch' / 'so101_real.launch.py').read_text()
    for name in (one for one in started if isinstance(started[one], dict)):
        assert f"'{name}'" in launch
    gripper = given['gripper_controller']['ros__parameters']['joint']
    assert {*controller['joints'], gripper} == set(vendor_arm.CALIBRATION)
