# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shoulders of many points in space: `ArmPlane.shoulders` in columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np

from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.batch.places import Places
from ik_circles.spatial.batch.turns import RowNumbers, excess_of, is_next_to
from ik_circles.spatial.yaw import ON_LIMIT_ROUNDINGS, Yaw

#: A point this near to where the plane touches the yaw axis is left to the code for one
#: target [reaches]: the root of the rounding counts there.
NEXT_TO_AXIS = 1e-6


class Shoulders(NamedTuple):
    """One shoulder of M points: where they are in the plane [m], and the plane's yaw angle [rad]
    with its cosine and sine.

    It `faces` the points, or reaches backwards. Rounding turns the plane `rounded` times as far as
    it turns an orientation [1]. `is_inside` says whether the yaw joint is inside its limits.
    """

    rows: RowNumbers
    faces: bool
    x: Floats
    y: Floats
    yaw: Floats
    cosine: Floats
    sine: Floats
    rounded: Floats
    is_inside: Bools

    def of(self, some: RowNumbers) -> Shoulders:
        """The shoulder of some of the points."""
        columns = {name: one[some] for name, one in self._asdict().items() if name != 'faces'}
        return self._replace(**columns)


def shoulders(
    arm: SpatialArm, x: Floats, y: Floats, off: Floats, doubtful: Bools, room: float = 0.0
) -> Iterator[Shoulders]:
    """The shoulders of points in the axes of the plane at 0 (N,) [m], with their rows.

    The yaw joint may be past its limits by up to `room` [rad]. Rows in which rounding decides are
    made `doubtful` (N,).
    """
    yaw, rows = arm.yaw, np.arange(len(x))
    if yaw is None:
        none = np.zeros(len(x))
        yield Shoulders(rows, True, x, y, none, none + 1.0, none, none + 1.0, none == 0.0)
        return
    places = Places.of(yaw, x, y, off)
    past, next_to_axis = places.radius - abs(yaw.aside), NEXT_TO_AXIS * arm.planar.max_reach
    doubtful |= np.abs(past) <= next_to_axis
    rows = np.flatnonzero(past > next_to_axis)
    places = places.rows(rows)
    for faces in (True, False):
        yield _shoulder(arm, places, rows, faces, doubtful, room)


def _shoulder(
    arm: SpatialArm, places: Places, rows: RowNumbers, faces: bool, doubtful: Bools, room: float
) -> Shoulders:
    outwards = places.outwards if faces else -places.outwards
    cosine, sine = places.turned_to(outwards)
    x, y = places.in_plane(outwards)
    rounded = np.maximum(1.0, arm.plane.loose_within / places.outwards)
    angle, is_inside = np.arctan2(sine, cosine), np.ones(len(rows), dtype=np.bool_)
    found = Shoulders(rows, faces, x, y, angle, cosine, sine, rounded, is_inside)
    return _turned(cast('Yaw', arm.yaw), found, places.outwards, doubtful, room)[0]


def _turned(
    yaw: Yaw, one: Shoulders, outwards: Floats, doubtful: Bools, room: float = 0.0
) -> tuple[Shoulders, RowNumbers]:
    """The shoulders that the yaw joint can take, with some room, and their numbers; `outwards` is
    how far they reach [m]."""
    if not yaw.ends():
        return one, np.arange(len(one.rows))
    past = excess_of(one.yaw, yaw.limits)
    rounding = ON_LIMIT_ROUNDINGS * yaw.rounding / outwards
    doubtful[one.rows[is_next_to(past, rounding)]] = True
    one = one._replace(is_inside=past <= 0.0)
    kept = np.flatnonzero(past <= room)
    return one.of(kept), kept


def nearest_shoulder(
    arm: SpatialArm, one: Shoulders, tip: Floats, off: Floats, doubtful: Bools
) -> tuple[Shoulders, RowNumbers]:
    """The shoulder of tips that is nearest to another one, and the rows in which it can be taken.

    The tips (3, M) are in the axes of the plane at 0 [m], and `off` the plane (M,) [m]. The yaw
    joint has to take the shoulder. See `tilted`. Tips that the plane cannot meet are `doubtful`: a
    joint may give way for them.
    """
    yaw = cast('Yaw', arm.yaw)
    places, aside = Places.of(yaw, *tip), yaw.aside - off
    past = places.radius - np.abs(aside)
    next_to_axis = NEXT_TO_AXIS * arm.planar.max_reach
    doubtful[one.rows[past <= next_to_axis]] = True
    outwards = np.sqrt(np.maximum(past, next_to_axis)) * np.sqrt(places.radius + np.abs(aside))
    ahead = places.turned_to(outwards, aside)
    behind = places.turned_to(-outwards, aside)
    nearer = [c * one.cosine + s * one.sine for c, s in (ahead, behind)]
    doubtful[one.rows[is_next_to(nearer[1] - nearer[0])]] = True
    turns_back = nearer[1] > nearer[0]
    cosine, sine = np.where(turns_back, behind, ahead)
    x, y = places.in_plane(np.where(turns_back, -outwards, outwards))
    found = Shoulders(
        one.rows, one.faces, x, y, np.arctan2(sine, cosine), cosine, sine, one.rounded,
        one.is_inside,
    )  # fmt: skip
    found, kept = _turned(yaw, found, outwards, doubtful)
    is_met = np.flatnonzero(past[kept] > next_to_axis)
    return found.of(is_met), kept[is_met]


def outwards_of(yaw: Yaw, x: Floats, y: Floats) -> Floats:
    """How far outwards from the yaw axis points of the plane are (M,) [m]; see `Yaw.from_axis`."""
    along_x, along_y = yaw.along
    return (x - yaw.foot[0]) * along_y - (y - yaw.foot[1]) * along_x
