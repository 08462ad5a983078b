# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The simulated arm of planar_3r: its limits, and a step that checks that they are kept."""

import math
from pathlib import Path

PLANAR = Path(__file__).parents[1] / 'urdf' / 'planar_3r.urdf'
VELOCITIES = {'shoulder_joint': 2.0, 'elbow_joint': 2.5, 'wrist_joint': 3.0}
LIMITS = {'shoulder_joint': 1.8, 'elbow_joint': 2.2, 'wrist_joint': 1.9}
ROUNDING = 1e-9


def fastest(distance, velocity, acceleration):
    """The shortest time from rest to rest over a distance."""
    if distance < velocity * velocity / acceleration:
        return 2.0 * math.sqrt(distance / acceleration)
    return distance / velocity + velocity / acceleration


def kept_step(arm, acceleration, period):
    """Step the arm; some motion within the limits must lead from each state to the next.

    Such a motion exists if the change of velocity is possible in the time, and if the distance is
    between those of first braking and of first accelerating.
    """
    before, speeds = dict(arm.positions), dict(arm.velocities)
    arm.step(period)
    for name, position in arm.positions.items():
        speed, moved = arm.velocities[name], position - before[name]
        change, mean = speed - speeds[name], (speed + speeds[name]) / 2.0
        assert abs(speed) <= VELOCITIES[name] + ROUNDING
        assert abs(moved) <= VELOCITIES[name] * period + ROUNDING
        assert abs(change) <= acceleration * period + ROUNDING
        room = acceleration * period * period / 4.0 - change * change / (4.0 * acceleration)
        assert abs(moved - mean * period) <= room + ROUNDING
        assert abs(position) <= LIMITS[name]
        assert abs(position + speed * abs(speed) / (2.0 * acceleration)) <= LIMITS[name] + ROUNDING
