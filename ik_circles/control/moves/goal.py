# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""From a goal of `~/move_to` to a timed motion, or to the reason why the motion is not begun."""

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from ik_circles.control.chains import chain_of
from ik_circles.control.decision import decide
from ik_circles.control.home import home_positions
from ik_circles.control.motion.paths import along
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.moves.plan import (
    NotBegun,
    Plan,
    State,
    below,
    in_time,
    joined,
    limits_of,
    moving,
    stop_of,
    time_above_floor,
    to,
)
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.simulation import LIMIT_ROUNDING
from ik_circles.control.target import Target
from ik_circles.geometry.joint_values import believable, in_degrees
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.geometry.rigid import angle_between_rotations
from ik_circles.planar.lines.straight import StraightLine
from ik_circles.reasons import Code, degrees_text
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.robot.text import listed, shown, suggested
from ik_circles.spatial.points.ways import TILT_TOLERANCE

#: The share of the full speed is at least this [1]: even a motion of 2 s then takes more than three
#: weeks.
LEAST_SPEED = 1e-6
#: Every arm has joint positions with this name; `named_positions` may have others for it.
HOME = 'home'


class Wish(NamedTuple):
    """What the arm should do.

    Parameters
    ----------
    target : Target, optional
        Where the tip should go.
    joints : mapping of str to float
        Where joints should go, by name [rad or m], if there is no target.
    straight : bool
        Whether the tip moves on the straight line.
    speed : float
        Share of the full speed, LEAST_SPEED to 1: at 0.5 the motion takes twice as long.
    name : str, optional
        The name of joint positions, instead of them: one of `named_positions`, or home.
    """

    target: Target | None = None
    joints: Mapping[str, float] = MappingProxyType({})
    straight: bool = False
    speed: float = 1.0
    name: str | None = None


@names_wrong_kinds
def plan(
    arm: RobotArm, settings: Settings, parameters: MotionParameters, wish: Wish, state: State
) -> Plan:
    """A motion that gets all the way to the goal.

    Parameters
    ----------
    arm : RobotArm
        The arm, with held joints where they are.
    settings : Settings
        How a solution is chosen. A target out of reach is refused, whatever `on_unreachable` says.
    parameters : MotionParameters
        The limit of accelerations.
    wish : Wish
        What the arm should do.
    state : State
        How the arm moves now. A straight line begins at rest, so joints that move stop first.

    Returns
    -------
    Plan
        It ends at rest.

    Raises
    ------
    Refusal
        If the arm cannot do all of it: the reason, with its figure. NotBegun also has the share of
        it that the arm can do.
    """
    if not LEAST_SPEED <= wish.speed <= 1.0:
        raise Refusal(
            Code.NOT_FINITE, f'speed is {wish.speed}; give a share from {LEAST_SPEED} to 1'
        )
    planned = _planned(arm, settings, parameters, wish, state)
    if wish.target is None or wish.target.rotation is None or settings.orientation_mode == 'free':
        return planned
    there = arm.forward_kinematics({**state.positions, **planned.end})[:3, :3]
    return planned._replace(turned=angle_between_rotations(there, wish.target.rotation))


def _planned(
    arm: RobotArm, settings: Settings, parameters: MotionParameters, wish: Wish, state: State
) -> Plan:
    if wish.straight:
        return in_time(_straight(arm, settings, parameters, wish, state))
    positions = _goal_of(arm, settings, parameters, wish, state)
    _check(arm, positions)
    _check_held(arm, positions, state)
    planned = _together(arm, parameters, positions, state, wish.speed)
    duration = planned.trajectory.duration
    clear = time_above_floor(arm, planned, state)
    if clear < duration:
        raise below(arm, state, planned, clear, clear / duration)
    return planned


def _goal_of(
    arm: RobotArm, settings: Settings, parameters: MotionParameters, wish: Wish, state: State
) -> Mapping[str, float]:
    """Where joints should go, by name; Refusal if nobody knows."""
    if wish.target is not None:
        return _solved(arm, settings, wish.target, state)
    if wish.name is None:
        return wish.joints
    known = {HOME: home_positions(arm, settings), **parameters.named}
    if wish.name not in known:
        raise Refusal(
            Code.NOT_FINITE,
            f"no joint positions are named '{shown(wish.name)}'; {suggested(wish.name, known)}"
            f'the names are {listed([*known])}; the parameter named_positions adds some',
        )
    return known[wish.name]


def _together(
    arm: RobotArm,
    parameters: MotionParameters,
    positions: Mapping[str, float],
    state: State,
    speed: float,
) -> Plan:
    """Move joints together to positions by name. If others are moving, all come to rest first."""
    if not moving(state) - positions.keys():
        return to(arm, parameters, positions, state, speed)
    stop = stop_of(arm, parameters, positions, state)
    rest = State({**state.positions, **stop.end})
    onward = to(arm, parameters, {**stop.end, **positions}, rest, speed)
    way = joined(stop.trajectory, onward.trajectory)
    return onward._replace(trajectory=way, instead=stop.instead)


