# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Runs side by side never get the same ROS domain, and the domain of a run that was killed is free.

Real processes, with a folder of their own for the locks: other runs on this machine do not matter.
"""

import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

pytest.importorskip('fcntl', reason='there are no nodes on Windows')
import domains

#: Takes one of the domains 1 to many, says which, and holds it until its input ends.
HOLDER = """
print(domains.take(range(1, int(sys.argv[1]) + 1)), flush=True)
sys.stdin.read()
"""
#: Becomes a program, as the scripts do. This one starts another that outlives it, as nodes may.
STARTER = """
program = (
    'import os, subprocess, sys; '
    'subprocess.Popen(["sleep", "5"], stdout=subprocess.DEVNULL); '
    'print(os.environ["ROS_DOMAIN_ID"], flush=True); sys.stdin.read()'
)
sys.argv = ['domains.py', 'some', sys.executable, '-c', program]
domains.main()
"""


@contextmanager
def run(source, folder, *arguments, **variables):
    """A process of this source that puts its locks into the folder."""
    path = Path(domains.__file__).parent
    begin = f'import sys, pathlib; sys.path.insert(0, {str(path)!r}); import domains\n'
    begin += f'domains.FOLDER = pathlib.Path({str(folder)!r})\n'
    kept = {name: value for name, value in os.environ.items() if name != 'ROS_DOMAIN_ID'}
    with subprocess.Popen(
        [sys.executable, '-c', begin + source, *map(str, arguments)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=kept | variables,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def domain_of(process):
    return int(process.stdout.readline())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(domains, 'FOLDER', tmp_path)
    return tmp_path


def test_two_runs_never_get_the_same_domain(folder):
    """As many runs as there are domains, all at once: each gets its own, and a further one none."""
    many = 8
    with ExitStack() as stack:
        runs = [stack.enter_context(run(HOLDER, folder, many)) for _ in range(many)]
        assert sorted(map(domain_of, runs)) == list(range(1, many + 1))
        with pytest.raises(RuntimeError, match='no ROS domain is free'):
            domains.take(range(1, many + 1))


def test_the_domain_of_a_run_that_was_killed_is_free(folder):
    with run(HOLDER, folder, 2) as first, run(HOLDER, folder, 2) as second:
        held, freed = domain_of(first), domain_of(second)
        assert {held, freed} == {1, 2}
        second.kill()
        second.wait()
        for _ in range(3):
            with run(HOLDER, folder, 2) as third:
                assert domain_of(third) == freed
        assert first.poll() is None


def test_a_program_holds_the_domain_that_was_taken_for_it(folder):
    """What it starts does not: it ends with the program, even if they outlive it."""
    with run(STARTER, folder) as program:
        domain = domain_of(program)
        with pytest.raises(RuntimeError, match='no ROS domain is free'):
            domains.take([domain])
        program.kill()
        program.wait()
        assert domains.take([domain]) == domain


def test_a_domain_that_is_set_is_kept_and_needs_no_lock(folder):
    with run(STARTER, folder, ROS_DOMAIN_ID='7') as program:
        assert domain_of(program) == 7
        assert list(folder.iterdir()) == []


def test_a_lock_that_cannot_be_opened_is_that_of_another(folder):
    (folder / 'ik_circles.ros_domain.1.lock').symlink_to(folder / 'gone' / 'file')
    assert domains.take([1, 2]) == 2


def test_this_run_has_a_domain_of_its_own():
    domain = int(os.environ['ROS_DOMAIN_ID'])
    assert domain in domains.DOMAINS
    with pytest.raises(RuntimeError, match='no ROS domain is free'):
        domains.take([domain])


def test_the_ports_of_every_domain_are_free_for_ros():
    """DDS: 7400 + 250 for each domain + 2 for each participant + 11. Linux: from 32768 on."""
    participants = 50
    assert 7400 + 250 * domains.DOMAINS[-1] + 2 * participants + 11 < 32768
    assert domains.DOMAINS[0] == 1  # 0 is that of whoever says nothing
