"""Two bones in space: hip, knee and foot, and a target for the foot.

Source: "3D 2-Bone Inverse Kinematics" (the web page 004 of the project's sources): the knee lies on
the circle where the sphere about the hip meets the sphere about the target, at its point nearest to
where the knee was; a target too far stretches both bones towards it; a target too near points the
longer bone towards it and the other back; then the smallest rotation of each bone is put into its
transform.

Added: a preferred bend direction (pole) and limits, of the knee's bend and of the hip by a cone.
A bend limit is a limit of the distance from hip to foot. The cone cuts an arc out of the knee's
circle. Out of reach of these, the foot goes to the nearest point that it can have: everything turns
about the cone's axis, so that point is in the half-plane of the axis and the target, where it lies
on one of four circles or at their ends. And the cases that the source skips: a target on the hip, a
knee on the line to the target, bones without length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.circles import angle_between_sides
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.limbs.cone import Section, nearest_in_section
from ik_circles.limbs.space import (
    Quaternion,
    Vector,
    across,
    angle_between,
    any_across,
    cross,
    dot,
    minus,
    plus,
    rotated,
    rotation_between,
    times,
    turned,
    unit,
)

Outcome = Literal['reached', 'too_far', 'too_near', 'hip_limit']

#: Points farther away have distances that overflow [m].
FARTHEST = 1e150


@dataclass(frozen=True)
class BoneLimits:
    """Limits of two bones. A bone without length has no direction, and no limit holds it.

    Parameters
    ----------
    knee : smallest and largest bend [rad]: 0 is straight, pi is folded
    hip_axis : direction in the middle of the hip's cone, of any length; None for no cone
    hip_angle : how far the upper bone may be from it [rad], 0 to pi

    Raises
    ------
    InvalidArmError, InvalidSettingError, NotFiniteError
    """

    knee: tuple[float, float] = (0.0, math.pi)
    hip_axis: tuple[float, float, float] | None = None
    hip_angle: float = math.pi

    def __post_init__(self) -> None:
        lower, upper = checks.vector('knee limits', self.knee, 2)
        if not 0.0 <= lower <= upper <= math.pi:
            raise InvalidSettingError(
                f'knee limits are ({lower}, {upper}) rad; give 0 (straight) <= lower <= upper <= '
                'pi (folded)'
            )
        angle = checks.number('hip_angle', self.hip_angle)
        if not 0.0 <= angle <= math.pi:
            raise InvalidSettingError(f'hip_angle is {angle} rad; it must be between 0 and pi')
        object.__setattr__(self, 'knee', (lower, upper))
        object.__setattr__(self, 'hip_angle', angle)
        if self.hip_axis is not None:
            axis = unit(vector('hip_axis', self.hip_axis))
            if axis is None:
                raise InvalidArmError('hip_axis has no length; give the direction of the cone')
            object.__setattr__(self, 'hip_axis', axis)


NO_LIMITS = BoneLimits()


class TwoBones(NamedTuple):
    """Where knee and foot are put [m], and how.

    `outcome`: 'reached'; 'too_far' and 'too_near' for the distance that the bones, and the limits
    of the knee, can have; 'hip_limit' where the hip's cone is in the way. `miss`: from the foot to
    the target [m]. `hip_rotation` turns the upper bone, and what hangs on it, to its new direction;
    `knee_rotation` then turns the lower bone. Both in the space of the points, (w, x, y, z), and
    the smallest that do.
    """

    knee: Vector
    foot: Vector
    outcome: Outcome
    miss: float
    hip_rotation: Quaternion
    knee_rotation: Quaternion


class Bones(NamedTuple):
    """Checked lengths [m] with what limits them: distances from hip to foot between `nearest` and
    `farthest`; the cone's axis, if any, and its angle [rad]."""

    upper: float
    lower: float
    nearest: float
    farthest: float
    limits: BoneLimits

    @classmethod
    def of(cls, upper: float, lower: float, limits: BoneLimits) -> Bones:
        """The bones of a limb as it stands."""
        checks.link_lengths('the bones', (upper, lower))
        if upper <= TOLERANCE * lower:  # no direction that a cone could hold
            limits = BoneLimits(limits.knee)
        straightest, most_folded = limits.knee
        return cls(
            upper, lower, _span(upper, lower, most_folded), _span(upper, lower, straightest), limits
        )

    @property
    def tolerance(self) -> float:
        """TOLERANCE in metres of these bones."""
        return TOLERANCE * (self.upper + self.lower)

    def hip_angle(self, distance: float) -> float:
        """Angle at the hip between the foot at a distance and the knee [rad]."""
        within = nearest_in(
            self.lower, (abs(distance - self.upper), distance + self.upper)
        )
        return angle_between_sides(distance, self.upper, within, 0.0)


