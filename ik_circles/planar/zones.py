"""The safe zones: the ring about the base that targets must lie in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm

@dataclass(frozen=True)
class SafeZones:
    """Ring about the base that targets must lie in [m].

    Outer zone: the sum of the links; inner zone: max(0, 2 longest - sum). Each is shrunk by
    `margin`, so that targets keep that far away from the base where the links leave no hole.
    """

    inner: float
    outer: float
    margin: float = 0.0

    @classmethod
    def of(cls, arm: PlanarArm, margin: float = 0.0) -> SafeZones:
        """The arm's zones, shrunk by `margin` [m]; InvalidSettingError if nothing is left."""
        if not margin >= 0.0 or math.isinf(margin):
            raise InvalidSettingError(
                f'safe_zone_margin is {margin} m; it must be a finite length of at least 0 m'
            )
        inner, outer = arm.min_reach + margin, arm.max_reach - margin
        if inner > outer:
            raise InvalidSettingError(
                f'safe_zone_margin {margin:.6g} m leaves nothing between the safe zones of '
                f'{arm.min_reach:.6g} m and {arm.max_reach:.6g} m; make it smaller'
            )
        return cls(inner, outer, margin)

    @property
    def circles(self) -> tuple[Arc, ...]:
        """The zones' own circles, if a margin makes them cut into the workspace."""
        if self.margin == 0.0:
            return ()
        return tuple(
            Arc((0.0, 0.0), radius, -math.pi, TURN) for radius in (self.inner, self.outer)
        )

    def contains(self, distance: float, tolerance: float) -> bool:
        """Whether a point at `distance` from the base is inside both zones."""
        return self.inner - tolerance <= distance <= self.outer + tolerance
