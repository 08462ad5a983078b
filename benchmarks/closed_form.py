# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""closed_form.c compiled with gcc -O3: the limit of speed, and an independent judge of verdicts."""

import ctypes
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.ctypeslib import ndpointer

SOURCE = Path(__file__).with_name('closed_form.c')
BUILT = Path(__file__).parents[1] / '.venv-bench' / 'closed_form.so'
FLAGS = '-O3', '-shared', '-fPIC', '-std=c99'


class Solved(NamedTuple):
    """Joints (N, 2, 3) [rad], NaN where a branch is missing; solutions (N,); seconds it took."""

    joints: np.ndarray
    counts: np.ndarray
    seconds: float


class ClosedForm:
    """The C program for one arm; without `limits` for one with continuous joints."""

    def __init__(self, arm, limits=True):
        bounds = np.array(arm.limits if limits else [(-np.inf, np.inf)] * 3)
        self._arm = np.ascontiguousarray([arm.link_lengths, bounds[:, 0], bounds[:, 1]])
        self._run = _library().closed_form

    def solve(self, targets):
        """Solve `targets` (N, 3) of x, y [m] and phi [rad]; the loop is timed inside C."""
        targets = np.ascontiguousarray(targets, dtype=float)
        joints = np.full((len(targets), 2, 3), np.nan)  # touched: no page faults in the loop
        counts = np.full(len(targets), -1, dtype=np.intc)
        seconds = self._run(self._arm, len(targets), targets, joints, counts)
        return Solved(joints, counts, seconds)

    def reaches(self, x, y, orientations=7200):
        """Whether one of evenly spread orientations reaches the point: a dense scan, no proof."""
        phi = np.linspace(-np.pi, np.pi, orientations)
        return bool(self.solve(np.column_stack(np.broadcast_arrays(x, y, phi))).counts.any())


def compiler():
    """The compiler that closed_form.c is compiled with."""
    return os.environ.get('CC', 'gcc')


def _library():
    """The compiled program, compiled anew when the source is newer."""
    if not BUILT.exists() or BUILT.stat().st_mtime < SOURCE.stat().st_mtime:
        subprocess.run([compiler(), *FLAGS, str(SOURCE), '-o', str(BUILT), '-lm'], check=True)
    library = ctypes.CDLL(str(BUILT))
    doubles = ndpointer(np.float64, flags='C_CONTIGUOUS')
    counts = ndpointer(np.intc, flags='C_CONTIGUOUS')
    library.closed_form.argtypes = [doubles, ctypes.c_long, doubles, doubles, counts]
    library.closed_form.restype = ctypes.c_double
    return library
