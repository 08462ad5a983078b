"""Markers for RViz: the workspace with both safe zones, and the target with what became of it."""

import math
import textwrap
from collections.abc import Iterable, Iterator

import numpy as np
from geometry_msgs.msg import Point, PointStamped, PoseStamped
from rclpy.node import Node
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.rigid import inverse_pose
from ik_circles.msg import IkStatus
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros.qos import NO_EVENTS

#: A drawn arc is made of chords of at most this angle [rad].
CHORD = math.radians(3.0)
OUTLINE = ColorRGBA(r=0.0, g=0.45, b=0.7, a=1.0)
ZONE = ColorRGBA(r=0.9, g=0.6, b=0.0, a=0.8)
PLANE = ColorRGBA(r=0.9, g=0.9, b=0.9, a=0.06)
GREEN = ColorRGBA(r=0.0, g=0.62, b=0.45, a=0.9)
RED = ColorRGBA(r=0.84, g=0.37, b=0.0, a=0.9)
TEXT = ColorRGBA(r=0.9, g=0.9, b=0.9, a=1.0)
#: Diameter of the target's ball and height of the text, in reaches of the arm.
BALL, LETTERS = 0.06, 0.05
#: Letters in a line of the reason.
LINE = 28
#: Where the target and what became of it are published.
TARGET_TOPIC = '~/target_markers'


def workspace_markers(chain: RobotArm, zones: SafeZones) -> MarkerArray:
    """Outline and safe zones as lines, and between the zones the plane, on which RViz's mouse finds
    points. In the frame of the link that carries the arm: with it they move."""
    (frame,) = (j.parent for j in chain.tree.joints if j.name == chain.joint_names[0])
    to_frame = inverse_pose(chain.link_pose(frame, chain.held))

    def points(arcs: Iterable[Arc]) -> Iterator[list[Point]]:
        for arc in arcs:
            angles = np.linspace(arc.start, arc.end, 2 + int(arc.sweep / CHORD))
            places = [(*chain.from_plane(*arc.point_at(angle)), 1.0) for angle in angles]
            yield [Point(x=x, y=y, z=z) for x, y, z, _ in (to_frame @ np.transpose(places)).T]

    zone_arcs = (Arc((0.0, 0.0), radius, 0.0, TURN) for radius in (zones.inner, zones.outer))
    inner, outer = points(zone_arcs)
    width = chain.arm.max_reach / 200.0
    outline = _marker(frame, 'outline', Marker.LINE_LIST, OUTLINE, width)
    outline.points = _chords(points(chain.arm.workspace_boundary().arcs))
    safe_zones = _marker(frame, 'safe_zones', Marker.LINE_LIST, ZONE, width / 2.0)
    safe_zones.points = _chords([inner, outer])
    plane = _marker(frame, 'plane', Marker.TRIANGLE_LIST, PLANE, 1.0)
    for a, b, c, d in zip(inner, inner[1:], outer, outer[1:]):
        plane.points += [a, c, d, a, d, b]
    markers = [outline, safe_zones, plane]
    for marker in markers:
        marker.frame_locked = True  # RViz tries again: it comes once, perhaps before its frame
    return MarkerArray(markers=markers)


def _chords(lines: Iterable[list[Point]]) -> list[Point]:
    return [end for line in lines for pair in zip(line, line[1:]) for end in pair]


class TargetMarkers:
    """The newest target: green if it was taken, else red with the nearest point and the reason.

    Nothing is made while nobody subscribes, nor when it would be the same again.
    """

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(
            MarkerArray, TARGET_TOPIC, 1, event_callbacks=NO_EVENTS
        )
        self._shown: tuple[object, ...] = ()

    def show(
        self, chain: RobotArm | None, target: PoseStamped | PointStamped, status: IkStatus
    ) -> None:
        """To be called when the status has been sent: the answer does not wait for it."""
        if chain is None or not self._publisher.get_subscription_count():
            self._shown = ()  # who subscribes next has seen nothing
            return
        at = target.pose.position if isinstance(target, PoseStamped) else target.point
        nearest = status.nearest.pose.position
        shown = (target.header.frame_id, *_numbers(at), *_numbers(nearest), status.message)
        if shown != self._shown:
            self._shown = shown
            self._publisher.publish(target_markers(chain, target.header.frame_id, at, status))


def target_markers(chain: RobotArm, frame: str, at: Point, status: IkStatus) -> MarkerArray:
    """What takes the place of the target before: in the target's frame the ball and the reason, in
    base_link the nearest point, with a line to it if the target is given there."""
    markers = [Marker(action=Marker.DELETEALL)]
    if not frame or not all(map(math.isfinite, _numbers(at))):
        return MarkerArray(markers=markers)
    size, taken = chain.arm.max_reach, status.code == Code.OK
    ball = _marker(frame, 'target', Marker.SPHERE, GREEN if taken else RED, BALL * size)
    ball.pose.position = at
    markers.append(ball)
    if taken:
        return MarkerArray(markers=markers)
    reason = _marker(frame, 'reason', Marker.TEXT_VIEW_FACING, TEXT, LETTERS * size)
    reason.pose.position = Point(x=at.x, y=at.y, z=at.z + BALL * size)
    lines = textwrap.wrap(status.message, LINE)
    reason.text = '\n'.join([*lines, *('' for _ in lines), ''])  # its middle is at the target
    markers.append(reason)
    nearest = status.nearest
    if nearest.header.frame_id:
        there = _marker(chain.base_link, 'nearest', Marker.SPHERE, RED, BALL * size / 2.0)
        there.pose.position = nearest.pose.position
        markers.append(there)
    if nearest.header.frame_id == frame:
        line = _marker(frame, 'to_nearest', Marker.LINE_LIST, RED, size / 200.0)
        line.points = [at, nearest.pose.position]
        markers.append(line)
    return MarkerArray(markers=markers)


def _marker(frame: str, namespace: str, kind: int, color: ColorRGBA, size: float) -> Marker:
    marker = Marker(ns=namespace, type=kind, action=Marker.ADD, color=color)
    marker.header.frame_id = frame
    marker.pose.orientation.w = 1.0
    marker.scale.x = marker.scale.y = marker.scale.z = size
    return marker


def _numbers(point: Point) -> tuple[float, float, float]:
    return point.x, point.y, point.z
