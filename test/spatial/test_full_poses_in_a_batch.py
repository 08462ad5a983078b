# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which full poses of a batch are left to the code for one target, and which are not."""

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import direction, rotation_by, same_angle
from tilted_robots import TiltedRobot
from wrist_robots import gap, random_robot, random_robots, turned_away, without_limits

from ik_circles import Floor, PlanarArm
from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.planar.selection import Policy
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE
from ik_circles.spatial.batch.full_poses import FullPoseBatch
from ik_circles.spatial.tilts import most_seen, much_turned_within
from ik_circles.spatial.wrist import LEVEL, LOOSE, ROUNDING

ALLOWED = 0.05  # [rad] of tilt
CLOSES = 1e-7  # [m, rad]
SELDOM = 0.05  # of what is not next to one thing is next to another


def seed_of(robot, own):
    """The seed of `solved`, by name."""
    naming = robot.arm.whole_naming
    near = naming.angles_of_rows(np.array([[*own.values()]])) + np.linspace(0.1, 0.2, len(own))
    return dict(zip(robot.arm.commanded_joints, naming.positions_of_rows(near)[0].tolist()))


def solved(robot, pose, own, tilt=ALLOWED):
    """Whether a pose is left to the code for one target, and the solution, if there is one. The
    seed is near to joint positions; from where these are, others are exactly half a turn away."""
    naming = robot.arm.whole_naming
    near = naming.angles_of_rows(np.array([[*seed_of(robot, own).values()]]))
    policy = Policy(orientation_mode='fixed')
    found, doubtful = FullPoseBatch(robot.arm.whole).solve(pose[np.newaxis], near, policy, tilt)
    (row,) = naming.positions_of_rows(found).tolist()
    named = None if math.isnan(row[0]) else dict(zip(robot.arm.commanded_joints, row))
    return bool(doubtful[0]), named


def is_at(robot, found, pose, tilt=0.0):
    """Whether joint positions have the tip at a pose, turned away by a tilt [rad] at most."""
    if found is None:
        return False
    turned = turned_away(robot.tip(found)[:3, :3], pose[:3, :3])
    return robot.miss(found, pose[:3, 3]) <= CLOSES and turned <= tilt + CLOSES


def free_robots(rng, kinds, count):
    """Robots without limits, and joint positions far from a straight elbow and a singular wrist."""
    robots = [without_limits(one) for one in random_robots(rng, 6, 1, kinds)]
    for number in range(count):
        robot = robots[number % len(robots)]
        own = robot.drawn(rng)
        wrist = robot.arm.whole.wrist
        if wrist.has_two and abs(math.cos(own['w1'] + wrist.first_at_zero)) < 0.2:
            continue
        angle = rng.uniform(0.5, 2.6)
        yield robot, robot.bent(own, 1, rng.choice([-angle, angle]))


@pytest.mark.parametrize('kinds', [[(True, 1), (True, 2)], [(False, 1), (False, 2)]])
def test_own_poses_far_from_what_is_singular_are_solved_in_columns(kinds):
    rng = np.random.default_rng(0)
    for robot, own in free_robots(rng, kinds, cases(600, least=12)):
        is_left, found = solved(robot, robot.tip(own), own, 1e-3)
        assert is_left or is_at(robot, found, robot.tip(own))
        assert not is_left or is_near_axis(robot, own), f'{robot.text}, {own}'


def is_near_axis(robot, own):
    """Whether the wrist center is next to the yaw axis: there, rounding and tilts turn the plane
    far."""
    whole = robot.arm.whole
    pose = robot.tip(own)
    center = whole.wrist.center_at(tuple(pose[:3, 3]), pose[:3, :3].tolist())
    yaw = whole.carrier.yaw
    if yaw is None:
        return False
    near = max(whole.carrier.plane.loose_within, 1.01 * much_turned_within(length(whole), ALLOWED))
    return yaw.outwards(yaw.place_of(*whole.carrier.plane.into(center))) <= near


def length(whole):
    """The length of the tool [m], which a tilt moves; 0 with two wrist joints, which leave none."""
    return 0.0 if whole.wrist.has_two else whole.wrist.length


