# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How some joints move from where they are, within their limits and above the floor."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ik_circles.control.floor import GRAZE, lowest, time_above
from ik_circles.control.motion.braking import braked
from ik_circles.control.motion.catching_up import Instead, later_root, times_to_rest
from ik_circles.control.motion.joint_moves import NO_ROOM, joint_move, stop_from, to_rest
from ik_circles.control.motion.limits import Joints, MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import MotionParameters
from ik_circles.control.simulation import DEFAULT_VELOCITY
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import nearest_in
from ik_circles.reasons import Code, meters_text, percent_text
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.robot.text import listed

#: The last moment to stop before the floor is found by halving the time until it this many times.
HALVINGS_OF_A_STOP = 6
#: How deep a motion gets below the floor is looked up at this many places. They are the denser the
#: sooner they come, because a dip may be short: the first is at this share of the rest [1].
LOOKS, SOONEST = 32, 1e-3
#: A motion takes no longer than this [s]: a point of a trajectory has its seconds in 31 bits.
LONGEST = 1e9
#: The time that a controller gets to go to where its joints already stand still [s].
TIME_TO_STAY = 0.1


class State(NamedTuple):
    """Positions [rad or m] and velocities [rad/s or m/s] of joints, by name; without one, at rest.

    If nobody knows the delay of a controller, `instead` says where the joints may be, and how fast
    they may move: what is sent leaves time to catch up from all of these states. `later` has more
    for what takes long to plan, because the controller goes on along its path meanwhile.
    """

    positions: NamedPositions
    velocities: Mapping[str, float] = MappingProxyType({})
    instead: 'tuple[State, ...]' = ()
    later: 'tuple[State, ...]' = ()

    def of(self, names: Iterable[str]) -> tuple[Joints, Joints]:
        """Positions and velocities in the order of the names; Refusal if a position is unknown."""
        names = tuple(names)
        unknown = [name for name in names if name not in self.positions]
        if unknown:
            raise Refusal(
                Code.NO_FEEDBACK,
                f'the position of {listed(unknown)} is unknown, so no motion can begin there; '
                'publish joint_states, or remap the topic. A joint that is measured past its limit '
                'by more than seed_tolerance is not believed: check its zero',
            )
        return (
            tuple(self.positions[name] for name in names),
            tuple(self.velocities.get(name, 0.0) for name in names),
        )

    def instead_of(self, names: Sequence[str]) -> Instead:
        """Where these joints may be instead, and how fast."""
        at = ({**self.positions, **one.positions} for one in self.instead)
        return [one._replace(positions=its).of(names) for one, its in zip(self.instead, at)]


class Plan(NamedTuple):
    """A motion of some joints, in this order; the arm's other joints stay where they are, `at`.

    With `keeps_line`, a stop stays on the way of the motion. At the end, the tool is `turned` from
    the orientation that was asked for [rad]. The joints may have begun elsewhere, `instead`.
    """

    joints: tuple[str, ...]
    trajectory: Trajectory
    limits: MotionLimits
    arm: RobotArm | None = None
    at: Mapping[str, float] = MappingProxyType({})
    keeps_line: bool = False
    turned: float = 0.0
    instead: Instead = ()

    @property
    def end(self) -> NamedPositions:
        """Where the joints come to rest, by name."""
        return dict(zip(self.joints, self.trajectory.waypoints[-1].positions))


class NotBegun(Refusal):
    """Why a motion is not begun at all; `share` is the part of it that the arm could do."""

    def __init__(self, code: Code, message: str, share: float = 0.0) -> None:
        super().__init__(code, message)
        self.share = share


def limits_of(arm: RobotArm, names: Iterable[str], acceleration: float) -> MotionLimits:
    """The limits of these joints: velocities and ranges from the URDF, one acceleration for all."""
    names = tuple(names)
    joints = [arm.tree.movable_joints[name] for name in names]
    return MotionLimits(
        [joint.velocity or DEFAULT_VELOCITY for joint in joints],
        [acceleration] * len(joints),
        [(joint.lower, joint.upper) for joint in joints],
        names,
    )


