# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's targets: the slider, the buttons, and what the pointer drags."""

import math

import numpy as np
import pytest
from law_cases import cases
from viewer_arms import ARMS, NAMES, URDF, each_arm

from ik_circles import Code, load_arm
from ik_circles.control.decision import assess, decide
from ik_circles.control.floor import lowest, stands
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.rigid import angle_between_rotations
from ik_circles.planar.selection import ELBOWS
from ik_circles.viewer.camera import CARD, FIELD, UP, VIEWS, lowest_height, view_of
from ik_circles.viewer.orientation import rotation_of, rpy_of, sliders_of, target_at
from ik_circles.viewer.targets import demo_path, other_elbow
from ik_circles.viewer.theme import SHEET

SETTINGS = Settings()
SHIPPED = sorted(path.stem for path in URDF.glob('*.urdf'))
#: The plane of a so101 passes up to this far beside the yaw axis when its wrist is turned [m].
BESIDE_THE_AXIS = 0.02
#: Rounding of a height [m].
NEXT_TO_NOTHING = 1e-12


def drawn(arm, rng):
    """Joint positions anywhere inside the limits, and sliders anywhere."""
    q = {
        joint.name: rng.uniform(max(joint.lower, -3.1), min(joint.upper, 3.1))
        for joint in arm.naming.joints.values()
    }
    return q, tuple(rng.uniform(-3.0, 3.0, 1 + len(arm.wrist_joints)).tolist())


@each_arm
def test_a_target_has_the_orientation_that_the_sliders_say(name: str) -> None:
    """Law: sliders and target lead to each other; both flips of a wrist lead to the same target.

    But nowhere near the yaw axis, where the plane cannot be turned to the target.
    """
    arm, rng = ARMS[name], np.random.default_rng(1)
    met = 0
    for _ in range(50):
        q, sliders = drawn(arm, rng)
        position = tuple(arm.forward_kinematics(q)[:3, 3].tolist())
        target = target_at(arm, position, sliders)
        found = sliders_of(arm, target)
        if len(arm.wrist_joints) < 2:
            assert np.allclose(found, sliders, atol=1e-8)
        met += np.allclose(target_at(arm, position, found).rotation, target.rotation, atol=1e-8)
    assert met == 50


@each_arm
def test_what_the_arm_is_at_can_be_set_with_the_sliders(name: str) -> None:
    """Law: an own pose that faces its point is the target of its own sliders."""
    arm, rng = ARMS[name], np.random.default_rng(5)
    for _ in range(50):
        q, _ = drawn(arm, rng)
        pose = arm.forward_kinematics(q)
        position = tuple(pose[:3, 3].tolist())
        target = target_at(arm, position, sliders_of(arm, Target(position, pose[:3, :3])))
        facing = arm.holding(q).spatial.plane.shoulders(position)
        yaw = arm.naming.configuration(q).yaw
        if math.cos(yaw - facing[0][0].yaw) > 0.999999:
            assert np.allclose(target.rotation, pose[:3, :3], atol=1e-5)


@each_arm
def test_the_slider_counts_as_the_message_does(name: str) -> None:
    """Also where the arm can only reach backwards. Of a wrist, the message says how far it is."""
    arm, rng = ARMS[name], np.random.default_rng(3)
    refused = 0
    for _ in range(200):
        q, sliders = drawn(arm, rng)
        position = tuple(arm.forward_kinematics(q)[:3, 3].tolist())
        message = assess(arm, SETTINGS, target_at(arm, position, sliders)).message
        if message.startswith('not with'):
            refused += 1
            said = f'not with tool orientation {math.degrees(sliders[0]):.1f} deg'
            assert message.startswith('not with this orientation' if arm.wrist_joints else said)
            if math.hypot(*position[:2]) > BESIDE_THE_AXIS:
                assert "leave the arm's plane" not in message
    assert refused > 10


