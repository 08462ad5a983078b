# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Random chains of joints, and their forward kinematics written anew."""

import numpy as np
from spatial_arms import direction, rotation_by

from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain


def random_chain(rng, count):
    """A chain of joints with axes anywhere, measured at any angles."""
    hinges = [
        Hinge(
            tuple(direction(rng).tolist()),
            tuple(rng.normal(size=3).tolist()),
            float(rng.uniform(-2.0, 2.0)),
        )
        for _ in range(count)
    ]
    return HingeChain(tuple(hinges), tuple(rng.normal(size=3).tolist()))


def pose_of_chain(chain, angles):
    """Where the tip is [m], and how it is turned against where it was measured (3x3)."""
    place, rotation = np.array(chain.measured), np.eye(3)
    for hinge, angle in reversed([*zip(chain.hinges, angles)]):
        turn = rotation_by(hinge.axis, angle - hinge.angle)
        place, rotation = hinge.point + turn @ (place - hinge.point), turn @ rotation
    return place, rotation
