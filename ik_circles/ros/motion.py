"""How the arm is moved: ~/move_to, ~/jog, ~/enable, and the way of a target to its command."""

import math
from collections.abc import Callable
from typing import NamedTuple

from geometry_msgs.msg import TwistStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState

from ik_circles.action import MoveTo
from ik_circles.control.controllers import Goal, goal_of, with_held
from ik_circles.control.motion.jogging import Jogging
from ik_circles.control.motion.mover import Ending, Mover
from ik_circles.control.motion.plan import NotBegun, Plan, State, Wish, above, limits_of, plan, to
from ik_circles.control.motion.playing import Playing
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.target import NotYet
from ik_circles.control.waiting import Attempt
from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.ros import conversions, move_replies, qos, replies
from ik_circles.ros.clock import NodeClock
from ik_circles.ros.command_output import CommandOutput
from ik_circles.ros.enabling import Enabling
from ik_circles.ros.frames import Frames
from ik_circles.ros.move_to import MoveGoal, MoveToServer

#: A goal has its feedback this often [s].
FEEDBACK_EVERY = 0.1
#: A jog that cannot be followed is warned of at most once in this time [s].
BAD_JOGS = 1.0
#: A controller of trajectories is told so many periods of a jog in advance.
AHEAD = 2.0
NEWER = 'a newer goal took the place of this one'


class Prepared(NamedTuple):
    """A plan with everything that it is sent with."""

    plan: Plan
    arm: RobotArm
    joints: JointMemory
    held: NamedPositions
    begin: float


#: How a command is carried out: at once, with a goal for the controller if there is one, or as a
#: motion.
Way = Goal | Prepared | None


