"""The page's parts that need no browser: what is drawn, what is sent, what is said."""

import math
import re
import socket
import sys
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import numpy as np
import pytest

from ik_circles import Code, PlanarArm, load_arm
from ik_circles.control.decision import assess
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.palette import GHOST
from ik_circles.planar.zones import SafeZones
from ik_circles.viewer import cards as words
from ik_circles.viewer.frame_rate import SCRIPT
from ik_circles.viewer.robot_view import all_link_poses, moved_links
from ik_circles.viewer.scene import held, view_of
from ik_circles.viewer.server import CannotServeError, is_foreign, start_server
from ik_circles.viewer.side_view import REACH, side_view
from ik_circles.viewer.standalone import CoreBackend, description_of
from ik_circles.viewer.state import (
    Answer,
    Construction,
    Snapshot,
    construction,
    demo_path,
    home_target,
    orientation_of,
    target_at,
)
from ik_circles.viewer.workspace_view import plane_pose, segments

URDF = Path(__file__).resolve().parents[2] / 'urdf'
NAMES = ('planar_3r', 'so101', 'px100', 'ur5e')
TEXTS = {name: (URDF / f'{name}.urdf').read_text() for name in NAMES}
CHAINS = {name: load_arm(text) for name, text in TEXTS.items()}
ARM = PlanarArm((0.4, 0.3, 0.2))
SVG = '{http://www.w3.org/2000/svg}'


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


# --- side view --------------------------------------------------------------------------------


def _circles(svg: str, kind: str | None) -> list[tuple[float, float, float]]:
    """Centre and radius of the circles of a class, in reaches of the arm, y up."""
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
        svg = side_view(ARM, ARM.safe_zones, q, Construction((pose.x, pose.y), pose.phi))
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
        svg = side_view(arm, arm.safe_zones, q, Construction((pose.x, pose.y), pose.phi))
        drawn = ElementTree.fromstring(svg).iterfind(f"{SVG}polyline[@stroke='{GHOST}']")
        counts.add(len(found := arm.inverse_kinematics(pose.x, pose.y, pose.phi)))
        assert len(list(drawn)) == len(found) <= len(_circles(svg, 'meeting'))
    assert counts == {1, 2}


def test_circles_that_miss_each_other_have_no_meeting() -> None:
    svg = side_view(ARM, ARM.safe_zones, (0.0, 0.0, 0.0), Construction((2.0, 0.0), 0.0), False)
    assert not _circles(svg, 'meeting')


def test_the_outline_has_every_arc_and_the_zones_their_radius() -> None:
    arm = CHAINS['planar_3r'].arm
    svg = side_view(arm, SafeZones.of(arm, 0.05), (0.1, 0.2, 0.3))
    outline = next(one for one in ElementTree.fromstring(svg).iter(f'{SVG}path'))
    assert outline.get('d').count('M') == len(arm.workspace_boundary().arcs)
    radii = [radius * arm.max_reach for *_, radius in _circles(svg, None)]
    assert [round(radius, 2) for radius in radii] == [0.85, 0.05]


# --- targets ----------------------------------------------------------------------------------


def test_a_target_has_the_orientation_that_the_slider_says(name: str) -> None:
    chain, rng = CHAINS[name], np.random.default_rng(1)
    for _ in range(50):
        q = {joint: rng.uniform(-1.0, 1.0) for joint in chain.commanded_joints}
        pose, phi = chain.forward_kinematics(q), rng.uniform(-3.0, 3.0)
        target = target_at(chain, tuple(pose[:3, 3]), phi)
        assert math.isclose(orientation_of(chain, target), phi, abs_tol=1e-9)


@pytest.mark.parametrize('margin', [0.0, 0.02])
def test_home_and_the_demo_path_can_be_sent(name: str, margin: float) -> None:
    chain, settings = CHAINS[name], Settings(safe_zone_margin=margin)
    assert assess(chain, settings, home_target(chain, settings)).code in (Code.OK, Code.ORIENTATION)
    if name != 'planar_3r':  # which is stretched there, at the edge of the safe zones
        tip = chain.forward_kinematics({})[:3, 3]
        assert home_target(chain, settings).position == pytest.approx(tip, abs=1e-12)
    codes = [assess(chain, settings, target).code for target in demo_path(chain, settings)]
    assert codes.count(Code.OK) >= 4
    assert Code.TOO_FAR in codes
    assert Code.NOT_FINITE not in codes


def test_what_is_dragged_without_a_yaw_joint_stays_in_the_plane_under_the_pointer() -> None:
    chain, rng = CHAINS['planar_3r'], np.random.default_rng(2)
    for _ in range(50):
        eye = rng.uniform(-1.0, 1.0, 3) + np.array([0.0, 0.0, 3.0])
        point = rng.uniform(-0.5, 0.5, 3)
        found = np.array(held(chain, eye, point))
        assert abs(found[2]) < 1e-12
        assert np.linalg.norm(np.cross(found - eye, point - eye)) < 1e-9
    along = held(chain, np.array([3.0, 0.0, 0.5]), np.array([0.2, 0.1, 0.5]))
    assert np.allclose(along, (0.2, 0.1, 0.0))  # nothing of the plane is seen there


