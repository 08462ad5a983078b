# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What two bones in space are: their lengths, and the limits of hip and knee."""

import math
from dataclasses import dataclass
from functools import cached_property

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.circles import angle_between_sides
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.limbs.space import Vector, unit

#: Distances to points farther away than this may overflow [m].
FARTHEST = 1e150


@dataclass(frozen=True)
class BoneLimits:
    """Limits of two bones. They ignore a bone without length, because it has no direction.

    Parameters
    ----------
    knee : tuple of two floats
        Smallest and largest bend [rad]: 0 is straight, pi is folded.
    hip_axis : tuple of three floats, optional
        The axis of the hip's cone, a direction of any length; None for no cone.
    hip_angle : float
        Largest angle between the upper bone and that axis [rad], 0 to pi.

    Raises
    ------
    InvalidArmError
        A value is no number, or the axis has no length.
    InvalidSettingError
        An angle is outside of its range.
    NotFiniteError
        A number is NaN or infinite.
    """

    knee: tuple[float, float] = (0.0, math.pi)
    hip_axis: tuple[float, float, float] | None = None
    hip_angle: float = math.pi

    def __post_init__(self) -> None:
        lower, upper = checks.vector('knee limits', self.knee, 2)
        if not 0.0 <= lower <= upper <= math.pi:
            raise InvalidSettingError(
                f'knee limits are ({lower}, {upper}) rad; give 0 (straight) <= lower <= upper <= '
                'pi (folded)'
            )
        angle = checks.number('hip_angle', self.hip_angle)
        if not 0.0 <= angle <= math.pi:
            raise InvalidSettingError(f'hip_angle is {angle} rad; it must be between 0 and pi')
        object.__setattr__(self, 'knee', (lower, upper))
        object.__setattr__(self, 'hip_angle', angle)
        if self.hip_axis is not None:
            axis = unit(vector('hip_axis', self.hip_axis))
            if axis is None:
                raise InvalidArmError('hip_axis has no length; give the direction of the cone')
            object.__setattr__(self, 'hip_axis', axis)


NO_LIMITS = BoneLimits()


@dataclass(frozen=True)
class Bones:
    """The lengths of both bones [m], and their limits."""

    upper: float
    lower: float
    limits: BoneLimits

    def __post_init__(self) -> None:
        checks.link_lengths('the bones', (self.upper, self.lower))

    @property
    def tolerance(self) -> float:
        """TOLERANCE in meters of these bones."""
        return TOLERANCE * (self.upper + self.lower)

    @property
    def cone_axis(self) -> Vector | None:
        """The axis of the cone that the upper bone has to stay in; None if there is no cone."""
        return None if self.upper <= TOLERANCE * self.lower else self.limits.hip_axis

    @cached_property
    def reach(self) -> tuple[float, float]:
        """Smallest and largest distance from hip to foot, by the knee's limits [m]."""
        straightest, most_folded = self.limits.knee
        return self._span(most_folded), self._span(straightest)

    def _span(self, bend: float) -> float:
        """Distance from hip to foot with the knee bent [m], exact when straight and when folded."""
        total, difference = self.upper + self.lower, self.upper - self.lower
        if bend in (0.0, math.pi):
            return total if bend == 0.0 else abs(difference)
        return math.hypot(total * math.cos(bend / 2.0), difference * math.sin(bend / 2.0))

    def hip_angle(self, distance: float) -> float:
        """Angle at the hip between the foot at a distance and the knee [rad]."""
        within = nearest_in(self.lower, (abs(distance - self.upper), distance + self.upper))
        return angle_between_sides(distance, self.upper, within, 0.0)


def vector(name: str, values: object) -> Vector:
    """Three finite numbers, none larger than FARTHEST. Raises InvalidArmError, NotFiniteError."""
    x, y, z = checks.vector(name, values, 3)
    if max(abs(x), abs(y), abs(z)) > FARTHEST:
        raise InvalidArmError(f'{name} is {(x, y, z)}; give numbers up to {FARTHEST:.0e}')
    return x, y, z
