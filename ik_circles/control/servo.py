# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One joint that follows a reference as fast as its velocity and acceleration limits allow."""

import math
from typing import NamedTuple

from ik_circles.geometry.angles import nearest_in

#: A value that passes a limit by no more than this does so by rounding only [rad or m, a second].
ROUNDED = 1e-12
#: A joint on its goal that is no faster than this is at rest [rad/s or m/s]: the rest is rounding.
AT_REST = 1e-9


class Motion(NamedTuple):
    """Position [rad or m] and velocity [rad/s or m/s] of a joint."""

    position: float
    velocity: float


class Reference(NamedTuple):
    """Where a joint should be [rad or m], and how fast [rad/s or m/s]; None: it rests there."""

    position: float
    velocity: float | None = None


class ServoLimits(NamedTuple):
    """Limits of a joint: its range, and its largest velocity and acceleration either way."""

    lower: float
    upper: float
    velocity: float
    acceleration: float


def follow(now: Motion, wanted: Reference, limits: ServoLimits, duration: float) -> Motion:
    """The motion after `duration` [s]: as wanted if the limits allow that, else on the way there.

    The joint can always come to rest inside its limits. So a reference that stands still inside
    them is never passed, unless the joint was too fast to stop before it.
    """
    position = nearest_in(wanted.position, limits[:2])
    if wanted.velocity is None:
        found = _to_rest(now, position, limits, duration)
    else:
        velocity = nearest_in(wanted.velocity, (-limits.velocity, limits.velocity))
        found = _with(now, Motion(position, velocity), limits, duration)
        rest = rest_of(found, limits)
        if abs(rest - nearest_in(rest, limits[:2])) > ROUNDED:
            found = _to_rest(now, position, limits, duration)
    return Motion(nearest_in(found.position, limits[:2]), found.velocity)


def rest_of(now: Motion, limits: ServoLimits) -> float:
    """Where the joint comes to rest if it brakes now [rad or m]."""
    return now.position + now.velocity * abs(now.velocity) / (2.0 * limits.acceleration)


def _to_rest(now: Motion, position: float, limits: ServoLimits, duration: float) -> Motion:
    """At rest at the position if only rounding is missing, else on the way there."""
    at_rest = Motion(position, 0.0)
    found = _catching_up(now, at_rest, limits, duration)
    is_there = abs(found.velocity) <= AT_REST and abs(found.position - position) <= ROUNDED
    return at_rest if is_there else found


def _with(now: Motion, wanted: Motion, limits: ServoLimits, duration: float) -> Motion:
    """The wanted motion if it can be reached after `duration`, else the way to catch up with it."""
    distance = wanted.position - now.position
    most = _farthest(now.velocity, wanted.velocity, limits, duration)
    least = -_farthest(-now.velocity, -wanted.velocity, limits, duration)
    if least <= distance <= most:  # least is more than most if the velocity changes too much
        return wanted
    return _catching_up(now, wanted, limits, duration)


def _farthest(start: float, end: float, limits: ServoLimits, duration: float) -> float:
    """The most that the joint can move in `duration` from one velocity to another [rad or m]."""
    change = (end - start) / limits.acceleration
    rising, falling = (duration + change) / 2.0, (duration - change) / 2.0
    too_fast = max(0.0, start + limits.acceleration * rising - limits.velocity)
    squares = limits.acceleration * (rising * rising + falling * falling) / 2.0
    return start * rising + end * falling + squares - too_fast * too_fast / limits.acceleration


def _catching_up(now: Motion, wanted: Motion, limits: ServoLimits, duration: float) -> Motion:
    """A change of velocity, and then that velocity, seen from a place that moves as wanted.

    There is one such change in a step. So if the reference moves on in even steps, the joint
    follows at an even pace, as far behind as it needs to brake.
    """
    frame = wanted.velocity
    missing = wanted.position - frame * duration - now.position
    speed, change = now.velocity - frame, limits.acceleration * duration
    new = _speed(missing, speed, limits.acceleration, duration)
    new = nearest_in(new, (-limits.velocity - frame, limits.velocity - frame))
    new = nearest_in(new, (speed - change, speed + change))
    moved = new * duration - (new - speed) * abs(new - speed) / (2.0 * limits.acceleration)
    return Motion(now.position + frame * duration + moved, new + frame)


def _speed(missing: float, speed: float, acceleration: float, duration: float) -> float:
    """The speed after `duration` with which the joint can brake to the end of what is missing now.

    Each case solves `moved + braking = missing`, with the `moved` of `_catching_up`. Speeds beyond
    the limits are cut off.
    """
    if speed < 0.0:
        return -_speed(-missing, -speed, acceleration, duration)
    braking_time, braking = speed / acceleration, speed * speed / (2.0 * acceleration)
    if missing - braking >= speed * duration:  # it need not slow down
        return (missing + braking) / (duration + braking_time)
    too_long = braking_time - duration
    if missing >= braking:
        root = math.sqrt(too_long * too_long + 4.0 * (missing - braking) / acceleration)
        return acceleration * (too_long + root) / 2.0
    # It comes to rest beyond, and turns back; or it brakes as hard as it can.
    return (missing - braking) / -too_long if too_long < 0.0 else 0.0
