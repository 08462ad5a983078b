# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The node beside one that only echoes: what `python benchmarks/node` measured, as tables."""

import json

from benchmarks.closed_form import BUILT
from benchmarks.report import short, table

#: Written by scripts/bench in the environment that has ROS; what it said meanwhile is in the log.
FIGURES = BUILT.with_name('node.json')
LOG = BUILT.with_name('node.log')
#: The nodes' names in the tables.
NAMES = {'echo': 'echo', 'same': 'echo, same executor', 'node': 'ik_node', 'five': 'ik_node, so101'}
NOTES = """{targets} targets each. Not answered: {unanswered}.

- {rounds} rounds, each with a new process of each node. The nodes take turns of a second, so that
  changes in the speed of the machine affect all of them; the others are idle meanwhile. All get
  targets on a circle, 100 per second at irregular times, and the joint states of a simulated arm at
  100 Hz: those of planar_3r, one ik_node those of so101. All answer with a command and a status.
  The echo is `benchmarks/node/echo.py`. It runs twice: on the executor of rclpy.spin, as most nodes
  do, and on the executor of ik_node (`docs/streams.md` explains why).
- A time runs from before publish in the process of the client to when the middleware received the
  answer there. The client takes messages without an executor, so it adds the same small time to
  all nodes. The service is asked alternately for positions, which is its default question, and for
  poses; the arm can reach them all.
- p99: the median of the rounds. Highest rate: found upwards in steps of 8 %; every target of 0.25 s
  was answered in one of four attempts; median of the rounds ({rates}).
- CPU: utime and stime of all threads. Flood: 10,000 targets in {flood:.2f} s, twice in a row; the
  worst of all rounds."""


def measured():
    """The figures of both nodes, or {'error': why there are none}."""
    try:
        return json.loads(FIGURES.read_text())
    except (OSError, ValueError):
        said = LOG.read_text(errors='replace').split('\n') if LOG.exists() else []
        said = [line for line in said if line.strip()]
        return {'error': said[-1].strip() if said else 'scripts/bench has not run it'}


def of_node(figures):
    """The nodes, side by side."""
    title = '## The node beside one that only echoes\n\n'
    if 'error' in figures:
        return f'{title}Not measured: {figures["error"]}.'
    columns = {name: figures[kind] for kind, name in NAMES.items()}
    nodes = columns.values()
    rows = [
        _compared('target to command, median µs', nodes, 'latency', 1e6),
        _compared('... p99 µs', nodes, 'latency_p99', 1e6),
        _compared('highest rate without a lost answer, Hz', nodes, 'rate'),
        _compared('CPU at 100 Hz, %', nodes, 'cpu', 100.0),
        _compared('service round trip, a position, median µs', nodes, 'position_call', 1e6),
        _compared('... a pose', nodes, 'pose_call', 1e6),
        ('flood: newest answered after its end, ms', *map(_newest, nodes), '', '', ''),
        ('flood: memory grows by, MB', *(f'{one["growth"]:.2f}' for one in nodes), '', '', ''),
    ]
    notes = NOTES.format(
        targets=figures['node']['targets'] + figures['node']['unanswered'],
        unanswered=', '.join(f'{one["unanswered"]} by {n}' for n, one in columns.items()),
        rounds=len(figures['node']['rates']),
        rates='; '.join(f'{n} {_listed(one["rates"])}' for n, one in columns.items()),
        flood=max(one['flood'] for one in nodes),
    )
    heads = ('', *columns, 'node / echo', 'node / same executor', 'so101 / echo')
    smooth = f'- CPU at 100 Hz with `motion: smooth`: {short(100.0 * figures["smooth"]["cpu"])} %.'
    return title + table(heads, rows) + '\n\n' + notes + '\n' + smooth


def node_aims(figures):
    """Rows of the table of aims, for the planar arm and for one with five joints."""
    limits = {
        'target to command, median / echo': '<= 1.15',
        'target to command, p99 / echo': '<= 1.3',
        'highest rate / echo': '>= 0.7',
        'CPU at 100 Hz above the echo': '<= 3 points',
        'service round trip, a position, median / echo': '<= 1.2',
        'service round trip, a pose, median / echo': '<= 1.2',
        'flood: newest answered after': '< 100 ms',
        'flood: memory grows by': '< 1 MB',
    }
    smooth = 'CPU at 100 Hz with motion: smooth above the echo'
    if 'error' in figures:
        return [(name, limit, 'not measured') for name, limit in limits.items()]
    rows = [
        (f'{name}{whose}', limit, value)
        for kind, whose in (('node', ''), ('five', ', so101'))
        for (name, limit), value in zip(limits.items(), _values(figures['echo'], figures[kind]))
    ]
    more = 100.0 * (figures['smooth']['cpu'] - figures['echo']['cpu'])
    return [*rows, (smooth, '<= 6 points', f'{more:.1f} points')]


def _values(echo, node):
    """What a node takes beside the echo, in the order of the aims."""
    return (
        *(short(node[key] / echo[key]) for key in ('latency', 'latency_p99', 'rate')),
        f'{100.0 * (node["cpu"] - echo["cpu"]):.1f} points',
        *(short(node[key] / echo[key]) for key in ('position_call', 'pose_call')),
        f'{_newest(node)} ms',
        f'{node["growth"]:.2f} MB',
    )


def _compared(name, nodes, key, unit=1.0):
    echo, same, node, five = (unit * one[key] for one in nodes)
    return name, *map(short, (echo, same, node, five, node / echo, node / same, five / echo))


def _listed(numbers):
    return ', '.join(map(short, numbers))


def _newest(one):
    return 'never' if one['newest'] is None else short(1e3 * one['newest'])
