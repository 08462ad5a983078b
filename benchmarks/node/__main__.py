# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The IK node beside nodes that only echo, in turns: `python benchmarks/node` prints JSON.

Runs in the project's own environment: . scripts/env.sh
"""

import gc
import json
import os
import random
import statistics
import sys
from contextlib import ExitStack
from pathlib import Path

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'  # before rclpy looks at it

from client import Client
from processes import KINDS, running
from rates import highest_rate

sys.path.append(str(Path(__file__).resolve().parents[2] / 'scripts'))
from domains import take

DOMAINS = [take() for _ in KINDS]
ROUNDS = 4
#: In each round, the nodes take this many turns at this: the machine's speed changes all the time.
TURNS = 10
STREAM_RATE = 100.0  # [Hz]
STREAMED, CALLS, UNCOUNTED = 50, 40, 10
TIMES = 'latencies', 'position_calls', 'pose_calls'
FLOODS, FLOOD_TARGETS, FLOOD_SECONDS = 2, 10_000, 1.0


def main():
    rounds = {kind: [] for kind in KINDS}
    for number in range(ROUNDS):
        print(f'round {number + 1} of {ROUNDS} ...', file=sys.stderr, flush=True)
        for kind, taken in measure().items():
            rounds[kind].append(taken)
    print(json.dumps({kind: summary(taken) for kind, taken in rounds.items()}, indent=1))


def measure():
    """One round: all nodes side by side, each with a domain of its own, one of them at work."""
    with ExitStack() as stack:
        nodes = {}
        for domain, kind in zip(DOMAINS, KINDS):
            process = stack.enter_context(running(kind, domain))
            nodes[kind] = stack.enter_context(Client(process, domain, kind)), process
        for client, _ in nodes.values():
            client.connect()
            client.stream(gaps(100))
        gc.collect()
        gc.disable()  # the client's own pauses are no business of the node
        stack.callback(gc.enable)
        turns = {kind: [] for kind in KINDS}
        for _ in range(TURNS):
            for kind, ends in nodes.items():
                turns[kind].append(turn(*ends))
        compared = [kind for kind in KINDS if kind != 'smooth']
        found = {kind: {**joined(turns[kind]), **limits(*nodes[kind])} for kind in compared}
        return {**found, 'smooth': joined(turns['smooth'])}


def gaps(count):
    """At irregular times, so that targets meet the joint states in every phase."""
    draw = random.Random(count)
    return [draw.uniform(0.5, 1.5) / STREAM_RATE for _ in range(count)]


def turn(client, process):
    """Latencies [s] and CPU use at 100 targets and 100 joint states a second; times of calls."""
    client.stream(gaps(UNCOUNTED))
    used = process.cpu_seconds()
    answers, rate = client.stream(gaps(STREAMED))
    used = process.cpu_seconds() - used
    process.check()
    calls = [client.call(number % 2 == 1) for number in range(UNCOUNTED + CALLS)][UNCOUNTED:]
    return {
        'latencies': [(answer.command - answer.sent) / 1e9 for answer in answers],
        'unanswered': STREAMED - sum(answer.code == 0 for answer in answers),
        'cpu': used * rate / STREAMED,
        'position_calls': calls[::2],
        'pose_calls': calls[1::2],
    }


def joined(turns):
    """Of all turns of a round."""
    return {
        **{name: flattened(turns, name) for name in TIMES},
        'unanswered': sum(taken['unanswered'] for taken in turns),
        'cpu': statistics.mean(taken['cpu'] for taken in turns),
    }


def flattened(some, name):
    """The times of that name of all turns, or rounds."""
    return [time for taken in some for time in taken[name]]


def limits(client, process):
    """The longest time to the newest's answer and the growth of memory over all floods, and the
    highest rate."""
    before = process.resident_megabytes()
    results = [client.flood(FLOOD_TARGETS, FLOOD_SECONDS) for _ in range(FLOODS)]
    waits = [wait for _, wait in results]
    process.check()
    return {
        'flood': max(took for took, _ in results),
        'newest': None if None in waits else max(waits),
        'growth': process.resident_megabytes() - before,
        'rate': highest_rate(client),
    }


def summary(rounds):
    """What is reported of one node. Times of all rounds are taken together, except for p99: if the
    machine stands still in one round, the p99 of all rounds would show nothing else."""
    cpu = statistics.mean(taken['cpu'] for taken in rounds)
    if 'rate' not in rounds[0]:  # motion: smooth, whose commands are not the answers to targets
        return {'cpu': cpu}
    latencies = flattened(rounds, 'latencies')
    waits = [taken['newest'] for taken in rounds]
    return {
        'targets': len(latencies),
        'unanswered': sum(taken['unanswered'] for taken in rounds),
        'latency': statistics.median(latencies),
        'latency_p99': statistics.median(
            statistics.quantiles(taken['latencies'], n=100)[-1] for taken in rounds
        ),
        'rate': statistics.median(taken['rate'] for taken in rounds),
        'rates': [taken['rate'] for taken in rounds],
        'cpu': cpu,
        'position_call': statistics.median(flattened(rounds, 'position_calls')),
        'pose_call': statistics.median(flattened(rounds, 'pose_calls')),
        'flood': max(taken['flood'] for taken in rounds),
        'newest': None if None in waits else max(waits),
        'growth': max(taken['growth'] for taken in rounds),
    }


if __name__ == '__main__':
    main()
