# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The plane view: the circles, the solutions and the outline that it draws."""

import math
import re
from contextlib import ExitStack
from xml.etree import ElementTree

import numpy as np
import pytest
from page_user import User
from viewer_arms import ARMS, URDF

from ik_circles import PlanarArm, load_arm
from ik_circles.control.floor import stands
from ik_circles.control.settings import Settings
from ik_circles.planar.zones import SafeZones
from ik_circles.viewer.area import loops
from ik_circles.viewer.plane_view import BALL, HEIGHT, ONE_POINT, REACH, SIZE, plane_view
from ik_circles.viewer.targets import PlaneDrag, PoseInPlane
from ik_circles.viewer.theme import GHOST, PLANE, REACHED, REFUSED, TILTED, UNANSWERED

ARM = PlanarArm((0.4, 0.3, 0.2))
SVG = '{http://www.w3.org/2000/svg}'


def _circles(svg: str, kind: str | None) -> list[tuple[float, float, float]]:
    """Center and radius of the circles of a class, in reaches of the arm, y up."""
    return [
        tuple(sign * float(one.get(key)) / REACH for key, sign in (('cx', 1), ('cy', -1), ('r', 1)))
        for one in ElementTree.fromstring(svg).iter(f'{SVG}circle')
        if one.get('class') == kind
    ]


def test_the_circles_meet_at_the_elbows() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        q = tuple(rng.uniform(-2.0, 2.0, 3))
        pose = ARM.forward_kinematics(q)
        svg = plane_view(ARM, ARM, ARM.safe_zones, q, PoseInPlane((pose.x, pose.y), pose.phi))
        elbow = np.array([0.4 * math.cos(q[0]), 0.4 * math.sin(q[0])]) / ARM.max_reach
        meetings = _circles(svg, 'meeting')
        assert min(math.dist(elbow, (x, y)) for x, y, _ in meetings) < 1e-3
        for x, y, _ in meetings:  # on both circles: one is about the base, the other the wrist
            on = [c for c in _circles(svg, None) if abs(math.dist(c[:2], (x, y)) - c[2]) < 2e-3]
            assert {round(radius * ARM.max_reach, 2) for *_, radius in on} >= {0.4, 0.3}


def test_an_elbow_past_a_limit_is_no_solution_that_is_drawn() -> None:
    rng = np.random.default_rng(1)
    counts = set()
    for _ in range(50):
        limits = [tuple(sorted(rng.uniform(-3.0, 3.0, 2))) for _ in range(3)]
        arm = PlanarArm((0.4, 0.3, 0.2), joint_limits=limits)
        q = tuple(rng.uniform(*both) for both in limits)
        pose = arm.forward_kinematics(q)
        svg = plane_view(arm, arm, arm.safe_zones, q, PoseInPlane((pose.x, pose.y), pose.phi))
        drawn = ElementTree.fromstring(svg).iterfind(f"{SVG}polyline[@stroke='{GHOST}']")
        counts.add(len(found := arm.inverse_kinematics(pose.x, pose.y, pose.phi)))
        assert len(list(drawn)) == len(found) <= len(_circles(svg, 'meeting'))
    assert counts == {1, 2}


def test_the_ball_is_always_there_to_be_gripped() -> None:
    """Without a target, it is at the tip, in the color of no answer; far away, at the edge."""
    grip = 'class="grip"'
    q = (0.1, 0.2, 0.3)
    pose = ARM.forward_kinematics(q)
    place = PoseInPlane((0.3, 0.4), 0.5)
    for wanted, asked, color in (
        (None, REACHED, UNANSWERED), (place, REACHED, REACHED), (place, TILTED, TILTED),
    ):
        svg = plane_view(ARM, ARM, ARM.safe_zones, q, wanted, asked, grip=grip)
        (ball,) = (one for one in ElementTree.fromstring(svg).iter(f'{SVG}circle')
                   if one.get('fill') == color and float(one.get('r')) == BALL)  # fmt: skip
        place = float(ball.get('cx')) / REACH, -float(ball.get('cy')) / REACH
        at = np.array((pose.x, pose.y) if wanted is None else wanted.point) / ARM.max_reach
        assert np.allclose(place, at, atol=1e-3)
        (gripped,) = _circles(svg, 'grip')
        assert gripped[:2] == pytest.approx(place)
    for far in ((200.0, 0.1), (-1.0, 1.5), (0.0, -3.0)):
        svg = plane_view(ARM, ARM, ARM.safe_zones, q, PoseInPlane(far, 0.0), REFUSED, grip=grip)
        (gripped,) = _circles(svg, 'grip')
        *_, ball = (one for one in ElementTree.fromstring(svg).iter(f'{SVG}circle')
                    if one.get('class') == 'dot')  # fmt: skip
        for x, y in (gripped[:2], (float(ball.get('cx')) / REACH, float(ball.get('cy')) / REACH)):
            assert abs(x) * REACH <= SIZE / 2.0
            assert abs(y) * REACH <= HEIGHT / 2.0


def test_below_a_floor_there_is_no_picture() -> None:
    arm = ARMS['so101'].above(0.0).arm
    far = PoseInPlane((0.0, -3.0), 0.0)
    svg = plane_view(arm, arm, arm.safe_zones, (0.1, 0.2, 0.3), far, grip='class="grip"')
    _, top, _, height = map(float, re.search('viewBox="([^"]*)"', svg)[1].split())
    bottom = (top + height) / REACH * arm.max_reach
    assert -arm.floor.height < bottom < -arm.floor.height + 0.2 * arm.max_reach
    ((_, y, _),) = _circles(svg, 'grip')
    assert -y * arm.max_reach < bottom


