# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The robot as a tree of links and joints, and the poses of its links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ik_circles.errors import InvalidUrdfError
from ik_circles.geometry.angles import CONTINUOUS, Limits
from ik_circles.geometry.rigid import Matrix, inverse_pose, rotation_about
from ik_circles.geometry.values import quoted
from ik_circles.robot.text import listed, shown

#: Types of joints that turn.
TURNING = ('revolute', 'continuous')
#: Types of joints that move and have one number as their position.
MOVABLE = (*TURNING, 'prismatic')


class Mimic(NamedTuple):
    """The joint that a joint follows: it is at `multiplier` times its position, plus `offset`."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True, eq=False)
class UrdfJoint:
    """One joint: `origin` is the child's pose in the parent at position 0, `axis` a unit vector.

    `lower` and `upper` [rad or m] are infinite if the joint has no limits. `velocity` [rad/s or
    m/s] is None if the description gives none, or gives 0.
    """

    name: str
    type: str
    parent: str
    child: str
    origin: Matrix
    axis: Matrix
    lower: float
    upper: float
    velocity: float | None
    mimic: Mimic | None

    @property
    def angle_limits(self) -> Limits:
        """Limits of a joint that turns [rad]; infinite for one that slides."""
        return (self.lower, self.upper) if self.type in TURNING else CONTINUOUS

    def transform(self, position: float) -> Matrix:
        """Pose of the child in the parent (4x4) at `position` [rad or m]."""
        pose: Matrix = self.origin.copy()
        if position == 0.0:
            return pose
        if self.type in TURNING:
            pose[:3, :3] = pose[:3, :3] @ rotation_about(self.axis, position)
        elif self.type == 'prismatic':
            pose[:3, 3] += pose[:3, :3] @ (position * self.axis)
        return pose


class PlacedJoint(NamedTuple):
    """A joint with the direction of its axis and its position [m] in the base of a path."""

    joint: UrdfJoint
    axis: Matrix
    position: Matrix

    @classmethod
    def at(cls, joint: UrdfJoint, pose: Matrix) -> 'PlacedJoint':
        """The joint, if its child has this pose (4x4)."""
        return cls(joint, pose[:3, :3] @ joint.axis, pose[:3, 3])


@dataclass(frozen=True)
class RobotTree:
    """A tree of links; `joint_above` maps each link except the root to the joint that carries it.

    `RobotTree.of` checks that the links and joints form a tree.
    """

    name: str
    links: tuple[str, ...]
    joints: tuple[UrdfJoint, ...]
    root: str
    joint_above: dict[str, UrdfJoint]

    @classmethod
    def of(cls, name: str, links: tuple[str, ...], joints: tuple[UrdfJoint, ...]) -> 'RobotTree':
        """The tree of these links and joints. Raises InvalidUrdfError if they do not form one."""
        if not links:
            raise InvalidUrdfError('the robot has no links; add <link>, or expand xacro first')
        joint_above = _joint_above(set(links), joints)
        roots = [link for link in links if link not in joint_above]
        if len(roots) > 1:
            raise InvalidUrdfError(
                f'links {listed(roots)} have no parent; a robot has one root, connect the others'
            )
        cycle = _cycle(joint_above)
        if cycle:
            raise InvalidUrdfError(
                f'the joints {listed(cycle)} form a cycle; a robot is a tree, remove one of them'
            )
        return cls(name, links, joints, roots[0], joint_above)

    @property
    def leaves(self) -> list[str]:
        """Links that carry no other link."""
        parents = {joint.parent for joint in self.joints}
        return [link for link in self.links if link not in parents]

    @cached_property
    def movable_joints(self) -> dict[str, UrdfJoint]:
        """The joints that are not fixed, by name."""
        return {joint.name: joint for joint in self.joints if joint.type != 'fixed'}

    @cached_property
    def joint_names(self) -> frozenset[str]:
        """The names of all joints, fixed ones included."""
        return frozenset(joint.name for joint in self.joints)

    def has_link(self, link: str) -> bool:
        """Whether the robot has this link."""
        # This does not look through all links.
        return isinstance(link, str) and (link == self.root or link in self.joint_above)

    def path(self, base: str, tip: str) -> list[UrdfJoint]:
        """Joints from `base` to `tip`, in that order."""
        for link in (base, tip):
            if not self.has_link(link):
                name = shown(link) if isinstance(link, str) else quoted(link)
                raise InvalidUrdfError(
                    f"the robot has no link '{name}'; its links are {listed(self.links)}"
                )
        joints: list[UrdfJoint] = []
        link = tip
        while link != base:
            if link == self.root:
                raise InvalidUrdfError(
                    f"link '{shown(tip)}' does not hang on '{shown(base)}'; "
                    'choose a base_link that carries it'
                )
            joints.append(self.joint_above[link])
            link = joints[-1].parent
        return joints[::-1]

    def between(self, link: str, other: str) -> list[UrdfJoint]:
        """Joints that move one link relative to the other."""
        ways = [self.path(self.root, end) for end in (link, other)]
        shared = sum(a is b for a, b in zip(*ways))
        return ways[0][shared:] + ways[1][shared:]

    # --- poses ---

    def pose(self, link: str, base: str, positions: Mapping[str, float]) -> Matrix:
        """Pose of a link in `base` (4x4) at joint positions by name [rad or m]; not named: 0."""
        to_base, to_link = (
            poses_along(self.path(self.root, end), positions)[-1] for end in (base, link)
        )
        return inverse_pose(to_base) @ to_link

    def poses(self, base: str, positions: Mapping[str, float]) -> dict[str, Matrix]:
        """Pose of every link in `base` (4x4) at joint positions by name [rad or m], others at 0.

        Joints that follow others are where those put them.
        """
        poses, positions = {self.root: np.eye(4)}, self.with_followers(positions)
        for leaf in self.leaves:
            path = self.path(self.root, leaf)
            poses.update(zip((joint.child for joint in path), poses_along(path, positions)))
        to_base = inverse_pose(poses[base])
        return {link: to_base @ pose for link, pose in poses.items()}

    def with_followers(self, positions: Mapping[str, float]) -> dict[str, float]:
        """Positions by name [rad or m], and those of joints that follow one of them.

        A position that is given counts: some drivers measure followers, too.
        """
        found = dict(positions)
        for name, mimic in self.followers.items():
            if name not in found and mimic.joint in found:
                found[name] = mimic.multiplier * found[mimic.joint] + mimic.offset
        return found

    @cached_property
    def unmoved(self) -> dict[str, float]:
        """Where the movable joints are if those that follow no other one are at 0 [rad or m]."""
        return self.with_followers({
            name: 0.0 for name, joint in self.movable_joints.items() if not joint.mimic
        })

    @cached_property
    def followers(self) -> dict[str, Mimic]:
        """What the joints follow that follow another one, by name; each comes after its leader."""
        some = {joint.name: joint.mimic for joint in self.joints if joint.mimic}
        found: dict[str, Mimic] = {}
        for name in some:
            climbed: dict[str, Mimic] = {}
            while name in some and name not in found and name not in climbed:
                climbed[name] = some[name]
                name = some[name].joint
            found.update(reversed(climbed.items()))
        return found

    def fixed_to(self, base: str) -> dict[str, Matrix]:
        """Poses in `base` (4x4) of `base` itself and of every link fixed to it."""
        neighbors: dict[str, list[tuple[str, Matrix]]] = {link: [] for link in self.links}
        for joint in self.joints:
            if joint.type == 'fixed':
                neighbors[joint.parent].append((joint.child, joint.origin))
                neighbors[joint.child].append((joint.parent, inverse_pose(joint.origin)))
        poses, waiting = {base: np.eye(4)}, [base]
        while waiting:
            link = waiting.pop()
            for neighbor, pose in neighbors[link]:
                if neighbor not in poses:
                    poses[neighbor] = poses[link] @ pose
                    waiting.append(neighbor)
        return poses


def poses_along(path: Sequence[UrdfJoint], positions: Mapping[str, float]) -> list[Matrix]:
    """Pose of each joint's child in the path's base (4x4); for no joint, the pose of the base.

    Joints that `positions` [rad or m] do not name are at 0.
    """
    poses: list[Matrix] = []
    pose: Matrix = np.eye(4)
    for joint in path:
        pose = pose @ joint.transform(positions.get(joint.name, 0.0))
        poses.append(pose)
    return poses or [pose]


def movable_along(path: Sequence[UrdfJoint], positions: Mapping[str, float]) -> list[PlacedJoint]:
    """The joints of a path that are not fixed, in the path's base; see `poses_along`."""
    placed = map(PlacedJoint.at, path, poses_along(path, positions))
    return [one for one in placed if one.joint.type != 'fixed']


