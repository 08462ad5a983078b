# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a user does on the page, in a real browser without ROS: type, slide, drag, look, touch."""

import math
import re
import time
from collections.abc import Iterator

import numpy as np
import pytest
from browser import Browser, browsing
from hoop_seen import hoop_points, is_seen
from pixels import pixel_of
from selenium.webdriver.common.keys import Keys
from test_view_command import viewing
from viewer_arms import ARMS, TEXTS, URDF

from ik_circles import load_arm
from ik_circles.geometry.rigid import rotation_about
from ik_circles.viewer.camera import view_of
from ik_circles.viewer.dragging import axis_of
from ik_circles.viewer.grips import RING_ABOVE, RING_RADIUS
from ik_circles.viewer.orientation import rpy_of
from ik_circles.viewer.settings_controls import KEEP
from ik_circles.viewer.target_fields import ORIENTATION

ARM = ARMS['so101']
#: A so101 with a gripper, which no target moves; its other jaw moves with it.
GRIPPER = (
    '<link name="jaw"/><joint name="gripper" type="prismatic"><parent link="{tip}"/>'
    '<child link="jaw"/><axis xyz="0 1 0"/><limit lower="0" upper="0.04" effort="1" velocity="1"/>'
    '</joint>'
    '<link name="other"/><joint name="follower" type="prismatic"><parent link="{tip}"/>'
    '<child link="other"/><axis xyz="0 1 0"/><limit lower="-0.04" upper="0" effort="1" '
    'velocity="1"/><mimic joint="gripper" multiplier="-1"/></joint></robot>'
)
#: How many pixels a drag may be off.
NEAR = 0.02


@pytest.fixture(scope='module')
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    text = (URDF / 'so101.urdf').read_text()
    path = tmp_path_factory.mktemp('urdf') / 'so101.urdf'
    path.write_text(text.replace('</robot>', GRIPPER.format(tip=ARM.tip_link)))
    with viewing(path, '--tip', ARM.tip_link) as address:
        yield address


@pytest.fixture(scope='module')
def page(address: str) -> Iterator[Browser]:
    with browsing(address, ARM) as browser:
        yield browser


def place(page: Browser) -> np.ndarray:
    """Where the fields say that the ball is [m]."""
    return np.array(page.ball)


def joint(page: Browser, name: str) -> float:
    """Where a joint's slider is [deg or mm]."""
    return float(page.value(next(one for one in page.labels if one.startswith(f'{name} '))))


def settles(page: Browser) -> None:
    """Wait until the arm rests."""
    page.wait_until_still(lambda: [joint(page, one) for one in names(page)], 'the arm to rest')


def names(page: Browser) -> list[str]:
    """The joints that have a slider."""
    return [one.split()[0] for one in page.labels if '…' in one]


def test_the_tab_has_the_robots_name_and_every_joint_its_limits(page: Browser) -> None:
    assert page.driver.title == load_arm((URDF / 'so101.urdf').read_text()).tree.name == 'so101'
    plain = str.maketrans({'\N{WORD JOINER}': None, '\N{MINUS SIGN}': '-'})
    assert [label.translate(plain) for label in page.labels if '…' in label] == [
        'shoulder_pan -110…110°', 'shoulder_lift -100…100°', 'elbow_flex -97…97°',
        'wrist_flex -95…95°', 'wrist_roll -157…163°', 'gripper 0…40 mm', 'follower -40…0 mm',
    ]  # fmt: skip


def test_a_place_is_typed(page: Browser) -> None:
    page.type('x [m]', '0.2')
    page.type('y [m]', '-0.1')
    page.wait_until_still(lambda: page.text('.readings'), 'nothing, before it is sent')
    assert page.text('.verdict').startswith('Ready')
    page.type('z [m]', '0.25', Keys.ENTER)
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
    wanted = pytest.approx(26.6, abs=0.2)  # atan2(0.1, 0.2)
    page.wait(lambda: joint(page, 'shoulder_pan') == wanted, 'the joint', lambda: place(page))
    assert place(page) == pytest.approx((0.2, -0.1, 0.25))
    settles(page)
    page.type('x [m]', 'abc', Keys.ENTER)
    page.wait(lambda: page.value('x [m]') == '0.2', 'what is no number to be forgotten')
    page.type('z [m]', '0,2')
    page.click('Go there')
    page.wait(lambda: page.value('z [m]') == '0.2', 'the place')
    settles(page)


