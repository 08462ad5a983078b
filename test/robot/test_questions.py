# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How a robot's arm is asked: the same words as for a planar arm, and bad input in one sentence."""

import inspect
import math
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from law_cases import cases
from robot_texts import Z_AXIS, in_a_row, joint, limit, robot
from three_joints import load, shipped_text

from ik_circles import (
    Code,
    IkCirclesError,
    InvalidArmError,
    InvalidUrdfError,
    PlanarArm,
    RobotArm,
    load_arm,
)
from ik_circles.planar.redundancy import REDUNDANCIES
from ik_circles.planar.redundancy.rules import KEEP_ORIENTATION
from ik_circles.robot.shipped import file_of, shipped

URDF = Path(__file__).parents[2] / 'urdf'
ARM, LEVEL = load_arm('so101'), load('planar_3r')
POINT, LEVEL_POINT = (0.2, 0.1, 0.1), (0.6, 0.2, 0.0)
ZERO = dict.fromkeys(ARM.commanded_joints, 0.0)


def keywords_of(solve):
    parameters = inspect.signature(solve).parameters.values()
    return {one.name: one.default for one in parameters if one.kind is one.KEYWORD_ONLY}


def test_both_arms_are_asked_by_the_same_keywords():
    in_space = keywords_of(RobotArm.solve)
    assert (in_space.pop('rotation'), in_space.pop('tilt_tolerance')) == (None, None)
    assert in_space == keywords_of(PlanarArm.solve)


def test_both_arms_choose_the_same():
    """The planar robot's joints are those of its planar arm."""
    rng = np.random.default_rng(0)
    assert (LEVEL.joint_signs, LEVEL.joint_offsets) == ((1, 1, 1), (0.0, 0.0, 0.0))
    for _ in range(cases(1000)):
        x, y = rng.uniform(-0.7, 0.7, 2)
        seed = tuple(rng.uniform(-1.5, 1.5, 3).tolist())
        asked = {
            'branch': str(rng.choice(['nearest', 'elbow_up', 'elbow_down'])),
            'orientation_mode': str(rng.choice(['fixed', 'preferred', 'free', 'centered'])),
            'orientation_tolerance': float(rng.choice([math.pi, rng.uniform(0.0, 1.0)])),
        }
        choice = str(rng.choice([one for one in REDUNDANCIES if one != KEEP_ORIENTATION]))
        without_phi = {'redundancy': choice, 'z_form_k': rng.uniform()}
        for phi, more in ((rng.uniform(-3.0, 3.0), without_phi), (None, without_phi)):
            here = LEVEL.arm.solve(x, y, phi, seed=seed, **asked, **more)
            named = dict(zip(LEVEL.joint_names, seed))
            there = LEVEL.solve((x, y, 0.0), phi, seed=named, **asked, **more)
            told = x, y, phi, seed, asked, more
            assert (here is None) == (there is None), told
            if here is None or tuple(there.values()) == pytest.approx(here, abs=1e-6):
                continue
            changes = [
                max(abs(a - b) for a, b in zip(q, seed)) for q in (here, tuple(there.values()))
            ]  # two are as near
            assert changes[0] == pytest.approx(changes[1], abs=1e-9), told


def test_only_fixed_keeps_phi():
    """At (0.85, 0) the tool can turn by some 45 deg: 90 deg are not possible."""
    for solve in (PlanarArm.solve, RobotArm.solve):
        assert "Only orientation_mode 'fixed' guarantees" in solve.__doc__.splitlines()[0]
    readme = (URDF.parent / 'README.md').read_text()
    assert "orientation_mode='fixed')   # with this phi or None; without 'fixed', phi may" in readme
    assert LEVEL.arm.solve(0.85, 0.0, math.pi / 2.0, orientation_mode='fixed') is None
    q = LEVEL.arm.solve(0.85, 0.0, math.pi / 2.0)
    assert 0.0 < sum(q) < 1.0
    assert LEVEL.solve((0.85, 0.0, 0.0), math.pi / 2.0, orientation_mode='fixed') is None
    assert sum(LEVEL.solve((0.85, 0.0, 0.0), math.pi / 2.0).values()) == pytest.approx(sum(q))