def test_the_first_view_is_on_the_plane_from_its_side(name: str) -> None:
    chain = CHAINS[name]
    view = view_of(chain)
    sight = np.subtract(view.look_at, view.position)
    assert chain.plane[:3, 2] @ sight / np.linalg.norm(sight) < -0.95
    assert np.allclose(view.look_at, chain.plane[:3, 3])


# --- what is drawn ----------------------------------------------------------------------------


def test_links_are_drawn_where_the_core_has_them(name: str) -> None:
    chain, rng = CHAINS[name], np.random.default_rng(3)
    positions = {joint.name: rng.uniform(-1.0, 1.0) for joint in chain.robot.joints}
    for link, pose in all_link_poses(chain, positions).items():
        assert np.allclose(pose, chain.link_pose(link, positions))


def test_ghosts_have_the_links_that_move(name: str) -> None:
    moved = moved_links(CHAINS[name])
    assert CHAINS[name].tip_link in moved
    assert CHAINS[name].base_link not in moved


def test_the_plane_turns_with_the_arm(name: str) -> None:
    chain, rng = CHAINS[name], np.random.default_rng(4)
    for _ in range(20):
        positions = {joint: rng.uniform(-1.0, 1.0) for joint in chain.commanded_joints}
        yaw, q = chain.configuration(positions)
        x, y, _ = chain.arm.forward_kinematics(q)
        tip = plane_pose(chain, yaw) @ (x, y, 0.0, 1.0)
        assert np.allclose(tip[:3], chain.forward_kinematics(positions)[:3, 3], atol=1e-4)


def test_the_outline_is_drawn_on_its_arcs() -> None:
    arcs = CHAINS['planar_3r'].arm.workspace_boundary().arcs
    drawn = segments(arcs)
    assert drawn.shape[1:] == (2, 3)
    for point in drawn[:, 0]:
        assert min(arc.distance_to((point[0], point[1])) for arc in arcs) < 1e-9


def test_shapes_are_the_visuals_or_bars_between_the_joints(tmp_path: Path) -> None:
    trimesh = pytest.importorskip('trimesh', reason='the extra viewer is not installed')
    from ik_circles.viewer.shapes import link_shapes

    boxes = link_shapes(CHAINS['planar_3r'], TEXTS['planar_3r'], None)
    assert np.allclose(boxes['upper_arm'].bounds[1, 0], 0.4)
    bars = link_shapes(CHAINS['so101'], TEXTS['so101'], None)
    wrist = next(j for j in CHAINS['so101'].robot.joints if j.name == 'wrist_flex')
    assert bars['lower_arm_link'].bounds[0, 0] <= wrist.origin[0, 3] + 1e-9
    # a file that is there is taken, scaled and placed; one that is not gives bars
    trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / 'box.stl')
    visual = (
        '<link name="tip"><visual><origin xyz="0 0 3"/><geometry>'
        '<mesh filename="box.stl" scale="2 2 2"/></geometry></visual></link>'
    )
    text = TEXTS['planar_3r'].replace('<link name="tip"/>', visual)
    there = link_shapes(load_arm(text), text, tmp_path)['tip']
    assert np.allclose(there.bounds, [[-1.0, -1.0, 2.0], [1.0, 1.0, 4.0]])
    missing = link_shapes(load_arm(text), text, tmp_path / 'elsewhere')['tip']
    assert missing.bounds[1, 2] < 0.1


# --- serving ----------------------------------------------------------------------------------


def test_without_viser_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'viser', None)
    with pytest.raises(CannotServeError, match=r"needs viser; .* pip install '.\[viewer\]'"):
        start_server('127.0.0.1', 0)


@pytest.mark.parametrize(('host', 'port'), [('127.0.0.1', 80_000), ('192.0.2.1', 0), ('a b', 0)])
def test_an_address_that_cannot_be_served_is_named(host: str, port: int) -> None:
    pytest.importorskip('viser', reason='the extra viewer is not installed')
    with pytest.raises(CannotServeError, match=f'cannot serve on {host}:{port} '):
        start_server(host, port)


@pytest.mark.parametrize(
    ('host', 'origin', 'foreign'),
    [
        ('127.0.0.1:8080', None, False),
        ('127.0.0.1:8080', 'http://127.0.0.1:8080', False),
        ('localhost:8080', 'http://localhost:8080', False),
        ('[::1]:8080', 'http://[::1]:8080', False),
        ('127.0.0.1:8080', 'http://127.0.0.1:9090', True),
        ('127.0.0.1:8080', 'https://example.com', True),
        ('127.0.0.1:8080', 'null', True),
        ('example.com:8080', 'http://example.com:8080', True),  # a name that was bent to here
        (f'{socket.gethostname()}.local:8080', None, False),
        ('', None, True),
    ],
)
def test_pages_of_other_sites_are_foreign(host: str, origin: str | None, foreign: bool) -> None:
    assert is_foreign(host, origin) is foreign


