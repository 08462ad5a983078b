# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Waiting for transforms: the newest target wins, none starves, none waits too long."""

import numpy as np
import pytest
from law_cases import cases

from ik_circles.control.waiting import Waiting

PATIENCE = 0.2


class Late:
    """Targets that can be answered once a transform of their stamp has come."""

    def __init__(self) -> None:
        self.newest = 0.0
        self.answered: list[tuple[float, float, bool]] = []
        self.now = 0.0

    def attempt(self, stamp: float):
        def attempt(is_last: bool) -> bool:
            if stamp > self.newest and not is_last:
                return False
            self.answered.append((stamp, self.now, stamp <= self.newest))
            return True

        return attempt

    def stamps(self) -> list[float]:
        return [stamp for stamp, _, _ in self.answered]


def test_a_newer_target_replaces_the_newest_and_the_first_keeps_its_place():
    late, waiting = Late(), Waiting()
    for stamp in (1.0, 2.0, 3.0):
        waiting.add_target(late.attempt(stamp), 99.0)
    waiting.try_again(0.0)
    assert waiting and late.answered == []
    late.newest = 2.5
    waiting.try_again(0.0)
    assert late.stamps() == [1.0]
    late.newest = 3.0
    waiting.try_again(0.0)
    assert late.stamps() == [1.0, 3.0] and not waiting


def test_the_newest_answer_ends_the_wait_of_older_targets():
    late, waiting = Late(), Waiting()
    for stamp in (1.0, 2.0):
        waiting.add_target(late.attempt(stamp), 99.0)
    late.newest = 2.0
    waiting.try_again(0.0)
    assert late.stamps() == [2.0] and not waiting
    waiting.add_target(late.attempt(3.0), 99.0)
    waiting.drop_targets()
    late.newest = 9.0
    waiting.try_again(0.0)
    assert late.stamps() == [2.0] and not waiting


def test_every_question_is_answered():
    late, waiting = Late(), Waiting()
    for stamp in (1.0, 2.0, 3.0):
        waiting.add_question(late.attempt(stamp), 5.0)
    late.newest = 1.5
    waiting.try_again(0.0)
    assert late.stamps() == [1.0]
    waiting.try_again(5.0)
    assert late.stamps() == [1.0, 2.0, 3.0] and not waiting
    assert [taken for _, _, taken in late.answered] == [True, False, False]


@pytest.mark.parametrize('seed', range(cases(200)))
def test_a_stream_of_any_rate_is_answered_in_order_and_in_time(seed):
    """Law: transforms of any rate and delay within the patience. Stamps rise from answer to answer,
    nothing waits longer than its patience, all answers are true ones, and none is more than the
    delay and a period of the transforms after the one before it."""
    random = np.random.default_rng(seed)
    period, delay = random.uniform(0.005, 0.05), random.uniform(0.0, 0.1)
    targets = np.cumsum(random.uniform(0.0005, 0.03, 300))
    sent = np.arange(0.0, targets[-1] + PATIENCE, period)
    late, waiting = Late(), Waiting()
    events = [(at, 0, at) for at in targets] + [(at + delay, 1, at) for at in sent]
    for late.now, kind, stamp in sorted(events):
        if kind == 0:
            waiting.add_target(late.attempt(stamp), late.now + PATIENCE)
        else:
            late.newest = stamp
            waiting.try_again(late.now)
    stamps, times, true = zip(*late.answered)
    assert all(true) and list(stamps) == sorted(set(stamps)) and stamps[-1] == targets[-1]
    assert max(np.subtract(times, stamps)) <= PATIENCE
    widest = np.max(np.diff(targets))
    assert max(np.diff(times)) <= delay + period + widest + 1e-9
