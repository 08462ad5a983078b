# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reading one <joint> of a URDF; anything invalid is refused with one sentence."""

from __future__ import annotations

import math
from typing import TypeAlias
from xml.sax.xmlreader import AttributesImpl

import numpy as np

from ik_circles.errors import InvalidUrdfError
from ik_circles.geometry import checks
from ik_circles.geometry.rigid import Matrix
from ik_circles.robot.text import required_name, shown
from ik_circles.robot.tree import MOVABLE, Mimic, UrdfJoint

#: Largest number in an <origin> [m or rad], so that sums of them stay finite and exact enough.
MAX_NUMBER = 1e6
#: An axis with only smaller components than this has no direction, because they are rounding [1].
SHORTEST_AXIS = 1e-6
#: Limits beyond this on both sides mean that there are none [rad]: converters write 1e16. Limits in
#: degrees are not that wide.
NO_LIMIT = 1000.0

TYPES = (*MOVABLE, 'fixed', 'floating', 'planar')
#: The elements that are read inside a <joint>.
PARTS = ('parent', 'child', 'origin', 'axis', 'limit', 'mimic')

#: Shared by all joints without an <origin>.
IDENTITY: Matrix = np.eye(4)
#: Shared by all joints without an <axis>.
X_AXIS: Matrix = np.array([1.0, 0.0, 0.0])
IDENTITY.flags.writeable = X_AXIS.flags.writeable = False

Attributes: TypeAlias = 'AttributesImpl[str]'
#: The attributes of a <joint> and of the first element of each kind in it, by tag.
Parts: TypeAlias = 'dict[str, Attributes]'


def joint_of(parts: Parts) -> UrdfJoint:
    """The joint that a <joint> and the elements in it describe."""
    own = parts['joint']
    name, kind = required_name('joint', own.get('name', '')), own.get('type', '')
    where = f"joint '{shown(name)}'"
    if kind not in TYPES:
        raise InvalidUrdfError(
            f"{where} has type '{shown(kind)}'; it must be one of {', '.join(TYPES)}"
        )
    limit = parts.get('limit')
    lower, upper = _limits(limit, kind, where)
    return UrdfJoint(
        name=name,
        type=kind,
        parent=_link_of(parts, 'parent', where),
        child=_link_of(parts, 'child', where),
        origin=_origin(parts.get('origin'), where),
        axis=_axis(parts.get('axis'), kind, where),
        lower=lower,
        upper=upper,
        velocity=_velocity(limit, kind, where),
        mimic=_mimic(parts.get('mimic'), where),
    )


def _link_of(parts: Parts, tag: str, where: str) -> str:
    link = parts[tag].get('link', '') if tag in parts else ''
    if not link:
        raise InvalidUrdfError(f'{where} names no {tag} link; add <{tag} link="…"/>')
    return link


def _numbers(part: Attributes, attribute: str, default: str, where: str) -> list[float]:
    """The numbers in an attribute; their count must be that of the default."""
    text, count = part.get(attribute, default), len(default.split())
    words = text.split(None, count)
    try:
        values = [float(word) for word in words[:count]]
        sound = text.isascii() and '_' not in text  # float() reads more than other parsers do
    except ValueError:
        sound = False
    if not sound:
        raise InvalidUrdfError(
            f"{where} has {attribute}='{shown(text)}'; numbers are expected (expand xacro first)"
        )
    if len(words) != count or not all(map(math.isfinite, values)):
        wanted = 'one finite number is' if count == 1 else f'{count} finite numbers are'
        raise InvalidUrdfError(f"{where} has {attribute}='{shown(text)}'; {wanted} expected")
    return values


def _origin(part: Attributes | None, where: str) -> Matrix:
    """Pose of the child in the parent (4x4) at position 0."""
    if part is None:
        return IDENTITY
    xyz, rpy = (_numbers(part, attribute, '0 0 0', where) for attribute in ('xyz', 'rpy'))
    for attribute, values in (('xyz', xyz), ('rpy', rpy)):
        if max(map(abs, values)) > MAX_NUMBER:
            raise InvalidUrdfError(
                f"{where} has {attribute}='{shown(part[attribute])}'; numbers of at most "
                f'{MAX_NUMBER:.0e} are expected'
            )
    (cr, cp, cy), (sr, sp, sy) = map(math.cos, rpy), map(math.sin, rpy)
    x, y, z = xyz
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, x],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, y],
            [-sp, cp * sr, cp * cr, z],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def _axis(part: Attributes | None, kind: str, where: str) -> Matrix:
    """Direction of the axis in the child, as a unit vector."""
    if part is None or kind not in MOVABLE:
        return X_AXIS
    axis = _numbers(part, 'xyz', '1 0 0', where)
    largest = max(map(abs, axis))
    if largest < SHORTEST_AXIS:
        raise InvalidUrdfError(
            f"{where} has axis='{shown(part['xyz'])}' of no length; give it a direction"
        )
    axis = [value / largest for value in axis]  # the square of 1e200 overflows
    return np.array(axis) / math.hypot(*axis)


def _mimic(part: Attributes | None, where: str) -> Mimic | None:
    """The joint that this one follows, if any."""
    if part is None:
        return None
    (multiplier,) = _numbers(part, 'multiplier', '1', where)
    (offset,) = _numbers(part, 'offset', '0', where)
    return Mimic(part.get('joint', ''), multiplier, offset)


def _limits(part: Attributes | None, kind: str, where: str) -> tuple[float, float]:
    """Lower and upper limit [rad or m]; infinite if there is none."""
    if kind not in ('revolute', 'prismatic'):
        return -math.inf, math.inf
    if part is None:
        raise InvalidUrdfError(f'{where} has no <limit>; a {kind} joint needs lower and upper')
    (lower,), (upper,) = (_numbers(part, name, '0', where) for name in ('lower', 'upper'))
    if lower > upper:
        raise InvalidUrdfError(
            f'{where} has its limits upside down: lower {lower:.6g} > upper {upper:.6g}; swap them'
        )
    if kind == 'revolute' and checks.has_many_turns(lower, upper):
        if min(-lower, upper) >= NO_LIMIT:
            return -math.inf, math.inf
        raise InvalidUrdfError(
            f'{where} has limits {lower:.6g} to {upper:.6g} rad, more than '
            f"{checks.MOST_TURNS} turns; are they in degrees? give radians, or type 'continuous'"
        )
    return lower, upper


def _velocity(part: Attributes | None, kind: str, where: str) -> float | None:
    """The largest velocity [rad/s or m/s]; None for 0, which exporters write if it is unknown."""
    if part is None or kind not in MOVABLE:
        return None
    (velocity,) = _numbers(part, 'velocity', '0', where)
    if velocity < 0.0:
        raise InvalidUrdfError(
            f'{where} has velocity {velocity:.6g}; it must be at least 0, where 0 means not given'
        )
    return velocity or None