@pytest.mark.parametrize('count', [1, 2])
@pytest.mark.parametrize('folded', [0.0, math.pi])
def test_elbows_so_near_to_straight_or_folded_that_rounding_moves_joints_are_left(count, folded):
    """By more than is loose: the sine of the elbow times the distance from base to wrist, over the
    reach, is below the rounding of orientations over LOOSE."""
    rng, checked, others = np.random.default_rng(1), 0, 0
    for robot, own in free_robots(rng, [(True, count)], cases(400, least=20)):
        planar = robot.arm.whole.carrier.planar
        length_1, length_2, _ = planar.link_lengths
        distance = abs(length_1 + math.cos(folded) * length_2)
        if distance < 0.05:
            continue
        flat = ROUNDING / LOOSE * planar.max_reach / distance
        if count == 2:  # next to where the wrist is singular, rounding turns it farther
            flat /= abs(math.cos(own['w1'] + robot.arm.whole.wrist.first_at_zero))
        for share, is_flat in ((0.9, True), (1.1, False)):
            bent = robot.bent(own, 1, folded + rng.choice([-1, 1]) * share * flat)
            is_left, found = solved(robot, robot.tip(bent), bent)
            if not is_near_axis(robot, bent):
                assert is_left >= is_flat, f'{robot.text}, {bent}, {share}'
                assert is_left or is_at(robot, found, robot.tip(bent))
                checked, others = checked + 1, others + (is_left and not is_flat)
    assert checked and others <= SELDOM * checked


def test_wrist_centers_beside_a_plane_that_no_joint_turns_are_left_if_a_tilt_may_bring_them_in():
    rng = np.random.default_rng(2)
    for robot, own in free_robots(rng, [(False, 1)], cases(400, least=12)):
        length = robot.arm.whole.wrist.length
        for beside, is_left, is_in in (
            (0.5 * OUT_OF_PLANE_TOLERANCE, False, True),
            (1.01 * OUT_OF_PLANE_TOLERANCE, True, False),
            (0.5 * ALLOWED * length, True, False), (0.99 * ALLOWED * length, True, False),
            (1.01 * ALLOWED * length + OUT_OF_PLANE_TOLERANCE, False, False),
        ):  # fmt: skip
            pose = robot.tip(own)
            pose[:3, 3] += rng.choice([-1, 1]) * beside * np.array(robot.arm.plane[:3, 2])
            left, found = solved(robot, pose, own)
            assert left == is_left, f'{robot.text}, {own}, {beside}'
            assert is_at(robot, found, pose) == is_in


def tilted(robot, own, tilt):
    """Joint positions with the axis of the wrist perpendicular to the yaw axis; their pose, turned
    about the yaw axis, so that the plane sees that axis out of it by an angle [rad]; and how far
    outwards the wrist center is."""
    whole, naming = robot.arm.whole, robot.arm.naming
    plane, wrist = whole.carrier.plane, whole.wrist
    along_x, along_y = plane.yaw.along
    level = math.atan2(-along_x, along_y) + wrist.phi_at_zero
    q1, q2, _ = naming.arm_angles(own)
    own = robot.bent(own, 2, level - q1 - q2)
    pose, turn = robot.tip(own), tilt
    angle = robot.arm.whole_naming.angles_of_rows(np.array([[*own.values()]]))[0, 0]
    for _ in range(20):
        turned = pose.copy()
        turned[:3, :3] = rotation_by(plane.yaw_axis, turn) @ pose[:3, :3]
        rows = turned[:3, :3].tolist()
        found = plane.shoulders(wrist.center_at(tuple(turned[:3, 3]), rows))
        one = min((one for one, _ in found), key=lambda one: same_angle(one.yaw, angle))
        (posture,) = wrist.postures(wrist.sight(rows), one.yaw)
        turn *= tilt / posture.tilt
    return own, turned, abs(plane.yaw.from_axis(one.point)[0])