@pytest.mark.parametrize('name', shipped())
def test_a_misspelt_joint_is_refused_with_the_nearest_name(name):
    """Of a seed, one of the commanded joints is missing then; more names than these are ignored."""
    arm = load_arm(name)
    own = {name: 0.5 * (max(one.lower, -1) + min(one.upper, 1)) for name, one in arm.joints.items()}
    point = arm.forward_kinematics(own)[:3, 3]
    known = arm.tree.movable_joints
    for right in arm.commanded_joints:
        wrong = f'{right[:-1]}_{right[-1]}'
        nearest = get_close_matches(wrong, known, 1)[0]
        misspelt = {one if one != right else wrong: at for one, at in own.items()}
        for ask in (
            partial(arm.solve, point, seed=misspelt),
            partial(arm.solve, point, rotation=np.eye(3), seed=misspelt),
            partial(arm.inverse_kinematics, point, 0.3, seed=misspelt),
            partial(arm.inverse_kinematics, point, rotation=np.eye(3), seed=misspelt),
            partial(arm.turns, misspelt),
            partial(arm.forward_kinematics, misspelt),
            partial(arm.link_pose, arm.tip_link, {wrong: 0.0}),
            partial(arm.holding, {wrong: 0.0}),
        ):
            with pytest.raises(InvalidArmError) as raised:
                ask()
            assert f"has no joint '{wrong}'; did you mean '{nearest}'? " in str(raised.value)
            assert str(raised.value).endswith(f'its joints are {", ".join(known)}')
    with pytest.raises(InvalidArmError, match='the robot has no joint 5; its joints are'):
        arm.holding({5: 0.0})


def test_the_other_joints_of_a_robot_are_no_mistake():
    """Its gripper, say: it is no part of the arm."""
    finger = '<link name="finger"/><joint name="grip" type="prismatic"><parent link="{}"/>'
    more = finger + '<child link="finger"/><limit lower="0" upper="0.1"/></joint></robot>'
    text = shipped_text('so101').replace('</robot>', more.format(ARM.tip_link))
    arm = load_arm(text, tip_link=ARM.tip_link)
    assert 'grip' not in (*arm.commanded_joints, *arm.held)
    gripping = {**ZERO, 'grip': 0.05}
    assert arm.holding(gripping) is arm
    assert (arm.forward_kinematics(gripping) == arm.forward_kinematics(ZERO)).all()
    assert arm.solve(POINT, seed=gripping) == arm.solve(POINT, seed=ZERO)
    assert arm.turns(gripping) == arm.turns(ZERO)


def test_three_numbers_for_a_point_and_a_point_for_two_numbers():
    for ask, name in (
        (ARM.solve, 'solve'),
        (ARM.check_reachability, 'check_reachability'),
        (ARM.inverse_kinematics, 'inverse_kinematics'),
        (ARM.dexterity, 'dexterity'),
    ):
        for numbers, right in (
            ((0.2, 0.1, 0.1), '((0.2, 0.1, 0.1))'),
            ((0.2, 0.1, 0.1, 0.5), '((0.2, 0.1, 0.1), 0.5)'),
        ):
            with pytest.raises(InvalidArmError) as raised:
                ask(*numbers)
            assert str(raised.value) == (
                f'{name} takes a point as one argument, and {len(numbers)} numbers are given; give '
                f'{name}{right}'
            )
    planar = LEVEL.arm
    for ask, name in ((planar.solve, 'solve'), (planar.check_reachability, 'check_reachability')):
        for given, right in (
            (((0.5, 0.2),), '(0.5, 0.2)'),
            (([0.5, 0.2], 0.3), '(0.5, 0.2, 0.3)'),
            ((np.array([0.5, 0.2, 0.3]),), '(0.5, 0.2, 0.3)'),
        ):
            with pytest.raises(InvalidArmError) as raised:
                ask(*given)
            assert str(raised.value).startswith(f'{name} takes x and y as two arguments, and x is ')
            assert str(raised.value).endswith(f'; give {name}{right}')