@each_arm
@pytest.mark.parametrize('margin', [0.0, 0.02])
def test_the_demo_path_can_be_sent(name: str, margin: float) -> None:
    arm, settings = ARMS[name], Settings(safe_zone_margin=margin)
    codes = [assess(arm, settings, target).code for target in demo_path(arm, settings)]
    assert codes.count(Code.OK) >= 4
    assert Code.TOO_FAR in codes
    assert Code.NOT_FINITE not in codes


@pytest.mark.parametrize('name', [name for name in NAMES if name != 'planar_3r'])
@pytest.mark.parametrize('margin', [0.0, 0.02])
def test_the_demo_path_stays_above_the_ground(name: str, margin: float) -> None:
    """Law: from any joint positions above it, of an arm that stands there, and on the way, too."""
    arm, settings, rng = ARMS[name], Settings(safe_zone_margin=margin), np.random.default_rng(2)
    begun = 0
    assert stands(arm)
    for number in range(cases(60, least=4)):
        at = drawn(arm, rng)[0] if number else dict.fromkeys(arm.commanded_joints, 0.0)
        try:
            path = demo_path(arm, settings, at) if lowest(arm, at, at) >= 0.0 else ()
        except InvalidSettingError:  # there is no way above the ground from there
            continue
        begun += bool(path)
        for target in path:
            command = decide(arm, settings, target, at).command or at
            assert lowest(arm, at, command) >= -NEXT_TO_NOTHING
            at = command
    assert begun


@each_arm
@pytest.mark.parametrize('mode', ['preferred', 'free'])
def test_the_other_elbow_is_said_where_both_wishes_have_the_same_command(
    name: str, mode: str
) -> None:
    """Law: where asking for each elbow gives one command, one of them is not what it has; where it
    gives two commands, each has its elbow."""
    arm, rng, seen = ARMS[name], np.random.default_rng(12), [0, 0]
    for _ in range(300):
        q, _ = drawn(arm, rng)
        pose = arm.forward_kinematics(q)
        target, start = Target(tuple(pose[:3, 3].tolist()), pose[:3, :3]), drawn(arm, rng)[0]
        said, sent = [], []
        for branch in ELBOWS:
            settings = Settings(branch=branch, orientation_mode=mode)
            command = decide(arm, settings, target, start).command or start
            said.append(other_elbow(arm, settings, target, command))
            sent.append([command[joint] for joint in arm.commanded_joints])
            nearest = Settings(orientation_mode=mode)
            assert other_elbow(arm, nearest, target, command) == ''
        if abs(math.sin(arm.naming.arm_angles(command)[1])) < 1e-4 or command is start:
            continue  # a straight elbow is both
        is_one = np.allclose(*sent, atol=1e-6)
        seen[is_one] += 1
        told = f'{start}, {q}, {sent}'
        assert said in ([['', 'up'], ['down', '']] if is_one else [['', '']]), told
    assert seen[False] > 50
    assert seen[True] > 10 or name == 'ur5e'  # in which each elbow can be either way


@each_arm
@pytest.mark.parametrize('aspect', [390 / 844, 0.87, 1.78])
@pytest.mark.parametrize('side', VIEWS)
def test_each_view_shows_the_whole_workspace(name: str, aspect: float, side: str) -> None:
    """Law: the sphere about the yaw axis that the tip cannot leave is in the picture."""
    arm = ARMS[name]
    view = view_of(arm, aspect, side, 0.4)
    eye = np.array(view.position)
    ahead = np.subtract(view.look_at, eye)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, UP)
    right /= np.linalg.norm(right)
    height = math.tan(FIELD / 2.0)
    rng = np.random.default_rng(8)
    for _ in range(50):
        q, _ = drawn(arm, rng)
        away = arm.forward_kinematics({n: q[n] for n in arm.tree.movable_joints if n in q})
        away = away[:3, 3] - eye
        if not arm.wrist_joints:
            assert abs(away @ right) <= aspect * height * (away @ ahead) + 1e-9
            assert abs(away @ np.cross(right, ahead)) <= height * (away @ ahead) + 1e-9


