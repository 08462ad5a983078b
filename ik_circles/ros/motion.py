# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How the arm is moved: by goals of ~/move_to, and by the commands for targets."""

import math
from collections.abc import Callable, Sequence

from rclpy.node import Node
from sensor_msgs.msg import JointState

from ik_circles.control.controllers import goal_of, with_held
from ik_circles.control.decision import Decision
from ik_circles.control.moves.goal import plan
from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.motion_time import LONGEST_STEP, MotionTime
from ik_circles.control.moves.mover import STOP, Ending, Mover
from ik_circles.control.moves.plan import NotBegun, Plan, State
from ik_circles.control.moves.playing import Playing
from ik_circles.control.moves.target_motion import to_target
from ik_circles.control.refusals import NotYet, Refusal
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.waiting import Attempt
from ik_circles.errors import IkCirclesError, InvalidSettingError
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.ros import conversions, move_replies, replies
from ik_circles.ros.clock import NodeClock
from ik_circles.ros.command_output import CommandOutput, Execution, Prepared
from ik_circles.ros.frames import Frames
from ik_circles.ros.move_to import MoveGoal, MoveToServer, wish_of
from ik_circles.ros.unexpected import refused

FEEDBACK_EVERY = 0.1  # [s]
NEWER = 'a newer goal took the place of this one'
OTHER_MODEL = 'the model has changed; the arm still comes to rest by the previous one: wait'


