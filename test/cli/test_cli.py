# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The command line: tables, JSON, pictures and exit codes, as a shell sees them."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ik_circles import PlanarArm, load_arm
from ik_circles.cli.main import main
from ik_circles.limbs import LinkChain
from ik_circles.planar.redundancy.rules import REDUNDANCIES

URDF = Path(__file__).parents[2] / 'urdf'
ROLL, SLIDES = '<joint name="wrist_roll" type="revolute">', ('revolute', 'prismatic')
LENGTHS = ['--lengths', '0.4', '0.3', '0.2']


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def test_every_solution_closes(capsys):
    code, said = run(capsys, 'solve', *LENGTHS, '--target', 0.6, 0.2, '--phi', 0.5, '--json')
    answer = json.loads(said.out)
    assert (code, answer['code'], len(answer['solutions'])) == (0, 'OK', 2)
    for q in answer['solutions']:
        pose = PlanarArm((0.4, 0.3, 0.2)).forward_kinematics((q['q1'], q['q2'], q['q3']))
        assert pose == pytest.approx((0.6, 0.2, 0.5), abs=1e-12)
    code, said = run(capsys, 'solve', *LENGTHS, '--target', 0.6, 0.2, '--phi', 0.5)
    assert code == 0
    assert '+55.5 deg' in said.out and len(said.out.splitlines()) == 3


def test_limits_are_kept(capsys):
    limits = ['--limits', -1, 1, -2, 0, -2, 2]
    code, said = run(
        capsys, 'solve', *LENGTHS, *limits, '--target', 0.6, 0.2, '--phi', 0.5, '--json'
    )
    assert (code, len(json.loads(said.out)['solutions'])) == (0, 1)


def test_a_robot_out_of_reach(capsys):
    robot = URDF / 'so101.urdf'
    code, said = run(capsys, 'reach', robot, '--target', 0.6, 0.1, 0.2, '--json')
    answer = json.loads(said.out)
    assert (code, answer['reachable'], answer['code']) == (1, False, 'TOO_FAR')
    assert answer['message'].startswith('too far by')
    assert -answer['margin'] == pytest.approx(
        math.dist((0.6, 0.1, 0.2), [answer['nearest'][axis] for axis in 'xyz']), abs=1e-9
    )
    code, said = run(capsys, 'reach', robot, '--target', 0.6, 0.1, 0.2)
    assert code == 1 and 'TOO_FAR' in said.out
    code, said = run(capsys, 'solve', robot, '--target', 0.6, 0.1, 0.2)
    assert code == 1 and said.out.startswith('too far by')


