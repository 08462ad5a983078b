# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What someone types first: the command alone, its version, and limits in degrees."""

import json
import re
import runpy
import sys

import pytest

from ik_circles import __version__
from ik_circles.cli.main import COMMANDS, main

LENGTHS = ['--lengths', '0.4', '0.3', '0.2']
TARGET = ['--target', '0.6', '0.2']


def test_the_command_alone_prints_its_help(capsys):
    assert main([]) == 2
    said = capsys.readouterr()
    assert said.out == '' and said.err.startswith('usage: ik-circles')
    for name, command in COMMANDS.items():
        assert re.search(rf'^ +{name}\s+{command.SUMMARY[:20]}', said.err, re.MULTILINE)


def test_the_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(['--version'])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f'ik-circles {__version__}\n'


@pytest.mark.parametrize('code', [0, 2])
def test_the_package_is_the_same_command(code, capsys, monkeypatch):
    monkeypatch.setattr(sys, 'argv', ['__main__.py', '--version' if code == 0 else 'dance'])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module('ik_circles', run_name='__main__')
    assert ended.value.code == code
    said = capsys.readouterr()
    assert (said.out or said.err).startswith(('ik-circles ', 'usage: ik-circles')[code // 2])


def test_the_table_says_that_the_reach_is_of_the_links_alone(capsys):
    assert main(['workspace', 'so101']) == 0
    table = capsys.readouterr().out
    for name in ('min_reach', 'max_reach'):
        assert re.search(rf'^{name}, links alone +\d', table, re.MULTILINE)
    assert main(['workspace', 'so101', '--json']) == 0
    assert {'min_reach', 'max_reach'} <= set(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    'command',
    [['solve', *LENGTHS, *TARGET], ['reach', *LENGTHS, *TARGET], ['methods', *LENGTHS, *TARGET],
     ['workspace', *LENGTHS], ['methods', '--lengths', '0.4', '0.3', *TARGET]],
)  # fmt: skip
def test_limits_that_look_like_degrees_draw_a_hint(capsys, command):
    links = command.index('--target') if '--target' in command else len(command)
    numbers = 2 * (links - 1 - command.index('--lengths'))
    main([*command, '--limits', *['-10', '10', '-12', '12', '-9', '9'][:numbers]])
    assert capsys.readouterr().err == 'hint: -10 rad is -573 deg; --limits are in radians\n'
    rounded = ['-6.2832', '6.2832', '-1', '1', 'None', 'None']  # a whole turn is no mistake
    main([*command, '--limits', *rounded[:numbers]])
    assert capsys.readouterr().err == ''


def test_lengths_that_look_like_millimeters_draw_a_hint(capsys):
    assert main(['reach', '--lengths', '400', '300', '200', '--target', '600', '200']) == 0
    said = 'hint: links of 400, 300, 200 m: are they in millimeters? give meters\n'
    assert capsys.readouterr().err == said


def test_a_file_that_is_no_urdf_is_read_and_not_taken_for_a_name(capsys, tmp_path):
    file = tmp_path / 'arm.txt'
    file.write_text('so101')
    assert main(['reach', str(file), '--target', '0.2', '0.1', '0.1']) == 2
    assert 'is not well-formed XML' in capsys.readouterr().err
