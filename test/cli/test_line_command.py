# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The command `ik-circles line`: sentence, table, JSON, picture, exit codes."""

import json
import math

import pytest

from ik_circles import load_arm
from ik_circles.cli.main import main

LENGTHS = ['--lengths', '0.4', '0.3', '0.2']
SO101 = ['line', 'so101', '--from', '0.2', '0.1', '0.1', '--to', '0.2', '0.1', '0.4']


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def test_a_line_that_ends_early(capsys, tmp_path):
    picture = tmp_path / 'line.png'
    code, said = run(capsys, *SO101, '--plot', picture)
    lines = said.out.splitlines()
    assert code == 1 and picture.stat().st_size > 10000
    assert lines[0] == (
        'the line can be followed for 0.143 of 0.300 m (47.7 %): there wrist_flex reaches its '
        'limit of 95.0 deg'
    )
    assert lines[1] == 'it starts with solution 1 of 1 at this point'
    assert len(lines) == 2 + 1 + 11 and '(+95.0 deg)' in lines[-1]


def test_a_line_as_json_starts_from_the_solution_that_goes_farthest(capsys):
    target = ['--quaternion', 1, 0, 0, 0, '--to', 0.4, -0.3, 0.3, '--json']
    code, said = run(capsys, 'line', 'ur5e', '--from', 0.4, 0.2, 0.3, *target)
    answer = json.loads(said.out)
    assert (code, answer['share'], answer['code']) == (0, 1.0, 'OK')
    assert (answer['solutions'], len(answer['path'])) == (8, 11)
    arm = load_arm('ur5e')
    for row in answer['path']:
        point = arm.forward_kinematics(row['joint_positions'])[:3, 3]
        on_line = (0.4, 0.2 - 0.5 * row['share'], 0.3)
        assert math.dist(point, on_line) <= 1e-9


@pytest.mark.parametrize('x', (0.1, 0.15, 0.2, 0.25))
@pytest.mark.parametrize('z', range(20, 45, 4))
def test_the_last_row_has_the_share_of_the_message(capsys, x, z):
    """Law: by how much a line can be followed is one figure."""
    ends = ['--from', x, 0.1, 0.1, '--to', x, 0.1, z / 100.0]
    code, said = run(capsys, 'line', 'so101', *ends)
    first, *_, last = said.out.splitlines()
    if code == 1 and first.startswith('the line'):
        assert f'({last[:6].strip()})' in first


def test_a_wrist_that_nobody_has_put_where_it_is_singular(capsys):
    """A hint says what to give; with it, the whole line can be followed."""
    ends = ['--from', 0.4, 0.1, 0.3, '--to', 0.4, 0.3, 0.3]
    code, said = run(capsys, 'line', 'ur5e', *ends)
    assert code == 1
    assert 'wrist_2_joint is singular: its neighbors would turn half round' in said.out
    assert said.err.startswith('hint: without an orientation the wrist is held at 0')
    for given in (['--free'], ['--rpy', 3.1, 0.2, 0.3]):
        code, said = run(capsys, 'line', 'ur5e', *ends, *given)
        assert (code, said.err) == (0, '')


def test_a_line_of_lengths_from_joints(capsys):
    joints = ['--from-joints', 'q1=0.3', 'q2=0.6', 'q3=0.2']
    code, said = run(capsys, 'line', *LENGTHS, *joints, '--to', 0.3, 0.4)
    assert code == 0 and said.out.startswith('the whole line of 0.383 m can be followed')
    assert 'solution' not in said.out


def test_a_line_too_long_for_a_number(capsys):
    """JSON has none for it."""
    far = '--from', 0.5, 0.3, '--to', 1.7e308, 1.7e308
    code, said = run(capsys, 'line', *LENGTHS, *far, '--json')
    line = json.loads(said.out)
    assert (code, line['code'], line['length']) == (1, 'TOO_FAR', None)
    assert ' of more than 9.9e+299 m (0.0 %): there the elbow is straight' in line['message']


def test_a_line_down_to_a_floor(capsys, saved):
    ends = ['--from', 0.25, 0.05, 0.12, '--to', 0.25, 0.05, -0.1, '--floor', 0]
    code, said = run(capsys, 'line', 'so101', *ends)
    assert code == 1
    assert said.out.splitlines()[0].endswith('(54.5 %): there the tip reaches the floor')
    code, said = run(capsys, 'line', 'so101', *ends, '--json')
    assert json.loads(said.out)['code'] == 'FLOOR'
    in_plane = [*LENGTHS, '--from', 0.6, 0.2, '--to', 0.6, -0.3, '--floor', -0.1]
    code, said = run(capsys, 'line', *in_plane, '--plot', 'line.png')
    heights = [[*line.get_ydata()] for line in saved[0].axes[0].lines]
    assert code == 1 and pytest.approx([-0.1, -0.1]) in heights
    code, said = run(capsys, 'line', 'so101', '--from', 0.25, 0.05, -0.02, *ends[4:])
    assert (code, said.out[:43]) == (1, 'the start: the tip would be 0.020 m below t')


def test_a_line_whose_start_is_out_of_reach(capsys):
    code, said = run(capsys, 'line', *LENGTHS, '--from', 2, 0, '--to', 0.3, 0.4)
    assert (code, said.out[:27]) == (1, 'the start: too far by 1.100')
    code, said = run(capsys, 'line', *LENGTHS, '--from', 2, 0, '--to', 0.3, 0.4, '--json')
    assert code == 1 and json.loads(said.out)['share'] == 0.0


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['--from', 0.6, '--to', 0.3, 0.4], '--from has 1 numbers'),
        (['--from', 0.6, 0.1, '--to', 0.3], '--to has 1 numbers; give 2'),
        (['--from-joints', 'q1=0.1', '--to', 0.3, 0.4], '--from-joints lacks q2, q3; give the pos'),
        (['--from-joints', 'q=1', '--to', 0.3, 0.4], "q1, q2, q3; there is no joint 'q'; give the"),
        (['--from-joints', 'q1=0', 'q1=1', '--to', 0.3, 0.4], "names 'q1' twice; name it once"),
        (['--from-joints', 'q1', '--to', 0.3, 0.4], "--from-joints has 'q1'; give JOINT=RAD"),
        (['--from-joints', 'q1=0', '--phi', 1, '--to', 0.3, 0.4], 'has an orientation of its own'),
    ],
)
def test_bad_input_of_a_line(capsys, arguments, sentence):
    code, said = run(capsys, 'line', *LENGTHS, *arguments)
    assert code == 2 and sentence in said.err and len(said.err.splitlines()) == 1
