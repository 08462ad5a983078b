# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The other end of everything that moves an arm: goals, jogs, enabling, and what is sent."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PointStamped, PoseStamped, TwistStamped
from ik_circles.action import MoveTo
from ik_circles.msg import IkStatus
from rclpy.action import ActionClient
from rclpy.qos import QoSProfile
from ros_probe import IkProbe
from ros_processes import URDF, Process, running, started
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from ik_circles import load_arm
from ik_circles.control.moves.motion_time import LONGEST_STEP
from ik_circles.control.moves.plan import limits_of

TEXT = (URDF / 'so101.urdf').read_text()
ARM = load_arm(TEXT)
NAMES = ARM.commanded_joints
BENT = {'shoulder_lift': -0.3, 'elbow_flex': 0.5, 'wrist_flex': 0.4}
ACCELERATION = 5.0
#: The simulated arm ends up this near to where it was sent [m, rad].
ARRIVED = 1e-3
#: Positions are rounded, and times to 1 ns: shares of a limit.
ROUNDING = 1e-4
#: Commands that are sent at all are sent in this time [s].
QUIET = 0.2


def seconds(time: Time) -> float:
    return time.sec + time.nanosec * 1e-9


class Sent:
    """A goal that was sent: what is told of it."""

    def __init__(self) -> None:
        self.feedback: list[MoveTo.Feedback] = []
        self.handle: Any = None
        self.ended: Any = None


