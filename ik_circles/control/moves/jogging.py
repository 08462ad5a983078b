# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The tip at a velocity, as long as somebody asks for it."""

import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from ik_circles.control.decision import Decision, decide_checked, taken_exactly
from ik_circles.control.floor import GRAZE, allowed, lowest, lowest_along
from ik_circles.control.motion.follower import Follower
from ik_circles.control.motion.joint_moves import to_rest
from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.moves.plan import State
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry import checks
from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm

#: A step that moves a joint farther than this is no step along a path [rad].
FLUNG = 0.5
#: The share of the acceleration that following a bend may take.
BENDING = 0.5
#: Shares of the velocity that are tried, until a stop is above the floor.
SHARES = 1.0, 0.5, 0.25, 0.125, 0.0625, 0.0
#: What is said of a jog that is followed.
AS_ASKED = Decision(Code.OK, 'the tip moves as asked')
SLIDES = 'the tip slides along the edge of what it can reach'
#: So fast does an orientation that was left come back [1/s]: what is missing, times this.
BACK = 5.0


class Jogging:
    """Moves the tip at a velocity [m/s, rad/s]; all times are of one clock [s].

    In each step the joints take the velocities that lead the tip on, to where it would be in one
    period, or to the nearest pose that the arm can take. So it slides along the boundary of the
    workspace. No joint exceeds its limits: where one would, all become slower together. The
    orientation is that of the beginning, turned as asked; where the position does not allow it, the
    nearest.

    Parameters
    ----------
    arm : RobotArm
        The arm, with held joints where they are.
    settings : Settings
        With `orientation_mode` free the orientation is left to the position.
    limits : MotionLimits
        Of the commanded joints.
    state : State
        Positions of all commanded joints, and how fast they move.
    now : float
        The present time.
    period : float
        Time between steps.
    tell : callable, optional
        It is told in each step what the arm does: OK, or why not what was asked.

    Raises
    ------
    Refusal
        If the joints are too fast to stop above the floor. Who moves them already has to.
    """

    def __init__(
        self,
        arm: RobotArm,
        settings: Settings,
        limits: MotionLimits,
        state: State,
        now: float,
        period: float,
        tell: Callable[[Decision], None] = lambda _: None,
    ) -> None:
        self.joints = arm.commanded_joints
        self._arm, self._period = arm, period
        mode = 'free' if settings.orientation_mode == 'free' else 'preferred'
        self._settings = replace(
            settings, on_unreachable='nearest', max_joint_step=0.0, orientation_mode=mode
        )
        self._follower = Follower(limits, *state.of(self.joints))
        self._rotation, self._keeps = self._tip()[:3, :3], True
        self._linear = self._angular = np.zeros(3)
        self._now = self._heard = now
        self._doing, self._tell = AS_ASKED, tell
        if any(self._follower.velocities) and not self._is_clear(self._follower.velocities, 0.0):
            raise Refusal(
                Code.FLOOR,
                'the arm is so fast and so near to the floor that it comes to rest before it can '
                'be jogged; go on',
            )

    def hear(self, linear: Point3, angular: Point3, heard: float) -> None:
        """Take a velocity of the tip [m/s] and of its orientation [rad/s] in base_link."""
        self._linear, self._angular, self._heard = np.array(linear), np.array(angular), heard

    def step(self, now: float, timeout: float) -> NamedPositions:
        """Move on to this time; positions to send. Without a new velocity for `timeout` it stops.
        """
        duration, self._now = max(now - self._now, 0.0), now
        if now - self._heard > timeout:
            self._follower.stop()
            silent = f'no jog for {timeout:.3g} s, which is jog_timeout: the arm comes to rest'
            self._doing = Decision(Code.STALE, silent)
        else:
            self._aim(duration)
        if self._heard > -math.inf:  # who stops a jog says why
            self._tell(self._doing)
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

    def _tip_at(self, positions: Matrix) -> Matrix:
        """Where the tip is with joints at positions in their order [m]."""
        return self._arm.forward_kinematics(self._named(positions))[:3, 3]

    def _aim(self, duration: float) -> None:
        """Give the joints the velocities that lead the tip on."""
        speed = float(np.linalg.norm(self._angular))
        if speed > 0.0:
            if not self._keeps:  # turned from where it is, not from what the position did not allow
                self._rotation = self._tip()[:3, :3]
            turn = rotation_about(self._angular / speed, speed * duration)
            self._rotation = np.array(checks.rotation('rotation', turn @ self._rotation))
        tip, at = self._tip()[:3, 3], np.array(self._follower.positions)
        way = self._linear * self._period
        here = self._turned_back(tip, at)
        self._doing = AS_ASKED
        on = self._solved(tip + way, here)
        farther = self._solved(self._tip_at(on) + way, on)
        apart = here - at
        if max(np.abs(apart).max(), np.abs(on - here).max()) > FLUNG:
            self._rotation = self._tip()[:3, :3]
            self._follower.stop()
            said = 'the joints would have to jump: jog slower (in m/s), or another way'
            self._doing = Decision(Code.JUMP, said)
            return
        limits, before = self._follower.limits, np.array(self._follower.velocities)
        most = np.array(limits.accelerations)
        forward, bend = (on - here) / self._period, (farther - 2.0 * on + here) / self._period**2
        # Where joint paths bend, as beside a straight elbow, a share of the acceleration is theirs.
        over = max(1.0, np.max(np.abs(forward) / np.array(limits.velocities)))
        over = max(over, math.sqrt(np.max(np.abs(bend) / (BENDING * most))))
        back = np.copysign(np.minimum(BACK * np.abs(apart), np.sqrt(most * np.abs(apart))), apart)
        wanted = forward / over + back
        for share in SHARES:
            # All joints change together, so that the tip keeps its way while it becomes faster.
            change = share * wanted - before
            change /= max(1.0, np.max(np.abs(change) / (most * max(duration, self._period))))
            velocities = (before + change).tolist()
            if share == 0.0 or self._is_clear(velocities, max(duration, self._period)):
                break
        if share < 1.0:
            slow = 'the floor is near, so the tip is slower than asked, or rests; jog upwards'
            self._doing = Decision(Code.FLOOR, slow)
        self._follower.velocity_goal(velocities)

    def _is_clear(self, velocities: Sequence[float], duration: float) -> bool:
        """Whether a step at these velocities, and a stop after it, stay above the floor."""
        if self._arm.floor is None:
            return True
        on = copy(self._follower)
        on.velocity_goal(velocities)
        moved, speeds = map(np.array, on.step(duration))
        # Joints brake together in `_aim`, and each by itself when the stream is over.
        stopping = float(np.max(np.abs(speeds) / np.array(on.limits.accelerations)))
        on.stop()
        places = self._follower.positions, moved, moved + speeds * stopping / 2.0
        here, after, *ends = (
            self._named(np.array(at)) for at in (*places, on.step(on.time_left)[0])
        )
        now = lowest(self._arm, here, here)
        if now < self._arm.floor - GRAZE:  # an arm below the floor may rise; bounds are too coarse
            return all(lowest(self._arm, at, at) >= now for at in (after, *ends))
        floor = allowed(self._arm, here)
        ways = ((here, after), *((after, end) for end in ends))
        return all(lowest_along(self._arm, *way) >= floor for way in ways)

    def _turned_back(self, point: Matrix, at: Matrix) -> Matrix:
        """Joint positions with the tip at a point [m] and the orientation to keep, else as it is.
        """
        command = self._kept(point, at)
        self._keeps = command is not None
        return at if command is None else np.array([*command.values()])

    def _solved(self, point: Matrix, near: Matrix) -> Matrix:
        """Joint positions near others with the tip at a point [m], or as near to it as it can be.

        Where the orientation to keep cannot be kept, it changes no more than it has to.
        """
        command = self._kept(point, near) if self._keeps else None
        if command is None:
            target, seed = self._target(point), self._named(near)
            decision = decide_checked(self._arm, self._settings, target, seed)
            command = decision.command
            if decision.code is not Code.OK:
                self._doing = Decision(decision.code, lambda: f'{SLIDES}: {decision.message}')
        return near if command is None else np.array([*command.values()])

    def _kept(self, point: Matrix, near: Matrix) -> NamedPositions | None:
        """Joint positions near others that keep the orientation; None if there are none."""
        is_free = self._settings.orientation_mode == 'free'
        target, seed = self._target(point, None if is_free else self._rotation), self._named(near)
        command = taken_exactly(self._arm, self._settings, target, seed)
        if command is None:
            return None
        # The other elbow, say, may keep it where a joint of this one is at its limit.
        is_flung = np.abs(np.array([*command.values()]) - near).max() > FLUNG
        return None if is_flung else command

    def _target(self, point: Matrix, rotation: Matrix | None = None) -> Target:
        x, y, z = point.tolist()
        return Target((x, y, z), rotation)

    def _named(self, positions: Matrix) -> NamedPositions:
        return dict(zip(self.joints, positions.tolist()))
