# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The controls of motions, and the way that lies ahead of the arm.

While the arm does not follow the ball, a dragged ball is the target of the next straight motion.
While the arm is disabled, a dragged ball is only a question, which is answered here. Nothing is
sent.
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
#: The hint may have two lines: above its control there is no room for more, and below it is "Stop".
ENABLE_HINT = 'Whether the arm may move. Off ends its motions'
SPEED_HINT = (
    'Share of the full speed of the joints. '
    'A ball that is dragged is followed as fast as the node allows'
)
#: The answer to a joint's slider of a disabled arm.
IS_DISABLED = TargetAnswer(Code.DISABLED, f'{cards.IS_DISABLED} {cards.MAY_MOVE}')
#: The answer to a ball that is not followed, if the tip is no farther than this from it [m].
AT_THE_BALL, NOT_SEEN = 'The tip is at the ball', 5e-4
#: A look ahead is followed by a rest that is this many times as long.
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
        """Add the check box "Follow the ball" at the current place in the page."""
        self.follow = gui.add_checkbox('Follow the ball', True, hint=FOLLOW_HINT)

    def add_speed(self, gui: Any) -> None:
        """Add the slider of the speed at the current place in the page."""
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
        """The target ahead, if there is one: one not sent yet, or sent as a straight motion."""
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
        """Whether there is a target ahead, and its straight line is not known to end early, or to
        be over already."""
        way = self.way
        may_go = way is None or (way.code is Code.OK and not _over(way))
        return self._target is not None and may_go

    def forget(self) -> None:
        """Remove the target ahead."""
        self._target = self._found = None
        self._is_refused = False

    def turn(self, target: Target) -> None:
        """Put a target ahead whose orientation somebody has chosen."""
        self._target, self._is_turned, self._is_refused = target, True, False

    def lead(self, arm: RobotArm, shown: Snapshot, position: Point3) -> Held:
        """Put the target ahead at a position [m], with the orientation at the end of a straight
        line to it."""
        yaw = arm.naming.configuration(shown.measured).yaw
        found = held(arm, beside_a_hair(arm.spatial, position, yaw), shown.measured)
        self._target, self._is_turned, self._is_refused = found.target, False, False
        return found

    def refuse(self) -> None:
        """Say that the arm is disabled: it was asked for a motion that is not to a target."""
        self._is_refused = True

    def go(self, arm: RobotArm, shown: Snapshot, position: Point3) -> None:
        """Move straight to the target ahead; without one, to a position [m]."""
        target = self._target
        if target is None or not self._is_turned:  # the arm may have been stopped on the way
            target = self.lead(arm, shown, target.position if target else position).target
        self._backend.move(target, self.speed)

    def travel(self, arm: RobotArm, shown: Snapshot, target: Target) -> None:
        """Move to a target that nobody drags, all joints together. If nothing has to move, answer
        the target as if it were dragged."""
        self.forget()
        answer = answered(arm, shown.settings, target, shown.measured)
        if answer.command:
            self._backend.move_joints(answer.command, self.speed, Arrival(target, answer))
        else:
            self._backend.aim(target)

    def seen(self, snapshot: Snapshot) -> Snapshot:
        """What the page shows. Until somebody starts the motion to a target ahead, that is what a
        straight motion would do, or what an arm that follows would do if it were enabled."""
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
        """Compute what is ahead again, if it may have changed."""
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
        """The straight line and its answer; if the ball is out of reach, the ball's answer."""
        settings, measured = snapshot.settings, snapshot.measured
        wanted = target if self._is_turned else held(arm, target.position, measured).target
        way = ahead(arm, settings, wanted, measured)
        if way is None:
            return None, None
        if way.code is Code.OK:
            return way, TargetAnswer(way.code, AT_THE_BALL if _over(way) else way.message)
        end = way.done_to if math.dist(way.start, way.done_to) > NOT_SEEN else None
        early = TargetAnswer(way.code, way.message, end)
        return way, out_of_reach(arm, settings, wanted) or early


def _over(way: Ahead) -> bool:
    """Whether a motion along a straight line would be too short to see."""
    return math.dist(way.start, way.end) < NOT_SEEN


class _Found(NamedTuple):
    """What was found ahead, for which target, and from where."""

    target: Target
    seen_from: tuple[object, ...]
    way: Ahead | None
    answer: TargetAnswer | None
