"""Two links: by two circles without trigonometry, by angles, and inside joint limits."""

import decimal
import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_limits

from ik_circles import IkCirclesError, InvalidArmError, InvalidSettingError, NotFiniteError
from ik_circles.limbs import (
    solve_two_circles,
    solve_two_circles_batch,
    solve_two_links,
    solve_two_links_batch,
    two_link_solutions,
)

CLOSES = 1e-12  # of the reach
LAST_BITS = 1e-15  # of the reach: how far the two methods' elbows are apart
NAN, INF = math.nan, math.inf
PI = math.pi


def links(rng):
    """Two lengths [m]: any, equal, one much shorter, one of zero, 1e-6 m to 1e6 m."""
    lengths = rng.uniform(0.05, 1.0, 2)
    kind = rng.integers(8)
    if kind == 0:
        lengths[1] = lengths[0]
    elif kind == 1:
        lengths[rng.integers(2)] *= 10.0 ** rng.uniform(-6.0, 0.0)
    elif kind == 2:
        lengths *= 10.0 ** rng.uniform(-6.0, 6.0)
    elif kind == 3:
        lengths[rng.integers(2)] = 0.0
    return lengths.tolist()


def targets_in_ring(rng, lengths, count):
    """Targets within reach, half of them within any distance of a circle that bounds it."""
    hole, total = abs(lengths[0] - lengths[1]), sum(lengths)
    share = rng.uniform(size=count)
    close = 10.0 ** rng.uniform(-16.0, 0.0, count)
    share = np.choose(rng.integers(4, size=count), (share, share, close, 1.0 - close))
    radius = hole + share * (total - hole)
    angle = rng.uniform(-PI, PI, count)
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))


def ends(q, lengths):
    """Elbow and tip of joint positions (N, 2), each (N, 2)."""
    forearm = q[:, 0] + q[:, 1]
    elbow = lengths[0] * np.column_stack((np.cos(q[:, 0]), np.sin(q[:, 0])))
    return elbow, elbow + lengths[1] * np.column_stack((np.cos(forearm), np.sin(forearm)))


def tip(q, lengths):
    """Tip of one pair of joint positions (x, y)."""
    return tuple(ends(np.array([q]), lengths)[1][0])


def size(offsets):
    return np.hypot(offsets[..., 0], offsets[..., 1])


# --- two circles ----------------------------------------------------------------------------------


def test_circles_both_elbows_are_a_link_from_both_ends_and_on_their_sides():
    rng = np.random.default_rng(0)
    for _ in range(100):
        lengths = links(rng)
        base = rng.uniform(-1.0, 1.0, 2) * sum(lengths)
        targets = base + targets_in_ring(rng, lengths, 1000)
        found = solve_two_circles_batch(base, targets, *lengths)
        room = 2e-13 * sum(lengths)  # a target may miss by 1e-13 of the reach
        assert (found.miss == 0.0).all()
        assert (found.tips == targets).all()
        assert (abs(size(found.elbows - base) - lengths[0]) <= room).all()
        assert (abs(size(targets[:, None] - found.elbows) - lengths[1]) <= room).all()
        left, right = np.moveaxis(found.elbows - base, 1, 0)
        offset = targets - base
        side_left = offset[:, 0] * left[:, 1] - offset[:, 1] * left[:, 0]
        side_right = offset[:, 0] * right[:, 1] - offset[:, 1] * right[:, 0]
        assert (side_left >= -room * size(offset)).all()
        assert (side_right <= room * size(offset)).all()


