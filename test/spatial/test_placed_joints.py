# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Steps of a chain to a pose: they are the motion that leads there, to first order."""

import math

import numpy as np
import pytest
from hinge_chains import pose_of_chain, random_chain
from law_cases import cases
from spatial_arms import rotation_by

from ik_circles.spatial.true_axes.hinges import LARGEST_STEP, HingeChain
from ik_circles.spatial.true_axes.pose_rows import PoseRows

#: A small motion [rad], and what its square leaves of it.
SMALL, SQUARE = 1e-5, 1e-8
#: Numbers of joints, and of the coordinates of the tip that count: with those of a turn, there are
#: as many joints as that, or fewer.
WHOLE, PARTS = [(6, 3), (5, 2)], [(5, 3), (4, 2)]


def jacobian(chain, angles, count):
    """How each joint moves and turns the tip, in columns, by small motions each way."""
    columns = []
    for step in SMALL * np.eye(len(angles)):
        (place, there), (before, back) = (
            pose_of_chain(chain, angles + step),
            pose_of_chain(chain, angles - step),
        )
        turn = there @ back.T
        spin = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
        columns.append([*(place - before)[:count], *np.divide(spin, 2.0)])
    return np.array(columns).T / (2.0 * SMALL)


def drawn(rng, joints, number, count=3):
    """Chains with angles from which every motion moves or turns the tip well."""
    while number:
        chain, angles = random_chain(rng, joints), rng.uniform(-3.0, 3.0, joints)
        ways = jacobian(chain, angles, count)
        if np.linalg.svd(ways[:count])[1][-1] > 0.3 and np.linalg.svd(ways)[1][-1] > 0.1:
            number -= 1
            yield chain, angles, ways


@pytest.mark.parametrize(('joints', 'count'), WHOLE)
def test_a_step_to_a_pose_is_the_motion_that_leads_there(joints, count):
    """Also if only some of the joints have moved, and the others are kept."""
    rng = np.random.default_rng(joints)
    for chain, angles, _ in drawn(rng, joints, cases(200), count):
        for kept in (0, 1, 2):
            free = sorted(rng.choice(joints, joints - kept, replace=False).tolist())
            motion = SMALL * rng.uniform(-1.0, 1.0, joints - kept)
            moved = angles.copy()
            moved[free] += motion
            place, rotation = pose_of_chain(chain, moved)
            step = chain.placed(angles).step_to(tuple(place), rotation.tolist(), free, count)
            np.testing.assert_allclose(step, motion, rtol=0.0, atol=SQUARE)


@pytest.mark.parametrize(('joints', 'count'), PARTS)
def test_with_fewer_joints_the_place_is_met_and_what_is_left_turns_the_tip_as_near_as_it_can(
    joints, count
):
    rng = np.random.default_rng(joints)
    for chain, angles, ways in drawn(rng, joints, cases(200), count):
        moves, turns = ways[:count], ways[count:]
        place, rotation = pose_of_chain(chain, angles)
        missed, away = (SMALL * rng.uniform(-1.0, 1.0, size) for size in (count, 3))
        turn = rotation_by(away / np.linalg.norm(away), np.linalg.norm(away))
        target = place + np.pad(missed, (0, 3 - count), constant_values=7.0)  # the last is not met
        rows = (turn @ rotation).tolist()
        for free in (np.arange(joints), rng.choice(joints, count, replace=False)):
            step = chain.placed(angles).step_to(tuple(target), rows, free.tolist(), count)
            np.testing.assert_allclose(moves[:, free] @ step, missed, rtol=0.0, atol=SQUARE)
            still = np.linalg.svd(moves[:, free])[2][count:]  # the motions that leave the place
            left = still @ turns[:, free].T @ (away - turns[:, free] @ step)
            np.testing.assert_allclose(left, 0.0, rtol=0.0, atol=SQUARE)


def test_away_from_singular_places_a_step_needs_no_singular_values(monkeypatch):
    """Those take longer."""
    some = [*drawn(np.random.default_rng(7), 6, cases(100))]
    monkeypatch.setattr(np.linalg, 'svd', None)
    for chain, angles, _ in some:
        place, rotation = pose_of_chain(chain, angles + SMALL)
        step = chain.placed(angles).step_to(tuple(place), rotation.tolist(), range(6), 3)
        np.testing.assert_allclose(step, SMALL, rtol=0.0, atol=SQUARE)


def test_two_joints_on_one_axis_share_its_motion_and_a_joint_that_does_nothing_stays():
    rng, checked = np.random.default_rng(1), 0
    for chain, angles, _ in drawn(rng, 6, cases(200)):
        motion = SMALL * rng.uniform(-1.0, 1.0, 6)
        motion[3] = motion[2]
        hinges = list(chain.hinges)
        hinges[3] = hinges[2]._replace(angle=hinges[3].angle)
        twin = HingeChain(tuple(hinges), chain.measured)
        place, rotation = pose_of_chain(twin, angles + motion)
        ways = np.delete(jacobian(twin, angles, 3), 3, 1)
        if np.linalg.svd(ways)[1][-1] < 0.1:
            continue
        step = twin.placed(angles).step_to(tuple(place), rotation.tolist(), range(6), 3)
        np.testing.assert_allclose(step, motion, rtol=0.0, atol=SQUARE)
        checked += 1
    assert checked


