"""An arm behind a yaw joint: laws over the shipped robots and random ones, with peers written anew.

The reference is the robot's own forward kinematics: thousands of its tips, drawn inside the limits.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from ik_circles import load_arm
from ik_circles.control.decision import assess, decide, sentence_for
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import NotFiniteError
from ik_circles.reasons import Code
from ik_circles.spatial.selection import SAME_TILT

ARMS = [path for path in sorted(Path(__file__).parents[2].glob('urdf/*.urdf'))
        if path.stem != 'planar_3r']  # fmt: skip
CLOSURE = 1e-12  # share of the reach
SAME = 1e-6  # [rad] the root of rounding, where the elbow is straight
SAMPLES = 20_000


def urdf_of(rng):
    """A random arm behind a yaw joint: beside its axis, limited or not, axes either way."""
    beside = rng.choice([0.0, rng.uniform(-0.2, 0.2)])
    yaw_type, *limits = (
        ('continuous', '') if rng.random() < 0.3 else ('revolute', limit(rng)),
        *(limit(rng) for _ in range(3)),
    )
    joints = [
        (yaw_type[0], yaw_type[1], f'0 0 {rng.choice([-1, 1])}', '0 0 0'),
        *(
            ('revolute', limits[index], f'0 {rng.choice([-1, 1])} 0', origin)
            for index, origin in enumerate((
                f'{rng.uniform(-0.1, 0.1)} {beside} {rng.uniform(0.0, 0.2)}',
                f'{rng.uniform(0.1, 0.4)} {rng.uniform(-0.1, 0.1)} {rng.uniform(-0.1, 0.3)}',
                f'{rng.uniform(0.1, 0.4)} {rng.uniform(-0.1, 0.1)} 0',
            ))
        ),
        ('fixed', '', '1 0 0', f'{rng.uniform(0.0, 0.3)} {rng.choice([0.0, 0.05])} 0.05'),
    ]
    links = ''.join(f'<link name="l{n}"/>' for n in range(len(joints) + 1))
    return f'<robot name="r">{links}' + ''.join(
        f'<joint name="j{n}" type="{kind}"><parent link="l{n}"/><child link="l{n + 1}"/>'
        f'<origin xyz="{origin}"/><axis xyz="{axis}"/>{inner}</joint>'
        for n, (kind, inner, axis, origin) in enumerate(joints)
    ) + '</robot>'  # fmt: skip


def limit(rng):
    lower = rng.uniform(-3.0, 0.5)
    return f'<limit lower="{lower}" upper="{lower + rng.uniform(0.5, 5.0)}" velocity="1"/>'


def chains():
    """Every shipped robot with a yaw joint, and random ones."""
    yield from (load_arm(path.read_bytes()) for path in ARMS)
    rng = np.random.default_rng(1)
    yield from (load_arm(urdf_of(rng)) for _ in range(25))


CHAINS = list(chains())
IDS = [path.stem for path in ARMS] + [f'random {n}' for n in range(25)]


@pytest.fixture(params=CHAINS, ids=IDS)
def chain(request):
    return request.param


def limits_of(chain):
    return {
        joint.name: (max(joint.lower, -math.pi), min(joint.upper, math.pi))
        for joint in list(chain.reduction.naming.joints.values())
    }


def drawn(chain, rng, count):
    """Joint positions inside the limits, now and then on one."""
    for _ in range(count):
        yield {
            name: float(np.clip(rng.uniform(-0.05, 1.05), 0.0, 1.0) * (upper - lower) + lower)
            for name, (lower, upper) in limits_of(chain).items()
        }


def tips(chain, rng):
    """Tips of many configurations, by turning the planar arm's as complex numbers."""
    limits = limits_of(chain)
    positions = {name: rng.uniform(*ends, SAMPLES) for name, ends in limits.items()}
    q = np.column_stack([
        sign * positions[name] + offset
        for name, sign, offset in zip(chain.joint_names, chain.joint_signs, chain.joint_offsets)
    ])
    x, y, _ = chain.arm.forward_kinematics(q).T
    at_zero = (np.column_stack((x, y, np.zeros(SAMPLES))) @ chain.plane[:3, :3].T
               + chain.plane[:3, 3])  # fmt: skip
    yaw = next(joint for joint in list(chain.reduction.naming.joints.values()) if joint.name == chain.yaw_joint)
    axis, through = yaw_axis(chain, yaw)
    away = at_zero - through
    angle = positions[yaw.name][:, np.newaxis]
    along = (away @ axis)[:, np.newaxis] * axis
    turned = along + np.cos(angle) * (away - along) + np.sin(angle) * np.cross(axis, away)
    return turned + through


