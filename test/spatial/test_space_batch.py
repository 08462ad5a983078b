# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Batches in space answer as the single calls do, shoulder by shoulder."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    SHORT,
    axis_of,
    checked,
    direction,
    limits_of,
    random_arm,
    ranges,
    somewhere,
    spatial_arm,
    tips,
    yaw_joint,
)

from ik_circles import Code, PlanarArm
from ik_circles.planar.batch.crossings import NEXT_TO_OUTLINE
from ik_circles.spatial.batch import points as batch
from ik_circles.spatial.batch.points import SpatialBatch
from ik_circles.spatial.batch.shoulders import outwards_of
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.true_axes.at_position import NEARBY
from ik_circles.spatial.true_axes.bounds import Bounds

ARMS = cases(300, 40)
TURN = 2.0 * math.pi
LEAN = 1e-6  # [m] of slack
BESIDE = 1e-6  # [m] that a point may be beside a plane that no joint turns
PAST = (0.0, 1e-15, -1e-12, 1e-9, -1e-6, 1e-5)  # [rad] of a yaw angle past its limit
#: [m] off a plane without slack, and with it.
OFF = *(BESIDE * (1.0 + more) for more in (-1e-9, 1e-9)), 1e-9, 1e-3
OFF_IF_LEANING = tuple(off + LEAN for off in OFF)


def arms(rng, count):
    """Fixed, with yaw limits, continuous or with more than a turn; beside the axis or not; with
    slack now and then."""
    for number in range(count):
        limits = (None, limits_of(rng), FREE, limits_of(rng, 12.0))[number % 4]
        arm = random_arm(rng, number % 8 >= 4, limits)
        slack = LEAN if number % 3 == 0 else 0.0
        yield spatial_arm(arm.planar, arm.yaw, arm.plane.pose, slack=slack)


def points_at_boundaries(rng, arm):
    """Next to the outline, to yaw limits, to the yaw axis, to the plane; and very far away."""
    reach, lower_and_upper = arm.planar.max_reach, ranges(arm)[0]
    for arc in arm.planar.workspace_boundary().arcs:
        off = reach * rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-13.0, -2.0)
        angle = arc.start + arc.sweep * rng.choice([0.0, 1.0, rng.uniform()])
        place = arc._replace(radius=arc.radius + off).point_at(angle)
        turned = float(rng.choice([*lower_and_upper, rng.uniform(*lower_and_upper)]))
        yield arm.plane.point_at(*place, 0.0 if arm.yaw is None else turned + rng.choice(PAST))
    for _ in range(4):
        if arm.yaw is None:
            off = rng.choice([-1, 1]) * rng.choice(OFF_IF_LEANING if arm.plane.slack else OFF)
            yield arm.plane.in_space(*rng.uniform(-reach, reach, 2), off)
        else:
            axis, through = axis_of(arm)
            beside = np.cross(axis, direction(rng))
            beside /= np.linalg.norm(beside)
            beside *= abs(arm.yaw.aside) + rng.choice([0.0, 10.0 ** rng.uniform(-16.0, -2.0)])
            yield through + axis * rng.uniform(-reach, reach) + beside
    yield 1e300, -1e300, 1e300
    yield 1e9, 2.0, 3.0


def assert_same(arm, points):
    """The same codes; the same margins, or certified ones beside the yaw axis and with slack."""
    answers, shares = SpatialBatch(arm).check(points), SpatialBatch(arm).dexterity(points)
    slack = arm.plane.slack
    is_exact = slack == 0.0 and (arm.yaw is None or arm.yaw.holds_axis)
    for number, point in enumerate(points.tolist()):
        one, margin = checked(arm, point), float(answers.margin[number])
        told = f'{arm.planar}, {arm.yaw}, {slack}, {point}: {one!r}, margins {one.margin}, {margin}'
        assert answers.code[number] == one.code, told
        rounding = 1e-12 * (10.0 * arm.planar.max_reach + abs(margin))
        if is_exact or one.reachable:
            assert abs(margin - one.margin) <= rounding, told
        else:
            assert one.margin - rounding - slack <= margin <= 0.0, told
        widths = [upper - lower for lower, upper in one.orientation_intervals]
        share = 0.0 if one.code is Code.OUT_OF_PLANE else sum(widths) / TURN
        assert shares[number] == pytest.approx(share, abs=1e-6), told