def test_the_shipped_robots_have_names(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, said = run(capsys, 'robots', '--json')
    robots = json.loads(said.out)
    assert code == 0 and list(robots) == sorted(file.stem for file in URDF.glob('*.urdf'))
    code, table = run(capsys, 'robots')
    assert code == 0 and len(table.out.splitlines()) == 1 + len(robots)
    for (name, values), line in zip(robots.items(), table.out.splitlines()[1:]):
        arm = load_arm(URDF / f'{name}.urdf', values['base_link'], values['tip_link'])
        yaw = [values['yaw_joint']] if values['yaw_joint'] else []
        solved = [*yaw, *values['three_joints'], *values['wrist_joints']]
        assert solved == list(arm.commanded_joints) and values['held_joints'] == list(arm.held)
        columns = [', '.join(some) or 'none' for some in (yaw, arm.joint_names, arm.wrist_joints)]
        assert line.split()[0] == name and re.search(' +'.join(columns), line)
        inside = {one: min(max(0.0, at.lower), at.upper) for one, at in arm.joints.items()}
        asked = '--target', *arm.forward_kinematics(inside)[:3, 3]
        by_name, by_file = (
            run(capsys, 'solve', one, *asked) for one in (name, URDF / f'{name}.urdf')
        )
        assert by_name == by_file and by_name[0] == 0
    assert all(values['held_joints'] == [] for values in robots.values())
    assert [len(robots[name]['wrist_joints']) for name in ('px100', 'so101', 'ur5e')] == [0, 1, 2]


def test_the_workspace(capsys, tmp_path):
    code, said = run(capsys, 'workspace', URDF / 'so101.urdf')
    assert code == 0
    assert re.search('^max_reach, links alone +0.410423 m$', said.out, re.MULTILINE)
    slides = tmp_path / 'slides.urdf'
    slides.write_text((URDF / 'so101.urdf').read_text().replace(ROLL, ROLL.replace(*SLIDES)))
    code, said = run(capsys, 'workspace', slides)
    assert code == 0 and 'note: wrist_roll is held at 0 ' in said.out
    code, said = run(capsys, 'workspace', *LENGTHS, '--json')
    assert json.loads(said.out)['area'] == pytest.approx(math.pi * 0.81, rel=1e-12)


def test_notes_on_held_joints_are_printed(capsys, tmp_path):
    """The roll of this SO-101 follows another joint."""
    arm, text = tmp_path / 'held.urdf', (URDF / 'so101.urdf').read_text()
    roll = text.split('<joint name="wrist_roll"')[1].split('</joint>')[0]
    arm.write_text(text.replace(roll, f'{roll}<mimic joint="gripper"/>'))
    note = 'wrist_roll is held at 0 rad, and is no part of a wrist: it follows another joint'
    for command in ('solve', 'reach', 'methods'):
        code, said = run(capsys, command, arm, '--target', 0.15, 0.2, 0.1)
        assert code == 0 and said.out.splitlines()[-1] == f'note: {note}'
    assert run(capsys, 'workspace', arm)[1].out.splitlines()[-1] == f'note: {note}'
    answer = json.loads(run(capsys, 'reach', arm, '--target', 0.15, 0.2, 0.1, '--json')[1].out)
    assert answer['notes'] == [note]


def methods(capsys, *arguments):
    """Exit code and the answers in JSON, those that are reached checked to close on the target."""
    code, said = run(capsys, 'methods', *arguments, '--json')
    answer = json.loads(said.out)
    assert code == (0 if answer['reachable'] else 1)
    for one in answer['methods'].values():
        assert one['reached'] is (one['miss'] == 0.0) and bool(one['chains']) is (
            one['miss'] is not None
        )
    return answer['methods'], answer['message']


def assert_closes(one, lengths, target):
    (points,) = one['chains']
    assert [math.dist(a, b) for a, b in zip(points, points[1:])] == pytest.approx(lengths, abs=1e-9)
    assert math.dist(points[-1], target) == pytest.approx(one['miss'], abs=1e-9)
    assert not any(points[0])
    if one['joint_positions']:
        chain = LinkChain(tuple(lengths))
        moved = chain.forward_kinematics(tuple(one['joint_positions'].values()))
        assert moved[-1] == pytest.approx(points[-1], abs=1e-9)


REDUNDANCY = [*REDUNDANCIES]
CIRCLES = ['two circles, left', 'two circles, right']
ANGLES = ['two angles, elbow_up', 'two angles, elbow_down']
POLICIES = ['n links, outermost', 'n links, even', 'n links, near']


@pytest.mark.parametrize(
    ('lengths', 'target', 'more', 'names'),
    [
        ((0.4, 0.3), (0.5, 0.2), (), CIRCLES + ANGLES),
        ((0.4, 0.3), (0.5, 0.2), ('--limits', -1, 1, -2, 2), ANGLES),
        ((0.4, 0.3), (0.5, 0.6), (), ['two circles', *ANGLES]),
        ((0.4, 0.3), (0.05, 0.0), (), ['two circles', *ANGLES]),
        ((0.4, 0.3), (0.5, 0.2, 0.1), (), ['two bones']),
        ((0.4, 0.3), (0.5, 0.6, 0.1), ('--pole', 0, 0, 1), ['two bones', 'two bones, pole']),
        ((0.4, 0.3), (0.5, 0.2, 0.1), ('--knee', 0.1, 2.5), ['two bones']),
        ((0.4, 0.3), (0.5, 0.2, 0.1), ('--cone', 1, 0, 0, 0.5), ['two bones']),
        ((0.4, 0.3, 0.2), (0.5, 0.2), (), REDUNDANCY + POLICIES),
        ((0.4, 0.3, 0.2), (0.5, 0.2), ('--limits', *3 * (-3, 3)), REDUNDANCY),
        ((0.4, 0.3, 0.2, 0.1, 0.1), (0.5, 0.2), (), POLICIES),
        ((0.4, 0.3, 0.2, 0.1, 0.1), (-3.0, 0.2), (), POLICIES),
        ((0.9, 0.1, 0.2, 0.1), (0.3, 0.2), (), POLICIES),
    ],
)
def test_lengths_and_target_say_which_methods(capsys, lengths, target, more, names):
    found, message = methods(capsys, '--lengths', *lengths, '--target', *target, *more)
    assert list(found) == names
    for one in found.values():
        assert_closes(one, lengths, target)
    out_of_reach = not any(one['reached'] for one in found.values())
    assert out_of_reach is message.startswith(('too far by', 'too close by'))


def test_a_joint_without_limits_is_none_none(capsys):
    limits = '--limits', 'None', 'None', -2, 2, -2, 2
    asked = *LENGTHS, *limits, '--target', -0.6, 0.2, '--phi', 3.0, '--json'
    found = json.loads(run(capsys, 'solve', *asked)[1].out)['solutions']
    assert found and all(abs(q['q1']) > 2.0 for q in found)


def test_two_links_kept_away_by_their_limits(capsys):
    limits = '--limits', 0, 1, 0, 2
    found, message = methods(capsys, '--lengths', 0.4, 0.3, '--target', 0.5, 0.2, *limits)
    for one in found.values():
        assert_closes(one, (0.4, 0.3), (0.5, 0.2))
    assert message == f'the joint limits keep the tip {one["miss"]:.3f} m away'


def test_two_bones_kept_away_by_their_limits(capsys):
    bones = '--lengths', 0.4, 0.3, '--target', 0.5, 0.2, 0.1
    for limits in (('--knee', 0, 0.5), ('--cone', -1, 0, 0, 0.5)):
        found, message = methods(capsys, *bones, *limits)
        assert_closes(found['two bones'], (0.4, 0.3), (0.5, 0.2, 0.1))
        assert message == f'the joint limits keep the tip {found["two bones"]["miss"]:.3f} m away'


def test_a_tree(capsys):
    limbs = '--limb', 0.25, 0.2, '--limb', 0.2, 0.15, 0.1
    targets = (0.5, 0.8), (0.8, 0.6)
    found, _ = methods(capsys, '--lengths', 0.4, 0.35, *limbs, '--target', *sum(targets, ()))
    assert list(found) == ['tree, outermost', 'tree, even', 'tree, near']
    for one in found.values():
        trunk, *both = one['chains']
        assert len(both) == 2
        for limb, target in zip(both, targets):
            assert limb[0] == trunk[-1] and limb[-1] == pytest.approx(target, abs=1e-12)
    found, message = methods(capsys, *limbs, '--target', 0.1, 0.2, 3, 3)
    assert message.startswith('out of reach') and found['tree, even']['miss'] is None


def test_methods_as_tables(capsys):
    arm = URDF / 'so101.urdf'
    code, said = run(capsys, 'methods', arm, '--target', 0.15, 0.2, 0.1)
    assert code == 0 and 'wrist_flex' in said.out
    assert len(said.out.splitlines()) == 1 + len(REDUNDANCY)
    code, said = run(capsys, 'methods', *LENGTHS, '--target', 5, 5)
    assert code == 1 and 'none' in said.out and 'too far' in said.out


def test_a_negative_number_may_have_an_exponent(capsys):
    code, said = run(capsys, 'solve', *LENGTHS, '--target', 0.5, '-1e-3', '--phi', '-1E-1')
    again = run(capsys, 'solve', *LENGTHS, '--target', 0.5, -0.001, '--phi', -0.1)
    assert code == 0 and (code, said) == again


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['reach', 'nowhere.urdf', '--target', 1, 1, 1], 'nowhere.urdf; name a URDF file, or'),
        (['reach', 'so10', '--target', 1, 1, 1], 'or one of the robots braccio, '),
        (['view', URDF], 'urdf is a folder; name a URDF file, or'),
        (['reach', '--target', 1, 1], 'give either a URDF file or --lengths'),
        (['reach', __file__, '--target', 1, 1, 1], 'not well-formed XML'),
        (['reach', '--lengths', 1, 1, -1, '--target', 1, 1], 'length -1.0 m is negative'),
        (['reach', *LENGTHS, '--target', 1, 1, 1], '--target has 3 numbers; give x y'),
        (['reach', URDF / 'so101.urdf', '--target', 1, 1], '--target has 2 numbers; give x y z'),
        (['reach', *LENGTHS, '--target', 'nan', 1], 'x is nan; it must be a finite number'),
        (['solve', *LENGTHS, '--target', 1, 1, '--phi', 'inf'], 'phi is inf'),
        (['workspace', URDF / 'so101.urdf', '--limits', *range(6)], '--limits go with --lengths'),
        (['methods', *LENGTHS, '--target', 1, 0, '--z-form-k', 2], 'z_form_k is 2.0; it is a'),
        (['methods', '--lengths', 1, 1, '--target', 1, 0, '--pole', 0, 0, 1], '--pole, --knee and'),
        (['methods', '--lengths', 1, 1, '--target', 1], '--target has 1 numbers; give x y'),
        (['methods', '--lengths', 1, 1, '--target', 'nan', 1], 'give finite numbers'),
        (['methods', '--lengths', *5 * [1], '--target', 1, 1, 1], '--target has 3 numbers; give'),
        (['methods', '--lengths', *4 * [1], '--target', 1, 1, '--limits', *range(8)],
         '--limits are for two or three'),
        (['methods', '--lengths', 1, 1, '--target', 1, 1, '--limits', 0, 1], 'give the lower and'),
        (['methods', '--lengths', 1, 1, '--target', 1, 1, '--limits', 1, 0, 0, 1], 'limits'),
        (['methods', '--limb', 1, '--limb', 1, '--target', 1, 1], 'give x y for each --limb: 4'),
        (['methods', '--limb', 1, '--target', 1, 1, '--pole', 0, 0, 1], '--limb goes with'),
        (['methods', '--limb', 1, '--target', 1, 1, '--limits', 0, 1], '--limb goes with'),
        (['methods', '--lengths', 1, 1, '--target', 1, 0, 0, '--limits', 0, 1], 'no --limits'),
        (['methods', '--lengths', 1, 1, '--target', 1, 0, 0, '--knee', 2, 1], 'knee limits are'),
        (['methods', '--lengths', 1, 1, '--target', 1, 0, 0, '--cone', 0, 0, 0, 1], 'hip_axis has'),
        (['methods', URDF / 'so101.urdf', '--lengths', 1, 1, '--target', 1, 1], 'give either'),
        (['methods', '--target', 1, 1], 'give either a URDF file or --lengths'),
        (['solve', '--lengths', 1, 1, '--target', 1, 1], '2 link_lengths given; give 3'),
        (['reach', 'so101', '--target', 1, 1, 1, '--quaternion', 0, 0, 0, 2], 'has length 2'),
        (['reach', 'so101', '--target', 1, 1, 1, '--rpy', 'nan', 0, 0], '--rpy is (nan, 0.0, 0.0)'),
        (['reach', *LENGTHS, '--target', 1, 1, '--rpy', 0, 0, 0], 'moves in its plane; give its'),
        (['workspace', *LENGTHS, '--plot', '/nowhere/a.png'], 'there is no folder /nowhere'),
        (['workspace', *LENGTHS, '--plot', 'a.gibberish'], 'give a file that ends in .png, .svg'),
        (['workspace', URDF / 'so101.urdf', '--tip-link', 'x'], "has no link 'x'"),
    ],
)
def test_bad_input_is_a_sentence(capsys, arguments, sentence):
    code, said = run(capsys, *arguments)
    assert code == 2 and not said.out.startswith('Traceback')
    assert said.err.startswith('ik-circles: ') and len(said.err.splitlines()) == 1
    assert sentence in said.err


def test_a_reader_that_leaves():
    program = 'import sys; from ik_circles.cli.main import main; sys.exit(main())'
    command = [sys.executable, '-c', program]
    whole = subprocess.run(
        f'{subprocess.list2cmdline(command)} workspace {" ".join(LENGTHS)} --json | head -n 1',
        shell=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert whole.stderr == ''
