# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The ways to a target in space: a planar question for each shoulder."""

import math
from collections.abc import Sequence
from copy import copy
from typing import NamedTuple, cast

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import either_way, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.intervals import Interval
from ik_circles.geometry.rigid import Point3, Rotation
from ik_circles.geometry.values import quoted
from ik_circles.planar import selection
from ik_circles.planar.model import JointPositions
from ik_circles.planar.selection import Policy
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.arm import (
    OUT_OF_PLANE_TOLERANCE,
    Configuration,
    SpatialArm,
    checked_point,
)
from ik_circles.spatial.plane import TipOrientation, TurnedAway
from ik_circles.spatial.shoulder import Place, Shoulder, ShoulderAtYaws
from ik_circles.spatial.true_axes.true_way import AskedOfWay, TrueWay
from ik_circles.spatial.yaw import Yaw

#: Orientations that differ by less than this are the same [rad]: it is far above rounding.
SAME_ORIENTATION = 1e-9
#: Planes that differ by less than this are the same [rad]: the rounding of a rotation matrix moves
#: an angle by its root.
SAME_TILT = 1e-6
#: How far an orientation may be from what the joints can do, by default [rad]: many targets are
#: typed with three digits.
TILT_TOLERANCE = 0.01


class Wanted(NamedTuple):
    """What an arm is asked for: a position in space [m], with an orientation if one is given.

    The orientation is `phi`, the angle in the plane [rad], or `rotation`, that of the tip in space
    (3x3), from which the plane may differ by `tilt_tolerance` [rad]. The position must lie inside
    the planar arm's `zones`, its own if None, and within `out_of_plane_tolerance` [m] of a plane
    that no joint turns.
    """

    point: Point3
    phi: float | None = None
    rotation: Rotation | None = None
    zones: SafeZones | None = None
    out_of_plane_tolerance: float = OUT_OF_PLANE_TOLERANCE
    tilt_tolerance: float = math.inf


def checked(
    point: Sequence[float],
    phi: float | None,
    rotation: Rotation | None,
    zones: SafeZones | None,
    out_of_plane_tolerance: float,
    tilt_tolerance: float,
) -> Wanted:
    """What is wanted, read from values of any type; an IkCirclesError if one of them is unusable.

    `Question` takes its values as they are, because the node has checked its messages.
    """
    place = checked_point(point)
    angle = None if phi is None else checks.angle('phi', phi)
    if not (phi is None or rotation is None):
        raise InvalidArmError('both phi and rotation are given; give one of them')
    rows = None if rotation is None else checks.rotation('rotation', rotation)
    tilt = checks.at_least_zero('tilt_tolerance', tilt_tolerance, 'rad')
    if not (zones is None or isinstance(zones, SafeZones)):
        raise InvalidSettingError(f'zones is {quoted(zones)}; give SafeZones, or None for its own')
    room = checks.at_least_zero('out_of_plane_tolerance', out_of_plane_tolerance, 'm')
    return Wanted(place, angle, rows, zones, room, tilt)


