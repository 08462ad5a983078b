# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the viewer costs: `python benchmarks/viewer.py` prints JSON, in about nine minutes.

The IK node gets 100 targets and 100 joint states a second. Four kinds take turns: no viewer; one
that nobody watches; one whose page is drawn elsewhere (its data are received and thrown away); and
one whose page is drawn by this machine's processor, in headless Chromium. The turns are short,
because the machine's own speed changes from minute to minute. It runs in the project's own
environment: . scripts/env.sh
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'  # before rclpy looks at it
DOMAIN = os.getpid() % 101 + 1
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / 'node'), str(HERE.parent / 'test')]

#: Viewers that are started, rounds with each, and targets of a turn.
VIEWERS, ROUNDS, TARGETS = 5, 5, 200
#: Rate of the targets [Hz].
RATE = 100.0
ALONE = 'no viewer'
KINDS = ('nobody looks', 'page drawn elsewhere', 'page drawn here')
CAMERA = {
    'type': 'ViewerCameraMessage', 'wxyz': (1.0, 0.0, 0.0, 0.0), 'position': (0.0, 0.0, 2.0),
    'fov': 1.0, 'near': 0.01, 'far': 100.0, 'image_height': 800, 'image_width': 1280,
    'look_at': (0.0, 0.0, 0.0), 'up_direction': (0.0, 1.0, 0.0),
}  # fmt: skip


def main():
    from client import Client
    from processes import running

    taken = {kind: [] for kind in (ALONE, *KINDS)}
    with running('node', DOMAIN) as node, Client(node, DOMAIN, 'node') as client:
        client.connect()
        client.stream(_gaps(150))
        for number in range(VIEWERS):
            print(f'viewer {number + 1} of {VIEWERS} ...', file=sys.stderr)
            taken[ALONE] += [_measure(client, node) for _ in range(ROUNDS)]
            with _viewer() as (viewer, address), _browser(address) as browser:
                for turn in range(ROUNDS):
                    for kind in KINDS if turn % 2 == 0 else KINDS[::-1]:
                        with _looking(kind, address, browser) as watched:
                            taken[kind].append(_measure(client, node, viewer, watched))
    results = {kind: _summary(rounds) for kind, rounds in taken.items()}
    for kind, before in zip(KINDS, (ALONE, KINDS[0], KINDS[0])):
        results[kind][f'of that with {before}, quartiles of the rounds [%]'] = _shares(
            taken[kind], taken[before]
        )
    print(json.dumps(results, indent=1))


def _gaps(count):
    return [1.0 / RATE] * count


def _measure(client, node, viewer=None, browser=None):
    """Latency [s], CPU of node and viewer [cores], and frames a second while targets arrive."""
    client.stream(_gaps(100))
    processes = {'node': node, 'viewer': viewer}
    before = {name: process.cpu_seconds() for name, process in processes.items() if process}
    busy = _busy_seconds()
    drawn = browser.pictures if browser else 0
    begin = time.perf_counter()
    answers, _ = client.stream(_gaps(TARGETS))
    took = time.perf_counter() - begin
    measured = {
        f'cpu of the {name}': (processes[name].cpu_seconds() - used) / took
        for name, used in before.items()
    }
    measured['busy cores in all'] = (_busy_seconds() - busy) / took
    measured['latencies'] = [(answer.command - answer.sent) / 1e9 for answer in answers]
    if browser:
        measured['pictures a second'] = (browser.pictures - drawn) / took
    return measured


def _busy_seconds():
    """Time that all cores have worked so far [s]."""
    user, nice, system, _, _, irq, softirq = Path('/proc/stat').read_text().split()[1:8]
    return sum(map(int, (user, nice, system, irq, softirq))) / os.sysconf('SC_CLK_TCK')


def _summary(rounds):
    latencies = [latency for taken in rounds for latency in taken['latencies']]
    summary = {
        'median latency [ms]': round(1e3 * statistics.median(latencies), 3),
        '99 % of latencies below [ms]': round(1e3 * statistics.quantiles(latencies, n=100)[-1], 3),
    }
    for name in rounds[0]:
        if name != 'latencies':
            summary[name] = round(statistics.mean(taken[name] for taken in rounds), 3)
    return summary


def _shares(rounds, before):
    """Quartiles of the median latencies, each as a share of the one of the same round [%]."""
    shares = [
        statistics.median(taken['latencies']) / statistics.median(bare['latencies'])
        for taken, bare in zip(rounds, before)
    ]
    return [round(100.0 * share) for share in statistics.quantiles(shares, n=4)]


# --- the viewer and who looks -------------------------------------------------------------------


@contextmanager
def _viewer():
    """The viewer's process and the address of its page."""
    from processes import PREFIX, NodeProcess, wait_until

    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, 'output.txt')
        command = [str(PREFIX / 'lib' / 'ik_circles' / 'viewer'), '--ros-args', '-p', 'port:=0']
        viewer = NodeProcess(command, written, DOMAIN)
        try:
            wait_until(lambda: 'http://' in written.read_text(), 'the address', viewer)
            yield viewer, re.search(r'http://[\d.:]+', written.read_text()).group()
        finally:
            viewer.end()


@contextmanager
def _browser(address):
    """Chromium, whose page is empty until somebody looks."""
    from browser import browsing
    from processes import urdf

    from ik_circles import load_arm

    with browsing(address, load_arm(urdf('planar_3r'))) as browser:
        browser.driver.get('about:blank')
        yield browser


@contextmanager
def _looking(kind, address, browser):
    """The browser, if it shows the page."""
    if kind == 'page drawn here':
        browser.open(address)
        browser.count_pictures()
        yield browser
        browser.driver.get('about:blank')
    elif kind == 'page drawn elsewhere':
        process = subprocess.Popen([sys.executable, __file__, address])
        yield None
        process.terminate()
        process.wait()
    else:
        yield None


def _throw_away(address):
    """Act as a browser that draws nothing."""
    import viser
    from msgspec import msgpack
    from websockets.sync.client import connect

    version = f'viser-v{viser.__version__}'
    with connect(address.replace('http', 'ws'), subprotocols=[version], max_size=None) as socket:
        socket.send(msgpack.encode(CAMERA))
        while True:
            socket.recv()


if __name__ == '__main__':
    main() if len(sys.argv) == 1 else _throw_away(sys.argv[1])
