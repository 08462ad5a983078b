# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The core works where no ROS is installed, and keeps ROS out of all but one folder."""

import ast
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ('geometry', 'planar', 'limbs', 'spatial', 'robot', 'control', 'bridges', 'cli')
CORE = [path for floor in FLOORS for path in sorted((ROOT / 'ik_circles' / floor).rglob('*.py'))]
MODULES = ['.'.join(path.relative_to(ROOT).with_suffix('').parts) for path in CORE]
ROS = ('rclpy', 'rcl_interfaces', 'builtin_interfaces', 'ament_index_python', 'tf2_ros', 'launch')

USE = f"""
import sys

class NoRos:
    def find_spec(self, name, path=None, target=None):
        top = name.split('.')[0]
        if top in {ROS!r} or top.endswith('_msgs') or name in ('ik_circles.msg', 'ik_circles.srv'):
            raise ModuleNotFoundError(f'no ROS here: {{name}}')

sys.meta_path.insert(0, NoRos())
for blocked in ('rclpy', 'sensor_msgs.msg', 'ik_circles.msg'):
    try:
        __import__(blocked)
    except ModuleNotFoundError as error:
        assert 'no ROS here' in str(error)
    else:
        raise AssertionError(blocked)

import ik_circles

arm = ik_circles.PlanarArm((1.0, 1.0, 1.0))
assert len(arm.inverse_kinematics(2.0, 1.0, 0.0)) == 2
assert arm.check_reachability(4.0, 0.0).code is ik_circles.Code.TOO_FAR
chain = ik_circles.load_arm(open({str(ROOT / 'urdf' / 'planar_3r.urdf')!r}).read())
assert len(chain.inverse_kinematics((0.6, 0.1, 0.0), 0.2)) == 2
for module in {MODULES!r}:
    __import__(module)
print(ik_circles.__file__)
"""


def test_everything_works_with_ros_made_unimportable():
    environment = {**os.environ, 'PYTHONPATH': str(ROOT)}
    run = subprocess.run(
        [sys.executable, '-c', USE],
        env=environment, cwd='/', capture_output=True, text=True, timeout=30, check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == str(ROOT / 'ik_circles' / '__init__.py')


def test_pip_brings_the_shipped_robots(tmp_path, monkeypatch):
    """The files that setup.py names, where pip puts them."""
    given = {}
    monkeypatch.setattr('setuptools.setup', lambda **named: given.update(named))
    monkeypatch.chdir(ROOT)
    runpy.run_path('setup.py')
    for package in given['packages']:
        inside = package.replace('.', '/')
        (tmp_path / inside).mkdir()
        for pattern in ('*.py', *given['package_data'].get(package, ())):
            for file in (ROOT / given['package_dir'].get(package, inside)).glob(pattern):
                shutil.copy(file, tmp_path / inside)
    use = 'import ik_circles; print(ik_circles.load_arm("so101"), ik_circles.__file__)'
    run = subprocess.run(
        [sys.executable, '-c', use],
        env={**os.environ, 'PYTHONPATH': str(tmp_path)}, cwd='/', capture_output=True, text=True,
        timeout=30, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert 'wrist_roll: base_link to gripper' in run.stdout and str(tmp_path) in run.stdout
    assert not (tmp_path / 'ik_circles' / 'ros').exists()


def imported(path):
    """Names of all modules that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f'{path} imports relatively'
            yield node.module
            yield from (f'{node.module}.{alias.name}' for alias in node.names)


def test_only_the_folder_ros_imports_ros():
    files = [
        path for path in (ROOT / 'ik_circles').rglob('*.py')
        if path.parent != ROOT / 'ik_circles' / 'ros'
    ]
    assert set(CORE) <= set(files)
    forbidden = ('ik_circles.ros', 'ik_circles.msg', 'ik_circles.srv', 'ik_circles.action')
    for path in files:
        for name in imported(path):
            top = name.split('.')[0]
            assert top not in ROS, f'{path.name} imports {name}'
            assert not top.endswith('_msgs'), f'{path.name} imports {name}'
            assert not name.startswith(forbidden), f'{path.name} imports {name}'
