# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Moves the tip at a velocity, as long as somebody asks for it."""

import math
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace

import numpy as np

from ik_circles.control.decision import decide_checked, taken_exactly
from ik_circles.control.floor import is_below, risen, stays_above
from ik_circles.control.motion.follower import TOGETHER, Follower
from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.moves import progress
from ik_circles.control.moves.plan import State, joined, time_to_catch_up
from ik_circles.control.moves.playing import measured_of
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.target import Target
from ik_circles.geometry import checks
from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm

#: A step that moves a joint farther than this is a jump, and not a step along a path [rad].
FLUNG = 0.5
#: The share of the acceleration that a bend of the path may use.
BENDING = 0.5
#: These shares of the velocity are tried, until a stop stays above the floor.
SHARES = *(0.5**halvings for halvings in range(5)), 0.0
#: Without a newer step, a jog goes on for this many periods, and then comes to rest [1].
AHEAD = 2.0
#: A slowed controller begins each path late, and catches up by the first waypoint. So that waypoint
#: also lies ahead by the time that the joints need to brake. This extra time shrinks again, this
#: many times more slowly than time passes [1]: with 8, an arm at 10 % of its speed keeps up.
SHRINKS = 8.0
#: An orientation that had to give way comes back at this rate [1/s], times what is missing.
BACK = 5.0


