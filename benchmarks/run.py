# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One run, one table: `scripts/bench` prints it and writes benchmarks/results.md."""

import warnings
from pathlib import Path
from time import perf_counter

from benchmarks.aims import aims
from benchmarks.batch import measure_batch, measure_map
from benchmarks.methods import of_methods
from benchmarks.motion import of_lines, of_motion
from benchmarks.node_report import measured, of_node
from benchmarks.ours import questions
from benchmarks.peers import PEERS, Eaik
from benchmarks.report import heading, main_table, notes, of_batch, of_maps
from benchmarks.rounds import measure, timer_overhead
from benchmarks.targets import ARMS, target_classes
from benchmarks.whole_arms import of_whole_arms

RESULTS = Path(__file__).with_name('results.md')


def main():
    begin = perf_counter()
    warnings.simplefilter('ignore')  # peers warn of deprecated calls inside themselves
    peers, missing = available_peers()
    figures, limits = measure(questions() | peers, target_classes())
    batch = measure_batch(Eaik if Eaik.name in peers else None)
    whole_arms = of_whole_arms()
    maps = measure_map(), measure_map('space')
    methods = of_methods()
    lines = of_motion()
    node = measured()
    parts = (
        heading(),
        main_table(figures, limits, missing),
        of_batch(batch),
        whole_arms,
        of_maps(*maps),
        methods,
        of_lines(lines),
        of_node(node),
        aims(figures, batch, maps, lines, node),
        notes(timer_overhead(), perf_counter() - begin),
    )
    text = '\n\n'.join(part.strip() for part in parts)
    print(text)
    RESULTS.write_text(text + '\n')


def available_peers():
    """Methods of the peers that are installed, and the reason for each that is not."""
    methods, missing = {}, {}
    for kind in PEERS:
        try:
            methods[kind.name] = kind.share, {name: kind(arm) for name, arm in ARMS.items()}
        except Exception as error:  # whatever a peer's import raises is its row in the table
            missing[kind.name] = f'{type(error).__name__}: {error}'
    return methods, missing


if __name__ == '__main__':
    main()