@pytest.fixture
def left(monkeypatch):
    """The points of batches that are left to the code for one target."""
    points = []

    def counted(question):
        points.append(question.point)
        return SpatialReachability(question)

    monkeypatch.setattr(batch, 'SpatialReachability', counted)
    return points


def test_hardly_any_point_is_left_to_the_code_for_one_target(left):
    """Nor is one that is nearer to the yaw axis than the plane. Else batches are as slow as that.
    """
    rng, count = np.random.default_rng(6), 0
    for arm in arms(rng, ARMS):
        points = np.array([somewhere(rng, arm) for _ in range(20)])
        SpatialBatch(arm).check(points)
        SpatialBatch(arm).dexterity(points)
        count += 2 * len(points)
        if arm.yaw is not None and not arm.yaw.holds_axis:
            axis, through = axis_of(arm)
            inside = abs(arm.yaw.aside) * rng.uniform(0.1, 0.9) * np.cross(axis, direction(rng))
            before, reach = len(left), arm.planar.max_reach
            heights = np.linspace(-reach, reach, 50)[:, np.newaxis]
            codes = SpatialBatch(arm).check(through + heights * axis + inside).code
            assert (codes == Code.TOO_CLOSE).all() and len(left) == before
    assert len(left) <= 0.002 * count


def points_away(rng, arm, share):
    """Points a share of the window away from the outline, from where turning ends, and from where
    the plane touches the yaw axis."""
    plane, bounds, reach = arm.plane, Bounds(arm.planar, arm.plane), arm.planar.max_reach
    limits = (0.0, 0.0) if arm.yaw is None else np.clip(arm.yaw.limits, -3.0, 3.0)
    for arc in arm.planar.workspace_boundary().arcs:
        angle = arc.start + arc.sweep * rng.uniform(0.1, 0.9)
        away = NEXT_TO_OUTLINE * reach + NEARBY * bounds.at(arm.outwards(arc.point_at(angle)))
        away *= share * rng.choice([-1, 1])
        place = arc._replace(radius=arc.radius + away).point_at(angle)
        yield plane.point_at(*place, rng.uniform(*limits))
    if arm.yaw is not None:
        window, heights = NEXT_TO_OUTLINE * reach + NEARBY * plane.slack, rng.uniform(-0.5, 0.5, 2)
        for end in arm.yaw.ends():
            here = arm.yaw.in_plane(rng.uniform(0.2, 1.0) * reach, heights[0])
            point, around = plane.point_at(*here, end), plane.point_at(*here, end + 1e-3)
            across = np.subtract(around, point) / math.dist(around, point)
            yield point + share * window * across
        axis, through = axis_of(arm)
        out = np.cross(axis, direction(rng))
        out *= (abs(arm.yaw.aside) + share * window) / np.linalg.norm(out)
        yield through + out + heights[1] * axis


def test_points_next_to_where_verdicts_change_are_left_to_the_code_for_one_target(left):
    """The windows are wider if axes lean, by as much as that may move points in the plane."""
    rng, asked, still_left = np.random.default_rng(7), 0, 0
    for arm in arms(rng, cases(1200, least=24)):
        many = SpatialBatch(arm)
        for share in (0.9, 1.1):
            points = np.array(list(points_away(rng, arm, share)))
            left.clear()
            many.check(points)
            if share < 1.0:
                assert len(left) == len(points), f'{arm}, {points}'
            else:
                asked, still_left = asked + len(points), still_left + len(left)
    assert still_left < 0.15 * asked


