# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Every source file begins with its copyright and the SPDX identifier of its license.

As in packages of ROS 2, interfaces (.msg, .srv, .action), data and configuration have none: LICENSE
covers them.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    '.ci', 'benchmarks', 'cmake', 'docs', 'examples', 'ik_circles', 'launch', 'scripts', 'test',
)  # fmt: skip
SUFFIXES = {'.py', '.sh', '.c', '.cmake', '.in'}
COPYRIGHT = 'Copyright 2026 ik_circles contributors'
LICENSE = 'SPDX-License-Identifier: Apache-2.0'


def sources():
    """Every source file of the checkout; of a release without git, those of its folders."""
    if (ROOT / '.git').exists() and shutil.which('git'):
        command = ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        files = {ROOT / name for name in listed.stdout.split('\0') if name}
    else:
        files = {path for folder in FOLDERS for path in (ROOT / folder).rglob('*')}
    return sorted(path for path in files if path.is_file() and is_source(path))


def is_source(path):
    by_name = path.suffix in SUFFIXES or path.name == 'CMakeLists.txt'
    return by_name or (not path.suffix and path.read_bytes().startswith(b'#!'))


SOURCES = sources()


@pytest.mark.parametrize('path', SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_source_file_begins_with_copyright_and_license(path):
    lines = path.read_text().splitlines()
    if lines[0].startswith(('#!', '@SHEBANG@')):
        del lines[0]
    mark = '//' if path.suffix == '.c' else '#'
    assert lines[:3] == [f'{mark} {COPYRIGHT}', f'{mark} {LICENSE}', '']


def test_all_kinds_of_files_are_looked_at():
    names = {str(path.relative_to(ROOT)) for path in SOURCES}
    assert len(names) > 400
    for name in ('scripts/test', 'scripts/env.sh', '.ci/run', 'test/repository/test_spdx.py'):
        assert name in names
    for name in ('cmake/executable.py.in', 'benchmarks/closed_form.c', 'launch/arm.launch.py'):
        assert name in names


def test_the_license_is_the_one_that_is_named():
    text = (ROOT / 'LICENSE').read_text()
    assert 'Apache License' in text and 'Version 2.0, January 2004' in text
