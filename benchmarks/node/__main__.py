"""The IK node beside nodes that only echo, in turns: `python benchmarks/node` prints JSON.

Runs in the project's own environment: . scripts/env.sh
"""

import gc
import json
import os
import random
import statistics
import sys

os.environ['ROS_DOMAIN_ID'] = str(os.getpid() % 101 + 1)  # before rclpy looks at it
os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'

from client import Client
from processes import PROGRAMS, running
from rates import highest_rate

ROUNDS = 5
STREAM_RATE = 100.0  # [Hz]
STREAMED = 500
CALLS = 200
FLOODS, FLOOD_TARGETS, FLOOD_SECONDS = 2, 10_000, 1.0


def main():
    rounds = {kind: [] for kind in PROGRAMS}
    for number in range(ROUNDS):
        for kind in PROGRAMS:
            print(f'round {number + 1} of {ROUNDS}: {kind} ...', file=sys.stderr, flush=True)
            rounds[kind].append(measure(kind))
    print(json.dumps({kind: summary(taken) for kind, taken in rounds.items()}, indent=1))


def measure(kind):
    """One round of one node: a process of its own, warmed up."""
    with running(kind) as process, Client(process) as client:
        client.connect()
        gc.collect()
        gc.disable()  # the client's own pauses are no business of the node
        try:
            client.stream(gaps(150))
            for _ in range(50):
                client.call()
            return {
                **stream(client, process),
                'calls': [client.call() for _ in range(CALLS)],
                **floods(client, process),
                'rate': highest_rate(client),
            }
        finally:
            gc.enable()
            process.check()


def gaps(count):
    """At irregular times, so that targets meet the joint states in every phase."""
    draw = random.Random(count)
    return [draw.uniform(0.5, 1.5) / STREAM_RATE for _ in range(count)]


def stream(client, process):
    """Latencies [s] and CPU use at 100 targets and 100 joint states a second."""
    used = process.cpu_seconds()
    answers, rate = client.stream(gaps(STREAMED))
    used = process.cpu_seconds() - used
    return {
        'latencies': [(answer.command - answer.sent) / 1e9 for answer in answers],
        'unanswered': STREAMED - sum(answer.code == 0 for answer in answers),
        'cpu': used * rate / STREAMED,
    }


def floods(client, process):
    """The longest time to the newest's answer and the growth of memory over all floods."""
    before = process.resident_megabytes()
    results = [client.flood(FLOOD_TARGETS, FLOOD_SECONDS) for _ in range(FLOODS)]
    waits = [wait for _, wait in results]
    return {
        'flood': max(took for took, _ in results),
        'newest': None if None in waits else max(waits),
        'growth': process.resident_megabytes() - before,
    }


def summary(rounds):
    """What is reported of one node; times of all rounds are taken together."""
    latencies = [latency for taken in rounds for latency in taken['latencies']]
    waits = [taken['newest'] for taken in rounds]
    return {
        'targets': len(latencies),
        'unanswered': sum(taken['unanswered'] for taken in rounds),
        'latency': statistics.median(latencies),
        'latency_p99': statistics.quantiles(latencies, n=100)[-1],
        'rate': statistics.median(taken['rate'] for taken in rounds),
        'rates': [taken['rate'] for taken in rounds],
        'cpu': statistics.mean(taken['cpu'] for taken in rounds),
        'call': statistics.median(call for taken in rounds for call in taken['calls']),
        'flood': max(taken['flood'] for taken in rounds),
        'newest': None if None in waits else max(waits),
        'growth': max(taken['growth'] for taken in rounds),
    }


if __name__ == '__main__':
    main()
