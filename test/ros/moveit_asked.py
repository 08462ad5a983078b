# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""GetPositionIK asked over ROS, or of the answers with stand-ins that have the messages' fields.

They are those of moveit_msgs 2.6.0 (branch ros2, commit ec3ba4b).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
from ros_processes import URDF

# isort: split
import rclpy
from geometry_msgs.msg import PoseStamped
from rclpy.context import Context
from sensor_msgs.msg import JointState
from transforms3d.quaternions import mat2quat

from ik_circles import RobotArm, load_arm
from ik_circles.control.refusals import Refusal
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import Settings
from ik_circles.reasons import Code
from ik_circles.ros.frames import Frames
from ik_circles.ros.moveit_ik import PositionIk

TEXT = (URDF / 'so101.urdf').read_text()
ARM = load_arm(TEXT)
DOWN = (0.0, 2**-0.5, 0.0, 2**-0.5)
Change = Callable[[Any], None]


class MoveItErrorCodes:
    """What the answers use of it; test_codes_are_those_of_moveit has the numbers."""

    SUCCESS, FAILURE = 1, 99999
    INVALID_GOAL_CONSTRAINTS, INVALID_ROBOT_STATE, INVALID_LINK_NAME = -16, -17, -18
    FRAME_TRANSFORM_FAILURE, COLLISION_CHECKING_UNAVAILABLE, NO_IK_SOLUTION = -21, -22, -31

    def __init__(self) -> None:
        self.val, self.message, self.source = 0, '', ''


class OldErrorCodes(MoveItErrorCodes):
    """As in Humble."""

    def __init__(self) -> None:
        self.val = 0


def robot_state() -> SimpleNamespace:
    return SimpleNamespace(
        joint_state=JointState(),
        multi_dof_joint_state=SimpleNamespace(joint_names=[], transforms=[], twist=[], wrench=[]),
        attached_collision_objects=[],
        is_diff=False,
    )


def request_of() -> SimpleNamespace:
    constraints = SimpleNamespace(
        name='', joint_constraints=[], position_constraints=[], orientation_constraints=[],
        visibility_constraints=[],
    )  # fmt: skip
    return SimpleNamespace(
        group_name='', robot_state=robot_state(), constraints=constraints, avoid_collisions=False,
        ik_link_name='', pose_stamped=PoseStamped(), ik_link_names=[], pose_stamped_vector=[],
        timeout=SimpleNamespace(sec=0, nanosec=0),
    )  # fmt: skip


class StandIn:
    """The answers without moveit_msgs; what a node would hear is given."""

    def __init__(self, node: Any) -> None:
        self.settings, self.joints = Settings(), JointMemory(ARM)
        self.arm: RobotArm | None = ARM
        self.codes: type = MoveItErrorCodes
        self.answers = PositionIk(self._model, lambda: self.settings, Frames(node, lambda: None))

    def _model(self) -> tuple[RobotArm, JointMemory]:
        if self.arm is None:
            raise Refusal(Code.NO_MODEL, 'no robot_description yet')
        return self.arm.holding(self.joints.measured), self.joints

    def measured(self, positions: Mapping[str, float]) -> None:
        self.joints.hear([*positions], [*positions.values()])

    def set(self, **values: Any) -> None:
        self.settings = Settings(**values)

    def ask(self, change: Change, service: str = 'compute') -> Any:
        request = SimpleNamespace(ik_request=request_of())
        change(request.ik_request)
        response = SimpleNamespace(solution=robot_state(), error_code=self.codes())
        return getattr(self.answers, service)(request, response)


@contextmanager
def standing_in() -> Iterator[StandIn]:
    """The answers, with a node of their own for the frames."""
    context = Context()
    rclpy.init(context=context)
    node = rclpy.create_node('stand_in', context=context)
    yield StandIn(node)
    node.destroy_node()
    context.try_shutdown()


class OverRos:
    """The services of a running node."""

    def __init__(self, probe: Any) -> None:
        from moveit_msgs.srv import GetPositionIK

        self.kind, self.probe = GetPositionIK, probe
        self.clients = {
            name: probe.node.create_client(GetPositionIK, f'ik_node/{name}_ik')
            for name in ('compute', 'solve')
        }

    def measured(self, positions: Mapping[str, float]) -> None:
        self.probe.joint_states.publish(
            JointState(name=[*positions], position=[*positions.values()])
        )
        self.probe.send((0.2, 0.0, 0.1))  # heard after it, in this order

    def set(self, **values: Any) -> None:
        self.probe.set_defaults(TEXT)
        for name, value in values.items():
            assert self.probe.set(**{name: value}).successful

    def ask(self, change: Change, service: str = 'compute') -> Any:
        request = self.kind.Request()
        change(request.ik_request)
        return self.probe.call(self.clients[service], request)


# --- questions and answers ---


def asks(
    position: Any, quaternion: Any = DOWN, frame: str = 'base_link', **fields: Any
) -> Change:
    """A request for a pose, with other fields."""

    def change(wanted: Any) -> None:
        pose = wanted.pose_stamped
        pose.header.frame_id = frame
        at, turned = pose.pose.position, pose.pose.orientation
        at.x, at.y, at.z = map(float, position)
        turned.x, turned.y, turned.z, turned.w = map(float, quaternion)
        for name, value in fields.items():
            setattr(wanted, name, value)

    return change


def at(pose: np.ndarray, **fields: Any) -> Change:
    w, *xyz = mat2quat(pose[:3, :3]).tolist()
    return asks(pose[:3, 3], (*xyz, w), **fields)


def starting(change: Change, positions: Mapping[str, float]) -> Change:
    """The same request with these joints in its robot_state."""

    def both(wanted: Any) -> None:
        change(wanted)
        state = wanted.robot_state.joint_state
        state.name, state.position = [*positions], [*positions.values()]

    return both


def solution(response: Any) -> dict[str, float]:
    assert response.error_code.val == MoveItErrorCodes.SUCCESS, response.error_code
    state = response.solution.joint_state
    return dict(zip(state.name, state.position, strict=True))


def refused(response: Any, name: str, says: str) -> None:
    """It has the code, a sentence, and no solution."""
    assert response.error_code.val == getattr(MoveItErrorCodes, name), response.error_code
    assert says in response.error_code.message
    assert '\n' not in response.error_code.message
    assert response.error_code.source == 'ik_circles'
    assert list(response.solution.joint_state.name) == []


def random_state(rng: np.random.Generator) -> dict[str, float]:
    return {
        name: float(rng.uniform(joint.lower, joint.upper)) for name, joint in ARM.joints.items()
    }
