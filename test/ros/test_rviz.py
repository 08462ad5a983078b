"""What RViz is given: its topics exist, and the markers say what became of the target."""

import math
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
import pytest
import yaml
from ros_processes import PLANAR_3R, PREFIX, URDF, running

# isort: split
import rclpy
from geometry_msgs.msg import Point, PointStamped, PoseStamped
from ik_circles.msg import IkStatus
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from ros_probe import IkProbe
from visualization_msgs.msg import Marker, MarkerArray

from ik_circles import Code, load_arm
from ik_circles.geometry.rigid import rotation_about
from ik_circles.planar.zones import SafeZones
from ik_circles.ros.markers import LINE, TargetMarkers, target_markers, workspace_markers

CHAIN = load_arm(PLANAR_3R)
SHARE = PREFIX / 'share' / 'ik_circles'
LAUNCH = (
    'launch',
    'launch.actions',
    'launch.conditions',
    'launch.event_handlers',
    'launch.substitutions',
    'launch_ros',
    'launch_ros.actions',
)
#: Type of what each display and tool of the configuration takes or sends.
TYPES = {
    'rviz_default_plugins/RobotModel': 'std_msgs/msg/String',
    'rviz_default_plugins/MarkerArray': 'visualization_msgs/msg/MarkerArray',
    'rviz_default_plugins/SetGoal': 'geometry_msgs/msg/PoseStamped',
    'rviz_default_plugins/PublishPoint': 'geometry_msgs/msg/PointStamped',
}