def test_circles_that_miss_each_other_have_no_meeting() -> None:
    svg = plane_view(ARM, ARM, ARM.safe_zones, (0.0, 0.0, 0.0), PoseInPlane((2.0, 0.0), 0.0))
    assert not _circles(svg, 'meeting')


def test_the_outline_has_every_arc_and_the_zones_their_radius() -> None:
    arm = ARMS['planar_3r'].arm
    svg = plane_view(arm, arm, SafeZones.of(arm, 0.05), (0.1, 0.2, 0.3))
    outline = _path(svg, 'outline')  # an arc is two halves, or a line if it hardly bends
    pieces = outline.count('A') / 2 + outline.count('L')
    assert pieces == len(arm.workspace_boundary().arcs)
    radii = re.findall(r'A([0-9.]+) ', _path(svg, 'zones'))[::2]
    assert [round(float(one) / REACH * arm.max_reach, 2) for one in radii] == [0.85, 0.05]


@pytest.mark.parametrize('name', sorted(path.stem for path in URDF.glob('*.urdf')))
@pytest.mark.parametrize('floor', [None, 0.0])
def test_what_is_filled_is_what_the_arm_can_reach(name: str, floor: float | None) -> None:
    """Law: of any point away from the outline, by the even-odd rule."""
    whole, rng = load_arm(name), np.random.default_rng(4)
    arm = (whole if floor is None or not stands(whole) else whole.above(floor)).arm
    outline = arm.workspace_boundary()
    enclosing = [arc for arc in outline.arcs if arc not in outline.strands]
    found = loops(enclosing, ONE_POINT * arm.max_reach)
    rings = [
        np.concatenate([one.arc.chords(0.01)[:: -1 if one.is_from_end else 1] for one in loop])
        for loop in found
    ]
    for point in arm.max_reach * rng.uniform(-1.05, 1.05, (200, 2)):
        if min(arc.distance_to(tuple(point)) for arc in outline.arcs) > 0.01 * arm.max_reach:
            inside = sum(_crossings(ring, point) for ring in rings) % 2 == 1
            assert inside == arm.check_reachability(*point).position_reachable


def _crossings(ring: np.ndarray, point: np.ndarray) -> int:
    """How often a closed ring crosses the ray from a point along x."""
    (x, y), (a, b) = (ring - point).T, (np.roll(ring, -1, axis=0) - point).T
    with np.errstate(divide='ignore', invalid='ignore'):
        return int((((y > 0) != (b > 0)) & (x - y * (a - x) / (b - y) > 0)).sum())


def _path(svg: str, kind: str) -> str:
    (path,) = re.findall(f'class="{kind}" d="([^"]*)"', svg)
    return path


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100'])
def test_the_zones_end_at_the_floor(name: str) -> None:
    arm = ARMS[name].above(0.0).arm
    svg = plane_view(arm, arm, SafeZones.of(arm, 0.02), (0.3, 0.3, 0.3))
    ends = re.findall(r'(-?[0-9.]+) (-?[0-9.]+)(?= [AL]|$)', _path(svg, 'zones'))
    heights = [-float(down) / REACH * arm.max_reach - arm.floor.height for _, down in ends]
    assert len(ends) >= 3
    assert min(heights) == pytest.approx(0.0, abs=1e-3)


def test_no_piece_of_an_outline_above_a_floor_leaves_the_picture() -> None:
    """Straight pieces are arcs of large circles, on which browsers lose their way: lines instead.

    An arc from end to end of the picture that bends by STRAIGHT has a radius of 3e5.
    """
    arm = ARMS['so101'].above(0.0)
    svg = plane_view(arm.arm, arm.arm, arm.arm.safe_zones, (0.3, 0.3, 0.3))
    outline = _path(svg, 'outline')
    assert outline.count('L') > 1
    assert all(float(radius) < 3e5 for radius in re.findall(r'A([0-9.]+) ', outline))


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'open_manipulator_x'])
def test_a_drag_in_the_plane_view_stays_in_its_plane(name: str) -> None:
    """Next to the yaw axis, too, which the target passes twice."""
    arm = load_arm(name)
    drag, reach, measured = PlaneDrag(), 0.6 * arm.arm.max_reach, dict.fromkeys(arm.joints, 0.0)
    angles = [*np.linspace(0.3, 2.8, 60), *np.linspace(2.8, 0.3, 60)]
    target = arm.spatial.plane.point_at(reach * math.cos(0.3), reach * math.sin(0.3), 0.2)
    places = []
    for angle in angles:
        point = reach * math.cos(angle), reach * math.sin(angle)
        target = drag.to(point, arm, target, measured)
        measured |= arm.solve(target, seed=measured) or {}
        places.append(target)
    assert places[-1] == pytest.approx(places[0], abs=1e-9)


def test_without_a_margin_the_page_draws_no_zones() -> None:
    """They were as far as the links reach, whatever the limits, and called "keep from the edge".
    Nor does the legend speak of them."""
    with ExitStack() as stack:
        user = User(stack)
        for margin in (0.02, 0.0, 0.02):
            user.show(settings=Settings(safe_zone_margin=margin))
            drawn = f'class="{"zones" if margin else "outline"}"'
            user.see(lambda: drawn in user.newest(PLANE))  # noqa: B023
            user.see(lambda: ('class="zones"' in user.newest(PLANE)) is bool(margin))  # noqa: B023
            user.see(lambda: ('the edge' in user.newest('legend')) is bool(margin))  # noqa: B023
