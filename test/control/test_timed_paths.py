# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Timing along paths: limits, the line, rest at both ends, and times near to the shortest."""

import math

import numpy as np
import pytest
from law_cases import cases
from motions import RandomChain, check_limits, random_limits
from test_joint_moves import trapezoid
from three_joints import shipped_arms

from ik_circles.control.chains import chain_of
from ik_circles.control.motion import Chain, MotionLimits, along
from ik_circles.control.refusals import Refusal
from ik_circles.errors import IkCirclesError
from ik_circles.geometry.rigid import rotation_about
from ik_circles.reasons import Code

ARMS = shipped_arms()
#: A joint at the origin that swings a tip at 1 m.
SWING = Chain([(0.0, 0.0, 1.0)], [(0.0, 0.0, 0.0)], (1.0, 0.0, 0.0))
#: Places looked at along a trajectory.
LOOKS = 400


def wave(random, joints):
    """A smooth path in joint space, at most 2 rad from 0."""
    sizes = random.normal(size=(3, joints)) * 10.0 ** random.uniform(-3.0, 0.0)
    phases = random.uniform(-math.pi, math.pi, (3, joints))
    frequencies = np.arange(1, 4)[:, None] * random.uniform(0.2, 3.0)
    most = max(1.0, np.abs(sizes).sum(axis=0).max() / 2.0)
    return lambda share: tuple((sizes * np.sin(frequencies * share + phases)).sum(axis=0) / most)


def from_polygon(point, corners):
    """The distance of a point from a polygon."""
    starts, ways = corners[:-1], np.diff(corners, axis=0)
    squares = np.maximum(np.sum(ways * ways, axis=1), 1e-300)
    shares = np.clip(np.sum((point - starts) * ways, axis=1) / squares, 0.0, 1.0)
    return np.min(np.linalg.norm(starts + shares[:, None] * ways - point, axis=1))


def check_path(trajectory, path, limits):
    """From rest to rest within the limits, through places on the path."""
    check_limits(trajectory, limits)
    for waypoint, share in zip(trajectory.waypoints, trajectory.shares):
        assert waypoint.positions == pytest.approx(path(share), abs=1e-12)
        assert trajectory.share(waypoint.time) == pytest.approx(share, abs=1e-12)
    assert list(trajectory.shares) == sorted(trajectory.shares)
    for waypoint in (trajectory.waypoints[0], trajectory.waypoints[-1]):
        assert not any(waypoint.velocities)


def check_line(trajectory, tip, tolerance):
    """The tip is near to the polygon of its places at waypoints."""
    corners = np.array([tip(waypoint.positions) for waypoint in trajectory.waypoints])
    times = np.linspace(0.0, trajectory.duration, LOOKS)
    far = max(from_polygon(tip(trajectory.at(time)[0]), corners) for time in times)
    assert far <= tolerance


def test_a_joint_may_stay_on_its_limit():
    chain = Chain([(0.0, 0.0, 1.0)] * 2, [(0.0, 0.0, 0.0)] * 2, (1.0, 0.0, 0.0))
    limits = MotionLimits([1.0, 1.0], [1.0, 1.0], [(-1.0, 1.0), None])
    for end in (-1.0, 1.0):
        check_limits(along(lambda share, at=end: (at, share), limits, chain), limits)
    assert MotionLimits([1.0], [1.0], np.array([[-1.0, 1.0]])).ranges == ((-1.0, 1.0),)


def test_a_straight_way_of_one_joint_is_a_trapezoid():
    random = np.random.default_rng(0)
    for _ in range(cases(300)):
        way = 10.0 ** random.uniform(-3.0, 0.5)
        limits = random_limits(random, 1, endless=1.0)
        found = along(lambda share, way=way: (way * share,), limits, SWING)
        check_limits(found, limits)
        least = trapezoid(way, *limits.velocities, *limits.accelerations)
        assert least * (1.0 - 1e-9) <= found.duration <= 1.05 * least + 0.01


@pytest.mark.parametrize('seed', range(cases(400, 60)))
def test_any_smooth_path_is_followed_within_every_limit(seed):
    random = np.random.default_rng(seed)
    joints = random.integers(1, 7)
    robot, path = RandomChain(random, joints), wave(random, joints)
    limits = random_limits(random, joints)
    limits = MotionLimits(limits.velocities, limits.accelerations, [(-2.5, 2.5)] * joints)
    tolerance = 10.0 ** random.uniform(-4.5, -3.0)
    end = random.uniform(0.1, 1.0)
    found = along(path, limits, robot.chain, end=end, tolerance=tolerance)
    assert found.shares[-1] == end
    check_path(found, path, limits)
    check_line(found, robot.tip, tolerance)


