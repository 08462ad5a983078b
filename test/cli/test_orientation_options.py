# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses on the command line: angles as a URDF has them, or a quaternion."""

import json
import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles import load_arm
from ik_circles.cli.main import main
from ik_circles.geometry.rigid import rotation_about

LENGTHS = ['--lengths', '0.4', '0.3', '0.2']


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def rotation_by(axis, angle):
    """Rotation about a coordinate axis."""
    return np.array(rotation_about(np.eye(3)['xyz'.index(axis)], angle))


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100', 'planar_3r'])
def test_a_full_pose(capsys, name):
    """Law: an own pose, as angles or as a quaternion, gives every solution with all its joints."""
    arm, random = load_arm(name), np.random.default_rng(4)
    for _ in range(cases(80, 40)):
        roll, pitch, yaw = random.uniform(-1.5, 1.5, 3)
        given = rotation_by('z', yaw) @ rotation_by('y', pitch) @ rotation_by('x', roll)
        q = {
            joint.name: random.uniform(max(joint.lower, -3), min(joint.upper, 3))
            for joint in arm.naming.joints.values()
        }
        pose = arm.forward_kinematics(q)
        w = math.sqrt(max(0.0, 1.0 + np.trace(pose[:3, :3]))) / 2.0
        if w < 0.1:  # rounding counts by its root
            continue
        twice = (pose[:3, :3] - pose[:3, :3].T) / (4.0 * w)
        xyz = twice[2, 1], twice[0, 2], twice[1, 0]
        asked = 'solve', name, '--target', *pose[:3, 3], '--json'
        code, said = run(capsys, *asked, '--quaternion', *xyz, w)
        answer = json.loads(said.out)
        assert (code, answer['code']) == (0, 'OK')
        for one in answer['solutions']:
            assert list(one) == list(arm.commanded_joints)
            reached = arm.forward_kinematics(one)
            assert reached[:3, 3] == pytest.approx(pose[:3, 3], abs=1e-8)
            assert np.abs(reached - pose).max() <= (0.01 if len(arm.wrist_joints) < 2 else 1e-8)
        turned = [abs(math.remainder(one[joint] - q[joint], math.tau))
                  for joint in q for one in answer['solutions'] if joint in arm.wrist_joints]
        assert min(turned, default=0.0) < 1e-6
        assert list(answer['nearest'].get('wrist', {})) == list(arm.wrist_joints)
        sine = math.hypot(pose[0, 0], pose[1, 0])
        angles = (math.atan2(pose[2, 1], pose[2, 2]), math.atan2(-pose[2, 0], sine),
                  math.atan2(pose[1, 0], pose[0, 0]))
        by_angles = json.loads(run(capsys, *asked, '--rpy', *angles)[1].out)
        assert len(by_angles['solutions']) == len(answer['solutions'])
        code, said = run(capsys, *asked, '--rpy', roll, pitch, yaw)
        found, answer = arm.check_reachability(pose[:3, 3], rotation=given), json.loads(said.out)
        assert (code, answer['message']) == (int(not found.reachable), found.message)
        assert answer['nearest_joint_positions'] == pytest.approx(found.nearest_joint_positions)


def test_a_full_pose_is_drawn_with_its_wrist(capsys, saved):
    for number, rotation in enumerate((('--rpy', 0, 1.5708, 0), ('--rpy', 1, 0, 0))):
        asked = 'so101', '--target', 0.2, 0.1, 0.05, *rotation, '--plot', 'pose.svg'
        assert run(capsys, 'reach', *asked)[0] == number
        assert saved.pop().axes[0].lines


def test_a_hint_for_each_kind_of_angle(capsys):
    asked = 'reach', 'ur5e', '--target', 0.4, 0.2, 0.3, '--rpy'
    code, said = run(capsys, *asked, 30, 0, 20)
    assert code == 0 and said.err == 'hint: 30 rad is 1719 deg; --rpy is in radians\n'
    assert run(capsys, *asked, 3.14, 0, -6.28)[1].err == ''


def test_a_quaternion_of_two_digits_is_taken(capsys):
    asked = 'solve', 'so101', '--target', 0.2, 0.1, 0.05, '--json', '--quaternion'
    root = math.sqrt(0.5)
    typed, exact = (json.loads(run(capsys, *asked, 0, q, 0, q)[1].out) for q in (0.7, root))
    assert typed['solutions'] == [pytest.approx(one, abs=1e-9) for one in exact['solutions']] != []
    code, said = run(capsys, *asked, 0, 0.65, 0, 0.7)
    assert code == 2 and 'a quaternion x y z w has length 1' in said.err


@pytest.mark.parametrize('at', range(3))
def test_degrees_for_radians_are_refused(capsys, at):
    """As everywhere: what has more than five turns is no angle in radians."""
    given = [0.0, 0.0, 0.0]
    given[at] = 180.0
    code, said = run(capsys, 'solve', 'ur5e', '--target', 0.4, 0.2, 0.3, '--rpy', *given)
    name = ('roll', 'pitch', 'yaw')[at]
    assert (code, said.out) == (2, '')
    assert said.err == (
        f'ik-circles: {name} of --rpy is 180 rad, more than 5 turns; is it in degrees? give '
        'radians: 180 deg are 3.14159 rad\n'
    )


@pytest.mark.parametrize('command', ['solve', 'reach'])
def test_an_orientation_that_looks_like_degrees_draws_a_hint(capsys, command):
    asked = command, *LENGTHS, '--target', 0.6, 0.2, '--json', '--phi'
    code, said = run(capsys, *asked, 30)
    assert said.err == 'hint: 30 rad is 1719 deg; --phi is in radians\n'
    assert (code, json.loads(said.out)['reachable']) in ((0, True), (1, False))
    assert run(capsys, *asked, -6.3)[1].err.startswith('hint: -6.3 rad is -361 deg')
    for phi in (0.5, -6.28):
        assert run(capsys, *asked, phi)[1].err == ''
    code, said = run(capsys, *asked, 90)
    assert code == 2 and 'degrees' in said.err and 'hint' not in said.err