def test_a_joint_slider_moves_its_joint_alone_and_the_ball_goes_with_the_tip(page: Browser) -> None:
    before = {name: joint(page, name) for name in names(page)}
    page.slide('elbow_flex', 50 * Keys.ARROW_RIGHT)
    wanted = before['elbow_flex'] + 5.0
    page.wait(lambda: joint(page, 'elbow_flex') == pytest.approx(wanted, abs=0.11), 'the joint')
    page.wait(lambda: 'Arrived' in page.text('.verdict'), 'the end')
    settles(page)
    after = {name: joint(page, name) for name in names(page)}
    assert {name for name in after if abs(after[name] - before[name]) > 0.11} == {'elbow_flex'}
    q = {name: math.radians(value) for name, value in after.items() if name in ARM.commanded_joints}
    assert place(page) == pytest.approx(ARM.forward_kinematics(q)[:3, 3], abs=2e-3)


def test_the_gripper_moves_alone(page: Browser) -> None:
    before = page.text('.readings')
    page.slide('gripper', 100 * Keys.ARROW_RIGHT)
    page.wait(lambda: joint(page, 'gripper') == pytest.approx(10.0), 'the gripper')
    page.wait(lambda: joint(page, 'follower') == pytest.approx(-10.0), 'its other jaw')
    page.wait(lambda: 'Arrived' in page.text('.verdict'), 'the end')
    joints = r'shoulder_pan.*'
    assert re.search(joints, page.text('.readings'), re.DOTALL)[0] == re.search(
        joints, before, re.DOTALL)[0]  # fmt: skip


def test_a_disabled_arm_says_what_would_be_and_stays_where_its_sliders_are_moved(
    page: Browser,
) -> None:
    before, stays = joint(page, 'wrist_flex'), 'The arm is disabled, and stays.'
    page.check('Enable')
    page.type('z [m]', '-0.05', Keys.ENTER)
    page.wait(lambda: 'The nearest point is at' in page.text('.verdict'), 'the verdict')
    assert page.text('.verdict').endswith(stays)
    page.slide('wrist_flex', 30 * Keys.ARROW_RIGHT)
    page.wait(lambda: page.text('.verdict').startswith(f'DISABLED\n{stays}'), 'the refusal')
    page.wait(lambda: joint(page, 'wrist_flex') == pytest.approx(before), 'the slider to follow')
    assert place(page)[2] == -0.05
    page.check('Enable')
    page.wait(lambda: page.text('.verdict').startswith('Ready'), 'the refusal to be over')
    assert place(page)[2] == -0.05


def in_the_plane_view(page: Browser) -> list[float]:
    """Where the field below the plane view says that the target is [m]."""
    return [float(one) for one in re.findall(r'-?[\d.]+', page.value('Right, up [m]'))]


def test_the_plane_view_is_dragged(page: Browser) -> None:
    page.click('Home')
    page.wait(lambda: page.text('.verdict') == 'OK\nArrived.', 'the end')
    settles(page)
    along, up = in_the_plane_view(page)
    width = page.driver.execute_script(
        'return document.querySelector("svg.plane-view").getScreenCTM().a'
        ' * document.querySelector("svg.plane-view").dataset.scale'
    )
    x, y = page.middle('.grip')
    page.drag_pixels((x, y), (x - 0.1 * width, y + 0.05 * width))
    page.wait(lambda: in_the_plane_view(page)[0] < along - 0.09, 'the drag')
    page.wait_until_still(lambda: in_the_plane_view(page), 'the target')
    assert in_the_plane_view(page) == pytest.approx((along - 0.1, up - 0.05), abs=0.01)
    assert place(page)[1] == pytest.approx(0.0, abs=2e-3)
    page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
    page.type('Right, up [m]', '0.2, 0.1', Keys.ENTER)
    page.wait(lambda: place(page)[2] == pytest.approx(0.1 + ARM.plane[2, 3], abs=2e-3), 'typed')
    settles(page)


