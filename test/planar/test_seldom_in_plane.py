# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is seldom met: equal choices, families above a floor, wrists on the base, ends of lines."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_joints, random_limits, tip
from test_floor_in_plane import arm_above, lowest

from ik_circles import Code, Floor, InvalidArmError, NotFiniteError, PlanarArm
from ik_circles.planar.families import family_corners
from ik_circles.planar.lines.branch import Branch, farthest
from ik_circles.planar.lines.track import Cause, PlaneWay, Stop
from ik_circles.planar.redundancy import outermost_orientations, solve_outermost
from ik_circles.planar.selection import choose

FREE = PlanarArm((0.4, 0.3, 0.2))


@pytest.mark.parametrize('order', [1, -1])
def test_of_equal_largest_changes_the_smaller_sum_counts(order):
    zero = (0.0, 0.0, 0.0)
    for worse, better in (
        ((1.0, 0.9, 0.1), (1.0, 0.2, 0.1)),
        ((-1.0, -0.9, 0.1), (1.0, -0.2, -0.1)),
        ((0.3, 1.0, -0.9), (-0.3, -1.0, 0.2)),
        ((0.9, 0.3, 1.0), (0.2, 0.3, -1.0)),
        ((0.1, 0.1, 1.1), (0.9, 1.0, -0.9)),
    ):
        assert choose(FREE.solver.model, [worse, better][::order], zero, 'nearest') == better


def test_a_family_above_a_floor_has_the_member_that_the_seed_is():
    rng, kept = np.random.default_rng(0), 0
    for _ in range(cases(4000)):
        lengths = [(0.0, 1.0, 0.5), (1.0, 0.0, 0.5), (1.0, 1.0, 0.0)][rng.integers(3)]
        q = tuple(rng.uniform(-3.0, 3.0, 3).tolist())
        q = (q[0], math.pi, q[2]) if lengths[1] == 1.0 == lengths[0] else q
        floor = Floor(rng.uniform(-1.0, 0.2), rng.uniform(-3.0, 3.0))
        arm = PlanarArm(lengths, ((-3.0, 3.0), None, None), floor=floor)
        point, phi = tip(arm, q)
        if lowest(arm, q) >= 1e-9:
            kept += 1
            found = arm.inverse_kinematics(point.real, point.imag, phi)
            assert 1 <= len(found) <= 2  # one for each elbow
            assert all(lowest(arm, one) >= -1e-9 for one in found)
            pose = point.real, point.imag, phi
            assert arm.solve(*pose, seed=q, orientation_mode='fixed') == pytest.approx(q, abs=1e-9)
    assert kept > cases(1000)


def test_a_solver_above_a_floor_says_whether_a_pose_is_reached_and_gives_elbow_up_first():
    rng, reached = np.random.default_rng(0), []
    for _ in range(cases(1000, least=50)):
        arm = arm_above(rng)
        solver = arm.solver
        for phi in rng.uniform(-math.pi, math.pi, 4).tolist():
            x, y = (rng.uniform(-0.7, 0.7, 2) * arm.max_reach).tolist()
            reached.append(solver.reaches(x, y, phi))
            found = solver.solutions(x, y, phi)
            assert reached[-1] == bool(found), f'{arm!r}, {(x, y, phi)}'
            is_down = [math.sin(q2) > 0.0 for _, q2, _ in found]
            assert is_down == sorted(is_down)  # elbow up first
            assert all(-math.pi < q1 <= math.pi for q1, _, _ in found) or arm.joint_limits[0]
    assert 0.02 < np.mean(reached) < 0.95


@pytest.mark.parametrize('lengths', [(0.0, 0.0, 1.0), (0.0, 1.0, 0.5), (1.0, 0.0, 0.5)], ids=str)
def test_corners_of_a_family_have_all_free_joints_but_one_on_limits(lengths):
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        arm = PlanarArm(lengths, [random_limits(rng) for _ in range(3)])
        q = random_joints(rng, arm)
        point, phi = tip(arm, q)
        wrist = arm.solver.model.wrist(point.real, point.imag, phi)
        corners = list(family_corners(arm.solver.model, wrist, phi))
        free = [0, 1, 2] if lengths[1] == 0.0 == lengths[0] else [1 - lengths.index(0.0), 2]
        free = free if len(free) == 3 else [lengths.index(0.0), 1 if lengths[0] == 0.0 else 2]
        for corner in corners:
            place, turned = tip(arm, corner)
            assert abs(place - point) <= 1e-12
            assert abs(math.remainder(turned - phi, math.tau)) <= 1e-12
            loose = [
                joint for joint, (angle, ends) in enumerate(zip(corner, arm.limits))
                if angle not in ends and not (math.isinf(ends[0]) and angle == 0.0)
            ]  # fmt: skip
            assert len(loose) <= 4 - len(free)
        assert len(corners) >= len(free)


