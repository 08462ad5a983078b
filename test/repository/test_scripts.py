# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shell scripts, in a copy of the checkout whose path has a space and whose programs only tell
how they were called."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHELLS = [shell for shell in ('bash', 'dash', 'zsh', 'sh') if shutil.which(shell)]
PROGRAM = '#!/bin/sh\necho "$ROS_DOMAIN_ID" "$0" "$@"\n'
NOTE = 'ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST'


@pytest.fixture
def checkout(tmp_path):
    root = tmp_path / 'a b'
    shutil.copytree(ROOT / 'scripts', root / 'scripts')
    (root / 'scripts' / 'setup').write_text('#!/bin/sh\n')
    (root / '.venv' / 'lib' / 'python3.99').mkdir(parents=True)
    shutil.copytree(ROOT / 'urdf', root / 'urdf')
    programs = root / '.colcon' / 'install' / 'lib' / 'ik_circles'
    programs.mkdir(parents=True)
    for name in ('demo', 'viewer', 'nodes'):
        (programs / name).write_text(PROGRAM)
        (programs / name).chmod(0o755)
    return root


def call(command, folder, **variables):
    """The process of a command, with these variables and no others of ROS."""
    ours = ('ROS_', 'DISTRO')
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        command, cwd=folder, env=kept | variables, capture_output=True, text=True, timeout=30.0
    )


@pytest.mark.parametrize('shell', SHELLS)
@pytest.mark.parametrize('where', ['/', '{root}', '{root}/scripts', '{root}/..'])
def test_the_environment_can_be_sourced_from_any_folder(checkout, shell, where):
    folder = Path(where.format(root=checkout)).resolve()
    file = os.path.relpath(checkout / 'scripts' / 'env.sh', folder)
    name = file if '/' in file else f'./{file}'
    for options in ([], ['-eu']):
        ran = call([shell, *options, '-c', f'. "{name}"; echo "$PYTHONPATH"; pwd; set'], folder)
        assert ran.returncode == 0, ran.stderr
        packages, here, *variables = ran.stdout.splitlines()
        assert packages == f'{checkout}/.colcon/install/lib/python3.99/site-packages'
        assert here == str(folder)
        assert not [one for one in variables if one.startswith('_ik_')]


@pytest.mark.parametrize('shell', SHELLS)
def test_the_environment_can_be_sourced_by_a_link(checkout, shell, tmp_path):
    (tmp_path / 'scripts').mkdir()
    for link in (tmp_path / 'env.sh', tmp_path / 'scripts' / 'env.sh'):
        link.symlink_to(checkout / 'scripts' / 'env.sh')
        ran = call([shell, '-c', f'. "{link}"; echo "$PYTHONPATH"'], '/')
        assert ran.stdout == f'{checkout}/.colcon/install/lib/python3.99/site-packages\n'


@pytest.mark.parametrize('shell', SHELLS)
def test_the_environment_says_once_that_discovery_stays_on_this_machine(checkout, shell):
    twice = '. scripts/env.sh; . scripts/env.sh; echo "$ROS_AUTOMATIC_DISCOVERY_RANGE"'
    ran = call([shell, '-c', twice.replace('. ', '. ./')], checkout)
    assert ran.stdout == 'LOCALHOST\n'
    assert ran.stderr.count(NOTE) == 1
    assert 'export ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET' in ran.stderr
    ran = call(
        [shell, '-c', twice.replace('. ', '. ./')], checkout, ROS_AUTOMATIC_DISCOVERY_RANGE='SUBNET'
    )
    assert (ran.stdout, ran.stderr) == ('SUBNET\n', '')


@pytest.mark.parametrize('shell', SHELLS)
def test_an_environment_that_is_not_there_is_one_sentence(checkout, shell):
    shutil.rmtree(checkout / '.venv')
    ran = call([shell, '-c', '. scripts/env.sh; echo "$?"; set'.replace('. ', '. ./')], checkout)
    assert ran.stderr == f'scripts/env.sh: there is no {checkout}/.venv: run scripts/setup first\n'
    result, *variables = ran.stdout.splitlines()
    assert result == '1'
    left = [one for one in variables if one.startswith('_ik_') or str(checkout) in one]
    assert all('PWD' in one for one in left)


@pytest.mark.parametrize('script', ['demo', 'view'])
def test_a_domain_that_is_set_is_used_and_printed(checkout, script, tmp_path):
    ran = call([checkout / 'scripts' / script, 'so101'], tmp_path, ROS_DOMAIN_ID='7')
    assert ran.stdout.startswith('7 ') and 'so101' in ran.stdout
    assert f'scripts/{script}: in ROS_DOMAIN_ID=7' in ran.stderr
    own = call([checkout / 'scripts' / script], tmp_path)
    domain = own.stdout.partition(' ')[0]
    assert 1 <= int(domain) <= 101
    assert f'in ROS_DOMAIN_ID={domain}' in own.stderr


@pytest.mark.parametrize('script', ['demo', 'view', 'nodes'])
def test_a_file_that_is_not_there_is_named_first(checkout, script, tmp_path):
    (checkout / 'scripts' / 'setup').write_text('#!/bin/sh\necho "set up"\n')
    ran = call([checkout / 'scripts' / script, 'no such.urdf'], tmp_path)
    assert (ran.returncode, ran.stdout) == (2, '')
    assert f'scripts/{script}: there is no URDF file no such.urdf' in ran.stderr


