# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The controls of motions, and the way that lies ahead of the arm.

While the arm does not follow the ball, a ball that is dragged is the target of the next straight
motion.
"""

import time
from dataclasses import replace
from typing import Any, NamedTuple

from ik_circles.control.moves.ahead import Ahead, ahead, held
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.state import Backend, Snapshot, TargetAnswer

#: Share of the full speed: a motion at 0.5 takes twice as long.
SLOWEST, FIRST_SPEED, SPEED_STEP = 0.05, 0.5, 0.05
FOLLOW_HINT = (
    'On: the arm goes to the ball, wherever it is dragged. '
    'Off: the ball moves alone, and "Straight to the ball" moves the arm'
)
ENABLE_HINT = 'Whether the arm may move. Off stops it'
SPEED_HINT = 'Share of the fastest that the joints can: of straight motions and of joint sliders'
#: After a look ahead, so many times its own duration passes before the next one.
REST_AFTER_A_LOOK = 3.0
#: Joints that are the same to so many digits have not moved [rad or m].
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
        self.follow = gui.add_checkbox('Follow the ball', True, hint=FOLLOW_HINT)
        self.enable = gui.add_checkbox('Enable', True, hint=ENABLE_HINT)
        self._speed: Any = None
        self._target: Target | None = None
        self._is_turned = False
        self._found: _Found | None = None
        self._next_look = 0.0

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
        """The target ahead, if there is one."""
        return self._target

    @property
    def way(self) -> Ahead | None:
        """The straight line ahead; the same object until it changes."""
        return self._found.way if self._found and self._target else None

    def forget(self) -> None:
        """There is no target ahead."""
        self._target = self._found = None

    def turn(self, target: Target) -> None:
        """A target is ahead whose orientation somebody has chosen."""
        self._target, self._is_turned = target, True

    def lead(self, arm: RobotArm, shown: Snapshot, position: Point3) -> Target:
        """The target ahead is at a position [m], in the orientation of a straight line to there."""
        self._target, self._is_turned = held(arm, position, shown.measured), False
        return self._target

    def go(self, arm: RobotArm, shown: Snapshot, position: Point3) -> None:
        """Move straight to the target ahead, or without one to a position [m]."""
        target = self._target
        if target is None or not self._is_turned:  # the arm may have been stopped on the way
            target = self.lead(arm, shown, target.position if target else position)
        self._backend.move(target, self.speed)

    def seen(self, snapshot: Snapshot) -> Snapshot:
        """What the page shows: of a target ahead what a straight motion would do, until it is asked
        for."""
        target = self._target
        if target is None or snapshot.arm is None:
            return snapshot
        if snapshot.share is None:
            self._look(snapshot.arm, target, snapshot)
        found = self._found
        if snapshot.target is target or found is None:
            return snapshot
        return replace(snapshot, target=target, answer=found.answer)

    def _look(self, arm: RobotArm, target: Target, snapshot: Snapshot) -> None:
        """See what is ahead, if that may have changed."""
        joints = tuple(round(snapshot.measured.get(name, 0.0), DIGITS) for name in arm.joints)
        seen_from, before = (arm.floor, snapshot.settings, joints), self._found
        begin = time.monotonic()
        if begin < self._next_look:
            return
        if before and before.target is target and before.seen_from == seen_from:
            return
        try:
            wanted = target
            if not self._is_turned:
                wanted = held(arm, target.position, snapshot.measured)
            way = ahead(arm, snapshot.settings, wanted, snapshot.measured)
        except IkCirclesError:  # there is no line to where no point is
            way = None
        answer = way and TargetAnswer(way.code, way.message)
        self._found = _Found(target, seen_from, way, answer)
        now = time.monotonic()
        self._next_look = now + REST_AFTER_A_LOOK * (now - begin)


class _Found(NamedTuple):
    """What is ahead: of which target, and from where."""

    target: Target
    seen_from: tuple[object, ...]
    way: Ahead | None
    answer: TargetAnswer | None