@pytest.fixture(params=sorted(URDF.glob('*.urdf')), ids=lambda path: path.stem)
def urdf(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_every_topic_of_the_configuration_is_one_of_the_node() -> None:
    text = (SHARE / 'rviz' / 'arm.rviz').read_text()
    manager = yaml.safe_load(text)['Visualization Manager']
    wanted = [
        ((part.get('Description Topic') or part['Topic'])['Value'], TYPES[part['Class']])
        for part in (*manager['Displays'], *manager['Tools'])
        if part['Class'] in TYPES
    ]
    assert len(wanted) == 5
    with running('ik_node', {'robot_description': PLANAR_3R}) as process:
        probe = IkProbe(process)
        probe.connect()
        node = probe.node

        def known() -> set[tuple[str, str]]:
            if ('ik_node', '/') not in node.get_node_names_and_namespaces():
                return set()  # its topics may be known before its name
            pairs = (
                *node.get_publisher_names_and_types_by_node('ik_node', '/'),
                *node.get_subscriber_names_and_types_by_node('ik_node', '/'),
            )
            return {(name.lstrip('/'), types[0]) for name, types in pairs}

        probe.wait(lambda: set(wanted) <= known(), f'all of {wanted}')
        probe.close()


@pytest.fixture
def rviz_config(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict]:
    for name in LAUNCH:  # comes with a full ROS 2, not as a wheel
        monkeypatch.setitem(sys.modules, name, MagicMock())
    written = runpy.run_path(str(SHARE / 'launch' / 'arm.launch.py'))['rviz_config']

    def config(description: str) -> dict:
        file = Path(written(description))
        text = file.read_text()
        file.unlink()
        return yaml.safe_load(text)

    return config


def test_the_configuration_has_the_root_of_the_robot_and_looks_at_its_plane(
    rviz_config: Callable[[str], dict], urdf: Path
) -> None:
    shipped = yaml.safe_load((SHARE / 'rviz' / 'arm.rviz').read_text())
    config = rviz_config(urdf.read_text())
    chain = load_arm(urdf.read_text())
    manager, expected = config['Visualization Manager'], shipped['Visualization Manager']
    assert manager['Global Options'].pop('Fixed Frame') == chain.tree.root == chain.base_link
    view = manager['Views'].pop('Current')
    from_above = view['Class'] == 'rviz_default_plugins/TopDownOrtho'
    assert from_above is (urdf.stem == 'planar_3r')
    if not from_above:
        focus = [view['Focal Point'][axis] for axis in 'XYZ']
        assert focus == pytest.approx(chain.from_plane(0.0, 0.0, chain.home.yaw))
        yaw, pitch = view['Yaw'], view['Pitch']
        level = math.cos(pitch)
        towards = level * math.cos(yaw), level * math.sin(yaw), math.sin(pitch)
        assert np.dot(towards, chain.normal) > 0.7
    del expected['Global Options']['Fixed Frame'], expected['Views']['Current']
    assert config == shipped


@pytest.mark.parametrize('degrees', [-175.0, -150.0, -90.0, -60.0, -10.0, 20.0, 45.0, 90.0, 130.0])
def test_a_plane_is_never_seen_from_its_edge(
    rviz_config: Callable[[str], dict], degrees: float
) -> None:
    turn = f'<child link="upper_arm"/><origin rpy="{math.radians(degrees)} 0 0"/>'
    description = PLANAR_3R.replace('<child link="upper_arm"/>', turn)
    view = rviz_config(description)['Visualization Manager']['Views']['Current']
    normal, towards = load_arm(description).normal, (0.0, 0.0, 1.0)
    if view['Class'] == 'rviz_default_plugins/Orbit':
        yaw, level = view['Yaw'], math.cos(view['Pitch'])
        towards = level * math.cos(yaw), level * math.sin(yaw), math.sin(view['Pitch'])
    assert abs(np.dot(towards, normal)) > 0.7


@pytest.mark.parametrize(
    'description', ['', 'not a URDF', '<robot name="r"><link name="a"/></robot>']
)
def test_without_an_arm_there_is_a_configuration(
    rviz_config: Callable[[str], dict], description: str
) -> None:
    shipped = yaml.safe_load((SHARE / 'rviz' / 'arm.rviz').read_text())
    if '<link' in description:
        shipped['Visualization Manager']['Global Options']['Fixed Frame'] = 'a'
    assert rviz_config(description) == shipped


def test_the_workspace_moves_with_the_link_that_carries_the_arm(urdf: Path) -> None:
    chain = load_arm(urdf.read_text())
    zones = SafeZones.of(chain.arm, 0.05 * chain.arm.max_reach)
    outline, safe_zones, plane = workspace_markers(chain, zones).markers
    frame = outline.header.frame_id
    assert {safe_zones.header.frame_id, plane.header.frame_id} == {frame}
    position = 0.4 if chain.yaw_joint else 0.0
    yaw = chain.yaw_sign * position
    pose = chain.link_pose(frame, {chain.yaw_joint or '': position})
    base = chain.from_plane(0.0, 0.0, yaw)
    first = chain.arm.workspace_boundary().arcs[0]

    def places(marker: Marker) -> np.ndarray:
        return np.array([(p.x, p.y, p.z) for p in marker.points]) @ pose[:3, :3].T + pose[:3, 3]

    start = chain.from_plane(*first.point_at(first.start), yaw)
    assert places(outline)[0] == pytest.approx(start, abs=1e-12)
    for marker in (safe_zones, plane):
        radii = np.linalg.norm(places(marker) - base, axis=1)
        known = np.abs(radii[:, None] - [zones.inner, zones.outer]).min(axis=1)
        assert known.max() < 1e-12 and np.ptp(radii) > 0.5 * chain.arm.max_reach
    turned = rotation_about(np.array(chain.yaw_axis), yaw) @ chain.normal
    away = (places(plane) - base) @ turned
    assert np.abs(away).max() < 1e-12


def _status(code: Code, nearest: tuple[float, float] | None = None) -> IkStatus:
    status = IkStatus(code=int(code), message='too far by 0.100 m')
    if nearest is not None:
        status.nearest.header.frame_id = 'base_link'
        status.nearest.pose.position = Point(x=nearest[0], y=nearest[1])
    return status


def _shown(frame: str, at: Point, status: IkStatus) -> dict[str, Marker]:
    first, *others = target_markers(CHAIN, frame, at, status).markers
    assert first.action == Marker.DELETEALL  # what was there before goes
    return {marker.ns: marker for marker in others}


def test_a_target_that_was_taken_is_green_and_alone() -> None:
    shown = _shown('base_link', Point(x=0.5), _status(Code.OK, (0.5, 0.0)))
    assert list(shown) == ['target']
    assert shown['target'].color.g > shown['target'].color.r
    assert shown['target'].pose.position == Point(x=0.5)


def test_a_refused_target_is_red_with_nearest_point_line_and_reason() -> None:
    shown = _shown('base_link', Point(x=1.0), _status(Code.TOO_FAR, (0.9, 0.0)))
    assert list(shown) == ['target', 'reason', 'nearest', 'to_nearest']
    assert shown['target'].color.r > shown['target'].color.g
    assert shown['reason'].text.split() == ['too', 'far', 'by', '0.100', 'm']
    assert shown['nearest'].pose.position == Point(x=0.9)
    assert [point.x for point in shown['to_nearest'].points] == [1.0, 0.9]


def test_a_long_reason_stands_above_the_target_in_lines_that_fit() -> None:
    status = _status(Code.JOINT_LIMIT)
    status.message = (
        'shoulder_joint would exceed its upper limit by 8.5 deg; '
        'the nearest reachable point is 0.052 m away'
    )
    text = _shown('base_link', Point(x=-0.6), status)['reason'].text
    lines = text.split('\n')
    said = [line for line in lines if line]
    assert ' '.join(said) == status.message and max(map(len, said)) <= LINE
    assert lines[: len(said)] == said and len(lines) > 2 * len(said)  # RViz centres it


@pytest.mark.parametrize(
    ('frame', 'at', 'names'),
    [
        ('hand', Point(x=1.0), ['target', 'reason', 'nearest']),  # a line needs one frame
        ('base_link', Point(x=math.nan), []),
        ('', Point(x=1.0), []),
    ],
)
def test_what_cannot_be_drawn_is_left_out(frame: str, at: Point, names: list[str]) -> None:
    assert list(_shown(frame, at, _status(Code.TOO_FAR, (0.9, 0.0)))) == names


def test_markers_are_sent_to_who_listens_and_when_something_changes() -> None:
    context = Context()
    rclpy.init(context=context)
    node = rclpy.create_node('ik_node', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    markers, heard = TargetMarkers(node), []
    pose, point = PoseStamped(), PointStamped()
    pose.header.frame_id = point.header.frame_id = 'base_link'
    try:
        markers.show(CHAIN, pose, _status(Code.OK))  # nobody listens
        node.create_subscription(MarkerArray, 'ik_node/target_markers', heard.append, 10)
        while not node.count_subscribers('ik_node/target_markers'):
            executor.spin_once(timeout_sec=0.1)
        for _ in range(50):  # the same again and again
            markers.show(CHAIN, pose, _status(Code.OK))
            executor.spin_once(timeout_sec=0.02)
        assert len(heard) == 1
        point.point.x = 0.3
        markers.show(CHAIN, point, _status(Code.OK))
        markers.show(None, point, _status(Code.NO_MODEL))
        executor.spin_once(timeout_sec=5.0)
        assert [m.markers[1].pose.position.x for m in heard] == [0.0, 0.3]
    finally:
        executor.shutdown()
        node.destroy_node()
        context.try_shutdown()
