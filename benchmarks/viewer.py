# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the viewer costs: `python benchmarks/viewer.py` prints JSON, in some ten minutes.

The IK node gets 100 targets and 100 joint states a second. A page is open in every second turn:
drawn elsewhere (its data are received and thrown away), or by this machine's processor, in headless
Chromium. In the turns between, nobody looks: the browser's page stays loaded, and neither hears nor
draws. The machine's own speed changes from minute to minute, so turns are short, and each one is
compared with the two around it; turns in which nobody looks are, too, and show what is noise. It
runs in the project's own environment: . scripts/env.sh
"""

import ctypes
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'  # before rclpy looks at it
DOMAIN = os.getpid() % 101 + 1
FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER / 'node'), str(FOLDER.parent / 'test')]

#: Viewers that are started, turns before each, pages opened of each kind, and targets of a turn.
VIEWERS, ALONE_TURNS, PAGES, TARGETS = 3, 3, 20, 100
#: Targets before those that are measured: a page that has opened or closed comes to rest.
LEAD = 50
#: How often the turns are drawn again to see how far chance may have moved their mean.
DRAWN_AGAIN = 4000
#: Rate of the targets [Hz].
RATE = 100.0
ALONE, NOBODY = 'no viewer', 'nobody looks'
ELSEWHERE, HERE = 'page drawn elsewhere', 'page drawn here'
#: Numbers of Linux: the call that gives up a right for good, and the right to a higher priority.
GIVE_UP, PRIORITY = 24, 23
#: Longest wait for a message before a page elsewhere looks whether it should end [s].
PATIENCE = 0.1
#: What a page elsewhere says once it has heard of the scene.
CONNECTED = 'connected'
#: Runs before the page's own scripts. `look` takes the page's socket and its frames away, and gives
#: them back: it takes seconds to load a page, and the machine's speed changes meanwhile. While the
#: page has no socket, viser may not try to connect again.
LOOK = """
  const post = Worker.prototype.postMessage;
  const request = window.requestAnimationFrame.bind(window), waiting = [];
  let page, server, away = false;
  window.requestAnimationFrame = frame => away ? waiting.push(frame) : request(frame);
  Worker.prototype.postMessage = function (message, ...more) {
    if (message?.type === 'set_server') [page, server] = [this, message.server];
    if (message?.type !== 'retry' || !away) post.call(this, message, ...more);
  };
  window.look = looks => {
    away = !looks;
    if (looks) waiting.splice(0).forEach(request);
    post.call(page, {type: 'set_server', server: looks ? server : 'ws://127.0.0.1:1'});
  };
