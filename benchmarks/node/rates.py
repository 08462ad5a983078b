# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The highest rate of targets at which none goes without an answer."""

#: Rates are tried upwards from the lowest [Hz], each so much higher than the one before.
LOWEST, STEP, HIGHEST = 150.0, 1.08, 10_000.0
#: How long targets are sent at one rate [s].
SECONDS = 0.25
#: One attempt without loss is enough: what else runs on the machine can only lose answers.
ATTEMPTS = 4
#: For the same reason the search goes on after a rate that failed, until this many fail in a row.
FAILURES = 3


def highest_rate(client):
    """Targets a second, as sent; 0 if even the lowest rates lose some."""
    highest, failures, wanted = 0.0, 0, LOWEST
    while failures < FAILURES and wanted < HIGHEST:
        rate = _rate_without_loss(client, wanted)
        failures = failures + 1 if rate is None else 0
        highest = max(highest, rate or 0.0)
        wanted *= STEP
    return highest


def _rate_without_loss(client, wanted):
    """The rate that was really sent with every target answered; None if none of the attempts."""
    count = int(wanted * SECONDS)
    for _ in range(ATTEMPTS):
        answers, rate = client.stream([1.0 / wanted] * count)
        if len(answers) == count:
            return rate
    return None
