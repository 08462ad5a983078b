# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles that put the tip on its target although the axes lean, whatever the limits.

The yaw joint turns exactly, about its own axis. The axes of the three joints lean a little. So the
closed form for parallel axes puts the tip beside the target, by an error that hardly changes with
the angles. The closed form is then asked again, for the target minus that error. Each repetition
multiplies the remaining error by the angle of the lean.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from operator import sub
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Point3, cross_product
from ik_circles.geometry.tolerances import EITHER_ELBOW
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.plane import TipOrientation
from ik_circles.spatial.true_axes.bounds import CLOSES, Bounds
from ik_circles.spatial.true_axes.hinges import MET, HingeChain
from ik_circles.spatial.yaw import Yaw

#: An orientation this near to the wanted one needs no further correction [rad].
TURNED = 1e-14
#: How often the closed form is asked. Three times is enough, except for a straight or folded elbow.
TIMES_ASKED = 6
#: Stands for the angles of the last answer before there is one [rad].
UNASKED: JointPositions = (math.tau, math.tau, math.tau)


class Sought(NamedTuple):
    """The tip at `point` [m] with the tool at `phi` in the plane [rad].

    If there is an `orientation` of the tip in space, `phi` is read from it. A `loose` orientation
    may be off by as much as the limits require. If a joint stays free, the three joints are as near
    as possible to `near` [rad], or to home without it.
    """

    point: Point3
    phi: float
    orientation: TipOrientation | None = None
    loose: bool = False
    near: JointPositions | None = None


class Aimed(NamedTuple):
    """The yaw angle and the angles in the plane, whatever the limits [rad]; the orientation that
    they aim at [rad]; how far they may still be off [rad]; how far the tip misses the target [m].
    """

    yaw: float
    q: JointPositions
    phi: float
    off: float
    miss: float


class Seen(NamedTuple):
    """Where the tip is at some joint angles, and where it should be.

    Attributes
    ----------
    yaw : float
        The angle that turns the plane to the target [rad].
    tip, target : tuple of two floats
        Outwards from the yaw axis and along it [m]; without a yaw joint, in the axes of the plane.
    beside : float
        How far beside the yaw axis the tip is [m].
    """

    yaw: float
    tip: Point
    target: Point
    beside: float

    @property
    def miss(self) -> float:
        """How far the tip is from the target [m]."""
        return math.dist(self.tip, self.target)


