# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Who moves the arm, and how each motion ends: at its goal, or at rest on the way, with a reason.

One rule decides who: a goal of `~/move_to` goes first; without a goal, the newest target or jog
does.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ik_circles.control.moves.feedback import SETTLE, Feedback, Stillness
from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.plan import State
from ik_circles.control.moves.playing import BETWEEN, Playing, farthest
from ik_circles.control.moves.sent import Sent
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import MotionParameters
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions
from ik_circles.robot.text import listed

#: An arm that has stood still for this long, and is then told to stop, stays where it is [s].
STANDS = 0.2
#: The end of a motion waits at most this long for an arm that does not come to rest [s].
PATIENCE = 10.0
#: A joint has settled if it is measured this near to where it was sent [rad or m].
SETTLED = 2e-3
#: A controller plays a path in its own time: a UR's takes longer with the speed slider below 100 %.
#: The motion waits, or catches up, when a joint is this far from where it is sent [rad or m].
BESIDE = 0.05
#: If a joint stands still farther than this from the end of its path, the motion is given up.
#: Servos that sag are nearer than that [rad or m].
GIVEN_UP = 0.1
#: A stop of an arm whose controller plays paths takes at least this long [s]. The arm may be beside
#: its path, because it is measured late; correcting that in less time would need too large an
#: acceleration.
STOP = 0.2
#: While a line is planned, a controller goes on. The stop before the line allows for that, for at
#: most this long [s]; see `State.later`.
PLANNING = 0.1


class Ending(NamedTuple):
    """Why a motion is over, and the share of it that was done."""

    code: Code
    message: str
    share: float


class Step(NamedTuple):
    """What is sent now, {} for nothing, and the ending if the motion is over."""

    positions: NamedPositions
    ending: Ending | None = None


