# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The scene's geometry: links, ghosts, plane, outline and shapes are where the core has them."""

from types import SimpleNamespace

import numpy as np
import pytest
from viewer_arms import ARMS, TEXTS, each_arm

from ik_circles.control.settings import Settings
from ik_circles.palette import GHOST, rgb
from ik_circles.viewer.orientation import target_at
from ik_circles.viewer.robot_drawing import RobotDrawing, moved_links
from ik_circles.viewer.scene import ALONE_OPACITY, GHOST_OPACITY
from ik_circles.viewer.workspace_drawing import (
    WorkspaceDrawing,
    add_ground,
    plane_pose,
    segments,
)


@each_arm
def test_links_are_drawn_where_the_core_has_them(name: str) -> None:
    arm, rng = ARMS[name], np.random.default_rng(3)
    positions = {joint.name: rng.uniform(-1.0, 1.0) for joint in arm.tree.joints}
    for link, pose in arm.tree.poses(arm.base_link, positions).items():
        assert np.allclose(pose, arm.link_pose(link, positions))


@each_arm
def test_ghosts_have_the_links_that_move(name: str) -> None:
    moved = moved_links(ARMS[name])
    assert ARMS[name].tip_link in moved
    assert ARMS[name].base_link not in moved


def test_a_ghost_does_not_dull_the_links_that_both_solutions_share() -> None:
    arm, frames = ARMS['so101'], {}

    class Frames:
        def add_frame(self, name: str, **_: object) -> SimpleNamespace:
            return frames.setdefault(name.split('/')[-1], SimpleNamespace(visible=False))

    target = target_at(arm, (0.276, 0.0, 0.3), (-0.26, 0.0))
    found = arm.check_reachability(target.position, rotation=target.rotation)
    chosen, other = found.solutions
    links = dict.fromkeys(moved_links(arm), ())
    ghost = RobotDrawing(Frames(), '/ghost', arm, links, (0, 0, 0), 0.4)
    ghost.place(other, chosen)
    seen = {link for link, frame in frames.items() if frame.visible}
    assert arm.tip_link not in seen and len(seen) >= 2
    ghost.place(other)
    assert all(frame.visible for frame in frames.values())


@each_arm
def test_the_plane_turns_with_the_arm(name: str) -> None:
    arm, rng = ARMS[name], np.random.default_rng(4)
    for _ in range(20):
        positions = {joint: rng.uniform(-1.0, 1.0) for joint in arm.commanded_joints}
        arm = arm.holding(positions)
        yaw, q = arm.naming.configuration(positions)
        x, y, _ = arm.arm.forward_kinematics(q)
        tip = plane_pose(arm, yaw) @ (x, y, 0.0, 1.0)
        assert np.allclose(tip[:3], arm.forward_kinematics(positions)[:3, 3], atol=1e-4)


def test_the_outline_is_drawn_on_its_arcs() -> None:
    arcs = ARMS['planar_3r'].arm.workspace_boundary().arcs
    drawn = segments(arcs)
    assert drawn.shape[1:] == (2, 3)
    for point in drawn[:, 0]:
        assert min(arc.distance_to((point[0], point[1])) for arc in arcs) < 1e-9


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100'])
def test_what_is_drawn_of_the_workspace_ends_at_the_floor(name: str) -> None:
    arm, scene = ARMS[name].above(0.0), Recorded()
    WorkspaceDrawing(scene, arm, Settings(safe_zone_margin=0.02))
    pose = plane_pose(arm, 0.4)
    for kind in ('outline', 'safe_zones'):
        ends = scene.lines[f'/plane/{kind}'].reshape(-1, 3)
        heights = ends @ pose[2, :3] + pose[2, 3]
        assert len(heights) > 20
        assert heights.min() > -1e-4 * arm.arm.max_reach, kind  # an outline is drawn to that


def test_without_a_margin_no_safe_zones_are_drawn() -> None:
    """They were on the outline and beyond it, where the arm of planar_3r never gets."""
    scene = Recorded()
    for margin, hidden in ((0.02, set()), (0.0, {'/plane/safe_zones'}), (0.02, set())):
        WorkspaceDrawing(scene, ARMS['planar_3r'], Settings(safe_zone_margin=margin))
        assert scene.hidden == hidden


class Recorded:
    """What is added to a scene, by name."""

    def __init__(self) -> None:
        self.lines, self.images, self.hidden = {}, {}, set()

    def add_line_segments(self, name, ends, *_, visible=True, **__):
        self.lines[name] = ends
        self.hidden = (self.hidden - {name}) | (set() if visible else {name})

    def add_frame(self, *_, **__):
        pass

    def add_image(self, name, pixels, *sides, **given):
        self.images[name] = pixels, sides, given


@pytest.mark.parametrize('floor', [None, 0.0, -0.3])
def test_a_floor_is_drawn_at_its_height_and_no_light_is_computed_for_it(
    floor: float | None
) -> None:
    """Else a processor without a GPU takes longer for the light on it than for all the rest."""
    scene = Recorded()
    add_ground(scene, 0.5, floor)
    pixels, sides, given = scene.images['/floor']  # the only shape that viser draws unlit
    assert given['visible'] is (floor is not None)
    assert min(sides) / 2.0 > 0.5
    assert pixels.shape == (1, 1, 4) and 0 < pixels[0, 0, 3] < 255
    assert given['position'] == (0.0, 0.0, floor or 0.0)
    below = (floor or 0.0) - scene.lines['/grid'][..., 2]
    assert ((below > 0.0) & (below <= 0.01)).all()


@pytest.mark.parametrize('page', [1.0, 20 / 255], ids=['light', 'dark'])
def test_a_ghost_is_fainter_than_the_palest_robot_and_can_be_seen(page: float) -> None:
    """By the contrast to viser's page, as WCAG has it; the tubes of a ur5e are as gray as a ghost.
    """

    def contrast(color: np.ndarray) -> float:
        parts = np.array([color, np.full(3, page)])
        parts = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        dark, light = sorted(0.05 + parts @ (0.2126, 0.7152, 0.0722))
        return light / dark

    over, alone = (
        opacity * np.array(rgb(GHOST)) / 255 + (1.0 - opacity) * page
        for opacity in (GHOST_OPACITY, ALONE_OPACITY)
    )
    text = TEXTS['ur5e']
    tube = text[text.index('"tube"') :].split('rgba="')[1].split('"')[0]
    assert contrast(alone) > 1.5  # that of a so101 was nearly lost on a phone, with 1.3
    assert 1.25 < contrast(over) < 0.8 * contrast(np.array(tube.split()[:3], float))
