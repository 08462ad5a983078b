"""The robot as a tree of links and joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ik_circles.errors import InvalidUrdfError
from ik_circles.geometry.rigid import Matrix, inverse_pose, rotation_about
from ik_circles.robot.text import listed, shown

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

    Attributes = AttributesImpl[str]
    #: The attributes of a <joint> and of the first of each element in it, by tag.
    Parts = dict[str, Attributes]

TURNING = ('revolute', 'continuous')


MOVABLE = (*TURNING, 'prismatic')


@dataclass(frozen=True, eq=False)
class UrdfJoint:
    """One joint: `origin` is the child's pose in the parent at position 0, `axis` a unit vector.

    `lower`, `upper` [rad or m] are infinite for a continuous joint, and for a revolute one with
    limits beyond NO_LIMIT; `velocity` [rad/s or m/s] is None where the description gives none, or
    0.
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
    mimic: bool

    def transform(self, position: float) -> Matrix:
        """Pose of the child in the parent at `position`."""
        motion = np.eye(4)
        if self.type in TURNING:
            motion[:3, :3] = rotation_about(self.axis, position)
        elif self.type == 'prismatic':
            motion[:3, 3] = position * self.axis
        return self.origin @ motion


@dataclass(frozen=True)
class Robot:
    """A tree of links; `joint_above` maps each link but the root to the joint that carries it."""

    name: str
    links: tuple[str, ...]
    joints: tuple[UrdfJoint, ...]
    root: str
    joint_above: dict[str, UrdfJoint]

    @property
    def leaves(self) -> list[str]:
        """Links that carry no other."""
        parents = {joint.parent for joint in self.joints}
        return [link for link in self.links if link not in parents]

    def has_link(self, link: str) -> bool:
        """Whether there is such a link, without looking through all of them."""
        return link == self.root or link in self.joint_above

    def path(self, base: str, tip: str) -> list[UrdfJoint]:
        """Joints from `base` to `tip`, in that order."""
        for link in (base, tip):
            if not self.has_link(link):
                raise InvalidUrdfError(
                    f"the robot has no link '{shown(link)}'; its links are {listed(self.links)}"
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
        """Joints that move one link against the other."""
        ways = [self.path(self.root, end) for end in (link, other)]
        shared = sum(a is b for a, b in zip(*ways, strict=False))
        return ways[0][shared:] + ways[1][shared:]

    def fixed_to(self, base: str) -> dict[str, Matrix]:
        """Pose in `base` of every link that fixed joints connect with it, `base` included."""
        neighbours: dict[str, list[tuple[str, Matrix]]] = {link: [] for link in self.links}
        for joint in self.joints:
            if joint.type == 'fixed':
                neighbours[joint.parent].append((joint.child, joint.origin))
                neighbours[joint.child].append((joint.parent, inverse_pose(joint.origin)))
        poses, waiting = {base: np.eye(4)}, [base]
        while waiting:
            link = waiting.pop()
            for neighbour, pose in neighbours[link]:
                if neighbour not in poses:
                    poses[neighbour] = poses[link] @ pose
                    waiting.append(neighbour)
        return poses