def _joint_above(known: set[str], joints: Sequence[UrdfJoint]) -> dict[str, UrdfJoint]:
    """The joint that carries each link. Raises InvalidUrdfError if a joint does not join two links,
    or if two joints carry the same one."""
    joint_above: dict[str, UrdfJoint] = {}
    for joint in joints:
        where = f"joint '{shown(joint.name)}'"
        for link in (joint.parent, joint.child):
            if link not in known:
                raise InvalidUrdfError(
                    f"{where} names link '{shown(link)}', which is not defined; add <link>"
                )
        if joint.parent == joint.child:
            raise InvalidUrdfError(
                f"{where} joins link '{shown(joint.child)}' with itself; name two links"
            )
        if joint.child in joint_above:
            raise InvalidUrdfError(
                f"link '{shown(joint.child)}' has two parents, by joints "
                f"'{shown(joint_above[joint.child].name)}' and '{shown(joint.name)}'; "
                'a link hangs on one joint'
            )
        joint_above[joint.child] = joint
    return joint_above


def _cycle(joint_above: dict[str, UrdfJoint]) -> list[str]:
    """Names of the joints of one cycle; [] in a tree. Each link is visited once."""
    sound: set[str] = set()
    for start in joint_above:
        climbed: dict[str, str] = {}
        link = start
        while link in joint_above and link not in sound:
            if link in climbed:
                names = list(climbed.values())
                return names[list(climbed).index(link) :]
            climbed[link] = joint_above[link].name
            link = joint_above[link].parent
        sound.update(climbed)
    return []