def yaw_axis(chain, yaw):
    pose = chain.link_pose(yaw.child, {})
    return pose[:3, :3] @ yaw.axis, pose[:3, 3]


def somewhere(chain, rng):
    """Points inside and outside of the workspace."""
    _, through = yaw_axis(chain, list(chain.reduction.naming.joints.values())[0])
    reach = chain.arm.max_reach + math.hypot(*chain.yaw.foot, chain.yaw.aside)
    direction = rng.normal(size=3)
    point = through + direction / np.linalg.norm(direction) * reach * rng.uniform(0.0, 1.4)
    return tuple(map(float, point))


def test_what_joints_reach_is_reached_and_they_are_among_the_solutions(chain):
    rng = np.random.default_rng(0)
    reach = chain.arm.max_reach
    ends = {joint.name: (joint.lower, joint.upper) for joint in list(chain.reduction.naming.joints.values())}
    for positions in drawn(chain, rng, 100):
        pose = chain.forward_kinematics(positions)
        point, phi = pose[:3, 3], chain.arm.forward_kinematics(chain.arm_angles(positions)).phi
        found = chain.inverse_kinematics(point, phi)
        apart = [
            max(abs(math.remainder(q[name] - positions[name], math.tau)) for name in q)
            for q in found
        ]
        assert min(apart) <= SAME
        for q in found:
            tip = chain.forward_kinematics(q)[:3, 3]
            assert math.dist(tip, point) <= CLOSURE * reach + chain.slack
            assert all(ends[name][0] <= q[name] <= ends[name][1] for name in q)
        assert len({tuple(q.values()) for q in found}) == len(found)
        assert chain.check_reachability(point).reachable
        assert chain.check_reachability(point, phi).reachable
        told = chain.check_reachability(point, rotation=pose[:3, :3], tilt_tolerance=1e-6)
        assert told.reachable


def test_a_pose_that_can_be_taken_as_it_is_is_its_own_nearest(chain):
    rng = np.random.default_rng(9)
    for positions in drawn(chain, rng, 60):
        pose = chain.forward_kinematics(positions)
        point, made = pose[:3, 3], pose[:3, :3]
        turned = chain.tool_rotation(*rng.uniform(-math.pi, math.pi, 2))
        for tolerance in (SAME_TILT, math.inf):  # facing the point, or reaching backwards
            found = chain.check_reachability(point, rotation=made, tilt_tolerance=tolerance)
            assert found.as_wanted
        for rotation in (made, turned):  # of which the arm may have the pitch only
            told = chain.check_reachability(point, rotation=rotation)
            nearest = told.nearest
            away = np.abs(chain.tool_rotation(nearest.phi, nearest.yaw) - rotation).max()
            assert told.reachable or not told.as_wanted
            assert told.as_wanted == (told.reachable and away <= SAME_TILT)
            assert not told.as_wanted or nearest[:3] == tuple(point)


