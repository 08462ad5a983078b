"""What RViz is given: its topics exist, and the markers say what became of the target."""

import math
import runpy
import sys
from pathlib import Path
from unittest.mock import MagicMock

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

from ik_circles import Code, load_planar_chain
from ik_circles.ros.markers import TargetMarkers, target_markers

CHAIN = load_planar_chain(PLANAR_3R)
SHARE = PREFIX / 'share' / 'ik_circles'
LAUNCH = (
    'launch',
    'launch.actions',
    'launch.conditions',
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


def test_the_fixed_frame_is_the_root_of_the_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LAUNCH:  # comes with a full ROS 2, not as a wheel
        monkeypatch.setitem(sys.modules, name, MagicMock())
    rviz_config = runpy.run_path(str(SHARE / 'launch' / 'arm.launch.py'))['rviz_config']
    shipped = Path(rviz_config('not a URDF'))
    expected = yaml.safe_load(shipped.read_text())
    assert shipped == Path(rviz_config(PLANAR_3R))
    for urdf in sorted(URDF.glob('*.urdf')):
        file = Path(rviz_config(urdf.read_text()))
        config = yaml.safe_load(file.read_text())
        if file != shipped:
            file.unlink()
        options = expected['Visualization Manager']['Global Options']
        options['Fixed Frame'] = load_planar_chain(urdf.read_text()).base_link
        assert config == expected


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
    assert shown['reason'].text == 'too far by 0.100 m'
    assert shown['nearest'].pose.position == Point(x=0.9)
    assert [point.x for point in shown['to_nearest'].points] == [1.0, 0.9]


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
