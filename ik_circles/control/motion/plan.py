"""From a goal of `~/move_to` to a timed motion, or to the reason why none of it is begun."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from ik_circles.control.chains import chain_of
from ik_circles.control.decision import decide
from ik_circles.control.floor import MOST_HALVINGS, lowest, time_above
from ik_circles.control.motion.joint_moves import joint_move, to_rest
from ik_circles.control.motion.limits import Joints, Limits
from ik_circles.control.motion.paths import along
from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.simulation import DEFAULT_VELOCITY, LIMIT_ROUNDING
from ik_circles.control.target import Refusal, Target
from ik_circles.geometry.rigid import angle_between_rotations
from ik_circles.planar.straight import StraightLine
from ik_circles.reasons import Code, degrees_text, meters_text
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.robot.text import listed, shown, suggested
from ik_circles.spatial.ways import TILT_TOLERANCE

#: A stop before the floor is found to this power of a half of the time until it.
HALVINGS_OF_A_STOP = 6


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
        Share of the velocity limits, above 0 and up to 1.
    """

    target: Target | None = None
    joints: Mapping[str, float] = MappingProxyType({})
    straight: bool = False
    speed: float = 1.0


class State(NamedTuple):
    """Positions [rad or m] and velocities [rad/s or m/s] of joints, by name; not named: at rest."""

    positions: NamedPositions
    velocities: Mapping[str, float] = MappingProxyType({})

    def of(self, names: Iterable[str]) -> tuple[Joints, Joints]:
        """Positions and velocities in this order; Refusal if a position is unknown."""
        names = tuple(names)
        unknown = [name for name in names if name not in self.positions]
        if unknown:
            raise Refusal(
                Code.NO_FEEDBACK,
                f'no joint_states received for {listed(unknown)}: a motion begins where the arm '
                'is; publish joint_states, or remap the topic',
            )
        return (
            tuple(self.positions[name] for name in names),
            tuple(self.velocities.get(name, 0.0) for name in names),
        )


class Plan(NamedTuple):
    """A motion of some joints, in this order."""

    joints: tuple[str, ...]
    trajectory: Trajectory
    limits: Limits

    @property
    def end(self) -> NamedPositions:
        """Where the joints rest in the end, by name."""
        return dict(zip(self.joints, self.trajectory.waypoints[-1].positions))


class NotBegun(Refusal):
    """Why nothing of a motion is begun; `share` is the part of it that could be done."""

    def __init__(self, code: Code, message: str, share: float = 0.0) -> None:
        super().__init__(code, message)
        self.share = share


def limits_of(arm: RobotArm, names: Iterable[str], acceleration: float) -> Limits:
    """Of these joints of the robot: velocities and ranges by the URDF, one acceleration for all."""
    names = tuple(names)
    joints = [arm.tree.movable_joints[name] for name in names]
    return Limits(
        [joint.velocity or DEFAULT_VELOCITY for joint in joints],
        [acceleration] * len(joints),
        [(joint.lower, joint.upper) for joint in joints],
        names,
    )


def plan(
    arm: RobotArm, settings: Settings, parameters: MotionParameters, wish: Wish, state: State
) -> Plan:
    """A motion to the goal, all of which can be done.

    Parameters
    ----------
    arm : RobotArm
        The arm, with held joints where they are.
    settings : Settings
        How a solution is chosen. A target out of reach is refused, whatever they say.
    parameters : MotionParameters
        The limit of accelerations.
    wish : Wish
        What the arm should do.
    state : State
        How the arm moves now. A straight line begins at rest, whatever it says of velocities.

    Returns
    -------
    Plan
        It ends at rest.

    Raises
    ------
    Refusal
        If any of it cannot be done: the reason, with its figure. Of a straight line, NotBegun has
        the share that can be done.
    """
    if not 0.0 < wish.speed <= 1.0:
        raise Refusal(
            Code.NOT_FINITE, f'speed is {wish.speed}; give a share above 0 and up to 1'
        )
    if wish.straight:
        return _straight(arm, settings, parameters, wish, state)
    positions = wish.joints if wish.target is None else _solved(arm, settings, wish.target, state)
    _check(arm, positions)
    planned = to(arm, parameters, positions, state, wish.speed)
    duration = planned.trajectory.duration
    clear = time_above(arm, state.positions, planned.joints, planned.trajectory)
    if clear < duration:
        raise _below(arm, state, planned, clear, clear / duration)
    return planned


