"""A question about a target in space becomes one planar question for each shoulder."""

from __future__ import annotations

import math
from typing import NamedTuple

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.rigid import Point3, Rotation
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.model import SpatialModel
from ik_circles.spatial.yaw import Shoulder, Turns

#: Orientations that differ by less than this are the same [rad]: it is far above rounding.
SAME_ORIENTATION = 1e-9


class Question(NamedTuple):
    """A target: a position in space [m], with an orientation of the tool if one is given.

    The orientation is `phi`, the angle in the plane [rad], or `rotation`, that of the tip in space
    (3x3), from which the plane may differ by `tilt_tolerance` [rad]. The position must lie inside
    the planar arm's `zones`, and within `out_of_plane_tolerance` [m] of a plane that no joint
    turns.
    """

    point: Point3
    phi: float | None
    rotation: Rotation | None
    zones: SafeZones
    out_of_plane_tolerance: float
    tilt_tolerance: float


class Way(NamedTuple):
    """One shoulder with the planar answer `found` there.

    `yaws` are the angles that the yaw joint can take for it [rad]. `phi` is the orientation wanted
    in the plane and `tilt` how far that is from the one asked for [rad], None where it need not be
    known. `is_level` says whether it is near enough.
    """

    shoulder: Shoulder
    yaws: list[float]
    phi: float | None
    tilt: float | None
    is_level: bool
    found: Reachability


def ways(arm: SpatialModel, question: Question) -> list[Way]:
    """The planar answers of all shoulders, the one that faces the target first."""
    return [ask(arm, question, *turns) for turns in _shoulders(arm, question)]


def ask(arm: SpatialModel, question: Question, shoulder: Shoulder, yaws: list[float]) -> Way:
    """The planar question of one shoulder."""
    phi, tilt = question.phi, None
    if question.rotation is not None:
        if question.tilt_tolerance < math.pi:
            phi, tilt = arm.tool.orientation(question.rotation, shoulder.yaw)
        else:
            phi = arm.tool.angle(question.rotation, shoulder.yaw)
    found = Reachability(
        arm.planar.workspace, shoulder.point, phi, question.zones, arm.labels
    )
    is_level = tilt is None or tilt <= question.tilt_tolerance
    return Way(shoulder, yaws, phi, tilt, is_level, found)


def tilt_of(arm: SpatialModel, question: Question, way: Way) -> float:
    """How far the tool's orientation in the way's plane is from the one asked for [rad]."""
    if question.rotation is None or way.phi is None:
        return 0.0
    if way.tilt is not None:
        return way.tilt
    return arm.tool.tilt(question.rotation, way.phi, way.shoulder.yaw)


def _shoulders(arm: SpatialModel, question: Question) -> list[Turns]:
    """The shoulders of the target.

    On the yaw axis, where any yaw angle works, the wanted orientation chooses it: the angle that
    gives it, and the opposite one.
    """
    found = arm.plane.shoulders(question.point)
    yaw = arm.yaw
    if yaw is None or question.rotation is None or not (found and found[0][0].on_axis):
        return found
    point, angle = found[0][0].point, arm.tool.yaw_of(question.rotation)
    both = (yaw.turns(wrap(angle + half), SAME_ORIENTATION) for half in (0.0, math.pi))
    return [(Shoulder(turns[0], point), turns) for turns in both if turns] or found
