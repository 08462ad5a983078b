# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a target: its values for printing, and its picture."""

import math
from argparse import Namespace
from itertools import chain, repeat
from typing import Any

from ik_circles.cli.arms import GivenArm
from ik_circles.planar.verdict import Reachability
from ik_circles.robot.arm import RobotAnswer


def values_of(given: GivenArm, verdict: Reachability | RobotAnswer) -> dict[str, Any]:
    """The values of a verdict that are printed, by the names of its attributes."""
    joints = verdict.nearest_joint_positions
    return {
        'reachable': verdict.reachable,
        'code': verdict.code.name,
        'message': verdict.message,
        'margin': None if math.isnan(verdict.margin) else verdict.margin,
        'nearest': _nearest(given, verdict),
        'nearest_joint_positions': None if joints is None else given.named(joints),
        'orientation_intervals': verdict.orientation_intervals,
        **({'notes': list(given.arm.notes)} if given.arm else {}),
    }


def _nearest(given: GivenArm, verdict: Reachability | RobotAnswer) -> dict[str, Any] | None:
    """The nearest pose; if a wrist is solved, its joints are given by name [rad]."""
    if verdict.nearest is None:
        return None
    values = verdict.nearest._asdict()
    wrist = values.pop('wrist', ())
    names = given.arm.wrist_joints if given.arm else ()
    return {**values, **({'wrist': dict(zip(names, wrist))} if wrist else {})}


def draw(given: GivenArm, options: Namespace, verdict: Reachability | RobotAnswer) -> None:
    """If --plot asks for a picture, draw every solution, or else the nearest one."""
    if not options.plot:
        return
    from ik_circles.pictures.drawing import TargetMark, scenario_figure, write

    shown: list[Any] = [*verdict.solutions]
    if not shown and verdict.nearest_joint_positions is not None:
        shown = [verdict.nearest_joint_positions]
    shapes = [
        held.planar.joint_points(held.arm_angles(one))
        for held, one in zip(map(given.holding, shown), shown)
    ]
    if shown:
        given = given.holding(shown[0])
    texts = chain((verdict.message,), repeat('the same, by the other shoulder'))
    marks = [
        TargetMark(x, y, accepted=verdict.reachable, text=text)
        for (x, y), text in zip(given.places_in_plane(options.target), texts)
    ]
    planar, robot = given.planar, given.arm
    write(options.plot, lambda: scenario_figure(planar, planar.safe_zones, shapes, marks, robot))