def test_nearest_is_reached_and_no_farther_than_any_tip(chain):
    rng = np.random.default_rng(0)
    all_tips = tips(chain, rng)
    refused = 0
    for _ in range(80):
        point = somewhere(chain, rng)
        answer = chain.check_reachability(point)
        apart = np.linalg.norm(all_tips - point, axis=1).min()
        if answer.reachable:
            assert answer.margin >= 0.0
            continue
        refused += 1
        assert answer.margin < 0.0
        assert -answer.margin <= apart * (1.0 + 1e-12)
        tip = chain.forward_kinematics(answer.nearest_joint_positions)[:3, 3]
        assert math.dist(tip, answer.nearest[:3]) <= CLOSURE * chain.arm.max_reach + chain.slack
        near = chain.check_reachability(answer.nearest[:3])
        assert near.reachable or near.margin > -CLOSURE * chain.arm.max_reach
        assert 'nan' not in answer.message
    assert refused > 5


def test_every_point_nearer_than_the_margin_is_reached(chain):
    rng = np.random.default_rng(0)
    for positions in drawn(chain, rng, 30):
        point = chain.forward_kinematics(positions)[:3, 3]
        margin = chain.check_reachability(point).margin
        for _ in range(8):
            direction = rng.normal(size=3)
            step = direction / np.linalg.norm(direction) * margin * (1.0 - 1e-9)
            assert chain.check_reachability(point + step).reachable


def test_each_shoulder_is_found(chain):
    rng = np.random.default_rng(2)
    seen = set()
    for positions in drawn(chain, rng, 200):
        point = chain.forward_kinematics(positions)[:3, 3]
        place = chain.yaw.place_of(*chain.into_plane(point))
        for shoulder, _ in chain.shoulders(point):
            x, y, z = chain.from_plane(*shoulder.point, shoulder.yaw)
            assert math.dist((x, y, z), point) <= CLOSURE * (chain.arm.max_reach + place.radius)
            seen.add(chain.yaw.faces(shoulder))
    assert seen == {True, False}


def least_change(chain, point, seed):
    """The least change of the worst joint, over all solutions at orientations near the seed's."""
    phi = chain.arm.forward_kinematics(chain.arm_angles(seed)).phi
    return min(
        (
            max(abs(q[name] - seed[name]) for name in q)
            for turn in np.linspace(-0.15, 0.15, 61)
            for q in chain.inverse_kinematics(point, phi + turn)
        ),
        default=math.inf,
    )


def test_a_straight_path_gives_small_steps_of_the_joints_where_that_is_possible(chain):
    rng = np.random.default_rng(3)
    settings = Settings(orientation_mode='free')
    steps = 0
    for seed in drawn(chain, rng, 12):
        point = chain.forward_kinematics(seed)[:3, 3]
        step = rng.normal(size=3)
        step *= 0.002 * chain.arm.max_reach / np.linalg.norm(step)
        for number in range(1, 13):
            target = Target(tuple(map(float, point + number * step)))
            decision = decide(chain, settings, target, seed)
            possible = least_change(chain, target.position, seed)
            if decision.command is None or possible > 0.05:
                break
            change = max(abs(decision.command[name] - seed[name]) for name in seed)
            assert change < 0.2, (seed, number, possible)
            seed = decision.command
            steps += 1
    assert steps > 30


def test_no_solution_is_given_twice_where_yaw_is_beside_its_limit(chain):
    rng = np.random.default_rng(7)
    yaw = list(chain.reduction.naming.joints.values())[0]
    for end, inwards in ((yaw.lower, 1.0), (yaw.upper, -1.0)):
        for _ in range(20 if math.isfinite(end) else 0):
            (positions,) = drawn(chain, rng, 1)
            positions[yaw.name] = end + inwards * rng.integers(8) * 2e-16 * abs(end)
            point = chain.forward_kinematics(positions)[:3, 3]
            phi = chain.arm.forward_kinematics(chain.arm_angles(positions)).phi
            found = [np.array(list(q.values())) for q in chain.inverse_kinematics(point, phi)]
            assert found
            for index, one in enumerate(found):
                assert all(np.abs(one - other).max() > 1e-12 for other in found[:index])


