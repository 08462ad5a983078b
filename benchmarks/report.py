# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The tables: plain text that is Markdown, too."""

import os
import platform
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from subprocess import run

from benchmarks.closed_form import BUILT, compiler
from benchmarks.ours import InverseKinematics
from benchmarks.targets import COUNT, SEED

PACKAGES = 'numpy', 'EAIK', 'roboticstoolbox-python', 'pin', 'ikpy'
BATCHES = 'solve_batch', 'check_reachability_batch'
NOTES = """## How to read it

- {count} targets of each class, drawn for three arms: 0.4/0.3/0.2 m, open_manipulator_x in its
  plane, and 0.6/0.2/0.15 m with a hole; all with limits. "Past a limit": no orientation works.
  "Other orientation": the point can be reached, the pose cannot.
- Every method is timed in every round, call by call, after a warm-up, with the garbage collector
  off. The {overhead:.2f} µs of the timer itself are included. With fewer than 1,000 calls, p99 is
  nearly the largest time.
- "Ratio": the median over that of inverse_kinematics for the same class.
- "Right": the verdict is right, and for a reachable target a valid solution was found (by
  ik_circles: every solution that the C program finds, within 1e-12 m).
- "Wrong claims": a claimed solution that misses by more than 1e-6 m or 1e-6 rad, or that breaks a
  limit even when turned by whole turns. EAIK knows no limits, and ikpy gives no verdict: their
  results count as claims.
- The tolerance of peers is 1e-7, except for "its own tol": ik_LM's is on half of the squared error.
- The C program has the bare formulas and no degenerate cases. It is timed in C over an array,
  without calls from Python.
- The whole run took {seconds:.0f} s."""


def heading():
    """Machine, versions, date."""
    versions = ', '.join(f'{name} {_version(name)}' for name in PACKAGES)
    cpu = next(
        line.split(':')[1].strip()
        for line in Path('/proc/cpuinfo').read_text().splitlines()
        if line.startswith('model name')
    )
    now = datetime.now(timezone.utc).strftime('%Y-%m-%d %H:%M UTC')
    commit = _output('git', 'rev-parse', '--short', 'HEAD')
    changed = ' with changes' if _output('git', 'status', '--porcelain', 'ik_circles') else ''
    return (
        '# Benchmark: ik_circles and its peers\n\n'
        f'{now}, ik_circles at {commit}{changed}, seed {SEED}. Written by `scripts/bench`.\n\n'
        f'{cpu}, {os.cpu_count()} CPUs (load {os.getloadavg()[0]:.1f}), '
        f'Python {platform.python_version()}, {_output(compiler(), "--version").splitlines()[0]}, '
        f'{versions}, python3-pykdl {_debian_version("python3-pykdl")}.'
    )


def main_table(figures, limits, missing):
    """A block of rows for each class; below it why a peer is missing."""
    head = 'targets', 'method', 'calls', 'median µs', 'p99 µs', 'ratio', 'right %', 'wrong claims %'
    rows = []
    for kind, limit in limits.items():
        ours = figures[kind, InverseKinematics.name].median
        rows += [_row(*key, got, ours) for key, got in figures.items() if key[0] == kind]
        c_figures = '', short(limit), '', short(limit / ours), '', ''
        rows.append((kind, 'C, gcc -O3, in its own loop', *c_figures))
        rows += [(kind, name, 'not run', *[''] * 5) for name in missing]
    reasons = [f'- Not run: {name}: {why}' for name, why in missing.items()]
    return '\n'.join(('## Single calls\n', table(head, rows), '', *reasons, *_not_installed()))


def _row(kind, name, got, ours):
    rates = f'{100.0 * got.right:.1f}', f'{100.0 * got.wrong_claims:.1f}'
    return kind, name, str(got.calls), *map(short, (got.median, got.p99, got.median / ours)), *rates


def of_batch(rows):
    """Many targets at once."""
    have = {name for name, *_ in rows}
    cells = [(name, short(each), short(ratio), remark) for name, each, ratio, remark in rows]
    cells += [(name, '', '', 'not there yet') for name in BATCHES if name not in have]
    return '## Batch\n\n' + table(('100,000 targets', 'µs per target', 'of C', 'remark'), cells)


def of_maps(capability, reachability):
    """The map of the plane and that of space."""
    mean = of_map('Capability map, 1000 x 1000', 'mean share', capability)
    return f'{mean}\n\n{of_map("Reachability map, 100 x 100 x 100", "reachable", reachability)}'


def of_map(title, what, figures):
    """Time and memory of one map."""
    if 'error' in figures:
        return f'## {title}\n\nNot measured: {figures["error"]}.'
    said = (
        '{seconds:.2f} s, peak {megabytes:.0f} MB of the whole process ({megabytes_before:.0f} MB '
        'before the call); {what} {mean:.4f}.'
    ).format(**figures, what=what)
    return f'## {title}\n\n{said}'


def notes(overhead, seconds):
    """How to read the tables."""
    return NOTES.format(count=COUNT, overhead=overhead, seconds=seconds)


def table(head, rows):
    """Rows of text under a head, in columns."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = [
        '| ' + ' | '.join(cell.ljust(width) for cell, width in zip(row, widths)) + ' |'
        for row in (head, *rows)
    ]
    return '\n'.join((lines[0], '|' + '|'.join('-' * (w + 2) for w in widths) + '|', *lines[1:]))


def short(value):
    """Three digits, but all that are before the point."""
    return f'{value:.0f}' if value >= 100.0 else f'{value:.3g}'


def _not_installed():
    """What pip said of the packages that scripts/bench could not install."""
    failed = BUILT.with_name('failed')
    lines = failed.read_text().splitlines() if failed.exists() else []
    return [f'- Not installed: {line}' for line in lines]


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return '(not installed)'


def _debian_version(name):
    return _output('dpkg-query', '-W', '-f', '${Version}', name) or '(not installed)'


def _output(*command):
    try:
        return run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ''
