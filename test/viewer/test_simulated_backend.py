# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page without ROS: the backend's answers, and the URDF of an arm of lengths."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from viewer_arms import ARMS, TEXTS, URDF, each_arm

from ik_circles import Code, PlanarArm, load_arm
from ik_circles.control.floor import GRAZE, lowest, stands
from ik_circles.control.moves.ahead import held
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.viewer.cards import FAR_TURN, verdict
from ik_circles.viewer.description import description_of
from ik_circles.viewer.standalone import SimulatedBackend
from ik_circles.viewer.state import Arrival, TargetAnswer
from ik_circles.viewer.targets import answered, target_in_plane

#: Where the elbow of planar_3r can only be down [m].
ONLY_DOWN = (0.1, 0.55, 0.0)


@each_arm
def test_the_backend_on_the_core_answers_and_moves(name: str) -> None:
    arm = ARMS[name]
    backend = SimulatedBackend(arm, TEXTS[name])
    goal = dict.fromkeys(arm.commanded_joints, 0.3)
    pose = arm.forward_kinematics(goal)
    backend.aim(Target(tuple(map(float, pose[:3, 3])), pose[:3, :3]))
    state = backend.step(0.0)
    assert state.answer is not None
    assert state.answer.code is Code.OK
    assert len(state.answer.others) == len(state.answer.solutions) - 1
    for positions in state.answer.solutions:
        assert np.allclose(arm.forward_kinematics(positions)[:3, 3], pose[:3, 3])
    for _ in range(200):
        state = backend.step(0.1)
    assert np.allclose(arm.forward_kinematics(state.measured), pose)
    assert all(abs(state.measured[joint]) > 0.1 for joint in arm.wrist_joints)
    shown, arm = target_in_plane(state.arm, state), state.arm
    assert shown is not None
    place = arm.spatial.plane.point_at(*shown.point, arm.naming.configuration(state.measured).yaw)
    assert np.allclose(place, pose[:3, 3], atol=1e-4)
    assert math.isclose(shown.phi, sum(arm.naming.arm_angles(state.answer.command)), abs_tol=1e-9)


def test_the_command_at_another_turn_is_no_other_solution() -> None:
    command, other = {'joint': 4.0}, {'joint': 1.0}
    solutions = ({'joint': 4.0 - math.tau}, other)
    assert TargetAnswer(Code.OK, '', command=command, solutions=solutions).others == [other]


def test_the_backend_keeps_its_wrist_for_points() -> None:
    arm = ARMS['so101']
    backend = SimulatedBackend(arm, TEXTS['so101'])
    pose = arm.forward_kinematics({'shoulder_lift': -0.3, 'wrist_flex': 0.4, 'wrist_roll': 1.0})
    backend.aim(Target(tuple(map(float, pose[:3, 3])), pose[:3, :3]))
    for _ in range(100):
        state = backend.step(0.1)
    roll = state.measured['wrist_roll']
    assert abs(roll) > 0.5
    backend.set('orientation_mode', 'free', True)
    backend.aim(Target((0.2, 0.1, 0.1)))
    for _ in range(100):
        state = backend.step(0.1)
    assert state.answer is not None and state.measured['wrist_roll'] == pytest.approx(roll)
    tip = arm.forward_kinematics(state.measured)[:3, 3]
    assert np.allclose(tip, (0.2, 0.1, 0.1), atol=1e-9)


def test_a_setting_that_does_not_fit_is_refused_with_the_reason() -> None:
    backend = SimulatedBackend(ARMS['planar_3r'], TEXTS['planar_3r'])
    backend.set('safe_zone_margin', 0.6, True)
    assert 'leaves nothing between the safe zones' in backend.step(0.0).notice
    backend.set('branch', 'sideways', True)
    assert "branch is 'sideways'" in backend.step(0.0).notice
    backend.set('branch', 'elbow_up', True)
    state = backend.step(0.0)
    assert (state.settings.branch, state.settings.safe_zone_margin) == ('elbow_up', 0.0)
    assert not state.notice


def test_an_elbow_that_cannot_be_where_it_was_asked_for_is_said() -> None:
    backend = SimulatedBackend(ARMS['planar_3r'], TEXTS['planar_3r'])
    backend.aim(Target(ONLY_DOWN))
    said = []
    for branch in ('nearest', 'elbow_up', 'elbow_down'):
        backend.set('branch', branch, True)
        said.append(backend.step(0.0).answer.other_elbow)
    assert said == ['', 'down', '']


