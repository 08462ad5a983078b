# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles view` in a real browser: the page on the core alone, for each kind of arm."""

import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from browser import PATIENCE, Browser, browsing
from selenium.webdriver.common.keys import Keys

from ik_circles import PlanarArm, RobotArm, load_arm
from ik_circles.robot.arm import Point3
from ik_circles.viewer.description import description_of
from ik_circles.viewer.dragging import axis_of
from ik_circles.viewer.server import name_of
from ik_circles.viewer.targets import point_of

ROOT = Path(__file__).resolve().parents[2]
LENGTHS = (0.4, 0.3, 0.2)
#: No ROS and no built package on the path.
ENVIRONMENT = {**os.environ, 'PYTHONPATH': str(ROOT), 'AMENT_PREFIX_PATH': ''}
#: Where each arm is sent in its plane [m], along and up: a target that it reaches, and one that it
#: does not.
TARGETS = {
    'planar_3r': ((0.45, 0.4), (0.8, 0.7)),
    'so101': ((0.2, 0.25), (0.4, 0.42)),
    'px100': ((0.205, 0.255), (0.35, 0.4)),
    'ur5e': ((0.4, 0.5), (0.9, 0.9)),
}


def first_tip(arm: RobotArm) -> Point3:
    """Where the tip is with all joints at 0."""
    return point_of(arm.forward_kinematics(dict.fromkeys(arm.commanded_joints, 0.0))[:3, 3])


def in_the_plane(arm: RobotArm, along: float, up: float) -> Point3:
    """A point of the plane through the first tip and the yaw axis, or of the arm's only plane."""
    axis = axis_of(arm)
    if axis is None:
        return arm.spatial.plane.point_at(along, up)
    beside = axis.beside(np.array(first_tip(arm)))
    x, y, _ = axis.point + along * beside / np.linalg.norm(beside)
    return float(x), float(y), up


@contextmanager
def viewing(*arguments: str | Path) -> Iterator[str]:
    """Run the command on a free port, yield the address that it prints, and end it with Ctrl-C."""
    code = 'import sys; from ik_circles.cli.main import main; sys.exit(main())'
    command = [sys.executable, '-c', code, 'view', *map(str, arguments), '--port', '0']
    with subprocess.Popen(
        command, env=ENVIRONMENT, cwd=ROOT, text=True, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            yield re.findall(r'http://[^/:]+:\d+\S*', process.stdout.readline())[0]
            assert process.poll() is None
        finally:
            process.send_signal(2)
            try:
                assert process.wait(timeout=PATIENCE) == 130
            finally:
                process.kill()


@pytest.mark.parametrize('name', TARGETS)
def test_each_arm_follows_and_refuses(name: str, tmp_path: Path) -> None:
    urdf = ROOT / 'urdf' / f'{name}.urdf'
    arm = load_arm(urdf.read_text())
    good, bad = (in_the_plane(arm, *one) for one in TARGETS[name])
    with viewing(urdf) as address, browsing(address, arm) as page:
        page.drag(good)
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
        _comes_to_rest(page, arm)
        page.picture(f'{name}.png', tmp_path)
        page.drag(bad)
        page.wait(lambda: page.text('.verdict').startswith('TOO FAR'), 'the refusal')
        page.picture(f'{name}_refused.png', tmp_path)
        text = page.text('.verdict')
        assert re.search(r'Too far by 0\.\d{3} m', text) and text.endswith('The arm stays.')
        page.click('Go to the nearest point')
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the nearest point')
        nearest = re.search(r'at x (.*), y (.*), z (.*) m\.', text).groups()
        # On a busy machine, the card may be about a step of the drag before the last one.
        assert page.ball == pytest.approx([float(one) for one in nearest], abs=1e-2)
        page.resize(1920, 1080)
        page.wait(lambda: not _needs_a_scroll(page), 'all that the panels have', lambda: name)


def _needs_a_scroll(page: Browser) -> bool:
    """Whether a panel has more than it shows."""
    return page.driver.execute_script(
        """return [...document.querySelectorAll('[class*=ScrollArea-viewport]')]
          .some(one => one.clientHeight && one.scrollHeight > one.clientHeight + 1);"""
    )


def test_the_sliders_turn_each_joint_of_a_wrist() -> None:
    urdf = ROOT / 'urdf' / 'so101.urdf'
    arm = load_arm(urdf.read_text())
    with viewing(urdf) as address, browsing(address, arm) as page:
        labels = [label for label in page.labels if label.endswith('[°]')]
        assert labels == ['Pitch [°]', 'Roll [°]']
        page.drag(in_the_plane(arm, *TARGETS['so101'][0]))
        _comes_to_rest(page, arm)
        (joint,) = arm.wrist_joints
        before = _reading(page, joint)
        page.press(60 * Keys.ARROW_RIGHT, 1)
        page.wait(
            lambda: round(_turned(page, joint, before), 1) == 30.0, f'{joint} turned by 30 deg'
        )
        assert page.text('.verdict').startswith('OK')
        page.click('Home')
        page.wait(lambda: re.search(rf'{joint}\s+0\.0°', page.text('.readings')), 'the wrist at 0')


def test_for_other_machines_the_token_opens_the_page_and_the_cookie_keeps_it_open() -> None:
    urdf = ROOT / 'urdf' / 'planar_3r.urdf'
    with viewing(urdf, '--host', '0.0.0.0') as printed:
        address = printed.replace(name_of('0.0.0.0'), '127.0.0.1')
        site = address.partition('?')[0]
        with browsing(address, load_arm(urdf.read_text())) as page:
            (cookie,) = page.driver.get_cookies()
            assert (cookie['httpOnly'], cookie['sameSite']) == (True, 'Strict')
            assert page.driver.execute_script('return document.cookie') == ''
            page.driver.get(site)  # without the token
            page.wait(lambda: page.text('.verdict'), 'the page, by its cookie')
            page.driver.delete_all_cookies()
            page.driver.get(site)
            assert 'needs its token' in page.text('body')


def _reading(page: Browser, joint: str) -> float:
    """Where a joint is, as the page says it [deg]."""
    (degrees,) = re.findall(rf'{joint}\s+(-?[0-9.]+)°', page.text('.readings'))
    return float(degrees)


def _turned(page: Browser, joint: str, before: float) -> float:
    """How far a joint has turned, up to whole turns [deg]."""
    return abs(math.remainder(_reading(page, joint) - before, 360.0))


def _comes_to_rest(page: Browser, arm: RobotArm) -> None:
    """Wait until the readings of all joints stay the same."""

    def joints() -> str:
        return page.text('.readings table').split('second')[1]

    page.wait(lambda: all(name in joints() for name in arm.commanded_joints), 'the joints')
    page.wait_until_still(joints, 'the arm to come to rest')


def test_an_arm_of_lengths() -> None:
    arm = load_arm(description_of(PlanarArm(LENGTHS)))
    with viewing('--lengths', *map(str, LENGTHS)) as address, browsing(address, arm) as page:
        page.drag((-0.3, -0.5, 0.0))
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
        page.click('Home')
        page.wait(lambda: page.text('.verdict') == 'OK\nArrived.', 'the end')
        assert re.search(r'q1\s+0\.0°\s+q2\s+0\.0°\s+q3\s+0\.0°', page.text('.readings'))
