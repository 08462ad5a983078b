# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How a tilt of a single wrist joint's axis turns the plane of the arm about the yaw axis.

A tilt is how far the axis leaves the plane. With the tip in its place, it moves the wrist center.
"""

from ik_circles.spatial.wrist import LEAST

#: A tilt turns the plane far if the wrist center is near to the yaw axis, or to the circle on which
#: shoulders meet: nearer than this many times the distance by which the tilt moves it [1].
FAR_OUTWARDS = 20.0
#: If a tilt turns the plane by an angle, the turned plane may see the tilt as larger, by up to this
#: many times that angle [1].
SEEN_AS_MORE = 2.0


def much_turned_within(tool: float, tilt: float) -> float:
    """The distance outwards from the yaw axis [m] within which a tilt [rad], with a tool of some
    length, turns the plane far."""
    return FAR_OUTWARDS * tool * tilt


def most_seen(tool: float, tilt: float, outwards: float) -> float:
    """How far a tilt [rad] may put the wrist's axis out of the plane through the wrist center
    [rad].

    The tool has some length, and the wrist center is `outwards` from the yaw axis [m]. The tilt
    turns that plane, too.
    """
    return tilt * (1.0 + SEEN_AS_MORE * tool / max(abs(outwards), LEAST))