def test_a_joint_that_turns_far_is_named_whichever_it_is() -> None:
    """Law: only the base was named, while ur5e's wrist turned by half a turn without a word."""
    arm, rng = ARMS['ur5e'], np.random.default_rng(5)
    named = set()
    for _ in range(cases(100, 5, 10)):
        backend = SimulatedBackend(arm, TEXTS['ur5e'])
        rest = backend.step(0.0).measured
        backend.aim(Target(tuple((0.6 * rng.uniform(-1.0, 1.0, 3)).tolist())))
        shown = backend.step(0.0)
        turned = {name: abs(at - rest[name]) for name, at in shown.answer.command.items()}
        farthest = max(turned, key=turned.__getitem__, default='')
        is_far = turned.get(farthest, 0.0) > FAR_TURN
        assert (f'turns {farthest} by' in verdict(shown)) is is_far
        named |= {farthest} if is_far else set()
    assert named - {arm.yaw_joint}


@pytest.mark.parametrize('limits', [None, ((-1.0, 1.0), None, (-0.5, 0.25))])
def test_an_arm_of_lengths_becomes_the_same_arm(limits: tuple | None) -> None:
    planar = PlanarArm((0.4, 0.3, 0.2), limits)
    arm = load_arm(description_of(planar))
    assert arm.arm.link_lengths == pytest.approx(planar.link_lengths)
    assert arm.arm.limits == planar.limits
    assert arm.commanded_joints == ('q1', 'q2', 'q3')


def beside(point, ends):
    """Distance of a point from the straight line between two others [m]."""
    along = np.subtract(*ends[::-1]) / math.dist(*ends)
    return np.linalg.norm(np.cross(np.subtract(point, ends[0]), along))


class Straight:
    """A backend with a bent arm at rest, and a target 0.1 m beside its tip."""

    def __init__(self, name: str) -> None:
        self.arm, self.backend = ARMS[name], SimulatedBackend(ARMS[name], TEXTS[name])
        bent = dict.fromkeys(self.arm.commanded_joints, 0.3) | BENT[name]
        pose = self.arm.forward_kinematics(bent)
        self.backend.aim(Target(tuple(pose[:3, 3].tolist()), pose[:3, :3]))
        for _ in range(100):
            state = self.backend.step(0.1)
        self.start = self.tip(state)
        x, y, z = self.start
        self.target = held(self.arm, (x - 0.05, y - 0.1, z), state.measured).target

    def tip(self, state):
        return tuple(self.arm.forward_kinematics(state.measured)[:3, 3].tolist())

    def play(self, until=lambda state: state.share is None):
        """The states until then, a hundredth of a second apart."""
        states = [self.backend.step(0.0)]
        while not until(states[-1]):
            assert len(states) < 5000
            states.append(self.backend.step(0.01))
        return states


BENT = {
    'planar_3r': {'elbow_joint': 1.0},
    'so101': {'shoulder_lift': -0.5, 'elbow_flex': 0.8},
    'px100': {'elbow': 0.8},
    'ur5e': {'shoulder_lift_joint': -1.2, 'elbow_joint': 1.2},
}


@each_arm
def test_a_straight_motion_goes_along_the_line_and_twice_as_long_at_half_the_speed(
    name: str,
) -> None:
    """Without ROS, the simulated arm plays what a controller would."""
    counts = []
    for speed in (0.04, 0.02):
        one = Straight(name)
        one.backend.move(one.target, speed)
        states = one.play()
        ends = one.start, one.target.position
        assert max(beside(one.tip(state), ends) for state in states) < 2e-3
        assert math.dist(one.tip(states[-1]), one.target.position) < 1e-3
        assert states[-1].answer == TargetAnswer(Code.OK, 'arrived')
        assert states[-1].target is one.target
        shares = [state.share for state in states[:-1]]
        assert shares == sorted(shares)
        counts.append(len(states))
    assert 1.6 < counts[1] / counts[0] < 2.1


@each_arm
def test_joints_that_go_to_a_target_end_with_its_answer(name: str) -> None:
    """Law: they take twice as long at half the speed, and say what an arm that follows says."""
    counts = []
    for speed in (1.0, 0.5):
        one = Straight(name)
        answer = answered(one.arm, Settings(), one.target, one.backend.step(0.0).measured)
        one.backend.move_joints(answer.command, speed, Arrival(one.target, answer))
        states = one.play()
        last = states[-1]
        assert last.target is one.target
        assert last.answer == replace(answer, solutions=last.answer.solutions)
        assert last.answer.solutions and last.is_there
        assert math.dist(one.tip(last), one.target.position) < 1e-3
        assert all(state.answer is None for state in states[:-1])
        counts.append(len(states))
    assert 1.6 < counts[1] / counts[0] < 2.1
    one.backend.set('branch', 'elbow_down', True)  # the arm follows the ball
    assert one.backend.step(0.0).answer is not last.answer


