# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The cameras of browsers: where they begin, the buttons' views, and never below the ground."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from browser import PHONE, Browser, browsing
from page_socket import CAMERA, Socket, page_at
from pixels import pixel_of
from viewer_arms import ARMS

from ik_circles import RobotArm
from ik_circles.viewer.camera import LEVEL_SLOPE, Cameras, lowest_height, view_of
from ik_circles.viewer.server import start_server

ARM = ARMS['so101']
#: What the tests' browser waits for.
CONTENT = '<div class="verdict">there</div><svg class="plane-view"></svg>'
#: Rounding of positions that have been to a browser and back [m].
ROUNDING = 1e-3
#: When nothing has been heard for so long, nothing more is said [s].
SILENCE = 0.5


class Served:
    """Cameras of a server with nothing but a ground, and the one of its newest browser."""

    def __init__(self, arm: RobotArm = ARM) -> None:
        self.server, _ = start_server('127.0.0.1', 0)
        self.server.gui.add_html(CONTENT)
        self.cameras = Cameras(self.server)
        self.cameras.show(arm)
        self.address = f'http://127.0.0.1:{self.server.get_port()}'

    @property
    def client(self) -> Any:
        clients = self.server.get_clients()
        return clients[max(clients)]

    @property
    def position(self) -> np.ndarray:
        return self.client.camera.position


@pytest.fixture(scope='module')
def served() -> Iterator[Served]:
    served = Served()
    yield served
    served.server.stop()


@pytest.fixture(scope='module')
def page(served: Served) -> Iterator[Browser]:
    with browsing(served.address, ARM) as browser:
        yield browser


def at(page: Browser, served: Served, side: str = 'Reset', yaw: float = 0.0) -> None:
    """Wait until the camera shows a side in the picture as it is by then."""

    def away() -> np.ndarray:
        *_, width, height = page.canvas
        return served.position - view_of(ARM, width / height, side, yaw).position

    page.wait(
        lambda: np.allclose(away(), 0.0, atol=ROUNDING), 'the camera',
        lambda: f'{served.position}, off by {away()}, in the picture {page.canvas}',
    )  # fmt: skip


@pytest.mark.parametrize('side', ['Front', 'Side', 'Top', 'Reset'])
def test_each_button_shows_its_side_of_the_plane_as_it_is(
    page: Browser, served: Served, side: str
) -> None:
    served.cameras.place(served.client, side, 0.5)
    at(page, served, side, 0.5)


def test_a_camera_that_is_dragged_below_the_ground_is_put_back_above_it(
    page: Browser, served: Served
) -> None:
    served.cameras.place(served.client)
    at(page, served)
    page.frames(2)
    before = served.position[2]
    left, top, width, height = page.canvas
    x, y = left + 0.2 * width, top + 0.4 * height
    page.drag_pixels((x, y), (x, y - 0.25 * height))
    page.wait(lambda: served.position[2] < 0.9 * before, 'the camera to sink')
    page.wait_until_still(lambda: served.position.tolist(), 'the camera')
    page.drag_pixels((x, y), (x, 20.0))
    page.wait_until_still(lambda: served.position.tolist(), 'the camera')
    assert served.position[2] >= lowest_height(ARM) - ROUNDING


def test_the_first_view_fits_the_picture_however_it_is_cut(page: Browser, served: Served) -> None:
    served.cameras.place(served.client)
    at(page, served)
    page.resize(700, 900)
    page.wait(lambda: page.canvas[2] / page.canvas[3] < 1.0, 'the picture to be cut')
    at(page, served)
    with browsing(served.address, ARM, PHONE) as phone:
        at(phone, served)


def placed(page: Socket) -> list[tuple[float, ...]]:
    """Where the server has put the camera since the last call, once it puts it nowhere else."""
    page.heard.clear()
    with suppress(TimeoutError):
        while True:
            page.hear(SILENCE)
    kind = 'SetCameraPositionMessage'
    return [
        tuple(one['position']) for one in page.heard if one['type'] == kind and not one['initial']
    ]


@pytest.mark.parametrize('early', [(-5.0, 0.0, -0.5), (3.0, 3.0, 3.0)])
def test_what_a_camera_said_before_it_was_placed_does_not_count(
    served: Served, early: tuple[float, ...]
) -> None:
    """Wherever viser has it at first, also below the ground, it ends at the first view."""
    wanted = view_of(ARM, CAMERA['image_width'] / CAMERA['image_height']).position
    with page_at(served.address) as page:
        for _ in range(3):
            page.say({**CAMERA, 'position': early})
        assert placed(page)[-1] == pytest.approx(wanted)
        page.say({**CAMERA, 'position': wanted})
        assert placed(page) == []
        page.say({**CAMERA, 'position': early})  # now somebody has moved it
        x, y, z = early
        above = [] if z > 0.0 else [pytest.approx((x, y, lowest_height(ARM)))]
        assert placed(page) == above


@pytest.fixture
def level() -> Iterator[Served]:
    served = Served(ARMS['planar_3r'])
    yield served
    served.server.stop()


def test_a_finger_that_turns_a_level_arm_neither_slants_the_horizon_nor_loses_the_arm(
    level: Served,
) -> None:
    """Law: z stays upright, and the plane is never seen from its edge."""
    with browsing(level.address, ARMS['planar_3r'], PHONE) as phone:
        for end in ((0.9, 0.5), (0.3, 0.1), (0.9, 0.2)):
            before = level.position.tolist()
            phone.drag_pixels((0.3 * PHONE[0], 0.5 * PHONE[1]), np.multiply(end, PHONE))
            phone.wait(lambda before=before: level.position.tolist() != before, 'the camera')
            phone.wait_until_still(lambda: level.position.tolist(), 'the camera')
            away = np.subtract(level.position, level.client.camera.look_at)
            assert level.client.camera.up_direction == pytest.approx((0.0, 0.0, 1.0))
            assert level.position[2] > 0.99 * LEVEL_SLOPE * np.linalg.norm(away[:2])


@pytest.mark.parametrize('side', ['Top', 'Reset'])
def test_the_plane_of_a_level_arm_is_seen_as_it_is_drawn(side: str) -> None:
    """Law: x points to the right, and y upward."""
    arm = ARMS['planar_3r']
    view = view_of(arm, side=side)
    (left, low), (right, high) = (
        pixel_of(arm.spatial.plane.point_at(*at), view, (0.0, 0.0, 1.2, 1.0))
        for at in ((0.0, 0.0), (0.5, 0.5))
    )
    assert right - left > 0.1 and low - high > 0.1
    middle, _ = pixel_of(arm.spatial.plane.point_at(0.0, 0.5), view, (0.0, 0.0, 1.2, 1.0))
    assert middle == pytest.approx(left)


def test_a_picture_that_changes_by_a_few_pixels_is_fitted(served: Served) -> None:
    at, wide = CAMERA['position'], {'image_width': 390}
    with page_at(served.address) as page:
        for height in (1000, 997):  # as wide as the workspace
            page.say({**CAMERA, **wide, 'image_height': height, 'position': at})
            at = view_of(ARM, wide['image_width'] / height).position
            assert placed(page)[-1] == pytest.approx(at)
