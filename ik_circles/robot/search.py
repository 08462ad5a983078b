# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Finding the arm in a robot: three successive revolute joints with parallel axes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ik_circles.errors import InvalidUrdfError, NoPlanarArmError
from ik_circles.geometry.rigid import Matrix, angle_between_lines
from ik_circles.geometry.values import quoted
from ik_circles.robot.text import listed, shown
from ik_circles.robot.tree import TURNING, PlacedJoint, RobotTree, UrdfJoint, movable_along

#: Axes count as parallel or perpendicular to within this angle [rad]. Vendors' files are off by up
#: to 1e-5.
AXIS_TOLERANCE = 1e-4
#: The rule, as a sentence about axes that are off by more gives it.
ALLOWED = f'at most {math.degrees(AXIS_TOLERANCE):.2g} deg is allowed'
#: A sentence gives at most this many angles between successive axes.
MOST_ANGLES = 10
#: A sentence names at most this many sets of joints, or leaves with their reasons.
MOST_CHOICES = 3

Three = tuple[UrdfJoint, UrdfJoint, UrdfJoint]


@dataclass(frozen=True)
class ArmInTree:
    """Where the arm is in a robot: the joints from `base_link` to `tip_link`, and which three of
    them are the arm's."""

    tree: RobotTree
    base_link: str
    tip_link: str
    path: tuple[UrdfJoint, ...]
    three: Three


class _Branch(NamedTuple):
    """A link on the way down from the base.

    `pose` is the link's pose in the base, `last` has the last two movable joints above the link,
    `sets` is the number of sets of three above it, and `after` the number of movable joints after
    the first set.
    """

    link: str
    pose: Matrix
    last: tuple[PlacedJoint, ...]
    sets: int
    after: int


def find_arm(tree: RobotTree, base_link: str | None, tip_link: str | None) -> ArmInTree:
    """The arm between two links; see `load_arm` for the defaults of links that are not given."""
    for name, link in (('base_link', base_link), ('tip_link', tip_link)):
        if not isinstance(link, str | None):
            raise InvalidUrdfError(f'{name} is {quoted(link)}; give the name of a link')
    base = base_link or tree.root
    tree.path(base, base)  # raises an error if there is no such link
    tip = tip_link or _only_tip(tree, base)
    path = tree.path(base, tip)
    found = _sets_of_three(movable_along(path, {}))
    if len(found) != 1:
        raise NoPlanarArmError(_why_not(path))
    return ArmInTree(tree, base, tip, tuple(path), found[0])


def _only_tip(tree: RobotTree, base: str) -> str:
    """The leaf behind one set of three with the fewest movable joints after it."""
    behind, others = _leaves_behind_three(tree, base)
    if not behind:
        reasons = (
            f'towards {leaf}: {_why_not(tree.path(base, leaf))}' for leaf in others[:MOST_CHOICES]
        )
        raise NoPlanarArmError('; '.join(reasons))
    fewest = min(behind.values())
    nearest = [leaf for leaf in tree.leaves if behind.get(leaf) == fewest]
    if len(nearest) > 1:
        raise NoPlanarArmError(
            f'the tip may be any of {listed(nearest)}; choose one with tip_link'
        )
    return nearest[0]


def _leaves_behind_three(tree: RobotTree, base: str) -> tuple[dict[str, int], list[str]]:
    """The leaves behind exactly one set of three, with the number of movable joints after it; and
    the other leaves.

    This walks down from the base once, because the paths of a robot with many leaves may be long.
    """
    below: dict[str, list[UrdfJoint]] = {}
    for joint in tree.joints:
        below.setdefault(joint.parent, []).append(joint)
    behind: dict[str, int] = {}
    others: list[str] = []
    waiting = [_Branch(base, np.eye(4), (), 0, 0)]
    while waiting:
        branch = waiting.pop()
        if branch.link not in below:
            if branch.sets == 1:
                behind[branch.link] = branch.after
            else:
                others.append(branch.link)
        waiting += (_next(branch, joint) for joint in reversed(below.get(branch.link, [])))
    return behind, others


def _next(branch: _Branch, joint: UrdfJoint) -> _Branch:
    """The branch, continued over a joint."""
    pose = branch.pose @ joint.origin
    if joint.type == 'fixed':
        return branch._replace(link=joint.child, pose=pose)
    three = (*branch.last, PlacedJoint.at(joint, pose))
    is_set = len(three) == 3 and _are_parallel(three)
    after = branch.after + (branch.sets > 0)
    return _Branch(joint.child, pose, three[-2:], branch.sets + is_set, after)


def _are_parallel(three: Sequence[PlacedJoint]) -> bool:
    """Whether three joints can be commanded and turn about parallel axes."""
    return all(
        one.joint.type in TURNING
        and not one.joint.mimic
        and angle_between_lines(three[0].axis, one.axis) <= AXIS_TOLERANCE
        for one in three
    )


def _sets_of_three(movable: Sequence[PlacedJoint]) -> list[Three]:
    """Every set of three successive joints that can be the arm's."""
    return [
        (a.joint, b.joint, c.joint)
        for a, b, c in zip(movable, movable[1:], movable[2:])
        if _are_parallel((a, b, c))
    ]


def _why_not(path: Sequence[UrdfJoint]) -> str:
    """Why a path does not have exactly one set of three."""
    movable = movable_along(path, {})
    found = _sets_of_three(movable)
    if found:
        sets = ' or '.join(
            ', '.join(joint.name for joint in three) for three in found[:MOST_CHOICES]
        )
        sets += ' and so on' if len(found) > MOST_CHOICES else ''
        return (
            f'more than three successive joints have parallel axes ({sets}); '
            'choose three with base_link and tip_link'
        )
    joints = [one.joint for one in movable]
    needed = 'three successive revolute joints with parallel axes are needed'
    if len(joints) < 3:
        names = ', '.join(joint.name for joint in joints) or 'none'
        return (
            f'{needed}, but only {len(joints)} joint(s) can move between base_link and tip_link: '
            f'{names}; choose links farther apart'
        )
    sliding = [joint for joint in joints if joint.type not in TURNING]
    if sliding and len(joints) - len(sliding) < 3:
        return f"{needed}, but joint '{sliding[0].name}' is {sliding[0].type}"
    angles = ', '.join(
        f'{a.joint.name} to {b.joint.name} '
        f'{math.degrees(angle_between_lines(a.axis, b.axis)):.4g} deg'
        for a, b in zip(movable[:MOST_ANGLES], movable[1:])
    )
    angles += ' and so on' if len(joints) > MOST_ANGLES + 1 else ''
    coupled = [joint.name for joint in joints if joint.mimic]
    if coupled:
        angles += f'; joints that follow another one cannot be commanded: {listed(coupled)}'
    return f'{needed}; the angles between successive axes are {angles}; {ALLOWED}'


def check_followers(
    tree: RobotTree, commanded: Sequence[UrdfJoint], held: Sequence[PlacedJoint]
) -> None:
    """No joint that is held may follow a commanded one: it would move with the arm."""
    moved = {joint.name for joint in commanded}
    for name, mimic in tree.followers.items():
        if mimic.joint in moved:
            moved.add(name)
    for joint in (one.joint for one in held):
        if joint.mimic and joint.name in moved:
            raise NoPlanarArmError(
                f"joint '{shown(joint.name)}' follows '{shown(joint.mimic.joint)}', which the arm "
                'moves; choose base_link and tip_link so that it is not between them'
            )
