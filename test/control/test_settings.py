# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The nodes' parameters: what is refused, and that file and documents say what is declared."""

import math
import re
from pathlib import Path

import pytest
import yaml

from ik_circles import load_arm
from ik_circles.control.parameters import parameters_of
from ik_circles.control.settings import (
    ModelParameters,
    MotionParameters,
    PageParameters,
    Settings,
    SimulationParameters,
)
from ik_circles.errors import InvalidSettingError, InvalidUrdfError

ROOT = Path(__file__).parents[2]
PLANAR_3R = (ROOT / 'urdf' / 'planar_3r.urdf').read_text()
YAML = (ROOT / 'config' / 'ik_circles.yaml').read_text()
#: The file with the parameters that are comments in it, because they are set at the start only.
SECTIONED = re.sub(r'^# (?=\S+:$|  )', '', YAML, flags=re.MULTILINE)
SECTIONS = yaml.safe_load(SECTIONED)
TABLES = (ROOT / 'docs' / 'parameters.md').read_text()
#: The groups of parameters of each node.
NODES = {
    'ik_node': (ModelParameters, Settings, MotionParameters),
    'sim_arm': (SimulationParameters,),
    'viewer': (PageParameters,),
}
#: Parameters without a value in the file: there is no sensible one for everybody.
COMMENTED = {'robot_description', 'urdf_file', 'controller_joints', 'named_positions'}


def declared(node):
    return {one.name: one for group in NODES[node] for one in parameters_of(group)}


@pytest.mark.parametrize(
    ('wrong', 'words'),
    [
        ({'orientation_mode': 'any'}, "orientation_mode is 'any'; choose one of fixed, preferred"),
        ({'branch': ''}, "branch is ''; choose one of nearest, elbow_up, elbow_down"),
        ({'redundancy': 'any'}, "redundancy is 'any'; choose one of keep_orientation"),
        ({'on_unreachable': 'stop'}, "on_unreachable is 'stop'; choose one of reject, nearest"),
        ({'command_interface': 'effort'}, 'choose one of joint_state, trajectory, position_array'),
        ({'safe_zone_margin': -0.1}, 'safe_zone_margin is -0.1 m; it must be a finite number of'),
        ({'safe_zone_margin': math.nan}, 'safe_zone_margin is nan m; .* at least 0 m'),
        ({'out_of_plane_tolerance': math.inf}, 'out_of_plane_tolerance is inf m'),
        ({'seed_tolerance': -0.1}, 'seed_tolerance is -0.1 rad; .* of at least 0 rad'),
        ({'max_joint_step': math.nan}, 'max_joint_step is nan rad'),
        ({'target_timeout': math.inf}, 'target_timeout is inf s'),
        ({'z_form_k': 1.5}, 'z_form_k is 1.5; it must be a number from 0 to 1$'),
        ({'z_form_k': -0.1}, 'z_form_k is -0.1; it must be a number from 0 to 1$'),
        ({'z_form_k': math.nan}, 'z_form_k is nan'),
        ({'z_form_k': '0.5'}, "z_form_k is '0.5'; it must be a number from 0 to 1$"),
        ({'max_joint_step': None}, 'max_joint_step is None rad; it must be a finite number'),
        ({'max_joint_step': 10**400}, 'max_joint_step is 1000.* rad; it must be a finite number'),
        ({'controller_joints': ('a', 'b', 'a')}, "names 'a' twice; name each joint once"),
        ({'controller_joints': 5}, 'controller_joints is 5; give a list of texts'),
        ({'controller_joints': 'arm'}, "controller_joints is 'arm'; give a list of texts"),
        ({'controller_joints': ('a', 5)}, 'give a list of texts'),
    ],
)
def test_settings_outside_their_choices_are_refused(wrong, words):
    with pytest.raises(InvalidSettingError, match=words):
        Settings(**wrong)


@pytest.mark.parametrize(
    ('wrong', 'words'),
    [
        ({'motion': 'fast'}, "motion is 'fast'; choose one of direct, smooth"),
        ({'command_rate': 0.5}, 'command_rate is 0.5 Hz; it must be a number from 1 to 1000 Hz'),
        ({'max_acceleration': 0.0}, 'max_acceleration is 0.0; .* from 0.001 to 1000$'),
        ({'feedback_timeout': -1.0}, 'feedback_timeout is -1.0 s; .* of at least 0 s'),
        ({'jog_timeout': math.nan}, 'jog_timeout is nan s; .* of at least 0.01 s'),
    ],
)
def test_motion_outside_its_choices_is_refused(wrong, words):
    with pytest.raises(InvalidSettingError, match=words):
        MotionParameters(**wrong)


def test_a_simulated_arm_can_accelerate():
    with pytest.raises(InvalidSettingError, match='max_acceleration is 0'):
        SimulationParameters(max_acceleration=0.0)
    assert SimulationParameters(max_acceleration=0.01).max_acceleration == 0.01


def test_both_ends_of_a_range_are_inside():
    for k in (0.0, 1.0):
        assert Settings(z_form_k=k).redundancy_rule.z_form_k == k
    assert Settings(safe_zone_margin=0.0, controller_joints=('a', 'b')).safe_zone_margin == 0.0