def test_a_target_in_millimeters_is_asked_about():
    hint = '; is it in millimeters? give meters'
    answer = ARM.check_reachability((200.0, 0.0, 100.0))
    assert answer.code == Code.TOO_FAR and hint in answer.message
    assert hint not in ARM.check_reachability((2.0, 0.0, 1.0)).message


def test_a_seed_names_every_commanded_joint():
    for name in ARM.commanded_joints:
        incomplete = {other: 0.0 for other in ARM.commanded_joints if other != name}
        with pytest.raises(IkCirclesError, match=f'the seed lacks {name}; give the position'):
            ARM.solve(POINT, seed=incomplete)
    assert ARM.solve(POINT, seed={**ZERO, 'gripper': 'open'}) == ARM.solve(POINT, seed=ZERO)
    assert ARM.solve(POINT, seed=None) is not None


BAD = {
    'seed': (lambda: ARM.solve(POINT, seed=(0, 0, 0, 0)), 'the seed is .0, 0, 0, 0.; give joint'),
    'position': (lambda: ARM.solve(POINT, seed={**ZERO, 'shoulder_pan': 'a'}), "pan is 'a'; give"),
    'branch': (lambda: ARM.solve(POINT, branch=5), 'branch is 5; choose one of'),
    'mode': (lambda: ARM.solve(POINT, orientation_mode=None), 'mode is None; choose one of'),
    'turn': (lambda: ARM.solve(POINT, orientation_tolerance=[]), r'tolerance is \[\] rad; it must'),
    'redundancy': (lambda: ARM.solve(POINT, redundancy=3), 'redundancy is 3; choose one of'),
    'share': (lambda: ARM.solve(POINT, z_form_k='half'), "z_form_k is 'half'; give a number"),
    'point': (lambda: ARM.solve(5), 'point is 5; give a sequence of numbers'),
    'short point': (lambda: ARM.check_reachability((0, 0)), 'point has 2 numbers; give 3'),
    'phi': (lambda: ARM.check_reachability(POINT, 'up'), "phi is 'up'; give a number"),
    'no phi': (lambda: ARM.inverse_kinematics(POINT, None), 'give either phi or rotation'),
    'rotation': (lambda: ARM.solve(POINT, rotation=5), 'rotation is 5; give 3 rows of 3 numbers'),
    'rows': (lambda: ARM.solve(POINT, rotation=np.eye(2)), 'give 3 rows of 3 numbers'),
    'words': (lambda: ARM.solve(POINT, rotation=['abc'] * 3), 'give 3 rows of 3 numbers'),
    'both': (lambda: ARM.solve(POINT, 0.5, rotation=np.eye(3)), 'both phi and rotation are given'),
    'tilt': (lambda: ARM.solve(POINT, tilt_tolerance='a'), "tilt_tolerance is 'a' rad; it must be"),
    'zones': (lambda: ARM.check_reachability(POINT, zones=3), 'zones is 3; give SafeZones, or'),
    'aside': (lambda: ARM.check_reachability(POINT, out_of_plane_tolerance=-1), 'number of at l'),
    'rows for phi': (lambda: ARM.solve(POINT, np.eye(3)), r'phi of solve is array.*rotation=\.'),
    'no solution': (lambda: ARM.turns(None), 'the solution is None; give joint positions by name'),
    'held': (lambda: ARM.holding(5), 'positions is 5; give joint positions by name'),
    'in a row': (lambda: ARM.forward_kinematics([0.0] * 5), r'such as dict\(zip\(arm.commanded_jo'),
    'held at': (lambda: ARM.holding({'wrist_roll': math.nan}), 'wrist_roll is nan; it must be a f'),
    'base': (lambda: load_arm(URDF / 'so101.urdf', 5), 'base_link is 5; give the name of a link'),
    'tip': (lambda: load_arm(URDF / 'so101.urdf', None, []), r'tip_link is \[\]; give the name'),
    'degrees': (lambda: ARM.solve(POINT, 90.0), 'phi is 90 rad, more than 5 turns; is it in deg'),
    'degrees too': (lambda: ARM.check_reachability(POINT, -45.0), 'phi is -45 rad, .* in degrees'),
    'degrees of all': (lambda: ARM.inverse_kinematics(POINT, 90.0), 'phi is 90 rad, .* in degrees'),
    'seed in degrees': (
        lambda: ARM.solve(POINT, seed={**ZERO, 'elbow_flex': 45.0}),
        'the seed of elbow_flex is 45 rad, more than a turn past its limit of 1.69 .* 0.785398 rad',
    ),
}  # fmt: skip