def to(
    arm: RobotArm,
    parameters: MotionParameters,
    positions: Mapping[str, float],
    state: State,
    speed: float = 1.0,
) -> Plan:
    """Joints together to positions by name, from how they move now; Refusal if they cannot."""
    names = tuple(positions)
    limits = limits_of(arm, names, parameters.max_acceleration).slowed(speed)
    start, velocities = state.of(names)
    return Plan(names, joint_move(start, velocities, [*positions.values()], limits), limits)


def above(arm: RobotArm, planned: Plan, state: State) -> Plan:
    """The same motion, or as much of it as ends at rest above the floor.

    The time to brake is found by halving, with a bound for each stop: see `time_above`.
    """
    trajectory, names = planned.trajectory, planned.joints
    clear = time_above(arm, state.positions, names, trajectory)
    if clear >= trajectory.duration:
        return planned
    early, late = 0.0, clear
    best = _braked(planned, 0.0)
    for _ in range(HALVINGS_OF_A_STOP):
        middle = (early + late) / 2.0
        stop = _braked(planned, middle)
        if time_above(arm, state.positions, names, stop) < stop.duration:
            late = middle
        else:
            early, best = middle, stop
    return planned._replace(trajectory=best)


def _braked(planned: Plan, time: float) -> Trajectory:
    """A motion up to a time [s], and then to rest."""
    positions, velocities = planned.trajectory.at(time)
    before = [one for one in planned.trajectory.waypoints if one.time < time]
    rest = to_rest(positions, velocities, planned.limits).waypoints
    return Trajectory([*before, *(one._replace(time=one.time + time) for one in rest)])


def _solved(arm: RobotArm, settings: Settings, target: Target, state: State) -> NamedPositions:
    """Where the joints have to be for the tip to be at a target; Refusal if they cannot."""
    start = dict(zip(arm.commanded_joints, state.of(arm.commanded_joints)[0]))
    decision = decide(arm, replace(settings, on_unreachable='reject'), target, start)
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
        if not joint.lower - LIMIT_ROUNDING <= position <= joint.upper + LIMIT_ROUNDING:
            raise Refusal(
                Code.JOINT_LIMIT,
                f'{name} is sent to {position:.6g}, outside its limits of {joint.lower:.6g} to '
                f'{joint.upper:.6g}; send it inside',
            )


def _straight(
    arm: RobotArm, settings: Settings, parameters: MotionParameters, wish: Wish, state: State
) -> Plan:
    """The tip on a straight line, from rest to rest."""
    if wish.target is None:
        raise Refusal(Code.NO_MODEL, 'joints do not say where the tip goes; give a pose or a point')
    names, target = arm.commanded_joints, wish.target
    limits = limits_of(arm, names, parameters.max_acceleration)
    stop = to_rest(*state.of(names), limits)
    start = dict(zip(names, stop.waypoints[-1].positions))
    line = line_to(arm, settings, target, start)
    if line.share < 1.0:
        raise NotBegun(line.code, line.message, line.share)

    def joints_at(share: float) -> list[float]:
        at = line.positions(share)
        return [at[name] for name in names]

    limits = limits.slowed(wish.speed)
    path = along(joints_at, limits, chain_of(arm), breaks=line.breaks)
    clear = time_above(arm, start, names, path)
    if clear < path.duration:
        raise _below(arm, State(start), Plan(names, path, limits), clear, path.share(clear))
    check_orientation(arm, settings, target, line)
    later = [one._replace(time=one.time + stop.duration) for one in path.waypoints[1:]]
    return Plan(names, Trajectory([*stop.waypoints, *later]), limits)


def _below(arm: RobotArm, state: State, planned: Plan, time: float, share: float) -> NotBegun:
    """Why a motion is not begun that is above the floor only up to a time [s]."""
    step = planned.trajectory.duration * 2.0**-MOST_HALVINGS
    ends = [
        {**state.positions, **dict(zip(planned.joints, planned.trajectory.at(moment)[0]))}
        for moment in (time, time + step)
    ]
    deep = max((arm.floor or 0.0) - lowest(arm, *ends), 0.0)
    return NotBegun(
        Code.FLOOR,
        f'the motion would go below the floor at {share:.1%} of it, by {meters_text(deep)} and '
        'more; raise the way, or go there in parts',
        share,
    )


def line_to(
    arm: RobotArm, settings: Settings, target: Target, start: NamedPositions
) -> StraightLine[NamedPositions]:
    """The straight line to a target; its orientation is held if the target has one that counts."""
    held = target.rotation is not None and settings.orientation_mode != 'free'
    return arm.straight_line(start, target.position, orientation='held' if held else 'free')


def check_orientation(
    arm: RobotArm, settings: Settings, target: Target, line: StraightLine[NamedPositions]
) -> None:
    """NotBegun if a line that can be followed ends in another orientation than its target asks for.
    """
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
