# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the project aims at beside what was measured: printed, never asserted.

The times of single answers allow 1.3 times the fastest code there was, which was harder to read.
"""

from benchmarks.motion import motion_aims
from benchmarks.node_report import node_aims
from benchmarks.ours import Details, InverseKinematics, Nearest, NearestPoint, PointVerdict
from benchmarks.peers import Eaik, EaikWithLimits
from benchmarks.report import short, table

POINTS_REFUSED = 'too far', 'in the hole', 'past a limit'
POSES_REFUSED = *POINTS_REFUSED, 'other orientation'


def aims(figures, batch, maps, lines, node):
    """The table of aims; all times are medians."""

    def median(question, kind='reachable'):
        return figures[kind, question.name].median

    def microseconds(question, kinds=('reachable',)):
        return f'{short(max(median(question, kind) for kind in kinds))} µs'

    rows = [('inverse_kinematics, reachable', '< 3 µs', microseconds(InverseKinematics))]
    for eaik, aim in ((Eaik, '<= 1.0'), (EaikWithLimits, '<= 0.3')):
        if ('reachable', eaik.name) in figures:
            ratio = median(InverseKinematics) / median(eaik)
            rows.append((f'inverse_kinematics / {eaik.name}', aim, short(ratio)))
    rows += [
        ('check_reachability(x, y), reachable', '<= 20 µs', microseconds(PointVerdict)),
        ('... and margin, solutions', '<= 40 µs', microseconds(Details)),
        ('full "no" to a pose, slowest class', '<= 80 µs', microseconds(Nearest, POSES_REFUSED)),
        (
            'full "no" to a point, slowest class',
            '<= 80 µs',
            microseconds(NearestPoint, POINTS_REFUSED),
        ),
        *of_batches(batch),
    ]
    for name, megabytes, found in zip(('capability', 'reachability'), (500, 1000), maps):
        if 'error' not in found:
            rows.append((f'{name} map', '< 5 s', f'{found["seconds"]:.2f} s'))
            memory = f'{found["megabytes"]:.0f} MB'
            rows.append((f'{name} map, memory', f'< {megabytes} MB', memory))
    rows += [*motion_aims(lines), *node_aims(node)]
    return '## Aims (medians)\n\n' + table(('what', 'aim', 'measured'), rows)


def of_batches(batch):
    """Solutions relative to the C program; verdicts in time, and in the plane relative to it."""
    for name, each, ratio, _ in batch:
        if name == 'solve_batch':
            yield f'{name} / C', '<= 3', short(ratio)
        elif name in ('check_reachability_batch', 'check_reachability_batch, points'):
            yield f'{name} / C', '<= 8', short(ratio)
            yield name, '<= 1.5 µs', f'{short(each)} µs'
        elif name.startswith('check_reachability_batch'):
            yield name, '<= 3 µs', f'{short(each)} µs'
