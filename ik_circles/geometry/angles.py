# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles on the circle: wrapping, differences and turning into limits. Everything in radians."""

import math

TURN = 2.0 * math.pi
#: A sine counts as reaching a number that is larger than its amplitude by no more than this share:
#: the difference is rounding [1].
TOUCHES = 1e-14
#: An angle that differs from half a turn by no more than this is as near below another one as above
#: it [rad]: rounding would decide.
HALFWAY = 5e-10
#: An angle that is above another one by no more than this is nearest there [rad].
LESS_THAN_HALF = math.pi - HALFWAY

Limits = tuple[float, float]
#: Angles of several joints, in their order [rad].
Angles = tuple[float, ...]
CONTINUOUS: Limits = (-math.inf, math.inf)


def wrap(angle: float) -> float:
    """Turn `angle` by whole turns into (-pi, pi]."""
    wrapped = math.remainder(angle, TURN)
    return math.pi if wrapped <= -math.pi else wrapped


def either_way(angle: float) -> tuple[float, float]:
    """A direction and the opposite one, each in (-pi, pi] [rad]."""
    return wrap(angle), wrap(angle + math.pi)


def sweep_to(start: float, end: float) -> float:
    """Counter-clockwise angle from `start` to `end`, in [0, 2 pi)."""
    sweep = (end - start) % TURN
    return 0.0 if sweep >= TURN else sweep


def turns_into(angle: float, limits: Limits) -> list[float]:
    """Every `angle + k * 2 pi` inside `limits`, ascending; without limits, the wrapped angle."""
    lower, upper = limits
    if lower == -math.inf:
        return [wrap(angle)]
    if lower <= angle <= upper and upper - lower < TURN:
        return [angle]
    first = lower + (angle - lower) % TURN
    # The last one may be past the limit by rounding.
    return [min(first + k * TURN, upper) for k in range(int((upper - first) // TURN) + 1)]


def turns_from(angle: float, limits: Limits, window: float = 0.0) -> list[float]:
    """Every `angle + k * 2 pi` inside the limits, ascending; without limits, the angle itself.

    A limit that a turn passes by no more than `window` counts as a turn, too.
    """
    lower, upper = limits
    if lower == -math.inf:
        return [angle]
    first = math.ceil((lower - window - angle) / TURN)
    last = math.floor((upper + window - angle) / TURN)
    # The first and the last one may be past a limit by rounding.
    return [nearest_in(angle + k * TURN, limits) for k in range(first, last + 1)]


def nearest_in(angle: float, limits: Limits) -> float:
    """`angle` itself inside `limits`, else the limit that is nearest to it (no turning)."""
    lower, upper = limits
    return lower if angle < lower else upper if angle > upper else angle


def ends(limits: Limits) -> tuple[float, ...]:
    """Both limits of a joint [rad]: one if they are equal, none if the joint is continuous."""
    if limits[0] == -math.inf:
        return ()
    return limits if limits[0] < limits[1] else limits[:1]


def stops(limits: Limits) -> tuple[float, ...]:
    """The limits where turning ends [rad]; none if a whole turn lies between them."""
    return () if limits[1] - limits[0] >= TURN else ends(limits)


def nearest_turn(angle: float, near: float, limits: Limits, window: float = 0.0) -> float | None:
    """The turn of `angle` inside the limits that is nearest to `near`; None if there is none.

    Of two that are equally near, it is the lower one. A limit that the angle passes by no more than
    `window` counts as a turn, too.
    """
    lower, upper = limits
    if lower == -math.inf:
        return near + math.remainder(angle - near, TURN)
    turned = angle
    if not (lower <= angle <= upper and abs(angle - near) <= math.pi):
        turned = near + math.remainder(angle - near, TURN)
        if turned > upper + window:
            turned -= TURN * math.ceil((turned - upper - window) / TURN)
        elif turned < lower - window:
            turned += TURN * math.ceil((lower - window - turned) / TURN)
        if not lower - window <= turned <= upper + window:
            return None
    if turned - near > LESS_THAN_HALF and turned - TURN >= lower - window:
        turned -= TURN
    return nearest_in(turned, limits)


def where_turning_gives(cosine: float, sine: float, sought: float) -> list[float]:
    """The angles [rad] at which `cosine * cos + sine * sin` equals `sought`: two, or none."""
    most = math.hypot(cosine, sine)
    if most == 0.0 or abs(sought) > most * (1.0 + TOUCHES):
        return []
    middle, aside = math.atan2(sine, cosine), math.acos(min(max(sought / most, -1.0), 1.0))
    return [wrap(middle + aside), wrap(middle - aside)]


def angle_between(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Angle from one direction to another, in (-pi, pi] [rad]."""
    (a, b), (c, d) = one, other
    return math.atan2(a * d - b * c, a * c + b * d)
