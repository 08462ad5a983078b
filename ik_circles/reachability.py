"""The verdict on a target: reachable or not, why and by how much, and the nearest that works."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ik_circles.angles import excess, wrap
from ik_circles.circles import Point
from ik_circles.inverse import solutions, unlimited
from ik_circles.orientation import (
    Interval,
    intervals,
    middle_of_widest,
    nearest_orientation,
    orientation_cuts,
)
from ik_circles.workspace import SafeZones

if TYPE_CHECKING:
    from ik_circles.arm import JointPositions, PlanarArm, Pose2D


class Code(IntEnum):
    """Why a target was taken or not; the same numbers in IkStatus.msg and CheckReachability.srv."""

    OK = 0
    TOO_FAR = 1
    TOO_CLOSE = 2
    JOINT_LIMIT = 3
    ORIENTATION = 4
    OUT_OF_PLANE = 5
    BAD_FRAME = 6
    NOT_FINITE = 7
    NO_MODEL = 8
    STALE = 9
    JUMP = 10


class JointLabel(NamedTuple):
    """How a message speaks of a joint: its name, and +1 or -1 for the sense it counts in."""

    name: str
    sign: int = 1


UNNAMED = JointLabel('joint 1'), JointLabel('joint 2'), JointLabel('joint 3')


@dataclass(frozen=True)
class Reachability:
    """Answer of `check_reachability`.

    Attributes
    ----------
    reachable, code, message : the verdict, its reason and the sentence with the figure
    nearest : the target itself where it is reachable (with the given orientation, or the middle of
        the widest interval); else the same position with the nearest orientation that works; else
        the nearest reachable point. None only if safe zones and limits share no point.
    nearest_joint_positions : joint positions [rad] at `nearest`
    orientation_intervals : orientations with which the position can be reached [rad]
    margin : distance of the position to the workspace's boundary [m]; negative outside, where it
        is the distance to `nearest` (computed when asked for)
    solutions : every joint triple at `nearest` if reachable, else [] (computed when asked for)
    """

    reachable: bool
    code: Code
    message: str
    nearest: Pose2D | None
    nearest_joint_positions: JointPositions | None
    orientation_intervals: list[Interval]
    _arm: PlanarArm = field(repr=False)
    _zones: SafeZones = field(repr=False)
    _target: Point = field(repr=False)

    @cached_property
    def margin(self) -> float:
        """Signed distance to the boundary [m]; see the class."""
        if self.nearest is None:
            return math.nan
        if not self.orientation_intervals:
            return -math.dist(self._target, self.nearest[:2])
        distance = math.hypot(*self._target)
        to_zones = [self._zones.outer - distance]
        if self._zones.inner > 0.0:
            to_zones.append(distance - self._zones.inner)
        return max(0.0, min(self._arm.workspace.distance_to_boundary(self._target), *to_zones))

    @cached_property
    def solutions(self) -> list[JointPositions]:
        """Every joint triple that reaches the target; see the class."""
        if not self.reachable or self.nearest is None:
            return []
        return solutions(self._arm, *self.nearest)


def check(
    arm: PlanarArm,
    target: Point,
    phi: float | None,
    zones: SafeZones,
    labels: tuple[JointLabel, JointLabel, JointLabel] = UNNAMED,
) -> Reachability:
    """The verdict for a position inside the safe zones, and an orientation if one is given."""
    in_zones = zones.contains(math.hypot(*target), arm.tolerance)
    found = intervals(arm, *target) if in_zones else []
    if not found:
        return _unreachable(arm, target, phi, zones, labels)
    wanted = middle_of_widest(found) if phi is None else wrap(phi)
    candidates = solutions(arm, *target, wanted)
    if candidates:
        code, message = Code.OK, _reachable_with(found)
    else:
        code, wanted = Code.ORIENTATION, nearest_orientation(found, wanted)
        candidates = solutions(arm, *target, wanted)
        message = _wrong_orientation(arm, target, phi or 0.0, wanted, labels)
    return Reachability(
        reachable=code is Code.OK,
        code=code,
        message=message,
        nearest=arm.pose(*target, wanted),
        nearest_joint_positions=candidates[0],
        orientation_intervals=found,
        _arm=arm,
        _zones=zones,
        _target=target,
    )


def _unreachable(
    arm: PlanarArm,
    target: Point,
    phi: float | None,
    zones: SafeZones,
    labels: tuple[JointLabel, JointLabel, JointLabel],
) -> Reachability:
    joints = arm.workspace.nearest(target, zones)
    nearest = None if joints is None else arm.forward_kinematics(joints)
    away = math.inf if nearest is None else math.dist(target, nearest[:2])
    code, message, missing = _reason(arm, target, phi, zones, labels)
    if nearest is None:
        message += '; the joint limits allow no point inside the safe zones'
    elif abs(away - missing) > 1e-6 * arm.max_reach:
        message += f'; the nearest reachable point is {_metres(away)} away'
    return Reachability(
        reachable=False,
        code=code,
        message=message,
        nearest=nearest,
        nearest_joint_positions=joints,
        orientation_intervals=[],
        _arm=arm,
        _zones=zones,
        _target=target,
    )


# --- reasons --------------------------------------------------------------------------------------


def _reason(
    arm: PlanarArm,
    target: Point,
    phi: float | None,
    zones: SafeZones,
    labels: tuple[JointLabel, JointLabel, JointLabel],
) -> tuple[Code, str, float]:
    """Code, sentence, and the distance [m] that the sentence explains."""
    distance = math.hypot(*target)
    margin = f' and the safe zone margin is {_metres(zones.margin)}' if zones.margin else ''
    if distance > zones.outer + arm.tolerance:
        missing = distance - zones.outer
        why = f'the arm reaches {_metres(arm.max_reach)}{margin}'
        return Code.TOO_FAR, f'too far by {_metres(missing)}: {why}', missing
    if distance < zones.inner - arm.tolerance:
        missing = zones.inner - distance
        why = f'the arm reaches to within {_metres(arm.min_reach)} of its base{margin}'
        return Code.TOO_CLOSE, f'too close by {_metres(missing)}: {why}', missing
    return Code.JOINT_LIMIT, _limit_sentence(arm, target, phi, labels), 0.0


def _limit_sentence(
    arm: PlanarArm,
    target: Point,
    phi: float | None,
    labels: tuple[JointLabel, JointLabel, JointLabel],
) -> str:
    """Which joint would pass which limit by how much, for the best branch."""
    directions = [math.atan2(target[1], target[0]), *orientation_cuts(arm, *target)]
    orientations = directions if phi is None else [phi]
    passed = [
        max(zip(_excesses(arm, q), labels, strict=True), key=lambda pair: abs(pair[0]))
        for orientation in orientations
        for q in unlimited(arm, *target, orientation)
    ]
    if not passed:
        return _limit_sentence(arm, target, None, labels)
    over, label = min(passed, key=lambda pair: abs(pair[0]))
    which = 'upper' if over * label.sign > 0.0 else 'lower'
    return f'{label.name} would exceed its {which} limit by {_degrees(abs(over))}'


def _excesses(arm: PlanarArm, q: JointPositions) -> list[float]:
    return [excess(angle, limits)[1] for angle, limits in zip(q, arm.limits, strict=True)]


def _reachable_with(found: list[Interval]) -> str:
    if found == [(-math.pi, math.pi)]:
        return 'reachable with every tool orientation'
    ranges = ', '.join(f'{math.degrees(a):.1f} to {math.degrees(b):.1f} deg' for a, b in found)
    return f'reachable with tool orientations {ranges}'


def _wrong_orientation(
    arm: PlanarArm,
    target: Point,
    phi: float,
    works: float,
    labels: tuple[JointLabel, JointLabel, JointLabel],
) -> str:
    length_1, length_2, length_3 = arm.link_lengths
    wrist = math.hypot(
        target[0] - length_3 * math.cos(phi), target[1] - length_3 * math.sin(phi)
    )
    if wrist > length_1 + length_2 + arm.tolerance:
        why = f'the wrist would be too far by {_metres(wrist - length_1 - length_2)}'
    elif wrist < abs(length_1 - length_2) - arm.tolerance:
        why = f'the wrist would be too close by {_metres(abs(length_1 - length_2) - wrist)}'
    else:
        why = _limit_sentence(arm, target, phi, labels)
    return (
        f'not with tool orientation {math.degrees(phi):.1f} deg: {why}; '
        f'the nearest that works is {math.degrees(works):.1f} deg'
    )


def _metres(length: float) -> str:
    """Three decimals, more for what is smaller than that."""
    return f'{length:.3f} m' if length >= 0.0005 or length == 0.0 else f'{length:.2g} m'


def _degrees(angle: float) -> str:
    degrees = math.degrees(angle)
    return f'{degrees:.1f} deg' if degrees >= 0.05 else f'{degrees:.2g} deg'