def test_three_joints_that_only_turn_the_tool_are_past_their_limits_together():
    """Of 1 rad the limits allow 0.6 rad in all; each joint may be the one that is past its own."""
    arm = PlanarArm((0.0, 0.0, 1.0), [(-0.1, 0.1), (-0.2, 0.2), (-0.3, 0.3)])
    x, y = math.cos(1.0), math.sin(1.0)
    assert arm.inverse_kinematics(x, y, 1.0) == []
    told = arm.check_reachability(x, y)
    assert told.code is Code.JOINT_LIMIT
    assert told.nearest.phi == pytest.approx(0.6, abs=1e-9)
    assert arm.inverse_kinematics(math.cos(0.6), math.sin(0.6), 0.6) == [
        pytest.approx((0.1, 0.2, 0.3), abs=1e-9)
    ]


def test_joint_positions_of_any_kind_of_numbers():
    arm = PlanarArm((3.0, 2.0, 1.0), [(-1.0, 1.0)] * 3)
    wanted = pytest.approx((6.0, 0.0, 0.0))
    for zeros in ((0, 0, 0), [0, 0, 0], np.zeros(3), (np.float32(0.0),) * 3, (False, 0, 0.0)):
        assert arm.forward_kinematics(zeros) == wanted
    for wrong, error in (
        ((1e9, 0.0, 0.0), InvalidArmError),
        ((math.nan, 0, 0), NotFiniteError),
        (('x', 0.0, 0.0), InvalidArmError),
        ((0.0, 0.0), InvalidArmError),
    ):
        with pytest.raises(error):
            arm.forward_kinematics(wrong)


def test_outermost_orientations_are_those_of_the_outermost_solutions():
    rng = np.random.default_rng(2)
    for _ in range(cases(1000)):
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), [random_limits(rng) for _ in range(3)])
        x, y = (rng.uniform(-1.0, 1.0, 2) * arm.max_reach).tolist()
        found = outermost_orientations(arm.workspace, x, y)
        joints = solve_outermost(arm.workspace, x, y)
        assert bool(found) == bool(joints)
        for q in joints:
            away = min(abs(math.remainder(sum(q) - phi, math.tau)) for phi in found)
            assert away <= 1e-9
    for wrong in (math.nan, math.inf):
        with pytest.raises(NotFiniteError):
            outermost_orientations(FREE.workspace, wrong, 0.0)


class Blocked(PlaneWay):
    """A line on which something else than the arm forbids what is beyond a share."""

    def events(self):
        return [0.3]

    def stop(self, share):
        return Stop(Cause.AXIS, -1) if share > 0.3 else None


def test_what_else_forbids_a_line_ends_a_branch_and_the_farthest_one_is_taken():
    q = next(iter(FREE.inverse_kinematics(0.6, 0.1, 0.0)))
    free, blocked = (
        Branch(FREE.solver, kind((0.6, 0.1), (-0.2, 0.2)), q, 0) for kind in (PlaneWay, Blocked)
    )
    assert blocked.end() == (0.3, Stop(Cause.AXIS, -1))
    assert free.end() == (1.0, None)
    for some in ([free, blocked], [blocked, free]):
        assert farthest(some) == (free, (1.0, None))


@pytest.mark.parametrize('elbow', range(2))
def test_links_of_one_length_end_a_line_through_the_base_where_they_fold(elbow):
    """By hand: the wrist goes from 0.6 m on one side of the base to 0.6 m on the other."""
    arm = PlanarArm((0.5, 0.5, 0.2))
    q = arm.inverse_kinematics(0.8, 0.0, 0.0)[elbow]
    line = arm.straight_line(q, (-0.4, 0.0))
    assert line.share == pytest.approx(0.5, abs=1e-9)
    beside = arm.straight_line(arm.inverse_kinematics(0.8, 1e-3, 0.0)[elbow], (-0.4, 1e-3))
    assert beside.share == 1.0


