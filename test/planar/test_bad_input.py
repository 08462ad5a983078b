"""Bad input to the planar arm: each sentence names the value, the rule and the fix."""

import math
import re

import pytest

from ik_circles import IkCirclesError, PlanarArm

ARM = PlanarArm((1.0, 1.0, 1.0))


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        (lambda: PlanarArm((1, 1)), '2 link_lengths given; give 3'),
        (lambda: PlanarArm((1, -0.5, 1)), 'length -0.5 m is negative; lengths are at least 0'),
        (lambda: PlanarArm((0, 0, 0)), r'is 0 m; it must be between 1e-12 and 1e\+12 m'),
        (lambda: PlanarArm((1, math.nan, 1)), 'nan.*must be finite numbers'),
        (lambda: PlanarArm((1, 1, math.inf)), 'inf.*must be finite numbers'),
        (lambda: PlanarArm((1, 1, 1), [None, (1, 0), None]), 'joint 2.*lower 1.0.*0.0 rad; swap'),
        (lambda: PlanarArm((1, 1, 1), [(-1e9, 1e9)] * 3), 'solutions by whole turns; give None'),
        (lambda: ARM.inverse_kinematics(math.nan, 0, 0), 'x is nan; it must be a finite number'),
        (lambda: ARM.check_reachability(0, math.inf), 'y is inf; it must be a finite number'),
        (lambda: ARM.orientation_intervals(0, -math.inf), 'y is -inf; it must be a finite number'),
        (lambda: ARM.solve(0, 0, math.nan), 'phi is nan; it must be a finite number'),
        (lambda: ARM.solve(1, 1, seed=(0, 0)), 'the seed has 2 numbers; give 3'),
        (lambda: ARM.solve(1, 1, branch='left'), "branch is 'left'; choose .*nearest, elbow_up"),
        (lambda: ARM.solve(1, 1, orientation_mode='any'), "'any'; choose one of fixed, preferred"),
        (lambda: ARM.forward_kinematics((1, 2)), r'shape \(2,\); give \(3,\) or \(N, 3\)'),
    ],
)
def test_bad_input_names_the_value_the_rule_and_the_fix(make, message):
    with pytest.raises(IkCirclesError) as raised:
        make()
    assert re.search(message, str(raised.value))
