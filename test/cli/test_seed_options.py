# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`solve --seed` and `--turns`: solutions near to where the arm is, and all their turns."""

import json

import numpy as np
import pytest
from law_cases import cases

from ik_circles import PlanarArm, load_arm
from ik_circles.cli.main import main

LENGTHS = ['--lengths', '0.4', '0.3', '0.2']
POINT = ['--target', 0.2, 0.1, 0.1]


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def solutions(capsys, *arguments):
    code, said = run(capsys, 'solve', *arguments, '--json')
    assert code == 0
    return json.loads(said.out)['solutions']


def pairs(positions):
    return [f'{name}={position!r}' for name, position in positions.items()]


def changes(found, seed):
    return [max(abs(one[name] - seed[name]) for name in one) for one in found]


def drawn(arm, rng):
    return {
        name: float(rng.uniform(max(one.lower, -6.0), min(one.upper, 6.0)))
        for name, one in arm.joints.items()
    }


def asked(arm, own):
    """The pose of the tip, as arguments: with angles of a URDF, or for three joints with phi."""
    pose = arm.forward_kinematics(own)
    sine = np.hypot(pose[0, 0], pose[1, 0])
    angles = (np.arctan2(pose[2, 1], pose[2, 2]), np.arctan2(-pose[2, 0], sine),
              np.arctan2(pose[1, 0], pose[0, 0]))
    return ['--target', *map(float, pose[:3, 3]), '--rpy', *map(float, angles)]


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100', 'planar_3r'])
def test_where_the_arm_is_comes_first(capsys, name):
    arm, rng = load_arm(name), np.random.default_rng(0)
    for _ in range(cases(80, 40)):
        own = drawn(arm, rng)
        found = solutions(capsys, name, *asked(arm, own), '--seed', *pairs(own))
        assert found[0] == pytest.approx(own, abs=1e-6)
        assert changes(found, own) == sorted(changes(found, own))
        turns = solutions(capsys, name, *asked(arm, own), '--seed', *pairs(own), '--turns')
        assert len(turns) == sum(len(arm.turns(one)) for one in found)
        assert turns[0] == pytest.approx(own, abs=1e-6)
        assert changes(turns, own) == sorted(changes(turns, own))
        at_zero = solutions(capsys, name, *asked(arm, own), '--turns')
        assert len(at_zero) == len(turns)


def test_joints_that_a_seed_does_not_name_are_at_zero_and_a_wrist_is_held_by_it(capsys):
    given = pairs({'shoulder_pan': 0.3, 'wrist_roll': 0.5})
    (one,) = solutions(capsys, 'so101', *POINT, '--seed', *given)
    assert one['wrist_roll'] == 0.5
    tip = load_arm('so101').forward_kinematics(one)[:3, 3]
    assert tip == pytest.approx((0.2, 0.1, 0.1), abs=1e-9)
    assert solutions(capsys, 'so101', *POINT, '--seed', 'elbow_flex=-0.5') == (
        solutions(capsys, 'so101', *POINT)
    )


def test_the_joints_of_lengths_turn_next_to_the_seed(capsys):
    target = ['--target', 0.6, 0.2, '--phi', 0.5]
    found = solutions(capsys, *LENGTHS, *target, '--seed', 'q1=6.5')
    seed = {'q1': 6.5, 'q2': 0.0, 'q3': 0.0}
    assert changes(found, seed) == sorted(changes(found, seed))
    assert len(found) == 2 and all(3.3 < one['q1'] < 9.7 for one in found)
    for one in found:
        pose = PlanarArm((0.4, 0.3, 0.2)).forward_kinematics(tuple(one.values()))
        assert pose[:2] == pytest.approx((0.6, 0.2), abs=1e-12)
    without = [(), ('--turns',), ('--seed', 'q1=0')]
    first, second, third = (solutions(capsys, *LENGTHS, *target, *one) for one in without)
    assert first == second and sorted(map(str, first)) == sorted(map(str, third))


BAD = {
    'pam': ('so101', ['shoulder_pam=1'], "no joint 'shoulder_pam'; did you mean 'shoulder_pan'?"),
    'bare': ('so101', ['shoulder_pan'], "--seed has 'shoulder_pan'; give JOINT=RAD, such as"),
    'word': ('so101', ['shoulder_pan=up'], "--seed has 'shoulder_pan=up'; give JOINT=RAD"),
    'nan': ('so101', ['shoulder_pan=nan'], 'shoulder_pan of --seed is nan; it must be a finite'),
    'twice': ('so101', ['shoulder_pan=1', 'shoulder_pan=1'], "names 'shoulder_pan' twice; name it"),
    'degrees': ('so101', ['shoulder_pan=90'], '90 rad, more than a turn past its limit of 1.91986'),
}


@pytest.mark.parametrize(('robot', 'given', 'message'), BAD.values(), ids=BAD)
def test_a_bad_seed_is_refused_in_a_sentence(capsys, robot, given, message):
    code, said = run(capsys, 'solve', robot, *POINT, '--seed', *given)
    assert (code, said.out) == (2, '') and message in said.err


@pytest.mark.parametrize(
    ('command', 'twice'),
    [
        ('solve', ['--seed', 'shoulder_pan=0', '--seed', 'shoulder_pan=1']),
        ('solve', ['--phi', 0, '--phi', 0]),
        ('reach', POINT),
        ('methods', ['--z-form-k', 0.3, '--z-form-k', 0.4]),
    ],
)
def test_an_option_that_is_given_twice_is_refused(capsys, command, twice):
    with pytest.raises(SystemExit) as ended:
        run(capsys, command, 'so101', *POINT, *twice)
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, '')
    assert said.err.splitlines()[-1].endswith(f'argument {twice[0]}: given twice; give it once')


def test_lengths_have_three_joints_and_reach_has_no_seed(capsys):
    code, said = run(capsys, 'solve', *LENGTHS, '--target', 0.6, 0.2, '--seed', 'q4=1')
    assert code == 2 and '--seed names q4; the joints of --lengths are q1, q2, q3' in said.err
    with pytest.raises(SystemExit):
        run(capsys, 'reach', 'so101', *POINT, '--seed', 'shoulder_pan=1')
