"""The verdict on a target in space, against thousands of sampled tips: laws over random arms."""

import math

import numpy as np
import pytest
from spatial_arms import (
    FREE,
    apart,
    axis_of,
    checked,
    direction,
    inside,
    random_arm,
    random_arms,
    random_configuration,
    random_rotation,
    somewhere,
    spatial_arm,
    tip_pose,
    tips,
    turn,
    yaw_joint,
)

from ik_circles import PlanarArm
from ik_circles.errors import NotFiniteError
from ik_circles.planar.redundancy.policy import Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import Code
from ik_circles.spatial.ways import SAME_TILT

CLOSURE = 1e-12  # [m], of arms of about a meter
SAME = 1e-6  # [rad] the root of rounding, where the elbow is straight
FLAT = [random_arm(np.random.default_rng(seed), False, None) for seed in range(3)]
TURNED = list(random_arms(4))
LINKS = PlanarArm((0.4, 0.3, 0.2))
SHORT = PlanarArm((0.4, 0.3, 0.2), [(-1.0, 1.0), (-1.5, 1.5), (-1.0, 1.0)])


def zones_of(arm, share):
    """Safe zones whose margin is a share of what there is between them."""
    return SafeZones.of(arm.planar, share * (arm.planar.max_reach - arm.planar.min_reach))


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_what_joints_reach_is_reached_and_they_are_among_the_solutions(arm):
    rng = np.random.default_rng(0)
    for _ in range(25):
        configuration = random_configuration(rng, arm)
        point, rotation = tip_pose(arm, configuration)
        phi = sum(configuration.q)
        found = arm.inverse_kinematics(point, phi)
        assert min(apart(one, configuration) for one in found) <= SAME
        assert len(set(found)) == len(found)
        for one in found:
            assert inside(arm, one)
            assert math.dist(tip_pose(arm, one)[0], point) <= CLOSURE
            assert math.remainder(sum(one.q) - phi, math.tau) == pytest.approx(0.0, abs=1e-9)
        position = checked(arm, point)
        pose = checked(arm, point, phi)
        oriented = checked(arm, point, rotation=rotation, tilt=1e-6)
        for told in (position, pose, oriented):
            assert told.reachable and told.code is Code.OK
            assert told.margin >= 0.0
            assert told.message.startswith('reachable with')
            assert math.dist(told.nearest[:3], point) <= (CLOSURE if arm.yaw is None else 0.0)
            assert told.nearest_configuration in told.configurations
            assert wrapped(told.nearest.phi - sum(told.nearest_configuration.q)) <= 1e-9
            assert told.nearest.yaw == told.nearest_configuration.yaw
            for one in told.configurations:
                assert inside(arm, one)
                assert math.dist(tip_pose(arm, one)[0], point) <= CLOSURE
        assert len(pose.configurations) == len(found)
        assert all(min(apart(one, other) for other in found) <= SAME for one in pose.configurations)
        assert any(
            lower - SAME <= phi + k * math.tau <= upper + SAME
            for lower, upper in position.orientation_intervals
            for k in (-3, -2, -1, 0, 1, 2, 3)
        )
        position.orientation_intervals.clear()  # the list is the caller's own
        assert position.orientation_intervals


def wrapped(angle):
    return abs(math.remainder(angle, math.tau))


@pytest.mark.parametrize('arm', TURNED)
def test_intervals_are_those_of_both_shoulders(arm):
    rng = np.random.default_rng(1)
    for _ in range(20):
        point, _ = tip_pose(arm, random_configuration(rng, arm))
        intervals = checked(arm, point).orientation_intervals
        for phi in rng.uniform(-math.pi, math.pi, 8):
            margin = min((wrapped(phi - end) for pair in intervals for end in pair), default=1.0)
            holds = any((phi - lower) % math.tau <= upper - lower for lower, upper in intervals)
            if margin > 1e-6:
                assert holds == bool(arm.inverse_kinematics(point, phi))
                assert holds == checked(arm, point, phi).reachable


