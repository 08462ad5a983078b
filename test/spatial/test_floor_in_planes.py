# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A floor along base_link's z, as a plane sees it that stands upright, or turns about an axis."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE, LINKS, direction, pose, rotation_by, spatial_arm, yaw_joint

from ik_circles import InvalidArmError
from ik_circles.spatial.floor import LEANING, floor_in_plane, lean_of

Z = np.array((0.0, 0.0, 1.0))


def drawn(rng, turned, lean):
    """An arm whose yaw axis, or whose plane, leans by an angle from z [rad]; whatever else."""
    about = rotation_by(Z, rng.uniform(-3.0, 3.0)) @ rotation_by((1.0, 0.0, 0.0), lean)
    in_plane = rng.uniform(-3.0, 3.0)
    along = np.array((math.cos(in_plane), math.sin(in_plane)))
    # The columns are the x, y and z of a plane with z of base_link in the direction `along` of it.
    upright = np.array((along[::-1] * (1.0, -1.0), along)).T
    axes = np.column_stack((about[:, [0, 2]] @ upright.T, -about[:, 1]))
    yaw = yaw_joint(LINKS, FREE, 0.1, (0.0, 0.0), along.tolist()) if turned else None
    return spatial_arm(LINKS, yaw, pose(axes, rng.uniform(-1.0, 1.0, 3)))


@pytest.mark.parametrize('turned', [True, False])
def test_an_axis_or_a_plane_leans_by_its_angle_from_the_vertical(turned):
    rng = np.random.default_rng(0)
    for _ in range(cases(400)):
        for lean in (0.0, 1e-6, 0.3, 1.2):
            plane = drawn(rng, turned, lean).plane
            assert np.linalg.det(plane.pose) == pytest.approx(1.0)
            assert lean_of(plane) == pytest.approx(math.sin(lean), abs=1e-15, rel=1e-9)


@pytest.mark.parametrize('turned', [True, False])
def test_heights_in_the_plane_are_those_above_the_floor(turned):
    """At every yaw angle. For what leans by more than LEANING, the floor is refused."""
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        plane, height = drawn(rng, turned, rng.uniform(0.0, 0.9) * LEANING).plane, rng.normal()
        floor = floor_in_plane(plane, float(height), ((0.1, 0.2),))
        assert floor.carried == ((0.1, 0.2),)
        x, y = direction(rng, 2)
        up = x * math.cos(floor.up) + y * math.sin(floor.up)
        point = plane.point_at(x, y, rng.uniform(-3.0, 3.0) if turned else 0.0)
        assert point[2] - height == pytest.approx(up - floor.height, abs=5.0 * LEANING)
        with pytest.raises(InvalidArmError, match=r'leans from the z of base_link by 17\.2 deg'):
            floor_in_plane(drawn(rng, turned, 0.3).plane, 0.0)
