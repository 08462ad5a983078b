# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The controls of motions, and the way that lies ahead of the arm.

While the arm does not follow the ball, a ball that is dragged is the target of the next straight
motion. While the arm is disabled, it is a question: it is answered here, and nothing is sent.
"""

import math
import time
from dataclasses import replace
from typing import Any, NamedTuple

from ik_circles.control.moves.ahead import Ahead, Held, ahead, held
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer import cards
from ik_circles.viewer.state import Arrival, Backend, Snapshot, TargetAnswer
from ik_circles.viewer.targets import answered, beside_a_hair, out_of_reach, would_be

#: Share of the full speed: a motion at 0.5 takes twice as long.
SLOWEST, FIRST_SPEED, SPEED_STEP = 0.05, 0.5, 0.05
FOLLOW_HINT = (
    'On: the arm goes where the ball is dragged. '
    'Off: the ball moves alone, and "Straight to the ball" moves the arm'
)
#: Two lines: there is no room for more above it, and below it is "Stop".
ENABLE_HINT = 'Whether the arm may move. Off ends its motions'
SPEED_HINT = (
    'Share of the full speed of the joints. '
    'A ball that is dragged is followed as fast as the node allows'
)
#: The answer to a joint's slider of a disabled arm.
IS_DISABLED = TargetAnswer(Code.DISABLED, f'{cards.IS_DISABLED} {cards.MAY_MOVE}')
#: The answer to a ball that is not followed and no farther than this from the tip [m].
AT_THE_BALL, NOT_SEEN = 'The tip is at the ball', 5e-4
#: After a look ahead, this many times its own duration pass before the next one.
REST_AFTER_A_LOOK = 3.0
#: Joints that are the same to this many digits have not moved [rad or m].
DIGITS = 4


class MotionControls:
    """Whether the arm follows the ball, whether it may move, how fast, and straight motions.

    Attributes
    ----------
    follow, enable : viser.GuiCheckboxHandle
        The check boxes; the page knows what to do when a user changes them.
    """

    def __init__(self, gui: Any, backend: Backend) -> None:
        self._backend = backend
        self.enable = gui.add_checkbox('Enable', True, hint=ENABLE_HINT)
        self.follow: Any = None
        self._speed: Any = None
        self._target: Target | None = None
        self._is_turned = self._is_refused = False
        self._found: _Found | None = None
        self._next_look = 0.0

    def add_follow(self, gui: Any) -> None:
        """Add the check box of following, wherever it should be."""
        self.follow = gui.add_checkbox('Follow the ball', True, hint=FOLLOW_HINT)

    def add_speed(self, gui: Any) -> None:
        """Add the slider of the speed, wherever it should be."""
        self._speed = gui.add_slider(
            'Speed', SLOWEST, 1.0, SPEED_STEP, FIRST_SPEED, marks=(), hint=SPEED_HINT
        )

    @property
    def speed(self) -> float:
        """The share of the full speed."""
        speed: float = self._speed.value
        return speed

    @property
    def target(self) -> Target | None:
        """The target ahead, if there is one: it has not been sent, or by a straight motion."""
        return self._target

    @property
    def is_turned(self) -> bool:
        """Whether somebody has chosen the orientation of the target ahead."""
        return self._is_turned

    @property
    def way(self) -> Ahead | None:
        """The straight line ahead; the same object until it changes."""
        return self._found.way if self._found and self._target else None

    @property
    def may_go(self) -> bool:
        """Whether there is a target ahead, and no straight line that is known to end before it, or
        to be over."""
        way = self.way
        may_go = way is None or (way.code is Code.OK and not _over(way))
        return self._target is not None and may_go

    def forget(self) -> None:
        """There is no target ahead."""
        self._target = self._found = None
        self._is_refused = False

    def turn(self, target: Target) -> None:
        """A target is ahead whose orientation somebody has chosen."""
        self._target, self._is_turned, self._is_refused = target, True, False

    def lead(self, arm: RobotArm, shown: Snapshot, position: Point3) -> Held:
        """The target ahead is at a position [m], in the orientation of a straight line to there."""
        yaw = arm.naming.configuration(shown.measured).yaw
        found = held(arm, beside_a_hair(arm.spatial, position, yaw), shown.measured)
        self._target, self._is_turned, self._is_refused = found.target, False, False
        return found

    def refuse(self) -> None:
        """A disabled arm was asked to move in another way than to a target, which stays."""
        self._is_refused = True

    def go(self, arm: RobotArm, shown: Snapshot, position: Point3) -> None:
        """Move straight to the target ahead, or without one to a position [m]."""
        target = self._target
        if target is None or not self._is_turned:  # the arm may have been stopped on the way
            target = self.lead(arm, shown, target.position if target else position).target
        self._backend.move(target, self.speed)

    def travel(self, arm: RobotArm, shown: Snapshot, target: Target) -> None:
        """Move to a target that nobody drags, with the joints together. One that moves nothing is
        answered as when it is dragged."""
        self.forget()
        answer = answered(arm, shown.settings, target, shown.measured)
        if answer.command:
            self._backend.move_joints(answer.command, self.speed, Arrival(target, answer))
        else:
            self._backend.aim(target)

    def seen(self, snapshot: Snapshot) -> Snapshot:
        """What the page shows: of a target ahead, until it is asked for, what a straight motion
        would do, or what an arm that follows would do if it were enabled."""
        target, self._is_refused = self._target, self._is_refused and not self.enable.value
        if target is not None and snapshot.arm is not None:
            if snapshot.share is None:
                self._look(snapshot.arm, target, snapshot)
            if snapshot.target is not target and self._found is not None:
                is_left = self.follow.value and snapshot.enabled  # it was asked while disabled
                answer = None if is_left else self._found.answer
                snapshot = replace(snapshot, target=target, answer=answer)
        return replace(snapshot, answer=IS_DISABLED) if self._is_refused else snapshot

    def _look(self, arm: RobotArm, target: Target, snapshot: Snapshot) -> None:
        """See what is ahead, if that may have changed."""
        joints = tuple(round(snapshot.measured.get(name, 0.0), DIGITS) for name in arm.joints)
        follows, before = self.follow.value, self._found
        seen_from = (arm.floor, snapshot.settings, joints, follows, snapshot.enabled)
        begin = time.monotonic()
        if begin < self._next_look:
            return
        if before and before.target is target and before.seen_from == seen_from:
            return
        way, answer = None, None
        try:
            if not follows:
                way, answer = self._straight(arm, target, snapshot)
            elif not snapshot.enabled:
                answer = would_be(arm, snapshot.settings, target, snapshot.measured)
        except IkCirclesError:  # there is no line to where no point is
            pass
        self._found = _Found(target, seen_from, way, answer)
        now = time.monotonic()
        self._next_look = now + REST_AFTER_A_LOOK * (now - begin)

    def _straight(
        self, arm: RobotArm, target: Target, snapshot: Snapshot
    ) -> tuple[Ahead | None, TargetAnswer | None]:
        """The straight line, and its answer; if the ball is out of reach, that of its place."""
        settings, measured = snapshot.settings, snapshot.measured
        wanted = target if self._is_turned else held(arm, target.position, measured).target
        way = ahead(arm, settings, wanted, measured)
        if way is None:
            return None, None
        if way.code is Code.OK:
            return way, TargetAnswer(way.code, AT_THE_BALL if _over(way) else way.message)
        return way, out_of_reach(arm, settings, wanted) or TargetAnswer(way.code, way.message)


def _over(way: Ahead) -> bool:
    """Whether nobody would see a motion along a straight line."""
    return math.dist(way.start, way.end) < NOT_SEEN


class _Found(NamedTuple):
    """What is ahead: of which target, and from where."""

    target: Target
    seen_from: tuple[object, ...]
    way: Ahead | None
    answer: TargetAnswer | None
