# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A kinematic arm: joints that follow commands and trajectories within their limits."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from ik_circles.control.joint_path import JointPath, Knot
from ik_circles.control.servo import Motion, ServoLimits, follow, rest_of
from ik_circles.geometry.angles import nearest_in
from ik_circles.robot.tree import MOVABLE, RobotTree, UrdfJoint

#: Velocity of a joint if the description gives none [rad/s or m/s].
DEFAULT_VELOCITY = 1.0
#: Acceleration of every joint [rad/s^2 or m/s^2]: a stiff arm, which gets to 2 rad/s within 0.04 s.
MAX_ACCELERATION = 50.0
#: A command may pass a limit by this much, which is rounding [rad or m].
LIMIT_ROUNDING = 1e-9
#: A trajectory with more points than this is refused: at 100 Hz, that is 100 s.
MAX_POINTS = 10_000
#: A larger position or velocity is refused [rad or m, a second]: it is a mistake, and could
#: overflow.
LARGEST = 1e6
#: A joint changes its velocity once in this time [s]. At 100 Hz, a step is one slice, even with
#: some jitter.
SLICE = 0.02
#: A step that is longer than this many slices is cut more coarsely: the clock has jumped.
MOST_SLICES = 1000
#: A joint that ends a trajectory no faster than this is at rest [rad/s or m/s].
AT_REST = 1e-6
FINITE = f'give a finite number, at most {LARGEST:g} either way'


class TrajectoryPoint(NamedTuple):
    """Positions [rad or m], and velocities if given, at a time [s] from the trajectory's start."""

    time: float
    positions: Sequence[float]
    velocities: Sequence[float] = ()


