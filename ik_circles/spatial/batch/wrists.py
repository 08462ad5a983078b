# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What orientations of the tip ask of the joints: `Wrist.postures` in columns."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.batch.places import Places
from ik_circles.spatial.batch.shoulders import Shoulders, outwards_of
from ik_circles.spatial.plane import INWARD
from ik_circles.spatial.tilts import SEEN_AS_MORE, much_turned_within
from ik_circles.spatial.wrist import (
    LEAST,
    LEVEL,
    LOOSE,
    ROUNDING,
    Wrist,
)

#: A comparison with a bound may be off by this share [1]. That leaves much to spare.
SPARE = 1e-3
#: Where the last link changes from pointing outwards to inwards, this much is rounding [1].
NEARLY_INWARD = 1e-12


class Postures(NamedTuple):
    """`Posture` in columns: `phi` (M,) and the wrist's angles, each (M,) [rad].

    `tilt` is that of a single wrist joint (M,) [rad], 0 if there are two. Rounding may put joints
    `rounded` beside what is asked (M,) [rad]. `doubtful` rows (M,) are left to the code for one
    target.
    """

    phi: Floats
    wrist: tuple[Floats, ...]
    tilt: Floats
    rounded: Floats
    doubtful: Bools

    @property
    def is_level(self) -> Bools:
        """Whether the first wrist axis is in the plane, up to rounding (M,)."""
        return np.asarray(self.tilt <= LEVEL)


def postures(wrist: Wrist, sight: list[Floats], one: Shoulders) -> list[Postures]:
    """The postures of M orientations at a shoulder; the orientations are in rows, as in `Sight`."""
    a, b, c, d, e, f, g, h, i = sight
    cosine, sine = one.cosine, one.sine
    outwards = a * cosine - g * sine, b * cosine - h * sine, c * cosine - i * sine
    normal = g * cosine + a * sine, h * cosine + b * sine, i * cosine + c * sine
    if wrist.has_two:
        return _two_flips(wrist, (outwards[1], e, *normal), one.rounded)
    return [_roll(wrist, outwards, (d, e, f), normal, one.rounded)]


def _two_flips(wrist: Wrist, seen: tuple[Floats, ...], rounded: Floats) -> list[Postures]:
    x, y, n_x, n_y, n_z = seen
    level = np.hypot(x, y)
    chi, rho, last = np.arctan2(-x, y), np.arctan2(n_y, level), np.arctan2(-n_x, n_z)
    rounded = ROUNDING * rounded / np.maximum(level, LEAST)
    doubtful, none = rounded * (1.0 + SPARE) > LOOSE, np.zeros(len(x))  # correction decides
    phi, first = chi + wrist.phi_at_zero, rho - wrist.first_at_zero
    other_first = math.pi - wrist.first_at_zero - rho
    return [
        Postures(phi, (first, last), none, rounded, doubtful),
        Postures(phi + math.pi, (other_first, last + math.pi), none, rounded, doubtful),
    ]


def _roll(
    wrist: Wrist,
    outwards: tuple[Floats, Floats, Floats],
    along: tuple[Floats, Floats, Floats],
    normal: tuple[Floats, Floats, Floats],
    rounded: Floats,
) -> Postures:
    (ahead, a, b), (up, c, d), (off, e, f) = outwards, along, normal
    level, nearly_inward = outwards_or_inwards(ahead, np.hypot(ahead, off))
    chi, rho = np.arctan2(up, level), np.arctan2(e + up * b - level * d, level * c - up * a + f)
    tilt = np.abs(np.arctan2(off, np.hypot(ahead, up)))
    doubtful = (np.abs(tilt - LEVEL) <= SPARE * LEVEL) | nearly_inward
    phi, first = chi + wrist.phi_at_zero, rho - wrist.first_at_zero
    return Postures(phi, (first,), tilt, ROUNDING * rounded, doubtful)


def outwards_or_inwards(ahead: Floats, length: Floats) -> tuple[Floats, Bools]:
    """The level part of a tool with its sign, and the rows in which rounding decides about it.

    An upright tool has hardly a level part, so its sign hardly matters.
    """
    seen = ahead + INWARD * length
    doubtful = (np.abs(seen) <= NEARLY_INWARD) & (length > NEARLY_INWARD)
    return np.copysign(length, seen), doubtful


def turns_by_much(
    arm: SpatialArm, wrist: Wrist, center: Floats, sight: Floats, tilt: float
) -> Bools:
    """The rows in which a tilt [rad] turns the plane far; see `ways_with_axis_in_plane`.

    Wrist centers are in the axes of the plane (3, N) [m], orientations as a wrist sees them (9, N).
    """
    found, yaw = np.zeros(center.shape[1], bool), arm.yaw
    if yaw is None or wrist.has_two:
        return found
    places = Places.of(yaw, *center)
    past = places.radius - abs(yaw.aside)
    found |= (past <= 0.0) & (past >= -(1.0 + SPARE) * wrist.length * min(tilt, 1.0))
    much = (1.0 + SPARE) * much_turned_within(wrist.length, tilt)
    near = np.flatnonzero((past > 0.0) & (places.outwards <= much))
    if len(near):
        places, ahead, off = places.rows(near), sight[0][near], sight[6][near]
        for outwards in (places.outwards, -places.outwards):
            cosine, sine = places.turned_to(outwards)
            found[near[np.abs(off * cosine + ahead * sine) > LEVEL / 2.0]] = True
    return found


def most_tilts(arm: SpatialArm, tool: float, one: Shoulders, tilt: float) -> Floats:
    """How far a tilt [rad] may put the wrist's axis out of the plane; see `most_seen`."""
    if arm.yaw is None:
        return np.full(one.rows.shape, tilt)
    outwards = np.maximum(np.abs(outwards_of(arm.yaw, one.x, one.y)), LEAST)
    return np.asarray(tilt * (1.0 + SEEN_AS_MORE * tool / outwards))
