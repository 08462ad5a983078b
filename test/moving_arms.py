# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms that move: random states from which they can stop, and how low their parts get."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
from tilted_robots import TiltedRobot
from wrist_robots import KINDS, heights, random_robot, shipped_robots

from ik_circles.control.moves.plan import State, above, limits_of, to
from ik_circles.control.moves.playing import Playing
from ik_circles.control.settings import MotionParameters

PARAMETERS = MotionParameters()
SHIPPED = [*shipped_robots().values()]
#: A share of the way to a joint limit that no stop may need.
SPARE = 0.9


def some_robot(seed):
    """A shipped robot with a wrist, or a random one that stands upright; a source of numbers."""
    random = np.random.default_rng(seed)
    if seed % 3 == 0:
        return SHIPPED[seed // 3 % len(SHIPPED)], random
    robot = random_robot(random, *KINDS[seed % 2])
    tree = ElementTree.fromstring(robot.text)
    (base,) = [one for one in tree.findall('joint') if one.get('name') == 'base']
    base.find('origin').set('rpy', '0 0 1.0')
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode')), random


def moving_state(robot, random, share=1.0):
    """Joint positions, and velocities from which each joint can stop before its limits."""
    positions = robot.drawn(random)
    names = tuple(positions)
    limits = limits_of(robot.arm, names, PARAMETERS.max_acceleration)
    velocities = {}
    for name, fastest, (low, high) in zip(names, limits.velocities, limits.ranges):
        velocity = fastest * random.uniform(-1.0, 1.0)
        room = (high - positions[name]) if velocity > 0.0 else (positions[name] - low)
        most = math.sqrt(2.0 * PARAMETERS.max_acceleration * SPARE * room)
        velocities[name] = share * math.copysign(min(abs(velocity), most), velocity)
    return State(positions, velocities)


def height(arm, positions):
    """Height of the lowest of elbow, wrist, wrist center and tip [m]."""
    return min(heights(arm, positions))


def positions_at(plan, state, time):
    """All joint positions at a time of a plan, by name."""
    return {**state.positions, **dict(zip(plan.joints, plan.trajectory.at(time)[0]))}


def lowest_on_the_way(arm, plan, state, end=None, count=60):
    """The lowest height on the way of a plan up to a time [m]."""
    end = plan.trajectory.duration if end is None else end
    times = np.linspace(0.0, end, count).tolist()
    return min(height(arm, positions_at(plan, state, time)) for time in times)


def floor_near(arm, plan, state, random):
    """A height that the start is above, and the way of a plan perhaps not [m]."""
    start = height(arm, positions_at(plan, state, 0.0))
    low = lowest_on_the_way(arm, plan, state)
    return float(low + random.uniform(-0.2, 1.0) * (start - low)) - 1e-6


def beside_a_floor(count):
    """Robots that move, of `count` seeds: the robot, a source of numbers, its arm with a floor, the
    motion, and a time soon before the arm is nearest to the floor."""
    for seed in range(count):
        robot, random = some_robot(seed)
        found = nearly_touching(robot, random)
        if found is not None:
            yield robot, random, *found


def nearly_touching(robot, random):
    """An arm with a floor, its motion, and a time soon before it is nearest to the floor; or None.
    """
    rest, goal = State(robot.drawn(random)), robot.drawn(random)
    free = to(robot.arm, PARAMETERS, goal, rest)
    room = float(random.choice([1e-4, 1e-3, 1e-2]))
    arm = robot.arm.above(lowest_on_the_way(robot.arm, free, rest) - room)
    planned = above(arm, to(arm, PARAMETERS, goal, rest), rest)
    times = np.linspace(0.0, planned.trajectory.duration, 60).tolist()
    heights = [height(arm, positions_at(planned, rest, time)) for time in times]
    nearest = int(np.argmin(heights))
    if nearest == 0 or heights[nearest] > arm.floor + 0.02:
        return None
    return arm, Playing(planned, 0.0), max(times[nearest] - float(random.uniform(0.0, 0.3)), 0.0)