def test_circles_one_and_batch_agree():
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        lengths, base = links(rng), rng.uniform(-1.0, 1.0, 2)
        targets = np.concatenate(
            (targets_in_ring(rng, lengths, 5), rng.uniform(-2.0, 2.0, (5, 2)) * sum(lengths))
        )
        for choice in ('none', 'nearest'):
            many = solve_two_circles_batch(base, base + targets, *lengths, out_of_reach=choice)
            for row, target in enumerate(base + targets):
                one = solve_two_circles(base, target, *lengths, out_of_reach=choice)
                scale = sum(lengths) + size(base)
                assert one.reached == (many.miss[row] == 0.0)
                assert one.miss == pytest.approx(many.miss[row], abs=1e-15 * scale + 1e-15)
                assert one.tip == pytest.approx(many.tips[row], abs=1e-15 * scale + 1e-15)
                if one.elbows:
                    left, right = one.elbows[0], one.elbows[-1]
                    # near a touch, one unit in the distance's last place is its root in the elbow
                    assert left == pytest.approx(many.elbows[row, 0], abs=1e-8 * scale)
                    assert right == pytest.approx(many.elbows[row, 1], abs=1e-8 * scale)
                else:
                    assert np.isnan(many.elbows[row]).all()


def test_circles_out_of_reach_the_links_keep_their_lengths():
    rng = np.random.default_rng(2)
    for _ in range(cases(1000)):
        lengths = links(rng)
        hole, total = abs(lengths[0] - lengths[1]), sum(lengths)
        near, far = hole * rng.uniform(0.0, 0.999, 50), total * (1.001 + rng.uniform(size=50))
        radius = np.concatenate((near, far))
        angle = rng.uniform(-PI, PI, 100)
        targets = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
        out = (radius < hole) | (radius > total)
        none = solve_two_circles_batch((0.0, 0.0), targets, *lengths)
        found = solve_two_circles_batch((0.0, 0.0), targets, *lengths, out_of_reach='nearest')
        room = CLOSES * total
        assert np.isnan(none.elbows[out]).all()
        assert (abs(size(found.elbows[out, 0]) - lengths[0]) <= room).all()
        assert (abs(size(found.tips[out, None] - found.elbows[out]) - lengths[1]) <= room).all()
        gap = np.maximum(radius - total, hole - radius)
        assert (abs(found.miss - gap)[out] <= room).all()
        assert (abs(size(found.tips - targets) - gap)[out] <= room).all()


@pytest.mark.parametrize(
    ('lengths', 'distance'),
    [((1.0, 1.0 - 3e-9), 1e-8), ((1.0, 1.0 - 1.1e-5), 3e-5), ((0.75, 0.5), 1.25 - 2e-12)],
    ids=['1e-8 from the base', '3e-5 from the base', 'circles that nearly touch'],
)
def test_circles_keep_the_digits_that_the_source_loses(lengths, distance):
    """Against fifty digits: the elbow is off by 1e-15 here, by 1e-12 at least in the source."""
    r1, r2 = lengths
    with decimal.localcontext() as context:
        context.prec = 50
        a, b, d = (decimal.Decimal(length) for length in (r1, r2, distance))
        along = (d * d + a * a - b * b) / (2 * d)
        aside = (a * a - along * along).sqrt()
    h = distance * distance
    w = h + r1 * r1 - r2 * r2
    s = max(4.0 * r1 * r1 * h - w * w, 0.0)
    source = w * distance * 0.5 / h, math.sqrt(s) * distance * 0.5 / h
    left, _ = solve_two_circles((0.0, 0.0), (distance, 0.0), r1, r2).elbows
    assert math.dist(left, (along, aside)) <= 1e-15
    assert math.dist(source, (along, aside)) > 1e-12


def test_circles_that_coincide():
    found = solve_two_circles((1.0, 2.0), (1.0, 2.0), 0.5, 0.5)
    assert found.reached
    assert found.elbows == ((1.0, 2.5), (1.0, 1.5))
    many = solve_two_circles_batch((1.0, 2.0), [(1.0, 2.0)], 0.5, 0.5)
    assert many.elbows[0].tolist() == [[1.0, 2.5], [1.0, 1.5]]


