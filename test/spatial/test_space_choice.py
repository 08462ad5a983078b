# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The one configuration that is chosen among the solutions of both shoulders."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    SHORT,
    apart,
    bend_seen,
    checked,
    random_arm,
    random_arms,
    random_configuration,
    rotation_by,
    spatial_arm,
    tip_pose,
    yaw_joint,
)
from tilted_robots import TiltedRobot, tilted
from wrist_robots import gap, least_motion, pose_of, random_robots, without_limits

from ik_circles import PlanarArm
from ik_circles.planar.redundancy.rules import REDUNDANCIES, Redundancy
from ik_circles.planar.selection import Policy

CLOSURE = 1e-12  # [m], of arms of about a meter
SAME = 1e-6  # [rad] the root of rounding, where the elbow is straight
FLAT = [random_arm(np.random.default_rng(seed), False, None) for seed in range(3)]
TURNED = list(random_arms(4))


def solve(arm, point, seed=None, branch='nearest', mode='preferred', **options):
    answer = checked(arm, point, **options)
    return answer.choose(seed, Policy(branch, mode), Redundancy())


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_the_solution_is_one_of_all_and_the_nearest_to_the_seed(arm):
    rng = np.random.default_rng(2)
    kept = 0
    for _ in range(cases(240, least=8)):
        made, seed = random_configuration(rng, arm), random_configuration(rng, arm)
        point, rotation = tip_pose(arm, made)
        found = solve(arm, point, made)
        assert apart(found, made) <= SAME  # where it is: nothing moves
        chosen = solve(arm, point, seed, phi=sum(made.q))
        others = arm.inverse_kinematics(point, sum(made.q))
        assert any(apart(chosen, one) <= 1e-9 for one in others)
        assert change(chosen, seed) <= min(change(one, seed) for one in others) + 1e-9
        for branch, sign in (('elbow_up', -1.0), ('elbow_down', 1.0)):
            bent = solve(arm, point, seed, branch, phi=sum(made.q))
            if any(sign * facing(arm, one) * math.sin(one.q[1]) > SAME for one in others):
                assert sign * facing(arm, bent) * math.sin(bent.q[1]) >= -SAME
        kept += apart(solve(arm, point, seed, rotation=rotation, tilt=1e-6), made) <= SAME
    assert kept > cases(60)
    assert solve(arm, (99.0, 0.0, 0.0)) is None


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_the_elbow_counts_as_it_is_seen_from_where_the_arm_faces(arm):
    rng = np.random.default_rng(6)
    for _ in range(cases(240)):
        made = random_configuration(rng, arm)
        bend = bend_seen(arm, made)
        assert arm.is_on_branch(made.q, Policy('elbow_up')) == (bend <= 1e-9)
        assert arm.is_on_branch(made.q, Policy('elbow_down')) == (bend >= -1e-9)
        assert arm.is_on_branch(made.q, Policy())


def facing(arm, configuration):
    """1 if the arm faces the tip, -1 if it reaches backwards."""
    if arm.yaw is None:
        return 1.0
    x, y, _ = arm.planar.forward_kinematics(configuration.q)
    return 1.0 if arm.yaw.from_axis((x, y))[0] >= 0.0 else -1.0


@pytest.mark.parametrize('arm', TURNED)
def test_elbow_up_is_the_higher_elbow_where_the_wrist_is_out_on_its_side(arm):
    """Higher along the yaw axis than the same pose's other elbow, on either shoulder."""
    rng, seen = np.random.default_rng(8), set()
    for _ in range(cases(400, 4)):
        made = random_configuration(rng, arm)
        point, phi = tip_pose(arm, made)[0], sum(made.q)
        base, elbow, wrist, _ = map(arm.yaw.from_axis, arm.planar.joint_points(made.q))
        side = facing(arm, made)
        if side * (wrist[0] - base[0]) <= 0.0 or abs(math.sin(made.q[1])) <= 1e-3:
            continue
        middle = [(a + b) / 2.0 for a, b in zip(base, wrist)]
        line = (wrist[1] - base[1]) / (wrist[0] - base[0])
        above = elbow[1] - middle[1] - line * (elbow[0] - middle[0])
        branch = 'elbow_up' if above > 0.0 else 'elbow_down'
        assert apart(solve(arm, point, made, branch, phi=phi), made) <= SAME
        seen.add((side, branch))
    assert len(seen) > 1