def _solved(arm: RobotArm, settings: Settings, target: Target, state: State) -> NamedPositions:
    """Where the joints have to be for the tip to be at a target; Refusal if they cannot."""
    start = dict(zip(arm.commanded_joints, state.of(arm.commanded_joints)[0]))
    # max_joint_step limits a single command; a motion consists of many.
    settings = replace(settings, on_unreachable='reject', max_joint_step=0.0)
    decision = decide(arm, settings, target, start)
    if decision.command is None:
        raise NotBegun(decision.code, decision.message)
    return decision.command


def _check(arm: RobotArm, positions: Mapping[str, float]) -> None:
    """Refusal unless each joint can be at its position."""
    movable = arm.tree.movable_joints
    if not positions:
        raise Refusal(Code.NO_MODEL, f'no joint is named; name some of {listed([*movable])}')
    for name, position in positions.items():
        joint = movable.get(name)
        if joint is None:
            raise Refusal(
                Code.NO_MODEL,
                f"the robot has no movable joint '{shown(name)}'; {suggested(name, movable)}"
                f'its movable joints are {listed([*movable])}',
            )
        if joint.mimic:
            raise Refusal(Code.NO_MODEL, f'{name} moves with another joint; name that one')
        if not math.isfinite(position):
            raise Refusal(Code.NOT_FINITE, f'{name} is sent to {position}; give a finite number')
        least, most = believable(*joint.angle_limits)
        if not least <= position <= most:
            asked = in_degrees(f'the goal of {name}', position, joint.angle_limits)
            raise Refusal(Code.JOINT_LIMIT, asked)
        if not joint.lower - LIMIT_ROUNDING <= position <= joint.upper + LIMIT_ROUNDING:
            raise Refusal(
                Code.JOINT_LIMIT,
                f'{name} is sent to {position:.6g}, outside its limits of {joint.lower:.6g} to '
                f'{joint.upper:.6g} {"m" if joint.type == "prismatic" else "rad"}; send it inside',
            )


def _check_held(arm: RobotArm, positions: Mapping[str, float], state: State) -> None:
    """Refusal if a held joint would move while there is a floor: the bound on heights holds for
    commanded joints only."""
    for name in arm.held.keys() & positions.keys() if arm.floor is not None else ():
        if positions[name] != state.of([name])[0][0]:
            raise NotBegun(
                Code.FLOOR,
                f'{name} is a held joint: nobody knows how low the arm gets while it moves; '
                'move it without a floor',
            )


def _straight(
    arm: RobotArm, settings: Settings, parameters: MotionParameters, wish: Wish, state: State
) -> Plan:
    """The tip on a straight line, from rest to rest."""
    if wish.target is None:
        raise Refusal(
            Code.NOT_FINITE, 'straight is for a pose or a point; send joints without straight'
        )
    names, target = arm.commanded_joints, wish.target
    stop = stop_of(arm, parameters, names, state)
    start = stop.end
    line = line_to(arm, settings, target, {name: start[name] for name in names})
    if line.share < 1.0:
        raise NotBegun(line.code, line.message, line.share)
    resting = [start[name] for name in stop.joints[len(names) :]]

    def joints_at(share: float) -> list[float]:
        at = line.positions(share)
        return [at[name] for name in names]

    limits = limits_of(arm, names, parameters.max_acceleration).slowed(wish.speed)
    path = along(joints_at, limits, chain_of(arm), rows=line.rows)
    still = (0.0,) * len(resting)
    onward = [
        Waypoint(time, (*positions, *resting), (*velocities, *still))
        for time, positions, velocities in path.waypoints
    ]
    way = joined(stop.trajectory, Trajectory(onward))
    planned = stop._replace(trajectory=way, keeps_line=True)
    clear, before = time_above_floor(arm, planned, state), stop.trajectory.duration
    if clear < planned.trajectory.duration:
        raise below(arm, state, planned, clear, path.share(max(clear - before, 0.0)))
    check_orientation(arm, settings, target, line)
    return planned


def line_to(
    arm: RobotArm, settings: Settings, target: Target, start: NamedPositions
) -> StraightLine[NamedPositions]:
    """The straight line to a target, with the tip's orientation kept.

    If the target has no orientation that counts, the tip's orientation may give way.
    """
    held = target.rotation is not None and settings.orientation_mode != 'free'
    line = arm.straight_line(start, target.position)
    if line.share == 1.0 or held:  # a free one costs more
        return line
    return arm.straight_line(start, target.position, orientation='free')


def check_orientation(
    arm: RobotArm, settings: Settings, target: Target, line: StraightLine[NamedPositions]
) -> None:
    """Raise NotBegun if a line gets to its target, but in an orientation that the target does not
    have."""
    if target.rotation is None or settings.orientation_mode == 'free':
        return
    wanted = _solved(arm, settings, target, State(line.positions(0.0)))
    there, wished = (arm.forward_kinematics(one)[:3, :3] for one in (line.positions(1.0), wanted))
    angle = angle_between_rotations(there, wished)
    if angle > TILT_TOLERANCE:
        raise NotBegun(
            Code.ORIENTATION,
            f'a straight line keeps the orientation, which the target turns by '
            f'{degrees_text(angle)}; turn first, without straight, or send a point',
        )