@pytest.mark.parametrize('chain', CHAINS[::4], ids=lambda chain: chain.tree.name)
def test_the_nearest_to_what_is_very_far_away_is_that_in_its_direction(chain):
    direction = np.array([0.3, -0.5, 0.8]) / math.sqrt(0.98)
    reach = chain.arm.max_reach
    support = [
        direction @ chain.check_reachability(reach * 10.0**power * direction).nearest[:3]
        for power in (5, 7, 16, 100, 155, 300)
    ]
    assert max(support) - min(support) <= 1e-4 * reach
    assert max(support[1:]) - min(support[1:]) <= 1e-9 * reach


@pytest.mark.parametrize('beside', [0.0, 0.05])
def test_a_target_on_the_yaw_axis(beside):
    urdf = (
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>'
        '<link name="e"/><link name="t"/>'
        '<joint name="yaw" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="2"/></joint>'
        + ''.join(
            f'<joint name="j{n}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{origin}"/><axis xyz="0 -1 0"/><limit lower="-3" upper="3"/></joint>'
            for n, (parent, child, origin) in enumerate(
                [('b', 'c', f'0 {beside} 0.1'), ('c', 'd', '0.3 0 0'), ('d', 'e', '0.3 0 0')]
            )
        )
        + '<joint name="tip" type="fixed"><parent link="e"/><child link="t"/>'
        '<origin xyz="0.1 0 0"/></joint></robot>'
    )
    chain = load_arm(urdf)
    answer = chain.check_reachability((0.0, 0.0, 0.5))
    if beside:
        assert answer.code is Code.TOO_CLOSE
        assert answer.message.startswith('too close to the axis of yaw by 0.050 m')
        assert answer.margin == pytest.approx(-beside, abs=1e-12)
        assert chain.inverse_kinematics((0.0, 0.0, 0.5), 0.0) == []
        return
    assert answer.reachable
    assert {q['yaw'] for q in chain.inverse_kinematics((0.0, 0.0, 0.5), math.pi / 2.0)} == {0.0}
    seed = {'yaw': 1.7, 'j0': 1.0, 'j1': 0.5, 'j2': 0.2}
    assert chain.solve((0.0, 0.0, 0.5), seed=seed)['yaw'] == 1.7


def test_the_reason_of_the_yaw_joint_has_its_figure():
    chain = load_arm((ARMS[0].parent / 'so101.urdf').read_bytes())
    stretched = {'shoulder_lift': 1.0, 'elbow_flex': -0.8, 'wrist_flex': 0.1}
    axis, through = yaw_axis(chain, list(chain.reduction.naming.joints.values())[0])
    away = chain.forward_kinematics(stretched)[:3, 3] - through
    turned = 2.5  # the limit is 1.91986
    along = (axis @ away) * axis
    behind = along + math.cos(turned) * (away - along) + math.sin(turned) * np.cross(axis, away)
    answer = chain.check_reachability(behind + through)
    over = math.degrees(turned - 1.91986)
    assert answer.code is Code.JOINT_LIMIT
    assert f'shoulder_pan would exceed its upper limit by {over:.1f} deg' in answer.message


def test_pitch_counts_and_the_position_decides_the_heading():
    chain = load_arm((ARMS[0].parent / 'open_manipulator_x.urdf').read_bytes())
    level = chain.tool_rotation(0.0)  # the tool along base_link's +x
    target = Target((0.14, 0.14, 0.12), level)
    preferred = decide(chain, Settings(), target, {})
    assert preferred.code is Code.OK
    assert 'heading, which is 45.0 deg from the one asked for' in preferred.message
    tip = chain.forward_kinematics(preferred.command)
    assert tip[:3, 3] == pytest.approx(target.position, abs=1e-12)
    assert tip[:3, 0] == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0.0), abs=1e-12)
    asked = sentence_for(chain, assess(chain, Settings(), target))
    assert asked.endswith('heading, which is 45.0 deg from the one asked for')
    assert 'heading' not in sentence_for(chain, assess(chain, Settings(), Target(target.position)))
    fixed = decide(chain, Settings(orientation_mode='fixed'), target, {})
    assert (fixed.code, fixed.command) == (Code.ORIENTATION, None)
    assert '45.0 deg away from what the arm can do there' in fixed.message


