"""How long it takes to plan a motion: straight lines of so101, as `~/move_to` plans them."""

import math
from time import perf_counter

import numpy as np

from benchmarks.report import short, table
from benchmarks.targets import SEED, robot
from ik_circles.control import Refusal, Settings, Target
from ik_circles.control.moving.plan import State, Wish, plan
from ik_circles.control.settings import MotionParameters

LENGTH, COUNT = 0.2, 100
#: Directions that are tried for a line that can be followed.
TRIES = 50


def of_motion():
    """The times of planning lines that can be followed [s], each planned once."""
    arm, times = robot('so101').above(0.0), []
    rng = np.random.default_rng(SEED)
    joints = arm.joints.values()
    lower, upper = np.transpose([(one.lower, one.upper) for one in joints])
    for _ in range(COUNT * TRIES):
        start = dict(zip(arm.commanded_joints, rng.uniform(lower, upper).tolist()))
        way = rng.normal(size=3)
        end = arm.forward_kinematics(start)[:3, 3] + LENGTH * way / math.hypot(*way)
        begin = perf_counter()
        try:
            wish = Wish(Target(tuple(end.tolist())), straight=True)
            plan(arm, Settings(), MotionParameters(), wish, State(start))
        except Refusal:
            continue
        times.append(perf_counter() - begin)
        if len(times) == COUNT:
            break
    return times


def of_lines(times):
    """The table."""
    taken = [1e3 * time for time in np.quantile(times, (0.5, 0.9, 1.0))]
    rows = [('so101, 0.2 m, above a floor', str(len(times)), *map(short, taken))]
    heads = ('straight lines that can be followed', 'lines', 'median ms', '90 % ms', 'slowest ms')
    return '## Planning\n\n' + table(heads, rows)


def motion_aims(times):
    """Rows of the table of aims."""
    return [('planning a line of 0.2 m of so101', '< 10 ms', f'{1e3 * np.median(times):.1f} ms')]
