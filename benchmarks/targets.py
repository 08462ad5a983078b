# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is asked: a few arms, and seeded targets of each class, sorted by the C program."""

import math
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.closed_form import ClosedForm
from ik_circles import PlanarArm, load_arm

SEED = 0
#: Targets of a class.
COUNT = 240

#: open_manipulator_x in its own plane: joint axes along -n, first link at 79.38 degrees.
RISE = math.radians(79.380)
ARMS = {
    '0.4/0.3/0.2': PlanarArm((0.4, 0.3, 0.2), ((-2.0, 2.0), (-2.4, 2.4), (-1.8, 1.8))),
    'open_manipulator_x': PlanarArm(
        (0.130231, 0.124, 0.126),
        ((RISE - 1.5, RISE + 1.5), (-RISE - 1.4, -RISE + 1.5), (-1.97, 1.7)),
    ),
    'with a hole': PlanarArm((0.6, 0.2, 0.15), ((-1.0, 4.0), (-2.2, 2.2), (-2.0, 2.0))),
}


class Target(NamedTuple):
    """A pose asked of an arm, and whether the pose and its point can be reached."""

    arm: str
    x: float
    y: float
    phi: float
    pose_reachable: bool
    point_reachable: bool

    @property
    def pose(self):
        """x, y [m] and phi [rad]."""
        return self.x, self.y, self.phi

    def joints_hold(self, q, with_orientation, miss=1e-6):
        """Whether `q` meets the target within `miss` [m, rad] and is inside the limits."""
        x, y, phi = tip(ARMS[self.arm].link_lengths, q)
        return (
            math.hypot(x - self.x, y - self.y) <= miss
            and (not with_orientation or abs(math.remainder(phi - self.phi, math.tau)) <= miss)
            and inside(q, ARMS[self.arm].limits)
        )


def tip(lengths, q):
    """Pose of the tip, written anew: one link after the other."""
    directions = q[0], q[0] + q[1], q[0] + q[1] + q[2]
    x = sum(length * math.cos(angle) for length, angle in zip(lengths, directions))
    y = sum(length * math.sin(angle) for length, angle in zip(lengths, directions))
    return x, y, directions[2]


def inside(q, limits, rounding=1e-9):
    """Whether each joint, turned by whole turns, is inside its limits."""
    return all(
        low - rounding <= angle <= high + rounding
        for angle, (low, high) in zip(turned(q, limits), limits)
    )


def turned(q, limits):
    """Each joint at its lowest turn that is not below the lower limit."""
    return [
        angle + math.tau * math.ceil((low - angle) / math.tau - 1e-9)
        for angle, (low, _) in zip(q, limits)
    ]


def target_classes():
    """Name of each class to its targets, the arms taking turns."""
    rng = np.random.default_rng(SEED)
    holed = [name for name, arm in ARMS.items() if arm.min_reach > 0.0]
    return {
        'reachable': _draw(rng, _reachable, ARMS),
        'too far': _draw(rng, _too_far, ARMS),
        'in the hole': _draw(rng, _in_the_hole, holed),
        'past a limit': _draw(rng, _past_a_limit, ARMS),
        'other orientation': _draw(rng, _other_orientation, ARMS),
    }


def _draw(rng, generate, names):
    each = COUNT // len(names)
    drawn = [[generate(rng, name, ARMS[name]) for _ in range(each)] for name in names]
    return list(chain.from_iterable(zip(*drawn)))


def _reachable(rng, name, arm):
    return Target(name, *tip(arm.link_lengths, rng.uniform(*zip(*arm.limits))), True, True)


def _too_far(rng, name, arm):
    return _at_distance(rng, name, arm.max_reach * rng.uniform(1.01, 1.5))


def _in_the_hole(rng, name, arm):
    return _at_distance(rng, name, arm.min_reach * rng.uniform(0.05, 0.99))


def _at_distance(rng, name, distance):
    direction, phi = rng.uniform(-math.pi, math.pi, 2)
    x, y = distance * math.cos(direction), distance * math.sin(direction)
    return Target(name, x, y, phi, False, False)


def _past_a_limit(rng, name, arm):
    """Limits refuse the point with every orientation; without limits the pose has solutions."""
    return _refused(rng, name, arm, point_reachable=False)


def _other_orientation(rng, name, arm):
    """Limits refuse the pose, but the point can be reached with another orientation."""
    return _refused(rng, name, arm, point_reachable=True)


def _refused(rng, name, arm, point_reachable):
    solver = ClosedForm(arm)
    while True:
        pose = tip(arm.link_lengths, rng.uniform(-math.pi, math.pi, 3))
        if not solver.solve([pose]).counts[0] and solver.reaches(*pose[:2]) == point_reachable:
            return Target(name, *map(float, pose), False, point_reachable)


def robot(name):
    """A shipped robot."""
    return load_arm(Path(__file__).parents[1] / 'urdf' / f'{name}.urdf')


def points_about(arm, shares):
    """Points (N, 3) [m] of the cube about the yaw axis that is twice as wide as the arm's reach.

    They are given by `shares` (N, 3) of the reach, -1 to 1.
    """
    center = arm.spatial.plane.in_space(*arm.spatial.yaw.foot, 0.0)
    return np.array(center) + arm.arm.max_reach * shares