class Motion:
    """Plays motions at `command_rate`; `Mover` decides who moves the arm.

    `model` gives the arm and what is known of its joints, or raises Refusal. `wait` tries again
    what waits for a transform, and says whether it was answered.
    """

    def __init__(
        self,
        node: Node,
        model: Callable[[], tuple[RobotArm, JointMemory]],
        frames: Frames,
        output: CommandOutput,
        wait: Callable[[Attempt], bool],
        parameters: MotionParameters,
    ) -> None:
        self._node, self._model, self._frames = node, model, frames
        self._output, self._wait = output, wait
        self._clock = NodeClock(node)
        self._settings, self._parameters = Settings(), parameters
        self._mover = Mover(parameters.start_enabled)
        self._sent: Prepared | None = None
        self._goal: MoveGoal | None = None
        self._told = -math.inf
        self._command = JointState()
        self._timer = node.create_timer(1.0 / parameters.command_rate, self._on_tick)
        self._timer.cancel()
        self._server = MoveToServer(node, self._on_goal, self._on_cancel)
        node.create_subscription(TwistStamped, '~/jog', self._on_jog, qos.LATEST)
        self._enabling = Enabling(node, parameters.start_enabled, self._on_enable)

    def use(self, settings: Settings, parameters: MotionParameters) -> None:
        """Take other values; a motion that is under way keeps its limits."""
        self._settings, self._parameters = settings, parameters
        self._timer.timer_period_ns = int(1e9 / parameters.command_rate)

    def hear(self, names: list[str]) -> None:
        """Joints have been measured."""
        if self._mover.motion is not None:
            self._mover.hear(names, self._now())

    def check_free(self) -> None:
        """Refusal if a target may not move the arm."""
        self._mover.check_free()

    def way_of(
        self, arm: RobotArm, joints: JointMemory, command: NamedPositions, seed: NamedPositions
    ) -> Way:
        """How a target's command is carried out; Refusal if it cannot be."""
        if self._parameters.motion == 'direct':
            return goal_of(self._settings, arm, command, seed, joints.measured)
        now = self._now()
        state = self._state(joints, now)
        planned = above(arm, to(arm, self._parameters, command, state), state)
        return self._prepared(arm, joints, planned, state, now)

    def carry_out(
        self, message: JointState, way: Way, joints: JointMemory, command: NamedPositions
    ) -> None:
        """Send a target's command, or begin to move there."""
        if isinstance(way, Prepared):
            self._begin(way)
        else:
            self._mover.forget()
            self._output.send(message, way)
            joints.commanded(command)

    def stop(self, code: Code, why: str) -> None:
        """Come to rest, if the arm moves."""
        self._mover.stop(code, why, self._now())
        self._send_path()

    # --- goals ---

    def _on_goal(self, goal: MoveGoal) -> None:
        def attempt(is_last: bool) -> bool:
            try:
                prepared = self._planned(goal)
            except IkCirclesError as error:
                if isinstance(error, NotYet) and not is_last:
                    return False
                share = error.share if isinstance(error, NotBegun) else 0.0
                self._conclude(goal, Ending(replies.code_of(error), str(error), share))
            else:
                if self._goal is not None:
                    share = self._mover.share(self._now())
                    self._conclude(self._goal, Ending(Code.CANCELED, NEWER, share))
                self._begin(prepared, goal)
            return True

        self._wait(attempt)

    def _planned(self, goal: MoveGoal) -> Prepared:
        """The motion that a goal asks for; IkCirclesError says why there is none."""
        if goal.is_canceled:
            raise NotBegun(Code.CANCELED, 'canceled before it began')
        self._mover.check_free(is_goal=True)
        arm, joints = self._model()
        wish, now = self._wish(arm, joints, goal.request), self._now()
        state = self._state(joints, now)
        planned = plan(arm, self._settings, self._parameters, wish, state)
        return self._prepared(arm, joints, planned, state, now)

    def _on_cancel(self, goal: MoveGoal) -> None:
        goal.is_canceled = True
        if goal is self._goal:
            self.stop(Code.CANCELED, 'canceled; the arm was brought to rest')

    def _wish(self, arm: RobotArm, joints: JointMemory, request: MoveTo.Goal) -> Wish:
        """What a request asks for, in base_link; Refusal if it cannot be read."""
        target, named = None, {}
        if request.kind == MoveTo.Goal.JOINTS:
            named = conversions.positions_of(request.joints)
        else:
            oriented = request.kind == MoveTo.Goal.POSE
            target = self._frames.target(arm, joints.measured, request.target, oriented)
        return Wish(target, named, request.straight, request.speed)

    # --- jog and enable ---

    def _on_jog(self, message: TwistStamped) -> None:
        try:
            self._mover.check_free()
            arm, joints = self._model()
            header = message.header
            frame = self._frames.pose_in_base(arm, header.frame_id, header.stamp, joints.measured)
            turned = frame[:3, :3]
            linear = conversions.turned(turned, message.twist.linear)
            angular = conversions.turned(turned, message.twist.angular)
            jogging = self._mover.motion
            if not isinstance(jogging, Jogging):
                if not (any(linear) or any(angular)):
                    return
                jogging = self._jogging(arm, joints)
            jogging.hear(linear, angular, self._now())
        except IkCirclesError as error:
            self._node.get_logger().warning(f'jog: {error}', throttle_duration_sec=BAD_JOGS)

    def _jogging(self, arm: RobotArm, joints: JointMemory) -> Jogging:
        """Begin to jog from how the arm moves now."""
        now = self._now()
        state = self._state(joints, now)
        limits = limits_of(arm, arm.commanded_joints, self._parameters.max_acceleration)
        period = 1.0 / self._parameters.command_rate
        jogging = Jogging(arm, self._settings, limits, state, now, period)
        stop = Plan(jogging.joints, jogging.ahead(0.0), limits)
        self._begin(self._prepared(arm, joints, stop, state, now), motion=jogging)
        return jogging

    def _on_enable(self, enabled: bool) -> None:
        self._mover.enabled = enabled
        if not enabled:
            self.stop(Code.DISABLED, 'the arm was disabled while it moved, and brought to rest')

    # --- while the arm moves ---

    def _now(self) -> float:
        return self._clock.now() * 1e-9

    def _state(self, joints: JointMemory, now: float) -> State:
        """How all known joints move now."""
        return self._mover.state(now, joints.resting(self._settings.seed_tolerance))

    def _prepared(
        self, arm: RobotArm, joints: JointMemory, planned: Plan, state: State, now: float
    ) -> Prepared:
        """The plan from how the arm moves now, and what else a controller is sent."""
        held: NamedPositions = {}
        if self._settings.command_interface != 'joint_state':
            held = with_held(self._settings, arm, planned.end, state.positions)
        return Prepared(planned, arm, joints, held, now)

    def _begin(
        self, prepared: Prepared, goal: MoveGoal | None = None, motion: Jogging | None = None
    ) -> None:
        now = prepared.begin
        self._sent, self._goal, self._told = prepared, goal, -math.inf
        self._mover.begin(motion or Playing(prepared.plan, now), now, goal is not None)
        self._send_path()
        self._timer.reset()

    def _on_tick(self) -> None:
        """Move on; what goes wrong stops the arm, not the node."""
        try:
            self._step()
        except IkCirclesError as error:
            self.stop(replies.code_of(error), f'{error}; the arm was brought to rest')

    def _step(self) -> None:
        """Send where the joints should be now; the timer rests when they do."""
        sent, before = self._sent, self._mover.motion
        if sent is None or before is None:
            self._timer.cancel()
            return
        time = self._clock.now()
        now = time * 1e-9
        step = self._mover.step(now, self._parameters, sent.joints.measured)
        conversions.fill_joints(self._command, step.positions)
        stamp = self._command.header.stamp
        stamp.sec, stamp.nanosec = divmod(time, 10**9)
        self._output.send_sample(self._command, sent.held | step.positions)
        sent.joints.commanded(step.positions)
        if isinstance(before, Jogging) or self._mover.motion is not before:
            self._send_path()
        if step.ending is not None:
            self._end(step.ending, before)
        elif self._goal is not None and now - self._told >= FEEDBACK_EVERY:
            self._told = now
            self._tell(now)

    def _send_path(self) -> None:
        """Give a controller of trajectories the way from here to rest."""
        sent, motion = self._sent, self._mover.motion
        if sent is None or motion is None or not self._output.plays_paths:
            return
        if isinstance(motion, Jogging):
            path = motion.ahead(AHEAD / self._parameters.command_rate)
        else:
            path = motion.plan.trajectory
        self._output.send_path(sent.held, motion.joints, path)

    def _tell(self, now: float) -> None:
        """How far the goal is that moves the arm."""
        sent, motion = self._sent, self._mover.motion
        if self._goal is None or sent is None or not isinstance(motion, Playing):
            return
        self._goal.tell(move_replies.feedback(motion, now, sent.arm, sent.joints.measured))

    def _end(self, ending: Ending, motion: Playing | Jogging) -> None:
        goal, self._goal = self._goal, None
        if goal is not None:
            if isinstance(motion, Playing) and ending.code is Code.OK and self._sent is not None:
                where = move_replies.whereabouts(motion, self._sent.arm, self._sent.joints.measured)
                ending = ending._replace(message=where)
            self._conclude(goal, ending)
        elif ending.code is not Code.OK:
            self._node.get_logger().warning(ending.message)

    def _conclude(self, goal: MoveGoal, ending: Ending) -> None:
        """Tell a goal how it ended, and where the arm is."""
        try:
            arm, joints = self._model()
        except IkCirclesError:  # the model has gone meanwhile
            goal.end(move_replies.result(ending, None, {}, self._clock.now()))
            return
        goal.end(move_replies.result(ending, arm, joints.measured, self._clock.now()))