def change(one, seed):
    return max(abs(a - b) for a, b in zip((one.yaw, *one.q), (seed.yaw, *seed.q)))


def test_where_a_link_has_no_length_nothing_moves():
    """A family of joint angles gives the pose: of it, the seed's own are taken."""
    arm = random_arm(np.random.default_rng(0), True, FREE, PlanarArm((0.3, 0.0, 0.2)))
    made = arm.home._replace(yaw=0.4, q=(0.7, 1.1, -1.2))
    point, _ = tip_pose(arm, made)
    assert apart(solve(arm, point, made, phi=sum(made.q)), made) <= SAME


@pytest.mark.parametrize('turned', [False, True])
def test_where_the_wrist_is_on_the_base_nothing_moves(turned):
    """With equal links a family of joint angles folds onto the base: joint 1 is free."""
    planar, rng = PlanarArm((0.3, 0.3, 0.2)), np.random.default_rng(6)
    arm = random_arm(rng, False, FREE if turned else None, planar)
    for side in (-math.pi, math.pi):
        for _ in range(10):
            q = (float(rng.uniform(-3.0, 3.0)), side, float(rng.uniform(-3.0, 3.0)))
            made = arm.home._replace(yaw=0.4 if turned else 0.0, q=q)
            point, _ = tip_pose(arm, made)
            assert apart(solve(arm, point, made, phi=sum(q)), made) <= SAME


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_a_branch_that_one_shoulder_has_is_taken_whatever_the_redundancy(arm):
    rng = np.random.default_rng(5)
    for _ in range(cases(40, 4)):
        made, seed = random_configuration(rng, arm), random_configuration(rng, arm)
        point, bend = tip_pose(arm, made)[0], bend_seen(arm, made)
        if abs(bend) <= SAME:
            continue
        branch = 'elbow_up' if bend < 0.0 else 'elbow_down'
        for choice in REDUNDANCIES:
            for near in (seed, None):
                found = checked(arm, point).choose(near, Policy(branch), Redundancy(choice))
                assert found is not None or choice == 'z_form'
                assert found is None or bend_seen(arm, found) * bend >= -SAME, choice


def test_a_shoulder_that_the_yaw_joint_cannot_turn_to_has_no_branch():
    """So where only such a shoulder has the branch, a Z of the other elbow is taken."""
    rng, found = np.random.default_rng(9), 0
    for _ in range(cases(1500, least=25)):
        arm = random_arm(rng, False, (-1.0, 1.0))
        made = random_configuration(rng, arm)
        for branch in ('elbow_up', 'elbow_down'):
            answer = checked(arm, tip_pose(arm, made)[0])
            any_z, its_z, any_at_all = (
                answer.choose(made, Policy(one), Redundancy(choice))
                for one, choice in (
                    ('nearest', 'z_form'),
                    (branch, 'z_form'),
                    (branch, 'keep_orientation'),
                )
            )
            if any_z and not arm.is_on_branch(any_at_all.q, Policy(branch)):
                assert its_z is not None, (arm, made, branch)
                found += 1
    assert found > cases(60)


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_near_a_solution_no_joint_moves_much_farther_than_it_needs_to(arm):
    """Also from a seed a little past its limits."""
    rng = np.random.default_rng(7)
    for _ in range(cases(500)):
        made = random_configuration(rng, arm)
        away = (rng.uniform(-1.0, 1.0, 4) * 10.0 ** rng.uniform(-3.0, math.log10(0.2))).tolist()
        yaw = made.yaw + (away[0] if arm.yaw else 0.0)
        seed = made._replace(yaw=yaw, q=tuple(map(sum, zip(made.q, away[1:]))))
        found = solve(arm, tip_pose(arm, made)[0], seed)
        assert change(found, seed) <= 3.0 * change(made, seed) + 0.05


def test_without_a_seed_the_arm_stays_near_its_home():
    limits = (0.5, 2.0)
    arm = spatial_arm(SHORT, yaw_joint(SHORT, limits))
    assert (arm.home.yaw, arm.home.q) == (0.5, (0.0, 0.0, 0.0))
    assert spatial_arm(SHORT).home.yaw == 0.0
    wide = spatial_arm(LINKS, yaw_joint(LINKS, (-2.0, 2.0)))
    assert abs(solve(wide, (0.5, 0.1, 0.2)).yaw) < 0.5  # not backwards