class Question:
    """What is wanted, as an arm sees it; `shoulders` are the ways to have the point in its plane,
    and `near` is where the arm is, if they are known."""

    def __init__(
        self, arm: SpatialArm, wanted: Wanted, shoulders: list[ShoulderAtYaws] | None = None,
        near: Configuration | None = None,
    ) -> None:  # fmt: skip
        self.arm, self.near = arm, near
        self.point, self.phi, rotation, zones, room, self.tilt_tolerance = wanted
        self.orientation = None if rotation is None else arm.tool.orientation(rotation)
        self.zones = arm.planar.safe_zones if zones is None else zones
        self.out_of_plane_tolerance = room + arm.plane.slack
        self.shoulders = self._found_shoulders() if shoulders is None else shoulders

    def of(self, arm: SpatialArm, oriented: bool = True) -> 'Question':
        """The same question about an arm with other limits, or without its floor; or without the
        orientation that is asked for."""
        other = copy(self)
        if not oriented:
            other.phi = other.orientation = None
        other.arm = arm
        other.shoulders = other._found_shoulders()
        return other

    @property
    def counted_at(self) -> float:
        """The yaw angle of the plane in which answers count an orientation in space [rad]."""
        return self.shoulders[0][0].yaw

    def _found_shoulders(self) -> list[ShoulderAtYaws]:
        """The ways to have the point in the plane, the one that faces it first."""
        plane, yaw = self.arm.plane, self.arm.yaw
        if yaw is None:
            return plane.shoulders(self.point)
        return yaw.shoulders(self.place, plane.slack)

    @cached_property
    def place(self) -> Place:
        """The point seen from the yaw axis, if the arm has one."""
        return cast('Yaw', self.arm.yaw).place_of(*self.arm.plane.into(self.point))

    def ways(self) -> list['WayToPoint']:
        """The planar answers of all shoulders, the one that faces the target first."""
        some, yaw = self.shoulders, self.arm.yaw
        if yaw is not None and self.orientation is not None:
            some = self._turned_as_wanted(some, yaw, self.orientation)
        return [WayToPoint(self, *one) for one in some]

    def phi_at(self, yaw: float) -> float | None:
        """The orientation wanted in the plane at a yaw angle, if any [rad]."""
        return self.phi if self.orientation is None else self.orientation.angle(yaw)

    def _turned_as_wanted(
        self, found: list[ShoulderAtYaws], yaw: Yaw, wanted: TipOrientation
    ) -> list[ShoulderAtYaws]:
        """The shoulders of the target; on the yaw axis, those with the wanted orientation. If one
        of them is forbidden, the limits count, and it comes last, as the reason.

        Leaning axes may count a target beside the axis as on it."""
        arm, on_axis = self.arm, bool(found) and found[0][0].on_axis
        if not (on_axis or (arm.leaning is not None and arm.plane.is_next_to_axis(self.point))):
            return found
        point, angle = yaw.in_plane(0.0, self.place.height), wanted.yaw_by(yaw)
        same = SAME_ORIENTATION if arm.leaning is None else arm.leaning.turns_on_limit
        both = [(one, yaw.turns(one, same)) for one in either_way(angle)]
        chosen = [(Shoulder(turns[0], point), turns) for _, turns in both if turns]
        forbidden = [(Shoulder(one, point), turns) for one, turns in both if not turns]
        ends = [(Shoulder(end, point), [end]) for end in yaw.ends() if forbidden and on_axis]
        return [*chosen, *([] if on_axis and chosen else found), *ends, *forbidden]

    def reaching(self, ways: Sequence['WayToPoint']) -> list['WayToPoint']:
        """The ways that reach the target.

        With leaning axes, all level ways are given if one of them does: their solutions tell which.
        """
        if self.arm.leaning is None:
            return [way for way in ways if way.yaws and way.is_level and way.found.reachable]
        level = [way for way in ways if way.is_level]
        true = [way.true for way in level if way.true]
        is_met = any(one.is_clear for one in true) or any(one.is_met for one in true)
        return level if is_met else []

    def reaching_position(self, ways: Sequence['WayToPoint']) -> list['WayToPoint']:
        """The ways that reach the position, whatever the orientation."""
        is_clear = any(way.true.position_is_clear for way in ways if way.true)
        return [way for way in ways if way.reaches_position(is_clear)]