"""
CAMERA = {
    'type': 'ViewerCameraMessage', 'wxyz': (1.0, 0.0, 0.0, 0.0), 'position': (0.0, 0.0, 2.0),
    'fov': 1.0, 'near': 0.01, 'far': 100.0, 'image_height': 800, 'image_width': 1280,
    'look_at': (0.0, 0.0, 0.0), 'up_direction': (0.0, 1.0, 0.0),
}  # fmt: skip


def main():
    from client import Client
    from processes import running

    _be_an_ordinary_user()
    taken = {kind: [] for kind in (ALONE, NOBODY, ELSEWHERE, HERE)}
    changes = {kind: [] for kind in (NOBODY, ELSEWHERE, HERE)}
    with running('node', DOMAIN) as node, Client(node, DOMAIN, 'node') as client:
        client.connect()
        client.stream(_gaps(150))
        for number in range(VIEWERS):
            print(f'viewer {number + 1} of {VIEWERS} ...', file=sys.stderr)
            taken[ALONE] += [_measure(client, node) for _ in range(ALONE_TURNS)]
            with _viewer() as (viewer, address), _pages(address) as (elsewhere, browser):
                turns = []
                for kind in _order():
                    with _looking(kind, elsewhere, browser) as watched:
                        turns.append((kind, _measure(client, node, viewer, watched)))
            for kind, turn in turns:
                taken[kind].append(turn)
            _compare(turns, changes)
    results = {kind: _summary(turns) for kind, turns in taken.items()}
    for kind, logarithms in changes.items():
        results[kind]['added to the median latency, 95 % interval [%]'] = _interval(logarithms)
    print(json.dumps(results, indent=1))


def _be_an_ordinary_user():
    """Give up a right that only root has, and with it Chromium: it would draw before the node."""
    ctypes.CDLL(None).prctl(GIVE_UP, PRIORITY, 0, 0, 0)


def _order():
    """The kinds of the turns with one viewer: nobody looks in every second one, and at the ends."""
    order = [NOBODY]
    for number in range(PAGES):
        for kind in (ELSEWHERE, HERE) if number % 2 == 0 else (HERE, ELSEWHERE):
            order += [kind, NOBODY]
    return order


def _compare(turns, changes):
    """Add the logarithm of each median by what it would be if nobody looked.

    A page is compared with the turns right before and after it, which takes out a speed of the
    machine that drifts. Turns in which nobody looks are compared with their like, likewise.
    """
    medians = [math.log(statistics.median(turn['latencies'])) for _, turn in turns]
    for number, (kind, _) in enumerate(turns):
        apart = 2 if kind == NOBODY else 1
        if apart <= number < len(turns) - apart:
            around = medians[number - apart] + medians[number + apart]
            changes[kind].append(medians[number] - around / 2.0)


def _interval(logarithms):
    """Middle and ends of the 95 % interval of the mean change [%], by bootstrap.

    The mean is that of the middle half: a turn in which the machine did something else is out.
    """
    logarithms = np.array(logarithms)
    count = len(logarithms)
    again = np.random.default_rng(0).choice(logarithms, (DRAWN_AGAIN, count))
    quarter = count // 4
    means = [
        np.sort(drawn, axis=1)[:, quarter : count - quarter].mean(axis=1)
        for drawn in (logarithms[np.newaxis], again)
    ]
    lower, upper = np.quantile(means[1], (0.025, 0.975))
    return {
        name: round(100.0 * math.expm1(value), 1)
        for name, value in (('mean', means[0][0]), ('lower', lower), ('upper', upper))
    }


def _gaps(count):
    return [1.0 / RATE] * count


def _measure(client, node, viewer=None, browser=None):
    """Latency [s], CPU of node and viewer [cores], and frames a second while targets arrive."""
    client.stream(_gaps(LEAD))
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
def _pages(address):
    """A process that acts as a page elsewhere, and Chromium with the page; nobody looks yet."""
    from browser import browsing
    from processes import urdf

    from ik_circles import load_arm

    command, pipe = [sys.executable, __file__, address], subprocess.PIPE
    with (
        browsing(address, load_arm(urdf('planar_3r'))) as browser,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as elsewhere,
    ):
        script = {'source': LOOK}
        browser.driver.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', script)
        browser.open(address)
        browser.count_pictures()
        _look(browser, False)
        yield elsewhere, browser
        elsewhere.terminate()


def _look(browser, looks):
    """Give the page its socket back, or take it away, and wait until it shows that."""
    browser.driver.execute_script('look(arguments[0])', looks)
    gray = '[style*="opacity: 0.5"] .stop-next'
    browser.wait(lambda: bool(browser.html(gray)) != looks and browser.text('.verdict'), 'the page')


@contextmanager
def _looking(kind, elsewhere, browser):
    """The browser, if it shows the page."""
    if kind == HERE:
        _look(browser, True)
        yield browser
        _look(browser, False)
    elif kind == ELSEWHERE:
        print(file=elsewhere.stdin, flush=True)
        if elsewhere.stdout.readline().strip() != CONNECTED:
            raise RuntimeError('the page elsewhere has ended')
        yield None
        print(file=elsewhere.stdin, flush=True)
    else:
        yield None


def _throw_away(address):
    """Act as a browser that draws nothing, from each odd line of the input to the next even one."""
    import viser
    from msgspec import msgpack
    from websockets.sync.client import connect

    version = f'viser-v{viser.__version__}'
    while sys.stdin.readline():
        with connect(address.replace('http', 'ws'), subprotocols=[version], max_size=None) as page:
            page.send(msgpack.encode(CAMERA))
            page.recv()
            print(CONNECTED, flush=True)
            ended = threading.Thread(target=sys.stdin.readline)
            ended.start()
            while ended.is_alive():
                with suppress(TimeoutError):
                    page.recv(timeout=PATIENCE)


if __name__ == '__main__':
    main() if len(sys.argv) == 1 else _throw_away(sys.argv[1])
