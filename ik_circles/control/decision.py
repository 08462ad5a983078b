# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""From a target to a joint command or a reason: every decision of the node, without ROS."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ik_circles.control.seed import complete
from ik_circles.control.settings import Settings
from ik_circles.control.stream import jump
from ik_circles.control.target import Target
from ik_circles.geometry import checks
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.planar.redundancy.rules import KEEP_ORIENTATION, Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.reasons import Code, degrees_text
from ik_circles.robot.answer import answer_of
from ik_circles.robot.arm import (
    NamedPositions,
    RobotAnswer,
    RobotArm,
    RobotPoseReachability,
    SpatialPose,
)
from ik_circles.robot.model import with_wrist_at
from ik_circles.spatial.arm import checked_point
from ik_circles.spatial.points.sentences import turned_away
from ik_circles.spatial.points.ways import TILT_TOLERANCE, Wanted


@dataclass(eq=False)
class Decision:
    """The answer to a target.

    `message`, `margin` and `nearest` are computed only when they are asked for, so that a command
    can be sent first.

    Parameters
    ----------
    code : Code
        OK, or the reason why the target is refused.
    sentence : str or callable
        The message, or a function that makes it.
    command : dict of str to float, optional
        Joint positions to send, by name [rad]; None to send nothing.
    found : RobotReachability or RobotPoseReachability, optional
        The answer of the arm, if it could be asked.
    """

    code: Code
    sentence: str | Callable[[], str]
    command: NamedPositions | None = None
    found: RobotAnswer | None = None

    @cached_property
    def message(self) -> str:
        """The reason, or which orientations work, as a sentence with its figure."""
        return self.sentence if isinstance(self.sentence, str) else self.sentence()

    @property
    def margin(self) -> float:
        """Signed distance to the boundary of the workspace [m]; NaN if the arm was not asked."""
        return math.nan if self.found is None else self.found.margin

    @property
    def as_wanted(self) -> bool:
        """Whether the arm takes the target exactly: then `nearest` is the target."""
        return self.found is not None and self.found.as_wanted

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take; None if there is none."""
        return None if self.found is None else self.found.nearest


def assess(
    arm: RobotArm,
    settings: Settings,
    target: Target,
    seed: Mapping[str, float] | None = None,
) -> RobotAnswer:
    """Whether the arm can take the target, inside the safe zones; no solution is chosen.

    If the arm has a yaw joint and no wrist, the position decides the tool's heading. Then only the
    pitch of the target counts, unless the orientation mode is fixed. The target's numbers have been
    checked before.
    """
    no_heading = arm.yaw_joint is not None and not arm.wrist_joints
    pitch_only = no_heading and settings.orientation_mode != 'fixed'
    zones = settings.zones(arm) if settings.safe_zone_margin else None
    tilt = math.inf if pitch_only else TILT_TOLERANCE
    position, rotation = target
    room = settings.out_of_plane_tolerance
    return answer_of(arm, Wanted(position, None, rotation, zones, room, tilt), seed)


@names_wrong_kinds
def decide(
    arm: RobotArm, settings: Settings, target: Target, seed: Mapping[str, float] | None
) -> Decision:
    """Take a target, or say why not.

    Parameters
    ----------
    arm : RobotArm
        The arm that should move.
    settings : Settings
        What is allowed, and how a solution is chosen.
    target : Target
        Where the tip should go.
    seed : mapping of str to float, or None
        Joint positions by name to stay near to [rad]. If some of the commanded joints are missing,
        the rest count only for `max_joint_step`, and for where a wrist is held.

    Returns
    -------
    Decision
        A code, a sentence, and the command to send, if any.

    Raises
    ------
    InvalidSettingError
        If `safe_zone_margin` leaves nothing of this arm's workspace.

    Examples
    --------
    >>> from ik_circles import load_arm
    >>> arm = load_arm('urdf/planar_3r.urdf')
    >>> straight = {'shoulder_joint': 0.0, 'elbow_joint': 0.0, 'wrist_joint': 0.0}
    >>> decision = decide(arm, Settings(), Target((0.9, 0.0, 0.0)), straight)
    >>> decision.code.name, decision.command == straight
    ('OK', True)
    """
    position, rotation = checked_point(target.position), None
    if target.rotation is not None and settings.orientation_mode != 'free':
        rotation = checks.rotation('rotation', target.rotation)
    near = None if seed is None else arm.whole_naming.read_seed(seed)
    return decide_checked(arm, settings, Target(position, rotation), near)


def decide_checked(
    arm: RobotArm, settings: Settings, target: Target, seed: Mapping[str, float] | None
) -> Decision:
    """What `decide` does, for numbers that have been checked.

    The target has no orientation if the settings leave it free.
    """
    arm, found = _asked(arm, settings, target, seed)
    gives_way = found.position_reachable and settings.orientation_mode == 'preferred'
    taken = found.reachable or (gives_way and not found.is_tilted)
    command, note, near = None, '', complete(arm, seed)
    if taken:
        command, note = _command(settings, found, near)
    elif settings.on_unreachable == 'nearest':
        policy = Policy(settings.branch, 'preferred')
        command = found.solve_nearest(near, policy, target.rotation is not None)
    jumped = None if command is None else jump(command, seed or {}, settings.max_joint_step)
    if jumped is not None:
        if not taken:
            jumped = f'{found.message}; not moving to the nearest pose: {jumped}'
        return Decision(Code.JUMP, jumped, found=found)
    code = Code.OK if taken else found.code
    return Decision(code, lambda: _sentence(arm, found, taken, command) + note, command, found)


def taken_exactly(
    arm: RobotArm, settings: Settings, target: Target, seed: Mapping[str, float]
) -> NamedPositions | None:
    """The solution near a seed that `decide` chooses for a target, if the arm takes it exactly.

    The target's numbers have been checked before. If the arm cannot take it, the answer is None,
    and nothing more is computed.
    """
    arm, found = _asked(arm, settings, target, seed)
    return _command(settings, found, complete(arm, seed))[0] if found.reachable else None


def _asked(
    arm: RobotArm, settings: Settings, target: Target, seed: Mapping[str, float] | None
) -> tuple[RobotArm, RobotAnswer]:
    """The arm as it was asked, and its answer."""
    if arm.wrist_joints:  # where only the other joints are asked for, the wrist stays
        arm = with_wrist_at(arm, seed or {})
    return arm, assess(arm, settings, target, complete(arm, seed))


def sentence_for(arm: RobotArm, found: RobotAnswer) -> str:
    """The answer to a question as a sentence; a question moves nothing."""
    says_all = isinstance(found, RobotPoseReachability) or not found.is_oriented
    if says_all or arm.yaw_joint is None or not found.reachable:
        return _with_advice(arm, found)
    return _sentence(arm, found, True, found.nearest_joint_positions)


def _with_advice(arm: RobotArm, found: RobotAnswer) -> str:
    """The message of the arm. If no joint can give the orientation, the message also names the
    parameter value that lets the orientation give way."""
    if not found.is_tilted:
        return found.message
    if arm.yaw_joint is None:
        return f'{found.message}, or set orientation_mode to free'
    return f'{found.message}; set orientation_mode to preferred'


def _sentence(
    arm: RobotArm, found: RobotAnswer, taken: bool, command: NamedPositions | None
) -> str:
    message = _with_advice(arm, found)
    instead = '' if command is None or found.reachable else _instead(found, command)
    if not taken:
        nearest = '; moving to the nearest pose instead'
        return message if command is None else f'{message}{instead or nearest}'
    if not found.reachable:
        return f'reachable, but {message}{instead}'
    if isinstance(found, RobotPoseReachability) or found.tilt_of(command or {}) <= TILT_TOLERANCE:
        return message
    return f'{message}; {turned_away(found.turned_away_of(command or {}), TILT_TOLERANCE)}'


def _instead(found: RobotAnswer, command: NamedPositions) -> str:
    """How far a command is turned away, if it is not to the nearest pose but to one that counts as
    equal. '' if the message has that figure already."""
    if not (isinstance(found, RobotPoseReachability) and found.position_reachable):
        return ''
    nearest, away = found.nearest_joint_positions or {}, degrees_text(found.tilt_of(command))
    is_said = away == degrees_text(found.tilt_of(nearest))
    return '' if is_said else f'; moving to one that is {away} away'


def _command(
    settings: Settings, found: RobotAnswer, seed: Mapping[str, float] | None
) -> tuple[NamedPositions | None, str]:
    """The solution that the settings choose, and a note for the sentence if `redundancy` asks for a
    kind of solution that does not exist there."""
    command, note = found.solve_near(seed, settings.policy, settings.redundancy_rule), ''
    if command is None and settings.redundancy != KEEP_ORIENTATION:
        command = found.solve_near(seed, settings.policy, Redundancy())
        note = f'; no {settings.redundancy} solution at this point; kept the current orientation'
    return (found.nearest_joint_positions, '') if command is None else (command, note)
