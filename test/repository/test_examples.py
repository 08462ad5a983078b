# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The examples: every frame closes, nothing jumps, and pictures need no display."""

import importlib
import math
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip('matplotlib')
from PIL import Image

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module


def largest_step(before, after):
    return max(math.dist(a, b) for a, b in zip(before, after))


def lengths_of(points):
    return [math.dist(a, b) for a, b in zip(points, points[1:])]


def test_the_robot_arm_follows_without_a_jump(example):
    robot_arm = example('robot_arm')
    arms = robot_arm.shapes()
    for frame, (before, arm) in enumerate(zip([arms[-1], *arms], arms)):
        target = robot_arm.CHAIN.nearest_inside(robot_arm.wanted(frame))
        assert arm.points[-1] == pytest.approx(target, abs=1e-12)
        assert lengths_of(arm.points) == pytest.approx(robot_arm.CHAIN.link_lengths, abs=1e-12)
        assert largest_step(before.points, arm.points) < 0.3 * robot_arm.CHAIN.safe_zones.outer


def test_the_cyclist_keeps_both_feet_on_the_pedals(example):
    cyclist = example('cyclist')
    for frame in range(cyclist.FRAMES):
        legs, before = cyclist.solve(frame), cyclist.solve(frame - 1)
        for leg, old, pedal in zip(legs.limbs, before.limbs, cyclist.pedals(frame)):
            assert leg.points[0] == cyclist.HIP and leg.points[-1] == pedal
            assert lengths_of(leg.points) == pytest.approx((0.44, 0.43, 0.16), abs=1e-12)
            assert leg.joint_angles[1] < 0.0  # the knee bends forwards only
            assert largest_step(leg.points, old.points) < 0.05


def test_the_hand_holds_the_ball(example):
    hand = example('hand')
    for frame in range(hand.FRAMES):
        shape = hand.solve(frame)
        _, closed, _ = hand.phases(frame)
        for limb, lengths in zip(shape.limbs, hand.HAND.limbs):
            assert lengths_of(limb.points) == pytest.approx(lengths, abs=1e-11)
            if closed == 1.0:
                touch = math.dist(limb.points[-1], hand.ball(frame))
                assert touch == pytest.approx(hand.RADIUS + 0.6)


def test_a_gif_and_a_still_are_written_without_a_display(example, tmp_path, monkeypatch):
    animation = example('animation')
    monkeypatch.setattr('sys.argv', ['example', str(tmp_path / 'new')])
    drawn = []

    def draw(axes, frame):
        drawn.append(frame)
        axes.plot((0.0, 1.0), (0.0, frame), color=animation.BLUE)

    animation.write('some', (0.0, 2.0), (0.0, 1.0), draw, 3, 1)
    assert drawn == 2 * [0, 1, 2, 1]
    for name, corner in (('some', (255, 255, 255)), ('some-dark', (13, 17, 23))):
        assert (tmp_path / 'new' / f'{name}.gif').read_bytes().startswith(b'GIF89a')
        with Image.open(tmp_path / 'new' / f'{name}.png') as still:
            assert still.convert('RGB').getpixel((0, 0)) == corner
            assert still.width == 2 * still.height


def test_a_folder_that_cannot_be_written_to_is_named(example, tmp_path, monkeypatch, capsys):
    animation = example('animation')
    file = tmp_path / 'file'
    file.touch()
    monkeypatch.setattr('sys.argv', ['example', str(file)])
    with pytest.raises(SystemExit) as ended:
        animation.output_folder()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f'example: cannot write into {file}: ')


def test_without_matplotlib_a_sentence_says_what_to_install(tmp_path):
    (tmp_path / 'without.py').write_text(
        'import runpy, sys\n'
        'sys.modules["matplotlib"] = None\n'
        f'sys.path.insert(0, {str(EXAMPLES)!r})\n'
        f'runpy.run_path({str(EXAMPLES / "hand.py")!r}, run_name="__main__")\n'
    )
    command = [sys.executable, str(tmp_path / 'without.py')]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60.0)
    assert ended.returncode == 2
    assert ended.stderr == "the examples need matplotlib; run pip install '.[plot]'\n"