def test_circles_about_one_point_without_a_common_one():
    assert solve_two_circles((0.0, 0.0), (0.0, 0.0), 0.5, 0.2).elbows == ()
    folded = solve_two_circles((0.0, 0.0), (0.0, 0.0), 0.2, 0.5, out_of_reach='nearest')
    assert folded.elbows == ((-0.2, 0.0),)
    assert folded.tip == pytest.approx((0.3, 0.0))
    assert folded.miss == pytest.approx(0.3)


@pytest.mark.parametrize(('lengths', 'elbow'), [((0.0, 1.0), (0.0, 0.0)), ((1.0, 0.0), (0.0, 1.0))])
def test_circles_a_link_without_length(lengths, elbow):
    found = solve_two_circles((0.0, 0.0), (0.0, 1.0), *lengths)
    assert found.elbows == (pytest.approx(elbow),)


# --- by angles ------------------------------------------------------------------------------------


def test_a_million_targets_the_two_methods_agree_to_the_last_bits():
    rng = np.random.default_rng(3)
    worst = 0.0
    for _ in range(100):
        lengths = links(rng)
        while min(lengths) == 0.0:
            lengths = links(rng)
        targets = targets_in_ring(rng, lengths, 10_000)
        circles = solve_two_circles_batch((0.0, 0.0), targets, *lengths)
        for row, branch in enumerate(('elbow_up', 'elbow_down')):
            by_angles = solve_two_links_batch(targets, *lengths, branch=branch)
            elbow, end = ends(by_angles.joint_positions, lengths)
            assert (by_angles.miss == 0.0).all()
            assert size(end - targets).max() <= CLOSES * sum(lengths)
            worst = max(worst, size(elbow - circles.elbows[:, row]).max() / sum(lengths))
    assert worst <= LAST_BITS


def test_every_quadrant_and_both_bends():
    for angle in np.arange(-PI, PI, PI / 8.0) + 0.01:
        x, y = 0.7 * math.cos(angle), 0.7 * math.sin(angle)
        up = solve_two_links(x, y, 0.5, 0.4).joint_positions
        down = solve_two_links(x, y, 0.5, 0.4, branch='elbow_down').joint_positions
        assert tip(up, (0.5, 0.4)) == pytest.approx((x, y), abs=1e-15)
        assert tip(down, (0.5, 0.4)) == pytest.approx((x, y), abs=1e-15)
        assert up[1] < 0.0 < down[1]
        assert up[1] == -down[1]


def test_one_and_batch_give_the_same():
    rng = np.random.default_rng(4)
    for _ in range(cases(300)):
        lengths = links(rng)
        targets = rng.uniform(-1.5, 1.5, (10, 2)) * sum(lengths)
        for branch in ('elbow_up', 'elbow_down'):
            many = solve_two_links_batch(targets, *lengths, branch=branch)
            _, end = ends(many.joint_positions, lengths)
            for row, target in enumerate(targets):
                one = solve_two_links(*target, *lengths, branch=branch)
                room = CLOSES * sum(lengths)
                assert one.reached == (many.miss[row] == 0.0)
                assert one.miss == pytest.approx(many.miss[row], abs=room)
                assert tip(one.joint_positions, lengths) == pytest.approx(end[row], abs=room)


def test_out_of_reach_it_points_at_the_target():
    far = solve_two_links(3.0, 4.0, 1.0, 0.5)
    assert not far.reached
    assert far.miss == pytest.approx(3.5)
    assert tip(far.joint_positions, (1.0, 0.5)) == pytest.approx((0.9, 1.2))
    near = solve_two_links(-0.03, 0.04, 0.5, 1.0)
    assert near.miss == pytest.approx(0.45)
    assert tip(near.joint_positions, (0.5, 1.0)) == pytest.approx((-0.3, 0.4))


def test_small_arms_are_not_lost_to_an_absolute_epsilon():
    """The source takes 2 L1 L2 < 1e-4 for a link of zero: links of 7 mm would not bend."""
    found = solve_two_links(0.004, 0.003, 0.007, 0.007)
    assert found.reached
    assert abs(found.joint_positions[1]) > 2.0


