# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What `--plot` draws; one picture of each kind is written to a file."""

import re

import pytest

from ik_circles.cli.main import main

LENGTHS = ['--lengths', '0.4', '0.3', '0.2']
TWO, TREE = LENGTHS[:3], ('--limb', 0.3, 0.3, '--limb', 0.2, 0.3)


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


@pytest.mark.usefixtures('drawing')
def test_the_map_of_a_workspace_is_one_image(capsys, tmp_path):
    drawn = tmp_path / 'workspace.svg'
    assert run(capsys, 'workspace', *LENGTHS, '--plot', drawn)[0] == 0
    maps = re.findall('<g id="QuadMesh[^>]*>(.*?)</g>', drawn.read_text(), re.DOTALL)
    assert all(one.count('<path') == 0 for one in maps) and '<image' in drawn.read_text()


def test_the_picture_of_a_workspace_has_a_slice_behind_a_yaw_joint(capsys, saved):
    for name, titles in (('planar_3r', ['']), ('so101', ['', 'across the axis of shoulder_pan'])):
        assert run(capsys, 'workspace', name, '--plot', 'workspace.png')[0] == 0
        maps = [one for one in saved.pop().axes if one.collections and one.get_aspect() == 1.0]
        assert [one.get_title().partition(',')[0] for one in maps] == titles


def test_the_picture_of_a_target_out_of_reach_says_why(capsys, tmp_path):
    pytest.importorskip('matplotlib', reason='the extra plot draws')
    drawn = tmp_path / 'reach.svg'
    assert run(capsys, 'reach', *LENGTHS, '--target', 2, 1, '--plot', drawn)[0] == 1
    assert '<!-- 1  too far by 1.336 m' in drawn.read_text()


@pytest.mark.parametrize(
    'arguments',
    [
        (*LENGTHS, '--target', 0.5, 0.2),
        (*TWO, '--target', 0.5, 0.2),
        (*TWO, *TREE, '--target', 0.5, 0.6, 0.3, 0.7),
        ('so101', '--target', 0.15, 0.2, 0.1),
    ],
    ids=['three links', 'two links', 'tree', 'robot'],
)
def test_methods_as_tables_and_pictures(capsys, saved, arguments):
    code, said = run(capsys, 'methods', *arguments, '--plot', 'methods.svg')
    (figure,), (_, *rows) = saved, said.out.splitlines()
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    drawn = [row.split('  ')[0] for row in rows if not row.endswith('none')]
    assert code == 0 and 'reached' in said.out
    assert drawn and names[-len(drawn) :] == drawn


def test_methods_in_space_are_drawn(capsys, tmp_path):
    pytest.importorskip('matplotlib', reason='the extra plot draws')
    picture = tmp_path / 'bones.svg'
    code, said = run(capsys, 'methods', *TWO, '--target', 0.5, 0.2, 0.1, '--plot', picture)
    assert code == 0 and 'reached' in said.out and '<svg' in picture.read_text()
