"""The figure of a reason: how far the one joint that is in the way would be past its limit."""

import math
import re

import numpy as np
from law_cases import cases
from random_arms import TURN

from ik_circles import Code, PlanarArm

ORIENTATIONS = np.linspace(-math.pi, math.pi, 2881)
#: Messages are rounded to a tenth of a degree.
ROUNDED = math.radians(0.051)


def past_limits(lengths, limits, target):
    """Excess [rad] of each joint (2, 3, N) in both branches of a scan of orientations."""
    l1, l2, l3 = lengths
    wrist = complex(*target) - l3 * np.exp(1j * ORIENTATIONS)
    cosine = (l1**2 + abs(wrist) ** 2 - l2**2) / (2.0 * l1 * abs(wrist))
    at_base = np.arccos(np.where(abs(cosine) <= 1.0, cosine, np.nan))
    excesses = []
    for sign in (1.0, -1.0):
        upper_arm = np.angle(wrist) + sign * at_base
        forearm = np.angle(wrist - l1 * np.exp(1j * upper_arm))
        q = np.array([upper_arm, forearm - upper_arm, ORIENTATIONS - forearm])
        turns = q[..., None] + TURN * np.arange(-2, 3)
        inside = [np.clip(turn, *limit) for turn, limit in zip(turns, limits)]
        excesses.append(np.abs(turns - np.array(inside)).min(axis=-1))
    return np.array(excesses)


def test_no_orientation_needs_less_of_a_single_joint_than_the_reason_says():
    rng = np.random.default_rng(0)
    checked = 0
    while checked < cases(300):
        lengths = rng.uniform(0.1, 1.0, 3)
        limits = [tuple(np.sort(rng.uniform(-2.5, 2.5, 2))) for _ in range(3)]
        target = rng.uniform(-0.8, 0.8, 2) * lengths.sum()
        answer = PlanarArm(tuple(lengths), limits).check_reachability(*target)
        if answer.code is not Code.JOINT_LIMIT:
            continue
        figures = re.findall(r'its \w+ limit by ([\d.]+) deg', answer.message)
        over = past_limits(lengths, limits, target)
        alone = np.where((over > 1e-9).sum(axis=1) == 1, over.max(axis=1), np.inf).min()
        if np.isfinite(alone):
            assert len(figures) == 1, (lengths, limits, target, answer.message)
            assert math.radians(float(figures[0])) <= alone + ROUNDED, (lengths, limits, target)
            checked += 1
