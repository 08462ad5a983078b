# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Whether the tip of a jog moves as asked, or what hinders it; and how long its steps take."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ik_circles.control.decision import Decision
from ik_circles.control.motion.follower import Follower
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import Code, degrees_text

#: A tip that moves or turns at less than this share of what is asked is hindered [1].
SLOW = 0.5
#: So is one that moves sideways at more than this share of the speed that is asked [1].
ASIDE = 0.25
#: A joint that would come to rest this near to its limit brakes because of it [rad].
BESIDE = 1e-3
#: Joints that are farther than this from the orientation to keep are on their way back to it [rad].
BEHIND = 5e-3
#: A tip that turns too slowly is told so after this time [s]: until then, it may become faster.
PATIENCE = 0.5
#: Joints slow down this long before their paths bend [s], or before one comes to its limit: then
#: the others have to change their velocities.
LOOKS = 0.1
#: A busy machine takes longer than a period for a step. The next steps are expected to take that
#: long, too, up to this [s]; each of them by this share less [1].
LONGEST_PERIOD, FADES = 0.1, 0.1
SLOWER = 'jog slower (in m/s), or another way'


@dataclass(eq=False)
class Doing(Decision):
    """What a jog does. It is `about` the same as long as only figures of its sentence change."""

    about: str = ''


#: The answer to a jog that the arm follows.
AS_ASKED = Doing(Code.OK, 'the tip moves as asked')
FLOOR_NEAR = Doing(
    Code.FLOOR, 'the floor is near, so the tip is slower than asked, or rests; jog upwards'
)
TOO_FAST = (
    'the arm is so fast and so near to the floor that it has to come to rest before a jog; '
    'keep jogging'
)
TURNS = Doing(
    Code.JUMP, 'the tip would have to turn by more than half a turn at once; jog slower (in rad/s)'
)
NO_TURN = Doing(
    Code.ORIENTATION,
    'the joints cannot turn the tip as asked and keep its place; jog slower (in rad/s), or another '
    'way',
)
COMES_BACK = Doing(
    Code.ORIENTATION,
    'the orientation, which had to give way, comes back; meanwhile the tip leaves its way, or is '
    'slower; jog slower (in m/s)',
)


def jump(names: Sequence[str], ways: Matrix) -> Doing:
    """The joints would have to jump this far [rad]."""
    farthest = int(np.argmax(ways))
    by = degrees_text(float(ways[farthest]))
    message = f'{names[farthest]} would have to jump by {by}, so the arm rests; {SLOWER}'
    return Doing(Code.JUMP, message, about='jump')


def silent(timeout: float) -> Doing:
    """Nothing was heard for this long [s]."""
    message = f'no jog for {timeout:.3g} s, which is jog_timeout: the arm comes to rest'
    return Doing(Code.STALE, message)


def slides(decision: Decision) -> Doing:
    """The tip is at the edge of what it can reach, for this reason."""
    where = 'the tip slides along the edge of what it can reach'
    return Doing(decision.code, lambda: f'{where}: {decision.message}', about='edge')


def expected(duration: float, before: float, command_rate: float) -> float:
    """The time that the next step may take [s]: as long as this one did, or one some time before.

    `before` is what was expected of this one [s].
    """
    busy = min(max(duration, (1.0 - FADES) * before), LONGEST_PERIOD)
    return max(1.0 / command_rate, busy)


class Progress:
    """What the tip of a jog does, beside what is asked of it.

    What hinders the tip counts until the tip moves as asked again: the joints need time to change
    their velocities.
    """

    def __init__(self) -> None:
        self._tip: Matrix | None = None
        self._is_aside = self._is_slow = self._is_hindered = False
        self._turned_little = 0.0
        self._blocked: int | None = None
        self._why: Doing | None = None

    def look(self, tip: Matrix, duration: float, linear: Matrix, angular: Matrix) -> None:
        """Compare how the tip has moved since the last look with the velocities that were asked."""
        before, self._tip = self._tip, tip
        if before is None or duration == 0.0:
            return
        turn = tip[:3, :3] @ before[:3, :3].T
        turned = (turn - turn.T)[(2, 0, 1), (1, 2, 0)] / (2.0 * duration)
        moved = (tip[:3, 3] - before[:3, 3]) / duration
        speed, onward, aside = _along(linear, moved)
        self._is_slow, self._is_aside = onward < SLOW * speed, aside > ASIDE * speed > 0.0
        speed, onward, _ = _along(angular, turned)
        turns_little = onward < SLOW * speed
        self._turned_little = self._turned_little + duration if turns_little else 0.0

    def why(self, follower: Follower, over: Matrix, apart: Matrix, is_changing: bool) -> Doing:
        """Why the tip does not do what is asked, or that it does.

        Parameters
        ----------
        follower : Follower
            How the joints move.
        over : numpy.ndarray, shape (joints,)
            How many times too fast each joint would be if the tip did what is asked [1].
        apart : numpy.ndarray, shape (joints,)
            How far the joints are from the orientation to keep [rad].
        is_changing : bool
            Whether the joints do not yet have the velocities that they were given.
        """
        limits, fastest = follower.limits, int(np.argmax(over))
        is_too_fast = bool(over[fastest] * SLOW > 1.0)
        is_off = self._is_aside or (self._is_slow and not is_changing)
        comes_back = is_off and float(np.abs(apart).max()) > BEHIND
        was_hindered, self._is_hindered = self._is_hindered, is_too_fast or self._is_aside
        if self._is_hindered:
            self._blocked = self._at_limit(follower)
            if self._blocked is not None:
                self._why = _blocked(limits.names[self._blocked])
            elif is_too_fast:
                self._why = _too_fast(limits.names[fastest], float(over[fastest]))
            elif comes_back:
                self._why = COMES_BACK
        elif not (self._is_slow or self._turned_little) or not (is_changing or was_hindered):
            self._why = COMES_BACK if comes_back else None
        return self._why or (NO_TURN if self._turned_little > PATIENCE else AS_ASKED)

    def _at_limit(self, follower: Follower) -> int | None:
        """The number of a joint that brakes before its limit, or that has just done so."""
        limits, box = follower.limits.ranges, follower.stopping_box()
        for joint, velocity in enumerate(follower.velocities):
            for side, speed in enumerate((-velocity, velocity)):
                is_near = abs(limits[joint][side] - box[joint][side]) < BESIDE
                brakes = speed > 0.0 or (speed == 0.0 and joint == self._blocked)
                if is_near and brakes:
                    return joint
        return None


def _along(asked: Matrix, done: Matrix) -> tuple[float, float, float]:
    """A speed that is asked for, and what is done along it and aside."""
    speed = math.hypot(*asked)
    along = float(done @ (asked / speed)) if speed > 0.0 else 0.0
    return speed, along, math.sqrt(max(0.0, float(done @ done) - along**2))


def _blocked(name: str) -> Doing:
    message = (
        f'{name} comes to its limit, so the tip leaves its way, or is slower, until the other '
        'joints have changed their velocities; jog slower, or another way'
    )
    return Doing(Code.JOINT_LIMIT, message, about=name)


def _too_fast(name: str, over: float) -> Doing:
    message = (
        f'{name} would have to move {over:.3g} times as fast as its limits allow, so the tip is '
        f'slower than asked; {SLOWER}'
    )
    return Doing(Code.JUMP, message)