class MotionPlayer:
    """Plays motions at `command_rate`; `Mover` decides who moves the arm.

    `model` returns the arm and what is known about its joints, or raises Refusal. `wait` lets a
    question wait for a transform, and tries it again.
    """

    def __init__(
        self,
        node: Node,
        model: Callable[[], tuple[RobotArm, JointMemory]],
        frames: Frames,
        output: CommandOutput,
        wait: Callable[[Attempt], None],
        parameters: MotionParameters,
    ) -> None:
        self._node, self._model, self._frames = node, model, frames
        self._output, self._wait = output, wait
        self._time = MotionTime()
        self.clock = NodeClock(node, on_set=self._time.clock_is_set)
        self.settings, self.parameters = Settings(), parameters
        self._mover = Mover(parameters.start_enabled, node.resolve_service_name('~/enable'))
        self._sent: Prepared | None = None
        self._goal: MoveGoal | None = None
        self._told, self._newest = -math.inf, 0
        self._command = JointState()
        self._timer = node.create_timer(1.0 / parameters.command_rate, self._on_tick)
        self._timer.cancel()
        self._server = MoveToServer(node, self._on_goal, self._on_cancel)

    def check_use(self, settings: Settings) -> None:
        """Raise InvalidSettingError if settings change the controller while it moves the arm."""
        before, after = (
            (one.command_interface, one.controller_joints) for one in (self.settings, settings)
        )
        if self._mover.motion is not None and before != after:
            raise InvalidSettingError(
                'the arm moves by the controller that command_interface and controller_joints '
                'describe; change them when it rests'
            )

    def use(self, settings: Settings, parameters: MotionParameters) -> None:
        """Take new values; a motion that is under way keeps its limits."""
        is_rate_new = parameters.command_rate != self.parameters.command_rate
        self.settings, self.parameters = settings, parameters
        if is_rate_new:
            self._timer.timer_period_ns = int(1e9 / parameters.command_rate)

    def hear(self, known: NamedPositions, names: Sequence[str], positions: Sequence[float]) -> None:
        """Joints have been measured; only finite positions of known joints count."""
        measured = [n for n, at in zip(names, positions) if n in known and math.isfinite(at)]
        self._mover.hear(measured, self.now())

    def check_free(self) -> None:
        """Refusal if a target may not move the arm."""
        self._mover.check_free()

    def way_of(
        self, arm: RobotArm, joints: JointMemory, decision: Decision, seed: NamedPositions
    ) -> tuple[Decision, Execution]:
        """A target's answer, and how it is carried out; Refusal if it cannot be."""
        if self.parameters.motion == 'direct':
            command = decision.command or {}
            return decision, goal_of(self.settings, arm, command, seed, joints.measured)
        state = self.state(joints, now := self.now())
        planned, decision = to_target(arm, self.parameters, decision, state)
        return decision, self.prepared(arm, joints, planned, state, now)

    def carry_out(
        self, message: JointState, way: Execution, joints: JointMemory, command: NamedPositions
    ) -> None:
        """Send a target's command, or begin to move there."""
        if isinstance(way, Prepared):
            self.begin(way)
        else:
            self._mover.forget()
            self._output.send(message, way)
            joints.commanded(command)

    def enable(self, enabled: bool) -> None:
        """Allow the arm to move, or bring it to rest and allow it no more."""
        self._mover.enabled = enabled
        if not enabled:
            self.stop(Code.DISABLED, 'the arm was disabled while it moved, and brought to rest')

    def stop(self, code: Code, why: str) -> None:
        """Come to rest, if the arm moves."""
        try:
            self._stop(code, why)
        except IkCirclesError as error:
            self._give_up(Ending(code, f'{why}; not even that was possible: {error}', 0.0))

    @refused
    def _stop(self, code: Code, why: str) -> None:
        motion = self._mover.motion
        # A jog stops in its next step; the path that it is on was sent, and begins in the past.
        if self._mover.stop(code, why, self.now()) and self._mover.motion is not motion:
            self._send_path()

    def _give_up(self, ending: Ending) -> None:
        """Send nothing more."""
        self._mover.forget()
        goal, self._goal = self._goal, None
        if goal is not None:
            self._conclude(goal, ending)

    @property
    def shortest_stop(self) -> float:
        """A jog's stop takes at least this long [s]."""
        return STOP if self._output.plays_paths else 0.0

    @property
    def jogging(self) -> Jogging | None:
        """The jog that is under way, if it was not told to stop."""
        motion = self._mover.motion
        return motion if isinstance(motion, Jogging) and self._mover.stopped is None else None

    # --- goals ---

    def _on_goal(self, goal: MoveGoal) -> None:
        def attempt(is_last: bool) -> bool:
            try:
                self._begin_goal(goal)
            except IkCirclesError as error:
                if isinstance(error, NotYet) and not is_last:
                    return False
                share = error.share if isinstance(error, NotBegun) else 0.0
                ending = Ending(replies.code_of(error), str(error), share)
                self._give_up(ending) if goal is self._goal else self._conclude(goal, ending)
            return True

        self._wait(attempt)

    @refused
    def _begin_goal(self, goal: MoveGoal) -> None:
        prepared = self._planned(goal)
        if self._goal is not None:
            newer = Ending(Code.CANCELED, NEWER, self._mover.share(self.now()))
            self._conclude(self._goal, self._mover.stopped or newer)
        self._newest = goal.number
        self.begin(prepared, goal)

    def _planned(self, goal: MoveGoal) -> Prepared:
        """The motion that a goal asks for; IkCirclesError says why there is none."""
        if goal.is_canceled:
            raise NotBegun(Code.CANCELED, 'canceled before it began')
        if goal.number < self._newest:
            raise NotBegun(Code.CANCELED, NEWER)
        self._mover.check_free(is_goal=True)
        arm, joints = self._model()
        wish, now = wish_of(goal.request, self._frames, arm, joints.measured), self.now()
        state = self.state(joints, now)
        planned = plan(arm, self.settings, self.parameters, wish, state)
        return self.prepared(arm, joints, planned, state, now)

    def _on_cancel(self, goal: MoveGoal) -> None:
        goal.is_canceled = True
        if goal is self._goal:
            self.stop(Code.CANCELED, 'canceled; the arm was brought to rest')

    # --- while the arm moves ---

    def now(self) -> float:
        """The time of motions [s]."""
        return self._at(self.clock.now())

    def _at(self, clock: int) -> float:
        longest = max(LONGEST_STEP, 2.0 / self.parameters.command_rate)
        now = self._time.at(clock, longest if self._mover.motion else math.inf)
        self._mover.skip(self._time.skipped, now)
        return now

    def state(self, joints: JointMemory, now: float) -> State:
        """How all known joints move now; Refusal while joints of the previous model still move."""
        if (sent := self._sent) is not None and sent.joints is not joints:
            if self._mover.motion is not None:
                raise Refusal(Code.NO_MODEL, OTHER_MODEL)
            self._mover.forget()
            joints.take_over(sent.joints)
        return self._mover.state(now, joints.resting(self.settings.seed_tolerance))

    def prepared(
        self, arm: RobotArm, joints: JointMemory, planned: Plan, state: State, now: float
    ) -> Prepared:
        """The plan, which begins with how the arm moves now, and all else the controller is sent.

        Refusal if its joints are not measured any more, or if the controller does not have them.
        """
        self._mover.check_heard(planned.joints, now, self.parameters.feedback_timeout)
        is_alone = self.settings.command_interface == 'joint_state'
        held = {} if is_alone else with_held(self.settings, arm, planned.end, state.positions)
        return Prepared(planned, arm, joints, held, now)

    def begin(
        self, prepared: Prepared, goal: MoveGoal | None = None, motion: Jogging | None = None
    ) -> None:
        """Play this from now on. The time of a plan from rest begins now, after the planning."""
        is_moving = any(prepared.plan.trajectory.waypoints[0].velocities)
        begin = prepared.begin if is_moving else self.now()
        self._sent, self._goal, self._told = prepared, goal, -math.inf
        beside = prepared.joints.measured if self._output.plays_paths else None
        self._mover.begin(motion or Playing(prepared.plan, begin), goal is not None, beside)
        self._send_path()
        if self._timer.is_canceled():  # a fast stream of targets must not put off the next step
            self._timer.reset()

    def _on_tick(self) -> None:
        """Move on; an error stops the arm, but not the node."""
        try:
            self._step()
        except IkCirclesError as error:
            code = replies.code_of(error)
            if self._mover.motion is None or self._mover.stopped is not None:
                self._give_up(Ending(code, str(error), 0.0))
            else:
                self.stop(code, f'{error}; the arm was brought to rest')

    @refused
    def _step(self) -> None:
        """Send where the joints should be now; the timer rests when they do."""
        sent, before = self._sent, self._mover.motion
        if sent is None or before is None:
            self._timer.cancel()
            return
        time = self.clock.now()
        now, path = self._at(time), before.path
        step = self._mover.step(now, self.parameters, sent.joints.measured)
        conversions.fill_joints(self._command, step.positions)
        stamp = self._command.header.stamp
        stamp.sec, stamp.nanosec = divmod(time, 10**9)
        self._output.send_sample(self._command, sent.held | step.positions)
        sent.joints.commanded(step.positions)
        if self._mover.motion is not before or before.path is not path:
            self._send_path()
        if step.ending is not None:
            self._end(step.ending, before)
        elif self._goal is not None and now - self._told >= FEEDBACK_EVERY:
            self._told = now
            self._tell(now)

    def _send_path(self) -> None:
        """Give a controller of trajectories the way from here to rest."""
        sent, motion = self._sent, self._mover.motion
        if sent is not None and motion is not None and self._output.plays_paths:
            self._output.send_path(sent.held, motion.joints, motion.path)

    def _tell(self, now: float) -> None:
        """Tell the goal that moves the arm how far it has got."""
        sent, motion = self._sent, self._mover.motion
        if self._goal is not None and sent is not None and isinstance(motion, Playing):
            self._goal.tell(move_replies.feedback(motion, now, sent.arm, sent.joints.measured))

    def _end(self, ending: Ending, motion: Playing | Jogging) -> None:
        if (goal := self._goal) is not None:
            if isinstance(motion, Playing) and ending.code is Code.OK and self._sent is not None:
                where = move_replies.whereabouts(motion, self._sent.arm, self._sent.joints.measured)
                ending = ending._replace(message=where)
            self._goal = None
            self._conclude(goal, ending)
        elif ending.code is not Code.OK:
            self._node.get_logger().warning(ending.message)

    def _conclude(self, goal: MoveGoal, ending: Ending) -> None:
        move_replies.conclude(goal.end, ending, self._model, self.clock.now())