@pytest.mark.parametrize('lengths', [(0.0, 1.0), (1.0, 0.0)])
def test_a_link_without_length(lengths):
    found = solve_two_links(-0.6, -0.8, *lengths)
    assert found.reached
    assert found.joint_positions == pytest.approx((math.atan2(-0.8, -0.6), 0.0))
    assert solve_two_links(-0.6, -0.6, *lengths).miss == pytest.approx(1.0 - 0.6 * math.sqrt(2.0))
    assert two_link_solutions(-0.6, -0.8, *lengths, [None, (1.0, 2.0)])


def test_target_on_the_base():
    found = solve_two_links(0.0, 0.0, 0.5, 0.5)
    assert found.reached
    assert abs(found.joint_positions[1]) == PI
    held = solve_two_links(0.0, 0.0, 0.5, 0.5, joint_limits=[(2.0, 2.1), (-4.0, 4.0)])
    assert held.reached
    assert 2.0 <= held.joint_positions[0] <= 2.1
    assert solve_two_links(0.0, 0.0, 0.5, 0.2).miss == pytest.approx(0.3)


# --- joint limits ---------------------------------------------------------------------------------


def limited(rng):
    """Links, limits as given, limits with one turn for a continuous joint, and joints inside."""
    lengths, limits = links(rng), [random_limits(rng), random_limits(rng)]
    box = [limit or (-PI, PI) for limit in limits]
    q = [rng.uniform(*limit) for limit in box]
    for joint in (0, 1):  # now and then on a limit
        if rng.integers(5) == 0:
            q[joint] = box[joint][rng.integers(2)]
    return lengths, limits, box, q


def inside(q, box):
    return all(lower <= angle <= upper for angle, (lower, upper) in zip(q, box))


def test_limits_what_is_reached_is_found_inside_them():
    rng = np.random.default_rng(5)
    for _ in range(cases(100_000)):
        lengths, limits, box, q = limited(rng)
        x = lengths[0] * math.cos(q[0]) + lengths[1] * math.cos(q[0] + q[1])
        y = lengths[0] * math.sin(q[0]) + lengths[1] * math.sin(q[0] + q[1])
        found = two_link_solutions(x, y, *lengths, limits)
        assert found
        for q1, q2 in found:
            end_x = lengths[0] * math.cos(q1) + lengths[1] * math.cos(q1 + q2)
            end_y = lengths[0] * math.sin(q1) + lengths[1] * math.sin(q1 + q2)
            assert math.hypot(end_x - x, end_y - y) <= CLOSES * sum(lengths)
            assert inside((q1, q2), box)


def test_limits_both_bends_and_every_turn():
    x, y = 0.5, 0.3
    free = two_link_solutions(x, y, 0.4, 0.4)
    assert len(free) == 2
    wide = two_link_solutions(x, y, 0.4, 0.4, [(-2.0 * PI, 2.0 * PI), None])
    assert len(wide) == 4
    upper = two_link_solutions(x, y, 0.4, 0.4, [None, (0.0, 3.0)])
    assert upper == free[1:]
    other = solve_two_links(x, y, 0.4, 0.4, joint_limits=[None, (0.0, 3.0)])
    assert other.reached
    assert other.joint_positions == free[1]