class Jogging:
    """Moves the tip at a velocity [m/s, rad/s]; all times are of one clock [s].

    In each step, the velocities of the joints change evenly to those that lead the tip on: to where
    it should be in one period, or to the nearest pose that the arm can take. So the tip slides
    along the boundary of the workspace. After `AHEAD`, the joints come to rest unless another step
    comes. The arm is on that `path`, whether this class plays it or a controller of trajectories.

    No joint exceeds its limits: if one would, all become slower together. The orientation is that
    of the beginning, turned as asked. Where the position does not allow it, the nearest one takes
    its place.

    Parameters
    ----------
    arm : RobotArm
        The arm, with held joints where they are.
    settings : Settings
        With the `orientation_mode` free, the position decides the orientation.
    limits : MotionLimits
        The limits of the commanded joints.
    state : State
        Positions and velocities of all commanded joints, and where they may be instead.
    now : float
        The present time.
    tell : callable, optional
        Called in each step with what the arm does: OK, or why it does not do what was asked.
    stop : float
        More than 0 if a controller plays the paths. A stop then takes at least this time [s], if
        there is room; see `STOP` in `mover.py`. Changes of velocity take all of the time ahead,
        because the controller may be late or slowed.

    Raises
    ------
    Refusal
        If the joints are too fast to stop above the floor. That is left to what moves them now.
    """

    def __init__(
        self,
        arm: RobotArm,
        settings: Settings,
        limits: MotionLimits,
        state: State,
        now: float,
        tell: Callable[[progress.Doing], None] = lambda _: None,
        stop: float = 0.0,
    ) -> None:
        self.joints = arm.commanded_joints
        self._arm, self._stop, self._solved_by = arm, stop, arm
        mode = 'free' if settings.orientation_mode == 'free' else 'preferred'
        self._settings = replace(
            settings, on_unreachable='nearest', max_joint_step=0.0, orientation_mode=mode
        )
        self._follower = Follower(limits, *state.of(self.joints))
        self._rotation, self._keeps = self._tip()[:3, :3], True
        self._linear = self._angular = np.zeros(3)
        self._now = self._heard = now
        self._doing, self._tell, self._level = progress.AS_ASKED, tell, risen(arm, self._positions)
        self._left, self._ahead = math.inf, time_to_catch_up(state, limits)
        self._period, self._progress, self._is_changing = 0.0, progress.Progress(), True
        self.path = self._braked(self._follower)
        if any(self._follower.velocities) and not self._is_clear(self.path):
            raise Refusal(Code.FLOOR, progress.TOO_FAST)

    def hear(self, linear: Point3, angular: Point3, heard: float) -> None:
        """Take a velocity of the tip [m/s] and of its orientation [rad/s] in base_link."""
        self._linear, self._angular, self._heard = np.array(linear), np.array(angular), heard

    def step(self, now: float, parameters: MotionParameters) -> NamedPositions:
        """Move on to this time; return what to send. Stop `jog_timeout` after the last velocity."""
        duration, self._now = max(now - self._now, 0.0), now
        self._period = progress.expected(duration, self._period, parameters.command_rate)
        self._go(duration)
        self._level = risen(self._arm, self._positions, self._level)
        if now - self._heard > (timeout := parameters.jog_timeout):
            self._rest(progress.silent(timeout))
        else:
            self._aim(duration)
        if self._heard > -math.inf:  # after `stop`, its caller says why
            self._tell(self._doing)
        return self._positions

    def stop(self) -> None:
        """Come to rest, whatever was heard."""
        self._heard = -math.inf

    def state(self, now: float) -> State:
        """Where the joints are on their path now, and how fast they move."""
        there = copy(self)
        there._follower = copy(self._follower)
        if now > self._now:  # a step of no time would round
            there._go(now - self._now)
        return State(there._positions, dict(zip(self.joints, there._follower.velocities)))

    def skip(self, duration: float, _: float) -> None:
        """Go on along the path by a duration [s] that the clock has left out."""
        self._go(duration)

    def beside(
        self, measured: Mapping[str, float], now: float, _: float
    ) -> tuple['Jogging', tuple[State, ...]]:
        """The jog itself, and where the arm may be instead: where it was measured last."""
        here, there = self.state(now), measured_of(measured, self.joints)
        return self, (State({**here.positions, **there}, here.velocities),)

    @property
    def resting(self) -> bool:
        """Whether nothing moves, and nobody asks for motion."""
        return self._follower.resting

    def _go(self, duration: float) -> None:
        """Go on along the path, which ends at rest."""
        on = min(duration, self._left)
        self._follower.step(on)
        self._left -= on
        if on < duration:
            self._braked(self._follower)
            self._left = math.inf
            self._follower.step(duration - on)

    def _rest(self, why: progress.Doing) -> None:
        """Come to rest, unless that has begun: at once if possible, else at the end of the path."""
        self._doing = why
        if self._left < math.inf:
            stop = self._braked(told := copy(self._follower))
            if self._is_even(stop) and self._is_clear(stop):
                self._follower, self.path, self._left = told, stop, math.inf

    def _braked(self, follower: Follower) -> Trajectory:
        """The stop that begins with how a follower moves now; the follower makes it from now on."""
        still = (0.0,) * len(self.joints)
        follower.velocity_goal(still, max(self._stop, self._ahead, TOGETHER))
        *way, last = copy(follower).way(follower.time_left)
        return Trajectory([*way, last._replace(velocities=still)])

    @property
    def _positions(self) -> NamedPositions:
        return dict(zip(self.joints, self._follower.positions))

    def _tip(self) -> Matrix:
        return self._arm.forward_kinematics(self._positions)

    def _aim(self, duration: float) -> None:
        """Give the joints the velocities that lead the tip on."""
        speed = math.hypot(*self._angular)
        if speed * duration > math.pi:  # it could be either way round
            self._rest(progress.TURNS)
            return
        if speed > 0.0:
            if not self._keeps:  # turn what the tip has, not what it could not keep
                self._rotation = self._tip()[:3, :3]
            rotation = rotation_about(self._angular / speed, speed * duration)
            self._rotation = np.array(checks.rotation('rotation', rotation @ self._rotation))
        # If the arm is below the floor, the pose that it is asked for is below the floor, too.
        arm = self._arm
        self._solved_by = arm.above(None) if is_below(arm, self._positions) else arm
        pose, at = self._tip(), np.array(self._follower.positions)
        self._progress.look(pose, duration, self._linear, self._angular)
        tip, way = pose[:3, 3], self._linear * self._period
        here = self._turned_back(tip, at)
        there, doing = self._solved(tip + way, here)
        look = max(1.0, progress.LOOKS / self._period)
        onward = self._arm.forward_kinematics(self._named(there))[:3, 3] + look * way
        farther, _ = self._solved(onward, there)
        flung = np.maximum(np.abs(here - at), np.abs(there - here))
        if flung.max() > FLUNG:
            self._rotation = pose[:3, :3]
            self._rest(progress.jump(self.joints, flung))
            return
        self._doing = doing
        forward = (there - here) / self._period
        turn = (farther - there) / (look * self._period) - forward
        self._lead(here - at, forward, turn / (look * self._period))

    def _lead(self, apart: Matrix, forward: Matrix, bend: Matrix) -> None:
        """Lead the joints on [rad/s], as a bend ahead allows [rad/s^2], and back by a way [rad]."""
        limits, most = self._follower.limits, np.array(self._follower.limits.accelerations)
        # Where joint paths bend, as beside a straight elbow, the bend uses some acceleration.
        bent = np.sqrt(np.abs(bend) / (BENDING * most))
        over = np.maximum(np.abs(forward) / np.array(limits.velocities), bent)
        why = self._progress.why(self._follower, over, apart, self._is_changing)
        self._doing = why if self._doing is progress.AS_ASKED else self._doing
        back = np.copysign(np.minimum(BACK * np.abs(apart), np.sqrt(most * np.abs(apart))), apart)
        self._change_to(forward / max(1.0, over.max()) + back)

    def _change_to(self, wanted: Matrix) -> None:
        """Take a path to these velocities [rad/s], or to a share that stays above the floor."""
        before = np.array(self._follower.velocities)
        most = np.array(self._follower.limits.accelerations)
        ahead, within, is_low = AHEAD * self._period, self._period, False
        if self._stop > 0.0:  # a controller plays the paths, maybe in its own time
            least = ahead + float(np.max(np.abs(before) / most))
            self._ahead = ahead = within = max(least, self._ahead - self._period / SHRINKS)
        self._is_changing = True
        for share in SHARES:
            # All joints change together, so that the tip keeps its way while it becomes faster.
            change = share * wanted - before
            steps = np.max(np.abs(change) / (most * within))
            change /= max(1.0, steps)
            told = copy(self._follower)
            told.velocity_goal((before + change).tolist(), within)
            on = copy(told)
            way, stop = Trajectory(on.way(ahead)), self._braked(on)
            if not (self._is_even(way) and self._is_even(stop)):
                continue
            path = joined(way, stop)
            if self._is_clear(path):
                self._follower, self._left, self.path = told, ahead, path
                self._is_changing = bool(steps > 1.0) or is_low
                break
            is_low = True
        if is_low:
            self._doing = progress.FLOOR_NEAR

    def _is_even(self, way: Trajectory) -> bool:
        """Whether joints have all of the time ahead for a way: not at the end of a range."""
        is_long = len(way.waypoints) == 2 and way.duration > self._ahead - TOGETHER
        return is_long or self._stop == 0.0 or way.duration == 0.0

    def _is_clear(self, path: Trajectory) -> bool:
        """Whether a path stays above the floor."""
        return stays_above(self._arm, self._positions, self.joints, path, self._level)

    def _turned_back(self, point: Matrix, at: Matrix) -> Matrix:
        """Joint positions with the tip at a point [m] in the orientation to keep, or else `at`."""
        command = self._kept(point, at)
        self._keeps = command is not None
        return at if command is None else np.array([*command.values()])

    def _solved(self, point: Matrix, near: Matrix) -> tuple[Matrix, progress.Doing]:
        """Joint positions near others with the tip at a point [m], or as near to it as it can be.

        If the orientation cannot be kept, it changes no more than it has to.
        """
        command, doing = self._kept(point, near) if self._keeps else None, progress.AS_ASKED
        if command is None:
            target, seed = self._target(point), self._named(near)
            decision = decide_checked(self._solved_by, self._settings, target, seed)
            command = decision.command
            if decision.code is not Code.OK:
                doing = progress.slides(decision)
        return near if command is None else np.array([*command.values()]), doing

    def _kept(self, point: Matrix, near: Matrix) -> NamedPositions | None:
        """Joint positions near others that keep the orientation; None if there are none."""
        is_free = self._settings.orientation_mode == 'free'
        target, seed = self._target(point, None if is_free else self._rotation), self._named(near)
        command = taken_exactly(self._solved_by, self._settings, target, seed)
        if command is None:
            return None
        # Only the other elbow, say, may allow the orientation: going there would be a jump.
        return command if np.abs(np.array([*command.values()]) - near).max() <= FLUNG else None

    def _target(self, point: Matrix, rotation: Matrix | None = None) -> Target:
        return Target((float(point[0]), float(point[1]), float(point[2])), rotation)

    def _named(self, positions: Matrix) -> NamedPositions:
        return dict(zip(self.joints, positions.tolist()))
