# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm and the settings of a running IK node, as another node sees them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rcl_interfaces.msg import ParameterEvent
from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.node import Node
from rclpy.parameter import Parameter, parameter_value_to_python
from std_msgs.msg import String
from visualization_msgs.msg import MarkerArray

from ik_circles.control.settings import ModelParameters, Settings
from ik_circles.errors import IkCirclesError
from ik_circles.robot.arm import RobotArm
from ik_circles.ros import parameters, qos
from ik_circles.ros.service_calls import ServiceCalls

#: Notice while there is no IK node, and while it has no model.
GONE = 'waiting for the IK node; until it answers, nothing here moves or stops the arm'
NO_MODEL_YET = 'the IK node has no robot_description yet'
#: Notice while the IK node answers nothing.
NO_ANSWER = 'the IK node does not answer; nobody knows whether the arm moves'
NAMES = parameters.names_of(ModelParameters, Settings)


class IkModel:
    """The parameters of ik_node, read again whenever they may have changed.

    Attributes
    ----------
    arm, description : the arm and the text of its URDF; None and '' before there is one
    settings : the parameters that decide about targets
    notice : what is wrong, '' if nothing is
    """

    def __init__(self, node: Node, calls: ServiceCalls) -> None:
        self.arm: RobotArm | None = None
        self.description = ''
        self.settings = Settings()
        self.notice = GONE
        self._calls = calls
        self._values: dict[str, Any] = {}
        self._latched = ''
        self._name = node.resolve_topic_name('ik_node')
        latched = qos.LATCHED
        node.create_subscription(String, 'robot_description', self._on_description, latched)
        # The node publishes its workspace when it starts, and when its model or parameters change.
        node.create_subscription(MarkerArray, 'ik_node/workspace', lambda _: self._read(), latched)
        node.create_subscription(ParameterEvent, '/parameter_events', self._on_event, qos.QUEUED)
        self._get = node.create_client(GetParameters, 'ik_node/get_parameters')
        self._set = node.create_client(SetParameters, 'ik_node/set_parameters')

    def look(self) -> None:
        """Notice a node that has gone; ask a node that is back or silent. Call this regularly."""
        self._calls.drop_lost()
        is_due = not self._values or self._calls.is_silent
        if not self._get.service_is_ready():
            self._values, self.notice = {}, GONE
        elif is_due and not self._calls.waits_for('parameters'):
            self._read()

    def set(self, name: str, value: str | float, on_done: Callable[[], None]) -> None:
        """Change a parameter. If the node accepts it, call `on_done`; if not, the notice says why.
        """

        def answered(response: SetParameters.Response) -> None:
            (result,) = response.results
            self.notice = '' if result.successful else result.reason
            if result.successful:  # from now on, the node answers with the new value
                self.settings = replace(self.settings, **{name: value})  # type: ignore[arg-type]
                on_done()

        parameter = Parameter(name, value=value).to_parameter_msg()
        request = SetParameters.Request(parameters=[parameter])
        self._calls.ask(f'setting {name}', self._set, request, answered)

    def _on_description(self, message: String) -> None:
        self._latched = message.data
        self._read()

    def _on_event(self, event: ParameterEvent) -> None:
        if event.node == self._name:
            self._read()

    def _read(self) -> None:
        request = GetParameters.Request(names=NAMES)
        self._calls.ask('parameters', self._get, request, self._on_parameters)

    def _on_parameters(self, response: GetParameters.Response) -> None:
        values = dict(zip(NAMES, map(parameter_value_to_python, response.values), strict=True))
        values['robot_description'] = values['robot_description'] or self._latched
        before, self._values = self._values, values
        try:
            self.settings = parameters.read(Settings, values)
            model = parameters.read(ModelParameters, values)
            changed = not before or model != parameters.read(ModelParameters, before)
            if changed:
                self.arm = model.load() if model.robot_description else None
                self.description = model.robot_description
        except IkCirclesError as error:
            self.notice = str(error)
            return
        self.notice = '' if self.arm else NO_MODEL_YET