def moving(state: State) -> set[str]:
    """Names of the joints that move, or may move."""
    states = state, *state.instead, *state.later
    return {name for one in states for name, speed in one.velocities.items() if speed != 0.0}


def time_to_catch_up(state: State, limits: MotionLimits) -> float:
    """The time in which joints that may be elsewhere can come to rest where they should be [s]."""
    if not state.instead:
        return 0.0
    positions, velocities = map(np.array, state.of(limits.names))
    at, speeds = np.array(state.instead_of(limits.names)).swapaxes(0, 1)
    strongest = np.array(limits.accelerations)
    return float(np.max(times_to_rest(velocities, positions - at, speeds, strongest)))


def stop_of(
    arm: RobotArm, parameters: MotionParameters, names: Iterable[str], state: State
) -> Plan:
    """A stop of these joints, and of all others that move."""
    names = tuple(names)
    names += tuple(sorted(moving(state) - set(names)))
    limits = limits_of(arm, names, parameters.max_acceleration)
    instead = state._replace(instead=(*state.instead, *state.later)).instead_of(names)
    stop = stop_from(*state.of(names), limits, instead)
    if stop is None:
        raise Refusal(Code.JOINT_LIMIT, NO_ROOM)
    try:
        limits.inside('the stop', stop.waypoints[-1].positions)
    except InvalidSettingError as error:
        raise Refusal(Code.JOINT_LIMIT, f'a joint is too fast to stop in time: {error}') from None
    return Plan(names, stop, limits, arm, state.positions, instead=instead)


def joined(stop: Trajectory, onward: Trajectory) -> Trajectory:
    """A stop, and then the motion that begins there."""
    later = [Waypoint(one.time + stop.duration, *one[1:]) for one in onward.waypoints[1:]]
    return Trajectory([*stop.waypoints, *later])


def time_above_floor(arm: RobotArm, planned: Plan, state: State) -> float:
    """See `time_above`; Refusal if nobody knows where the arm is."""
    if arm.floor is not None and not arm.joints.keys().isdisjoint(planned.joints):
        state.of(arm.commanded_joints)
    instead = state.instead_of(planned.joints)
    return time_above(arm, state.positions, planned.joints, planned.trajectory, instead=instead)


def to(
    arm: RobotArm,
    parameters: MotionParameters,
    positions: Mapping[str, float],
    state: State,
    speed: float = 1.0,
) -> Plan:
    """A motion of joints, together, to positions by name, from how they move now.

    Joints that are moving may brake with their full acceleration, whatever the share of the speed.
    Refusal if the joints cannot do the motion.
    """
    names = tuple(positions)
    limits = limits_of(arm, names, parameters.max_acceleration)
    start, velocities = state.of(names)
    slow = limits.slowed(speed, brakes_fully=bool(moving(state)))
    instead = state.instead_of(names)
    move = joint_move(start, velocities, [*positions.values()], slow, instead)
    return in_time(Plan(names, move, limits, arm, state.positions, instead=instead))


def in_time(planned: Plan) -> Plan:
    """The same motion; Refusal if it takes too long to be sent."""
    duration = planned.trajectory.duration
    if not duration <= LONGEST:
        raise Refusal(
            Code.NOT_FINITE,
            f'the motion would take {duration:.3g} s; ask for more speed, or raise the velocity '
            'limits of the URDF',
        )
    return planned


def above(arm: RobotArm, planned: Plan, state: State) -> Plan:
    """The same motion, or as much of it as ends at rest above the floor.

    The time to brake is found by halving, with a bound for each stop: see `time_above`. Refusal if
    the joints are too fast even to stop at once.
    """
    trajectory, names = planned.trajectory, planned.joints
    clear = time_above_floor(arm, planned, state)
    if clear >= trajectory.duration:
        return planned
    instead = state.instead_of(names)

    def is_clear(stop: Trajectory) -> bool:
        clear = time_above(arm, state.positions, names, stop, instead=instead)
        return clear >= stop.duration

    early, late = 0.0, clear
    best = _braked(planned, 0.0, instead)
    if best is None or not is_clear(best):
        raise Refusal(
            Code.FLOOR,
            'the arm is so fast and so near to the floor that it cannot leave its path yet; it '
            'goes on, above the floor; send the target again',
        )
    for _ in range(HALVINGS_OF_A_STOP):
        middle = (early + late) / 2.0
        stop = _braked(planned, middle, instead)
        if stop is not None and is_clear(stop):
            early, best = middle, stop
        else:
            late = middle
    return planned._replace(trajectory=best)