def test_where_axes_lean_no_pose_is_exactly_as_wanted():
    joints = [
        ('yaw', '0 0 1', '0 0 0'), ('a', '5e-5 1 0', '0 0.1 0.1'), ('b', '0 1 0', '0.3 0 0'),
        ('c', '0 1 0', '0.3 0 0'),
    ]  # fmt: skip
    text = '<link name="l0"/>' + ''.join(
        f'<link name="l{i}"/><joint name="{name}" type="continuous"><parent link="l{i - 1}"/>'
        f'<child link="l{i}"/><origin xyz="{xyz}"/><axis xyz="{axis}"/></joint>'
        for i, (name, axis, xyz) in enumerate(joints, 1)
    )
    tip = ('<link name="tip"/><joint name="end" type="fixed"><parent link="l4"/>'
           '<child link="tip"/><origin xyz="0.1 0 0"/></joint>')  # fmt: skip
    chain = load_arm(f'<robot name="r">{text}{tip}</robot>')
    pose = chain.forward_kinematics({'yaw': 0.3, 'a': -0.5, 'b': 0.9, 'c': 0.2})
    told = chain.check_reachability(pose[:3, 3], rotation=pose[:3, :3])
    assert chain.slack > 0.0
    assert told.reachable and not told.as_wanted


def test_held_joints_are_where_they_are_measured():
    chain = load_arm((ARMS[0].parent / 'so101.urdf').read_bytes())
    assert any('wrist_roll moves the tip by up to 15.8 mm' in note for note in chain.notes)
    assert chain.holding({'wrist_roll': 1e-4}) is chain
    rolled = chain.holding({'wrist_roll': 1.2, 'gripper': 0.5})
    positions = {'shoulder_pan': 0.4, 'shoulder_lift': 0.2, 'elbow_flex': 0.3, 'wrist_flex': -0.2}
    point = chain.forward_kinematics({**positions, 'wrist_roll': 1.2})[:3, 3]
    assert math.dist(rolled.forward_kinematics(positions)[:3, 3], point) <= 1e-15
    assert math.dist(chain.forward_kinematics(positions)[:3, 3], point) > 0.005
    phi = rolled.arm.forward_kinematics(rolled.arm_angles(positions)).phi
    found = rolled.inverse_kinematics(point, phi)
    assert min(max(abs(q[n] - positions[n]) for n in positions) for q in found) <= SAME


def apart(a, b):
    """Angle between two orientations (3x3) [rad]."""
    return 2.0 * math.asin(min(1.0, np.linalg.norm(a - b) / math.sqrt(8.0)))


def somehow(chain, rng):
    """A seed: nowhere, or anywhere inside the limits."""
    return next(drawn(chain, rng, 1)) if rng.random() < 0.7 else {}


def test_the_arms_own_poses_are_taken_exactly_whatever_the_mode(chain):
    rng = np.random.default_rng(4)
    for positions in drawn(chain, rng, 60):
        pose = chain.forward_kinematics(positions)
        target = Target(tuple(map(float, pose[:3, 3])), pose[:3, :3])
        for mode in ('fixed', 'preferred'):
            settings = Settings(orientation_mode=mode)
            decision = decide(chain, settings, target, somehow(chain, rng))
            assert decision.code is Code.OK and 'heading' not in decision.message
            tip = chain.forward_kinematics(decision.command)
            assert apart(tip[:3, :3], pose[:3, :3]) <= 1e-9
            assert math.dist(tip[:3, 3], pose[:3, 3]) <= CLOSURE * chain.arm.max_reach


