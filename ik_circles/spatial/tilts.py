# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How a tilt of a single wrist joint's axis turns the plane of the arm about the yaw axis.

A tilt is how far the axis leaves the plane. With the tip in its place, it moves the wrist center.
"""

from ik_circles.spatial.wrist import LEAST

#: A tilt turns the plane by much where the wrist center is nearer to the yaw axis, or to the circle
#: on which shoulders meet, than this many times as far as it moves that [1].
FAR_OUTWARDS = 20.0
#: A tilt that turns the plane by an angle may be seen as more, by up to this many times that [1].
SEEN_AS_MORE = 2.0


def much_turned_within(tool: float, tilt: float) -> float:
    """How far outwards of the yaw axis a tilt [rad] with a tool of some length turns the plane by
    much [m]."""
    return FAR_OUTWARDS * tool * tilt


def most_seen(tool: float, tilt: float, outwards: float) -> float:
    """How far out of the plane of the wrist center, which is `outwards` of the yaw axis [m], the
    wrist's axis may be with a tilt [rad] and a tool of some length: it turns that plane, too."""
    return tilt * (1.0 + SEEN_AS_MORE * tool / max(abs(outwards), LEAST))