@dataclass(frozen=True, eq=False)
class Aiming:
    """Finds angles that put the tip on its target; `chain` and `bounds` are those of a `Leaning`.
    """

    bounds: Bounds
    chain: HingeChain

    def closed_form(self, sought: Sought, side: float, elbow: int) -> Aimed:
        """The angles with the elbow up (0) or down (1), at one side of the yaw axis."""
        target, phi, yaw_joint = self.target_of(sought), sought.phi, self.bounds.plane.yaw
        error_a, error_b, q = 0.0, 0.0, UNASKED
        a, b = self._outwards_of(target, side, self.bounds.plane.aside), target[1]
        for _ in range(TIMES_ASKED):
            last, q = q, self._triangle(a - error_a, b - error_b, phi, elbow)
            seen = self.look(q, target, side)
            yaw, (tip_a, tip_b), (a, b) = seen.yaw, seen.tip, seen.target
            x, y, _ = self.bounds.planar.pose_at(q)
            plane_a, plane_b = yaw_joint.from_axis((x, y)) if yaw_joint else (x, y)
            error_a, error_b = tip_a - plane_a, tip_b - plane_b
            phi = self.turned_as(sought, yaw, q)
            miss = seen.miss
            if miss <= MET and abs(phi - sum(q)) <= TURNED:
                last = q
                break
            if miss > self.bounds.at(a) and last != UNASKED:
                miss = math.inf  # the orientation is out of reach
                break
        off = max(abs(wrap(i - j)) for i, j in zip(q, last))
        if sought.orientation and yaw_joint:
            # Next to the yaw axis, the orientation determines the yaw angle better than the target.
            turn = self._turn_missing(sought.orientation, yaw_joint, yaw, q)
            moved = miss + abs(turn) * math.hypot(target[0], target[2])
            if moved <= CLOSES / 2.0:
                yaw, miss = yaw + turn, moved
        return Aimed(yaw, q, phi, off, miss)

    def _triangle(self, a: float, b: float, phi: float, elbow: int) -> JointPositions:
        """Angles for parallel axes [rad]; out of reach, the elbow is straight or folded."""
        planar, yaw = self.bounds.planar, self.bounds.plane.yaw
        x, y = planar.wrist(*(yaw.in_plane(a, b) if yaw else (a, b)), phi)
        elbows = planar.solver.triangle.elbow_up_and_down(x, y, x * x + y * y)
        upper_arm, forearm = elbows[elbow]
        return upper_arm, forearm - upper_arm, phi - forearm

    def target_of(self, sought: Sought) -> Point3:
        """The target as the true yaw axis sees it [m]."""
        return self.seen(self.bounds.plane.into(sought.point))

    def look(self, q: JointPositions, target: Point3, side: float) -> Seen:
        """Where the tip is at angles in the plane, with a side of the plane turned to a target."""
        tip = self.seen(self._three.tip(q))
        outwards = self._outwards_of(target, side, tip[2])
        if self.bounds.plane.yaw and abs(outwards) <= self.bounds.nearly:
            outwards = self._sloping_to(target, side, tip, self._slope(q))
        return self._seen_with(tip, target, outwards)

    def look_outwards(self, q: JointPositions, target: Point3, outwards: float) -> Seen:
        """The same with the plane turned so that the target is this far outwards [m]."""
        return self._seen_with(self.seen(self._three.tip(q)), target, outwards)

    def _seen_with(self, tip: Point3, target: Point3, outwards: float) -> Seen:
        tip_a, tip_b, beside = tip
        yaw = 0.0
        if self.bounds.plane.yaw:
            yaw = math.atan2(target[2], target[0]) - math.atan2(beside, outwards)
        return Seen(yaw, (tip_a, tip_b), (outwards, target[1]), beside)

    def look_turned(self, sought: Sought, target: Point3, q: JointPositions) -> Seen:
        """The same with the plane turned as an orientation in space asks, behind a yaw joint."""
        tip_a, tip_b, beside = self.seen(self._three.tip(q))
        yaw, orientation, joint = 0.0, sought.orientation, self.bounds.plane.yaw
        if orientation and joint:
            for _ in range(2):  # the second time, only the lean's share of an error is left
                yaw += self._turn_missing(orientation, joint, yaw, q)
        outwards = target[0] * math.cos(yaw) + target[2] * math.sin(yaw)
        return Seen(yaw, (tip_a, tip_b), (outwards, target[1]), beside)

    def in_plane(self, a: float, b: float) -> Point:
        """The vector that leads `a` outwards from the yaw axis and `b` along it [m]."""
        yaw = self.bounds.plane.yaw
        if yaw is None:
            return a, b
        along_x, along_y = yaw.along
        return a * along_y + b * along_x, b * along_y - a * along_x

    def turned_as(self, sought: Sought, yaw: float, q: JointPositions) -> float:
        """The orientation in the plane that turns the tool as sought, near these angles [rad]."""
        if sought.orientation is None:
            return sought.phi
        return sum(q) + self._missing(sought.orientation, yaw, q)

    def _missing(self, orientation: TipOrientation, yaw: float, q: JointPositions) -> float:
        """How far the tool has to be turned in the plane to be as wanted [rad]."""
        return wrap(orientation.angle(yaw) - self._now(orientation, yaw, q).angle(yaw))

    def _turn_missing(
        self, orientation: TipOrientation, joint: Yaw, yaw: float, q: JointPositions
    ) -> float:
        """How far the yaw joint has to turn the tool to be as wanted about its axis [rad]."""
        return wrap(orientation.yaw_by(joint) - self._now(orientation, yaw, q).yaw_by(joint))

    def _now(self, orientation: TipOrientation, yaw: float, q: JointPositions) -> TipOrientation:
        """The orientation that the tip has, in place of another one."""
        angles = q if self.bounds.plane.yaw is None else (yaw, *q)
        x, y, z = (self.chain.turned(angles, axis) for axis in PLANE_AXES)
        return orientation._replace(from_zero=list(zip(x, y, z)))

    # --- seen from the true yaw axis ---

    def seen(self, place: Point3) -> Point3:
        """How far a place is outwards from the yaw axis, along it and beside it [m].

        The place is given in the axes of the plane. Without a yaw joint, it is returned as it is.
        """
        if self.bounds.plane.yaw is None:
            return place
        return self._directed(map(sub, place, self.chain.hinges[0].point))

    def _directed(self, vector: Iterable[float]) -> Point3:
        """A vector of the plane's axes in the axes of `seen`."""
        (a, b, c), (d, e, f), (g, h, i) = self._axes
        x, y, z = vector
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z

    def _outwards_of(self, target: Point3, side: float, beside: float) -> float:
        """How far outwards turning brings a target in a plane that passes `beside` the yaw axis
        [m]."""
        if self.bounds.plane.yaw is None:
            return target[0]
        radius, past = math.hypot(target[0], target[2]), abs(beside)
        return side * math.sqrt(max(0.0, (radius - past) * (radius + past)))

    def _sloping_to(self, target: Point3, side: float, tip: Point3, slope: float) -> float:
        """How far outwards the tip is as far from the yaw axis as a target [m].

        On the way there from where the tip is, its distance beside the axis changes with a slope
        [1], which matters where the shoulders meet. This is a quadratic equation.
        """
        radius, square = math.hypot(target[0], target[2]), 1.0 + slope * slope
        far, past = radius * math.sqrt(square), abs(tip[2] - slope * tip[0])
        root = math.sqrt(max(0.0, (far - past) * (far + past)))
        return tip[0] + (side * root - tip[0] - slope * tip[2]) / square

    def _slope(self, q: JointPositions) -> float:
        """By how much the tip comes farther beside the yaw axis while it goes outwards, with its
        height and the tool's orientation kept [1]; 0 with an elbow that cannot go that way."""
        if abs(math.sin(q[1])) <= EITHER_ELBOW:
            return 0.0
        moves = [self._directed(move) for move in self._three.placed(q).moves]
        (a, b, c), (d, e, f) = (map(sub, move, moves[2]) for move in moves[:2])
        slope: float = (c * e - f * b) / (a * e - d * b)
        return slope

    @cached_property
    def _axes(self) -> tuple[Point3, Point3, Point3]:
        """The directions outwards, along the true yaw axis, and out of the plane, minus its normal.
        """
        along = np.array(self.chain.hinges[0].axis)
        normal = np.array(PLANE_AXES[2]) - along[2] * along
        normal /= np.linalg.norm(normal)
        outwards, height, beside = np.array((cross_product(along, normal), along, -normal)).tolist()
        return outwards, height, beside

    @cached_property
    def _three(self) -> HingeChain:
        return HingeChain(self.chain.hinges[-3:], self.chain.measured)


#: The axes of the plane: x, y and its normal.
PLANE_AXES: tuple[Point3, Point3, Point3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