def test_tilted_poses_whose_elbow_is_next_to_straight_are_left_if_correction_finds_more():
    """The sine of the elbow times the distance from base to wrist, over the reach, is then below
    the rounding of orientations over what counts as on a limit."""
    rng, checked = np.random.default_rng(3), 0
    for robot, own in free_robots(rng, [(True, 1)], cases(600, least=20)):
        planar = robot.arm.whole.carrier.planar
        flat = ROUNDING / ON_LIMIT * planar.max_reach / sum(planar.link_lengths[:2])
        for share, is_flat in ((0.5, True), (0.85, True), (1.15, False), (2.0, False)):
            bent = robot.bent(own, 1, rng.choice([-1, 1]) * share * flat)
            there, pose, _ = tilted(robot, bent, 1.2 * LEVEL)
            is_left, found = solved(robot, pose, there)
            if not is_near_axis(robot, there):
                assert is_left == is_flat, f'{robot.text}, {there}'
                assert is_left or is_at(robot, found, pose)
                checked += 1
    assert checked


def test_tilts_next_to_what_is_allowed_are_left_and_larger_ones_are_refused():
    """From half of that on. The plane may see a tilt as larger than what is needed. Next to the yaw
    axis, all tilts are left."""
    rng, checked, others = np.random.default_rng(4), 0, 0
    for robot, own in free_robots(rng, [(True, 1)], cases(600, least=20)):
        own, pose, outwards = tilted(robot, own, 2.0 * LEVEL)
        tool = robot.arm.whole.wrist.length
        if outwards < much_turned_within(tool, ALLOWED):
            assert solved(robot, pose, own)[0]
        if is_near_axis(robot, own):
            continue
        most = most_seen(tool, ALLOWED, outwards)
        for tilt, is_left, is_taken in (
            (2.0 * LEVEL, False, True), (0.48 * ALLOWED, False, True),
            (0.55 * ALLOWED, True, False), (1.001 * ALLOWED, True, False),
            (ALLOWED + 0.5 * (most - ALLOWED), True, False),
            (ALLOWED + 1.3 * (most - ALLOWED), False, False),
        ):  # fmt: skip
            there, pose, _ = tilted(robot, own, tilt)
            left, found = solved(robot, pose, there)
            assert left >= is_left, f'{robot.text}, {there}, {tilt}'
            assert left or is_at(robot, found, pose, 1.01 * tilt) == is_taken
            checked, others = checked + 1, others + (left and not is_left)
    assert checked and others <= SELDOM * checked


def test_poses_with_a_joint_on_its_limit_are_left():
    """So are tilted ones, in which a joint may pass it."""
    rng = np.random.default_rng(6)
    for robot in random_robots(rng, cases(200, least=8), 1, [(True, 1), (True, 2)]):
        for name in robot.arm.commanded_joints:
            joint = robot.arm.tree.movable_joints[name]
            for end in filter(math.isfinite, (joint.lower, joint.upper)):
                own = {**robot.drawn(rng), name: end}
                pose = robot.tip(own)
                assert solved(robot, pose, own)[0], f'{robot.text}, {own}'
                if not robot.arm.whole.wrist.has_two:
                    pose[:3, :3] = rotation_by(direction(rng), 1e-3) @ pose[:3, :3]
                    is_left, found = solved(robot, pose, own)
                    assert is_left or is_at(robot, found, pose, ALLOWED), f'{robot.text}, {pose}'


def limited(robot, name, lower, upper):
    """The same robot with limits of a joint."""
    tree = ElementTree.fromstring(robot.text)
    element = tree.find(f"joint[@name='{name}']")
    element.set('type', 'revolute')
    for old in element.findall('limit'):
        element.remove(old)
    ElementTree.SubElement(element, 'limit', lower=str(lower), upper=str(upper), velocity='1')
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


