"""From a goal of `~/move_to` to a timed motion, or to the reason why none of it is begun."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ik_circles.control.decision import decide
from ik_circles.control.motion.limits import Limits
from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.simulation import DEFAULT_VELOCITY
from ik_circles.control.target import Refusal, Target, finite
from ik_circles.reasons import Code, degrees_text
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.robot.text import listed, shown, suggested


class Goal(NamedTuple):
    """What the arm should do.

    Parameters
    ----------
    target : Target, optional
        Where the tip should go.
    joints : mapping of str to float
        Where joints should go, by name [rad or m], if there is no target.
    straight : bool
        Whether the tip moves on the straight line.
    speed : float
        Share of the velocity limits, above 0 and up to 1.
    """

    target: Target | None = None
    joints: Mapping[str, float] = {}
    straight: bool = False
    speed: float = 1.0


class State(NamedTuple):
    """Positions [rad or m] and velocities [rad/s or m/s] of joints, by name; none: at rest."""

    positions: NamedPositions
    velocities: NamedPositions = {}


class Plan(NamedTuple):
    """A motion of some joints, in their order."""

    joints: tuple[str, ...]
    trajectory: Trajectory


class Unmoved(Refusal):
    """Why nothing of a goal is begun; `share` is the part of the line that could be done."""

    def __init__(self, code: Code, message: str, share: float = 0.0) -> None:
        super().__init__(code, message)
        self.share = share
