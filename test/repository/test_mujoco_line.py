# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The example with gravity: MuJoCo has our kinematics, and servos are the worse the softer."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ik_circles import load_arm
from ik_circles.control.settings import MotionParameters
from ik_circles.robot.shipped import shipped

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'


def test_without_mujoco_a_sentence_says_what_to_install(tmp_path):
    (tmp_path / 'without.py').write_text(
        'import runpy, sys\n'
        'sys.modules["mujoco"] = None\n'
        f'runpy.run_path({str(EXAMPLES / "mujoco_line.py")!r}, run_name="__main__")\n'
    )
    command = [sys.executable, str(tmp_path / 'without.py')]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60.0)
    assert ended.returncode == 2
    assert ended.stderr == "this example needs mujoco; run pip install '.[mujoco]'\n"


@pytest.fixture
def example(monkeypatch):
    pytest.importorskip('mujoco', reason='mujoco is missing: no wheel for Python 3.10')
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import mujoco_line

    return mujoco_line


@pytest.fixture
def arm():
    return load_arm(shipped()['so101'].read_text())


def test_the_trajectory_is_straight_and_keeps_its_speed(example, arm):
    path = example.straight(arm)
    assert path.points[0] == pytest.approx(example.START, abs=1e-9)
    assert path.points[-1] == pytest.approx(example.END, abs=1e-9)
    along = np.subtract(example.END, example.START)
    beside = np.cross(path.points - example.START, along / np.linalg.norm(along))
    assert np.linalg.norm(beside, axis=1).max() <= 1e-4  # the tolerance of a line
    speeds = np.abs(np.diff(path.positions, axis=0)) / example.PERIOD
    slowed = example.SPEED**2 * MotionParameters().max_acceleration
    changes = np.abs(np.diff(path.positions, n=2, axis=0)) / example.PERIOD**2
    assert 0.9 * slowed <= changes.max() <= slowed + 1e-6
    assert speeds.max() > 0.1


@pytest.mark.parametrize('robot', ['so101', 'px100', 'xarm5', 'ur5e', 'open_manipulator_x'])
def test_mujoco_puts_the_tip_where_we_do(example, robot):
    import mujoco

    arm = load_arm(shipped()[robot].read_text())
    model = mujoco.MjModel.from_xml_string(example.described(arm, 100.0))
    data, random = mujoco.MjData(model), np.random.default_rng(0)
    for _ in range(20):
        data.qpos[:] = random.uniform(-1.5, 1.5, model.nq)
        mujoco.mj_forward(model, data)
        at = {model.joint(n).name: data.qpos[n] for n in range(model.njnt)}
        found = arm.tree.pose(arm.tip_link, arm.base_link, at)
        assert data.site('tip').xpos == pytest.approx(found[:3, 3], abs=1e-9)


def test_stiff_servos_follow_the_line(example, arm):
    """Sag is torque / gain: the error halves, and more, with each step of the gains."""
    path = example.straight(arm)
    errors = [example.played(arm, path, gain) for gain in example.GAINS]
    for softer, stiffer in zip(errors, errors[1:]):
        assert stiffer.line.max() < softer.line.max() / 2.0
        assert stiffer.point.max() < softer.point.max() / 2.0
    for each in errors:
        assert np.all(each.line <= each.point + 1e-4)  # the tolerance of the trajectory
    assert errors[-1].line.max() < 0.001
    assert errors[-1].point.max() < 0.003
    assert math.dist(example.START, example.END) == pytest.approx(0.2)