def place_bones(
    hip: Vector,
    knee: Vector,
    foot: Vector,
    target: Vector,
    *,
    pole: Vector | None = None,
    limits: BoneLimits = NO_LIMITS,
) -> TwoBones:
    """Knee and foot with the foot on the target, or as near to it as bones and limits allow.

    Parameters
    ----------
    hip, knee, foot : (x, y, z) as they are [m]; the hip stays, and so do the bones' lengths
    target : (x, y, z) for the foot [m]
    pole : direction, of any length, to which the knee bends as far as it can; without one, or where
        it is along the line from hip to target, the knee moves as little as possible
    limits : of the knee's bend and of the hip

    Raises
    ------
    InvalidArmError, InvalidSettingError, NotFiniteError
    """
    start, middle, end = vector('hip', hip), vector('knee', knee), vector('foot', foot)
    goal = vector('target', target)
    wanted = None if pole is None else vector('pole', pole)
    if not isinstance(limits, BoneLimits):
        raise InvalidSettingError(f'limits are {limits!r:.60}; give BoneLimits(...)')
    upper, lower = minus(middle, start), minus(end, middle)
    bones = Bones.of(math.hypot(*upper), math.hypot(*lower), limits)
    away = minus(goal, start)
    reached, outcome = _nearest_foot(bones, away, upper, lower)
    bent = _knee(bones, reached, upper, wanted)
    reached = _foot_beyond(bones, bent, reached)
    hip_rotation, knee_rotation = _rotations(upper, lower, bent, minus(reached, bent))
    return TwoBones(
        plus(start, bent), plus(start, reached), outcome, math.dist(reached, away),
        hip_rotation, knee_rotation,
    )  # fmt: skip


def vector(name: str, values: object) -> Vector:
    """Three finite numbers, none larger than FARTHEST."""
    x, y, z = checks.vector(name, values, 3)
    if max(abs(x), abs(y), abs(z)) > FARTHEST:
        raise InvalidArmError(f'{name} is {(x, y, z)}; give numbers up to {FARTHEST:.0e}')
    return x, y, z


# --- the foot -------------------------------------------------------------------------------------


def _nearest_foot(
    bones: Bones, away: Vector, upper: Vector, lower: Vector
) -> tuple[Vector, Outcome]:
    """The point nearest to the target that the foot can have, both from the hip."""
    distance = math.hypot(*away)
    direction = unit(away) if distance > bones.tolerance else None
    if direction is None:
        direction = _direction_on_hip(bones, upper, lower)
    radius = nearest_in(distance, (bones.nearest, bones.farthest))
    outcome: Outcome = 'reached'
    if distance > bones.farthest + bones.tolerance:
        outcome = 'too_far'
    elif distance < bones.nearest - bones.tolerance:
        outcome = 'too_near'
    axis = bones.limits.hip_axis
    if axis is None:
        return times(radius, direction), outcome
    section = Section(
        bones.upper, bones.lower, bones.nearest, bones.farthest, bones.limits.hip_angle,
        bones.limits.knee,
    )  # fmt: skip
    off_axis = angle_between(direction, axis)
    sideways = across(axis, direction) or across(axis, upper) or any_across(axis)
    if abs(bones.hip_angle(radius) - off_axis) <= bones.limits.hip_angle:
        return times(radius, direction), outcome
    along, aside = nearest_in_section(
        section, (distance * math.cos(off_axis), distance * math.sin(off_axis))
    )
    foot = plus(times(along, axis), sideways, aside)
    return foot, 'reached' if math.dist(foot, away) <= bones.tolerance else 'hip_limit'


def _direction_on_hip(bones: Bones, upper: Vector, lower: Vector) -> Vector:
    """From the hip to the foot where the target is on the hip, and every direction is as good: the
    one that leaves the knee where it is."""
    if bones.upper <= bones.tolerance:
        return unit(lower) or (1.0, 0.0, 0.0)
    along = unit(upper) or (1.0, 0.0, 0.0)
    if bones.nearest <= bones.tolerance:
        return along
    folded = bones.hip_angle(bones.nearest)
    aside = across(along, lower) or any_across(along)
    return turned(unit(cross(along, aside)) or aside, folded, along)