def test_the_ring_turns_the_plane(page: Browser) -> None:
    page.click('Reset')
    page.frames(5)
    before, axis = place(page), axis_of(ARM)
    ring = RING_RADIUS * ARM.arm.max_reach
    front = (0.0, -ring, RING_ABOVE * ARM.arm.max_reach)  # the camera is at negative y
    along = (0.5 * ring, -ring, front[2])
    page.drag_pixels(page.pixel(front), page.pixel(along))
    page.wait(lambda: abs(place(page)[1] - before[1]) > 0.05, 'the ball')
    page.wait_until_still(lambda: place(page).tolist(), 'the ball to rest')
    after = place(page)
    azimuth = math.atan2(after[1], after[0]) - math.atan2(before[1], before[0])
    assert azimuth == pytest.approx(0.5, abs=0.1)
    assert after[2] == pytest.approx(before[2], abs=1e-3)
    assert np.linalg.norm(axis.beside(after)) == pytest.approx(
        np.linalg.norm(axis.beside(before)), abs=2e-3)  # fmt: skip
    settles(page)


def test_the_ball_is_dragged_in_the_plane_that_was_turned(page: Browser) -> None:
    before = place(page)
    to = np.array([0.8 * before[0], 0.8 * before[1], before[2] + 0.05])
    page.drag(tuple(to))
    page.wait(lambda: place(page) == pytest.approx(to, abs=NEAR), 'the drag')
    page.wait_until_still(lambda: place(page).tolist(), 'the ball to rest')
    found = place(page)
    assert found == pytest.approx(to, abs=NEAR)
    assert found[0] * before[1] == pytest.approx(found[1] * before[0], abs=1e-3)


@pytest.mark.parametrize('side', ['Front', 'Top'])
def test_a_ball_whose_plane_is_seen_from_its_edge_stays_as_far_away(
    page: Browser, side: str
) -> None:
    """It came to the camera, and filled the screen."""
    page.click('Home')
    page.wait(lambda: page.text('.verdict') == 'OK\nArrived.', 'the end')
    settles(page)
    page.click(side)
    page.frames(5)
    *_, width, height = page.canvas
    view, before = view_of(ARM, width / height, side), place(page)
    x, y = pixel_of(page.ball, view, page.canvas)
    aside, along = ((150.0, 0.0), (0.0, 80.0)) if side == 'Front' else ((0.0, 150.0), (80.0, 0.0))
    to = np.add((x, y), aside) - along
    page.drag_pixels((x, y), (x + aside[0], y + aside[1]), tuple(to))
    page.wait(lambda: math.dist(place(page), before) > NEAR, 'the drag')
    page.wait_until_still(lambda: place(page).tolist(), 'the ball to rest')
    towards_the_camera, moved = 0 if side == 'Front' else 2, place(page) - before
    assert moved[[1, towards_the_camera]] == pytest.approx((0.0, 0.0), abs=NEAR)
    page.click('Reset')
    page.frames(5)


def test_a_margin_that_is_typed_as_people_type_is_refused_as_a_whole(page: Browser) -> None:
    page.type(KEEP, '0.02', Keys.ENTER)
    page.wait(lambda: 'class="zones" d="M' in page.html('.plane-view'), 'the dashed circles')
    page.type(KEEP, '')
    for key in ('0', '.', '5', Keys.ENTER):
        page.driver.switch_to.active_element.send_keys(key)
        time.sleep(0.25)  # [s], as people type: half a number is not sent meanwhile
    page.wait(lambda: 'It stays at 0.02 m.' in page.text('.notice'), 'the refusal')
    page.wait(lambda: page.value(KEEP) == '0.02', 'the margin that counts')
    assert 'class="zones" d="M' in page.html('.plane-view')
    page.type(KEEP, '0', Keys.ENTER)
    page.wait(lambda: not page.text('.notice'), 'the note to go')