def test_bounds_of_points_out_of_reach_are_mostly_near_the_distance_to_what_is_nearest():
    rng, shares = np.random.default_rng(8), []
    for number in range(cases(300, least=8)):
        arm = random_arm(rng, True, FREE if number % 3 else limits_of(rng))
        points = np.array([somewhere(rng, arm) for _ in range(15)])
        answers = SpatialBatch(arm).check(points)
        for point, bound in zip(points[~answers.reachable], answers.margin[~answers.reachable]):
            shares.append(bound / checked(arm, tuple(point)).margin)
    assert np.mean(shares) > 0.8 and np.median(shares) > 0.98


def test_points_anywhere_in_a_batch():
    rng = np.random.default_rng(0)
    for arm in arms(rng, ARMS):
        anywhere = [somewhere(rng, arm) for _ in range(15)]
        assert_same(arm, np.vstack((anywhere, tips(rng, arm, 10)[0])))


def test_points_at_boundaries_in_a_batch():
    rng = np.random.default_rng(1)
    for arm in arms(rng, ARMS):
        assert_same(arm, np.array(list(points_at_boundaries(rng, arm))))


def test_a_point_too_close_to_one_shoulder_and_too_far_from_the_other():
    """The yaw axis is 0.4 m behind joint 1, which has a ring of 0.3 m to 0.7 m. Less is missing of
    the shoulder behind the axis up to 0.5 m from it, and then of the one that faces the point."""
    planar, rng = PlanarArm((0.5, 0.1, 0.1)), np.random.default_rng(5)
    arm = spatial_arm(planar, yaw_joint(planar, foot=(-0.4, 0.0)))
    away, angles = rng.uniform(0.31, 0.69, 20), rng.uniform(-math.pi, math.pi, 20)
    x, y = away * np.cos(angles) - 0.4, away * np.sin(angles)
    points = np.column_stack((x, y, np.zeros(20)))
    expected = np.where(away < 0.5, Code.TOO_FAR, Code.TOO_CLOSE)
    np.testing.assert_array_equal(SpatialBatch(arm).check(points).code, expected)
    assert [checked(arm, tuple(one)).code for one in points.tolist()] == [*expected]


def test_no_reachable_point_is_nearer_than_a_certified_margin():
    """And none out of reach is: points around each point, out to its margin, have its verdict."""
    rng = np.random.default_rng(2)
    for _ in range(cases(100, 40)):
        many = SpatialBatch(arm := random_arm(rng, True, limits_of(rng)))
        points = np.array([somewhere(rng, arm) for _ in range(50)])
        answers = many.check(points)
        for _ in range(20):
            away = rng.normal(size=points.shape)
            away *= (0.999 * np.abs(answers.margin) / np.linalg.norm(away, axis=1))[:, np.newaxis]
            assert (many.check(points + away).reachable == answers.reachable).all()


