# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is no number, rotation, name or file is refused by a robot's arm in one sentence."""

import os
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import random_rotation
from turned_robots import load

from ik_circles import IkCirclesError, NotFiniteError, PlanarArm, load_arm

URDF = Path(__file__).parents[2] / 'urdf'
ARM = load('so101')
POINT = (0.2, 0.05, 0.15)
TEXT = '<robot name="r"/>'
NO_NUMBERS = {
    'list': [],
    'text': '0.5',
    'bytes': b'1',
    'text of numpy': np.array('0.5'),
    'complex zero': 0j,
    'array of one': np.array([0.5]),
    'array of none': np.array([]),
    'too large': 10**400,
    'too large to be written': 10**5000,
    'decimal NaN': Decimal('NaN'),
}
ASKED = {
    'solve': lambda v: ARM.solve(POINT, v),
    'verdict': lambda v: ARM.check_reachability(POINT, v),
    'solutions': lambda v: ARM.inverse_kinematics(POINT, v),
    'point': lambda v: ARM.check_reachability((0.2, v, 0.1)),
    'rotation': lambda v: ARM.solve(POINT, rotation=v),
    'entry': lambda v: ARM.solve(POINT, rotation=[(1, 0, 0), (0, 1, 0), (0, 0, v)]),
    'room': lambda v: ARM.check_reachability(POINT, out_of_plane_tolerance=v),
    'tilt': lambda v: ARM.check_reachability(POINT, rotation=np.eye(3), tilt_tolerance=v),
    'turn': lambda v: ARM.solve(POINT, 0.5, orientation_tolerance=v),
    'positions': ARM.forward_kinematics,
    'position': lambda v: ARM.forward_kinematics({'shoulder_pan': v}),
    'link': lambda v: ARM.link_pose(v, {}),
    'positions of a link': lambda v: ARM.link_pose(ARM.tip_link, v),
    'position of a link': lambda v: ARM.link_pose(ARM.tip_link, {'shoulder_pan': v}),
    'bytes': lambda v: load_arm(TEXT, max_bytes=v),
    'base': lambda v: load_arm(URDF / 'so101.urdf', v),
    'floor': lambda v: load_arm(URDF / 'so101.urdf', floor=v),
}


@pytest.mark.parametrize('asked', ASKED)
def test_what_is_no_number_is_refused(asked):
    for name, value in NO_NUMBERS.items():
        with pytest.raises(IkCirclesError) as raised:
            ASKED[asked](value)
        assert len(str(raised.value)) < 400, name


def test_other_kinds_are_read_or_refused():
    for none in (None, -1, 'a'):
        with pytest.raises(IkCirclesError, match=r'max_bytes is .*; give a count of bytes'):
            load_arm(TEXT, max_bytes=none)
    assert ARM.joints_moving([]) is None
    assert ARM.solve(POINT, Decimal('-0.5')) == ARM.solve(POINT, -0.5)
    half = Decimal('0.5')
    told = ARM.check_reachability(POINT, rotation=np.eye(3), tilt_tolerance=half)
    assert told.reachable == ARM.check_reachability(
        POINT, rotation=np.eye(3), tilt_tolerance=0.5
    ).reachable


def test_what_is_given_one_by_one_is_read_once():
    rotation = ARM.forward_kinematics(dict.fromkeys(ARM.commanded_joints, 0.3))[:3, :3]
    assert ARM.inverse_kinematics(iter(POINT), -0.5) == ARM.inverse_kinematics(POINT, -0.5) != []
    assert ARM.solve(POINT, rotation=map(iter, rotation)) == ARM.solve(POINT, rotation=rotation)


def test_only_rotations_are_taken_as_such():
    """A mirror image, a shear and a scaling of any rotation are none; rounded figures are one."""
    rng = np.random.default_rng(0)
    shear = np.array([(1.0, 0.01, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
    for _ in range(cases(300)):
        rotation = random_rotation(rng)
        assert ARM.check_reachability(POINT, rotation=np.round(rotation, 4)) is not None
        for wrong in (-rotation, rotation[::-1], 1.01 * rotation, rotation @ shear, 0 * rotation):
            with pytest.raises(IkCirclesError, match='rows must be right-handed, of length 1'):
                ARM.check_reachability(POINT, rotation=wrong)


def test_a_named_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / 'pipe')
    with pytest.raises(IkCirclesError, match=r'cannot be read .not a regular file.; give'):
        load_arm(tmp_path / 'pipe')


KEYWORDS = ('branch', 'orientation_mode', 'orientation_tolerance', 'redundancy', 'z_form_k')


@pytest.mark.parametrize('keyword', KEYWORDS)
def test_a_keyword_is_refused_by_both_arms_alike(keyword):
    """Whether or not the question makes use of it."""
    planar = PlanarArm((0.3, 0.2, 0.1))
    for name, value in NO_NUMBERS.items():
        said = []
        for asked in (
            lambda **one: planar.solve(0.3, 0.2, **one),
            lambda **one: planar.solve(0.3, 0.2, 0.5, **one),
            lambda **one: ARM.solve(POINT, **one),
        ):
            with pytest.raises(IkCirclesError) as raised:
                asked(**{keyword: value})
            said.append((type(raised.value), str(raised.value)))
        assert len(set(said)) == 1, f'{name}: {said}'


def test_a_seed_that_is_not_finite_is_called_that_in_a_batch_too():
    planar, bad = PlanarArm((0.3, 0.2, 0.1)), (0.1, np.nan, 0.2)
    for asked in (
        lambda: planar.solve(0.3, 0.2, seed=bad),
        lambda: planar.solve_batch([(0.3, 0.2)], seed=bad),
        lambda: planar.solve_batch([(0.3, 0.2)] * 2, seed=[(0.0, 0.0, 0.0), bad]),
    ):
        with pytest.raises(NotFiniteError, match='give finite numbers'):
            asked()