@pytest.mark.parametrize('arm', TURNED)
def test_a_pose_that_can_be_taken_as_it_is_is_its_own_nearest(arm):
    rng = np.random.default_rng(9)
    for _ in range(30):
        configuration = random_configuration(rng, arm)
        point, made = tip_pose(arm, configuration)
        for tolerance in (SAME_TILT, math.inf):  # facing the point, or reaching backwards
            found = checked(arm, point, rotation=made, tilt=tolerance)
            assert found.as_wanted
        assert not checked(arm, point).as_wanted
        turned = arm.tool.rotation(*rng.uniform(-math.pi, math.pi, 2))
        for rotation in (made, turned):  # of which the arm may have the pitch only
            told = checked(arm, point, rotation=rotation)
            nearest = told.nearest
            away = np.abs(arm.tool.rotation(nearest.phi, nearest.yaw) - rotation).max()
            assert told.reachable or not told.as_wanted
            assert told.as_wanted == (told.reachable and away <= SAME_TILT)
            assert not told.as_wanted or nearest[:3] == tuple(point)
        tilt = told.tilt_at(configuration)
        cosine = (np.trace(made.T @ rotation) - 1.0) / 2.0
        assert tilt == pytest.approx(math.acos(np.clip(cosine, -1.0, 1.0)), abs=1e-6)
        assert checked(arm, point).tilt_at(configuration) == 0.0


@pytest.mark.parametrize('share', [0.0, 0.1])
@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_nearest_is_reached_and_no_farther_than_any_tip(arm, share):
    rng = np.random.default_rng(0)
    zones = zones_of(arm, share)
    some, distances = tips(rng, arm, 3000)
    some = some[(zones.inner <= distances) & (distances <= zones.outer)]
    for _ in range(25):
        point = somewhere(rng, arm)
        answer = checked(arm, point, zones=zones)
        if answer.reachable:
            assert answer.margin >= 0.0
            continue
        assert answer.margin < 0.0
        assert -answer.margin == pytest.approx(math.dist(point, answer.nearest[:3]), abs=1e-15)
        if len(some):
            least = np.linalg.norm(some - point, axis=1).min()
            assert -answer.margin <= least * (1.0 + 1e-12) or answer.code is Code.OUT_OF_PLANE
        found = answer.nearest_configuration
        assert inside(arm, found)
        assert math.dist(tip_pose(arm, found)[0], answer.nearest[:3]) <= CLOSURE
        assert (answer.configurations, answer.is_tilted) == ([], False)
        near = checked(arm, answer.nearest[:3], zones=zones)
        assert near.reachable or near.margin > -CLOSURE
        assert 'nan' not in answer.message
        if answer.code is not Code.JOINT_LIMIT and answer.code is not Code.OUT_OF_PLANE:
            assert f'{-answer.margin:.3f} m' in answer.message


@pytest.mark.parametrize('share', [0.0, 0.1])
@pytest.mark.parametrize('arm', TURNED)
def test_every_point_nearer_than_the_margin_is_reached(arm, share):
    rng = np.random.default_rng(0)
    zones = zones_of(arm, share)
    positive = 0
    for _ in range(15):
        point, _ = tip_pose(arm, random_configuration(rng, arm))
        answer = checked(arm, point, zones=zones)
        if not answer.reachable:
            continue
        positive += answer.margin > 1e-3
        for _ in range(4):
            near = point + direction(rng) * answer.margin * (1.0 - 1e-9)
            assert checked(arm, near, zones=zones).reachable
    assert positive > 2