def test_next_to_the_yaw_axis_the_margin_ends_where_the_plane_passes_it():
    """In the plane, all points are reached that are nearer to joint 1 than 0.9 m."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS, FREE, 0.3, (0.4, 0.0)))
    point = 0.4, 0.05, 0.0  # the axis is 0.3 m in front of the plane of x and z
    answers, one = SpatialBatch(arm).check(np.array([point])), checked(arm, point)
    assert answers.margin == pytest.approx([0.05]) and one.margin == pytest.approx(0.05)


@pytest.mark.parametrize('aside', [0.0, 0.05])
def test_points_out_of_reach_that_the_yaw_joint_can_turn_only_its_back_to(aside):
    """The base is ahead of the yaw axis, so many are nearest with the yaw joint on a limit."""
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.0), aside, (-0.5, 0.0)))
    rng = np.random.default_rng(10)
    azimuth, away = rng.uniform(2.2, 4.0, 20), rng.uniform(0.3, 1.5, 20)
    height = rng.uniform(-0.5, 0.5, 20)
    points = np.column_stack((away * np.cos(azimuth), away * np.sin(azimuth), height))
    assert_same(arm, points)


#: A ring from 1 m to 3 m in the plane of x and z. The yaw axis is along z, `aside` in front of it.
RING = PlanarArm((2.0, 1.0, 0.0))
FAR_OUT = math.hypot(2.5, 0.3)  # [m]: 0.5 m from the end of the ring


@pytest.mark.parametrize(
    ('limits', 'aside', 'point', 'code', 'margin'),
    [
        (FREE, 0.0, (0.0, 2.5, 0.0), Code.OK, 0.5),
        (FREE, 0.0, (0.0, 0.0, 5.0), Code.TOO_FAR, -2.0),
        ((0.0, 1.0), 0.0, (-2.0, 0.0, 0.0), Code.OK, 0.0),  # backwards, on a limit
        ((-0.5, 0.5), 0.0, (2.0, 0.0, 0.0), Code.OK, 2.0 * math.sin(0.5)),
        ((-0.5, 0.5), 0.0, (0.0, 2.5, 0.0), Code.JOINT_LIMIT, -2.5 * math.cos(0.5)),
        (FREE, 0.3, (0.0, -0.2, 2.0), Code.TOO_CLOSE, -0.2),
        (FREE, 0.3, (0.0, 3.7, 0.0), Code.TOO_FAR, math.hypot(3.0, 0.3) - 4.0),
        (FREE, 0.3, (0.0, FAR_OUT - 0.3, 0.0), Code.OK, FAR_OUT - math.hypot(2.0, 0.3)),
        (None, 0.0, (2.0, 0.5, 0.0), Code.OUT_OF_PLANE, -0.5),
        (None, 0.0, (6.0, 4.0, 0.0), Code.OUT_OF_PLANE, -5.0),
        (None, 0.0, (1.5, 0.0, 2.0), Code.OK, 0.5),
        (None, 0.0, (2.0, BESIDE, 0.0), Code.OK, 1.0),  # just not out of the plane
    ],
)
def test_a_ring_that_is_turned(limits, aside, point, code, margin):
    yaw = None if limits is None else yaw_joint(RING, limits, aside)
    arm = spatial_arm(RING, yaw)
    answers, one = SpatialBatch(arm).check(np.array([point])), checked(arm, point)
    assert answers.code == [code]
    assert answers.reachable == [code is Code.OK]
    assert answers.margin == pytest.approx([margin], abs=1e-9)
    assert (one.code, one.margin) == (code, pytest.approx(margin, abs=1e-9))


def test_the_nearest_poses_are_those_of_the_single_calls():
    rng = np.random.default_rng(3)
    for arm in arms(rng, 8):
        points = np.array([somewhere(rng, arm) for _ in range(6)])
        nearest = SpatialBatch(arm).check(points).nearest
        single = [list(checked(arm, point).nearest[:5]) for point in points.tolist()]
        assert nearest.tolist() == single


def test_either_shoulder_counts_the_same_angle_once():
    free = PlanarArm((1.0, 1.0, 0.1))  # every angle, by both shoulders
    shares = SpatialBatch(spatial_arm(free, yaw_joint(free))).dexterity(np.array([(1.0, 1.0, 0.0)]))
    assert shares.tolist() == [1.0]
    rng = np.random.default_rng(4)
    half = PlanarArm((1.0, 1.0, 1.0), [None, (0.0, 2.0), (0.0, 1.0)])
    arm = spatial_arm(half, yaw_joint(half))
    for radius in rng.uniform(0.2, 2.9, 10):
        facing, backwards = half.dexterity([radius, -radius], [0.0, 0.0])
        found = SpatialBatch(arm).dexterity(np.array([(0.0, radius, 0.0)]))[0]
        assert max(facing, backwards) - 1e-9 <= found <= facing + backwards + 1e-9


def test_how_far_outwards_of_a_yaw_axis_that_leans_in_the_plane():
    rng = np.random.default_rng(6)
    for _ in range(20):
        along = tuple(direction(rng, 2).tolist())
        yaw = yaw_joint(LINKS, FREE, 0.1, rng.uniform(-0.1, 0.1, 2).tolist(), along)
        x, y = rng.uniform(-1.0, 1.0, (2, 5))
        wanted = [yaw.from_axis(point)[0] for point in zip(x.tolist(), y.tolist())]
        assert outwards_of(yaw, x, y) == pytest.approx(wanted, abs=1e-12)
