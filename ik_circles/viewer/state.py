"""What the page shows and what it asks for: the contract between the page and what is behind it."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ik_circles.control.decision import assess
from ik_circles.control.scenario import scenario_targets
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm
from ik_circles.spatial.yaw import Shoulder

#: Joint positions that differ by no more than this are the same solution [rad].
SAME = 1e-4


@dataclass(frozen=True)
class Answer:
    """What became of a target.

    `command` is what was sent, `solutions` is every set of joint positions at the pose that was
    sent; both are empty where nothing was sent.
    """

    code: Code
    message: str
    nearest: Point3 | None = None
    command: Mapping[str, float] = field(default_factory=dict)
    solutions: tuple[NamedPositions, ...] = ()

    @property
    def others(self) -> list[NamedPositions]:
        """The solutions that were not chosen."""
        return [found for found in self.solutions if not _same(found, self.command)]


@dataclass(frozen=True)
class Snapshot:
    """What is known at one time. Never changed: each thread may keep the one it has.

    Attributes
    ----------
    chain, description : the arm and the text of its URDF; None and '' while there is none
    settings : the node's parameters
    measured : joint positions by name [rad or m]
    target, answer : the newest target, and what became of it if that is known
    notice : what is amiss, '' if nothing is
    latency : from sending a target to its answer [s]; NaN before the first
    rate : answers in the last second
    """

    chain: RobotArm | None = None
    description: str = ''
    settings: Settings = Settings()  # noqa: RUF009  (it is frozen)
    measured: Mapping[str, float] = field(default_factory=dict)
    target: Target | None = None
    answer: Answer | None = None
    notice: str = ''
    latency: float = math.nan
    rate: int = 0


class Backend(Protocol):
    """What the page can ask for, from any thread; it is not waited for."""

    def aim(self, target: Target) -> None:
        """Send the arm to a target; a newer one takes its place."""

    def set(self, name: str, value: str | float) -> None:
        """Change a parameter of the node."""


class Rate:
    """Counts what happens in a second."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()

    def add(self) -> None:
        """It has happened."""
        self._times.append(time.monotonic())

    def count(self) -> int:
        """How often it has in the last second."""
        while self._times and self._times[0] < time.monotonic() - 1.0:
            self._times.popleft()
        return len(self._times)


class Construction(NamedTuple):
    """Where the side view has the target [m], and the tool's orientation there [rad]."""

    point: Point
    phi: float


def _same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return all(abs(one[name] - other.get(name, math.inf)) <= SAME for name in one)


# --- targets ----------------------------------------------------------------------------------


def target_at(chain: RobotArm, position: Point3, phi: float) -> Target:
    """A target with the tool at the angle `phi` [rad] in the arm's plane, turned to face it."""
    ways = chain.shoulders(position)
    return Target(position, chain.tool_rotation(phi, ways[0][0].yaw if ways else 0.0))


def orientation_of(chain: RobotArm, target: Target) -> float:
    """The tool's angle in the arm's plane [rad] that a target asks for; 0 if it asks for none."""
    if target.rotation is None:
        return 0.0
    ways = chain.shoulders(target.position)
    return chain.tool_angle(target.rotation, ways[0][0].yaw if ways else 0.0)


def home_target(chain: RobotArm, settings: Settings) -> Target:
    """Where the tip is with all joints at 0, or as near to it as limits and safe zones allow."""
    pose = chain.forward_kinematics({})
    target = Target(point_of(pose[:3, 3]), pose[:3, :3])
    found = assess(chain, settings, target)
    if found.code in (Code.OK, Code.ORIENTATION) or found.nearest is None:
        return target
    x, y, z, phi, yaw = found.nearest
    return Target((x, y, z), chain.tool_rotation(phi, yaw))


def demo_path(chain: RobotArm, settings: Settings) -> list[Target]:
    """The demonstration's targets that can be shown."""
    return [
        Target(wanted.position, wanted.rotation)
        for wanted in scenario_targets(chain, settings)
        if all(map(math.isfinite, wanted.position))
    ]


def construction(chain: RobotArm, snapshot: Snapshot) -> Construction | None:
    """What solves the target in the arm's plane: the pose that was sent, else what was asked for;
    None without a target."""
    target, answer = snapshot.target, snapshot.answer
    if target is None:
        return None
    if answer is not None and answer.code is Code.OK and answer.command:
        pose = chain.arm.forward_kinematics(chain.arm_angles(answer.command))
        return Construction((pose.x, pose.y), pose.phi)
    shoulder = shoulder_beside(chain, target.position, snapshot.measured)
    rotation = target.rotation
    phi = 0.0 if rotation is None else chain.tool_angle(rotation, shoulder.yaw)
    return Construction(shoulder.point, phi)


def shoulder_beside(
    chain: RobotArm, point: Point3, measured: Mapping[str, float]
) -> Shoulder:
    """Where a point is in the arm's plane when that is turned to it from where it is the shorter
    way; where it cannot be, as it is seen from where it is."""
    yaw = chain.configuration(measured).yaw
    ways = [shoulder for shoulder, _ in chain.shoulders(point)]
    if not ways:
        return Shoulder(yaw, chain.into_plane(point)[:2])
    return min(ways, key=lambda shoulder: abs(wrap(shoulder.yaw - yaw)))


def point_of(values: Matrix) -> Point3:
    """Three numbers of an array as a point."""
    x, y, z = map(float, values)
    return x, y, z