def test_no_command_leaves_the_safe_zones_and_the_nearest_is_sent_as_told(chain):
    rng = np.random.default_rng(5)
    reach = chain.arm.max_reach
    sent = 0
    for _ in range(80):
        mode = ['free', 'preferred', 'fixed'][rng.integers(3)]
        settings = Settings(mode, on_unreachable='nearest', safe_zone_margin=0.05 * reach)
        rotation = chain.tool_rotation(*rng.uniform(-math.pi, math.pi, 2))
        target = Target(somewhere(chain, rng), rotation)
        decision = decide(chain, settings, target, somehow(chain, rng))
        if decision.command is None:
            continue
        sent += 1
        q = chain.configuration(decision.command).q
        distance = math.hypot(*chain.arm.forward_kinematics(q)[:2])
        zones = settings.zones(chain)
        assert zones.inner - 1e-9 * reach <= distance <= zones.outer + 1e-9 * reach
        if decision.code is not Code.OK:
            tip = chain.forward_kinematics(decision.command)
            assert math.dist(tip[:3, 3], decision.nearest[:3]) <= 1e-9 * reach
            if mode == 'fixed' and decision.code is Code.ORIENTATION:
                told = chain.tool_rotation(decision.nearest.phi, decision.nearest.yaw)
                assert apart(tip[:3, :3], told) <= 1e-6
    assert sent > 40


def test_on_the_yaw_axis_the_orientation_decides_the_yaw():
    chain = load_arm((ARMS[0].parent / 'px100.urdf').read_bytes())
    on_axis = chain.yaw.in_plane(0.0, 0.23)
    q = chain.named(chain.arm.inverse_kinematics(*on_axis, 2.0)[0], 1.0)
    pose = chain.forward_kinematics(q)
    assert np.hypot(*pose[:2, 3]) < 1e-15
    for mode in ('fixed', 'preferred'):
        target = Target(tuple(map(float, pose[:3, 3])), pose[:3, :3])
        decision = decide(chain, Settings(mode), target, {})
        assert decision.code is Code.OK and 'heading' not in decision.message
        assert decision.command['waist'] == pytest.approx(1.0, abs=1e-12)


def test_a_joint_of_a_whole_turn_does_not_go_on_at_its_other_limit():
    chain = load_arm((ARMS[0].parent / 'ur5e.urdf').read_bytes())
    seed = dict(zip(chain.commanded_joints, (0.0165, -1.5753, 2.1858, -6.2805)))
    target = Target((0.26281, 0.13976257, 0.27952738))  # 4 mm away
    command = decide(chain, Settings('free'), target, seed).command
    assert max(abs(command[name] - seed[name]) for name in seed) < 0.05


def test_a_target_as_far_from_the_axis_as_the_plane_passes_it():
    chain = load_arm((ARMS[0].parent / 'ur5e.urdf').read_bytes())
    rng = np.random.default_rng(6)
    for outwards in [0.0, *(10.0 ** rng.uniform(-13.0, -4.0, 60))]:
        inside = None
        while not inside:
            point = chain.yaw.in_plane(outwards, rng.uniform(-0.9, 0.9))
            inside = chain.arm.orientation_intervals(*point)
        yaw = rng.choice([*chain.yaw.limits, rng.uniform(-3.0, 3.0)])
        answer = chain.check_reachability(chain.from_plane(*point, yaw))
        assert answer.reachable and answer.margin >= 0.0


def test_the_reason_is_that_of_the_shoulder_that_can_be_turned():
    chain = load_arm((ARMS[0].parent / 'braccio.urdf').read_bytes())
    message = chain.check_reachability((-0.068, 0.054, -0.161)).message
    assert message.startswith('reaching backwards, shoulder_joint would exceed its upper limit by')


