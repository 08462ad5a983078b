"""The tip at a velocity, as long as somebody asks for it."""

import math
from copy import copy
from dataclasses import replace

import numpy as np

from ik_circles.control.decision import decide
from ik_circles.control.motion.follower import Follower
from ik_circles.control.motion.joint_moves import to_rest
from ik_circles.control.motion.limits import Limits
from ik_circles.control.motion.plan import State
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm

#: A step that moves a joint farther than this is no step along a path [rad].
FLUNG = 0.5


class Jogging:
    """Moves the tip at a velocity [m/s, rad/s]; all times are of one clock [s].

    In each step, the tip aims at where the velocity leads in one period, or at the nearest pose
    that the arm can take. So it slides along the boundary of the workspace. No joint exceeds its
    limits: where one would, all become slower together.

    Parameters
    ----------
    arm : RobotArm
        The arm, with held joints where they are.
    settings : Settings
        With `orientation_mode` free the orientation is left to the position.
    limits : Limits
        Of the commanded joints.
    state : State
        Positions of all commanded joints, and how fast they move.
    now : float
        The present time.
    period : float
        Time between steps.
    """

    def __init__(
        self,
        arm: RobotArm,
        settings: Settings,
        limits: Limits,
        state: State,
        now: float,
        period: float,
    ) -> None:
        self.joints = arm.commanded_joints
        self._arm, self._period = arm, period
        self._settings = replace(settings, on_unreachable='nearest', max_joint_step=0.0)
        if settings.orientation_mode == 'fixed':
            self._settings = replace(self._settings, orientation_mode='preferred')
        self._follower = Follower(limits, *state.of(self.joints))
        self._rotation = self._tip()[:3, :3]
        self._linear = self._angular = np.zeros(3)
        self._now = self._heard = now

    def hear(self, linear: Point3, angular: Point3, heard: float) -> None:
        """Take a velocity of the tip [m/s] and of its orientation [rad/s] in base_link."""
        self._linear, self._angular, self._heard = np.array(linear), np.array(angular), heard

    def step(self, now: float, timeout: float) -> NamedPositions:
        """Move on to this time; positions to send. Without a new velocity for `timeout` it stops.
        """
        duration, self._now = max(now - self._now, 0.0), now
        if now - self._heard > timeout:
            self._follower.stop()
        else:
            self._aim(duration)
        self._follower.step(duration)
        return self._positions

    def stop(self) -> None:
        """Come to rest, whatever was heard."""
        self._heard = -math.inf

    def state(self, now: float) -> State:
        """Where the joints were sent last, and how fast they move."""
        return State(self._positions, dict(zip(self.joints, self._follower.velocities)))

    def ahead(self, duration: float) -> Trajectory:
        """The way on for a while [s], and then to rest."""
        here, on = self._follower, copy(self._follower)
        begin = Waypoint(0.0, here.positions, here.velocities)
        positions, velocities = on.step(duration)
        rest = to_rest(positions, velocities, here.limits).waypoints
        later = [one._replace(time=one.time + duration) for one in rest]
        return Trajectory([begin, *later] if duration > 0.0 else rest)

    @property
    def resting(self) -> bool:
        """Whether nothing moves and nobody asks for it."""
        return self._follower.resting

    @property
    def _positions(self) -> NamedPositions:
        return dict(zip(self.joints, self._follower.positions))

    def _tip(self) -> Matrix:
        return self._arm.forward_kinematics(self._positions)

    def _aim(self, duration: float) -> None:
        """Give the joints the velocities that lead the tip on."""
        speed = float(np.linalg.norm(self._angular))
        if speed > 0.0:
            turn = rotation_about(self._angular / speed, speed * duration)
            self._rotation = turn @ self._rotation
        x, y, z = map(float, self._tip()[:3, 3] + self._linear * self._period)
        at = self._positions
        target = Target((x, y, z), self._rotation)
        aim = decide(self._arm, self._settings, target, at).command or at
        steps = [aim[name] - at[name] for name in self.joints]
        if max(map(abs, steps)) > FLUNG:
            self._follower.stop()
            return
        limits = self._follower.limits.velocities
        over = max(1.0, *(abs(s) / self._period / most for s, most in zip(steps, limits)))
        self._follower.velocity_goal([step / self._period / over for step in steps])
