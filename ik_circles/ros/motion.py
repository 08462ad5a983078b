"""How the arm is moved: ~/move_to, ~/jog, ~/enable, and commands that keep the limits."""

import math
from collections.abc import Callable

import numpy as np
from geometry_msgs.msg import TwistStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from ik_circles.action import MoveTo
from ik_circles.control.controllers import with_held
from ik_circles.control.motion.jogging import Jogging
from ik_circles.control.motion.mover import Ending, Mover
from ik_circles.control.motion.plan import Goal, NotBegun, Plan, State, limits_of, plan, to
from ik_circles.control.motion.playing import Playing
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.target import NotYet, Refusal
from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code, meters_text
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.ros import conversions, qos, replies
from ik_circles.ros.clock import NodeClock
from ik_circles.ros.command_output import CommandOutput
from ik_circles.ros.executor import service
from ik_circles.ros.frames import Frames
from ik_circles.ros.move_to import MoveGoal, MoveToServer

#: A goal has its feedback this often [s].
FEEDBACK_EVERY = 0.1
#: A jog that cannot be followed is warned of at most once in this time [s].
BAD_JOGS = 1.0
#: Tries to begin something; False: it has to wait. With True it must answer.
Attempt = Callable[[bool], bool]


class Motion:
    """Plays motions at `command_rate`; `Mover` decides who moves the arm.

    `model` gives the arm and what is known of its joints, or raises Refusal. `wait` tries again
    what waits for a transform.
    """

    def __init__(
        self,
        node: Node,
        settings: Settings,
        parameters: MotionParameters,
        model: Callable[[], tuple[RobotArm, JointMemory]],
        frames: Frames,
        output: CommandOutput,
        wait: Callable[[Attempt], None],
    ) -> None:
        self._node, self._model, self._frames = node, model, frames
        self._output, self._wait = output, wait
        self._now = NodeClock(node).now
        self._settings, self._parameters = settings, parameters
        self.mover = Mover(parameters.start_enabled)
        self._goal: MoveGoal | None = None
        self._told = -math.inf
        self._command = JointState()
        self._timer = node.create_timer(1.0 / parameters.command_rate, self._on_tick)
        self._timer.cancel()
        self._server = MoveToServer(node, self._on_goal, self._on_cancel)
        node.create_subscription(TwistStamped, '~/jog', self._on_jog, qos.LATEST)
        service(node, SetBool, '~/enable', self._on_enable)

    def use(self, settings: Settings, parameters: MotionParameters) -> None:
        """Take other values; a motion that is under way keeps its own."""
        self._settings = settings
        if parameters.command_rate != self._parameters.command_rate:
            self._timer.timer_period_ns = int(1e9 / parameters.command_rate)
        self._parameters = parameters

    def forget(self, why: str) -> None:
        """The model has changed: what moves is not continued."""
        self._over(Ending(Code.NO_MODEL, why, 0.0))
        self.mover.forget()

    # --- what moves ---

    def send(self, command: NamedPositions, message: JointState, goal: ControllerGoal) -> None:
        ...