def test_dark_follows_the_system(page: Browser) -> None:
    scheme = 'return document.documentElement.dataset.mantineColorScheme'
    assert page.driver.execute_script(scheme) == 'light'
    page.scheme('dark')
    page.wait(lambda: page.driver.execute_script(scheme) == 'dark', 'dark')
    page.scheme('light')
    page.wait(lambda: page.driver.execute_script(scheme) == 'light', 'light')
    page.check('Dark')
    page.wait(lambda: page.driver.execute_script(scheme) == 'dark', 'dark by hand')
    page.check('Dark')


def test_roll_pitch_and_yaw_are_typed_for_six_joints() -> None:
    arm = ARMS['ur5e']
    with viewing(URDF / 'ur5e.urdf') as address, browsing(address, arm) as page:
        def tip() -> np.ndarray:
            degrees = dict(re.findall(r'(\w+_joint)\s+(-?[0-9.]+)°', page.text('.readings')))
            q = {name: math.radians(float(value)) for name, value in degrees.items()}
            return arm.forward_kinematics(q)

        names = [name for name, _ in ORIENTATION[-1]]
        assert [one for one in page.labels if one.endswith('[°]')] == names  # there is one set

        def shown() -> tuple[float, ...]:
            return tuple(float(page.value(name)) for name in names)

        home = (90.0, 0.0, 180.0)
        assert shown() == home
        page.type('x [m]', '0.4')
        page.type('z [m]', '0.5', Keys.ENTER)
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
        assert shown() == home  # they were not typed
        page.type('Pitch y [°]', '-60', Keys.ENTER)
        page.wait(
            lambda: math.degrees(rpy_of(tip()[:3, :3])[1]) == pytest.approx(-60.0, abs=0.3),
            'the tip to turn', tip,
        )  # fmt: skip
        page.wait_until_still(lambda: page.text('.readings'), 'the arm to rest')
        assert tip()[:3, 3] == pytest.approx((0.4, place(page)[1], 0.5), abs=3e-3)
        assert page.text('.verdict').startswith('OK\n')
        turned = shown()
        page.type('y [m]', '-0.3', Keys.ENTER)
        page.wait(lambda: tip()[1, 3] == pytest.approx(-0.3, abs=3e-3), 'the tip to move', tip)
        page.wait_until_still(lambda: page.text('.readings'), 'the arm to rest')
        assert shown() == turned  # not as the arm faces the place
        before = tip()
        page.press(20 * Keys.ARROW_LEFT, names.index('Yaw z [°]'))
        wanted = rotation_about(np.array([0.0, 0.0, 1.0]), math.radians(-10.0)) @ before[:3, :3]
        page.wait(lambda: np.allclose(tip()[:3, :3], wanted, atol=0.01), 'the slider', tip)


def test_a_ball_that_its_wrist_hides_is_dragged_by_the_hoop() -> None:
    arm = ARMS['ur5e']
    with viewing(URDF / 'ur5e.urdf') as address, browsing(address, arm) as page:
        seen = hoop_points(arm)[is_seen(arm, TEXTS['ur5e'], page.view)]
        at = min(seen, key=lambda point: point[2])  # the lowest
        page.wait(lambda: page.value('x [m]'), 'the ball')
        before = place(page)
        way = -0.1 * before + np.array([0.0, 0.0, 0.15])  # in the plane through the yaw axis
        page.drag_pixels(page.pixel(at), page.pixel(at + way))
        page.wait(lambda: place(page) == pytest.approx(before + way, abs=NEAR), 'the drag',
                  lambda: (before, way, place(page)))  # fmt: skip
        page.wait(lambda: page.text('.verdict').startswith('OK'), 'the verdict')