@pytest.mark.parametrize('seed', range(cases(200, 40)))
def test_corners_that_are_not_given_are_rounded_within_the_tolerance(seed):
    """The tip is near to the polygon of the corners, as their joint positions are."""
    random = np.random.default_rng(seed)
    joints = random.integers(1, 4)
    robot, corners = RandomChain(random, joints), random.uniform(-0.3, 0.3, (4, joints))
    shares = np.array([0.0, *np.sort(random.uniform(0.1, 0.9, 2)), 1.0])

    def path(share):
        return tuple(np.interp(share, shares, column) for column in corners.T)

    limits = random_limits(random, joints, endless=1.0)
    tolerance = 10.0 ** random.uniform(-4.0, -2.0)
    found = along(path, limits, robot.chain, tolerance=tolerance)
    check_path(found, path, limits)
    check_line(found, robot.tip, tolerance)


class HeldLine:
    """A line of the tip in the arm's plane, its orientation held; the solution nearest by."""

    def __init__(self, arm, random):
        self.names = list(arm.joints)
        bent = {
            one.name: random.uniform(max(one.lower, -1.5), min(one.upper, 1.5))
            for one in arm.joints.values()
        }
        self.arm = arm.holding({name: bent[name] for name in arm.wrist_joints})
        self.phi = sum(self.arm.naming.arm_angles(bent))
        self.start = self.tip(bent.values())
        way = random.normal(size=2)
        rotation = rotation_about(np.array([0.0, 0.0, 1.0]), bent.get(arm.yaw_joint, 0.0))
        self.way = 0.05 * rotation @ arm.plane[:3, :2] @ way / np.linalg.norm(way)
        self.known = {0.0: bent}

    def tip(self, positions):
        return self.arm.forward_kinematics(dict(zip(self.names, positions)))[:3, 3]

    def path(self, share):
        near = self.known[min(self.known, key=lambda known: abs(known - share))]
        found = self.arm.inverse_kinematics(self.start + share * self.way, self.phi, seed=near)
        kept = [{**near, **one} for one in found]
        if not kept:
            raise LookupError(share)
        best = min(kept, key=lambda one: math.dist(one.values(), near.values()))
        if math.dist(best.values(), near.values()) > 0.3:
            raise LookupError(share)
        self.known[share] = best
        return tuple(best[name] for name in self.names)


