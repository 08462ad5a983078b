"""Sends a running IK node and simulated arm the scenario, checks what comes back, and shows it."""

from __future__ import annotations

import argparse
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import rclpy
from geometry_msgs.msg import PoseStamped
from rcl_interfaces.srv import GetParameters
from rclpy.client import Client
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python
from rclpy.qos import qos_profile_sensor_data
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from transforms3d.quaternions import mat2quat

from ik_circles.control.scenario import ScenarioTarget, scenario_targets
from ik_circles.control.settings import Settings
from ik_circles.errors import IkCirclesError, InvalidUrdfError
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm, load_arm
from ik_circles.ros import parameters
from ik_circles.ros.conversions import positions_of
from ik_circles.ros.qos import LATCHED
from ik_circles.ros.spinning import until_stopped
from ik_circles.srv import CheckReachability

#: The tip of the simulated arm must end up this near to the target [m].
ALLOWED_ERROR = 1e-6
#: The simulated arm has arrived when every joint is this near to its command [rad].
ARRIVED = 1e-9
#: Longest wait for any one answer or motion [s].
PATIENCE = 15.0
#: A target without effect and a question without answer are sent again after this time [s]: what
#: is sent before both sides have found each other is lost, and an answer too
#: (https://github.com/ros2/rmw_fastrtps/issues/842).
AGAIN = 1.0
#: Safe zone margin of the demonstration [m], so that both safe zones can be seen.
DEMO_MARGIN = 0.02


@dataclass
class Row:
    """One target: what was asked, what was answered and where the simulated arm ended up."""

    target: ScenarioTarget
    status: IkStatus
    service: CheckReachability.Response
    measured: NamedPositions
    moved: float
    tip: tuple[float, float, float]

    @property
    def error(self) -> float:
        """Distance of the arrived tip from the target [m]; NaN where nothing was sent."""
        if not self.status.command.name:
            return math.nan
        return math.dist(self.tip, self.target.position)

    @property
    def problem(self) -> str:
        """What is wrong with the answers, '' if nothing is."""
        expected = self.target.expected
        sent = bool(self.status.command.name)
        if self.status.code != expected or self.service.code != expected:
            got = f'{Code(self.status.code).name} and {Code(self.service.code).name}'
            return f'expected {expected.name}, the node and its service answered {got}'
        if sent != (expected is Code.OK) or self.service.reachable != sent:
            return 'a command was sent for a refused target, or none for a good one'
        if sent and not self.error <= ALLOWED_ERROR:
            return f'the tip is {self.error * 1000.0:.3g} mm away from the target'
        if not sent and self.moved > ARRIVED:
            return f'the arm moved by {self.moved:.3g} rad on a refused target'
        return ''


