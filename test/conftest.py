# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A test run has a ROS domain of its own, and tests the installed package where there is one."""

import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / 'scripts'))
from domains import take

ROOT = Path(__file__).resolve().parent.parent
SHOWN = 0.005  # shorter ones are not among pytest's --durations, either [s]
MARKER = Path('share', 'ament_index', 'resource_index', 'packages', 'ik_circles')

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
if os.name == 'posix':  # elsewhere there are no nodes to test
    os.environ['ROS_DOMAIN_ID'] = str(take())

# `python -m pytest` puts the repository's root on the path, whose ik_circles has no msg and srv.
if any(Path(prefix, MARKER).exists() for prefix in os.getenv('AMENT_PREFIX_PATH', '').split(':')):
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != ROOT]


def pytest_runtest_protocol(item, nextitem):
    """A worker of pytest-xdist reports what happened, not that a fixture took no time: each report
    costs as much as a small test, and the process that collects them has no core of its own."""
    if not hasattr(item.config, 'workerinput'):
        return None
    runner = item.config.pluginmanager.getplugin('runner')
    for report in runner.runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == 'call' or not report.passed or report.duration >= SHOWN:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture
def drawing(monkeypatch):
    """Pictures with coarse maps: what tests read off them does not depend on it."""
    module = pytest.importorskip('ik_circles.pictures.drawing', reason='the extra plot draws')
    monkeypatch.setattr(module, 'CELLS', 51)
    monkeypatch.setattr(module, 'CELLS_IN_SLICE', 51)
    return module


@pytest.fixture
def saved(drawing, monkeypatch):
    """The figures that a command saves, without their files: a file takes ten times as long."""
    from matplotlib.figure import Figure

    figures = []
    monkeypatch.setattr(Figure, 'savefig', lambda figure, *_, **__: figures.append(figure))
    return figures