def test_a_seed_or_rotation_that_is_not_finite_is_refused():
    chain = next(chain for chain in CHAINS if chain.yaw_joint == 'shoulder_pan')
    seed = dict.fromkeys(chain.commanded_joints, 0.0)
    for wrong in (math.nan, math.inf):
        with pytest.raises(NotFiniteError, match='seed'):
            chain.solve((0.2, 0.1, 0.1), seed={**seed, chain.joint_names[1]: wrong})
        rotation = np.eye(3)
        rotation[0, 1] = wrong
        with pytest.raises(NotFiniteError, match='rotation'):
            chain.check_reachability((0.2, 0.1, 0.1), rotation=rotation)


@pytest.mark.parametrize('path', ARMS, ids=lambda path: path.stem)
def test_on_the_yaw_axis_with_an_orientation_there_is_an_answer(path):
    """Also where the yaw limits are all but a turn away, as xarm5's are."""
    chain = load_arm(path.read_bytes())
    x, y, z = chain.from_plane(*chain.yaw.in_plane(0.0, 0.3 * chain.arm.max_reach))
    for rotation in (np.eye(3), np.eye(3).tolist()):
        for mode in ('fixed', 'preferred'):
            decision = decide(chain, Settings(mode), Target((x, y, z), rotation), None)
            assert decision.message
            if decision.code is Code.OK:
                tip = chain.forward_kinematics(decision.command)[:3, 3]
                assert math.dist(tip, (x, y, z)) <= CLOSURE * chain.arm.max_reach + chain.slack


@pytest.mark.parametrize('path', ARMS, ids=lambda path: path.stem)
def test_where_a_preferred_pitch_is_impossible_the_arm_keeps_its_shoulder(path):
    """Facing and reaching backwards the tool can come equally near to the pitch: rounding alone
    must not swing the arm round."""
    chain = load_arm(path.read_bytes())
    yaw_joint, rng, steps = chain.commanded_joints[0], np.random.default_rng(1), 0
    for _ in range(60):
        positions = {
            name: rng.uniform(*(chain.yaw.limits if name == yaw_joint else (-1.5, 1.5)))
            if chain.yaw.limits[0] > -math.inf
            else rng.uniform(-1.5, 1.5)
            for name in chain.commanded_joints
        }
        point = chain.forward_kinematics(positions)[:3, 3]
        rotation = chain.tool_rotation(rng.uniform(-3.0, 3.0), positions[yaw_joint])
        seed, away = None, None
        for _ in range(30):
            point = point + rng.normal(size=3) * 1e-4
            decision = decide(chain, Settings(), Target(tuple(point.tolist()), rotation), seed)
            if decision.command is None:
                break
            yaw, q = chain.configuration(decision.command)
            wanted = chain.tool_angle(rotation, yaw)
            now = abs(math.remainder(sum(q) - wanted, math.tau))
            if seed is not None and abs(now - away) < 1e-3 and now > 1e-3:
                steps += 1
                assert abs(decision.command[yaw_joint] - seed[yaw_joint]) < 1.5
            seed, away = decision.command, now
    assert steps > 100


def test_the_intervals_that_are_given_are_ones_own():
    chain = load_arm((ARMS[0].parent / 'planar_3r.urdf').read_bytes())
    answer = chain.check_reachability((0.5, 0.1, 0.0))
    message = answer.message
    answer.orientation_intervals.clear()
    assert answer.message == message


def test_a_seed_far_past_limits_of_several_turns_is_taken():
    chain = load_arm((ARMS[0].parent / 'ur5e.urdf').read_bytes())
    seed = {**dict.fromkeys(chain.commanded_joints, 0.0), chain.commanded_joints[1]: 9.5}
    found = chain.solve((0.3, 0.2, 0.5), seed=seed)
    assert math.dist(chain.forward_kinematics(found)[:3, 3], (0.3, 0.2, 0.5)) <= CLOSURE
