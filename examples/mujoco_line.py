# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A straight line under gravity: `python examples/mujoco_line.py` plays it on so101 in MuJoCo.

The trajectory has the tip on the line. A real tip is beside it, because servos sag and lag. MuJoCo
shows by how much, for soft and stiff servos. The URDF has kinematics only. So the masses are made
up, though plausible: each moving link is a capsule of 0.1 kg. There are no contacts, no friction
and no backlash.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import NamedTuple

try:
    import mujoco
except ModuleNotFoundError:
    print("this example needs mujoco; run pip install '.[mujoco]'", file=sys.stderr)
    raise SystemExit(2) from None
import numpy as np
from numpy.typing import NDArray

from ik_circles import RobotArm, load_arm
from ik_circles.control import Settings, Target
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.settings import MotionParameters
from ik_circles.robot.shipped import shipped

ROBOT = 'so101'
#: The line [m], and the tool's angle in the arm's plane on the way [rad].
START, END, PHI = (0.22, -0.1, 0.12), (0.22, 0.1, 0.12), -0.6
#: Share of the speed.
SPEED = 0.5
#: Time between two points of the trajectory [s], as of a controller at 100 Hz.
PERIOD = 0.01
#: Step of the simulation [s].
STEP = 0.0005
#: How long the servos hold the start before the motion, and the end after it [s].
BEFORE, AFTER = 1.0, 0.5
#: Mass of each moving link [kg], and its radius [m].
MASS, RADIUS = 0.1, 0.01
#: Inertia of a servo's rotor at its output, through the gears [kg m^2].
ARMATURE = 0.01
#: The most that a servo gives [N m].
TORQUE = 3.0
#: Proportional gains of the servos [N m/rad]. Their damping is critical.
GAINS = (20.0, 100.0, 500.0)

Array = NDArray[np.float64]


class Trajectory(NamedTuple):
    """Joint positions (N, joints) [rad] and points of the tip (N, 3) [m] at times (N,) [s]."""

    times: Array
    positions: Array
    points: Array


class Errors(NamedTuple):
    """Distances of the tip [m]: to the line, and to the point where it should be by then."""

    line: Array
    point: Array


def straight(arm: RobotArm) -> Trajectory:
    """What `~/move_to` plays for a straight line, as a controller reads it every PERIOD."""
    start = arm.solve(START, PHI)
    assert start is not None, f'the arm does not reach {START}'
    wish = Wish(Target(END), straight=True, speed=SPEED)
    found = plan(arm, Settings(), MotionParameters(), wish, State(start)).trajectory
    times = np.arange(0.0, found.duration + PERIOD, PERIOD)
    positions = [found.at(time)[0] for time in times.tolist()]
    poses = [arm.forward_kinematics(dict(zip(arm.commanded_joints, at))) for at in positions]
    return Trajectory(times, np.array(positions), np.array([pose[:3, 3] for pose in poses]))


def described(arm: RobotArm, gain: float) -> str:
    """The robot for MuJoCo (MJCF), with a position servo at each commanded joint."""
    inner, end = '<site name="tip"/>', (0.0, 0.0, 0.0)
    for joint in reversed(arm.tree.path(arm.base_link, arm.tip_link)):
        moving = ''
        if joint.type != 'fixed':
            moving = f'<joint name="{joint.name}" axis="{text(joint.axis)}" armature="{ARMATURE}"/>'
            shape = f'type="capsule" fromto="0 0 0 {text(end)}"' if any(end) else 'type="sphere"'
            moving += f'<geom {shape} size="{RADIUS}" mass="{MASS}" contype="0" conaffinity="0"/>'
        end, turned = joint.origin[:3, 3], np.empty(4)
        mujoco.mju_mat2Quat(turned, joint.origin[:3, :3].flatten())
        inner = f'<body pos="{text(end)}" quat="{text(turned)}">{moving}{inner}</body>'
    servos = ''.join(
        f'<position joint="{name}" kp="{gain}" dampratio="1" forcerange="{-TORQUE} {TORQUE}"/>'
        for name in arm.commanded_joints
    )
    return (
        f'<mujoco><option timestep="{STEP}" integrator="implicitfast"/>'
        f'<worldbody>{inner}</worldbody><actuator>{servos}</actuator></mujoco>'
    )


def text(numbers: Sequence[float] | Array) -> str:
    """Numbers as XML has them."""
    return ' '.join(map(repr, map(float, numbers)))


def played(arm: RobotArm, path: Trajectory, gain: float) -> Errors:
    """The errors of the tip in motion, with servos of this gain [N m/rad]."""
    model = mujoco.MjModel.from_xml_string(described(arm, gain))
    data = mujoco.MjData(model)
    data.qpos[:] = path.positions[0]
    along = np.subtract(END, START) / math.dist(START, END)
    line, point = [], []
    for step in range(round((BEFORE + path.times[-1] + AFTER) / STEP)):
        time = step * STEP - BEFORE
        data.ctrl[:] = between(path, path.positions, time)
        mujoco.mj_step(model, data)
        if time >= 0.0:
            tip = data.site('tip').xpos - START
            line.append(float(np.linalg.norm(tip - (tip @ along) * along)))
            should = between(path, path.points, time + STEP) - START
            point.append(float(np.linalg.norm(tip - should)))
    return Errors(np.array(line), np.array(point))


def between(path: Trajectory, values: Array, time: float) -> Array:
    """Positions or points at a time, on lines between those of the trajectory."""
    return np.array([np.interp(time, path.times, column) for column in values.T])


def main() -> None:
    """Print the errors."""
    arm = load_arm(shipped()[ROBOT].read_text())
    path = straight(arm)
    length = math.dist(START, END)
    print(f'{ROBOT}: {length:g} m in {path.times[-1]:.2f} s, at {SPEED:.0%} of the speed')
    print('                 from the line [mm]   from where it should be by then [mm]')
    print('gain [N m/rad]     max       rms          max       rms')
    for gain in GAINS:
        errors = played(arm, path, gain)
        cells = [f'{1000.0 * one:9.2f} ' for each in errors for one in (each.max(), rms(each))]
        print(f'{gain:14g}{cells[0]}{cells[1]}   {cells[2]}{cells[3]}')


def rms(values: Array) -> float:
    """The root of the mean square."""
    return float(np.sqrt(np.mean(values * values)))


if __name__ == '__main__':
    main()
