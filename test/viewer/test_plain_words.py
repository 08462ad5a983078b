# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's own words: whatever a message says, the card says it in sentences for people."""

import re

import numpy as np
import pytest
from viewer_arms import ARMS, TEXTS

from ik_circles import RobotArm
from ik_circles.control.moves.ahead import ahead, held
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.refusals import Refusal
from ik_circles.control.scenario import NO_WAY
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.viewer import targets
from ik_circles.viewer.orientation import rotation_of, slider_count, target_at
from ik_circles.viewer.plain_words import PLAIN, plain
from ik_circles.viewer.standalone import SimulatedBackend
from ik_circles.viewer.state import TargetAnswer

#: What only a log or a program says.
NOT_PLAIN = re.compile(
    r'~/|;|_mode|seed|without straight|send a point|would exceed|at most|not with|those tried'
    r'|safe zone margin|is allowed|family|reachable|singular|bend|, \.|\.\.|  '
)


def of_targets(arm: RobotArm, text: str, settings: dict[str, object]) -> list[str]:
    """The answers to targets everywhere, and beside the plane of an arm that has only one."""
    backend, rng, found = SimulatedBackend(arm, text), np.random.default_rng(3), []
    for name, value in settings.items():
        backend.set(name, value, False)
    for _ in range(40):
        at = tuple((1.2 * arm.arm.max_reach * rng.uniform(-1.0, 1.0, 3)).tolist())
        if arm.spatial.yaw is None and rng.uniform() < 0.8:
            at = targets.point_of((at[0], at[1], 0.0))
        target = target_at(arm, at, tuple(rng.uniform(-1.5, 1.5, slider_count(arm)).tolist()))
        if rng.uniform() < 0.3:
            target = Target(at, rotation_of(*rng.uniform(-0.6, 0.6, 3)))
        backend.aim(target)
        found.append(backend.step(0.1).answer)
    return [answer.message for answer in found]


def of_motions() -> list[str]:
    """The answers to lines, and to what is asked for while a motion is under way or disabled."""
    arm = ARMS['ur5e']
    backend, heard = SimulatedBackend(arm, TEXTS['ur5e']), []

    def hear() -> None:
        answer: TargetAnswer = backend.step(0.0).answer
        heard.append(answer.message)

    bent = arm.forward_kinematics({'shoulder_lift_joint': -1.2, 'elbow_joint': 1.2})
    at = Target(targets.point_of(bent[:3, 3]), bent[:3, :3])
    backend.aim(at)
    hear()
    for _ in range(100):
        backend.step(0.1)
    x, y, z = at.position
    backend.move(Target((x - 0.05, y, z), rotation_of(0.3, 0.0, 0.0) @ at.rotation), 0.2)
    hear()
    backend.move(held(arm, (x - 0.05, y, z), backend.step(0.0).measured).target, 0.1)
    backend.step(0.1)
    backend.aim(at)
    hear()
    backend.stop()
    for _ in range(100):
        backend.step(0.1)
    hear()
    backend.enable(False)
    backend.aim(at)
    hear()
    start = backend.step(0.0).measured
    for beside in np.random.default_rng(4).uniform(-0.4, 0.4, (30, 3)):
        target = held(arm, targets.point_of(np.add(at.position, beside)), start).target
        heard.append(ahead(arm, Settings(), target, start).message)
    backend = SimulatedBackend(ARMS['so101'].above(0.0), TEXTS['so101'])
    backend.move_joints({'shoulder_lift': 1.7, 'elbow_flex': 1.4}, 1.0)
    hear()
    return heard


def of_own_poses() -> list[str]:
    """The answers to poses that an arm takes, where it should keep from the edge."""
    arm, rng, found = ARMS['ur5e'], np.random.default_rng(0), []
    zones = Settings(safe_zone_margin=0.05).zones(arm)
    for _ in range(200):  # few of them are near to the edge
        q = {name: rng.uniform(-3.0, 3.0) for name in arm.joints}
        pose = arm.forward_kinematics(q)
        at = pose[:3, 3].tolist()
        found.append(arm.check_reachability(at, rotation=pose[:3, :3], zones=zones).message)
    return found


def of_a_demo_too_narrow() -> str:
    """The error about a demonstration for which a margin leaves no place."""
    arm = ARMS['planar_3r']
    zones = arm.arm.safe_zones
    with pytest.raises(IkCirclesError) as error:
        margin = (zones.outer - zones.inner) / 2.0 - 1e-9
        targets.demo_path(arm, Settings(safe_zone_margin=margin))
    return str(error.value)


def of_a_margin() -> str:
    """The notice about a margin that is not a length."""
    backend = SimulatedBackend(ARMS['planar_3r'], TEXTS['planar_3r'])
    backend.set('safe_zone_margin', -1.0, False)
    return backend.step(0.0).notice