def test_a_continuous_yaw_joint_turns_to_the_seed():
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    for turns in (-2, 0, 3):
        near = 0.3 + turns * math.tau
        found = solve(
            arm,
            (0.5, 0.1, 0.2),
            random_configuration(np.random.default_rng(0), arm)._replace(yaw=near),
        )
        assert abs(found.yaw - near) <= math.pi
        assert math.dist(tip_pose(arm, found)[0], (0.5, 0.1, 0.2)) <= CLOSURE


@pytest.mark.parametrize('name', ['ur5e', 'so101'])
def test_continuous_joints_turn_to_the_seed_on_leaning_axes(name):
    rng = np.random.default_rng(3)
    for _ in range(cases(100, least=3)):
        robot = without_limits(TiltedRobot(tilted(name, rng)))
        own = robot.drawn(rng)
        seed = {joint: q + math.tau * int(rng.integers(-2, 3)) for joint, q in own.items()}
        point = tuple(robot.tip(own)[:3, 3].tolist())
        found = robot.arm.solve(point, seed={joint: q + 0.1 for joint, q in seed.items()})
        assert gap(found, seed) <= math.pi + 0.1
        assert robot.miss(found, point) <= 1e-9


def test_on_the_axis_the_yaw_joint_stays():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, (-1.0, 2.0)))
    q = arm.planar.inverse_kinematics(0.0, 0.5, math.pi / 2.0)[0]
    for seed, stays in ((1.7, 1.7), (2.5, 2.0)):
        found = solve(arm, (0.0, 0.0, 0.5), arm.home._replace(yaw=seed, q=q))
        assert found.yaw == stays
    rotation = arm.tool.rotation(math.pi / 2.0, 0.4)
    oriented = solve(arm, (0.0, 0.0, 0.5), arm.home._replace(yaw=1.7), rotation=rotation)
    assert oriented.yaw == pytest.approx(0.4, abs=1e-9)
    made = solve(arm, (0.0, 0.0, 0.5), None, phi=math.pi / 2.0)
    assert made.yaw == 0.0


def test_where_both_shoulders_give_the_pitch_the_less_tilted_is_taken():
    """Reaching backwards with the same pitch, the tool points away from where it was asked to."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    for heading in (0.0, 0.4, -0.6):
        rotation = rotation_by((0.0, 0.0, 1.0), heading) @ arm.tool.rotation(0.5)
        for yaw in (0.0, math.pi):
            seed = arm.home._replace(yaw=yaw)
            found = solve(arm, (0.5, 0.0, 0.2), seed, rotation=rotation)
            told = checked(arm, (0.5, 0.0, 0.2), rotation=rotation)
            assert told.tilt_at(found) == pytest.approx(abs(heading), abs=1e-9)


def test_an_orientation_gives_way_only_if_the_policy_allows_it():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.0)))
    point = (0.85, 0.0, 0.0)
    assert solve(arm, point, mode='fixed', phi=2.0) is None
    found = solve(arm, point, mode='preferred', phi=2.0)
    intervals = checked(arm, point).orientation_intervals
    assert sum(found.q) == pytest.approx(max(end for pair in intervals for end in pair))
    rotation = rotation_by((0.0, 0.0, 1.0), 0.3)
    assert solve(arm, point, rotation=rotation, tilt=0.01) is None


@pytest.mark.parametrize('branch', ['elbow_up', 'elbow_down'])
def test_a_straight_or_folded_elbow_is_on_both_branches_of_a_full_pose(branch):
    """Rounding decides which way it is found to bend. The arm goes there from nearby."""
    rng, stayed = np.random.default_rng(0), 0
    for robot in random_robots(rng, cases(4000, 40)):
        arm, own = robot.arm, robot.drawn(rng, 0)
        name, sign, offset = arm.joint_names[1], arm.joint_signs[1], arm.joint_offsets[1]
        own[name] = math.remainder(sign * (rng.choice([0.0, math.pi]) - offset), math.tau)
        joint, bent = arm.joints[name], {**own, name: own[name] + 0.5}
        if not joint.lower <= own[name] <= joint.upper or least_motion(robot, bent) < 1e-3:
            continue  # out of its range, or another joint is free
        point, rotation = pose_of(robot, own)
        seed = {one: its + rng.uniform(-0.01, 0.01) for one, its in own.items()}
        chosen = arm.solve(point, rotation=rotation, seed=seed, branch=branch)
        assert gap(chosen, own) <= 1e-4
        stayed += 1
    assert stayed > cases(1000, 40)
