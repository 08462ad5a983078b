"""From a target to a joint command or a reason: every decision of the node, without ROS."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property

from ik_circles.control.settings import Settings
from ik_circles.control.stream import jump
from ik_circles.control.target import Target
from ik_circles.planar.redundancy.policy import KEEP_ORIENTATION
from ik_circles.planar.selection import Policy
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, RobotArm, RobotReachability, SpatialPose

#: A target's orientation may turn the plane's normal by this much before it is refused [rad].
TILT_TOLERANCE = 0.01










class Decision:
    """What is answered to a target; `command` is what to send, None to send nothing.

    The rest is computed when it is asked for, so that the command need not wait: `message`, and
    `margin` [m] and `nearest` of the answer that was `found`, if the question could be asked.
    """

    def __init__(
        self,
        code: Code,
        message: str | Callable[[], str],
        command: NamedPositions | None = None,
        found: RobotReachability | None = None,
    ) -> None:
        self.code, self.command = code, command
        self._message, self._found = message, found

    @cached_property
    def message(self) -> str:
        """The reason, or what works, as a sentence with its figure."""
        return self._message if isinstance(self._message, str) else self._message()

    @property
    def margin(self) -> float:
        """Signed distance to the workspace's boundary [m]; NaN if nothing was found out."""
        return math.nan if self._found is None else self._found.margin

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take."""
        return None if self._found is None else self._found.nearest


def assess(chain: RobotArm, settings: Settings, target: Target) -> RobotReachability:
    """Whether the arm can take the target, inside the safe zones; nothing is chosen."""
    return chain.check_reachability(
        target.position,
        rotation=target.rotation,
        zones=settings.zones(chain),
        out_of_plane_tolerance=settings.out_of_plane_tolerance,
        tilt_tolerance=_tilt_tolerance(chain, settings),
    )


def _tilt_tolerance(chain: RobotArm, settings: Settings) -> float:
    """Behind a yaw joint the position decides the tool's heading: what is asked for is a pitch,
    unless the orientation is fixed."""
    pitch_only = chain.yaw is not None and settings.orientation_mode != 'fixed'
    return math.inf if pitch_only else TILT_TOLERANCE


def decide(
    chain: RobotArm,
    settings: Settings,
    target: Target,
    seed: Mapping[str, float] | None,
) -> Decision:
    """Take the target or say why not; `seed` are joint positions to stay near to [rad]."""
    if settings.orientation_mode == 'free':
        target = Target(target.position)
    found = assess(chain, settings, target)
    gives_way = found.code is Code.ORIENTATION and settings.orientation_mode == 'preferred'
    taken = found.reachable or (gives_way and not found.is_tilted)
    command, of_kind = None, True
    if taken:
        command, of_kind = _command(settings, found, seed)
    elif settings.on_unreachable == 'nearest':
        command = _nearest_command(chain, settings, found, seed, target.rotation is not None)
    too_far = None if command is None else jump(command, seed or {}, settings.max_joint_step)
    if too_far is not None:
        if not taken:
            too_far = f'{found.message}; not moving to the nearest pose: {too_far}'
        return Decision(Code.JUMP, too_far, found=found)
    code = Code.OK if taken else found.code
    kind = '' if of_kind else f'; no {settings.redundancy} there: the orientation was kept'
    return Decision(code, lambda: _sentence(found, taken, command) + kind, command, found)


def sentence_for(chain: RobotArm, found: RobotReachability) -> str:
    """What is said to a question, which moves nothing."""
    if chain.yaw is None or not found.reachable:
        return found.message
    return _sentence(found, True, found.nearest_joint_positions)


def _sentence(
    found: RobotReachability, taken: bool, command: NamedPositions | None
) -> str:
    """What is said of a decision."""
    message = found.message
    if not taken:
        return message if command is None else f'{message}; moving to the nearest pose instead'
    if not found.reachable:
        return f'reachable, but {message}'
    tilt = 0.0 if command is None else found.tilt_of(command)
    if tilt <= TILT_TOLERANCE:
        return message
    away = f'{math.degrees(tilt):.1f} deg'
    return f'{message}; the position decides the heading, which is {away} from the one asked for'


def _command(
    settings: Settings, found: RobotReachability, seed: Mapping[str, float] | None
) -> tuple[NamedPositions | None, bool]:
    """The solution that the settings choose near to the seed, and whether it is of the wanted kind:
    where there is none of that kind, the orientation is kept."""
    command = found.solve(seed, settings.policy, settings.kind)
    if command is not None:
        return command, True
    if settings.redundancy != KEEP_ORIENTATION:
        command = found.solve(seed, settings.policy)
    return found.nearest_joint_positions if command is None else command, command is None


def _nearest_command(
    chain: RobotArm,
    settings: Settings,
    found: RobotReachability,
    seed: Mapping[str, float] | None,
    oriented: bool,
) -> NamedPositions | None:
    """The solution at the nearest pose that stays near to the seed, so that the arm slides.

    On the boundary rounding may leave the exact pose without one: then the orientation gives way
    first, and the joint positions that were found with the pose come last.
    """
    if found.nearest is None:
        return None
    x, y, z, phi, yaw = found.nearest
    near = chain.check_reachability(
        (x, y, z),
        rotation=chain.tool_rotation(phi, yaw) if oriented else None,
        zones=settings.zones(chain),
    )
    command = near.solve(seed, Policy(settings.branch, 'preferred'))
    return found.nearest_joint_positions if command is None else command