def test_the_depth_is_that_of_the_code_floor_only():
    arm = replace(FREE, floor=Floor(-0.1))
    asked = ((0.5, 0.1), Code.OK), ((2.0, 0.0), Code.TOO_FAR), ((0.5, -0.4), Code.FLOOR)
    for point, code in asked:
        told = arm.check_reachability(*point)
        assert told.code is code
        assert (told.depth == ('', 0.0)) == (code is not Code.FLOOR)


@pytest.mark.parametrize(
    ('seed', 'carries'),
    [(285, 0), (978, 0), (1047, 0), (2100, 0), (257, 1), (303, 1), (956, 1), (1718, 1)],
)
def test_two_parts_are_level_where_the_depth_is_least(seed, carries):
    """With these seeds it is so: the solutions to either side are lower, by up to 0.1 m."""
    rng = np.random.default_rng(seed)
    ends = [tuple(sorted(rng.uniform(-3.0, 3.0, 2))) if rng.random() < 0.5 else None for _ in '123']
    arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), ends)
    carried = rng.uniform(-0.5, 0.5, (carries, 2)).tolist()
    floor = Floor(rng.uniform(-0.3, 0.8) * arm.max_reach, carried=tuple(map(tuple, carried)))
    point = rng.uniform(-1.0, 1.0, 2) * arm.max_reach

    def depths(orientations):
        for phi in orientations.tolist():
            some = arm.inverse_kinematics(*point, phi)
            yield min((-lowest(replace(arm, floor=floor), q) for q in some), default=math.inf)

    every, step = np.linspace(0.0, math.tau, 240, retstep=True)
    about = every[np.argmin([*depths(every)])]
    least = min(depths(about + np.linspace(-step, step, 240)))
    _, depth = replace(arm, floor=floor).check_reachability(*point).depth
    assert depth <= least + 1e-9
    assert depth >= least - 1e-3


@pytest.mark.parametrize('scale', [1.0, 0.25])
def test_a_corner_on_the_floor_is_kept_once(scale):
    """By hand: a triangle that stands on its tip, one that lies on a side, and one below."""
    floor = Floor(0.0, 0.0)  # up is along x: all heights are exact
    tip_down = [(0.0, 0.0), (scale, scale), (scale, -scale)]
    assert floor.part_above(tip_down) == tip_down
    lying = [(0.0, -scale), (0.0, scale), (scale, 0.0)]
    assert floor.part_above(lying) == lying
    hanging = [(0.0, -scale), (-scale, 0.0), (0.0, scale)]
    assert floor.part_above(hanging) == [hanging[0], hanging[2]]
    across = floor.part_above([(-scale, 0.0), (scale, scale), (scale, -scale)])
    half = scale / 2.0
    assert across == [(0.0, half), (scale, scale), (scale, -scale), (0.0, -half)]


@pytest.mark.parametrize('length_3', [0.2, 0.0])
def test_a_line_through_the_base_ends_where_the_elbow_is_folded(length_3):
    """The wrist is on the line, and comes no nearer to the base than the links differ in length."""
    arm = PlanarArm((0.4, 0.3, length_3))
    (q, _) = arm.inverse_kinematics(0.3 + length_3, 0.0, 0.0)
    line = arm.straight_line(q, (-0.3 + length_3, 0.0))
    assert line.share == pytest.approx(1.0 / 3.0, abs=1e-9)
    assert 'the elbow is folded: its links reach to within 0.100 m of' in line.message


@pytest.mark.parametrize('scale', [1e-3, 1.0, 1e3])
def test_a_line_may_start_a_little_below_the_floor(scale):
    """Solutions may be four tolerances below it, and rounding brings more."""
    lengths, q = (0.4 * scale, 0.3 * scale, 0.2 * scale), (1.0, -1.5, -0.5)
    tip = PlanarArm(lengths).forward_kinematics(q)
    for tolerances, is_allowed in ((7.0, True), (9.0, False)):
        below = tolerances * PlanarArm(lengths).solver.model.tolerance
        line = PlanarArm(lengths, floor=Floor(tip.y + below)).straight_line(q, (tip.x, 0.2 * scale))
        assert (line.code is Code.OK) == is_allowed
        assert ('there the tip is' in line.message) != is_allowed
