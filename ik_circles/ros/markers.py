"""The workspace as markers for RViz: its exact outline and both safe zones."""

import math
from collections.abc import Sequence

import numpy as np
from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from ik_circles.chain import PlanarChain
from ik_circles.workspace import Arc, SafeZones

#: A drawn arc is made of chords of at most this angle [rad].
CHORD = math.radians(3.0)
OUTLINE = ColorRGBA(r=0.0, g=0.45, b=0.7, a=1.0)
ZONE = ColorRGBA(r=0.9, g=0.6, b=0.0, a=0.8)


def workspace_markers(chain: PlanarChain, zones: SafeZones) -> MarkerArray:
    """Line lists in base_link, in the arm's plane."""
    outline = chain.arm.workspace_boundary().arcs
    circles = [
        Arc((0.0, 0.0), radius, 0.0, 2.0 * math.pi) for radius in (zones.inner, zones.outer)
    ]
    width = chain.arm.max_reach / 200.0
    return MarkerArray(
        markers=[
            _lines(chain, 'outline', outline, OUTLINE, width),
            _lines(chain, 'safe_zones', circles, ZONE, width / 2.0),
        ]
    )


def _lines(
    chain: PlanarChain, namespace: str, arcs: Sequence[Arc], color: ColorRGBA, width: float
) -> Marker:
    marker = Marker(ns=namespace, type=Marker.LINE_LIST, action=Marker.ADD, color=color)
    marker.header.frame_id = chain.base_link
    marker.pose.orientation.w = 1.0
    marker.scale.x = width
    for arc in arcs:
        angles = np.linspace(arc.start, arc.end, 2 + int(arc.sweep / CHORD))
        points = [Point(x=x, y=y, z=z) for x, y, z in
                  (chain.from_plane(*arc.point_at(angle)) for angle in angles)]
        for pair in zip(points, points[1:]):
            marker.points.extend(pair)
    return marker