def test_settings_make_the_policy_the_kind_and_the_zones():
    settings = Settings(orientation_mode='free', branch='elbow_up', redundancy='z_form')
    assert (settings.policy.orientation_mode, settings.policy.branch) == ('free', 'elbow_up')
    assert settings.redundancy_rule.choice == 'z_form'
    arm = load_arm(PLANAR_3R)  # reaches 0.9 m
    assert settings.zones(arm) == arm.arm.safe_zones
    zones = Settings(safe_zone_margin=0.1).zones(arm)
    assert (zones.inner, zones.outer, zones.margin) == pytest.approx((0.1, 0.8, 0.1))


def test_the_model_parameters_load_the_arm():
    arm = ModelParameters(PLANAR_3R).load()
    assert (arm.base_link, arm.tip_link) == ('base_link', 'tip')
    shorter = ModelParameters(PLANAR_3R, base_link='base_link', tip_link='hand').load()
    assert shorter.tip_link == 'hand'
    with pytest.raises(InvalidUrdfError, match='100'):
        ModelParameters(PLANAR_3R, max_description_bytes=100).load()


def test_a_declaration_has_everything_and_is_the_documentation():
    (margin,) = (one for one in parameters_of(Settings) if one.name == 'safe_zone_margin')
    assert (margin.default, margin.unit, margin.lower, margin.upper) == (0.0, 'm', 0.0, math.inf)
    assert not margin.start_only and margin.choices == ()
    assert Settings.__doc__.startswith('The parameters of `ik_node` that decide about targets')
    for one in parameters_of(Settings):
        assert f'\n{one.name} : ' in Settings.__doc__  # on every Python, without indentation
        assert one.sentence in Settings.__doc__
        assert f'default {one.default!r}' in Settings.__doc__
        assert not one.unit or f' Unit: {one.unit}.' in Settings.__doc__
    assert "branch : {'nearest', 'elbow_up', 'elbow_down'}, default 'nearest'" in Settings.__doc__
    assert 'z_form_k : float, default 0.5' in Settings.__doc__


def test_the_nodes_have_these_ranges_and_these_parameters_are_fixed():
    ranges = {
        one.name: (one.lower, one.upper)
        for node in NODES
        for one in declared(node).values()
        if one.upper < math.inf
    }
    assert ranges == {
        'max_description_bytes': (1, 1_000_000_000),
        'floor': (-1000.0, 1000.0),
        'z_form_k': (0.0, 1.0),
        'command_rate': (1.0, 1000.0),
        'max_acceleration': (0.001, 1000.0),
        'rate': (1.0, 1000.0),
        'port': (0, 65535),
        'max_mesh_size': (0.0, 2000.0),
    }
    assert Settings().transform_timeout == 0.2
    of_ik_node = [name for name, one in declared('ik_node').items() if one.start_only]
    assert of_ik_node == ['urdf_file', 'start_enabled']
    for node in ('sim_arm', 'viewer'):
        assert all(one.start_only for one in declared(node).values())


@pytest.mark.parametrize('node', NODES)
def test_every_sentence_explains_every_choice(node):
    for one in declared(node).values():
        assert one.sentence.endswith('.')
        assert [choice for choice in one.choices if choice not in one.sentence] == []


def test_the_file_can_be_loaded_into_a_running_node():
    """As `ros2 param load` reads it: every node's parameters, found by no key but `/**`."""
    ((key, content),) = yaml.safe_load(YAML).items()
    assert (key, list(content)) == ('/**/ik_node', ['ros__parameters'])


@pytest.mark.parametrize('urdf', sorted((ROOT / 'urdf').glob('*.urdf')), ids=lambda file: file.stem)
def test_a_shipped_robot_survives_ros2_param_load(urdf):
    """It reads each value as YAML once more, which must leave all but line ends."""
    text = urdf.read_text()
    assert yaml.safe_load(text).split() == text.split()


@pytest.mark.parametrize('node', NODES)
def test_the_file_has_every_parameter_with_its_default_and_its_unit(node):
    given = SECTIONS[f'/**/{node}']['ros__parameters']
    expected = {name: one.default for name, one in declared(node).items()}
    assert given == {name: value for name, value in expected.items() if name not in COMMENTED}
    section = SECTIONED[SECTIONED.index(f'/**/{node}:') :]
    for name, one in declared(node).items():
        comment = re.search(rf'((?: +#.*\n)+?) +(?:# )?{name}:', section)
        if node == 'sim_arm' and name in COMMENTED:
            continue  # explained with ik_node, and set by the launch file for both
        assert comment, f'{name} has no comment'
        assert not one.unit or f'[{one.unit}]' in comment[1], f'{name} [{one.unit}]'
        assert bool(one.start_only) == ('(start only)' in comment[1]), name


@pytest.mark.parametrize('node', NODES)
def test_the_document_has_every_parameter_with_its_default_and_its_unit(node):
    section = re.split(r'^## ', TABLES, flags=re.MULTILINE)
    (section,) = (text for text in section if text.startswith(f'`{node}`'))
    rows = re.findall(r'^\| `(\w+)` \| ([^|]*) \| ([^|]*)\| ([^|]*) \|$', section, re.MULTILINE)
    found = {name: (default.strip('`'), unit.strip()) for name, default, unit, _ in rows}
    expected = {
        name: (_written(one.default), one.unit) for name, one in declared(node).items()
    }
    assert found == expected
    for name, *_, meaning in rows:
        choices = declared(node)[name].choices
        assert [choice for choice in choices if f'`{choice}`' not in meaning] == []


def _written(default):
    """A default as YAML has it."""
    if default == '':
        return "''"
    if isinstance(default, bool):
        return str(default).lower()
    return '[]' if default == () else str(default)
