"""Targets in a stream: where the arm is, how old a target is, how far one command may go."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ik_circles.angles import Limits, nearest_in
from ik_circles.chain import NamedPositions, PlanarChain
from ik_circles.urdf import UrdfJoint

NANOSECONDS = 1e-9


class Seed(NamedTuple):
    """Known positions of the commanded joints [rad], and what is new to be warned about."""

    positions: NamedPositions
    warnings: list[str]


def movable_joints(chain: PlanarChain) -> dict[str, UrdfJoint]:
    """The joints of the whole robot that joint states can tell of, by name."""
    return {joint.name: joint for joint in chain.robot.joints if joint.type != 'fixed'}


def robot_name(chain: PlanarChain) -> str:
    """The name that the robot description gives to the robot."""
    return chain.robot.name


class JointMemory:
    """The latest measured position of every joint of one robot, and what was commanded last."""

    def __init__(self, chain: PlanarChain) -> None:
        self.measured: NamedPositions = {}
        self._limits: dict[str, Limits] = {
            joint.name: (joint.lower, joint.upper) for joint in movable_joints(chain).values()
        }
        self._commanded_joints = chain.commanded_joints
        self._last_command: NamedPositions = {}
        self._distrusted: set[str] = set()

    def hear(self, names: Iterable[str], positions: Iterable[float]) -> None:
        """Keep what is finite and of this robot; names without a position are left out."""
        limits, measured = self._limits, self.measured
        for name, position in zip(names, positions, strict=False):
            if name in limits and math.isfinite(position):
                measured[name] = position

    def commanded(self, positions: Mapping[str, float]) -> None:
        """Remember a command that was sent."""
        self._last_command = dict(positions)

    def measured_of(self, joints: Iterable[str]) -> NamedPositions:
        """Measured positions of those of the joints that have been heard of."""
        return {name: self.measured[name] for name in joints if name in self.measured}

    def seed(self, tolerance: float) -> Seed:
        """Each commanded joint where it was measured, else where it was sent; unknown: left out.

        Up to `tolerance` [rad] past its limit, a joint counts as on the limit. Farther past it is
        not believed, which is warned about until it has been inside its limits again.
        """
        seed = Seed({}, [])
        for name in self._commanded_joints:
            position = self.measured.get(name)
            if position is not None:
                position = self._believed(name, position, tolerance, seed.warnings)
            if position is None:
                position = self._last_command.get(name)
            if position is not None:
                seed.positions[name] = position
        return seed

    def _believed(
        self, name: str, measured: float, tolerance: float, warnings: list[str]
    ) -> float | None:
        inside = nearest_in(measured, self._limits[name])
        if inside == measured:
            self._distrusted.discard(name)
            return measured
        past = abs(measured - inside)
        if past <= tolerance:
            return inside
        if name not in self._distrusted:
            self._distrusted.add(name)
            warnings.append(
                f'{name} is measured {math.degrees(past):.1f} deg past its limit of '
                f'{math.degrees(inside):.1f} deg, more than seed_tolerance '
                f'({math.degrees(tolerance):.1f} deg): the last command is the seed instead; '
                'check its zero, or raise seed_tolerance'
            )
        return None


def staleness(stamp: int, now: int, timeout: float) -> str | None:
    """Why a target stamped at `stamp` is too old at `now` [ns], None if it is not.

    A stamp of zero means now; a `timeout` [s] of zero means that no stamp is too old.
    """
    if timeout == 0.0 or stamp == 0:
        return None
    age = (now - stamp) * NANOSECONDS
    if age > timeout:
        return (
            f"the target's stamp is {age:.3f} s old, target_timeout is {timeout:.3g} s; send it "
            'sooner, with the time of sending as its stamp'
        )
    if age < -timeout:
        return (
            f"the target's stamp is {-age:.3f} s ahead of this node's clock, more than "
            f'target_timeout ({timeout:.3g} s): the clocks disagree; synchronise them, and set '
            'use_sim_time alike in both nodes'
        )
    return None


def jump(
    command: Mapping[str, float], seed: Mapping[str, float], max_joint_step: float
) -> str | None:
    """Why a command goes too far from the seed [rad], None if it does not or nobody can tell.

    A `max_joint_step` of zero means that nothing is too far.
    """
    if max_joint_step == 0.0:
        return None
    steps = ((abs(position - seed[n]), n) for n, position in command.items() if n in seed)
    step, name = max(steps, default=(0.0, ''))
    if step <= max_joint_step:
        return None
    return (
        f'{name} would move by {math.degrees(step):.1f} deg in one command, max_joint_step allows '
        f'{math.degrees(max_joint_step):.1f} deg; send targets that are nearer, or raise '
        'max_joint_step'
    )
