# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A single wrist joint whose axis would have to leave the plane, with the yaw joint on its limit;
and how many solutions axes have that lean."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import pose, rotation_by
from three_joints import shipped_text
from tilted_robots import TiltedRobot, leaned
from wrist_robots import pose_of, random_robot, turned_away, without_limits

CLOSES = 1e-9  # [m]
TILT = 0.01  # [rad] the default of tilt_tolerance
OUT_OF_PLANE = 1e-6  # [m] the default of out_of_plane_tolerance
STEEP = 1e-3  # [1]
CLEAR = 1e-6  # [rad] clearly inside a limit
BENT = 0.1  # [1]


def test_a_tilt_that_asks_the_yaw_joint_past_its_limit_is_reached():
    """The arm's own configuration has the position, and the orientation to within the tolerance."""
    rng, checked = np.random.default_rng(0), 0
    for _ in range(cases(1000, 40, least=25)):
        robot = random_robot(rng, True, 1)
        arm, own = robot.arm, robot.drawn(rng)
        joint = arm.joints[arm.yaw_joint]
        if not joint.upper - joint.lower < math.tau:
            continue
        own[arm.yaw_joint] = (joint.lower, joint.upper)[rng.integers(2)]
        check_tilted(robot, own, rng)
        checked += 1
    assert checked > cases(200, 40)


def test_a_tilt_out_of_a_plane_that_no_joint_turns_leaves_the_tip_in_its_place():
    """It moves the wrist center off the plane: of 400, 44 were refused, and one had its tip 0.1 mm
    beside the target. The same in a batch."""
    rng = np.random.default_rng(0)
    for _ in range(cases(8000, 20)):
        robot = random_robot(rng, False, 1)
        arm, own = robot.arm, robot.drawn(rng)
        point, _ = pose_of(robot, own)
        wanted = tilted_out(robot, own, rng)
        if wanted is None:
            continue
        assert arm.check_reachability(point, rotation=wanted).reachable, own
        for found in arm.inverse_kinematics(point, rotation=wanted):
            there, turned = pose_of(robot, found)
            assert math.dist(there, point) <= OUT_OF_PLANE, own
            assert turned_away(turned, wanted) <= TILT + CLOSES, own
        rows = arm.solve_batch(pose(wanted, point)[np.newaxis])
        assert np.all(np.isfinite(rows)), own


def test_such_a_tilt_is_reached_with_all_joints_on_limits():
    """It moves them by more than four times its angle. Of the first 1,500 seeds, 13 were refused.
    """
    for seed in (305, 449, *range(cases(1500, 200))):
        rng = np.random.default_rng(seed)
        robot = random_robot(rng, False, 1)
        own = robot.drawn(rng, int(rng.integers(3, 5)))
        wanted = tilted_out(robot, own, rng)
        if wanted is not None:
            told = robot.arm.check_reachability(pose_of(robot, own)[0], rotation=wanted)
            assert told.reachable, seed


def tilted_out(robot, own, rng):
    """The orientation at positions, tilted out of a plane that no joint turns; None where the
    wrist's axis is along the plane's y: it keeps its elevation over x, which turns it too far."""
    arm, (_, rotation) = robot.arm, pose_of(robot, own)
    along = rotation @ np.asarray(arm.whole.wrist.after)[:, 0]
    if abs(along @ arm.plane[:3, 1]) > 1.0 - STEEP:
        return None
    about = np.cross(arm.plane[:3, 2], along)
    turn = rotation_by(about / np.linalg.norm(about), 10.0 ** rng.uniform(-4.0, -2.05))
    return turn @ rotation


def check_tilted(robot, own, rng, share=None):
    """Asked for its own pose with the wrist's axis tilted, the arm is there, and not elsewhere; one
    by one, and in a batch."""
    arm, (point, rotation) = robot.arm, pose_of(robot, own)
    joints = arm.tree.movable_joints
    normal, along = (
        arm.link_pose(one.child, own)[:3, :3] @ one.axis
        for one in (joints[arm.joint_names[2]], joints[arm.wrist_joints[0]])
    )
    share = rng.uniform(-0.9, 0.9) if share is None else share
    wanted = rotation_by(np.cross(normal, along), share * TILT) @ rotation
    told = arm.check_reachability(point, rotation=wanted)
    assert told.reachable, (told.message, robot.text, own)
    for one in told.solutions:
        assert robot.miss(one, point) <= CLOSES
        assert turned_away(pose_of(robot, one)[1], wanted) <= TILT + CLOSES
    (found,) = arm.solve_batch(pose(wanted, point)[np.newaxis])
    chosen = arm.solve(point, rotation=wanted)
    assert found == pytest.approx([*chosen.values()], abs=1e-8)


