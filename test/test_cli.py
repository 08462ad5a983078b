"""The command line: tables, JSON, pictures and exit codes, as a shell sees them."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from ik_circles import PlanarArm
from ik_circles.cli import main

URDF = Path(__file__).parents[1] / 'urdf'
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


def test_the_workspace(capsys, tmp_path):
    pytest.importorskip('matplotlib', reason='the extra plot draws')
    picture = tmp_path / 'so101.png'
    code, said = run(capsys, 'workspace', URDF / 'so101.urdf', '--plot', picture)
    assert code == 0
    assert 'max_reach     0.410423 m' in said.out and 'wrist_roll moves the tip' in said.out
    assert picture.read_bytes().startswith(b'\x89PNG')
    code, said = run(capsys, 'workspace', *LENGTHS, '--json')
    assert json.loads(said.out)['area'] == pytest.approx(math.pi * 0.81, rel=1e-12)
    drawn = tmp_path / 'reach.svg'
    assert run(capsys, 'reach', *LENGTHS, '--target', 2, 1, '--plot', drawn)[0] == 1
    assert '<svg' in drawn.read_text()


def test_methods_side_by_side(capsys):
    code, said = run(capsys, 'methods', *LENGTHS, '--target', 0.5, 0.2, '--json')
    methods = json.loads(said.out)['methods']
    assert (code, set(methods)) == (0, {'keep_orientation', 'centred', 'outermost', 'z_form'})
    for q in methods.values():
        pose = PlanarArm((0.4, 0.3, 0.2)).forward_kinematics((q['q1'], q['q2'], q['q3']))
        assert pose[:2] == pytest.approx((0.5, 0.2), abs=1e-12)
    code, said = run(capsys, 'methods', URDF / 'so101.urdf', '--target', 0.15, 0.2, 0.1)
    assert code == 0 and len(said.out.splitlines()) == 5
    code, said = run(capsys, 'methods', *LENGTHS, '--target', 5, 5)
    assert code == 1 and 'none' in said.out and 'too far' in said.out


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['reach', 'nowhere.urdf', '--target', 1, 1, 1], 'nowhere.urdf: No such file'),
        (['reach', '--target', 1, 1], 'give the file of a URDF or --lengths'),
        (['reach', __file__, '--target', 1, 1, 1], 'not well-formed XML'),
        (['reach', '--lengths', 1, 1, -1, '--target', 1, 1], 'length -1.0 m is negative'),
        (['reach', *LENGTHS, '--target', 1, 1, 1], '--target has 3 numbers; give x y'),
        (['reach', URDF / 'so101.urdf', '--target', 1, 1], '--target has 2 numbers; give x y z'),
        (['reach', *LENGTHS, '--target', 'nan', 1], 'x is nan; it must be a finite number'),
        (['solve', *LENGTHS, '--target', 1, 1, '--phi', 'inf'], 'phi is inf'),
        (['workspace', URDF / 'so101.urdf', '--limits', *range(6)], '--limits go with --lengths'),
        (['methods', *LENGTHS, '--target', 1, 0, '--z-form-k', 2], 'z_form_k is 2.0; it must be'),
        (['workspace', *LENGTHS, '--plot', '/nowhere/a.png'], '/nowhere/a.png: No such file'),
        (['workspace', *LENGTHS, '--plot', 'a.gibberish'], "Format 'gibberish' is not supported"),
        (['workspace', URDF / 'so101.urdf', '--tip-link', 'x'], "has no link 'x'"),
    ],
)
def test_bad_input_is_a_sentence(capsys, arguments, sentence):
    code, said = run(capsys, *arguments)
    assert code == 2 and not said.out.startswith('Traceback')
    assert said.err.startswith('ik-circles: ') and len(said.err.splitlines()) == 1
    assert sentence in said.err


def test_a_reader_that_leaves_and_unknown_arguments():
    program = 'import sys; from ik_circles.cli import main; sys.exit(main())'
    command = [sys.executable, '-c', program]
    whole = subprocess.run(
        f'{subprocess.list2cmdline(command)} workspace {" ".join(LENGTHS)} --json | head -n 1',
        shell=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert whole.stderr == ''
    wrong = subprocess.run([*command, 'dance'], capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 2 and 'Traceback' not in wrong.stderr
