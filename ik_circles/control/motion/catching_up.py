# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motions of an arm that may not be where it was sent, and has to catch up.

A controller that plays a path in its own time may be late, and nobody knows how late. From where it
is, it goes to the first waypoint of a newer path on a cubic. The accelerations at both ends of that
cubic are linear in the positions and velocities there. In between, the acceleration lies between
those two.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ik_circles.control.motion.trajectory import Trajectory, cubic
from ik_circles.geometry.arrays import Floats

#: Where the joints may be [rad], and how fast [rad/s].
Instead = tuple[Sequence[float], Sequence[float]]

#: The cubic to a later waypoint of a stop may be this far from the stop [rad or m]. An arm that is
#: late plays another cubic, which nobody checks: of 600 stops, one left its line by 1.03 mm.
OFF = 3e-3
#: How many later times are tried for the last waypoint of a stop.
LATER = 32
#: The rounding of a velocity or an acceleration, as a share of its limit.
ACCELERATION_ROUNDING = 1e-10


def times_to_rest(first: Floats, behind: Floats, speeds: Floats, strongest: Floats) -> Floats:
    """The times [s] in which each joint can brake evenly from its `first` velocity to rest.

    These times are also enough for joints that are `behind` [rad] and have their own `speeds`: in a
    time t, a cubic from there has accelerations of the form `(a t + b) / t**2` at both ends.
    """
    change = np.abs([first, 4.0 * speeds - 3.0 * first, 3.0 * first - 2.0 * speeds]).max(axis=0)
    return _later_root(change, behind, strongest)


def peaks(
    first: Floats, behind: Floats, speeds: Floats, strongest: Floats, rises: Floats
) -> tuple[Floats, Floats]:
    """The lowest and the highest velocity that joints can have after each time [rad/s], even if
    they are `behind` and have their own `speeds`."""
    catch_up = 6.0 * behind / rises
    means = first, 4.0 * speeds - 3.0 * first - catch_up, 3.0 * first - 2.0 * speeds + catch_up
    change = strongest * rises
    return np.maximum.reduce([*means]) - change, np.minimum.reduce([*means]) + change


def caught_up(stop: Trajectory, instead: Instead, strongest: Floats) -> Trajectory:
    """A stop whose first waypoint is so far ahead that it can be reached from `instead`, too.

    It takes the first waypoint for which the accelerations of both cubics are within the limits. If
    there is none, it takes the waypoint that exceeds the limits least. Only waypoints whose cubic
    is near enough to the stop count. The last waypoint may be later than in the stop.
    """
    here, last = stop.waypoints[0], stop.waypoints[-1]
    starts, first = np.array([here[1:], instead]), 2.0 * np.array([here.velocities, instead[1]])
    ways = np.abs(starts[:, 0] - last.positions)
    longest = np.max(_later_root(2.0 * np.abs(first), ways, strongest))
    delays = np.linspace(0.0, float(longest), LATER + 1)[1:].tolist()
    tried = [*stop.waypoints[1:], *(last._replace(time=last.time + delay) for delay in delays)]
    times, places, speeds = (np.array(one)[:, None] for one in zip(*tried))
    lengths = times[..., None]
    mean = 3.0 * (places - starts[:, 0]) / lengths
    ends = mean - first - speeds, 2.0 * speeds + first / 2.0 - mean
    asked = np.maximum(*map(np.abs, ends)) * 2.0 / lengths / strongest
    shares = np.minimum(times.T / times, 1.0)[..., None]
    on_the_way, _ = cubic(starts[0, 0], places, starts[0, 1], speeds, lengths, shares)
    off = np.abs(on_the_way - places[:, 0]) * (shares < 1.0)
    most = np.where(np.max(off, axis=(1, 2)) <= OFF, np.max(asked, axis=(1, 2)), np.inf)
    enough = most <= 1.0 + ACCELERATION_ROUNDING
    best = int(np.argmax(enough) if enough.any() else np.argmin(most))
    return Trajectory([here, *tried[best : max(best + 1, len(stop.waypoints) - 1)]])


def _later_root(change: Floats, way: Floats, strongest: Floats) -> Floats:
    """The time t with `strongest * t**2 = change * t + 6 * |way|` [s]."""
    root = np.sqrt(change * change + 24.0 * strongest * np.abs(way))
    return np.asarray((change + root) / (2.0 * strongest))
