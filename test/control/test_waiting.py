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
def test_the_newest_of_a_burst_is_answered_and_a_stream_never_starves(seed):
    """Law: targets come faster than transforms, which are late by more than a few targets. While
    they come, each wait for an answer ends with its transform; when they end, the newest is
    answered by its own."""
    random = np.random.default_rng(seed)
    between = random.uniform(0.001, 0.004)
    period, delay = between * random.uniform(3.0, 12.0), between * random.uniform(3.0, 12.0)
    targets = between * np.arange(1, random.integers(2, 200))
    late, waiting = Late(), Waiting()
    transforms = np.arange(0.0, targets[-1] + 2.0 * period, period)
    events = [(at, 0, at) for at in targets] + [(at + delay, 1, at) for at in transforms]
    for late.now, kind, stamp in sorted(events):
        if kind == 0:
            waiting.add_target(late.attempt(stamp), late.now + PATIENCE)
            assert waiting
        else:
            late.newest = stamp
            waiting.try_again(late.now)
    stamps, times, true = zip(*late.answered)
    assert all(true) and stamps[-1] == targets[-1] and not waiting
    assert times[0] <= targets[0] + period + delay
    assert max([0.0, *np.diff(times)]) <= delay + period + between + 1e-9


@pytest.mark.parametrize('seed', range(cases(200)))
def test_nothing_waits_past_its_time_though_no_transform_ever_comes(seed):
    """Law: targets and questions are refused by the first try after their patience."""
    random = np.random.default_rng(seed)
    late, waiting = Late(), Waiting()
    came = np.sort(random.uniform(1.0, 2.0, 30))
    events = [(at, int(random.integers(2))) for at in came]
    events += [(at, 2) for at in np.arange(1.0, 2.0 + 2.0 * PATIENCE, 0.02)]
    questions = []
    for late.now, kind in sorted(events):
        if kind == 2:
            waiting.try_again(late.now)
        elif kind == 1:
            questions.append(late.now)
            waiting.add_question(late.attempt(late.now), late.now + PATIENCE)
        else:
            waiting.add_target(late.attempt(late.now), late.now + PATIENCE)
    assert not waiting and not any(taken for _, _, taken in late.answered)
    assert max(at - stamp for stamp, at, _ in late.answered) <= PATIENCE + 0.02 + 1e-9
    assert {*questions} <= {*late.stamps()}
    newest = max(stamp for stamp in came if stamp not in questions)
    assert newest in late.stamps()


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