def test_where_all_joints_lead_counts_moves_as_shares_of_the_length_of_all_links():
    rng = np.random.default_rng(2)
    for joints, count in (*WHOLE, *PARTS):
        for chain, angles, ways in drawn(rng, joints, cases(100), count):
            motion = SMALL * rng.uniform(-1.0, 1.0, joints)
            place, rotation = pose_of_chain(chain, angles + motion)
            columns, wanted = chain.placed(angles).all_to(tuple(place), rotation.tolist(), count)
            corners = [hinge.point for hinge in chain.hinges]
            lengths = sum(map(math.dist, corners, [*corners[1:], chain.measured]))
            ways[:count] /= lengths
            np.testing.assert_allclose(columns, ways, rtol=0.0, atol=1e-8)
            np.testing.assert_allclose(wanted, ways @ motion, rtol=0.0, atol=SQUARE)


def longer_link(chain, joint, share):
    """The chain with the link after a joint longer by a share of its length across the axis."""
    hinge, after = chain.hinges[joint], chain.hinges[joint + 1]
    link = np.subtract(after.point, hinge.point)
    way = share * (link - np.dot(link, hinge.axis) * np.array(hinge.axis))
    later = [
        one._replace(point=tuple((one.point + way).tolist())) for one in chain.hinges[joint + 1 :]
    ]
    measured = tuple((chain.measured + way).tolist())
    return HingeChain((*chain.hinges[: joint + 1], *later), measured)


def test_a_link_that_slides_is_as_much_longer_as_the_pose_needs():
    rng, checked = np.random.default_rng(3), 0
    for chain, angles, _ in drawn(rng, 6, cases(300)):
        joint, motion = int(rng.integers(5)), SMALL * rng.uniform(-1.0, 1.0, 6)
        share, changed = SMALL * rng.uniform(-1.0, 1.0, 2)
        motion[joint] = 0.0
        place, rotation = pose_of_chain(longer_link(chain, joint, share + changed), angles + motion)
        ways = jacobian(longer_link(chain, joint, share), angles, 3)
        aside, there = (
            pose_of_chain(longer_link(chain, joint, one), angles)[0] for one in (0.0, 1.0)
        )
        ways[:, joint] = [*(there - aside), 0.0, 0.0, 0.0]
        if np.linalg.svd(ways)[1][-1] < 0.1:
            continue
        asked = tuple(place.tolist()), rotation.tolist(), 3
        step = chain.step_with_slide(angles, joint, share, *asked)
        motion[joint] = changed
        np.testing.assert_allclose(step, motion, rtol=0.0, atol=SQUARE)
        checked += 1
        far = pose_of_chain(chain, angles + 1.0)
        step = chain.step_with_slide(angles, joint, share, tuple(far[0]), far[1].tolist(), 3)
        assert max(map(abs, step)) <= LARGEST_STEP * (1.0 + 1e-9)
    assert checked


def test_a_last_link_as_much_longer_as_is_said_comes_nearest():
    rng = np.random.default_rng(4)
    for _ in range(cases(200)):
        chain, angles = random_chain(rng, 4), rng.uniform(-3.0, 3.0, 4)
        target, last = rng.normal(size=3), chain.hinges[-1]
        short = chain.short_of(angles, tuple(target.tolist()))
        link = np.subtract(chain.measured, last.point)
        link -= np.dot(link, last.axis) * np.array(last.axis)
        link /= np.linalg.norm(link)

        longer = HingeChain(chain.hinges, tuple((chain.measured + short * link).tolist()))
        missed = target - pose_of_chain(longer, angles)[0]
        *_, rotation = pose_of_chain(chain, angles)
        assert rotation @ link @ missed == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(('joints', 'count'), WHOLE + PARTS)
def test_rows_are_corrected_as_one_by_one(joints, count):
    rng = np.random.default_rng(5)
    for chain, own, _ in drawn(rng, joints, cases(100), count):
        rows, free = PoseRows(chain, count), [(-10.0, 10.0)] * joints
        starts = own + rng.uniform(-1e-3, 1e-3, (3, joints))
        others = own + rng.uniform(-1e-3, 1e-3, (3, joints))
        poses = [pose_of_chain(chain, one) for one in others]
        targets, rotations = np.array([one for one, _ in poses]), [turn for _, turn in poses]
        found = rows.corrected(starts, targets, np.array(rotations))
        assert found.settled.all()
        np.testing.assert_allclose(found.moved, np.abs(found.angles - starts).max(axis=1))
        for start, angles, left, (place, turn) in zip(
            starts, found.angles, found.turned_away, poses
        ):
            one = chain.posed(start, free, tuple(place.tolist()), turn.tolist(), count)
            np.testing.assert_allclose(angles, one, rtol=0.0, atol=1e-9)
            there, its = pose_of_chain(chain, angles)
            np.testing.assert_allclose(there[:count], place[:count], rtol=0.0, atol=1e-12)
            apart = math.asin(np.linalg.norm(its - turn) / math.sqrt(8.0)) * 2.0
            assert left == (0.0 if joints == count + 3 else pytest.approx(apart, abs=1e-9))


def test_rows_that_start_far_from_their_poses_or_where_joints_do_nothing_are_not_settled():
    rng = np.random.default_rng(6)
    for chain, own, _ in drawn(rng, 6, cases(100)):
        (place, turn), nothing = pose_of_chain(chain, own), [chain.hinges[0]] * 6
        asked = place[np.newaxis], turn[np.newaxis]
        far = PoseRows(chain, 3).corrected((own + 2.0)[np.newaxis], *asked)
        assert (
            not far.settled.any()
            or math.dist(pose_of_chain(chain, far.angles[0])[0], place) <= 1e-9
        )
        still = PoseRows(HingeChain(tuple(nothing), chain.measured), 3)
        assert not still.corrected(np.zeros((1, 6)), *asked).settled.any()