@pytest.mark.parametrize('name', ARMS)
def test_the_tip_of_an_arm_stays_on_a_straight_line(name):
    arm, random, followed = ARMS[name], np.random.default_rng(0), 0
    count, lines = len(arm.joints), cases(3, 1)
    limits = MotionLimits([1.0] * count, [5.0] * count)
    for _ in range(100):
        try:
            line = HeldLine(arm, random)
            for share in np.linspace(0.0, 1.0, 65).tolist():
                line.path(share)
        except LookupError:
            continue
        found = along(line.path, limits, chain_of(arm))
        check_limits(found, limits)
        length = np.linalg.norm(line.way)
        for time in np.linspace(0.0, found.duration, LOOKS // 4):
            off = line.tip(found.at(time)[0]) - line.start
            assert np.linalg.norm(np.cross(off, line.way)) / length <= 1e-4
            assert -1e-4 <= off @ line.way / length <= length + 1e-4
        followed += 1
        if followed == lines:
            break
    assert followed == lines


def test_a_line_of_20_cm_needs_few_samples():
    """A planar arm; the tip goes away from the base, its orientation held."""
    asked = []

    def path(share):
        asked.append(share)
        bend = math.acos((0.05 + 0.2 * share) / 0.3)
        return (bend, -2.0 * bend, bend)

    chain = Chain([(0.0, 0.0, 1.0)] * 3, [(0.15 * n, 0.0, 0.0) for n in range(3)], (0.4, 0.0, 0.0))
    found = along(path, MotionLimits([2.0] * 3, [8.0] * 3), chain)
    check_path(found, path, MotionLimits([2.0] * 3, [8.0] * 3))
    assert len(asked) <= 100 + len(found.waypoints)
    assert len(found.waypoints) <= 100


def test_to_the_edge_of_the_workspace_where_joints_move_without_bound():
    """The elbow becomes straight: its angle goes as the root of the way that is left."""
    def path(share):
        bend = math.acos(0.5 + 0.5 * share)
        return (bend, -2.0 * bend)

    robot = Chain([(0.0, 0.0, 1.0)] * 2, [(0.0, 0.0, 0.0), (0.2, 0.0, 0.0)], (0.4, 0.0, 0.0))

    def tip(positions):
        first, both = positions[0], sum(positions)
        return 0.2 * np.array([math.cos(first) + math.cos(both), math.sin(first) + math.sin(both)])

    limits = MotionLimits([1.0, 1.0], [5.0, 5.0])
    found = along(path, limits, robot)
    check_path(found, path, limits)
    check_line(found, tip, 1e-4)
    assert max(abs(tip(found.at(t)[0])[1]) for t in np.linspace(0, found.duration, LOOKS)) <= 1e-4
    assert found.duration <= 1.1 * trapezoid(math.pi / 1.5, 1.0, 5.0)


def corner(share):
    """Joint 1, then joint 2."""
    return (min(share, 0.4), max(share, 0.4))


TWO = Chain([(0.0, 0.0, 1.0), (0.0, 1.0, 0.0)], [(0.0, 0.0, 0.0), (0.3, 0.0, 0.0)], (0.6, 0.0, 0.0))


def test_the_arm_rests_in_a_corner_that_is_given_and_rounds_another():
    limits = MotionLimits([1.0, 1.0], [2.0, 2.0])
    stopping = along(corner, limits, TWO, breaks=(0.4,))
    check_path(stopping, corner, limits)
    at = stopping.shares.index(0.4)
    assert not any(stopping.waypoints[at].velocities)
    assert stopping.waypoints[at].positions == (0.4, 0.4)
    least = trapezoid(0.4, 1.0, 2.0) + trapezoid(0.6, 1.0, 2.0)
    assert least <= stopping.duration <= 1.05 * least
    rounding = along(corner, limits, TWO)
    check_path(rounding, corner, limits)
    assert rounding.duration < stopping.duration * 1.1


def test_a_path_may_turn_back():
    limits = MotionLimits([1.0], [2.0], [(-0.1, 1.0)])

    def path(share):
        return (math.sin(math.pi * share),)

    found = along(path, limits, SWING)
    check_path(found, path, limits)
    assert found.duration <= 1.1 * 2.0 * trapezoid(1.0, 1.0, 2.0)


@pytest.mark.parametrize('size', (0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-4))
def test_small_paths_are_followed(size):
    limits = MotionLimits([1.0, 1.0], [5.0, 5.0])
    found = along(lambda share: (share * size, 1.0 - share * size), limits, TWO)
    check_limits(found, limits) if size else None
    assert found.waypoints[0].positions == (0.0, 1.0)
    assert found.waypoints[-1].positions == (size, 1.0 - size)
    assert found.duration <= 3.0 * math.sqrt(size / 5.0) + 0.01
    assert found.shares[-1] == 1.0
    for waypoint, share in zip(found.waypoints, found.shares, strict=True):
        assert waypoint.positions[0] == pytest.approx(share * size, abs=size / 4.0)


def test_a_way_of_no_more_than_rounding_that_comes_back_is_no_motion():
    limits = MotionLimits([1.0], [5.0])
    found = along(lambda share: (1e-8 * math.sin(math.pi * share),), limits, SWING)
    assert found.duration == 0.0
    assert len(found.waypoints) == 1


def test_a_path_may_wait():
    def path(share):
        return (math.sin(2.0 * max(0.0, share - 0.77)) + math.sin(min(share, 0.31)), share > 2.0)

    limits = MotionLimits([1.0, 1.0], [5.0, 5.0])
    found = along(path, limits, TWO)
    check_path(found, path, limits)
    assert found.duration <= 1.1 * trapezoid(path(1.0)[0], 1.0, 5.0)
    both = along(lambda share: (min(max(share, 0.3), 0.6), 1.0), limits, TWO)
    assert both.waypoints[0].positions == (0.3, 1.0)
    assert both.waypoints[-1].positions == (0.6, 1.0)
    assert both.duration <= 1.1 * trapezoid(0.3, 1.0, 5.0)


def test_a_path_that_jumps_or_leaves_the_limits_is_refused():
    limits = MotionLimits([1.0, 1.0], [5.0, 5.0], [(-1.0, 0.75), None], ['pan', 'lift'])
    for pace in (0.0, 0.5):
        with pytest.raises(Refusal, match=r'the path jumps near its share 0\.3') as refusal:
            along(lambda share, pace=pace: (pace * share, float(share > 0.3)), limits, TWO)
        assert refusal.value.code == Code.JUMP
    rough = np.random.default_rng(0)
    with pytest.raises(Refusal, match='the path jumps'):
        along(lambda share: (share / 2.0, rough.normal(scale=0.1)), limits, TWO)
    with pytest.raises(Refusal, match=r'pan at 0\.7.* is past its limit .*share 0') as refusal:
        along(lambda share: (share, 0.0), limits, TWO)
    assert refusal.value.code == Code.JOINT_LIMIT


@pytest.mark.parametrize(
    ('keywords', 'words'),
    (
        ({'tolerance': 0.0}, 'tolerance is 0.0 m'),
        ({'end': math.nan}, 'end is nan'),
        ({'end': 0.0}, 'end 0.0'),
        ({'end': -0.5}, 'end -0.5'),
    ),
)
def test_what_cannot_be_asked_of_a_path_is_said(keywords, words):
    with pytest.raises(IkCirclesError, match=words):
        along(corner, MotionLimits([1.0, 1.0], [5.0, 5.0]), TWO, **keywords)
