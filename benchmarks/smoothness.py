# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A target that moves in steps: how far do joints go?"""

import math

import numpy as np

from benchmarks.limbs import IN_THE_PLANE, THREE_LINKS, Near, joint_angles, placed
from benchmarks.report import short, table

#: Steps of a path, and the arms that follow it.
STEPS = 400
FOLLOWERS = {3: (0.4, 0.3, 0.2), 12: (0.1,) * 12}


def smoothness():
    """How far joints go while a target goes round a circle, and along a line from edge to edge."""
    rows = []
    for count, lengths in FOLLOWERS.items():
        for path, targets in paths(sum(lengths)).items():
            start = placed(lengths, [0.3] * count)
            start = Near(lengths).ask(*Near(lengths).arguments(targets[0], start)).points
            start = [complex(*point) for point in start]
            for kind in THREE_LINKS if count == 3 else IN_THE_PLANE:
                told = follow(kind(list(lengths)), targets, start)
                rows.append((f'{count} links, {path}', kind.name, *told))
    head = 'path', 'method', 'largest rad', 'rms rad', 'largest / step', 'missed %', 'iterations'
    return table(head, rows)


def paths(reach):
    """Complex targets of each path."""
    turn = np.exp(2j * np.pi * np.linspace(0.0, 1.0, STEPS + 1))
    offset = 0.4
    half = math.sqrt(0.999**2 - offset**2)
    along = np.linspace(-half, half, STEPS + 1) + 1j * offset
    return {
        'circle': (reach * (0.65 + 0.2 * turn)).tolist(),
        'line': (reach * along).tolist(),
    }


def follow(method, targets, start):
    """Each step from the shape before: what the table's columns say of it."""
    moves, ratios, iterations, missed, shape = [], [], [], 0, start
    for number, target in enumerate(targets):
        answer = method.ask(*method.arguments(target, shape))
        points = method.points(answer, shape)
        iterations.append(answer.iterations if method.iterates else 0)
        if points is None:
            missed += 1
            points = answer.points if method.iterates else shape
        if number:  # the first is from the start that all have
            step = abs(target - targets[number - 1])
            turns = zip(joint_angles(points), joint_angles(shape))
            moves.append([math.remainder(a - b, math.tau) for a, b in turns])
            ratios.append(max(abs(a - b) for a, b in zip(points, shape)) / step)
        shape = points
    largest, rms = np.abs(moves).max(), math.sqrt(np.mean(np.square(moves)))
    told = f'{np.median(iterations):.0f} / {max(iterations)}' if method.iterates else ''
    share = f'{100.0 * missed / len(targets):.3g}'
    return short(largest), short(rms), short(max(ratios)), share, told
