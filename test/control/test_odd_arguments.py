# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Public calls with an argument of another kind: an answer, or a sentence of an IkCirclesError."""

import math

import numpy as np
import pytest

from ik_circles import Floor, IkCirclesError, PlanarArm, SafeZones, load_arm
from ik_circles.control import Refusal, Settings, Target, decide
from ik_circles.control.chains import chain_of
from ik_circles.control.motion import (
    Chain,
    Follower,
    MotionLimits,
    Trajectory,
    Waypoint,
    along,
    braked,
    joint_move,
    to_rest,
)
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.settings import MotionParameters
from ik_circles.limbs import LinkChain
from ik_circles.planar.redundancy import Redundancy
from ik_circles.planar.selection import Policy

PLANAR = PlanarArm((0.4, 0.3, 0.2), [(-2.0, 2.0)] * 3)
ARM = load_arm('so101')
Q = dict.fromkeys(ARM.commanded_joints, 0.1)
POSE = ARM.forward_kinematics(Q)
POINT, ROTATION = tuple(POSE[:3, 3]), POSE[:3, :3]
LIMITS = MotionLimits([1.0] * 3, [1.0] * 3)
START, GOAL = (0.0, 0.0, 0.0), (0.5, 0.4, 0.3)
MOVE = joint_move(START, START, GOAL, LIMITS)
CHAIN = Chain([(0, 0, 1)] * 3, [(0, 0, 0), (1, 0, 0), (2, 0, 0)], (3, 0, 0))
ARC = PLANAR.workspace_boundary().arcs[0]
POINT_VERDICT = ARM.check_reachability(POINT)
POSE_VERDICT = ARM.check_reachability(POINT, rotation=ROTATION)
STATE, WISH = State(dict.fromkeys(ARM.tree.movable_joints, 0.0)), Wish(Target(POINT))
ASKED = {'arm': ARM, 'settings': Settings()}
CHOSEN = {'seed': Q, 'policy': Policy()}
CALLS = [
    (Floor, {'height': 0.0, 'up': 1.0, 'carried': ((0.1, 0.2),)}),
    (SafeZones(0.0, 1.0, 0.1).above, {'floor': Floor(0.0)}),
    (SafeZones(0.0, 1.0, 0.1).contains, {'distance': 0.3, 'tolerance': 0.1}),
    (PLANAR.wrist, {'x': 0.5, 'y': 0.2, 'phi': 0.1}),
    (PLANAR.beyond_reach, {'distance': 0.3}),
    (PLANAR.joint_points, {'q': START}),
    (PLANAR.check_reachability(0.5, 0.2).passed_limits, {'phi': 0.3}),
    (ARC.nearest_to, {'point': (0.1, 0.2)}),
    (ARC.point_at, {'angle': 0.1}),
    (ARM.tip_rotation, {'pose': POINT_VERDICT.nearest}),
    (POINT_VERDICT.solve, {**CHOSEN, 'redundancy': Redundancy()}),
    (POINT_VERDICT.solve_nearest, {**CHOSEN, 'oriented': True}),
    (POINT_VERDICT.tilt_of, {'positions': Q}),
    (POSE_VERDICT.solve, CHOSEN),
    (POSE_VERDICT.tilt_of, {'positions': Q}),
    (Settings().zones, {'arm': ARM}),
    (decide, {**ASKED, 'target': Target(POINT, ROTATION), 'seed': Q}),
    (plan, {**ASKED, 'parameters': MotionParameters(), 'wish': WISH, 'state': STATE}),
    (Wish, {'target': Target(POINT), 'joints': {}, 'straight': False, 'speed': 1.0}),
    (chain_of, {'arm': ARM}),
    (Chain, {'axes': [(0, 0, 1)], 'places': [(0, 0, 0)], 'tip': (1, 0, 0)}),
    (CHAIN.moved, {'changes': np.zeros((2, 3))}),
    (CHAIN.bend, {'chords': np.zeros((2, 3))}),
    (Follower, {'limits': LIMITS, 'positions': START, 'velocities': START}),
    (Follower(LIMITS, START).way, {'duration': 0.1}),
    (MotionLimits, {'velocities': [1.0], 'accelerations': [1.0], 'ranges': [None], 'names': 'a'}),
    (LIMITS.slowed, {'share': 0.5, 'brakes_fully': False}),
    (LIMITS.kept, {'positions': START}),
    (Trajectory, {'waypoints': [Waypoint(0.0, (0.0,), (0.0,))]}),
    (MOVE.times_at, {'position': 0.1, 'joint': 0}),
    (along, {'path': lambda s: (0.1 * s,) * 3, 'limits': LIMITS, 'chain': CHAIN, 'breaks': ()}),
    (braked, {'trajectory': MOVE, 'time': 0.1, 'limits': LIMITS, 'instead': ()}),
    (joint_move, {'start': START, 'velocities': START, 'goal': GOAL, 'limits': LIMITS}),
    (to_rest, {'positions': START, 'velocities': START, 'limits': LIMITS}),
    (LinkChain((1.0, 1.0, 1.0)).forward_kinematics, {'joint_angles': START}),
]
ODD = [
    None, -1, True, math.nan, math.inf, 10**400, 'word', b'ab', object(), [], (1,), GOAL, {1, 2},
    {'a': 1}, [[1, 2], [3]], 1j, int, np.zeros(3), np.eye(4), np.array(['a']), [None] * 3,
    [GOAL] * 3, range(3), Target(5), Waypoint(5, 5, 5), Wish(5), State(5),
]  # fmt: skip


def called(function, arguments):
    """Call it; a wish takes anything, and `plan` judges it."""
    made = function(**arguments)
    if function is Wish:
        plan(ARM, Settings(), MotionParameters(), made, STATE)


@pytest.mark.parametrize(('function', 'arguments'), CALLS, ids=lambda one: '')
def test_an_argument_of_another_kind(function, arguments):
    called(function, arguments)
    for name in arguments:
        for odd in ODD:
            try:
                called(function, {**arguments, name: odd})
            except IkCirclesError as error:
                assert '\n' not in str(error)
            except Refusal:
                pass  # the verdict of a motion on a target or on joints


def test_waypoints_of_different_counts():
    waypoints = [Waypoint(0.0, (0.0,), (0.0,)), Waypoint(1.0, (0.0, 1.0), (0.0, 0.0))]
    with pytest.raises(IkCirclesError, match='waypoints have 1 to 2 numbers; give a position and'):
        Trajectory(waypoints)


def test_angles_whose_sum_is_infinite():
    with pytest.raises(IkCirclesError, match='the sum of joint_angles is inf; it must be a finite'):
        LinkChain((1.0, 1.0, 1.0)).forward_kinematics((1e308,) * 3)