def next_to_circle(rng, bend=None):
    """A robot, and of 30 configurations with a bent elbow the one whose wrist center is about as
    near as drawn to the circle that the plane touches; half of them with the yaw joint on a limit.

    With `bend`, the elbow is bent by up to that from straight or folded [rad].
    """
    robot = random_robot(rng, True, 1, on_axis=False)
    while len(robot.arm.wrist_joints) != 1 or robot.arm.yaw_joint is None:
        robot = random_robot(rng, True, 1, on_axis=False)
    away, yaw = 10.0 ** rng.uniform(-7.0, -3.0), robot.arm.yaw_joint

    def from_circle(own):
        point, rotation = pose_of(robot, own)
        carrier, wrist = robot.arm.whole.carrier, robot.arm.whole.wrist
        center = carrier.plane.into(wrist.center_at(point, rotation.tolist()))
        outside = carrier.yaw.place_of(*center).radius - abs(carrier.yaw.aside)
        is_bent = abs(math.sin(robot.arm.naming.arm_angles(own)[1])) >= BENT
        if is_bent is not (bend is None):
            return math.inf
        return abs(math.log(max(outside, 1e-12) / away))

    some = (robot.drawn(rng) for _ in range(30))
    if bend is not None:
        angles = rng.uniform(-bend, bend, 30) + rng.choice([0.0, math.pi], 30)
        some = (robot.bent(own, 1, angle) or own for own, angle in zip(some, angles))
    own = min(some, key=from_circle)
    if rng.random() < 0.5:
        own[yaw] = robot.limits[yaw][rng.integers(2)]
    return robot, own


def test_next_to_the_circle_that_the_plane_touches_a_tilt_is_reached():
    """It turns the plane by much, and may take the wrist center inside the circle. Five of the
    first 1,000 seeds were refused."""
    for seed in (3, 244, 265, 279, 640, *range(cases(1000, 100))):
        rng = np.random.default_rng(seed)
        check_tilted(*next_to_circle(rng), rng)


def test_a_tilt_is_reached_with_an_elbow_next_to_straight_or_folded():
    """The least rotation may ask for more reach than there is; one that is allowed does not. Of the
    first 300 seeds, 13 were refused."""
    for seed in (29, 122, 137, 285, *range(cases(1000, 500))):
        rng = np.random.default_rng(seed)
        check_tilted(*next_to_circle(rng, bend=0.04), rng)


def test_all_of_the_tilt_that_is_allowed_may_be_needed():
    """The plane of the wrist center is another one than that of the arm, and may be seen at a
    greater angle to the wrist's axis. Of the first 300 seeds, 23 were refused."""
    for seed in (3, 52, 69, 95, *range(cases(1000, 500))):
        rng = np.random.default_rng(seed)
        share = rng.choice([-1.0, 1.0]) * rng.uniform(0.99, 1.0)
        check_tilted(*next_to_circle(rng), rng, share)


@pytest.mark.parametrize('bend', [0.1, 0.3, -0.2])
def test_axes_that_lean_have_as_many_solutions_as_exact_ones(bend):
    """With the elbow nearly straight, up and down are next to each other."""
    rng, exact = np.random.default_rng(1), without_limits(TiltedRobot(shipped_text('ur5e')))
    for _ in range(cases(100)):
        robot = TiltedRobot(leaned(exact.text, rng, 1e-7))
        bent = {'elbow_joint': bend, 'wrist_2_joint': rng.uniform(0.5, 2.5)}
        own = {name: rng.uniform(-2.0, 2.0) for name in exact.limits} | bent
        point, rotation = pose_of(exact, own)
        found, others = (
            one.arm.inverse_kinematics(point, rotation=rotation, seed=own) for one in (robot, exact)
        )
        assert len(found) == len(others)
        for one in others:
            assert min(apart(one, other) for other in found) <= 1e-3


def test_what_the_limits_allow_of_all_solutions_is_found_on_axes_that_lean():
    """Correction may put a joint past a limit whose next turn is inside: it is found there."""
    rng, checked = np.random.default_rng(5), 0
    for _ in range(cases(400, 40)):
        robot = TiltedRobot(leaned(random_robot(rng, True, 2).text, rng))
        if len(robot.arm.wrist_joints) < 2:
            continue
        own = robot.drawn(rng)
        name = str(rng.choice(list(own)))
        side = rng.choice([-1.0, 1.0])
        own[name] = robot.limits[name][int(side > 0.0)] - side * 10.0 ** rng.uniform(-5.5, -4.5)
        point, rotation = pose_of(robot, own)
        found = robot.arm.inverse_kinematics(point, rotation=rotation)
        for one in without_limits(robot).arm.inverse_kinematics(point, rotation=rotation):
            if is_clearly_inside(robot, one):
                checked += 1
                assert min(apart(one, other) for other in found) <= 1e-3
    assert checked


