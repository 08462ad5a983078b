# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The example of a node: the arm goes round on the circle that it sends."""

import math
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ros_processes import PLANAR_3R, running

# isort: split
from ros_probe import probed

from ik_circles import load_arm

EXAMPLE = Path(__file__).resolve().parents[2] / 'examples' / 'circle.py'
CENTER, RADIUS = (0.55, 0.0), 0.1
#: Answers in half a turn of the circle: at a radian a second, twenty a second.
HALF = round(math.pi / 0.05)


def test_the_arm_goes_round_on_the_circle_that_the_example_sends() -> None:
    arm, description = load_arm(PLANAR_3R), {'robot_description': PLANAR_3R}
    with probed(description) as probe, running('sim_arm', description):

        def answers() -> list:
            """Those to the example; the probe has sent targets without a frame."""
            return [one for one, _ in probe.statuses if one.header.frame_id]

        example = subprocess.Popen([sys.executable, EXAMPLE])
        try:
            probe.wait(lambda: len(answers()) > HALF, 'half a turn of answers')
        finally:
            example.send_signal(signal.SIGINT)
            example.wait(timeout=10.0)
        found = answers()
    steps, before = [], None
    for status in found:
        assert status.code == status.OK, status.message
        tip = arm.forward_kinematics(dict(zip(status.command.name, status.command.position)))
        x, y = tip[0, 3] - CENTER[0], tip[1, 3] - CENTER[1]
        assert math.hypot(x, y) == pytest.approx(RADIUS, abs=1e-9)
        angle = math.atan2(y, x)
        if before is not None:
            steps.append(math.remainder(angle - before, math.tau))
        before = angle
    assert min(steps) > 0.0 and sum(steps) > 0.9 * math.pi


def test_it_ends_quietly(tmp_path: Path) -> None:
    sent = 'targets.publish(target)'
    file = tmp_path / 'circle.py'
    file.write_text(EXAMPLE.read_text().replace(sent, f'{sent}\n    print("spins", flush=True)'))
    for _ in range(3):  # which of the two exceptions it is, is a matter of chance
        example = subprocess.Popen(
            [sys.executable, file],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A job in the background, as of nohup, would ignore it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert example.stdout.readline() == 'spins\n'
        example.send_signal(signal.SIGINT)
        _, said = example.communicate(timeout=10.0)
        assert (example.returncode, said) == (0, '')


def test_the_listener_of_the_page_prints_the_answers(tmp_path: Path) -> None:
    page = EXAMPLE.parents[1].joinpath('docs', 'first_node.md').read_text()
    _, listener = re.findall('```python\n(.*?)```', page, re.DOTALL)
    file = tmp_path / 'listener.py'
    file.write_text(listener)
    with probed({'robot_description': PLANAR_3R}), subprocess.Popen(
        [sys.executable, file],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as heard:
        example = subprocess.Popen([sys.executable, EXAMPLE])
        try:
            # The probe's own targets have no frame, and may be heard first.
            assert any(line.startswith('0 reachable with') for line in heard.stdout)
        finally:
            for one in (example, heard):
                one.send_signal(signal.SIGINT)
                assert one.wait(timeout=10.0) == 0
