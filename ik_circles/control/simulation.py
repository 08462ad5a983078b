"""A kinematic arm: joints that follow commands no faster than their velocity limits."""

import math
from collections.abc import Sequence

from ik_circles.geometry.angles import nearest_in
from ik_circles.robot.tree import MOVABLE, RobotTree, UrdfJoint

#: Velocity of a joint if the description gives none [rad/s or m/s].
DEFAULT_VELOCITY = 1.0
#: A command may pass a limit by this much, which is rounding [rad or m].
LIMIT_ROUNDING = 1e-9


class SimulatedArm:
    """Positions and velocities of every joint of the robot that can move by itself."""

    def __init__(self, robot: RobotTree) -> None:
        self._joints = {
            joint.name: joint for joint in robot.joints if joint.type in MOVABLE and not joint.mimic
        }
        self.positions = {name: _start(joint) for name, joint in self._joints.items()}
        self.velocities = dict.fromkeys(self._joints, 0.0)
        self._goals = dict(self.positions)

    def command(self, names: Sequence[str], positions: Sequence[float]) -> str | None:
        """Take new goals [rad or m] for some or all joints; why not, if the command is refused.

        A command is taken as a whole or not at all.
        """
        if len(names) != len(positions):
            return f'{len(names)} joint names with {len(positions)} positions; give one for each'
        if len(set(names)) < len(names):
            return f'a joint is named twice in {", ".join(names)}; name each once'
        problem = next(filter(None, map(self._problem, names, positions)), None)
        if problem:
            return problem
        for name, position in zip(names, positions):
            joint = self._joints[name]
            self._goals[name] = nearest_in(float(position), (joint.lower, joint.upper))
        return None

    def step(self, duration: float) -> None:
        """Move every joint towards its goal for `duration` [s]."""
        for name, joint in self._joints.items():
            farthest = (joint.velocity or DEFAULT_VELOCITY) * duration
            missing = self._goals[name] - self.positions[name]
            if abs(missing) <= farthest:
                moved, self.positions[name] = missing, self._goals[name]
            else:
                moved = math.copysign(farthest, missing)
                self.positions[name] += moved
            self.velocities[name] = moved / duration if duration > 0.0 else 0.0

    def _problem(self, name: str, position: float) -> str | None:
        if name not in self._joints:
            return f"unknown joint '{name}'; this arm has {', '.join(self._joints)}"
        if not math.isfinite(position):
            return f"joint '{name}' is sent to {position}; give a finite number"
        joint = self._joints[name]
        if not joint.lower - LIMIT_ROUNDING <= position <= joint.upper + LIMIT_ROUNDING:
            return (
                f"joint '{name}' is sent to {position:.6g}, "
                f'outside its limits of {joint.lower:.6g} to {joint.upper:.6g}'
            )
        return None


def _start(joint: UrdfJoint) -> float:
    """Zero, or the limit that is nearest to it."""
    return nearest_in(0.0, (joint.lower, joint.upper))