@pytest.fixture(scope='module')
def messages() -> list[str]:
    """Messages of all kinds."""
    points = (0.4, 0.1, 0.4), (0.03, 0.02, 0.4)  # the tool at any angle, beside the yaw axis
    found = of_motions() + of_own_poses() + [NO_WAY, of_a_demo_too_narrow(), of_a_margin()]
    found += [ARMS['ur5e'].check_reachability(point).message for point in points]
    sideways, center = np.roll(np.eye(3), 1, axis=0), ARMS['ur5e'].whole.wrist.center
    over_the_axis = ((0.0, 0.0, 0.5) - sideways @ center).tolist()
    found.append(ARMS['ur5e'].check_reachability(over_the_axis, rotation=sideways).message)
    for name, arm in ARMS.items():
        for mode in ('preferred', 'fixed', 'free'):
            for margin in (0.0, 0.02):
                settings = {'orientation_mode': mode, 'safe_zone_margin': margin}
                found += of_targets(arm, TEXTS[name], settings)
    return found


def test_the_angles_of_the_tool_are_called_as_their_slider_is() -> None:
    message = ARMS['planar_3r'].check_reachability((0.5, 0.4, 0.0)).message
    assert plain(message).startswith('In reach, with a tool angle of ')


def test_no_card_reads_like_a_log(messages: list[str]) -> None:
    """Law: whatever is said, no word of ROS or of Python, and whole sentences."""
    for message in messages:
        text = plain(message)
        assert not NOT_PLAIN.search(text), (message, text)
        assert text.endswith(('.', '?', '"'))


def test_no_card_has_a_length_that_nobody_measures(messages: list[str]) -> None:
    """Law: a length has at most three decimals, and no power of ten."""
    for message in messages:
        text = plain(message)
        lengths = re.findall(r'(\S+) m\b', text)
        assert not [one for one in lengths if re.search(r'\de|\.\d{4}', one)], text


def test_lengths_are_said_as_people_measure_them() -> None:
    for length, said in (
        ('8.6e-05', 'less than 0.001'), ('1e+09', 'more than 1000'), ('0.410423', '0.410'),
        ('more than 1000000000', 'more than 1000'), ('0.000', '0.000'),
        ('0.25', '0.25'), ('2', '2'),
    ):  # fmt: skip
        assert plain(f'too far by {length} m') == f'Too far by {said} m.'


def test_each_of_the_words_that_the_page_replaces_is_still_said(messages: list[str]) -> None:
    for said, _ in PLAIN:
        assert any(re.search(said, message) for message in messages), said


def test_a_joint_that_would_pass_its_limit_is_said_with_what_it_would_have_to_do() -> None:
    one = 'elbow_flex would exceed its upper limit by 2.1 deg'
    assert plain(one) == 'elbow_flex would have to turn 2.1 deg past its upper limit.'
    for angle in ('0.00015', '1.5e-05', '0.04'):  # a limit of 3.14159, half a turn in short
        text = plain(f'joint1 would exceed its upper limit by {angle} deg')
        assert text == 'joint1 would have to turn less than 0.1 deg past its upper limit.'
    several = 'a would exceed its lower limit by at most 2 deg and b would exceed its upper limit'
    assert plain(f'not here: {several} by at most 3 deg') == (
        'Not here: a and b would have to turn past their limits.'
    )


def test_a_way_that_leads_below_the_floor_says_what_to_do() -> None:
    arm = ARMS['so101'].above(0.0)
    state = State(dict.fromkeys(arm.joints, 0.0))
    wish = Wish(joints={'shoulder_lift': 1.7, 'elbow_flex': 1.4})
    with pytest.raises(Refusal) as refused:
        plan(arm, Settings(), MotionParameters(), wish, state)
    assert re.fullmatch(
        r'After [0-9.]+ % of the way there, the arm would go below the floor\. '
        r'Drag the ball there in a high arc, point the tool down there, or turn the joints '
        r'one by one\.',
        plain(str(refused.value)),
    )


def test_a_line_that_ends_at_a_wrist_says_which_joint_to_move_and_how() -> None:
    singular = 'the line can be followed for 0.1 of 0.2 m (50.0 %): there wrist_2_joint is singular'
    text = plain(f'{singular}: its neighbors would turn half round at once; bend it')
    assert text.endswith('Move the slider of wrist_2_joint some degrees either way first.')


def test_where_the_wrist_is_held_is_left_to_programs() -> None:
    for wrist in ('wrist_roll at 162.8 deg', 'a at -1.0 deg and b at 0.0 deg'):
        assert plain(f'too far by 0.1 m; with {wrist}') == 'Too far by 0.1 m.'


def test_the_service_that_enables_the_arm_is_a_check_box_on_the_page() -> None:
    for service in ('~/enable', '/ik_node/enable', '/left/ik_node/enable'):
        said = plain(f'the arm is disabled; enable it with the service {service}')
        assert said == 'The arm is disabled. Check "Enable"'
