# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How long it takes to plan a motion: straight lines of so101, as `~/move_to` plans them."""

import math
from time import perf_counter

import numpy as np

from benchmarks.report import short, table
from benchmarks.targets import SEED, robot
from ik_circles.control import Refusal, Settings, Target
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.settings import MotionParameters

LENGTH, COUNT = 0.2, 100
#: Directions that are tried for a line that can be followed.
TRIES = 50


def of_motion():
    """The times of planning lines [s] that can be followed with the orientation held, and of those
    that need it free."""
    arm, times = robot('so101').above(0.0), {'held': [], 'free': []}
    rng = np.random.default_rng(SEED)
    joints = arm.joints.values()
    lower, upper = np.transpose([(one.lower, one.upper) for one in joints])
    for _ in range(COUNT * TRIES):
        start = dict(zip(arm.commanded_joints, rng.uniform(lower, upper).tolist()))
        way = rng.normal(size=3)
        end = arm.forward_kinematics(start)[:3, 3] + LENGTH * way / math.hypot(*way)
        kind = 'held' if arm.straight_line(start, end).share == 1.0 else 'free'
        if len(times[kind]) == COUNT:
            continue
        begin = perf_counter()
        try:
            wish = Wish(Target(tuple(end.tolist())), straight=True)
            plan(arm, Settings(), MotionParameters(), wish, State(start))
        except Refusal:
            continue
        times[kind].append(perf_counter() - begin)
        if min(map(len, times.values())) == COUNT:
            break
    return times


def of_lines(times):
    """The table."""
    rows = [
        (f'orientation {kind}', str(len(some)), *quantiles(some)) for kind, some in times.items()
    ]
    heads = ('lines that can be followed', 'lines', 'median ms', '90 % ms', 'slowest ms')
    return '## Planning a straight line\n\nso101, 0.2 m, above a floor.\n\n' + table(heads, rows)


def quantiles(times):
    return [short(1e3 * time) for time in np.quantile(times, (0.5, 0.9, 1.0))]


def motion_aims(times):
    """Rows of the table of aims."""
    taken = f'{1e3 * np.median(times["held"]):.1f} ms'
    return [('planning a line of 0.2 m of so101, median', '< 10 ms', taken)]
