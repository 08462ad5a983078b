# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the page shows and what it asks for: the contract between the page and its backend."""

import math
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm
from ik_circles.spatial.points.ways import TILT_TOLERANCE

#: Joint positions that differ by no more than this are the same solution [rad].
SAME_SHOWN = 1e-4
#: A joint this close to where it was sent has arrived: gravity may keep it off by that much [rad].
THERE = 0.05


class Turn(NamedTuple):
    """The name of a joint, and how far it turns [rad]."""

    joint: str = ''
    angle: float = 0.0


NOTHING_TURNS = Turn()


@dataclass(frozen=True)
class TargetAnswer:
    """The answer to a target.

    `command` is what was sent; `solutions` is every set of joint positions at the commanded pose.
    Both are empty if nothing was sent. `tilt` is the angle between the orientation that was sent
    and the one that was asked for [rad]. `nearest` is the nearest point [m], or where a line ends
    early, and `toward` the orientation there. `other_elbow` is where the elbow is, 'up' or 'down',
    if it cannot be where it was asked for. `farthest` is the turn of the joint that turns farthest.
    """

    code: Code
    message: str
    nearest: Point3 | None = None
    toward: Matrix | None = field(default=None, compare=False)
    tilt: float = 0.0
    command: Mapping[str, float] = field(default_factory=dict)
    solutions: tuple[NamedPositions, ...] = ()
    other_elbow: str = ''
    farthest: Turn = NOTHING_TURNS

    @property
    def is_of_target(self) -> bool:
        """Whether the answer is about the target, and not only about the arm."""
        return self.code not in (Code.CANCELED, Code.DISABLED)

    @property
    def turns_only(self) -> bool:
        """Whether the point can be reached, and only the orientation has to give way."""
        return self.code is Code.ORIENTATION

    @property
    def color(self) -> str:
        """The name of the answer's color: 'reached', 'tilted' or 'refused'.

        A tilt up to `TILT_TOLERANCE` counts as the orientation that was asked for, as in Python.
        """
        if self.code is not Code.OK:
            return 'refused'
        return 'tilted' if self.tilt > TILT_TOLERANCE else 'reached'

    @property
    def others(self) -> list[NamedPositions]:
        """The solutions that were not chosen."""
        return [found for found in self.solutions if not _same(found, self.command)]


@dataclass(frozen=True)
class Snapshot:
    """What is known at one time. It never changes, so each thread may keep the one it has.

    Attributes
    ----------
    arm, description : RobotArm or None, str
        The arm and the text of its URDF; None and '' before there is one.
    settings : Settings
        The node's parameters.
    measured : mapping
        Joint positions by name [rad or m].
    target, answer : Target or None, TargetAnswer or None
        The newest target and its answer, as soon as that is known.
    notice : str
        What is wrong, '' if nothing is.
    latency : float
        Time from sending a target to its answer [s]; NaN before the first answer.
    rate : int
        Number of answers in the last second.
    enabled : bool
        Whether the arm may move.
    share : float or None
        Share of the motion that is done; None while there is none.
    """

    arm: RobotArm | None = None
    description: str = ''
    settings: Settings = Settings()  # noqa: RUF009  (it is frozen)
    measured: Mapping[str, float] = field(default_factory=dict)
    target: Target | None = None
    answer: TargetAnswer | None = None
    notice: str = ''
    latency: float = math.nan
    rate: int = 0
    enabled: bool = True
    share: float | None = None

    @property
    def is_there(self) -> bool:
        """Whether the arm is where the newest answer sent it."""
        command = {} if self.answer is None else self.answer.command
        return all(
            abs(self.measured.get(name, wanted) - wanted) <= THERE
            for name, wanted in command.items()
        )

    @property
    def way(self) -> NamedPositions:
        """Where the joints on their way to a target are measured; {} if none is on its way."""
        if self.answer is None or self.is_there:
            return {}
        sent = self.answer.command
        return {name: self.measured.get(name, sent[name]) for name in sent}


class Arrival(NamedTuple):
    """Why joints are sent somewhere: for a target, and its answer once they are there."""

    target: Target | None = None
    answer: TargetAnswer | None = None


#: Joints that are sent somewhere without a target.
NO_ARRIVAL = Arrival()


class Backend(Protocol):
    """What the page may ask for, from any thread. The methods return without waiting."""

    def aim(self, target: Target) -> None:
        """Send the arm to a target; a newer target replaces it."""

    def move(self, target: Target, speed: float) -> None:
        """Move the tip straight to a target, at a share of the full speed."""

    def move_joints(
        self, positions: Mapping[str, float], speed: float, there: Arrival = NO_ARRIVAL
    ) -> None:
        """Move joints to positions by name [rad or m], at a share of the full speed."""

    def stop(self) -> None:
        """Bring a motion to rest."""

    def enable(self, enabled: bool) -> None:
        """Let the arm move, or bring it to rest and let it move no more."""

    def set(self, name: str, value: str | float, again: bool) -> None:
        """Change a parameter of the node; if `again`, aim at the last target of `aim` once more."""


class LastSecond:
    """Counts the events of the last second."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()

    def add(self) -> None:
        """Count an event that happens now."""
        self._times.append(time.monotonic())

    def count(self) -> int:
        """The number of events in the last second."""
        while self._times and self._times[0] < time.monotonic() - 1.0:
            self._times.popleft()
        return len(self._times)


def _same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    """Whether joint positions are the same up to whole turns."""
    return one.keys() <= other.keys() and all(
        abs(wrap(one[name] - other[name])) <= SAME_SHOWN for name in one
    )