def test_the_page_is_for_its_own_site_only() -> None:
    viser = pytest.importorskip('viser', reason='the extra viewer is not installed')
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    server = start_server('127.0.0.1', 0)
    address = f'127.0.0.1:{server.get_port()}'
    protocols = [f'viser-v{viser.__version__}']
    try:
        with connect(f'ws://{address}', origin=f'http://{address}', subprotocols=protocols) as own:
            assert own.recv()
        with pytest.raises(InvalidStatus, match='403'):
            connect(f'ws://{address}', origin='http://example.com', subprotocols=protocols)
    finally:
        server.stop()


def test_the_page_gets_the_script_before_its_own_and_nothing_else_does() -> None:
    pytest.importorskip('viser', reason='the extra viewer is not installed')
    server = start_server('127.0.0.1', 0)
    address = f'http://127.0.0.1:{server.get_port()}'
    asked = Request(address, headers={'Accept-Encoding': 'gzip'})
    try:
        with urlopen(asked) as answer:
            page = answer.read()
        assert len(page) == int(answer.headers['Content-Length'])
        assert page.index(SCRIPT.encode()) == page.index(b'<script')
        assert page.rstrip().endswith(b'</html>')
        with pytest.raises(HTTPError, match='404'):
            urlopen(f'{address}/nothing')
    finally:
        server.stop()


# --- what is known ----------------------------------------------------------------------------


def test_the_backend_on_the_core_answers_and_moves(name: str) -> None:
    chain = CHAINS[name]
    backend = CoreBackend(chain, TEXTS[name])
    goal = dict.fromkeys(chain.commanded_joints, 0.3)
    pose = chain.forward_kinematics(goal)
    backend.aim(Target(tuple(map(float, pose[:3, 3])), pose[:3, :3]))
    state = backend.step(0.0)
    assert state.answer is not None
    assert state.answer.code is Code.OK
    assert len(state.answer.others) == len(state.answer.solutions) - 1
    for positions in state.answer.solutions:
        assert np.allclose(chain.forward_kinematics(positions)[:3, 3], pose[:3, 3])
    for _ in range(200):
        state = backend.step(0.1)
    assert np.allclose(chain.forward_kinematics(state.measured), pose)
    shown = construction(chain, state)
    assert shown is not None
    assert math.isclose(shown.phi, sum(chain.arm_angles(state.answer.command)), abs_tol=1e-9)


def test_a_setting_that_does_not_fit_is_refused_with_the_reason() -> None:
    backend = CoreBackend(CHAINS['planar_3r'], TEXTS['planar_3r'])
    backend.set('safe_zone_margin', 0.6)
    assert 'leaves nothing between the safe zones' in backend.step(0.0).notice
    backend.set('branch', 'sideways')
    assert "branch is 'sideways'" in backend.step(0.0).notice
    backend.set('branch', 'elbow_up')
    state = backend.step(0.0)
    assert (state.settings.branch, state.settings.safe_zone_margin) == ('elbow_up', 0.0)
    assert not state.notice


@pytest.mark.parametrize('limits', [None, ((-1.0, 1.0), None, (-0.5, 0.25))])
def test_an_arm_of_lengths_becomes_the_same_arm(limits: tuple | None) -> None:
    arm = PlanarArm((0.4, 0.3, 0.2), limits)
    chain = load_arm(description_of(arm))
    assert chain.arm.link_lengths == pytest.approx(arm.link_lengths)
    assert chain.arm.limits == arm.limits
    assert chain.commanded_joints == ('q1', 'q2', 'q3')


def test_the_verdict_says_code_and_reason_and_no_markup() -> None:
    refused = Answer(Code.JOINT_LIMIT, '<b> would exceed its upper limit by 6.1 deg')
    state = Snapshot(CHAINS['so101'], answer=refused, notice='a note')
    text = re.sub('<[^>]*>', ' ', words.verdict(state))
    assert 'JOINT LIMIT' in text
    assert '&lt;b&gt; would exceed its upper limit by 6.1 deg' in text
    assert text.index('a note') < text.index('JOINT LIMIT')
    assert 'Drag the ball' in words.verdict(replace(state, answer=None, notice=''))


def test_the_figures_say_latency_rate_and_joints() -> None:
    measured = {'shoulder_pan': math.radians(12.34), 'wrist_roll': 1.0}
    state = Snapshot(CHAINS['so101'], measured=measured, latency=0.00123, rate=20)
    text = re.sub('<[^>]*>', ' ', words.figures(state))
    assert re.search(r'target to answer\s+1\.2 ms', text)
    assert re.search(r'last second\s+20', text)
    assert re.search(r'shoulder_pan\s+12\.3°', text)
    assert 'wrist_roll' not in text
