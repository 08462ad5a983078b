# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The step of a LeRobot pipeline that keeps targets inside the workspace."""

import inspect
from abc import ABC, abstractmethod
from enum import Enum

import numpy as np
import pytest
from law_cases import cases

from ik_circles import IkCirclesError
from ik_circles.bridges.lerobot import EEInsideWorkspace, RobotKinematics
from ik_circles.geometry.rigid import rotation_about

NAMES = ('ee.x', 'ee.y', 'ee.z', 'ee.wx', 'ee.wy', 'ee.wz')


class TransitionKey(str, Enum):
    """As src/lerobot/lerobot_types.py has it, commit 7427f31."""

    OBSERVATION = 'observation'
    ACTION = 'action'


class ProcessorStep(ABC):
    """As src/lerobot/processor/pipeline.py has it, commit 7427f31: what a pipeline calls."""

    @abstractmethod
    def __call__(self, transition): ...

    def get_config(self):
        raise NotImplementedError

    def state_dict(self):
        raise NotImplementedError

    def load_state_dict(self, state):
        raise NotImplementedError

    def save_artifacts(self, save_directory):
        raise NotImplementedError

    def reset(self):
        raise NotImplementedError

    @abstractmethod
    def transform_features(self, features): ...


@pytest.fixture(scope='module')
def kinematics():
    return RobotKinematics('so101')


def transition_of(kinematics, joints, position, rotation=(0.0, 0.0, 0.0), **more):
    """What comes into the step: a target, and where the joints are [deg]."""
    observation = {f'{name}.pos': value for name, value in zip(kinematics.joint_names, joints)}
    return {
        TransitionKey.ACTION: {**dict(zip(NAMES, (*position, *rotation))), 'ee.gripper_pos': 30.0},
        TransitionKey.OBSERVATION: {**observation, 'gripper.pos': 50.0, 'front': object()},
        **more,
    }


def position_in(transition):
    return np.array([transition[TransitionKey.ACTION][name] for name in NAMES[:3]])


def test_it_has_what_a_pipeline_calls():
    for name, method in inspect.getmembers(ProcessorStep, inspect.isfunction):
        ours = inspect.signature(getattr(EEInsideWorkspace, name))
        assert [*ours.parameters] == [*inspect.signature(method).parameters], name


def test_registered_it_is_a_step_and_before_it_is_not(kinematics):
    step = EEInsideWorkspace(kinematics)
    assert not isinstance(step, ProcessorStep)
    ProcessorStep.register(EEInsideWorkspace)
    assert isinstance(step, ProcessorStep)


def test_what_is_saved_makes_the_step_again(kinematics):
    step = EEInsideWorkspace(kinematics, orientation_weight=0.0)
    assert EEInsideWorkspace(kinematics=kinematics, **step.get_config()) == step
    assert step.state_dict() == {} and step.save_artifacts(None) == {}
    features = {'action': {}}
    assert step.transform_features(features) is features
    assert step.load_state_dict({}) is step.reset() is None


def test_law_a_target_within_reach_stays_as_it_is(kinematics):
    rng = np.random.default_rng(0)
    step = EEInsideWorkspace(kinematics)
    for _ in range(cases(2000)):
        joints, wanted = rng.uniform(-90.0, 90.0, (2, 5))
        joints[4] = wanted[4]
        place = kinematics.forward_kinematics(wanted)[:3, 3]
        given = transition_of(kinematics, joints, place, rng.normal(size=3), info={'kept': 1})
        assert step(given) == given


def test_law_a_target_out_of_reach_becomes_the_nearest(kinematics):
    """And that one is within reach: the step changes it no more."""
    rng = np.random.default_rng(1)
    for number in range(cases(1000)):
        weight = 0.01 * (number % 2)
        step = EEInsideWorkspace(kinematics, weight)
        joints = rng.uniform(-60.0, 60.0, 5)
        axis = rng.normal(size=3)
        rotation = axis / np.linalg.norm(axis) * rng.uniform(0.0, 3.1)
        place = rng.normal(size=3)
        place *= rng.uniform(0.6, 3.0) / np.linalg.norm(place)
        given = transition_of(kinematics, joints, place, rotation)
        before = {key: dict(value) for key, value in given.items()}
        inside = step(given)
        assert given == before
        pose = np.eye(4)
        pose[:3, :3] = rotation_about(rotation / np.linalg.norm(rotation), np.linalg.norm(rotation))
        pose[:3, 3] = place
        found = kinematics.inverse_kinematics(joints, pose, orientation_weight=weight)
        reached = kinematics.forward_kinematics(found)[:3, 3]
        assert np.allclose(position_in(inside), reached, atol=1e-12)
        assert inside[TransitionKey.OBSERVATION] is given[TransitionKey.OBSERVATION]
        kept = {*NAMES[3:], 'ee.gripper_pos'}
        action = inside[TransitionKey.ACTION]
        assert all(action[name] == given[TransitionKey.ACTION][name] for name in kept)
        assert {type(action[name]) for name in NAMES[:3]} == {float}
        assert np.allclose(position_in(step(inside)), position_in(inside), atol=1e-9)


def test_a_box_lets_through_what_no_arm_reaches(kinematics):
    """By hand: the corner of LeRobot's own box, one meter each way, is far outside the arm's reach
    of 0.41 m from the shoulder; the nearest place to it is on the line from there to the corner."""
    step = EEInsideWorkspace(kinematics, orientation_weight=0.0)
    corner = np.ones(3)
    inside = position_in(step(transition_of(kinematics, np.zeros(5), corner)))
    assert 0.3 < np.linalg.norm(inside) < 0.55
    assert np.dot(inside, corner) / np.linalg.norm(inside) / np.sqrt(3.0) > 0.95


@pytest.mark.parametrize(
    ('change', 'says'),
    [
        (lambda t: t.pop('action'), 'the action is None; give a dict with ee.x'),
        (lambda t: t.update(action=[0.0] * 6), 'the action is .*; give a dict with ee.x'),
        (lambda t: t['action'].pop('ee.wy'), 'the action lacks ee.wy; it must have ee.x'),
        (lambda t: t['action'].update({'ee.x': None}), 'the action lacks ee.x'),
        (lambda t: t['action'].update({'ee.x': float('nan')}), 'ee.x is nan'),
        (lambda t: t['action'].update({'ee.wz': 'up'}), "ee.wz is 'up'; give a number"),
        (lambda t: t.update(observation=None), 'the observation is None; give a'),
        (lambda t: t['observation'].pop('elbow_flex.pos'), 'the observation lacks elbow_flex.pos'),
        (lambda t: t['observation'].update({'elbow_flex.pos': np.inf}), 'elbow_flex.pos is inf'),
    ],
)
def test_what_it_cannot_use_is_refused_in_one_sentence(kinematics, change, says):
    given = transition_of(kinematics, np.zeros(5), (0.2, 0.0, 0.1))
    given = {key.value: value for key, value in given.items()}
    change(given)
    with pytest.raises(IkCirclesError, match=says):
        EEInsideWorkspace(kinematics)(given)