class ScenarioClient(Node):
    """Drives the scenario through topics and the service, as any user's node would."""

    def __init__(self) -> None:
        super().__init__('demo')
        self._statuses: list[IkStatus] = []
        self._measured: NamedPositions = {}
        self._targets = self.create_publisher(PoseStamped, 'target_pose', 1)
        self.create_subscription(IkStatus, 'ik_node/status', self._statuses.append, 10)
        self.create_subscription(
            JointState, 'joint_states', self._on_joint_states, qos_profile_sensor_data
        )
        self.create_subscription(
            String, 'robot_description', lambda message: self._descriptions.append(message), LATCHED
        )
        self._descriptions: list[String] = []
        self._service = self.create_client(CheckReachability, 'ik_node/check_reachability')
        self._parameters = self.create_client(GetParameters, 'ik_node/get_parameters')

    def _on_joint_states(self, message: JointState) -> None:
        self._measured.update(positions_of(message, message.name))

    def model(self) -> tuple[RobotArm, Settings]:
        """The arm and the settings that the IK node works with."""
        names = list(parameters.NAMES)
        request = GetParameters.Request(names=names)
        answer = self._ask('the parameters of the IK node', self._parameters, request)
        values = dict(zip(names, map(parameter_value_to_python, answer.values)))
        if not values['robot_description']:
            self._wait('the topic robot_description', lambda: bool(self._descriptions))
            values['robot_description'] = self._descriptions[-1].data
        return parameters.chain_of(values), parameters.settings_of(values)

    def wait_for_nodes(self, chain: RobotArm) -> None:
        """Until the IK node and the simulated arm are there and connected."""
        self._wait(
            'the IK node',
            lambda: (
                self._service.service_is_ready()
                and self._targets.get_subscription_count() > 0
                and self.count_publishers('ik_node/status') > 0
            ),
        )
        self._wait(
            'the simulated arm: somebody on joint_command, and every joint on joint_states',
            lambda: (
                self.count_subscribers('joint_command') > 0
                and all(name in self._measured for name in chain.commanded_joints)
            ),
        )

    def run(self, chain: RobotArm, target: ScenarioTarget) -> Row:
        """Send one target, ask the service for the same, and wait for the arm to arrive."""
        before = dict(self._measured)
        message = _pose_message(chain, target, self.get_clock().now().to_msg())
        self._statuses.clear()
        self._targets.publish(message)
        self._wait(
            f'the status of {target.name}',
            lambda: bool(self._answers(message)),
            again=lambda: self._targets.publish(message),
        )
        status = self._answers(message)[0]
        request = CheckReachability.Request(target=message, check_orientation=False)
        answer = self._ask(f'the service for {target.name}', self._service, request)
        command = dict(zip(status.command.name, status.command.position))
        self._wait(
            f'the arm to arrive at {target.name}',
            lambda: all(abs(self._measured[n] - p) <= ARRIVED for n, p in command.items()),
            again=lambda: self._measured == before and self._targets.publish(message),
        )
        measured = dict(self._measured)
        x, y, z = chain.forward_kinematics(measured)[:3, 3]
        return Row(
            target=target,
            status=status,
            service=answer,
            measured=measured,
            moved=max(abs(measured[name] - before[name]) for name in chain.commanded_joints),
            tip=(float(x), float(y), float(z)),
        )

    def _answers(self, message: PoseStamped) -> list[IkStatus]:
        return [s for s in self._statuses if s.header.stamp == message.header.stamp]

    def _ask(self, what: str, client: Client, request: Any) -> Any:
        self._wait(what, client.service_is_ready)
        asked = [client.call_async(request)]
        self._wait(
            what,
            lambda: any(future.done() for future in asked),
            again=lambda: asked.append(client.call_async(request)),
        )
        return next(future.result() for future in asked if future.done())

    def _wait(
        self,
        what: str,
        condition: Callable[[], bool],
        again: Callable[[], object] = lambda: None,
    ) -> None:
        begin = time.monotonic()
        repeated = 0
        while not condition():
            waited = time.monotonic() - begin
            if waited > PATIENCE:
                raise TimeoutError(f'waited {PATIENCE:.0f} s for {what}')
            if waited > AGAIN * (repeated + 1):
                repeated += 1
                again()
            rclpy.spin_once(self, timeout_sec=0.05)


def _pose_message(chain: RobotArm, target: ScenarioTarget, stamp: object) -> PoseStamped:
    message = PoseStamped()
    message.header.frame_id = chain.base_link
    message.header.stamp = stamp
    position, orientation = message.pose.position, message.pose.orientation
    position.x, position.y, position.z = target.position
    quaternion = mat2quat(target.rotation)
    orientation.w, orientation.x, orientation.y, orientation.z = map(float, quaternion)
    return message


def run_scenario() -> tuple[RobotArm, Settings, list[Row]]:
    """Every target of the scenario against nodes that are running; needs rclpy to be up."""
    client = ScenarioClient()
    try:
        chain, settings = client.model()
        client.wait_for_nodes(chain)
        rows = [client.run(chain, target) for target in scenario_targets(chain, settings)]
        return chain, settings, rows
    finally:
        client.destroy_node()


# --- showing it -----------------------------------------------------------------------------------