class MotionProbe(IkProbe):
    """Sends goals and jogs, and keeps what is sent to the arm."""

    def __init__(self, process: Process, simulated: Process) -> None:
        super().__init__(process)
        self.simulated = simulated
        self.sent: list[JointState] = []
        self.measured: dict[str, float] = {}
        self.speeds: list[float] = [1.0]
        node = self.node
        node.create_subscription(JointState, 'joint_command', self.sent.append, 1000)
        node.create_subscription(JointState, 'joint_states', self._hear, 100)
        deep = QoSProfile(depth=100)  # for the answers to a burst of goals
        self.moves = ActionClient(
            node,
            MoveTo,
            'ik_node/move_to',
            goal_service_qos_profile=deep,
            result_service_qos_profile=deep,
        )
        self.jogs = node.create_publisher(TwistStamped, 'ik_node/jog', 1)
        self._enable = node.create_client(SetBool, 'ik_node/enable')

    def close(self) -> None:
        self.moves.destroy()  # the node does not, and it would stay until garbage is collected
        super().close()

    def _hear(self, message: JointState) -> None:
        self.measured = dict(zip(message.name, message.position))
        self.speeds = list(message.velocity)

    def listen(self, kind: type, topic: str, into: list) -> None:
        """Keep the messages of a topic; returns when the node knows this end of it.

        The middleware reports ends in the order in which they are made: when the node answers to
        the second one, it knows the first.
        """
        self.node.create_subscription(kind, topic, into.append, 1000)
        answers: list[IkStatus] = []
        second = self.node.create_subscription(IkStatus, 'ik_node/status', answers.append, 10)

        def answered() -> bool:
            self.aim((0.0, 0.0, 0.0), frame='')
            return bool(answers)

        self.wait(answered, f'the node to know of {topic}')
        self.node.destroy_subscription(second)

    def connect(self) -> None:
        super().connect()
        self.wait(self.moves.server_is_ready, 'the action server')
        self.wait(self.jogs.get_subscription_count, 'the jog')
        self.wait(lambda: self.measured, 'joint states')
        # The node may hear the arm later than this one: wait until it knows where the arm is.
        self.wait(lambda: self.go(joints=self.joints(elbow_flex=0.0))[1].code == 0, 'a first goal')

    def answer(self, publisher: Any, message: PoseStamped | PointStamped) -> IkStatus:
        """The status for the message; the command that it has may be sent in many steps."""
        publisher.publish(message)
        found: list[IkStatus] = []

        def answered() -> bool:
            found[:] = [one for one, _ in self.statuses if one.header == message.header]
            return bool(found)

        self.wait(answered, f'a status for {message}')
        return found[0]

    # --- goals ---

    @staticmethod
    def joints(**positions: float) -> JointState:
        return JointState(name=list(positions), position=list(map(float, positions.values())))

    def point(self, *position: float, frame: str = 'base_link', **more: Any) -> MoveTo.Goal:
        target: PoseStamped = self.pose(position, frame=frame)
        target.header.stamp = Time()
        return MoveTo.Goal(kind=MoveTo.Goal.POINT, target=target, **more)

    def begin(self, goal: MoveTo.Goal | None = None, **joints: Any) -> Sent:
        """Send a goal, of joints unless it is given; return when it is accepted."""
        goal = goal or MoveTo.Goal(kind=MoveTo.Goal.JOINTS, **joints)
        sent = Sent()
        asked = self.moves.send_goal_async(goal, lambda m: sent.feedback.append(m.feedback))
        self.wait(asked.done, 'the goal to be accepted')
        sent.handle = asked.result()
        assert sent.handle.accepted
        sent.ended = sent.handle.get_result_async()
        return sent

    def end(self, sent: Sent) -> tuple[int, MoveTo.Result]:
        """Status and result of a goal, once it has one."""
        self.wait(sent.ended.done, 'the result')
        answer = sent.ended.result()
        return answer.status, answer.result

    def go(self, goal: MoveTo.Goal | None = None, **joints: Any) -> tuple[int, MoveTo.Result]:
        return self.end(self.begin(goal, **joints))

    def home(self, **positions: float) -> None:
        """The arm at these joint positions, the others at 0."""
        named = dict.fromkeys(NAMES, 0.0) | positions
        result = self.go(joints=self.joints(**named))[1]
        assert result.code == 0, result

    def make_ready(self) -> None:
        """The arm at rest at BENT, enabled, and nothing kept of what was sent before."""
        self.enable(True)
        self.home(**BENT)
        self.wait(self.rests, 'the arm at rest')
        self.all_sent()
        self.sent.clear()

    def underway(self, sent: Sent, share: float = 0.2) -> None:
        """Until a goal has been done up to this share."""
        self.wait(
            lambda: sent.feedback and sent.feedback[-1].share >= share, f'{share:.0%} of the goal'
        )

    def cancel(self, sent: Sent) -> None:
        asked = sent.handle.cancel_goal_async()
        self.wait(asked.done, 'the answer to the cancellation')

    def enable(self, enabled: bool) -> str:
        answer = self.call(self._enable, SetBool.Request(data=enabled))
        assert answer.success
        return str(answer.message)

    # --- what is sent ---

    def rests(self) -> bool:
        return not any(self.speeds)

    def tip(self, positions: dict[str, float]) -> np.ndarray:
        return ARM.forward_kinematics({name: positions[name] for name in NAMES})

    def path(self, begin: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Stamps [s] and positions of all joints that were sent, each kept until it is sent anew.
        """
        at, times, places = dict.fromkeys(NAMES, np.nan), [], []
        for message in self.sent[begin:]:
            at |= dict(zip(message.name, message.position))
            times.append((message.header.stamp.sec, message.header.stamp.nanosec))
            places.append([at[name] for name in NAMES])
        first = times[0][0] if times else 0
        stamps = [second - first + 1e-9 * nanosecond for second, nanosecond in times]
        found = np.array(places)
        for column in found.T:  # before a joint was sent, it was where it was sent first
            known = np.flatnonzero(~np.isnan(column))
            column[: known[0] if len(known) else None] = column[known[0]] if len(known) else 0.0
        return np.array(stamps), found

    def check_smooth(self, begin: int = 0, acceleration: float = ACCELERATION) -> None:
        """What was sent, from rest, keeps the limits of velocity and acceleration, and rests."""
        self.all_sent()
        times, places = self.path(begin)
        assert len(times) > 5
        spans = np.diff(times)[:, None]
        assert spans.min() > 0.0
        speeds = np.diff(places, axis=0) / spans
        changes = 2.0 * np.diff(speeds, axis=0) / (spans[1:] + spans[:-1])
        fastest = np.array(limits_of(ARM, NAMES, acceleration).velocities)
        # A position is rounded to 1e-15, a stamp to 1e-9 s.
        room = 4e-9 * np.abs(speeds).max() / np.minimum(spans[1:], spans[:-1]) ** 2
        assert (np.abs(speeds) <= fastest * (1.0 + ROUNDING)).all()
        over = np.abs(changes) - acceleration * (1.0 + ROUNDING) - room
        # After a longer pause of a busy machine, the motion goes on from where it was.
        over[(np.maximum(spans[1:], spans[:-1]) > LONGEST_STEP)[:, 0]] = 0.0
        worst = int(over.max(axis=1).argmax())
        assert np.abs(places[-1] - places[-2]).max() <= 0.51 * acceleration * spans[-1, 0] ** 2
        assert over.max() <= 0.0, f'{worst} of {len(over)}: {changes[worst]}, {spans[worst:][:2]}'

    def all_sent(self) -> None:
        """Until no command comes any more; some may come after the result of a goal."""
        count, since = -1, time.monotonic()

        def is_quiet() -> bool:
            nonlocal count, since
            if len(self.sent) != count:
                count, since = len(self.sent), time.monotonic()
            return time.monotonic() - since > QUIET

        self.wait(is_quiet, 'the last command')


@contextmanager
def moving(
    namespace: str,
    parameters: dict[str, Any] | None = None,
    connected: bool = True,
    **simulated: Any,
) -> Iterator[MotionProbe]:
    """A node with a simulated so101, and a probe that is connected to both, unless it is not."""
    given = {'robot_description': TEXT}
    with (
        running('ik_node', given | (parameters or {}), namespace) as process,
        started('sim_arm', given | simulated, namespace) as arm,
    ):
        probe = MotionProbe(process, arm)
        if connected:
            probe.connect()
        yield probe
        probe.close()


def positions_of(message: JointState) -> dict[str, float]:
    return dict(zip(message.name, message.position))


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    return float(np.linalg.norm(np.subtract(one, other)))
