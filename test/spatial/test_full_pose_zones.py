# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where full poses may have the tip: in a plane that no joint turns, and inside the safe zones."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, limit, robot
from spatial_arms import rotation_by
from wrist_robots import gap, pose_of, random_robot, random_robots, singular

from ik_circles import SafeZones, load_arm
from ik_circles.control import Settings, Target, decide
from ik_circles.errors import InvalidSettingError
from ik_circles.planar.selection import Policy
from ik_circles.reasons import Code
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import Question, Wanted
from ik_circles.spatial.poses.whole_floor import phis_in_zones

THREE = (
    joint('j1', 0, 1, 'revolute', (0, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
    joint('j2', 1, 2, 'revolute', (0.4, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
    joint('j3', 2, 3, 'revolute', (0.3, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
)
ROLLING = robot(
    *THREE,
    joint('roll', 3, 4, 'revolute', (0.05, 0, 0), (0, 0, 0), (1, 0, 0), limit(-2, 2)),
    joint('tool', 4, 5, 'fixed', (0.1, 0, 0), (0, 0, 0), (1, 0, 0), ''),
)
#: The tip may be farther from the third joint than the two links reach.
LONG = robot(
    joint('j1', 0, 1, 'revolute', (0, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
    joint('j2', 1, 2, 'revolute', (0.1, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
    joint('j3', 2, 3, 'revolute', (0.07, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
    joint('w1', 3, 4, 'revolute', (0.15, 0, 0), (0, 0, 0), (1, 0, 0), limit(-2, 2)),
    joint('w2', 4, 5, 'revolute', (0, 0, 0), (0, 0, 0), (0, 0, 1), limit(-2, 2)),
    joint('tool', 5, 6, 'fixed', (0.2, 0.1, 0), (0, 0, 0), (1, 0, 0), ''),
)
AT = {'j1': 0.3, 'j2': 0.5, 'j3': -0.4, 'roll': 0.2}


def test_a_pose_beside_the_plane_is_out_of_plane():
    """0.3 m above the table: it was said to be reached, and the arm was sent below it."""
    arm = load_arm(ROLLING)
    pose = arm.forward_kinematics(AT)
    point = tuple((pose[:3, 3] + (0.0, 0.0, 0.3)).tolist())
    told = arm.check_reachability(point, rotation=pose[:3, :3])
    assert told.code is Code.OUT_OF_PLANE and told.margin == pytest.approx(-0.3)
    assert arm.solve(point, rotation=pose[:3, :3], seed=AT) is None
    assert decide(arm, Settings(), Target(point, pose[:3, :3]), AT).command is None


def test_no_answer_is_beside_the_plane_by_more_than_the_tolerance():
    rng, codes = np.random.default_rng(0), set()
    kinds = [(False, 1), (False, 2)]
    for one in random_robots(rng, cases(2000), kinds=kinds):
        arm, own = one.arm, one.drawn(rng)
        point, rotation = pose_of(one, own)
        normal, room = arm.plane[:3, 2], 10.0 ** rng.uniform(-5.0, -2.0)
        beside = room * rng.choice([0.5, 3.0, 100.0])
        point = tuple((np.array(point) + beside * normal).tolist())
        told = arm.check_reachability(point, rotation=rotation, out_of_plane_tolerance=room)
        codes.add(told.code)
        assert told.reachable or beside > room
        for found in (*told.solutions, told.solve()):
            if found is not None:
                assert math.dist(pose_of(one, found)[0], point) <= room + 1e-9
    assert {Code.OK, Code.OUT_OF_PLANE} <= codes


def in_zones(arm, found, margin):
    """Whether the tip is inside the safe zones of the arm with the wrist as it is found."""
    held = arm.holding(found)
    tip = held.arm.forward_kinematics(held.naming.arm_angles(found))
    try:
        zones = SafeZones.of(held.arm, margin)
    except InvalidSettingError:
        return False  # it leaves no zones
    return zones.contains(math.hypot(tip.x, tip.y), held.arm.tolerance)


def test_the_tip_of_a_full_pose_keeps_the_margin_of_the_safe_zones():
    rng, kept, refused = np.random.default_rng(1), 0, 0
    for one in random_robots(rng, cases(2000)):
        arm, own = one.arm, one.drawn(rng)
        point, rotation = pose_of(one, own)
        width = (arm.arm.max_reach - arm.arm.min_reach) / 2.0
        margin = rng.uniform(0.0, rng.choice([0.5, 0.95])) * width
        zones = SafeZones.of(arm.arm, margin)
        told = arm.check_reachability(point, rotation=rotation, zones=zones)
        every = arm.inverse_kinematics(point, rotation=rotation)
        inside = [found for found in every if in_zones(arm, found, margin)]
        assert told.solutions == inside
        kept, refused = kept + bool(inside), refused + (not inside)
        code = told.code  # other wrists may leave no room for the margin
        if not inside and code is Code.ORIENTATION:
            assert 'safe zone margin of' in told.message
    assert kept > cases(200) and refused > cases(100)


def test_a_singular_wrist_takes_a_member_of_its_family_that_keeps_the_margin():
    """Only the member nearest to where the arm is was looked at: poses were refused that others of
    the family take. The family's own members are the oracle."""
    rng, own_zones, others = np.random.default_rng(2), 0, 0
    kinds = [(True, 2), (False, 2)]
    for one in random_robots(rng, cases(2000, least=200), each=2, kinds=kinds):
        own = singular(one, one.drawn(rng), rng, 0.0)
        if own is None:
            continue
        arm, (point, rotation) = one.arm, pose_of(one, own)
        held = arm.holding(own).arm
        away = math.hypot(*held.forward_kinematics(arm.holding(own).naming.arm_angles(own))[:2])
        margin = min(away - held.min_reach, held.max_reach - away) - 10.0 ** rng.uniform(-6.0, -2.0)
        if margin <= 0.0 or 2.0 * margin > arm.arm.max_reach - arm.arm.min_reach:
            continue
        zones = SafeZones.of(arm.arm, margin)
        told = arm.check_reachability(point, rotation=rotation, zones=zones)
        assert told.reachable, (own, told.message)
        assert gap(told.solve(own), own) < 1e-6, own
        assert all(in_zones(arm, found, margin) for found in told.solutions)
        member = arm.solve(point, rotation=rotation)
        others += member is not None and not in_zones(arm, member, margin)
        own_zones += 1
    assert own_zones > cases(400) and others


def slack_in_zones(arm, center, tip, phi, margin):
    """How far the tip is inside the safe zones with the last link at `phi` [m]."""
    first, second, three = arm.carrier.planar.link_lengths
    last = math.dist(tip, (center[0] - three * math.cos(phi), center[1] - three * math.sin(phi)))
    least = max(abs(first - second) - last, last - first - second, 0.0)
    away = math.hypot(*tip)
    return min(first + second + last - margin - away, away - least - margin)


def test_phis_in_zones_are_all_that_keep_the_margin_and_no_others():
    """Against a dense search. At the ends the tip is past the zones, but within the tolerance."""
    rng, angles = np.random.default_rng(5), np.linspace(-math.pi, math.pi, 100)
    seen, ended, arms = set(), 0, [load_arm(LONG)]
    for _ in range(cases(800, least=40)):
        arms += [random_robot(rng, False, 2).arm, arms[0]]
    for arm in (one.whole for one in arms for _ in range(3)):
        wrist = tuple(rng.uniform(-3.0, 3.0, 2).tolist())
        planar = arm.carrier.planar
        size = planar.max_reach * rng.choice([0.05, 0.3, 1.0])
        center = tuple((rng.normal(size=2) * size).tolist())
        margin = float(rng.choice([0.0, 0.01, 0.1, 0.3]) * planar.max_reach)
        tip = np.add(center, arm.tip_in_plane_from_center(0.0, wrist)).tolist()
        found = phis_in_zones(arm, center, wrist, margin)
        for phi in angles:
            slack = slack_in_zones(arm, center, tip, phi, margin)
            is_in = any((phi - lower) % math.tau <= upper - lower for lower, upper in found)
            assert is_in == (slack >= 0.0) or abs(slack) < 1e-6, (arm, center, phi)
            seen.add(is_in)
        for lower, upper in found:
            for end in (lower, upper):
                slack = slack_in_zones(arm, center, tip, end, margin)
                assert slack > -planar.tolerance
                ended += slack < 0.0
    assert seen == {True, False} and ended


def test_a_tip_in_the_wrist_center_keeps_the_margin_with_every_orientation_or_with_none():
    """The arm is then the two links of 0.4 m and 0.3 m and a last one of 0.25 m."""
    arm = load_arm(robot(
        *THREE,
        joint('w1', 3, 4, 'revolute', (0.25, 0, 0), (0, 0, 0), (1, 0, 0), limit(-2, 2)),
        joint('w2', 4, 5, 'revolute', (0, 0, 0), (0, 0, 0), (0, 0, 1), limit(-2, 2)),
        joint('tool', 5, 6, 'fixed', (0, 0, 0), (0, 0, 0), (1, 0, 0), ''),
    )).whole  # fmt: skip
    every = phis_in_zones(arm, (0.5, 0.0), (0.3, 0.2), 0.1)
    assert sum(upper - lower for lower, upper in every) == pytest.approx(math.tau)
    assert phis_in_zones(arm, (0.0, 0.9), (0.3, 0.2), 0.1) == []


def test_a_limit_is_the_reason_with_a_margin_too():
    arm = load_arm(ROLLING)
    pose = arm.forward_kinematics(AT | {'roll': 2.0 + math.radians(10.0)})
    point, rotation = tuple(pose[:3, 3].tolist()), pose[:3, :3]
    for margin in (0.0, 0.01):
        told = arm.check_reachability(point, rotation=rotation, zones=SafeZones.of(arm.arm, margin))
        assert 'roll would exceed its upper limit by 10.0 deg' in told.message


def test_a_margin_that_the_wrist_center_could_not_keep_is_no_error():
    """To the wrist center, the last link is so short that the margin leaves no ring of it."""
    arm = load_arm(ROLLING)
    pose = arm.forward_kinematics(AT)
    for margin in np.linspace(0.05, 0.4, 8):
        decision = decide(arm, Settings(safe_zone_margin=float(margin)), Target(
            tuple(pose[:3, 3].tolist()), pose[:3, :3]), AT)
        assert decision.code in (Code.OK, Code.TOO_FAR, Code.TOO_CLOSE)
        assert math.isfinite(decision.margin) and decision.message


def test_the_margin_of_a_full_pose_is_that_of_its_wrist_center():
    """As the carrier's own verdict on that has it, whichever shoulders reach it."""
    rng, codes = np.random.default_rng(4), []
    for one in random_robots(rng, cases(1500), each=3, kinds=[(True, 1), (True, 2)]):
        point, rotation = pose_of(one, one.drawn(rng))
        rotation = rotation_by((0.0, 0.0, 1.0), rng.choice([0.0, 0.0, 0.5])) @ rotation
        told, whole = one.arm.check_reachability(point, rotation=rotation), one.arm.whole
        if told.position_reachable:
            center = whole.wrist.center_at(point, rotation.tolist())
            phis = [sum(one.arm.whole_naming.whole(each).q) for each in told.solutions[:1]]
            wanted = Wanted(center, *(phis or [None]))
            of_center = SpatialReachability(Question(whole.carrier, wanted))
            assert told.margin == pytest.approx(of_center.margin, abs=1e-9)
            codes.append(told.code)
    assert codes.count(Code.OK) > cases(800) and codes.count(Code.ORIENTATION) > cases(150)


def test_a_full_pose_out_of_reach_slides_as_its_point_alone_with_the_same_wrist():
    """The zones leave the nearest point many orientations. None of them is asked for."""
    rng, slid = np.random.default_rng(7), 0
    for one in random_robots(rng, cases(800, least=20), each=2):
        arm, own = one.arm, one.drawn(rng)
        point, rotation = pose_of(one, own)
        far = tuple((3.0 * np.array(point)).tolist())
        zones = SafeZones.of(arm.arm, 0.05 * (arm.arm.max_reach - arm.arm.min_reach))
        told = arm.check_reachability(far, rotation=rotation, zones=zones)
        if told.nearest is None or told.position_reachable:
            continue
        wrist = {name: told.nearest_joint_positions[name] for name in arm.wrist_joints}
        alone = arm.holding(wrist).check_reachability(far, zones=zones)
        chosen, its = (answer.solve_nearest(own, Policy(), False) for answer in (told, alone))
        assert gap(chosen, its) <= 1e-9
        slid += 1
    assert slid > cases(300)