@pytest.mark.parametrize('name', BAD)
def test_bad_input_is_one_sentence(name):
    ask, message = BAD[name]
    with pytest.raises(IkCirclesError, match=message):
        ask()


def test_a_joint_without_limits_may_have_wound_up():
    text = robot(*in_a_row(*[('continuous', Z_AXIS, '')] * 3), joint('end', 3, 't', xyz=(1, 0, 0)))
    arm = load_arm(text)
    seed = {'j0': 100.3, 'j1': -80.5, 'j2': 60.7}
    point = arm.forward_kinematics(seed)[:3, 3]
    assert arm.solve(point, sum(seed.values()) % 6.28, seed=seed) is not None
    found = arm.solve(point, seed=seed)
    assert max(abs(found[name] - seed[name]) for name in seed) < math.pi


@pytest.mark.parametrize('degrees', [45, 90, 180, 360])
def test_limits_in_degrees_are_refused(degrees):
    wide = ('revolute', Z_AXIS, limit(-degrees, degrees))
    with pytest.raises(InvalidUrdfError, match='are they in degrees'):
        load_arm(robot(*in_a_row(wide, wide, wide)))


def test_a_urdf_may_be_the_name_of_a_shipped_robot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert list(shipped()) == sorted(file.stem for file in URDF.glob('*.urdf'))
    for name in shipped():
        assert repr(load_arm(name).tree) == repr(load_arm(URDF / f'{name}.urdf').tree)
    for unknown in ('so10', b'so101', Path('so101')):  # only a str is a name
        with pytest.raises(InvalidUrdfError, match=r'a shipped robot: braccio, .*, youbot_arm$'):
            load_arm(unknown)
    (tmp_path / 'so101').write_bytes((URDF / 'px100.urdf').read_bytes())
    assert load_arm('so101').commanded_joints[0] == 'waist'  # a file comes first


@pytest.mark.parametrize('name', ['SO101', 'so100', 'so101.urdf', 'So101.URDF'])
def test_a_name_that_resembles_a_shipped_robot_gets_its_name(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for read in (load_arm, file_of):
        with pytest.raises(InvalidUrdfError, match=r"; did you mean 'so101'\? "):
            read(name)
    (tmp_path / name).mkdir()
    with pytest.raises(InvalidUrdfError) as raised:
        load_arm(name)
    assert 'did you mean' not in str(raised.value)


def test_a_urdf_is_its_text_or_a_path(tmp_path, monkeypatch):
    file = URDF / 'so101.urdf'
    monkeypatch.chdir(URDF)
    ways = file.read_text(), file.read_bytes(), file, str(file), bytes(file), 'so101.urdf'
    for urdf in ways:
        assert load_arm(urdf).commanded_joints == ARM.commanded_joints
    odd = tmp_path / 'a<b.urdf'  # a path is a path
    odd.write_bytes(file.read_bytes())
    assert load_arm(odd).commanded_joints == ARM.commanded_joints
    long = tmp_path / 'long'
    long.write_text('x' * 200)
    for urdf, message in [
        ('no.urdf', "'no.urdf' cannot be read .No such file .*; give the text of a URDF, or the p"),
        ('package://a/b.urdf', 'only nodes and launch files look up package://; give the text'),
        (tmp_path, 'cannot be read .Is a directory.'),
        ('a\0b', 'cannot be read .embedded null'),
        ('', 'the robot description is empty'),
        (b' \n', 'the robot description is empty'),
        (5, 'is a int; give the text of a URDF, or the path of its file'),
    ]:
        with pytest.raises(InvalidUrdfError, match=message):
            load_arm(urdf)
    with pytest.raises(InvalidUrdfError, match='at least 101 bytes; at most 100 are read'):
        load_arm(long, max_bytes=100)
