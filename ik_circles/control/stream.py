# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Targets in a stream: how old a target may be, and how far one command may go."""

import math
from collections.abc import Mapping


def staleness(stamp: int, now: int, timeout: float, what: str = 'target') -> str | None:
    """Why something stamped at `stamp` is too old at `now` [ns]; None if it is not.

    A stamp of zero means now. With a `timeout` [s] of zero no stamp is too old.
    """
    if timeout == 0.0 or stamp == 0:
        return None
    age = (now - stamp) * 1e-9
    if age > timeout:
        return (
            f"the {what}'s stamp is {age:.3f} s old, {what}_timeout is {timeout:.3g} s; send it "
            'sooner, with the time of sending as its stamp'
        )
    if age < -timeout:
        return (
            f"the {what}'s stamp is {-age:.3f} s ahead of this node's clock, more than "
            f'{what}_timeout ({timeout:.3g} s): the clocks disagree; synchronize them, and give '
            'both nodes the same use_sim_time'
        )
    return None


def jump(
    command: Mapping[str, float], seed: Mapping[str, float], max_joint_step: float
) -> str | None:
    """Why a command goes too far from the seed [rad]; None if it does not.

    Joints that the seed lacks do not count. With a `max_joint_step` of zero, nothing is too far.
    """
    if max_joint_step == 0.0:
        return None
    steps = ((abs(position - seed[n]), n) for n, position in command.items() if n in seed)
    step, name = max(steps, default=(0.0, ''))
    if step <= max_joint_step:
        return None
    return (
        f'{name} would move by {math.degrees(step):.1f} deg in one command, max_joint_step allows '
        f'{math.degrees(max_joint_step):.1f} deg; send targets that are nearer, or raise '
        'max_joint_step'
    )
