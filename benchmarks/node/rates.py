"""The highest rate of targets at which none goes without an answer."""

#: Rates tried are LOWEST * STEP**k for k in 0..STEPS.
LOWEST, STEP, STEPS = 50.0, 1.05, 110
#: How long targets are sent at one rate [s].
SECONDS = 0.4
#: One attempt without loss is enough: what else runs on the machine can only lose answers.
ATTEMPTS = 3


def highest_rate(client):
    """Targets a second, as sent, found by halving; 0 if even the lowest rate loses one."""
    highest, passes, fails = 0.0, -1, STEPS + 1
    while fails - passes > 1:
        middle = (passes + fails) // 2
        rate = _rate_without_loss(client, LOWEST * STEP**middle)
        if rate is None:
            fails = middle
        else:
            highest, passes = rate, middle
    return highest


def _rate_without_loss(client, wanted):
    """The rate that was really sent with every target answered; None if none of the attempts."""
    count = int(wanted * SECONDS)
    for _ in range(ATTEMPTS):
        answers, rate = client.stream([1.0 / wanted] * count)
        if len(answers) == count:
            return rate
    return None