# --- the knee -------------------------------------------------------------------------------------


def _knee(bones: Bones, foot: Vector, before: Vector, pole: Vector | None) -> Vector:
    """The point of the knee's circle that is nearest to where it was, or to the pole."""
    distance = math.hypot(*foot)
    if distance <= bones.tolerance:
        return times(bones.upper, _upper_on_hip(bones, before, pole))
    axis = unit(foot) or (1.0, 0.0, 0.0)
    angle = bones.hip_angle(distance)
    wanted = (pole and across(axis, pole)) or across(axis, before) or any_across(axis)
    wanted = _inside_cone(bones, axis, angle, wanted)
    return plus(
        times(bones.upper * math.cos(angle), axis), wanted, bones.upper * math.sin(angle)
    )


def _upper_on_hip(bones: Bones, before: Vector, pole: Vector | None) -> Vector:
    """Direction of the upper bone with the foot on the hip: where it was, or the pole, in the
    cone."""
    wanted = (pole and unit(pole)) or unit(before) or (1.0, 0.0, 0.0)
    axis, most = bones.limits.hip_axis, bones.limits.hip_angle
    if axis is None or angle_between(wanted, axis) <= most:
        return wanted
    sideways = across(axis, wanted) or any_across(axis)
    return plus(times(math.cos(most), axis), sideways, math.sin(most))


def _inside_cone(bones: Bones, axis: Vector, angle: float, wanted: Vector) -> Vector:
    """The direction across the axis nearest to the one wanted, with the knee, at an angle from the
    axis, inside the hip's cone."""
    cone, most = bones.limits.hip_axis, bones.limits.hip_angle
    if cone is None:
        return wanted
    middle = across(axis, cone)
    if middle is None:  # all around the cone's axis alike
        return wanted
    off_axis = angle_between(axis, cone)
    widest = _half_arc(angle, off_axis, most)
    turn = math.atan2(dot(cross(middle, wanted), axis), dot(middle, wanted))
    if abs(turn) <= widest:
        return wanted
    return turned(axis, wrap(math.copysign(widest, turn)), middle)


def _half_arc(angle: float, off_axis: float, most: float) -> float:
    """How far about an axis a direction at `angle` from it may turn away from another one, which is
    `off_axis` from it, to be within `most` of that: the angle of a triangle on the sphere."""
    half_sum, half_difference = (angle + off_axis) / 2.0, (angle - off_axis) / 2.0
    above = math.sin(most / 2.0) ** 2 - math.sin(half_difference) ** 2
    below = math.sin(half_sum) ** 2 - math.sin(most / 2.0) ** 2
    if below <= 0.0:
        return math.pi
    return 2.0 * math.atan2(math.sqrt(max(above, 0.0)), math.sqrt(below))


def _foot_beyond(bones: Bones, knee: Vector, foot: Vector) -> Vector:
    """The foot at the lower bone's length from the knee: on the foot but for rounding, which a
    flat triangle or a limit leaves."""
    direction = unit(minus(foot, knee))
    if direction is None:
        return foot
    placed = plus(knee, direction, bones.lower)
    return foot if math.dist(placed, foot) <= bones.tolerance else placed


# --- the rotations --------------------------------------------------------------------------------


def _rotations(
    upper: Vector, lower: Vector, new_upper: Vector, new_lower: Vector
) -> tuple[Quaternion, Quaternion]:
    """Smallest rotations that turn the upper bone, then the lower bone that it has carried along;
    bones without length are not turned. Half turns are about the axis of the bend."""
    bend = cross(new_upper, new_lower)
    hip = _rotation(upper, new_upper, bend)
    return hip, _rotation(rotated(hip, lower), new_lower, bend)


def _rotation(start: Vector, end: Vector, axis: Vector) -> Quaternion:
    first, last = unit(start), unit(end)
    if first is None or last is None:
        return 1.0, 0.0, 0.0, 0.0
    return rotation_between(first, last, axis)


def _span(upper: float, lower: float, bend: float) -> float:
    """Distance from hip to foot with the knee bent [m], exact when straight and when folded."""
    if bend in (0.0, math.pi):
        return upper + lower if bend == 0.0 else abs(upper - lower)
    sine = math.sin(bend / 2.0)
    cosine = math.cos(bend / 2.0)
    return math.hypot((upper + lower) * cosine, (upper - lower) * sine)
