# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What every straight line has to keep: the tip on it, no jump, and no farther point."""

import numpy as np

#: Joints that change by more than this between two shares that cannot be told apart jump [rad].
JUMP = 1e-3


def largest_step(joints_at, share, count=120):
    """How far joints change at once up to a share [rad]: where they change most, it is halved."""
    shares = np.linspace(0.0, share, count)
    joints = np.array([joints_at(float(one)) for one in shares])
    worst = int(np.abs(np.diff(joints, axis=0)).max(axis=1).argmax())
    lower, upper = shares[worst], shares[worst + 1]
    for _ in range(40):
        middle = (lower + upper) / 2.0
        a, b, c = (np.array(joints_at(float(one))) for one in (lower, middle, upper))
        is_first = np.abs(b - a).max() > np.abs(c - b).max()
        lower, upper = (lower, middle) if is_first else (middle, upper)
    return float(np.abs(np.subtract(joints_at(float(lower)), joints_at(float(upper)))).max())


def just_past(share):
    """Shares after the end of a line, and how far joints may have moved there [rad]."""
    return [(share + ds, 0.05 * ds**0.5) for ds in (1e-7, 1e-5, 1e-3) if share + ds <= 1.0]


def below_past(share, most, height_at):
    """Whether a height is below 0 just past the end of a line, up to where it is known [m]."""
    after = [min(share + ds, most) for ds in (1e-7, 1e-5, 1e-3, 1e-2)]
    return any(height_at(one) < 0.0 for one in after)