def test_the_nodes_run_in_the_domain_of_the_shell(checkout, tmp_path):
    file = tmp_path / 'my robot.urdf'
    file.touch()
    for domain in ('', '12'):
        variables = {'ROS_DOMAIN_ID': domain} if domain else {}
        ran = call([checkout / 'scripts' / 'nodes', file.name], tmp_path, **variables)
        assert ran.stdout.split(' ', 1)[0] == domain
        assert ran.stdout.endswith('/nodes my robot.urdf\n')


def test_the_nodes_take_one_urdf(checkout, tmp_path):
    ran = call([checkout / 'scripts' / 'nodes', 'so101', 'extra', 'words'], tmp_path)
    assert (ran.returncode, ran.stdout) == (2, '')
    assert ran.stderr == 'scripts/nodes takes one URDF, and no more: leave out extra words\n'


@pytest.mark.parametrize('script', ['demo', 'view', 'nodes'])
def test_the_program_gets_the_links_that_are_given(checkout, script, tmp_path):
    ran = call([checkout / 'scripts' / script, 'so101', '--tip-link', 'my tip'], tmp_path)
    assert ran.stdout.endswith(' --tip-link my tip\n')
    port = call([checkout / 'scripts' / script, 'so101', '8081', '--tip-link', 'a'], tmp_path)
    assert ('--port 8081 --tip-link a' in port.stdout) == (script == 'view')


@pytest.mark.parametrize('option', ['-h', '--help'])
@pytest.mark.parametrize('script', ['demo', 'view', 'nodes', 'setup'])
def test_each_script_says_how_it_is_used(checkout, script, option, tmp_path):
    shutil.copy(ROOT / 'scripts' / 'setup', checkout / 'scripts' / 'setup')
    ran = call([checkout / 'scripts' / script, option], tmp_path, DISTRO='foxy')  # first of all
    assert (ran.returncode, ran.stderr) == (0, '')
    assert ran.stdout.startswith(f'usage: scripts/{script}')


@pytest.mark.parametrize('script', ['demo', 'view', 'nodes'])
def test_each_release_of_ros_has_an_environment_of_its_own(checkout, script, tmp_path):
    for folder in ('.venv', '.colcon'):
        shutil.copytree(checkout / folder, checkout / f'{folder}-kilted')
    for distro, beside in (('', ''), ('jazzy', ''), ('kilted', '-kilted')):
        variables = {'DISTRO': distro} if distro else {}
        ran = call([checkout / 'scripts' / script, 'so101'], tmp_path, **variables)
        assert f' {checkout}/.colcon{beside}/install/lib/ik_circles/' in ran.stdout
        sourced = call(['sh', '-c', '. scripts/env.sh; env'], checkout, **variables)
        assert f'VIRTUAL_ENV={checkout}/.venv{beside}\n' in sourced.stdout
        other = '/' if beside else '-kilted'
        assert not re.search(f'{checkout}/[.](venv|colcon){other}', sourced.stdout)


@pytest.mark.parametrize('distro', ['foxy', '../x', 'kilted; rm'])
def test_a_release_of_ros_without_wheels_is_refused(checkout, distro, tmp_path):
    shutil.copy(ROOT / 'scripts' / 'setup', checkout / 'scripts' / 'setup')
    ran = call([checkout / 'scripts' / 'setup'], tmp_path, DISTRO=distro)
    assert ran.returncode == 1
    assert f"DISTRO is '{distro}', but there are wheels only for jazzy kilted\n" in ran.stderr


@pytest.mark.parametrize('distro', ['jazzy', 'kilted'])
def test_every_wheel_of_ros_has_its_version(distro):
    lines = (ROOT / 'scripts' / f'ros-{distro}.txt').read_text().splitlines()
    wheels = [line for line in lines if line and line[0] != '#']
    assert len(wheels) > 80
    pinned = re.compile(r'ros-[\w-]+(\[\w+\])?==[\d.]+')
    assert [line for line in wheels if not pinned.fullmatch(line)] == []
    assert len({line.partition('=')[0] for line in wheels}) == len(wheels)


def test_another_python_than_that_of_the_environment_is_refused(checkout, tmp_path):
    shutil.copy(ROOT / 'scripts' / 'setup', checkout / 'scripts' / 'setup')
    inside = checkout / '.venv' / 'bin' / 'python'
    inside.parent.mkdir()
    inside.write_text('#!/bin/sh\necho 3.9.99\n')
    inside.chmod(0o755)
    other = tmp_path / 'my pythons' / 'python'  # a path with a space is one word
    other.parent.mkdir()
    other.symlink_to(sys.executable)
    ran = call([checkout / 'scripts' / 'setup'], tmp_path, PYTHON=str(other))
    assert ran.returncode == 1
    present = '.'.join(map(str, sys.version_info[:3]))
    words = f'is Python {present}, but .venv has Python 3.9.99; without PYTHON it stays'
    assert words in ran.stderr
    assert inside.exists()
    command = re.search(r'to change it: (\(.*\)), then this again', ran.stderr)[1]
    assert call(['sh', '-c', command], tmp_path).returncode == 0
    assert not inside.exists()
    missing = call([checkout / 'scripts' / 'setup'], tmp_path, PYTHON='/no/python')
    assert missing.returncode == 1 and 'looked for /no/python' in missing.stderr