def test_limits_the_closest_alternative_is_as_near_as_any_that_a_scan_finds():
    rng = np.random.default_rng(6)
    share = np.linspace(0.0, 1.0, 61)
    for _ in range(cases(2000)):
        lengths, limits, box, _ = limited(rng)
        x, y = rng.uniform(-1.3, 1.3, 2) * sum(lengths)
        found = solve_two_links(x, y, *lengths, joint_limits=limits)
        assert inside(found.joint_positions, box)
        end = tip(found.joint_positions, lengths)
        assert math.dist(end, (x, y)) == pytest.approx(found.miss, abs=CLOSES * sum(lengths))
        q1 = box[0][0] + (box[0][1] - box[0][0]) * share[:, None]
        q2 = box[1][0] + (box[1][1] - box[1][0]) * share[None, :]
        scan_x = lengths[0] * np.cos(q1) + lengths[1] * np.cos(q1 + q2)
        scan_y = lengths[0] * np.sin(q1) + lengths[1] * np.sin(q1 + q2)
        scanned = np.hypot(scan_x - x, scan_y - y).min()
        assert found.miss <= scanned + CLOSES * sum(lengths)
        steps = [(upper - lower) / 60.0 for lower, upper in box]
        assert found.miss >= scanned - sum(lengths) * (steps[0] + steps[1] + CLOSES)


# --- hostile input --------------------------------------------------------------------------------


@pytest.mark.parametrize('bad', [NAN, INF, -INF, None, 'far'])
def test_numbers_that_are_none(bad):
    for ask in (
        lambda: solve_two_links(bad, 0.0, 1.0, 1.0),
        lambda: solve_two_links(0.0, 0.0, bad, 1.0),
        lambda: solve_two_links(0.0, 0.0, 1.0, 1.0, joint_limits=[(0.0, bad), None]),
        lambda: solve_two_links_batch([(0.0, bad)], 1.0, 1.0),
        lambda: solve_two_circles((0.0, bad), (0.0, 0.0), 1.0, 1.0),
        lambda: solve_two_circles((0.0, 0.0), (0.0, 0.0), 1.0, bad),
        lambda: solve_two_circles_batch((0.0, 0.0), [(0.0, bad)], 1.0, 1.0),
    ):
        with pytest.raises(IkCirclesError, match=r'nan|inf|None|far|numbers'):
            ask()


def test_other_bad_input_names_the_value_and_the_rule():
    with pytest.raises(InvalidArmError, match=r'-1\.0 m is negative; lengths are at least 0'):
        solve_two_links(0.0, 0.0, -1.0, 1.0)
    with pytest.raises(InvalidArmError, match=r'must be between'):
        solve_two_circles((0.0, 0.0), (0.0, 0.0), 0.0, 0.0)
    with pytest.raises(InvalidSettingError, match=r"'left'; choose one of elbow_up, elbow_down"):
        solve_two_links(0.0, 0.0, 1.0, 1.0, branch='left')
    with pytest.raises(InvalidSettingError, match=r"'stretch'; choose one of none, nearest"):
        solve_two_circles((0.0, 0.0), (0.0, 0.0), 1.0, 1.0, out_of_reach='stretch')
    with pytest.raises(InvalidArmError, match=r'upside down.*swap'):
        solve_two_links(0.0, 0.0, 1.0, 1.0, joint_limits=[(1.0, 0.0), None])
    with pytest.raises(InvalidArmError, match=r'1 joint limits given; give 2'):
        solve_two_links(0.0, 0.0, 1.0, 1.0, joint_limits=[None])
    with pytest.raises(InvalidArmError, match=r'whole turns'):
        solve_two_links(0.0, 0.0, 1.0, 1.0, joint_limits=[(0.0, 1e9), None])
    with pytest.raises(InvalidSettingError, match=r'shape \(2,\); give points \(N, 2\)'):
        solve_two_links_batch([1.0, 2.0], 1.0, 1.0)
    with pytest.raises(NotFiniteError, match=r'too far from the base'):
        solve_two_circles((-1.7e308, 0.0), (1.7e308, 0.0), 1.0, 1.0)
    with pytest.raises(NotFiniteError, match=r'too far from the base'):
        solve_two_links(1.7e308, 1.7e308, 1.0, 1.0)


def test_no_targets_no_answers():
    none = np.empty((0, 2))
    assert solve_two_links_batch(none, 1.0, 1.0).joint_positions.shape == (0, 2)
    assert solve_two_circles_batch((0.0, 0.0), none, 1.0, 1.0).elbows.shape == (0, 2, 2)
