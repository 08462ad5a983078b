# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Chains whose axes lean are in a pose: that they pick it is known to first order of the lean."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by

from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain
from ik_circles.spatial.true_axes.singular_wrist import SAME_SIDE, picked_of

LEAN = 1e-6  # [rad, m]
#: A member is off by what is beyond the first order, and by more next to another one [rad].
AWAY, NEXT, AWAY_THERE, TURNED_THERE = 2e-3, 0.1, 0.05, 1e-4
NORMAL = (0.0, 0.0, 1.0)


def leaned(rng, axis, point):
    """A joint that is nearly where it should be, measured at any angle."""
    about = rng.normal(size=3)
    axis = rotation_by(about / np.linalg.norm(about), LEAN) @ axis
    point = point + LEAN * rng.uniform(-1.0, 1.0, 3)
    return Hinge(tuple(axis.tolist()), tuple(point.tolist()), rng.uniform(-3.0, 3.0))


def flat(rng):
    """A place in the plane, or a way [m]."""
    return np.array([*rng.uniform(-0.4, 0.4, 2), 0.0])


def chain_in_a_pose(rng, outwards, aside, off=LEAN):
    """A chain, its angles with the wrist up to `off` from singular [rad], and the elbow.

    The wrist center is `outwards` from the yaw axis, which is `aside` the plane [m]. There is no
    yaw joint if `outwards` is None.
    """
    first_wrist = rotation_by(NORMAL, rng.uniform(-3.0, 3.0)) @ (1.0, 0.0, 0.0)
    places = np.cumsum([flat(rng) for _ in range(4)], axis=0)
    three = [leaned(rng, NORMAL, place) for place in places[:3]]
    wrist = [leaned(rng, axis, places[3]) for axis in (first_wrist, NORMAL)]
    changes = [*rng.uniform(-3.0, 3.0, 3), off * rng.uniform(-1.0, 1.0), rng.uniform(-3.0, 3.0)]
    tip = tuple((places[3] + rng.uniform(-0.1, 0.1, 3)).tolist())
    hinges, (one, other, _) = (*three, *wrist), np.diff(places, axis=0)
    if outwards is not None:
        angles = [hinge.angle + change for hinge, change in zip(hinges, changes)]
        x, _, _ = HingeChain(hinges[:3], tuple(places[3].tolist())).tip(angles[:3])
        foot = np.array([x - outwards, rng.uniform(-0.2, 0.2), -aside])
        hinges = (leaned(rng, (0.0, 1.0, 0.0), foot), *hinges)
        changes.insert(0, rng.uniform(-3.0, 3.0))
    angles = [hinge.angle + change for hinge, change in zip(hinges, changes)]
    side = rotation_by(NORMAL, changes[-4]) @ other
    return HingeChain(hinges, tip), angles, int(np.cross(one, side)[2] > 0.0)


def check_picked(chain, angles, elbow, turned, is_near, most=SAME_SIDE, sure=3e-2 * LEAN):
    """The pose is among those picked, seen from a yaw angle a little before its own [rad]."""
    wanted = sum(angles[-5:-2])
    target, rotation = chain.tip(angles), chain.rotation(angles)
    found = list(picked_of(chain, angles[0] - turned, target, rotation, most, is_near))
    off = [abs(math.remainder(one.phi - wanted, math.tau)) for one in found]
    assert elbow in {one.elbow for one in found}
    away, own = min((o, one) for o, one in zip(off, found) if one.elbow == elbow)
    is_alone = sum(o < NEXT for o in off) == 1
    assert away < (AWAY if is_alone else AWAY_THERE)
    assert abs(own.turned - turned) < (sure if is_alone else max(sure, TURNED_THERE))


def test_an_arm_without_a_yaw_joint_picks_its_pose():
    rng = np.random.default_rng(0)
    for _ in range(cases(800)):
        check_picked(*chain_in_a_pose(rng, None, 0.0), 0.0, False)


def test_an_arm_picks_its_pose_and_its_yaw_angle():
    rng = np.random.default_rng(1)
    for _ in range(cases(800)):
        outwards = rng.choice([-1.0, 1.0]) * rng.uniform(0.1, 0.5)
        own = chain_in_a_pose(rng, outwards, rng.uniform(-0.1, 0.1))
        check_picked(*own, LEAN * rng.uniform(-3.0, 3.0), False)


@pytest.mark.parametrize('aside', [0.0, 0.1])
def test_next_to_the_yaw_axis_or_its_circle_an_arm_picks_its_pose_and_its_yaw_angle(aside):
    rng = np.random.default_rng(2)
    for _ in range(cases(800)):
        own = chain_in_a_pose(rng, 1e-3 * rng.uniform(-1.0, 1.0), rng.choice([-1.0, 1.0]) * aside)
        check_picked(*own, LEAN * rng.uniform(-3.0, 3.0), True)


def test_on_the_yaw_axis_an_arm_picks_its_pose_and_its_yaw_angle_whatever_the_wrist():
    """Seen from where the last axis is nearest to the normal of the plane."""
    rng = np.random.default_rng(3)
    for _ in range(cases(800)):
        chain, angles, elbow = chain_in_a_pose(rng, LEAN * rng.uniform(-1.0, 1.0), 0.0, 1.0)
        x, _, z = np.array(chain.rotation(angles)) @ chain.hinges[-1].axis
        upright = chain.hinges[0].angle + math.atan2(x, z)
        turned = (angles[0] - upright + math.pi / 2.0) % math.pi - math.pi / 2.0
        if abs(abs(turned) - abs(angles[-2] - chain.hinges[-2].angle)) > 1e-3:  # else hardly known
            check_picked(chain, angles, elbow, turned, True, math.pi / 2.0, 1e-2)