def test_tilted_poses_are_left_if_the_tilt_might_turn_joint_1_past_its_limit():
    """It moves the third joint by its angle times the length of tool and last link. That turns
    joint 1 by up to the sum of its links times this, over four times the area of their triangle."""
    rng, checked, others, tilt = np.random.default_rng(8), 0, 0, 2.0 * LEVEL
    for free, own in free_robots(rng, [(True, 1)], cases(400, least=8)):
        angle = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.005, 0.03))
        own, pose, _ = tilted(free, free.bent(own, 1, angle), tilt)
        if is_near_axis(free, own) or solved(free, pose, own)[0]:
            continue
        link_1, link_2, link_3 = free.arm.whole.carrier.planar.link_lengths
        arm_of_force = (link_1 + link_2) / (2.0 * link_1 * link_2 * math.sin(abs(angle)))
        turned = tilt * (link_3 + free.arm.whole.wrist.length) * arm_of_force
        for share, is_left in ((1.0, True), (1e4, False)):
            robot = limited(free, 'j1', own['j1'] - share * turned, own['j1'] + 2.0)
            left, found = solved(robot, pose, own, 1e4 * tilt)  # little of it can be used up
            assert left >= is_left, f'{robot.text}, {own}'
            assert left or is_at(robot, found, pose, 1.01 * tilt)
            checked, others = checked + 1, others + (left > is_left)
    assert checked and others <= SELDOM * checked


def test_tilted_poses_that_no_tilt_brings_within_reach_are_not_left():
    """The arm is stretched, and its tip is moved on by three times what a tilt might move it."""
    rng, checked, left = np.random.default_rng(9), 0, 0
    for robot, own in free_robots(rng, [(True, 1)], cases(600, least=20)):
        whole, naming = robot.arm.whole, robot.arm.whole_naming
        plane, tool = whole.carrier.plane, whole.wrist.length
        own, pose, outwards = tilted(robot, robot.bent(own, 1, 0.0), 2.0 * LEVEL)
        if is_near_axis(robot, own):
            continue
        most = tool * (1.0 + abs(plane.yaw.aside) / outwards) + whole.carrier.planar.link_lengths[2]
        yaw, q1, *_ = naming.angles_of_rows(np.array([[*own.values()]]))[0].tolist()
        base, ahead = plane.point_at(0.0, 0.0, yaw), plane.point_at(math.cos(q1), math.sin(q1), yaw)
        pose[:3, 3] += 3.0 * ALLOWED * most * np.subtract(ahead, base)
        is_left, found = solved(robot, pose, own)
        assert found is None or is_at(robot, found, pose, ALLOWED)
        checked, left = checked + (found is None), left + is_left
    assert checked and left <= SELDOM * checked


def test_a_larger_tilt_than_the_plane_needs_may_bring_joints_inside_their_limits():
    """Then columns leave the pose to the code for one target; else they agree with it."""
    rng, left = np.random.default_rng(7), 0
    for robot in random_robots(rng, cases(2000, least=40), 2, [(True, 1)]):
        own = robot.drawn(rng, 2)
        pose = robot.tip(own)
        turned = rotation_by(direction(rng), rng.uniform(0.1, 0.45) * ALLOWED)
        point, rotation = pose[:3, 3], turned @ pose[:3, :3]
        pose[:3, :3] = rotation
        asked = {'seed': seed_of(robot, own), 'orientation_mode': 'fixed'}
        is_left, found = solved(robot, pose, own)
        one = robot.arm.solve(point, rotation=rotation, tilt_tolerance=ALLOWED, **asked)
        assert is_left or (found is None) == (one is None), f'{robot.text}, {pose}'
        assert is_left or found is None or gap(found, one) <= 1e-6, f'{robot.text}, {pose}'
        left += is_left and one is not None
    assert left


def test_links_without_length_and_floors_are_left_to_the_code_for_one_target():
    robot = random_robot(np.random.default_rng(5), True, 2)
    whole, own = robot.arm.whole, robot.drawn(np.random.default_rng(6))
    pose = robot.tip(own)
    near = robot.arm.whole_naming.angles_of_rows(np.array([[*own.values()]])) + 0.1
    planar = whole.carrier.planar
    for other in (
        PlanarArm((0.3, 0.3, 0.0)), PlanarArm((0.0, 0.3, 0.2)), PlanarArm((0.3, 1e-9, 0.2)),
        replace(planar, floor=Floor(-9.0, 0.0)),
    ):  # fmt: skip
        arm = replace(whole, carrier=replace(whole.carrier, planar=other))
        found, doubtful = FullPoseBatch(arm).solve(pose[np.newaxis], near, Policy(), ALLOWED)
        assert doubtful.all() and np.isnan(found).all()