class Mover:
    """One motion at a time; all times are of one clock [s] that never goes back: `MotionTime`.

    Parameters
    ----------
    enabled : bool
        Whether the arm may move.
    service : str
        Name of the service that enables it.
    """

    def __init__(self, enabled: bool, service: str = '~/enable') -> None:
        self.enabled, self._service = enabled, service
        self.motion: Playing | Jogging | None = None
        #: Why the motion was told to stop, and how much was done by then; None if it was not.
        self.stopped: Ending | None = None
        self._is_goal = False
        self._beside: Mapping[str, float] | None = None
        self._arrived: NamedPositions = {}
        self._feedback, self._sent = Feedback(), Sent()
        self._over: tuple[Playing, float] | None = None
        self._stillness, self._stepped = Stillness(), -math.inf

    def check_free(self, is_goal: bool = False) -> None:
        """Refusal if the arm is disabled, or if a goal moves it and the new motion is no goal."""
        if not self.enabled:
            raise Refusal(
                Code.DISABLED, f'the arm is disabled; enable it with the service {self._service}'
            )
        if self._is_goal and not is_goal:
            raise Refusal(
                Code.CANCELED,
                'a goal of ~/move_to moves the arm, and goes first; wait for its end, or cancel it',
            )

    def begin(
        self,
        motion: Playing | Jogging,
        is_goal: bool = False,
        beside: Mapping[str, float] | None = None,
    ) -> None:
        """Play this motion from now on, in place of the one before.

        `beside` has the measured joints, if a controller plays the path in its own time. The motion
        then keeps pace with them.
        """
        if isinstance(motion, Playing):  # a jog moves all joints that moved before
            # Since the last step, joints may have come to rest that the new motion leaves there.
            moved = self.motion.joints if self.motion else ()
            arrived = self._arrived | {name: motion.plan.at[name] for name in moved}
            self._arrived = {name: arrived[name] for name in arrived.keys() - {*motion.joints}}
        self.motion, self._is_goal, self.stopped = motion, is_goal, None
        self._beside, self._over = beside, None
        self._stillness = Stillness()

    def forget(self) -> None:
        """Nothing moves any more: the model is gone, or joints were sent somewhere at once."""
        self._end()
        self._sent = Sent()

    def _end(self) -> None:
        """The motion is over."""
        self.motion, self._is_goal, self.stopped, self._over = None, False, None, None
        self._arrived = {}

    def hear(self, names: Iterable[str], now: float) -> None:
        """Joints have been measured."""
        self._feedback.hear(names, now)

    def skip(self, duration: float, now: float) -> None:
        """A controller that plays the path has gone on by a duration that the clock left out."""
        self._feedback.skip(duration)
        if self.motion is not None and self._beside is not None:
            self.motion.skip(duration, now)

    def check_heard(self, names: Iterable[str], now: float, timeout: float) -> None:
        """Refusal if one of these joints has not been measured for `timeout` [s]; 0: never."""
        silent = self._feedback.silent(names, now, timeout)
        if silent:
            raise Refusal(
                Code.NO_FEEDBACK,
                f'joint_states are silent: nothing about {listed(silent)} for {timeout:.3g} s, '
                'which is feedback_timeout; publish them, or raise it',
            )

    def state(self, now: float, at_rest: NamedPositions) -> State:
        """How the joints move now; joints that no motion moves are where they rest.

        Joints that were measured last on their way to where a motion sent them rest there. If a
        controller plays the path, the next motion begins where the arm is on that path.
        """
        motion = self.motion or self._settling(now)
        if self._beside is None:
            at_rest = self._sent.resting(at_rest, self._feedback, now)
        if motion is None:
            return State(at_rest)
        instead = later = tuple[State, ...]()
        if self._beside is not None:
            seen = self._feedback.seen(motion.joints, now)
            motion, instead = motion.beside(self._beside, now, seen)
            later = tuple(motion.state(now + PLANNING * (1.0 - share)) for share in BETWEEN)
        state = motion.state(now)
        return State({**at_rest, **state.positions}, state.velocities, instead, later)

    def share(self, now: float) -> float:
        """Share of the motion that is done."""
        return self.motion.share(now) if isinstance(self.motion, Playing) else 0.0

    def stop(self, code: Code, message: str, now: float) -> bool:
        """Come to rest, for this reason; False if nothing moves, or if it is stopping already."""
        if self.motion is None or self.stopped is not None:
            return False
        if isinstance(self.motion, Jogging):
            self.motion.stop()
            self.stopped = Ending(code, message, 0.0)
        else:
            self._brake(self.motion, code, message, now)
        return True

    def _brake(self, motion: Playing, code: Code, message: str, now: float) -> None:
        """Stop a motion as soon as its limits allow; until then, it goes on."""
        instead: tuple[State, ...] = ()
        seen = self._feedback.seen(motion.joints, now)
        if self._beside is not None:
            self._stillness.look(motion.joints, self._beside, now)
            motion, instead = motion.beside(self._beside, now, seen)
        self.stopped = Ending(code, message, motion.share(now))
        if self._beside is not None and seen - self._stillness.since >= STANDS:
            # A paused or blocked arm must not be sent on, along the way of a stop.
            self.motion = motion.standing(self._beside, now, instead)
        else:
            self.motion = motion.braked(now, instead) or self.motion

    def step(
        self,
        now: float,
        parameters: MotionParameters,
        measured: Mapping[str, float],
    ) -> Step:
        """What to send now; nothing is sent again once the arm rests."""
        passed, self._stepped = now - self._stepped, now
        if self.motion is None:
            return Step({})
        if self.stopped and isinstance(self.motion, Playing) and self.motion.may_brake(now):
            self._brake(self.motion, *self.stopped[:2], now)
        self._watch(self.motion.joints, now, parameters.feedback_timeout)
        motion = self.motion
        if isinstance(motion, Jogging):
            positions = motion.step(now, parameters)
            is_over = motion.resting
        else:
            self._stillness.look(motion.joints, measured, now)
            if self._beside is not None:
                self._follow(motion, self._beside, passed, now)
            positions, left = motion.state(now).positions, motion.time_left(now)
            way = motion if self._beside is not None else None
            is_over = left <= 0.0 and (
                not (self._is_goal or self._beside is not None)
                or farthest(motion.end, measured).away <= SETTLED
                or left <= (-SETTLE if self._stillness.is_sure(way, now) else -PATIENCE)
            )
        positions = self._arrived | positions
        self._arrived = {}
        self._sent.send(positions, now)
        if not is_over:
            return Step(positions)
        ending = self.stopped or Ending(Code.OK, '', 1.0)
        self._end()
        if isinstance(motion, Playing):
            # A motion may have rested before a stop could begin.
            ending = ending._replace(share=motion.share(now))
            self._over = (motion, now) if self._beside is not None else None
        return Step(positions, ending)

    def _follow(
        self,
        motion: Playing,
        measured: Mapping[str, float],
        passed: float,
        now: float,
    ) -> None:
        """Let the motion wait for an arm that is behind, and catch up with one that is ahead.

        If an arm that is behind stands still, stop the motion.
        """
        passed, seen = min(passed, motion.gone(now)), self._feedback.seen(motion.joints, now)
        earlier, away, later = (
            farthest(motion.state(time).positions, measured).away
            for time in (seen - passed, seen, seen + passed)
        )
        if away <= BESIDE:
            return
        name, left = farthest(motion.end, measured)
        if later < min(earlier, away):
            motion.delay(-passed)
        elif not self._stillness.is_sure(motion, now):
            motion.delay(passed)
        elif left > GIVEN_UP:
            self.stop(
                Code.CANCELED,
                f'{name} stands still {left:.3g} rad (or m) before the end of its path: the motion '
                'was given up; is the arm paused, blocked, or without power?',
                now,
            )

    def _settling(self, now: float) -> Playing | None:
        """The motion that has ended, while its controller may still be on the end of the path."""
        motion, ended = self._over or (None, now)
        if motion is None or self._beside is None or now > ended + SETTLE:
            return None
        return motion if farthest(motion.end, self._beside).away <= SETTLED else None

    def _watch(self, joints: Iterable[str], now: float, timeout: float) -> None:
        """Stop the arm if joints that move have not been measured for too long."""
        silent = self._feedback.silent(joints, now, timeout)
        if silent:
            self.stop(
                Code.NO_FEEDBACK,
                f'joint_states fell silent: nothing about {listed(silent)} for {timeout:.3g} s, '
                'which is feedback_timeout; the arm was stopped',
                now,
            )