class WayToPoint:
    """One shoulder with the planar answer `found` there.

    `yaws` are the angles that the yaw joint can take for it [rad]. `phi` is the orientation wanted
    in the plane [rad], if any. `is_level` says whether that is near enough to the one asked for.
    """

    def __init__(self, question: Question, shoulder: Shoulder, yaws: list[float]) -> None:
        arm, wanted, allowed = question.arm, question.orientation, question.tilt_tolerance
        self.shoulder, self.yaws, self._question = shoulder, yaws, question
        self.phi = question.phi_at(shoulder.yaw)
        self.true = None
        if arm.leaning is not None:
            asked = AskedOfWay(question.point, self.phi, wanted, allowed, question.zones)
            self.true = TrueWay(arm.leaning, asked, shoulder, yaws, self.found)
        is_any = wanted is None or allowed >= math.pi
        self.is_level = is_any or self._is_within(allowed)

    @cached_property
    def found(self) -> Reachability:
        """The planar answer. Most arms cannot turn round to their second shoulder, and never ask
        for the answer there."""
        arm, point, zones = self._question.arm, self.shoulder.point, self._question.zones
        return Reachability(arm.planar.workspace, point, self.phi, zones, arm.labels)

    def reaches_position(self, is_clear: bool) -> bool:
        """Whether it reaches the position; `is_clear` says whether some way certainly does."""
        is_met = bool(self.yaws) and self.found.position_reachable
        return is_met if not self.true or (is_met and is_clear) else self.true.position_met

    def _is_within(self, allowed: float) -> bool:
        """Whether the orientation is off by no more than an angle plus the axes' error [rad]."""
        true = self.true
        if true and not true.may_turn_by(self._tilt_of_parallel_axes - allowed):
            return False
        return self.tilt <= allowed + (true.leaning.turns_on_limit if true else 0.0)

    @cached_property
    def tilt(self) -> float:
        """How far the tool's orientation in the plane is from the one asked for [rad]."""
        true = None if self.true is None else self.true.tilt
        return self._tilt_of_parallel_axes if true is None else true

    @property
    def _tilt_of_parallel_axes(self) -> float:
        wanted, phi = self._question.orientation, self.phi
        return 0.0 if wanted is None or phi is None else wanted.tilt(phi, self.shoulder.yaw)

    @property
    def solutions(self) -> list[Configuration]:
        """Every configuration that reaches the target. If any orientation will do, they have the
        orientation of `nearest`."""
        if self.true:
            return [Configuration(*one) for one in self.true.solutions]
        return [Configuration(yaw, q) for yaw in self.yaws for q in self.found.solutions]

    def solutions_near(self, near: Configuration) -> list[Configuration]:
        """`solutions`, but only the member of a family that is nearest to another configuration."""
        planar = self._question.arm.planar
        if self.true:
            return [Configuration(*one) for one in self.true.solutions_near(near.q)]
        if self.phi is None or not planar.may_have_free_joint:
            return self.solutions
        found = planar.solver.solutions(*self.shoulder.point, self.phi, near.q)
        return [Configuration(yaw, q) for yaw in self.yaws for q in found]

    def turned_in_plane(self, q: JointPositions) -> float:
        """How far the tool is from the orientation wanted in the plane, at joint angles [rad]."""
        if self.phi is None or (self.true and self.true.solutions):
            return 0.0
        return abs(wrap(sum(q) - self.phi))

    def count(self, phi: float) -> float:
        """An orientation in the plane as answers about a rotation count it [rad].

        They count all angles in the plane that faces the target. If this plane is turned round, the
        result is the angle of the same pitch there.
        """
        yaw = self._question.arm.yaw
        if yaw is None or not self._is_turned_round:
            return wrap(phi)
        along_x, along_y = yaw.along
        return wrap(2.0 * math.atan2(along_y, along_x) - phi)

    def counted(self, intervals: list[Interval]) -> list[Interval]:
        """Orientations in the plane, counted as in `count`."""
        if not self._is_turned_round:
            return intervals
        lowers = ((self.count(upper), upper - lower) for lower, upper in intervals)
        return [(lower, lower + width) for lower, width in lowers]

    @property
    def _is_turned_round(self) -> bool:
        """Whether an answer about a rotation counts orientations opposite to this plane."""
        question, yaw = self._question, self.shoulder.yaw
        return question.orientation is not None and math.cos(yaw - question.counted_at) < 0.0

    @property
    def turned_away(self) -> TurnedAway:
        """How far heading and roll are from those asked for in space, behind a yaw joint [rad]."""
        wanted, phi = cast('TipOrientation', self._question.orientation), cast('float', self.phi)
        return wanted.turned_away(phi, self.shoulder.yaw)

    def policy(self, policy: Policy) -> Policy:
        """A policy translated into the plane of this way.

        Reaching backwards, the arm is seen from behind: the elbow that is up along the yaw axis is
        on the right of the line from base to wrist.
        """
        yaw = self._question.arm.yaw
        if policy.branch == 'nearest' or yaw is None or yaw.faces(self.shoulder.point):
            return policy
        return policy.mirrored

    def is_on_branch(self, q: JointPositions, policy: Policy) -> bool:
        """Whether the elbow is as the policy asks at joint angles [rad].

        With leaning axes, the tip may be on the other side of the yaw axis than with parallel ones.
        So each configuration has a side of its own.
        """
        if self.true is not None:
            return self._question.arm.is_on_branch(q, policy)
        return selection.is_on_branch(q, self.policy(policy).branch)

    def has_branch(self, policy: Policy) -> bool:
        """Whether the point has a solution with the elbow as the policy asks."""
        if not (self.yaws and self.found.position_reachable):
            return False
        workspace, branch = self._question.arm.planar.workspace, self.policy(policy).branch
        return selection.has_branch(workspace, *self.shoulder.point, branch)