def is_clearly_inside(robot, positions):
    """Whether each joint has a turn inside its limits, and not just so."""
    return all(
        any(lower + CLEAR <= q + k * math.tau <= upper - CLEAR for k in (-1, 0, 1))
        for q, (lower, upper) in ((q, robot.limits[name]) for name, q in positions.items())
    )


def apart(one, other):
    """The largest difference of a joint up to whole turns [rad]."""
    return max(abs(math.remainder(one[name] - other[name], math.tau)) for name in one)


@pytest.mark.parametrize('elbow', [0.0, math.pi])
def test_axes_that_lean_find_an_elbow_next_to_straight_or_folded(elbow):
    """Both ways to bend it, if the lean leaves both.

    Number 35 has them ten times nearer to each other than to where shoulders and elbows meet.
    """
    rng, exact = np.random.default_rng(2), without_limits(TiltedRobot(shipped_text('ur5e')))
    checked = {35, *range(cases(200, 40))}
    for number in range(max(checked) + 1):
        text = leaned(exact.text, rng, 1e-6)
        bend = float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-7.0, -2.0))
        bent = {'elbow_joint': elbow + bend, 'wrist_2_joint': rng.uniform(0.5, 2.5)}
        own = {name: rng.uniform(-2.0, 2.0) for name in exact.limits} | bent
        if number not in checked:
            continue
        robot = TiltedRobot(text)
        point, rotation = pose_of(robot, own)
        found = robot.arm.inverse_kinematics(point, rotation=rotation)
        away = (
            max(abs(math.remainder(one[name] - own[name], math.tau)) for name in own)
            for one in found
        )
        assert min(away, default=math.inf) <= 3e-4


def where_shoulders_meet(rng, exact):
    """A robot whose axes lean, and a configuration with its elbow next to straight or folded, and
    its wrist center about as far from the yaw axis as the plane; None if there is none."""
    robot = TiltedRobot(leaned(exact.text, rng, 10.0 ** rng.uniform(-7.0, -5.0)))
    bend = float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-7.0, -2.0))
    bent = {
        'elbow_joint': bend + rng.choice([0.0, math.pi]), 'wrist_2_joint': rng.uniform(0.5, 2.5)
    }  # fmt: skip
    own = {name: rng.uniform(-2.0, 2.0) for name in exact.limits} | bent
    carrier, wanted = robot.arm.whole.carrier, rng.choice([-1, 1]) * 10.0 ** rng.uniform(-7, -3)

    def beyond(lift):
        point, rotation = pose_of(robot, {**own, 'shoulder_lift_joint': lift})
        center = carrier.plane.into(robot.arm.whole.wrist.center_at(point, rotation.tolist()))
        return carrier.yaw.seen_at(own['shoulder_pan_joint'], carrier.yaw.place_of(*center))[0]

    ends = np.linspace(-3.0, 3.0, 13)
    signs = np.sign([beyond(one) - wanted for one in ends])
    places = np.flatnonzero(signs[1:] != signs[:-1])
    if not places.size:
        return None
    lower, upper = ends[places[0] : places[0] + 2]
    for _ in range(50):
        middle = (lower + upper) / 2.0
        is_past = np.sign(beyond(middle) - wanted) != signs[places[0]]
        lower, upper = (lower, middle) if is_past else (middle, upper)
    return robot, {**own, 'shoulder_lift_joint': float(lower)}


def test_axes_that_lean_tell_shoulders_and_elbows_apart_where_all_of_them_meet():
    """One in 100 is not told apart from another one next to it. It was 9 in 100, and one in 300 was
    refused."""
    rng, exact = np.random.default_rng(1), without_limits(TiltedRobot(shipped_text('ur5e')))
    missing = checked = 0
    for drawn in (where_shoulders_meet(rng, exact) for _ in range(cases(400))):
        if drawn:
            robot, own = drawn
            point, rotation = pose_of(robot, own)
            found = robot.arm.inverse_kinematics(point, rotation=rotation)
            missing += min(apart(one, own) for one in found) > 3e-3
            checked += 1
    assert missing <= 1 + checked // 50
