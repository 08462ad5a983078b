# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One joint of the simulated arm: each step, against areas below velocities and halving."""

import numpy as np
import pytest
from law_cases import cases

from ik_circles.control.servo import Motion, Reference, ServoLimits, follow, rest_of

#: Slices of a step, below whose velocities the area is summed.
SLICES = 400


def at_most(first, last, limits, duration):
    """The area below the fastest velocities that lead from one to another [rad]."""
    times = np.linspace(0.0, duration, SLICES + 1)
    rising = first + limits.acceleration * times
    falling = last + limits.acceleration * times[::-1]
    fastest = np.minimum(np.minimum(rising, falling), limits.velocity)
    return float((fastest[1:] + fastest[:-1]).sum() * duration / (2.0 * SLICES))


def changed(first, last, limits):
    """Time and way of a change of velocity, as hard as the joint can [s, rad]."""
    time = abs(last - first) / limits.acceleration
    return time, time * (first + last) / 2.0


def catching_up(now, wanted, limits, duration):
    """The motion from which the joint can just brake to the wanted one, by halving."""

    def motion(speed):
        time, way = changed(now.velocity, speed, limits)
        return Motion(now.position + way + (duration - time) * speed, speed)

    def passes(speed):
        time, way = changed(speed, wanted.velocity, limits)
        return motion(speed).position + way > wanted.position + time * wanted.velocity

    change = limits.acceleration * duration
    slow = max(-limits.velocity, now.velocity - change)
    fast = min(limits.velocity, now.velocity + change)
    for _ in range(100):
        middle = (slow + fast) / 2.0
        slow, fast = (slow, middle) if passes(middle) else (middle, fast)
    return motion(slow)


def expected(now, reference, limits, duration):
    """What `follow` should find; None where rounding decides."""
    position = float(np.clip(reference.position, limits.lower, limits.upper))
    to_rest = catching_up(now, Motion(position, 0.0), limits, duration)
    if reference.velocity is None:
        return to_rest
    speed = float(np.clip(reference.velocity, -limits.velocity, limits.velocity))
    found, way = Motion(position, speed), position - now.position
    room = at_most(now.velocity, speed, limits, duration) - way
    room = min(room, way + at_most(-now.velocity, -speed, limits, duration))
    if abs(room) < 1e-3 * limits.acceleration * duration**2:
        return None
    if abs(speed - now.velocity) > limits.acceleration * duration or room < 0.0:
        found = catching_up(now, found, limits, duration)
    rests = rest_of(found, limits)
    if min(abs(rests - limits.lower), abs(rests - limits.upper)) < 1e-9:
        return None
    return found if limits.lower < rests < limits.upper else to_rest


def drawn(rng):
    """Limits, a motion from which the joint can stop inside them, a reference, and a duration."""
    fastest, braking, duration = 10.0 ** rng.uniform((-1.0, -1.7, -2.0), (1.0, 0.3, 0.0))
    limits = ServoLimits(-1.0, 1.5, fastest, fastest / braking)
    now = Motion(*rng.uniform((-1.0, -fastest), (1.5, fastest)).tolist())
    while not limits.lower <= rest_of(now, limits) <= limits.upper:
        now = now._replace(velocity=now.velocity / 2.0)
    size = 10.0 ** rng.uniform(-2.0, 0.5) * fastest * (duration + braking)
    place = now.position + now.velocity * duration * rng.choice([0.0, 1.0]) + size * rng.normal()
    speed = rng.choice([None, now.velocity, fastest * rng.uniform(-1.2, 1.2)])
    return now, Reference(place, speed), limits, duration


def test_a_joint_is_where_it_should_be_or_as_fast_as_braking_allows():
    """Law: references at rest and in motion, near and far, also past the limits of the joint."""
    compared, count = 0, cases(4000, least=100)
    for seed in range(count):
        now, reference, limits, duration = drawn(np.random.default_rng(seed))
        found = follow(now, reference, limits, duration)
        if (wanted := expected(now, reference, limits, duration)) is not None:
            compared += 1
            assert found.position == pytest.approx(wanted.position, abs=1e-9)
            assert found.velocity == pytest.approx(wanted.velocity, abs=1e-7 * limits.velocity)
        assert limits.lower <= found.position <= limits.upper
        assert limits.lower - 1e-9 <= rest_of(found, limits) <= limits.upper + 1e-9
    assert compared > 0.5 * count


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_step_takes_a_joint_where_figures_by_hand_say(sign):
    """At 2 rad/s^2, a joint at 1 rad/s comes to rest in 0.25 rad and 0.5 s."""
    limits = ServoLimits(-4.0, 4.0, 1.0, 2.0)
    assert rest_of(Motion(sign, sign), limits) == 1.25 * sign
    rest = Reference(1.25 * sign)
    assert follow(Motion(sign, sign), rest, limits, 0.25) == Motion(sign * 1.1875, sign * 0.5)
    assert follow(Motion(sign, sign), rest, limits, 0.5) == Motion(1.25 * sign, 0.0)
    assert follow(Motion(0.0, 0.0), rest, limits, 0.25) == Motion(sign * 0.0625, sign * 0.5)
    assert follow(Motion(0.0, sign), rest, limits, 0.25) == Motion(sign * 0.25, sign)
    onward = Reference(sign * 0.25, sign)
    assert follow(Motion(0.0, sign), onward, limits, 0.25) == Motion(sign * 0.25, sign)
    # On its goal and at rest, up to rounding; and not at rest there:
    near = Motion(sign + 1e-13, 1e-10)
    assert follow(near, Reference(sign), limits, 0.25) == Motion(sign, 0.0)
    passing = Motion(0.8125 * sign, sign)
    assert follow(passing, Reference(sign), limits, 0.25) == Motion(sign, 0.5 * sign)
    # It is too fast to stop before its goal, and comes to rest beyond it:
    near = Reference(1.125 * sign)
    assert follow(Motion(sign, sign), near, limits, 0.5) == Motion(1.25 * sign, 0.0)
    # It can still brake, and rests on its limit:
    late = Reference(3.75 * sign, sign)
    assert follow(Motion(3.5 * sign, sign), late, limits, 0.25) == Motion(*late)
    # In a very short step, places are the same up to rounding, and velocities are not:
    moved = follow(Motion(0.0, 0.0), Reference(0.0, sign * 1e-6), limits, 1e-7)
    assert moved.velocity == pytest.approx(2e-7 * sign)