def test_the_margin_is_the_distance_to_where_one_shoulder_ends():
    """With continuous joints only the reach and the axis count, and a limit of the yaw joint."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    assert checked(arm, (0.7, 0.0, 0.0)).margin == pytest.approx(0.2)
    beside = spatial_arm(LINKS, yaw_joint(LINKS, FREE, 0.1))
    _, (x, y, _) = axis_of(beside)
    assert checked(beside, (x + 0.25, y, 0.1)).margin == pytest.approx(0.15)
    limited = spatial_arm(LINKS, yaw_joint(LINKS, (-0.5, 1.0)))
    angle = 1.0 - 0.2
    point = 0.5 * math.cos(angle), 0.5 * math.sin(angle), 0.0
    assert checked(limited, point).margin == pytest.approx(0.5 * math.sin(0.2))
    narrow = spatial_arm(SHORT, yaw_joint(SHORT))
    assert checked(narrow, (0.8, 0.0, 0.0)).margin == pytest.approx(0.1)


@pytest.mark.parametrize('arm', TURNED[::2])
def test_the_nearest_to_what_is_very_far_away_is_that_in_its_direction(arm):
    towards = direction(np.random.default_rng(0))
    reach = arm.planar.max_reach
    support = [
        towards @ checked(arm, reach * 10.0**power * towards).nearest[:3]
        for power in (5, 7, 16, 100, 155, 300)
    ]
    assert max(support) - min(support) <= 1e-4 * reach
    assert max(support[1:]) - min(support[1:]) <= 1e-9 * reach


# --- the code and its sentence ---


def test_behind_the_axis_and_too_near_to_it():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, FREE, 0.05))
    _, (x, y, _) = axis_of(arm)
    for height in (0.62, 0.47, 0.33):  # where no arc of the workspace passes
        assert checked(arm, (x, y, height)).margin == pytest.approx(-0.05, abs=1e-12)
    answer = checked(arm, (x, y, 0.5))
    assert answer.code is Code.TOO_CLOSE
    assert answer.message.startswith('too close to the axis of the yaw joint by 0.050 m')
    assert "the arm's plane passes it at 0.050 m" in answer.message
    assert 'nearest reachable' not in answer.message
    assert answer.margin == pytest.approx(-0.05, abs=1e-12)
    assert arm.inverse_kinematics((x, y, 0.5), 0.0) == []
    nearer = checked(arm, (x + 0.02, y, 0.5))
    assert nearer.message.startswith('too close to the axis of the yaw joint by 0.030 m')


def test_the_reason_of_the_yaw_joint_has_its_figure():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.2)))
    for past, which in ((1.2 + 0.3, 'upper'), (-1.0 - 0.3, 'lower')):
        answer = checked(arm, (0.7 * math.cos(past), 0.7 * math.sin(past), 0.1))
        assert answer.code is Code.JOINT_LIMIT
        over = f'{math.degrees(0.3):.1f} deg'
        assert answer.message.startswith(f'the yaw joint would exceed its {which} limit by {over}')
        assert 'the nearest reachable point is' in answer.message


def test_a_place_that_neither_the_yaw_joint_nor_the_others_reach_gives_both_reasons():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.0)))
    answer = checked(arm, (-1.5 * math.cos(1.2), 1.5 * math.sin(1.2), 0.0))
    over = math.degrees(math.pi - 1.2 - 1.0)
    assert answer.code is Code.TOO_FAR
    assert f', and the yaw joint would exceed its upper limit by {over:.1f} deg' in answer.message


def test_the_reason_is_that_of_the_shoulder_that_can_be_turned():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.0)))
    answer = checked(arm, (-0.2, 0.0, 0.2))  # by the joints not even when facing it
    assert answer.code is Code.JOINT_LIMIT
    assert answer.message.startswith('reaching backwards, joint')
    facing = checked(arm, (0.2, 0.0, 0.2))
    assert facing.code is Code.JOINT_LIMIT and facing.message.startswith('joint')


def test_out_of_a_plane_that_nothing_turns():
    arm = FLAT[0]
    frame = arm.plane.pose
    q = random_configuration(np.random.default_rng(0), arm)
    inside_it, _ = tip_pose(arm, q)
    for off in (0.003, -0.003):
        target = inside_it + off * frame[:3, 2]
        answer = checked(arm, target)
        assert (answer.code, answer.reachable) == (Code.OUT_OF_PLANE, False)
        assert answer.margin == pytest.approx(-0.003, abs=1e-12)
        assert math.dist(answer.nearest[:3], inside_it) <= CLOSURE
        assert answer.message == (
            'out of the plane of joint 1, joint 2, joint 3 by 0.003 m, 1e-06 m are allowed'
        )
        assert (answer.configurations, answer.is_tilted) == ([], False)
        assert arm.inverse_kinematics(target, sum(q.q)) == []
        near = checked(arm, target, off=0.004)
        assert near.reachable and not near.as_wanted
        assert math.dist(near.nearest[:3], inside_it) <= CLOSURE
        assert near.margin >= 0.0
    far = checked(arm, somewhere(np.random.default_rng(1), arm, 9.0))
    assert far.code is Code.OUT_OF_PLANE and '; in the plane: too far by' in far.message
    near = inside_it + 0.9e-6 * frame[:3, 2]
    assert checked(arm, near).reachable and arm.inverse_kinematics(near, sum(q.q))


def test_slack_of_the_axes_is_allowed():
    straight = spatial_arm(LINKS, slack=1e-4)
    off = (0.5, 0.9e-4, 0.1)
    assert checked(straight, off).reachable
    assert straight.inverse_kinematics(off, 0.3)
    assert checked(straight, (0.5, 1.1e-4, 0.1)).code is Code.OUT_OF_PLANE
    made = straight.tool.rotation(0.3)
    assert not checked(straight, (0.5, 0.0, 0.1), rotation=made).as_wanted


def test_an_orientation_that_the_limits_forbid_says_what_works():
    for arm in (spatial_arm(SHORT), spatial_arm(SHORT, yaw_joint(SHORT))):
        answer = checked(arm, (0.85, 0.0, 0.0), 2.0)
        assert answer.code is Code.ORIENTATION and not answer.is_tilted
        assert answer.message.startswith('not with tool orientation 114.6 deg')
        works = max(abs(end) for pair in answer.orientation_intervals for end in pair)
        assert abs(answer.nearest.phi) == pytest.approx(works)
        assert answer.nearest[:3] == (0.85, 0.0, 0.0)
        assert answer.margin == pytest.approx(0.05)
        assert answer.configurations == []


def test_an_orientation_that_no_joint_can_give():
    tilted = turn((1.0, 0.0, 0.0), 0.3)
    fixed = spatial_arm(LINKS)
    answer = checked(fixed, (0.5, 0.0, 0.1), rotation=tilted, tilt=0.01)
    assert answer.code is Code.ORIENTATION and answer.is_tilted
    assert answer.message.startswith("the orientation tilts the arm's plane by 17.2 deg, which no")
    assert checked(fixed, (0.5, 0.0, 0.1), rotation=tilted, tilt=0.31).reachable
    behind = spatial_arm(LINKS, yaw_joint(LINKS))
    turned = turn((0.0, 0.0, 1.0), 0.3)
    answer = checked(behind, (0.5, 0.0, 0.1), rotation=turned, tilt=0.01)
    assert answer.code is Code.ORIENTATION and answer.is_tilted
    assert answer.message.startswith('the orientation is 17.2 deg away from what the arm can do')
    assert math.dist(answer.nearest[:3], (0.5, 0.0, 0.1)) == 0.0
    assert answer.nearest.yaw == 0.0  # not backwards
    pitch = checked(behind, (0.5, 0.0, 0.1), rotation=turned)
    assert pitch.reachable and not pitch.as_wanted
    assert pitch.tilt_at(pitch.nearest_configuration) == pytest.approx(0.3, abs=1e-9)


@pytest.mark.parametrize('limits', [FREE, (-3.1, 3.1), (-1.0, 2.0)])
def test_on_the_yaw_axis_the_orientation_decides_the_yaw(limits):
    rng = np.random.default_rng(3)
    arm = random_arm(rng, False, limits, LINKS)
    for _ in range(20):
        yaw = rng.uniform(-1.0, 2.0)
        point = arm.plane.point_at(*arm.yaw.in_plane(0.0, rng.uniform(-0.4, 0.4)))
        rotation = arm.tool.rotation(rng.uniform(-3.0, 3.0), yaw)
        exact = checked(arm, point, rotation=rotation, tilt=1e-6)
        pitch = checked(arm, point, rotation=rotation)
        phi = arm.tool.angle(rotation, yaw)
        planar = arm.planar.inverse_kinematics(*arm.plane.shoulders(point)[0][0].point, phi)
        assert exact.reachable == exact.as_wanted == bool(planar)
        if exact.reachable:
            assert pitch.as_wanted
            for one in exact.configurations:
                np.testing.assert_allclose(tip_pose(arm, one)[1], rotation, atol=1e-6)
        somehow = checked(arm, point, rotation=random_rotation(rng))
        assert somehow.nearest is not None


def test_as_far_from_the_axis_as_the_plane_rounding_counts_by_its_root():
    rng = np.random.default_rng(6)
    arm = random_arm(rng, True, (-3.0, 3.0), LINKS)
    for outwards in [0.0, *(10.0 ** rng.uniform(-13.0, -4.0, 80))]:
        inside_it = None
        while not inside_it:
            point = arm.yaw.in_plane(outwards, rng.uniform(-0.9, 0.9))
            inside_it = arm.planar.orientation_intervals(*point)
        yaw = float(rng.choice([*arm.yaw.limits, rng.uniform(-3.0, 3.0)]))
        target = arm.plane.point_at(*point, yaw)
        answer = checked(arm, target)
        assert answer.reachable and answer.margin >= 0.0
        assert math.dist(arm.tip_at(answer.nearest_configuration), target) <= CLOSURE
        assert checked(arm, target, answer.nearest.phi).code in (
            Code.OK, Code.ORIENTATION
        )  # fmt: skip


def test_numbers_that_are_not_finite_are_refused():
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    for point, phi in [((math.nan, 0, 0), None), ((0, 0), None), ((0, 0, 0), math.inf)]:
        with pytest.raises(NotFiniteError):
            checked(arm, point, phi)
    for point, phi in [((0.1, 0.0, math.inf), 0.0), ((0.1, 0.0, 0.1), math.nan)]:
        with pytest.raises(NotFiniteError):
            arm.inverse_kinematics(point, phi)
    rotation = np.eye(3)
    rotation[0, 1] = math.nan
    for rows in (rotation, rotation.tolist()):
        with pytest.raises(NotFiniteError, match='nine finite numbers'):
            checked(arm, (0.2, 0.1, 0.1), rotation=rows)


def test_repr_says_the_verdict():
    arm = spatial_arm(LINKS)
    assert repr(checked(arm, (2.0, 0.0, 0.0))).startswith('SpatialReachability(TOO_FAR: ')


# --- choosing one solution ---


def solve(arm, point, seed=None, branch='nearest', mode='preferred', **options):
    answer = checked(arm, point, **options)
    return answer.choose(seed, Policy(branch, mode), Redundancy())


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_the_solution_is_one_of_all_and_the_nearest_to_the_seed(arm):
    rng = np.random.default_rng(2)
    kept = 0
    for _ in range(25):
        made, seed = random_configuration(rng, arm), random_configuration(rng, arm)
        point, rotation = tip_pose(arm, made)
        found = solve(arm, point, made)
        assert apart(found, made) <= SAME  # where it is: nothing moves
        chosen = solve(arm, point, seed, phi=sum(made.q))
        others = arm.inverse_kinematics(point, sum(made.q))
        assert any(apart(chosen, one) <= 1e-9 for one in others)
        assert change(chosen, seed) <= min(change(one, seed) for one in others) + 1e-9
        for branch, sign in (('elbow_up', -1.0), ('elbow_down', 1.0)):
            bent = solve(arm, point, seed, branch, phi=sum(made.q))
            if any(sign * math.sin(one.q[1]) > SAME for one in others):
                assert sign * math.sin(bent.q[1]) >= -SAME
        kept += apart(solve(arm, point, seed, rotation=rotation, tilt=1e-6), made) <= SAME
    assert kept > 5
    assert solve(arm, (99.0, 0.0, 0.0)) is None


def change(one, seed):
    return max(abs(a - b) for a, b in zip((one.yaw, *one.q), (seed.yaw, *seed.q)))


def test_without_a_seed_the_arm_stays_near_its_home():
    limits = (0.5, 2.0)
    arm = spatial_arm(SHORT, yaw_joint(SHORT, limits))
    assert (arm.home.yaw, arm.home.q) == (0.5, (0.0, 0.0, 0.0))
    assert spatial_arm(SHORT).home.yaw == 0.0
    wide = spatial_arm(LINKS, yaw_joint(LINKS, (-2.0, 2.0)))
    assert abs(solve(wide, (0.5, 0.1, 0.2)).yaw) < 0.5  # not backwards


def test_a_continuous_yaw_joint_turns_to_the_seed():
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    for turns in (-2, 0, 3):
        near = 0.3 + turns * math.tau
        found = solve(arm, (0.5, 0.1, 0.2), random_configuration(
            np.random.default_rng(0), arm)._replace(yaw=near))
        assert abs(found.yaw - near) <= math.pi
        assert math.dist(tip_pose(arm, found)[0], (0.5, 0.1, 0.2)) <= CLOSURE


def test_on_the_axis_the_yaw_joint_stays():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, (-1.0, 2.0)))
    q = arm.planar.inverse_kinematics(0.0, 0.5, math.pi / 2.0)[0]
    for seed, stays in ((1.7, 1.7), (2.5, 2.0)):
        found = solve(arm, (0.0, 0.0, 0.5), arm.home._replace(yaw=seed, q=q))
        assert found.yaw == stays
    rotation = arm.tool.rotation(math.pi / 2.0, 0.4)
    oriented = solve(arm, (0.0, 0.0, 0.5), arm.home._replace(yaw=1.7), rotation=rotation)
    assert oriented.yaw == pytest.approx(0.4, abs=1e-9)
    made = solve(arm, (0.0, 0.0, 0.5), None, phi=math.pi / 2.0)
    assert made.yaw == 0.0


def test_where_both_shoulders_give_the_pitch_the_less_tilted_is_taken():
    """Reaching backwards with the same pitch, the tool points away from where it was asked to."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    for heading in (0.0, 0.4, -0.6):
        rotation = turn((0.0, 0.0, 1.0), heading) @ arm.tool.rotation(0.5)
        for yaw in (0.0, math.pi):
            seed = arm.home._replace(yaw=yaw)
            found = solve(arm, (0.5, 0.0, 0.2), seed, rotation=rotation)
            told = checked(arm, (0.5, 0.0, 0.2), rotation=rotation)
            assert told.tilt_at(found) == pytest.approx(abs(heading), abs=1e-9)


def test_an_orientation_gives_way_only_if_the_policy_allows_it():
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 1.0)))
    point = (0.85, 0.0, 0.0)
    assert solve(arm, point, mode='fixed', phi=2.0) is None
    found = solve(arm, point, mode='preferred', phi=2.0)
    intervals = checked(arm, point).orientation_intervals
    assert sum(found.q) == pytest.approx(max(end for pair in intervals for end in pair))
    rotation = turn((0.0, 0.0, 1.0), 0.3)
    assert solve(arm, point, rotation=rotation, tilt=0.01) is None
