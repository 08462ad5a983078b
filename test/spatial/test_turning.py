# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Turns of an ordinary pose's joints, against all turns that there are."""

import math

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import pose_of, random_robots, without_limits

from ik_circles.geometry.angles import CONTINUOUS, TURN
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE
from ik_circles.spatial.poses import ordinary, turning
from ik_circles.spatial.poses.ordinary import OrdinaryPoses
from ik_circles.spatial.poses.turning import (
    NotOrdinaryError,
    Range,
    Turning,
    all_turned,
    clearly_turned,
    is_far_past,
    turned,
)
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.wrist import MOST_ROOM

#: How far past a limit a joint may be by rounding only [rad]; angles are drawn next to limits, too.
WINDOW, NEXT = 1e-6, 3e-6


def drawn(rng):
    """Limits, an angle, and one to be near to [rad]: often next to where it is decided."""
    limits = CONTINUOUS
    if rng.random() < 0.8:
        lower = rng.choice([-math.pi, 0.0, rng.uniform(-7.0, 3.0)])
        limits = float(lower), float(lower + rng.choice([TURN, rng.uniform(0.0, 3.0 * TURN)]))
    angle, near = rng.uniform(-10.0, 10.0, 2)
    if rng.random() < 0.5 and limits != CONTINUOUS:
        angle = rng.choice(limits) + rng.uniform(-NEXT, NEXT) + TURN * rng.integers(-2, 3)
    return limits, float(angle), float(near)


def turns_of(angle):
    return angle + TURN * np.arange(-8, 9)


def expected(limits, angle, near):
    """The nearest turn inside, None, or the error if that might be another one by rounding."""
    found = set()
    for window in (0.0, WINDOW):
        turns = turns_of(angle)
        inside = turns[(limits[0] - window <= turns) & (turns <= limits[1] + window)]
        nearest = min(inside, key=lambda one: abs(one - near), default=None)
        found.add(nearest if nearest is None else round(float(np.clip(nearest, *limits)), 9))
    return found


def by(find, angle, near, its):
    """The turn that one of them gives for a joint, in some with another one before it."""
    wide = Range.of(CONTINUOUS)
    some = Turning(Whole(near, (0.0,) * 3, (0.5, near)), its, [wide] * 3, (wide, its))
    match find:
        case 'clearly_turned':
            return (clearly_turned(angle, near, its),)
        case 'turned':
            return turned((9.0, angle), (0.5, near), (wide, its))
        case 'all_turned':
            return (all_turned(((angle,),), (near,), (its,)) or [None])[0]
        case 'yaw':
            return some.yaw(angle)
    return some.wrist((9.0, angle))


@pytest.mark.parametrize('find', ['clearly_turned', 'turned', 'all_turned', 'yaw', 'wrist'])
def test_the_nearest_of_all_turns_inside_the_limits_is_found_if_rounding_does_not_decide(find):
    rng, seen = np.random.default_rng(0), [0, 0, 0]
    for _ in range(cases(8000)):
        limits, angle, near = drawn(rng)
        told = expected(limits, angle, near)
        try:
            found = by(find, angle, near, Range.of(limits, WINDOW))
        except NotOrdinaryError:
            assert len(told) == 2
            seen[2] += 1
            continue
        if len(told) == 2:
            assert find == 'all_turned' and found is None
        elif found is None or found[-1] is None:
            assert told == {None}
            seen[0] += 1
        else:
            assert abs(abs(found[-1] - near) - math.pi) < 1e-9 or told == {round(found[-1], 9)}
            if len(found) == 2:
                assert found[0] == pytest.approx(9.0 - TURN)  # nearest to 0.5
            seen[1] += 1
    assert min(seen[:2]) > 0 and (seen[2] or find == 'all_turned')


def test_by_the_window_past_a_limit_rounding_may_have_put_a_joint_there():
    its = Range.of((0.0, 1.0), 0.25)
    for angle, beyond in ((-0.25, -0.250001), (1.25, 1.250001)):
        with pytest.raises(NotOrdinaryError):
            clearly_turned(angle, 0.5, its)
        assert clearly_turned(beyond, 0.5, its) is None


def test_one_configuration_without_a_turn_leaves_none():
    its = Range.of((0.0, 1.0))
    assert all_turned([(0.5,), (1.0,)], (0.2,), [its]) == [(0.5,), (1.0,)]
    assert all_turned([(0.5,), (2.0,)], (0.2,), [its]) is None
    assert all_turned([], (0.2,), [its]) == []


def test_far_past_is_past_every_turn_by_more_than_a_room():
    rng, seen = np.random.default_rng(1), set()
    for _ in range(cases(4000)):
        limits, angle, _ = drawn(rng)
        if limits != CONTINUOUS and rng.random() < 0.5:
            angle = limits[1] + MOST_ROOM + rng.choice([-1.0, 1.0]) * NEXT
        turns = turns_of(angle)
        past = float(np.maximum(limits[0] - turns, turns - limits[1]).min())
        assert is_far_past(angle, Range.of(limits)) == (past > MOST_ROOM)
        seen.add(past > MOST_ROOM)
    assert seen == {False, True}
    assert not is_far_past(MOST_ROOM, Range.of((0.0, 0.0)))


def test_a_turn_that_is_inside_is_given_to_the_last_bit(monkeypatch):
    """At the ends of the limits, and exactly half a turn below, too; no other turns are tried. Nor
    are they for a joint that is clearly past its limits."""
    monkeypatch.setattr(turning, 'nearest_turn', None)
    its = Range.of((-math.pi, math.pi))
    assert clearly_turned(2.0, 0.5, Range.of((0.0, 1.0))) is None
    for angle in (-math.pi, 0.25, math.pi):
        for near in (angle - 3.0, angle, angle + math.pi):
            assert clearly_turned(angle, near, its) == angle
            assert turned((angle,), (near,), (its,)) == (angle,)
            some = Turning(Whole(near, (near,) * 3, (near,)), its, (its,) * 3, (its,))
            assert some.yaw(angle) == some.wrist((angle,)) == (angle,)
            lower, upper, *_ = some.three[2]
            assert lower <= angle <= upper


@pytest.mark.parametrize('kind', [(True, 2), (False, 1)])
def test_a_pose_with_all_joints_exactly_on_their_limits_needs_no_turn(monkeypatch, kind):
    """Without turns, the angles are what the triangle gives; then they are made the limits."""
    rng, seen = np.random.default_rng(2), 0

    def turning_gives(found):
        for module in (ordinary, turning):
            monkeypatch.setattr(module, 'clearly_turned', found)

    for robot in random_robots(rng, cases(100, least=2), each=1, kinds=[kind]):
        one = without_limits(robot)
        arm, (point, rotation) = one.arm.whole, pose_of(one, one.drawn(rng))
        asked = point, arm.wrist.sight(rotation.tolist())
        turning_gives(lambda angle, *_: angle)
        for own in arm.ordinary.of_exact_axes(*asked, None, 0.0, OUT_OF_PLANE_TOLERANCE) or []:
            turning_gives(lambda *_: None)
            near = arm.of_angles(own)
            for side in (-1.0, 1.0):
                limits = [tuple(sorted((angle, angle + side))) for angle in own]
                poses = OrdinaryPoses(arm.carrier, arm.wrist, limits, arm.home, arm.chain, 0.0)
                assert own in poses.of_exact_axes(*asked, near, 0.0, OUT_OF_PLANE_TOLERANCE)
                seen += 1
    assert seen
