# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One target, answered by each method that applies to it, in a form that can be compared.

There are four kinds of questions: about an arm with three joints, two bones in space, a chain of
links, or a tree of limbs.
"""

import math
from argparse import Namespace
from collections.abc import Sequence
from typing import Any, NamedTuple

from ik_circles import limbs, reasons
from ik_circles.cli import arms, orientation, verdicts
from ik_circles.errors import InvalidArmError
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.limbs.bends import POLICIES
from ik_circles.limbs.space import Quaternion
from ik_circles.planar.redundancy.rules import REDUNDANCIES
from ik_circles.planar.selection import ELBOWS
from ik_circles.planar.zones import SafeZones


class MethodAnswer(NamedTuple):
    """The answer of one method.

    Attributes
    ----------
    method : str
        The method's name, with its option.
    chains : tuple of tuples of points
        Points from the base to the tip [m]; for a tree those of the trunk and of each limb; () if
        there is no shape.
    miss : float or None
        Distance from the tip to the target [m], 0.0 if it is reached; None if there is no shape.
    joint_positions : dict or None
        By name [rad], if the method gives them.
    rotations : tuple of quaternions
        Of hip and knee, (w, x, y, z), if the method is for two bones.
    """

    method: str
    chains: tuple[tuple[tuple[float, ...], ...], ...] = ()
    miss: float | None = None
    joint_positions: dict[str, float] | None = None
    rotations: tuple[Quaternion, ...] = ()

    @property
    def reached(self) -> bool:
        """Whether the target is reached."""
        return self.miss == 0.0


class Comparison(NamedTuple):
    """The answer of each method, and what is printed and drawn with them.

    `verdict` has at least `reachable` and `message`; `targets` are in the space of the picture.
    """

    answers: Sequence[MethodAnswer]
    verdict: dict[str, Any]
    targets: Sequence[Sequence[float]]
    zones: SafeZones | None = None
    given: arms.GivenArm | None = None


def compare(options: Namespace) -> Comparison:
    """Answer the question that the arguments ask."""
    if options.urdf is not None and options.lengths is not None:
        raise InvalidArmError(arms.EITHER)
    links, coordinates = len(options.lengths or ()), len(options.target)
    if options.limb:
        return _tree(options)
    if links == 2 and coordinates == 3:
        return _bones(options)
    if options.pole or options.knee or options.cone:
        raise InvalidArmError('--pole, --knee and --cone are for two lengths and --target x y z')
    if links in (0, 3):  # no lengths: the arm of a robot
        return _arm(options)
    return _chain(options)


def _arm(options: Namespace) -> Comparison:
    """Three joints by each policy of `redundancy`; without limits, by the policies of n links, too.
    """
    given, target = arms.given_arm(options), options.target
    verdict = given.check(target)
    answers = []
    for choice in REDUNDANCIES:
        found = given.solve(target, choice, options.z_form_k)
        if found is None:
            answers.append(MethodAnswer(choice))
        else:
            points = tuple(given.planar.joint_points(given.arm_angles(found)))
            answers.append(MethodAnswer(choice, (points,), 0.0, given.named(found)))
    if given.arm is None and options.limits is None:
        answers += _by_policy(limbs.LinkChain(options.lengths), target)
    values, places = verdicts.values_of(given, verdict), given.places_in_plane(target)
    return Comparison(answers, values, places, given.planar.safe_zones, given)


def _bones(options: Namespace) -> Comparison:
    """Two bones in space that were stretched along +x.

    The knee moves as little as possible. If a pole is given, it bends towards the pole in a second
    answer.
    """
    if options.limits:
        raise InvalidArmError('two bones have --knee and --cone, no --limits')
    bounds = limbs.BoneLimits(options.knee or limbs.BoneLimits.knee)
    if options.cone:
        *axis, angle = options.cone
        bounds = limbs.BoneLimits(bounds.knee, tuple(axis), angle)
    upper, lower = options.lengths
    hip, knee, foot = (0.0, 0.0, 0.0), (upper, 0.0, 0.0), (upper + lower, 0.0, 0.0)
    answers: list[MethodAnswer] = []
    for name, pole in (('two bones', None), ('two bones, pole', options.pole)):
        if pole or not answers:
            found = limbs.place_bones(hip, knee, foot, options.target, pole=pole, limits=bounds)
            miss = 0.0 if found.outcome == 'reached' else found.miss
            points = hip, found.knee, found.foot
            rotations = found.hip_rotation, found.knee_rotation
            answers.append(MethodAnswer(name, (points,), miss, rotations=rotations))
    return _compared(limbs.LinkChain(options.lengths), options.target, answers)


def _chain(options: Namespace) -> Comparison:
    """Links in the plane: two links by circles and by angles, any other number by the policies of n
    links."""
    target, limits = options.target, arms.limits_of(options)
    if len(target) != 2:
        raise InvalidArmError(
            f'--target has {len(target)} numbers; give x y, or x y z for two lengths'
        )
    chain, links = limbs.LinkChain(options.lengths), len(options.lengths)
    if links == 2:
        answers = _by_two_links(chain, target, limits)
        orientation.hint_of('--limits', options.limits or (), 'are')
    elif limits is None:
        answers = _by_policy(chain, target)
    else:
        raise InvalidArmError(
            f'--limits are for two or three --lengths; with {links} the joints turn freely'
        )
    return _compared(chain, target, answers)._replace(zones=chain.safe_zones)


def _tree(options: Namespace) -> Comparison:
    """A trunk, which may have no links, and limbs with a target each.

    The policy 'near' starts with the tree stretched along +x.
    """
    if options.urdf or options.limits or options.pole or options.knee or options.cone:
        raise InvalidArmError('--limb goes with --lengths and --target, and nothing else')
    numbers, wanted = options.target, 2 * len(options.limb)
    if len(numbers) != wanted:
        raise InvalidArmError(
            f'--target has {len(numbers)} numbers; give x y for each --limb: {wanted} numbers'
        )
    targets = list(zip(numbers[::2], numbers[1::2]))
    tree = limbs.LinkTree(options.lengths or (), options.limb)
    stem = tree.trunk_chain
    trunk = limbs.ChainShape((ORIGIN,), ()) if stem is None else _stretched(stem, ORIGIN)
    stretched = tuple(_stretched(limb, trunk.points[-1]) for limb in tree.limb_chains)
    answers = []
    for policy in POLICIES:
        shape = tree.solve(targets, policy, previous=limbs.TreeShape(trunk, stretched))
        chains = shape and (shape.trunk.points, *(limb.points for limb in shape.limbs))
        answers.append(MethodAnswer(f'tree, {policy}', chains or (), 0.0 if shape else None))
    reachable = any(one.reached for one in answers)
    why = 'out of reach: no place of the fork is near enough to every target'
    verdict = {'reachable': reachable, 'message': 'reachable' if reachable else why}
    return Comparison(answers, verdict, targets)


def _by_two_links(chain: limbs.LinkChain, target: Point, limits: Any) -> list[MethodAnswer]:
    """Two links by angles and, without limits, by two circles.

    Out of reach, each answer is the nearest point.
    """
    answers = []
    lengths = chain.link_lengths
    if limits is None:
        found = limbs.solve_two_circles(ORIGIN, target, *lengths, out_of_reach='nearest')
        for side, elbow in zip(('left', 'right'), found.elbows):
            name = f'two circles, {side}' if len(found.elbows) > 1 else 'two circles'
            answers.append(MethodAnswer(name, ((ORIGIN, elbow, found.tip),), found.miss))
    for branch in ELBOWS:
        q, miss = limbs.solve_two_links(*target, *lengths, branch=branch, joint_limits=limits)
        points = chain.forward_kinematics(q)
        answers.append(MethodAnswer(f'two angles, {branch}', (points,), miss, arms.named_joints(q)))
    return answers


def _by_policy(chain: limbs.LinkChain, target: Point) -> list[MethodAnswer]:
    """A chain of links by each policy. The policy 'near' starts with the chain stretched along +x.

    Out of reach, each answer is the nearest point.
    """
    nearest = chain.nearest_inside(target)
    miss = math.dist(nearest, target)
    miss = 0.0 if miss <= chain.tolerance else miss
    answers = []
    for policy in POLICIES:
        shape = chain.solve(nearest, policy, previous=_stretched(chain, ORIGIN).points)
        if shape is not None:
            named = arms.named_joints(shape.joint_angles)
            answers.append(MethodAnswer(f'n links, {policy}', (shape.points,), miss, named))
    return answers


def _compared(
    chain: limbs.LinkChain, target: Sequence[float], answers: Sequence[MethodAnswer]
) -> Comparison:
    """The answers for links or bones, with whether the target is reached, and why not if it is not.
    """
    missed = min(answer.miss for answer in answers if answer.miss is not None)
    distance, (inner, outer) = math.hypot(*target), chain.zones[-1]
    if missed == 0.0:
        message = 'reachable'
    elif distance > outer:
        message = reasons.too_far(distance - outer, outer, 'the base', 0.0).sentence
    elif distance < inner:
        message = reasons.too_close(inner - distance, inner, 'the base', 0.0).sentence
    else:
        message = f'the joint limits keep the tip {missed:.3f} m away'
    return Comparison(answers, {'reachable': missed == 0.0, 'message': message}, [target])


def _stretched(chain: limbs.LinkChain, base: Point) -> limbs.ChainShape:
    angles = (0.0,) * len(chain.link_lengths)
    return limbs.ChainShape(chain.forward_kinematics(angles, base), angles)
