"""One target by every method that applies to it: what `ik-circles methods` shows.

Lengths and target decide: two links in the plane are for the two circles and for the two angles,
two links and a point in space for the two bones, three for the choices of `redundancy` and for the
policies of n links, more for those policies alone; limbs make a tree. With joint limits only the
methods that keep to them are left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ik_circles.errors import InvalidArmError
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

Limits = Sequence[Sequence[float]]


class Answer(NamedTuple):
    """What one method says.

    Attributes
    ----------
    method : its name, and the choice it was given
    chains : points from the base to the tip [m], of a tree the trunk and each limb; () if none
    miss : from the tip to the target [m], 0.0 if it is reached; None without a shape
    joint_positions : by name [rad], where the method has them
    rotations : of hip and knee, (w, x, y, z), by the two bones
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
    arm: PlanarArm, chain: RobotArm | None, target: Sequence[float], z_form_k: float
) -> list[Answer]:
    """A target by each choice of `redundancy`; points in the arm's plane.

    Raises
    ------
    NotFiniteError, InvalidSettingError
    """
    answers = []
    for choice in REDUNDANCIES:
        redundancy = Redundancy(choice, z_form_k)
        if chain is not None:
            named = chain.solve(target, redundancy=redundancy)
            q = None if named is None else chain.arm_angles(named)
        else:
            x, y = target
            found = candidates(arm.workspace, x, y, None, Policy(), redundancy)
            q = choose(arm, found, None, 'nearest')
            named = None if q is None else named_joints(q)
        shape = () if q is None else (tuple(arm.joint_points(q)),)
        answers.append(Answer(choice, shape, None if q is None else 0.0, named))
    return answers


def two_links(target: Point, lengths: Point, limits: Limits | None) -> list[Answer]:
    """Two links by two circles, where there are no limits, and by angles: the target or the point
    nearest to it.

    Raises
    ------
    NotFiniteError, InvalidArmError
    """
    answers = []
    if limits is None:
        found = solve_two_circles(ORIGIN, target, *lengths, out_of_reach='nearest')
        for side, elbow in zip(('left', 'right'), found.elbows):
            name = f'two circles, {side}' if len(found.elbows) > 1 else 'two circles'
            answers.append(Answer(name, ((ORIGIN, elbow, found.tip),), found.miss))
    for branch in ELBOWS:
        q, miss = solve_two_links(*target, *lengths, branch=branch, joint_limits=limits)
        points = LinkChain(lengths).forward_kinematics(q)
        answers.append(Answer(f'two angles, {branch}', (points,), miss, named_joints(q)))
    return answers


def two_bones(
    target: Sequence[float],
    lengths: Point,
    limits: BoneLimits,
    pole: Sequence[float] | None,
) -> list[Answer]:
    """Two bones in space, stretched along +x before: the knee moved as little as possible, and bent
    to the pole, a direction, if there is one.

    Raises
    ------
    NotFiniteError, InvalidArmError, InvalidSettingError
    """
    hip, knee, foot = (0.0, 0.0, 0.0), (lengths[0], 0.0, 0.0), (sum(lengths), 0.0, 0.0)
    poles: list[tuple[str, Vector | None]] = [('two bones', None)]
    if pole is not None:
        poles.append(('two bones, pole', _three(pole)))
    answers = []
    for name, wanted in poles:
        found = place_bones(hip, knee, foot, _three(target), pole=wanted, limits=limits)
        miss = 0.0 if found.outcome == 'reached' else found.miss
        rotations = found.hip_rotation, found.knee_rotation
        answers.append(Answer(name, ((hip, found.knee, found.foot),), miss, None, rotations))
    return answers


def n_links(target: Point, lengths: Sequence[float]) -> list[Answer]:
    """A chain by each policy, 'near' to the chain stretched along +x: the target or the point
    nearest to it.

    Raises
    ------
    NotFiniteError, InvalidArmError
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
            answers.append(Answer(f'n links, {policy}', (shape.points,), miss, named))
    return answers


def tree(
    trunk: Sequence[float], limbs: Sequence[Sequence[float]], targets: Sequence[Point]
) -> list[Answer]:
    """A trunk with limbs by each policy, 'near' to the tree stretched along +x.

    Raises
    ------
    NotFiniteError, InvalidArmError
    """
    whole = LinkTree(tuple(trunk), tuple(map(tuple, limbs)))
    stem = whole.trunk_chain
    straight = ChainShape((ORIGIN,), ()) if stem is None else _stretched(stem, ORIGIN)
    fork = straight.points[-1]
    before = TreeShape(straight, tuple(_stretched(limb, fork) for limb in whole.limb_chains))
    answers = []
    for policy in POLICIES:
        shape = whole.solve(targets, policy, previous=before)
        if shape is None:
            answers.append(Answer(f'tree, {policy}'))
        else:
            chains = shape.trunk.points, *(limb.points for limb in shape.limbs)
            answers.append(Answer(f'tree, {policy}', chains, 0.0))
    return answers


def compare(
    lengths: Sequence[float],
    target: Sequence[float],
    limits: Limits | None = None,
) -> list[Answer]:
    """A target in the plane by every method for links of these lengths [m], but for the choices of
    `redundancy`.

    Raises
    ------
    InvalidArmError : no method is for so many lengths with limits, or for such a target
    NotFiniteError
    """
    if len(target) != 2:
        raise InvalidArmError(
            f'--target has {len(target)} numbers; give x y, or x y z for two lengths'
        )
    x, y = target
    if len(lengths) == 2:
        return two_links((x, y), (lengths[0], lengths[1]), limits)
    if limits is None:
        return n_links((x, y), lengths)
    if len(lengths) == 3:
        return []
    raise InvalidArmError(f'--limits are for two or three --lengths; {len(lengths)} turn freely')


def reason(lengths: Sequence[float], target: Sequence[float], answers: Sequence[Answer]) -> str:
    """Whether links reach a target by any of the answers, and why not."""
    missed = [answer.miss for answer in answers if answer.miss is not None]
    if not missed:
        return 'out of reach: no place of the fork is near enough to every target'
    if min(missed) == 0.0:
        return 'reachable'
    inner, outer = LinkChain(tuple(lengths)).zones[-1]
    distance = math.hypot(*target)
    if distance > outer:
        return f'too far by {distance - outer:.3f} m: the links reach {outer:.3f} m'
    if distance < inner:
        return f'too close by {inner - distance:.3f} m: the links reach to within {inner:.3f} m'
    return f'the joint limits keep the tip {min(missed):.3f} m away'


def named_joints(positions: Sequence[float]) -> NamedPositions:
    """Joint positions [rad] as q1, q2 and so on."""
    return {f'q{number}': angle for number, angle in enumerate(positions, 1)}


def _three(values: Sequence[float]) -> Vector:
    x, y, z = values
    return x, y, z


def _stretched(chain: LinkChain, base: Point) -> ChainShape:
    angles = (0.0,) * len(chain.link_lengths)
    return ChainShape(chain.forward_kinematics(angles, base), angles)
