# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Streams of full poses: no wrist flips along a path where none is needed."""

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import (
    KINDS,
    SHIPPED,
    drawn_on_axis,
    gap,
    least_motion,
    pose_of,
    random_robots,
    shipped_robots,
    singular,
    turned_away,
)

from ik_circles.control import Settings, Target, decide
from ik_circles.spatial.points.ways import TILT_TOLERANCE as TILT

STEPS = 40
#: The largest change of a joint from one target to the next [rad].
STEP = 0.02
#: Where every motion of the tip takes no larger one of the joints than this many times as much,
#: a path is clear of singular places [1].
CLEAR = 0.02
SAME = 1e-6  # [rad]
#: Joints that keep the branch move by no more than this many times what the path asks for [1].
MOST = 4.0
MODES = ['preferred', 'fixed']


def smooth_path(robot, rng, own=None):
    """Joint positions on a curve inside the limits, which starts at some of them."""
    start, end, aside = (robot.drawn(rng) for _ in range(3))
    start = own or start
    shares = np.linspace(0.0, 1.0, 2001)
    names = list(start)
    a, b, c = (np.array([one[name] for name in names]) for one in (start, end, aside))
    # A curve of Bezier stays between its three points, and so inside the limits.
    rows = [(1 - s) ** 2 * a + 2.0 * s * (1 - s) * c + s**2 * b for s in shares]
    path = [rows[0]]
    for row in rows:
        if np.abs(row - path[-1]).max() >= STEP:
            path.append(row)
    return [dict(zip(names, map(float, row))) for row in path[:STEPS]]


def followed(robot, path, mode, seed):
    """The commands for the poses of joint positions, each from the command before."""
    for own in path:
        decision = decide(
            robot.arm, Settings(orientation_mode=mode), Target(*pose_of(robot, own)), seed
        )
        assert decision.command is not None, (robot.text, own, decision.message)
        yield own, seed, decision.command
        seed = decision.command


def check_kept(robot, rng):
    """Away from singular places, the commands are the joint positions of the path themselves. With
    one wrist joint, a tilt that is allowed may take less than they do."""
    path = smooth_path(robot, rng)
    some = followed(robot, path, rng.choice(MODES), path[0])
    for number, (own, before, command) in enumerate(some):
        if least_motion(robot, own) < CLEAR:
            return number
        if gap(command, own) > SAME:
            (_, turned), (_, wanted) = pose_of(robot, command), pose_of(robot, own)
            assert SAME < turned_away(turned, wanted) <= TILT, (robot.text, path[: number + 1])
            assert gap(command, before) < gap(own, before)
            return number
    return len(path)


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_law_random_arms_keep_their_wrist_along_a_smooth_path(kind):
    rng, followed_for = np.random.default_rng(0), []
    for robot in random_robots(rng, cases(300, least=8), each=2, kinds=[kind]):
        followed_for.append(check_kept(robot, rng))
    assert sum(followed_for) > 5 * len(followed_for)


@pytest.mark.parametrize('name', SHIPPED)
def test_law_shipped_arms_keep_their_wrist_along_a_smooth_path(name):
    robot, rng = shipped_robots()[name], np.random.default_rng(1)
    followed_for = [check_kept(robot, rng) for _ in range(cases(100, least=4))]
    assert sum(followed_for) > 5 * len(followed_for)


def through(robot, rng, middle, hits):
    """A path on which the wrist passes joint positions in the middle, and is there or not; None if
    it leaves the limits, or if there is no middle."""
    if middle is None:
        return None
    rates = {one: float(rng.uniform(-1.0, 1.0)) for one in middle}
    rates[robot.arm.wrist_joints[0]] = float(rng.choice([-1.0, 1.0]))
    numbers = np.arange(-STEPS // 4, STEPS // 4 + 1) + (0.0 if hits else 0.5)
    path = [
        {one: angle + STEP * float(number) * rates[one] for one, angle in middle.items()}
        for number in numbers
    ]
    return path if all(map(is_inside(robot), path)) else None


def is_inside(robot):
    return lambda own: all(low <= own[name] <= high for name, (low, high) in robot.limits.items())


def check_passed(robot, rng, middle, hits):
    """From one target to the next no joint moves much farther than on the path, whose wrist does
    not flip; how many of them there were."""
    path = through(robot, rng, middle, hits)
    if path is None:
        return 0
    for own, before, command in followed(robot, path, rng.choice(MODES), path[0]):
        most = MOST * (gap(own, before) + STEP)
        assert gap(command, before) <= most, (robot.text, path[0], path[-1], own)
    return len(path)


@pytest.mark.parametrize('hits', [True, False])
@pytest.mark.parametrize('yaw', [True, False])
def test_law_random_arms_pass_singular_wrists_without_a_flip(yaw, hits):
    rng, passed = np.random.default_rng(2), 0
    for robot in random_robots(rng, cases(800, least=30), each=2, kinds=[(yaw, 2)]):
        passed += check_passed(robot, rng, singular(robot, robot.drawn(rng), rng, 0.0), hits)
    assert passed > cases(800)


@pytest.mark.parametrize('hits', [True, False])
@pytest.mark.parametrize('count', [1, 2])
def test_law_random_arms_have_the_wrist_center_pass_the_yaw_axis_without_a_flip(count, hits):
    """Of 596 paths with a pose exactly there, 18 had a joint jump, such as by 0.3 rad."""
    rng, passed = np.random.default_rng(9), 0
    robots = random_robots(rng, cases(800, least=24), each=2, kinds=[(True, count)], on_axis=True)
    for robot in robots:
        passed += check_passed(robot, rng, drawn_on_axis(robot, rng), hits)
    assert passed > cases(800)


@pytest.mark.parametrize('hits', [True, False])
def test_law_a_ur5e_passes_singular_wrists_without_a_flip(hits):
    robot, rng = shipped_robots()['ur5e'], np.random.default_rng(3)
    middles = (singular(robot, robot.drawn(rng), rng, 0.0) for _ in range(cases(200, least=6)))
    assert sum(check_passed(robot, rng, one, hits) for one in middles) > cases(800)
