"""One target by each method that applies to it, with answers that can be compared."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ik_circles.geometry.angles import Limits
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.limbs import (
    BoneLimits,
    LinkChain,
    LinkTree,
    place_bones,
    solve_two_circles,
    solve_two_links,
)
from ik_circles.limbs.bends import POLICIES
from ik_circles.limbs.n_links import ChainShape
from ik_circles.limbs.space import Quaternion, Vector
from ik_circles.limbs.tree import TreeShape
from ik_circles.limbs.two_links import ELBOWS
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.redundancy.policy import REDUNDANCIES, Redundancy, candidates
from ik_circles.planar.selection import Policy, choose
from ik_circles.robot.arm import NamedPositions, RobotArm

#: Why no policy finds a shape of a tree.
NO_FORK = 'out of reach: no place of the fork is near enough to every target'


class MethodAnswer(NamedTuple):
    """The answer of one method.

    Attributes
    ----------
    method : str
        The method's name, with the choice it was given.
    chains : tuple of tuples of points
        Points from the base to the tip [m]; for a tree those of the trunk and of each limb; ()
        without a shape.
    miss : float or None
        Distance from the tip to the target [m], 0.0 if it is reached; None without a shape.
    joint_positions : dict or None
        By name [rad], if the method gives them.
    rotations : tuple of quaternions
        Of hip and knee, (w, x, y, z), if the method is for two bones.
    """

    method: str
    chains: tuple[tuple[tuple[float, ...], ...], ...] = ()
    miss: float | None = None
    joint_positions: NamedPositions | None = None
    rotations: tuple[Quaternion, ...] = ()

    @property
    def reached(self) -> bool:
        """Whether the target is reached."""
        return self.miss == 0.0


def by_redundancy(
    planar: PlanarArm, arm: RobotArm | None, target: Sequence[float], z_form_k: float
) -> list[MethodAnswer]:
    """A target by each choice of `redundancy`; the shapes are in the arm's plane.

    The target is in base_link of `arm`, or in the plane without one [m].
    """
    answers = []
    for choice in REDUNDANCIES:
        redundancy = Redundancy(choice, z_form_k)
        if arm is not None:
            named = arm.solve(target, redundancy=redundancy)
            q = None if named is None else arm.arm_angles(named)
        else:
            x, y = target
            found = candidates(planar.workspace, x, y, None, Policy(), redundancy)
            q = choose(planar, found, None, 'nearest')
            named = None if q is None else named_joints(q)
        if q is None:
            answers.append(MethodAnswer(choice))
        else:
            answers.append(MethodAnswer(choice, (tuple(planar.joint_points(q)),), 0.0, named))
    return answers


def two_links(
    target: Point, lengths: Point, limits: Sequence[Limits] | None
) -> list[MethodAnswer]:
    """Two links [m] by angles and, without limits, by two circles.

    Out of reach, each answer is the nearest point.
    """
    answers = []
    if limits is None:
        found = solve_two_circles(ORIGIN, target, *lengths, out_of_reach='nearest')
        for side, elbow in zip(('left', 'right'), found.elbows):
            name = f'two circles, {side}' if len(found.elbows) > 1 else 'two circles'
            answers.append(MethodAnswer(name, ((ORIGIN, elbow, found.tip),), found.miss))
    for branch in ELBOWS:
        q, miss = solve_two_links(*target, *lengths, branch=branch, joint_limits=limits)
        points = LinkChain(lengths).forward_kinematics(q)
        answers.append(MethodAnswer(f'two angles, {branch}', (points,), miss, named_joints(q)))
    return answers


def two_bones(
    target: Sequence[float],
    lengths: Point,
    limits: BoneLimits,
    pole: Sequence[float] | None,
) -> list[MethodAnswer]:
    """Two bones in space [m] that were stretched along +x: the knee moves as little as possible,
    and in a second answer bends in the direction of the pole, if one is given.
    """
    hip, knee, foot = (0.0, 0.0, 0.0), (lengths[0], 0.0, 0.0), (sum(lengths), 0.0, 0.0)
    poles: list[tuple[str, Vector | None]] = [('two bones', None)]
    if pole is not None:
        poles.append(('two bones, pole', _vector(pole)))
    answers = []
    for name, wanted in poles:
        found = place_bones(hip, knee, foot, _vector(target), pole=wanted, limits=limits)
        miss = 0.0 if found.outcome == 'reached' else found.miss
        rotations = found.hip_rotation, found.knee_rotation
        answers.append(MethodAnswer(name, ((hip, found.knee, found.foot),), miss, None, rotations))
    return answers


def n_links(target: Point, lengths: Sequence[float]) -> list[MethodAnswer]:
    """A chain of links [m] by each policy; the policy 'near' starts stretched along +x.

    Out of reach, each answer is the nearest point.
    """
    chain = LinkChain(tuple(lengths))
    nearest = chain.nearest_inside(target)
    miss = math.dist(nearest, target)
    miss = 0.0 if miss <= chain.tolerance else miss
    before = _stretched(chain, ORIGIN).points
    answers = []
    for policy in POLICIES:
        shape = chain.solve(nearest, policy, previous=before)
        if shape is not None:
            named = named_joints(shape.joint_angles)
            answers.append(MethodAnswer(f'n links, {policy}', (shape.points,), miss, named))
    return answers


def tree(
    trunk: Sequence[float], limbs: Sequence[Sequence[float]], targets: Sequence[Point]
) -> list[MethodAnswer]:
    """A trunk with limbs [m] by each policy; the policy 'near' starts stretched along +x."""
    whole = LinkTree(tuple(trunk), tuple(map(tuple, limbs)))
    stem = whole.trunk_chain
    straight = ChainShape((ORIGIN,), ()) if stem is None else _stretched(stem, ORIGIN)
    fork = straight.points[-1]
    before = TreeShape(straight, tuple(_stretched(limb, fork) for limb in whole.limb_chains))
    answers = []
    for policy in POLICIES:
        shape = whole.solve(targets, policy, previous=before)
        if shape is None:
            answers.append(MethodAnswer(f'tree, {policy}'))
        else:
            chains = shape.trunk.points, *(limb.points for limb in shape.limbs)
            answers.append(MethodAnswer(f'tree, {policy}', chains, 0.0))
    return answers


def reason(
    lengths: Sequence[float], target: Sequence[float], answers: Sequence[MethodAnswer]
) -> str:
    """Whether any of the answers reaches the target, and if not, why."""
    missed = min(answer.miss for answer in answers if answer.miss is not None)
    if missed == 0.0:
        return 'reachable'
    inner, outer = LinkChain(tuple(lengths)).zones[-1]
    distance = math.hypot(*target)
    if distance > outer:
        return f'too far by {distance - outer:.3f} m: the links reach {outer:.3f} m'
    if distance < inner:
        return f'too close by {inner - distance:.3f} m: the links reach to within {inner:.3f} m'
    return f'the joint limits keep the tip {missed:.3f} m away'


def named_joints(positions: Sequence[float]) -> NamedPositions:
    """Joint positions [rad] by the names q1, q2 and so on."""
    return {f'q{number}': angle for number, angle in enumerate(positions, 1)}


def _vector(values: Sequence[float]) -> Vector:
    x, y, z = values
    return x, y, z


def _stretched(chain: LinkChain, base: Point) -> ChainShape:
    angles = (0.0,) * len(chain.link_lengths)
    return ChainShape(chain.forward_kinematics(angles, base), angles)
