# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The safe zones: the ring about the base in which targets must lie."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.geometry.values import UNREADABLE, quoted, real
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel


@dataclass(frozen=True)
class SafeZones:
    """Ring about the base in which targets must lie.

    The outer zone is the sum of the links, the inner zone max(0, 2 longest - sum). Both are shrunk
    by a margin. So targets also keep the margin away from the base if the links leave no hole.

    Attributes
    ----------
    inner, outer : float
        Radii of the ring [m].
    margin : float
        The margin by which both zones are shrunk [m].
    """

    inner: float
    outer: float
    margin: float

    def __post_init__(self) -> None:
        *_, margin = checks.vector('safe zones', (self.inner, self.outer, self.margin), 3)
        if margin < 0.0:
            raise InvalidSettingError(
                f'safe zones have a margin of {margin:.6g} m; give at least 0 m'
            )

    @classmethod
    def of(cls, model: ArmModel, margin: float = 0.0) -> SafeZones:
        """Return the safe zones of an arm.

        Parameters
        ----------
        model : ArmModel or PlanarArm
            The arm.
        margin : float
            The margin by which both zones are shrunk [m], at least 0.

        Returns
        -------
        SafeZones
            The ring that is left.

        Raises
        ------
        InvalidSettingError
            If the margin is not such a number, or leaves nothing between the zones.
        """
        try:
            width = real(margin)
        except UNREADABLE:
            width = math.nan
        if not 0.0 <= width < math.inf:
            raise InvalidSettingError(
                f'safe_zone_margin is {quoted(margin)} m; it must be a finite length of at least '
                '0 m'
            )
        inner, outer = model.min_reach + width, model.max_reach - width
        if inner > outer:
            raise InvalidSettingError(
                f'safe_zone_margin {width:.6g} m leaves nothing between the safe zones of '
                f'{model.min_reach:.6g} m and {model.max_reach:.6g} m; make it smaller'
            )
        return cls(inner, outer, width)

    @property
    def circles(self) -> tuple[Arc, ...]:
        """Both circles of the ring, if a margin makes them cut into the workspace; else none."""
        if self.margin == 0.0:
            return ()
        return tuple(Arc(ORIGIN, radius, -math.pi, TURN) for radius in (self.inner, self.outer))

    @names_wrong_kinds
    def above(self, floor: Floor | None) -> tuple[Arc, ...]:
        """Return the parts of both circles above a floor, which pictures show.

        Parameters
        ----------
        floor : Floor or None
            The floor of the arm; None for no floor.

        Returns
        -------
        tuple of Arc
            The pieces of the circles, those of the outer one first [m, rad].
        """
        pieces = (
            (radius, start, end)
            for radius in (self.outer, self.inner)
            for start, end in _angles(radius, floor)
        )
        return tuple(Arc(ORIGIN, radius, start, end - start) for radius, start, end in pieces)

    @names_wrong_kinds
    def contains(self, distance: float, tolerance: float) -> bool:
        """Return whether a point at a distance from the base [m] is in the ring.

        Parameters
        ----------
        distance : float
            Distance from the base [m].
        tolerance : float
            A point that misses the ring by this much counts as in it [m].

        Returns
        -------
        bool
            Whether it is in the ring.
        """
        return self.inner - tolerance <= distance <= self.outer + tolerance


def _angles(radius: float, floor: Floor | None) -> list[Interval]:
    """The directions in which a circle about the base is above the floor [rad]."""
    if floor is None:
        return [EVERY_ORIENTATION]
    return floor.angles(floor.clearance(ORIGIN), (radius, 0.0))