def stopped(planned: Plan, time: float, instead: Instead = ()) -> Plan | None:
    """A motion that is stopped at a time [s]: it rests as soon as it may.

    Each joint brakes at its limit. If that would leave a line that has to be kept, or get below the
    floor, the arm stays on its way and brakes along it. If the arm may be elsewhere, `instead`, the
    stop leaves time to catch up; there may be none yet, see `braked`.
    """
    stop = stop_from(*planned.trajectory.at(time), planned.limits, instead)
    if stop is not None and not planned.keeps_line and _is_clear(planned, stop, instead):
        return planned._replace(trajectory=stop, instead=instead)
    on_the_way = braked(planned.trajectory, time, planned.limits, instead)
    if on_the_way is None:
        return None
    return planned._replace(trajectory=on_the_way, instead=instead)


def standing(planned: Plan, states: Iterable[State], positions: NamedPositions) -> Plan:
    """The motion that replaces a plan whose arm stands still at these positions: it stays there.

    There is time to come back from all states: a controller may only be paused while it moves.
    """
    limits = planned.limits
    ranges = dict(zip(planned.joints, limits.ranges))
    places = tuple(nearest_in(positions[name], its) for name, its in ranges.items())
    instead = [state.of(planned.joints) for state in states]
    sent, velocities = np.array(instead).swapaxes(0, 1)
    back = later_root(4.0 * np.abs(velocities), sent - places, np.array(limits.accelerations))
    time, rest = max(TIME_TO_STAY, float(np.max(back))), (0.0,) * len(places)
    stay = Trajectory([Waypoint(0.0, places, rest), Waypoint(time, places, rest)])
    return planned._replace(trajectory=stay, instead=instead)


def _is_clear(planned: Plan, stop: Trajectory, instead: Instead) -> bool:
    """Whether a stop of a motion stays above the floor, if there is one."""
    arm, at = planned.arm, dict(planned.at)
    if arm is None:
        return True
    return time_above(arm, at, planned.joints, stop, instead=instead) >= stop.duration


def _braked(planned: Plan, time: float, instead: Instead) -> Trajectory | None:
    """A motion up to a time [s], and then a stop. If joints have to catch up, they stop at once."""
    if instead and time < planned.trajectory.waypoints[1].time:
        return stop_from(*planned.trajectory.at(0.0), planned.limits, instead)
    positions, velocities = planned.trajectory.at(time)
    before = [one for one in planned.trajectory.waypoints if one.time < time]
    rest = to_rest(positions, velocities, planned.limits).waypoints
    return Trajectory([*before, *(one._replace(time=one.time + time) for one in rest)])


def below(arm: RobotArm, state: State, planned: Plan, time: float, share: float) -> NotBegun:
    """Why a motion that is surely above the floor only up to a time [s] is not begun.

    It goes at least as deep as at some places on the rest of its way.
    """
    path, floor = planned.trajectory, arm.floor or 0.0
    moments = time + (path.duration - time) * np.geomspace(SOONEST, 1.0, LOOKS)
    places = (
        {**state.positions, **dict(zip(planned.joints, path.at(moment)[0]))}
        for moment in moments.tolist()
    )
    deep = max(0.0, *(floor - lowest(arm, place, place) for place in places))
    end, what_to_do = {**state.positions, **planned.end}, 'go there by way of a higher place'
    if (below_it := floor - lowest(arm, end, end)) > GRAZE:
        what_to_do = f'its goal is {meters_text(below_it)} below the floor, so choose another one'
    return NotBegun(
        Code.FLOOR,
        f'after {percent_text(share)} of its way, the motion would go below the floor, by '
        f'{meters_text(deep)} or more; {what_to_do}',
        share,
    )
