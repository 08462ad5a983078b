# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""MoveIt's service GetPositionIK, answered by `ik_node` where moveit_msgs is installed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from std_msgs.msg import Header

from ik_circles.control.decision import Decision, decide_checked
from ik_circles.control.refusals import Refusal
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import nearest_in
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.robot.naming import positions_in
from ik_circles.robot.text import shown, suggested
from ik_circles.ros.conversions import fill_joints, positions_of
from ik_circles.ros.frames import Frames
from ik_circles.ros.given import given_by
from ik_circles.ros.unexpected import refused

#: In newer messages, this is the name of the component that has answered.
SOURCE = 'ik_circles'
#: A request has one of these constraints, or none.
CONSTRAINTS = (
    'joint_constraints', 'position_constraints', 'orientation_constraints',
    'visibility_constraints',
)  # fmt: skip


def serve(node: Node, answers: 'PositionIk') -> None:
    """Serve `~/compute_ik` and `~/solve_ik` if moveit_msgs is installed."""
    try:
        from moveit_msgs.srv import GetPositionIK
    except ImportError:
        node.get_logger().debug('no ~/compute_ik and ~/solve_ik: moveit_msgs is not installed')
        return
    node.create_service(GetPositionIK, '~/compute_ik', answers.compute)
    node.create_service(GetPositionIK, '~/solve_ik', answers.solve)


class _Refused(IkCirclesError):
    """Why there is no solution: the name of a constant of MoveItErrorCodes, and a sentence."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class PositionIk:
    """Fills in responses of GetPositionIK; knows their fields, but does not import their type."""

    def __init__(
        self,
        model: Callable[[], tuple[RobotArm, JointMemory]],
        settings: Callable[[], Settings],
        frames: Frames,
    ) -> None:
        self._model, self._settings, self._frames = model, settings, frames

    def compute(self, request: Any, response: Any) -> Any:
        """Answer as MoveIt's own service does. A request to avoid collisions is refused, because
        nothing checks for them afterwards."""
        if request.ik_request.avoid_collisions:
            _say(
                response.error_code,
                'COLLISION_CHECKING_UNAVAILABLE',
                'avoid_collisions is set, and this node does not check collisions; unset it, or '
                "ask MoveIt's own compute_ik",
            )
            return response
        return self.solve(request, response)

    def solve(self, request: Any, response: Any) -> Any:
        """Answer MoveIt's SrvKinematicsPlugin. It always asks to avoid collisions, and MoveIt then
        checks the solution itself."""
        try:
            message = self._solve(request.ik_request, response.solution)
        except _Refused as known:
            _say(response.error_code, known.name, str(known))
        except IkCirclesError as error:
            _say(response.error_code, 'FAILURE', str(error))
        else:
            unchecked = '; collisions were not checked' * request.ik_request.avoid_collisions
            _say(response.error_code, 'SUCCESS', message + unchecked)
        return response

    @refused
    def _solve(self, wanted: Any, solution: Any) -> str:
        """Fill in a state with the solution; return a message. _Refused says why there is none."""
        with _called('FAILURE'):
            arm, joints = self._model()
        given = _state_in(arm, wanted.robot_state)
        known = {**joints.measured, **given}
        decision = self._decided(arm, known, _target_in(arm, wanted))
        if decision.command is None:
            raise _Refused('NO_IK_SOLUTION', decision.message)
        # The joints of the request come first, as in MoveIt.
        fill_joints(solution.joint_state, {**given, **known, **decision.command})
        solution.joint_state.header.frame_id = arm.tree.root
        solution.is_diff = True  # objects attached to the robot are not known here, and stay
        return decision.message

    def _decided(self, arm: RobotArm, known: NamedPositions, message: PoseStamped) -> Decision:
        """The node's decision about a target, from a state of the robot; it moves nothing."""
        settings = replace(self._settings(), on_unreachable='reject', max_joint_step=0.0)
        target = self._read(arm, known, message, settings.orientation_mode != 'free')
        seed = {
            name: nearest_in(known[name], (joint.lower, joint.upper))
            for name, joint in arm.joints.items()
            if name in known
        }
        with _called('FAILURE'):
            return decide_checked(arm.holding({**known, **seed}), settings, target, seed)

    def _read(
        self, arm: RobotArm, known: NamedPositions, message: PoseStamped, oriented: bool
    ) -> Target:
        try:
            return self._frames.target(arm, known, given_by(message), oriented)
        except Refusal as refusal:
            is_frame = refusal.code is Code.BAD_FRAME
            name = 'FRAME_TRANSFORM_FAILURE' if is_frame else 'INVALID_GOAL_CONSTRAINTS'
            raise _Refused(name, str(refusal)) from None


def _state_in(arm: RobotArm, state: Any) -> Mapping[str, float]:
    """Joint positions in a request by name [rad or m], for some joints or for all."""
    with _called('INVALID_ROBOT_STATE', 'robot_state: '):
        given = positions_in(arm.tree, 'its joint_state', positions_of(state.joint_state))
        return {name: checks.number(name, position) for name, position in given.items()}


def _target_in(arm: RobotArm, wanted: Any) -> PoseStamped:
    """The only pose of a request, for the tip, with the newest transform, as in MoveIt."""
    kinds = [kind for kind in CONSTRAINTS if getattr(wanted.constraints, kind)]
    if kinds:
        raise _Refused('INVALID_GOAL_CONSTRAINTS', f'{kinds[0]} are not supported; leave them out')
    pose, link = wanted.pose_stamped, wanted.ik_link_name
    if wanted.pose_stamped_vector:
        if len(wanted.pose_stamped_vector) > 1:
            count = len(wanted.pose_stamped_vector)
            raise _Refused(
                'INVALID_LINK_NAME',
                f"{count} poses are given; this arm has one tip, '{arm.tip_link}': give one",
            )
        (pose,), link = wanted.pose_stamped_vector, (*wanted.ik_link_names, '')[0]
    if link not in ('', arm.tip_link):
        meant = suggested(link, [arm.tip_link])
        raise _Refused(
            'INVALID_LINK_NAME',
            f"the pose is asked for '{shown(link)}'; {meant}this node solves for "
            f"'{arm.tip_link}': give that or no name, or set the parameter tip_link",
        )
    frame = pose.header.frame_id or arm.tree.root
    return PoseStamped(header=Header(frame_id=frame), pose=pose.pose)


@contextmanager
def _called(name: str, begin: str = '') -> Iterator[None]:
    """Turns errors inside the block into refusals with this name."""
    try:
        yield
    except IkCirclesError as error:
        raise _Refused(name, f'{begin}{error}') from None


def _say(error_code: Any, name: str, message: str) -> None:
    """Write a constant of MoveItErrorCodes by its name; moveit_msgs before 2.4 has no message."""
    error_code.val = getattr(type(error_code), name)
    if hasattr(error_code, 'message'):
        error_code.message, error_code.source = message, SOURCE
