"""The node beside one that only echoes: what `python benchmarks/node` measured, as tables."""

import json

from benchmarks.closed_form import BUILT
from benchmarks.report import short, table

#: Written by scripts/bench in the environment that has ROS; what it said meanwhile is in the log.
FIGURES = BUILT.with_name('node.json')
LOG = BUILT.with_name('node.log')
NOTES = """{targets} targets each, answered but for {echo} of the echo and {node} of the node.

- {rounds} rounds, in each a new process of the echo, then one of the node. Both get the same
  targets (a circle, 100 a second at irregular times) and a simulated arm's joint states at 100 Hz,
  and both answer with a command and a status. The echo is `benchmarks/node/echo.py`.
- A time runs from before publish in the client's process to when the middleware received the
  answer there. The client takes messages without an executor: it adds the same little to both.
- Highest rate: found upwards in steps of 8 %; every target of 0.25 s answered at one of four
  attempts; median of the rounds ({echo_rates}; {node_rates}).
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
    """Both nodes, side by side."""
    title = '## The node beside one that only echoes\n\n'
    if 'error' in figures:
        return f'{title}Not measured: {figures["error"]}.'
    echo, node = figures['echo'], figures['node']
    rows = [
        _compared('target to command, median µs', 1e6 * echo['latency'], 1e6 * node['latency']),
        _compared('... p99 µs', 1e6 * echo['latency_p99'], 1e6 * node['latency_p99']),
        _compared('highest rate without a lost answer, Hz', echo['rate'], node['rate']),
        _compared('CPU at 100 Hz, %', 100.0 * echo['cpu'], 100.0 * node['cpu']),
        _compared('service round trip, median µs', 1e6 * echo['call'], 1e6 * node['call']),
        ('flood: newest answered after its end, ms', *map(_newest, (echo, node)), ''),
        ('flood: memory grows by, MB', *(f'{one["growth"]:.2f}' for one in (echo, node)), ''),
    ]
    notes = NOTES.format(
        targets=node['targets'] + node['unanswered'],
        echo=echo['unanswered'],
        node=node['unanswered'],
        rounds=len(node['rates']),
        echo_rates='echo ' + ', '.join(map(short, echo['rates'])),
        node_rates='node ' + ', '.join(map(short, node['rates'])),
        flood=max(echo['flood'], node['flood']),
    )
    return title + table(('', 'echo', 'ik_node', 'node / echo'), rows) + '\n\n' + notes


def node_aims(figures):
    """Rows of the table of aims."""
    limits = {
        'target to command, median / echo': '<= 1.15',
        'target to command, p99 / echo': '<= 1.3',
        'highest rate / echo': '>= 0.7',
        'CPU at 100 Hz above the echo': '<= 3 points',
        'service round trip, median / echo': '<= 1.2',
        'flood: newest answered after': '< 100 ms',
        'flood: memory grows by': '< 1 MB',
    }
    if 'error' in figures:
        return [(name, limit, 'not measured') for name, limit in limits.items()]
    echo, node = figures['echo'], figures['node']
    values = (
        *(short(node[key] / echo[key]) for key in ('latency', 'latency_p99', 'rate')),
        f'{100.0 * (node["cpu"] - echo["cpu"]):.1f} points',
        short(node['call'] / echo['call']),
        f'{_newest(node)} ms',
        f'{node["growth"]:.2f} MB',
    )
    return [(name, limit, value) for (name, limit), value in zip(limits.items(), values)]


def _compared(name, echo, node):
    return name, short(echo), short(node), short(node / echo)


def _newest(one):
    return 'never' if one['newest'] is None else short(1e3 * one['newest'])
