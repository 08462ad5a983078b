# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a point, with the wrist held anywhere: margin and nearest against a dense search,
and the message that says where the wrist is held."""

import math

import numpy as np
import pytest
from law_cases import cases
from screw_solver import Awkward, ScrewSolver
from spatial_arms import direction
from wrist_robots import KINDS, SHIPPED, random_robots, shipped_robots

CLOSES = 1e-9  # [m]
#: Orientations that are tried at each point, and those where none of them works.
SOME, MANY = 720, 40_000
DIRECTIONS = 16
#: Shares of the distance to the edge: clearly inside of it, and clearly past it [1].
WITHIN, PAST = 0.9, 1.1
#: A margin below this is left out: the search is not that dense [m].
LEAST = 5e-3


class Search:
    """Whether an arm with its wrist held has its tip at a point: tries orientations in the plane.

    It knows of the robot only how each joint moves the tip, and the limits.
    """

    def __init__(self, robot, wrist):
        solver = ScrewSolver(robot)
        tip = robot.tip(wrist)[:3, 3]
        solver.center = tip  # the plane through the tip
        one, two, three = solver.places
        across = np.cross(solver.normal, [*np.eye(3)[np.argmin(np.abs(solver.normal))]])
        across /= np.linalg.norm(across)
        self.axes, self.solver = (across, np.cross(solver.normal, across)), solver
        self.first, self.wrist_at = one, wrist
        self.links = [self.flat(v) for v in (two - one, three - two, tip - three)]
        count = len(solver.names) - len(wrist)
        self.limits = solver.limits[:count]

    def flat(self, vector):
        """A vector in the plane as a complex number."""
        x, y = self.axes
        return complex(vector @ x, vector @ y)

    def reaches(self, point):
        return self.tried(point, SOME) or self.tried(point, MANY)

    def tried(self, point, count):
        phis = np.linspace(0.0, math.tau, count, endpoint=False)
        for yaw, back in self.solver.planes(point):
            if self.solver.yaw is not None and not _inside(np.array([yaw]), self.limits[0]).any():
                continue
            if self._in_plane(self.flat(back(point) - self.first), phis):
                return True
        return False

    def _in_plane(self, place, phis):
        upper, fore, last = self.links
        third = place - last * np.exp(1j * phis)
        size = abs(upper) * abs(fore)
        cosine = (np.abs(third) ** 2 - abs(upper) ** 2 - abs(fore) ** 2) / (2.0 * size)
        third, phis, cosine = (some[np.abs(cosine) <= 1.0] for some in (third, phis, cosine))
        for sign in (-1.0, 1.0):
            bend = sign * np.arccos(cosine) - np.angle(fore / upper)
            first = np.angle(third / (upper + fore * np.exp(1j * bend)))
            angles = first, bend, phis - first - bend
            works = np.ones(len(phis), bool)
            for angle, turned, limits in zip(angles, self.solver.signs, self.limits[-3:]):
                works &= _inside(turned * angle, limits)
            if works.any():
                return True
        return False


def _inside(angles, limits):
    lower, upper = limits
    if upper == math.inf:
        return np.ones(len(angles), bool)
    return (angles - lower) % math.tau <= upper - lower


def held_at(robot, own):
    """The robot's arm with its wrist held where joint positions have it, and that wrist."""
    arm = robot.arm.holding({name: own[name] for name in robot.arm.wrist_joints})
    return arm, arm.wrist_at  # next to 0, it stays there


def around(robot, rng):
    """A direction in which the tip can be asked for: in the plane if no joint turns it."""
    if robot.arm.yaw_joint is not None:
        return direction(rng)
    angle, plane = rng.uniform(-math.pi, math.pi), robot.arm.plane
    return math.cos(angle) * plane[:3, 0] + math.sin(angle) * plane[:3, 1]


def check_outside(robot, arm, wrist, told, point, search, rng):
    """Nothing is nearer than `nearest`, which is there, and the message names the wrist."""
    found = told.nearest_joint_positions
    assert {name: found[name] for name in wrist} == wrist
    assert robot.miss(found, told.nearest[:3]) <= CLOSES
    assert math.dist(told.nearest[:3], point) == pytest.approx(-told.margin, abs=CLOSES)
    at = [f'{name} at {math.degrees(angle):.1f} deg' for name, angle in wrist.items()]
    assert told.message.endswith('; with ' + ' and '.join(at).replace('-0.0', '0.0'))
    for _ in range(DIRECTIONS):
        away = -told.margin * WITHIN * rng.uniform(0.5, 1.0)
        assert not search.tried(point + away * around(robot, rng), SOME)


def check_inside(robot, told, point, search, rng):
    """Everything nearer than the margin is reached. Whether something farther away is not, in a
    plane that no joint turns; True elsewhere. A gap in the workspace may be too small to be found.
    """
    assert '; with ' not in told.message
    if told.margin < LEAST:
        return True
    for _ in range(DIRECTIONS):
        assert search.reaches(point + told.margin * WITHIN * around(robot, rng))
    if robot.arm.yaw_joint is not None:
        return True
    some = (point + told.margin * PAST * around(robot, rng) for _ in range(20 * DIRECTIONS))
    return any(not search.reaches(one) for one in some)


def check_margin(robot, rng):
    """A point of the arm's own with its wrist held, or one beside it: its margin, and whether it is
    no less than it has to be; None in an awkward place."""
    own = robot.drawn(rng)
    arm, wrist = held_at(robot, own)
    away = float(rng.choice([0.0, 0.1, 0.5])) * arm.arm.max_reach
    point = robot.tip({**own, **wrist})[:3, 3] + away * around(robot, rng)
    is_tight = True
    told, search = arm.check_reachability(tuple(point.tolist())), Search(robot, wrist)
    try:
        if told.reachable:
            is_tight = check_inside(robot, told, point, search, rng)
        else:
            check_outside(robot, arm, wrist, told, point, search, rng)
    except Awkward:
        return None
    return told.margin, is_tight


def check_both(some):
    margins, tight = zip(*filter(None, some))
    assert max(margins) > LEAST and min(margins) < 0.0
    assert sum(tight) >= 0.9 * len(tight)


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_law_the_margin_is_that_of_the_point_with_the_wrist_held(kind):
    rng = np.random.default_rng(0)
    robots = random_robots(rng, cases(800, least=24), each=2, kinds=[kind])
    check_both([check_margin(one, rng) for one in robots if not one.arm.whole.is_leaning])


@pytest.mark.parametrize('name', SHIPPED)
def test_law_the_margin_of_a_shipped_arm_is_that_of_the_point_with_the_wrist_held(name):
    robot, rng = shipped_robots()[name], np.random.default_rng(1)
    check_both([check_margin(robot, rng) for _ in range(cases(300, least=12))])
