# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`colcon test` on a full ROS 2: pytest in the folder of the build, beside launch_testing."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: As launch_testing's plugin for pytest: it imports each file on the way to collecting it, so that
#: one that skips itself ends the collection of all.
PLUGIN = """
import runpy, pytest
def pytest_pycollect_makemodule(module_path, parent):
    runpy.run_path(str(module_path))
    return pytest.Module.from_parent(parent, path=module_path)
"""
FILES = {
    'launch_testing_plugin.py': PLUGIN,
    'launch_testing-0.dist-info/METADATA': 'Name: launch_testing\nVersion: 0\n',
    'launch_testing-0.dist-info/entry_points.txt': (
        '[pytest11]\nlaunch_testing = launch_testing_plugin\n'
    ),
    'tests/test_a.py': 'import pytest\npytest.importorskip("no_such_module")\n',
    'tests/test_b.py': 'def test_it():\n    pass\n',
}


def test_a_file_that_skips_itself_takes_no_other_with_it_beside_launch_testing(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    options = re.search(r'set\(OPTIONS "(.*)"\)', (ROOT / 'CMakeLists.txt').read_text())
    environment = {**os.environ, 'PYTHONPATH': str(tmp_path), 'PYTEST_ADDOPTS': options[1]}
    run = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', 'tests'],
        env=environment, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert '1 passed, 1 skipped' in run.stdout


def test_no_test_depends_on_the_folder_that_it_is_started_in():
    tops = '|'.join(path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != '.')
    relative = re.compile(rf'(?<!\.)\b(?:load_arm|open|Path)\(\s*[rbf]*[\'"](?:{tops})/')
    found = {
        f'{path.relative_to(ROOT)}: {match[0]}'
        for path in sorted((ROOT / 'test').rglob('*.py'))
        for match in relative.finditer(path.read_text())
    }
    assert found == set()