@pytest.mark.parametrize(
    ('how', 'code'), [('stop', Code.CANCELED), ('disable', Code.DISABLED)]
)
def test_a_straight_motion_comes_to_rest_when_it_is_stopped(how: str, code: Code) -> None:
    one = Straight('so101')
    one.backend.move(one.target, 0.5)
    one.play(until=lambda state: (state.share or 0.0) > 0.3)
    one.backend.stop() if how == 'stop' else one.backend.enable(False)
    last = one.play()[-1]
    assert last.answer.code is code
    assert math.dist(one.tip(last), one.target.position) > 0.01
    assert one.tip(one.backend.step(1.0)) == pytest.approx(one.tip(last), abs=1e-4)
    assert last.enabled is (how == 'stop')


@each_arm
@pytest.mark.parametrize(
    ('how', 'code'), [('stop', Code.CANCELED), ('disable', Code.DISABLED)]
)
def test_on_its_way_to_a_target_the_arm_is_stopped_too_and_says_so(
    name: str, how: str, code: Code
) -> None:
    """Without a straight motion: the ball would be green where the arm does not come to be."""
    one = Straight(name)
    before = one.backend.step(0.0).answer
    one.backend.stop()  # at rest there is nothing to stop, and nothing to say
    assert one.backend.step(0.0).answer is before
    one.backend.aim(Target(one.target.position))
    assert one.backend.step(0.02).answer.code is Code.OK
    one.backend.stop() if how == 'stop' else one.backend.enable(False)
    assert one.backend.step(0.0).answer.code is code
    for _ in range(20):
        last = one.backend.step(0.1)
    assert math.dist(one.tip(last), one.target.position) > 0.01
    one.backend.enable(True)
    one.backend.set('branch', 'elbow_down', True)
    one.backend.set('branch', 'nearest', True)
    assert one.backend.step(1.0).measured == pytest.approx(last.measured, abs=1e-4)


def test_a_goal_goes_first_and_a_disabled_arm_stays() -> None:
    one = Straight('px100')
    one.backend.move(one.target, 0.5)
    one.backend.step(0.1)
    one.backend.aim(Target(one.start))
    state = one.backend.step(0.0)
    assert state.answer.code is Code.CANCELED
    assert 'a goal of ~/move_to moves the arm' in state.answer.message
    one.play()
    one.backend.enable(False)
    for ask in (one.backend.aim, lambda target: one.backend.move(target, 1.0)):
        ask(Target(one.start))
        assert one.backend.step(0.0).answer.code is Code.DISABLED
    rest = one.backend.step(0.0).measured
    assert one.backend.step(1.0).measured == pytest.approx(rest)
    one.backend.enable(True)
    one.backend.aim(Target(one.start))
    assert one.backend.step(0.0).answer.code is Code.OK


def test_a_straight_motion_that_is_refused_says_the_share_and_nothing_moves() -> None:
    one = Straight('so101')
    before = one.backend.step(0.0).measured
    x, y, z = one.start
    one.backend.move(Target((3.0 * x, 3.0 * y, z)), 1.0)
    state = one.backend.step(0.5)
    assert state.answer.code is not Code.OK
    assert 'the line can be followed for' in state.answer.message
    assert state.measured == before


def test_a_setting_moves_the_arm_only_if_it_follows() -> None:
    one = Straight('px100')
    before = one.backend.step(0.0).answer
    one.backend.set('branch', 'elbow_down', False)
    assert one.backend.step(0.0).answer is before
    one.backend.set('branch', 'nearest', True)
    assert one.backend.step(0.0).answer is not before
    one.backend.move(one.target, 1.0)
    last = one.play()[-1]
    one.backend.set('branch', 'elbow_down', True)  # the target of a straight motion is done with
    assert one.backend.step(0.0).answer is last.answer


@pytest.mark.parametrize('name', sorted(path.stem for path in URDF.glob('*.urdf')))
def test_the_ball_of_an_arm_that_stands_is_above_the_ground_at_first(name: str) -> None:
    """A braccio whose joints are as near to 0 as they may be has its tip in the ground."""
    arm = load_arm(name)
    if stands(arm):
        arm = arm.above(0.0)
        state = SimulatedBackend(arm, (URDF / f'{name}.urdf').read_text()).step(0.0)
        assert lowest(arm, state.measured, state.measured) >= -GRAZE