@pytest.mark.parametrize('name', SHIPPED)
@pytest.mark.parametrize('side', VIEWS)
@pytest.mark.parametrize('size', [(390, 844), (360, 640), (430, 932)])
def test_on_a_phone_the_whole_workspace_is_between_card_and_sheet(
    name: str, side: str, size: tuple[int, int]
) -> None:
    """Law: the circle that the tip cannot leave, in the plane of the arm as it is turned."""
    arm, aspect, yaw = load_arm(name), size[0] / size[1], 0.4
    view = view_of(arm, aspect, side, yaw)
    ahead = np.subtract(view.look_at, view.position)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, UP)
    right /= np.linalg.norm(right)
    height = math.tan(FIELD / 2.0)
    for angle in np.linspace(0.0, math.tau, 60):
        at = arm.arm.max_reach * np.array((math.cos(angle), math.sin(angle)))
        away = np.subtract(arm.spatial.plane.point_at(*at, yaw), view.position)
        across, up = away @ right / (away @ ahead), away @ np.cross(right, ahead) / (away @ ahead)
        assert abs(across) <= aspect * height
        assert height * (2.0 * SHEET - 1.0) <= up <= height * (1.0 - 2.0 * CARD)


@each_arm
def test_the_first_view_is_from_the_side_of_the_plane_above_the_ground(name: str) -> None:
    arm = ARMS[name]
    view = view_of(arm)
    sight = np.subtract(view.look_at, view.position)
    assert arm.plane[:3, 2] @ sight / np.linalg.norm(sight) < -0.9
    assert view.position[2] > lowest_height(arm)


@each_arm
def test_the_top_is_above_the_robot_and_its_sides_are_level(name: str) -> None:
    """Also where the plane of the arm lies level: then the sides are seen from above, but less so.
    """
    steep = {}
    for side in ('Front', 'Side', 'Top'):
        view = view_of(ARMS[name], 1.2, side, 0.4)
        sight = np.subtract(view.look_at, view.position)
        steep[side] = -sight[2] / np.linalg.norm(sight)
    assert steep['Top'] > 0.99
    is_level = abs(ARMS[name].plane[2, 2]) > 0.7
    assert max(abs(steep['Front']), abs(steep['Side'])) < (0.5 if is_level else 0.2)


@pytest.mark.parametrize('name', [name for name in NAMES if len(ARMS[name].wrist_joints) < 2])
def test_sliders_that_cannot_say_an_orientation_say_the_nearest(name: str) -> None:
    """Law: a tool that is turned a little has sliders near its own, not at 0.

    Two wrist joints have fields for the orientation, which say every one.
    """
    arm, rng = ARMS[name], np.random.default_rng(10)
    for _ in range(30):
        q, sliders = drawn(arm, rng)
        position = tuple(arm.forward_kinematics(q)[:3, 3].tolist())
        if math.hypot(*position[:2]) < 4.0 * BESIDE_THE_AXIS:
            continue
        rotation = target_at(arm, position, sliders).rotation
        turned = rotation_of(0.0, 0.0, 1e-3) @ rotation
        found = target_at(arm, position, sliders_of(arm, Target(position, turned))).rotation
        assert angle_between_rotations(np.asarray(found), turned) < 3e-3


def test_roll_pitch_and_yaw_are_those_of_a_urdf_and_lead_back() -> None:
    """Law: an orientation from three angles gives angles of the same orientation."""
    rng = np.random.default_rng(9)
    assert np.allclose(rotation_of(0.0, 0.0, math.pi / 2.0) @ (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert np.allclose(rotation_of(math.pi / 2.0, 0.0, 0.0) @ (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    for _ in range(50):
        roll, yaw = rng.uniform(-3.0, 3.0, 2)
        for pitch in (rng.uniform(-1.5, 1.5), math.pi / 2.0, -math.pi / 2.0):
            rotation = rotation_of(roll, pitch, yaw)
            assert np.allclose(rotation_of(*rpy_of(rotation)), rotation, atol=1e-6)