class SimulatedArm:
    """Positions and velocities of every joint of the robot that can move by itself.

    `start` has the first positions by name [rad or m]; joints without one are as near to 0 as their
    limits allow.
    """

    def __init__(
        self,
        robot: RobotTree,
        max_acceleration: float = MAX_ACCELERATION,
        start: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._joints = {
            joint.name: joint for joint in robot.joints if joint.type in MOVABLE and not joint.mimic
        }
        self._limits = {
            name: ServoLimits(
                joint.lower, joint.upper, joint.velocity or DEFAULT_VELOCITY, max_acceleration
            )
            for name, joint in self._joints.items()
        }
        at = {name: _start(joint) for name, joint in self._joints.items()}
        self.positions = {name: start.get(name, near_zero) for name, near_zero in at.items()}
        self.velocities = dict.fromkeys(self._joints, 0.0)
        self._time = 0.0
        self._paths = {name: JointPath.hold(at) for name, at in self.positions.items()}
        #: Joints that a trajectory, and not a command, moved last.
        self.led: set[str] = set()

    def command(
        self, names: Sequence[str], positions: Sequence[float], *, spare_led: bool = False
    ) -> str | None:
        """Take new goals [rad or m] for some or all joints; return the reason if it refuses them.

        A command is taken as a whole or not at all. With `spare_led`, joints that a trajectory
        moved last stay with the trajectory.
        """
        if len(names) != len(positions):
            return f'{len(names)} joint names with {len(positions)} positions; give one for each'
        problem = self._problem_of_names(names) or _first(map(self._problem, names, positions))
        if problem:
            return problem
        for name, position in zip(names, positions):
            if not (spare_led and name in self.led):
                self._paths[name] = JointPath.hold(self._inside(name, position))
                self.led.discard(name)
        return None

    def follow(
        self, names: Sequence[str], points: Sequence[TrajectoryPoint], delay: float = 0.0
    ) -> str | None:
        """Take a trajectory for some or all joints; return the reason if it is refused.

        It is taken as a whole or not at all, and at once replaces what its joints were following.
        They set off from where they are, as they move now, so that they are at the first point in
        time.

        Parameters
        ----------
        names : Sequence[str]
            The joints that the trajectory moves.
        points : Sequence[TrajectoryPoint]
            Where they should be, and when. Without points, the joints come to rest; without names,
            all joints do.
        delay : float
            Time from now to the trajectory's start [s]; negative if it should have started before.

        Returns
        -------
        str or None
            The reason why it is refused, as a sentence.
        """
        problem = self._problem_of_names(names) or self._problem_of_points(names, points, delay)
        if problem:
            return problem
        for joint, name in enumerate(names if points else names or self._joints):
            self._paths[name] = self._path(name, joint, points, delay)
            self.led.add(name)
        return None

    def step(self, duration: float) -> None:
        """Move every joint for `duration` [s], as its command or trajectory says."""
        slices = min(math.ceil(duration / SLICE), MOST_SLICES)
        for _ in range(slices):
            self._time += duration / slices
            for name, path in self._paths.items():
                wanted, limits = path.at(self._time), self._limits[name]
                now = follow(self._motion(name), wanted, limits, duration / slices)
                self.positions[name], self.velocities[name] = now

    def _motion(self, name: str) -> Motion:
        return Motion(self.positions[name], self.velocities[name])

    def _inside(self, name: str, position: float) -> float:
        """The position, put inside the limits if rounding has put it past one [rad or m]."""
        return nearest_in(float(position), self._limits[name][:2])

    def _path(
        self, name: str, joint: int, points: Sequence[TrajectoryPoint], delay: float
    ) -> JointPath:
        """What a trajectory asks of the joint with this index."""
        now = self._motion(name)
        if not points:
            return JointPath.hold(self._inside(name, rest_of(now, self._limits[name])))
        start = self._time + delay
        knots = [
            Knot(
                start + point.time,
                self._inside(name, point.positions[joint]),
                float(point.velocities[joint]) if len(point.velocities) else None,
            )
            for point in points
        ]
        return JointPath([Knot(self._time, *now), *knots])

    # --- what is refused ---

    def _problem_of_names(self, names: Sequence[str]) -> str | None:
        if len(set(names)) < len(names):
            return f'a joint is named twice in {", ".join(names)}; name each once'
        return _first(
            f"unknown joint '{name}'; this arm has {', '.join(self._joints)}"
            for name in names
            if name not in self._joints
        )

    def _problem(self, name: str, position: float) -> str | None:
        if not abs(position) <= LARGEST:
            return f"joint '{name}' is sent to {position}; {FINITE}"
        joint = self._joints[name]
        if not joint.lower - LIMIT_ROUNDING <= position <= joint.upper + LIMIT_ROUNDING:
            return (
                f"joint '{name}' is sent to {position:.6g}, "
                f'outside its limits of {joint.lower:.6g} to {joint.upper:.6g}'
            )
        return None

    def _problem_of_points(
        self, names: Sequence[str], points: Sequence[TrajectoryPoint], delay: float
    ) -> str | None:
        if not points:
            return None
        if not names:
            return 'it names no joint; name those that its points are for'
        if len(points) > MAX_POINTS:
            return f'it has {len(points)} points; give at most {MAX_POINTS}'
        problem = _problem_of_times([point.time for point in points], delay)
        for number, point in enumerate(points, 1):
            problem = problem or self._problem_of_point(names, point, f'point {number}')
        return problem or _first(
            f"the last point leaves joint '{name}' with velocity {velocity:.6g}; "
            'a trajectory ends at rest: end it with velocity 0'
            for name, velocity in zip(names, points[-1].velocities)
            if abs(velocity) > AT_REST
        )

    def _problem_of_point(
        self, names: Sequence[str], point: TrajectoryPoint, where: str
    ) -> str | None:
        count = len(names)
        if len(point.positions) != count:
            return f'{where} has {len(point.positions)} positions for {count} joints; give {count}'
        if len(point.velocities) not in (0, count):
            given = len(point.velocities)
            return f'{where} has {given} velocities for {count} joints; give {count}, or none'
        wrong = _first(map(self._problem, names, point.positions)) or _first(
            f"joint '{name}' has velocity {velocity}; {FINITE}"
            for name, velocity in zip(names, point.velocities)
            if not abs(velocity) <= LARGEST
        )
        return wrong and f'{where}: {wrong}'


def _problem_of_times(times: Sequence[float], delay: float) -> str | None:
    if not 0.0 <= times[0] < math.inf:
        return f'point 1 is at {times[0]:.6g} s from the start; give a time of at least 0'
    for number, (before, after) in enumerate(pairwise(times), 2):
        if not before < after < math.inf:
            return (
                f'point {number} is at {after:.6g} s, and the one before it at {before:.6g} s; '
                'give times that increase'
            )
    if times[-1] + delay < 0.0:
        return (
            f'it ended {-times[-1] - delay:.3g} s ago; '
            'give a later stamp, or 0 to start at once'
        )
    return None


def _first(problems: Iterable[str | None]) -> str | None:
    return next(filter(None, problems), None)


def _start(joint: UrdfJoint) -> float:
    """0, or the limit that is nearest to 0."""
    return nearest_in(0.0, (joint.lower, joint.upper))
