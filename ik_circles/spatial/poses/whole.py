# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A configuration of the whole arm (yaw joint, three joints, wrist), and a wrist that is held."""

from collections.abc import Callable
from operator import sub
from typing import NamedTuple

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.arm import SpatialArm


class Whole(NamedTuple):
    """The yaw angle, 0 without a yaw joint, the joint angles in the plane as the arm to the wrist
    center counts them, and the wrist's [rad]."""

    yaw: float
    q: JointPositions
    wrist: tuple[float, ...]

    def change(self, other: 'Whole') -> tuple[float, float]:
        """The largest change of a joint from another configuration, and the sum of all [rad]."""
        changes = [
            abs(self.yaw - other.yaw),
            *map(abs, map(sub, self.q, other.q)),
            *map(abs, map(sub, self.wrist, other.wrist)),
        ]
        return max(changes), sum(changes)

    def is_same(self, other: 'Whole', same: float) -> bool:
        """Whether no angle differs from the other one's by more than `same` [rad], up to whole
        turns."""
        pairs = zip((self.yaw, *self.q, *self.wrist), (other.yaw, *other.q, *other.wrist))
        return all(abs(wrap(one - its)) <= same for one, its in pairs)


class HeldWrist(NamedTuple):
    """The wrist's joints held at `angles` [rad]: the arm to the tip then has three joints.

    Its plane is `off` the plane of the arm to the wrist center [m]. Its last link leads to the tip
    and is `length` long [m], and the angle of its third joint is larger by `shift` [rad].
    """

    angles: tuple[float, ...]
    off: float
    length: float
    shift: float


class KeptWrist:
    """A wrist that may be held for more than one question, and the arm to the tip with it.

    `arm_with` makes that arm, opened or not, and `planar_at` its planar arm; see `WholeArm`.
    """

    def __init__(
        self, held: HeldWrist, arm_with: Callable[[HeldWrist, bool], SpatialArm],
        planar_at: Callable[[HeldWrist], PlanarArm],
    ) -> None:  # fmt: skip
        self.held, self._arm_with, self._planar_at = held, arm_with, planar_at

    @cached_property
    def arm(self) -> SpatialArm:
        """The arm with the limits of its joints."""
        return self._arm_with(self.held, False)

    @cached_property
    def opened(self) -> SpatialArm:
        """The arm without limits of joints with a range of a whole turn or more."""
        return self._arm_with(self.held, True)

    @cached_property
    def planar(self) -> PlanarArm:
        """The planar arm of `opened`, without a floor."""
        return self._planar_at(self.held)
