# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What each joint may do: velocity, acceleration, and the range of its position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import CONTINUOUS, Limits, nearest_in
from ik_circles.geometry.kinds import names_wrong_kinds

#: A joint may be this far past its range, because of rounding [rad].
RANGE_ROUNDING = 1e-9

Joints = tuple[float, ...]


class MotionLimits:
    """The limits of some joints, in the order of the joints.

    Parameters
    ----------
    velocities : sequence of float
        The largest speed of each joint [rad/s], more than 0.
    accelerations : sequence of float
        The largest acceleration of each joint [rad/s^2], more than 0.
    ranges : sequence, optional
        For each joint its `(lower, upper)` [rad], or None if it turns without end. If it is left
        out, all joints turn without end.
    names : sequence of str, optional
        Names of the joints for messages; `joint 1` and so on if left out.

    Raises
    ------
    InvalidArmError, InvalidSettingError, NotFiniteError
        If numbers are missing, not finite, or outside their range.
    """

    @names_wrong_kinds
    def __init__(
        self,
        velocities: Sequence[float],
        accelerations: Sequence[float],
        ranges: Sequence[Limits | None] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.velocities = _positive('velocity limits', velocities, 'rad/s')
        self.accelerations = _positive('acceleration limits', accelerations, 'rad/s^2')
        count = len(self.velocities)
        checks.vector('acceleration limits', self.accelerations, count)
        if isinstance(ranges, Iterable):  # a pair may be an array, whose == gives another one
            ranges = [None if _is_continuous(one) else one for one in ranges]
        self.ranges = tuple(one or CONTINUOUS for one in checks.joint_limits(ranges, count))
        self.names = tuple(names or (f'joint {joint}' for joint in range(1, count + 1)))
        if len(self.names) != count:
            raise InvalidArmError(f'{len(self.names)} joint names given; give {count}')

    @names_wrong_kinds
    def slowed(self, share: float, brakes_fully: bool = False) -> MotionLimits:
        """The limits for motions that take `1 / share` times as long; share is above 0, at most 1.

        Velocities are multiplied by the share, accelerations by its square. If `brakes_fully`,
        accelerations stay as they are.
        """
        if checks.share('the share of the speed', share) == 0.0:
            raise InvalidSettingError('the share of the speed is 0; give more than 0, up to 1')
        velocities = [share * velocity for velocity in self.velocities]
        less = 1.0 if brakes_fully else share * share
        accelerations = [less * most for most in self.accelerations]
        return MotionLimits(velocities, accelerations, self.ranges, self.names)

    def vector(self, name: str, values: Sequence[float]) -> Joints:
        """A finite number for each joint. Raises InvalidArmError, NotFiniteError."""
        return checks.vector(name, values, len(self.velocities))

    @names_wrong_kinds
    def kept(self, positions: Sequence[float]) -> Joints:
        """Positions [rad]; one that rounding has put past its range is put back into it."""
        return tuple(
            limit if abs(position - limit) <= RANGE_ROUNDING else position
            for position, limit in zip(positions, map(nearest_in, positions, self.ranges))
        )

    def inside(self, name: str, positions: Sequence[float]) -> Joints:
        """Positions inside their ranges [rad]; what rounding has put past a range is put back.

        Raises InvalidArmError, NotFiniteError, InvalidSettingError.
        """
        found = self.vector(name, positions)
        nearest = tuple(min(max(q, low), high) for q, (low, high) in zip(found, self.ranges))
        for joint, position, limit in zip(self.names, found, nearest):
            if abs(position - limit) > RANGE_ROUNDING:
                raise InvalidSettingError(
                    f'{name}: {joint} at {position:.6g} rad is past its limit of {limit:.6g} rad; '
                    'keep it inside'
                )
        return nearest


def _positive(name: str, values: Sequence[float], unit: str) -> Joints:
    found = checks.numbers(name, values)
    if not found or min(found) <= 0.0:
        raise InvalidSettingError(f'{name} are {found} {unit}; each must be more than 0')
    return found


def _is_continuous(limits: object) -> bool:
    return isinstance(limits, tuple) and limits == CONTINUOUS
