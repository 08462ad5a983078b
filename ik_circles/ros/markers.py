# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Markers for RViz: the workspace with both safe zones, and the newest target with its answer."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from geometry_msgs.msg import Point
from rclpy.node import Node
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from ik_circles import palette
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.circles import Point as InPlane
from ik_circles.geometry.rigid import inverse_pose
from ik_circles.msg import IkStatus
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros import qos
from ik_circles.ros.executor import publisher
from ik_circles.ros.given import Given

#: A drawn arc is made of chords of at most this angle [rad].
CHORD = math.radians(3.0)


def _color(name: str, alpha: float) -> ColorRGBA:
    """A hex color as a message."""
    red, green, blue, alpha = palette.rgba(name, alpha)
    return ColorRGBA(r=red, g=green, b=blue, a=alpha)


OUTLINE = _color(palette.ARM, 1.0)
ZONE = _color(palette.SAFE_ZONES, 0.8)
TAKEN = _color(palette.REACHED, 0.9)
REFUSED = _color(palette.REFUSED, 0.9)
#: RViz has a dark background, so the text is bright, and the plane hardly more than a shade.
TEXT = _color(palette.DARK.ink, 1.0)
PLANE = _color(palette.DARK.ink, 0.06)
#: Diameter of the ball at a target, as a share of the arm's reach.
BALL = 0.06
#: Height of the text, as a share of the arm's reach.
LETTERS = 0.05
#: Width of the outline, as a share of the arm's reach.
LINE_WIDTH = 0.005
#: The most letters in a line of the reason.
LINE = 28
#: Topic of the newest target and its answer.
TARGET_TOPIC = '~/target_markers'


def nothing() -> MarkerArray:
    """The message that removes all markers of a topic."""
    return MarkerArray(markers=[Marker(action=Marker.DELETEALL)])


def workspace_markers(arm: RobotArm, zones: SafeZones) -> MarkerArray:
    """The outline, the safe zones and the floor as lines, and the plane between the zones.

    Zones and plane end at the floor. The plane lets the mouse pick points in RViz. All markers are
    in the frame of the link that carries the arm, and move with it.
    """
    (frame,) = (j.parent for j in arm.tree.joints if j.name == arm.joint_names[0])
    to_frame = inverse_pose(arm.link_pose(frame, arm.held))

    def corners(arc: Arc) -> list[Point]:
        return line(arc.chords(CHORD).tolist())

    def line(points: Iterable[Sequence[float]]) -> list[Point]:
        places = [(*arm.spatial.plane.point_at(x, y), 1.0) for x, y in points]
        return [Point(x=x, y=y, z=z) for x, y, z, _ in (to_frame @ np.reshape(places, (-1, 4)).T).T]

    floor, width = arm.arm.floor, LINE_WIDTH * arm.arm.max_reach
    outline = _marker(frame, 'outline', Marker.LINE_LIST, OUTLINE, width)
    outline.points = _lines(map(corners, arm.arm.workspace_boundary().arcs))
    safe_zones = _marker(frame, 'safe_zones', Marker.LINE_LIST, ZONE, width / 2.0)
    safe_zones.points = _lines(map(corners, zones.above(floor)))
    plane = _marker(frame, 'plane', Marker.TRIANGLE_LIST, PLANE, 1.0)
    plane.points = line(_between(zones, floor))
    markers = [outline, safe_zones, plane]
    if floor is not None:
        edge = _marker(frame, 'floor', Marker.LINE_LIST, TEXT, 2.0 * width)
        edge.points = line(floor.line(arm.arm.max_reach))
        markers.append(edge)
    for marker in markers:
        marker.frame_locked = True  # RViz retries: the markers may come before their frame
    return MarkerArray(markers=markers)


def _between(zones: SafeZones, floor: Floor | None) -> list[InPlane]:
    """The corners of triangles that fill the ring above a floor, in the arm's plane [m]."""
    inner, outer = (
        [(x, y) for x, y in Arc(ORIGIN, radius, 0.0, TURN).chords(CHORD).tolist()]
        for radius in (zones.inner, zones.outer)
    )
    found: list[InPlane] = []
    for a, b, c, d in zip(inner, inner[1:], outer[1:], outer):
        piece = floor.part_above((a, b, c, d)) if floor else [a, b, c, d]
        for pair in pairwise(piece[1:]):
            found += [piece[0], *pair]
    return found


def _lines(corners: Iterable[list[Point]]) -> list[Point]:
    """Both ends of each chord, as a LINE_LIST needs them."""
    return [end for line in corners for pair in pairwise(line) for end in pair]


class TargetMarkers:
    """The newest target: green if it was taken, else red, with the nearest point and the reason.

    Nothing is sent while nobody subscribes, or if the markers would be the same again.
    """

    def __init__(self, node: Node) -> None:
        self._publisher = publisher(node, MarkerArray, TARGET_TOPIC, qos.LATEST)
        self._shown: tuple[object, ...] = ()

    def show(
        self, arm: RobotArm | None, given: Given, status: IkStatus
    ) -> None:
        """Show a target. Call this after the status is sent, so that the answer does not wait."""
        if arm is None or not self._publisher.get_subscription_count():
            self._shown = ()  # the next subscriber will have seen nothing
            return
        nearest = status.nearest.pose.position
        shown = (given.stamped.frame, given.position, _numbers(nearest), status.message)
        if shown != self._shown:
            self._shown = shown
            self._publisher.publish(target_markers(arm, given, status))


def target_markers(arm: RobotArm, given: Given, status: IkStatus) -> MarkerArray:
    """The markers that replace those of the last target.

    The ball and the reason are in the target's frame, the nearest point is in base_link. A line
    joins them if both are in the same frame.
    """
    markers = [Marker(action=Marker.DELETEALL)]
    frame, (x, y, z) = given.stamped.frame, given.position
    if not frame or not all(map(math.isfinite, given.position)):
        return MarkerArray(markers=markers)
    at = Point(x=x, y=y, z=z)
    size, taken = arm.arm.max_reach, status.code == Code.OK
    ball = _marker(frame, 'target', Marker.SPHERE, TAKEN if taken else REFUSED, BALL * size)
    ball.pose.position = at
    markers.append(ball)
    if taken:
        return MarkerArray(markers=markers)
    reason = _marker(frame, 'reason', Marker.TEXT_VIEW_FACING, TEXT, LETTERS * size)
    reason.pose.position = Point(x=at.x, y=at.y, z=at.z + BALL * size)
    lines = textwrap.wrap(status.message, LINE)
    # RViz centers the text: an empty lower half keeps it off the ball.
    reason.text = '\n'.join([*lines, *('' for _ in lines), ''])
    markers.append(reason)
    nearest = status.nearest
    if nearest.header.frame_id:
        there = _marker(arm.base_link, 'nearest', Marker.SPHERE, REFUSED, BALL * size / 2.0)
        there.pose.position = nearest.pose.position
        markers.append(there)
    if nearest.header.frame_id == frame:
        line = _marker(frame, 'to_nearest', Marker.LINE_LIST, REFUSED, LINE_WIDTH * size)
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