def table(chain: RobotArm, rows: list[Row]) -> str:
    """One line for each target: [m], joint angles [deg], error [mm]."""
    head = ('target', 'x, y, z [m]', 'verdict', ', '.join(chain.commanded_joints) + ' [deg]',
            'tip of the arm [m]', 'error [mm]', 'reason')
    lines = [head] + [
        (
            row.target.name,
            _metres(row.target.position),
            Code(row.status.code).name,
            ', '.join(_degrees(row.measured[name]) for name in chain.commanded_joints),
            _metres(row.tip),
            '-' if math.isnan(row.error) else f'{row.error * 1000.0:.6f}',
            row.problem or row.status.message,
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return '\n'.join(
        '  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
        for line in lines
    )


def _degrees(angle: float) -> str:
    return f'{round(math.degrees(angle), 1) + 0.0:.1f}'


def _metres(point: tuple[float, float, float]) -> str:
    return ', '.join(f'{round(value, 3) + 0.0:.3f}' for value in point)


def draw(chain: RobotArm, settings: Settings, rows: list[Row], output: str) -> None:
    """The arm's poses, both safe zones and every target with its reason, as a picture."""
    from ik_circles.pictures.drawing import TargetMark, draw_scenario

    marks = [
        TargetMark(
            *chain.seen_in_plane(row.target.position),
            accepted=bool(row.status.command.name),
            text=f'{row.target.name}: {row.problem or row.status.message}',
        )
        for row in rows
    ]
    poses = [chain.arm_angles(row.measured) for row in rows if row.status.command.name]
    draw_scenario(chain.arm, settings.zones(chain), poses, marks, output)


# --- starting it ----------------------------------------------------------------------------------


def readable(urdf: str) -> str:
    """Text of a URDF file with an arm in it; IkCirclesError says why there is none."""
    try:
        content = pathlib.Path(urdf).read_bytes()
        load_arm(content)
        return content.decode()
    except OSError as error:
        raise InvalidUrdfError(f'{urdf}: {error.strerror}') from None
    except UnicodeDecodeError:
        raise InvalidUrdfError(f'{urdf} is no UTF-8 text; convert it') from None


@contextmanager
def running_nodes(description: str) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """The installed ik_node and sim_arm as processes of their own, by name."""
    with tempfile.TemporaryDirectory() as folder:
        parameters = pathlib.Path(folder, 'demo.yaml')
        parameters.write_text(_parameter_file(description))
        here = pathlib.Path(sys.argv[0]).absolute().parent
        processes = {
            name: subprocess.Popen([here / name, '--ros-args', '--params-file', parameters])
            for name in ('ik_node', 'sim_arm')
        }
        try:
            yield processes
        finally:
            for process in processes.values():
                process.send_signal(signal.SIGINT)
            for process in processes.values():
                try:
                    process.wait(timeout=5.0)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def _parameter_file(description: str) -> str:
    """YAML, of which JSON is a part: quoting the description is not ours to get right."""
    both = {'robot_description': description}
    return json.dumps(
        {
            '/**/ik_node': {'ros__parameters': {**both, 'safe_zone_margin': DEMO_MARGIN}},
            '/**/sim_arm': {'ros__parameters': both},
        }
    )


def main() -> int:
    """Run the scenario; 0 only if the arm did what the table says, 2 for a file without an arm."""
    parser = argparse.ArgumentParser(prog='demo', description=__doc__)
    parser.add_argument('--urdf', help='start ik_node and sim_arm for this file and stop them')
    parser.add_argument('--output', default='', help='picture to write, none if not given')
    arguments = parser.parse_args(remove_ros_args(sys.argv)[1:])
    try:
        description = readable(arguments.urdf) if arguments.urdf else ''
    except IkCirclesError as error:
        print(f'demo: {error}', file=sys.stderr)
        return 2
    return until_stopped(lambda: _demo(arguments.urdf, description, arguments.output))


def _demo(urdf: str | None, description: str, output: str) -> int:
    try:
        with running_nodes(description) if urdf else nullcontext():
            chain, settings, rows = run_scenario()
        print(table(chain, rows))
        if output:
            draw(chain, settings, rows, output)
            print(f'picture: {os.path.abspath(output)}')
    except (IkCirclesError, OSError, TimeoutError) as error:
        print(f'demo: {error}', file=sys.stderr)
        return 1
    wrong = [row for row in rows if row.problem]
    print(f'{len(rows) - len(wrong)} of {len(rows)} targets as expected')
    if urdf:
        print(f'to steer it in a browser: scripts/view {urdf}')
    return 1 if wrong else 0
