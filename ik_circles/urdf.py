"""Reading a robot description (URDF): a checked tree of links and joints, and nothing else.

Unknown elements are skipped. Anything unsound in links and joints is refused in one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException
from numpy.typing import NDArray

from ik_circles.errors import InvalidUrdfError

Matrix = NDArray[np.float64]

MAX_BYTES = 20_000_000
TURNING = ('revolute', 'continuous')
MOVABLE = (*TURNING, 'prismatic')
TYPES = (*MOVABLE, 'fixed', 'floating', 'planar')


@dataclass(frozen=True)
class UrdfJoint:
    """One joint: `origin` is the child's pose in the parent at position 0, `axis` a unit vector.

    `lower`, `upper` [rad or m] are infinite for a continuous joint; `velocity` [rad/s or m/s] is
    None where the description gives none.
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

    def path(self, base: str, tip: str) -> list[UrdfJoint]:
        """Joints from `base` to `tip`, in that order."""
        for link in (base, tip):
            if link not in self.links:
                raise InvalidUrdfError(
                    f"the robot has no link '{link}'; its links are {', '.join(self.links[:20])}"
                )
        joints: list[UrdfJoint] = []
        link = tip
        while link != base:
            if link == self.root:
                raise InvalidUrdfError(
                    f"link '{tip}' does not hang on '{base}'; choose a base_link that carries it"
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


def parse_urdf(urdf: str | bytes) -> Robot:
    """Read and check a robot description; InvalidUrdfError says what is wrong in one sentence."""
    root = _parsed(urdf)
    if _tag(root) != 'robot':
        raise InvalidUrdfError(f'the top element is <{_tag(root)}>; a URDF starts with <robot>')
    links = tuple(_name(element) for element in _children(root, 'link'))
    joints = tuple(_joint(element) for element in _children(root, 'joint'))
    for kind, names in (('link', links), ('joint', tuple(joint.name for joint in joints))):
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidUrdfError(f"two {kind}s are named '{twice}'; names must be unique")
    return _tree(root.get('name', ''), links, joints)


def rotation_about(axis: Matrix, angle: float) -> Matrix:
    """Rotation matrix of a turn by `angle` [rad] about the unit vector `axis` (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Matrix = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    return turned


def inverse_pose(pose: Matrix) -> Matrix:
    """The parent's pose (4x4) in the frame whose pose in the parent is given."""
    inverse = np.eye(4)
    inverse[:3, :3] = pose[:3, :3].T
    inverse[:3, 3] = -pose[:3, :3].T @ pose[:3, 3]
    return inverse


def _parsed(urdf: str | bytes) -> Element:
    if len(urdf) > MAX_BYTES:
        raise InvalidUrdfError(
            f'the robot description has {len(urdf)} bytes; at most {MAX_BYTES} are read'
        )
    if not urdf.strip():
        raise InvalidUrdfError('the robot description is empty; give the text of a URDF')
    try:
        root: Element = ElementTree.fromstring(urdf, forbid_dtd=True)
    except DefusedXmlException as error:
        raise InvalidUrdfError(
            'the robot description has a DTD or entities, which are not read; remove them'
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise InvalidUrdfError(
            f'the robot description is not well-formed XML ({error}); is it a file name, or xacro '
            'that was not expanded?'
        ) from error
    return root


def _tree(name: str, links: tuple[str, ...], joints: tuple[UrdfJoint, ...]) -> Robot:
    if not links:
        raise InvalidUrdfError('the robot has no links; add <link>, or expand xacro first')
    known = set(links)
    joint_above: dict[str, UrdfJoint] = {}
    for joint in joints:
        for link in (joint.parent, joint.child):
            if link not in known:
                raise InvalidUrdfError(
                    f"joint '{joint.name}' names link '{link}', which is not defined; add <link>"
                )
        if joint.child in joint_above:
            other = joint_above[joint.child].name
            raise InvalidUrdfError(
                f"link '{joint.child}' has two parents, by joints '{other}' and '{joint.name}'; "
                'a link hangs on one joint'
            )
        joint_above[joint.child] = joint
    roots = [link for link in links if link not in joint_above]
    if len(roots) > 1:
        raise InvalidUrdfError(
            f"links {', '.join(roots[:5])} have no parent; a robot has one root, connect the others"
        )
    children: dict[str, list[str]] = {link: [] for link in links}
    for joint in joints:
        children[joint.parent].append(joint.child)
    reached, waiting = 0, list(roots)
    while waiting:
        reached += 1
        waiting += children[waiting.pop()]
    if not roots or reached < len(links):
        raise InvalidUrdfError('the joints form a cycle; a robot is a tree')
    return Robot(name, links, joints, roots[0], joint_above)


# --- elements -------------------------------------------------------------------------------------


def _tag(element: Element) -> str:
    return str(element.tag).rpartition('}')[2]


def _children(element: Element, tag: str) -> Iterator[Element]:
    return (child for child in element if _tag(child) == tag)


def _child(element: Element, tag: str) -> Element | None:
    return next(_children(element, tag), None)


def _name(element: Element) -> str:
    name = element.get('name', '')
    if not name:
        raise InvalidUrdfError(f'a <{_tag(element)}> has no name; add one')
    return name


def _joint(element: Element) -> UrdfJoint:
    name, kind = _name(element), element.get('type', '')
    where = f"joint '{name}'"
    if kind not in TYPES:
        raise InvalidUrdfError(f"{where} has type '{kind}'; it must be one of {', '.join(TYPES)}")
    lower, upper, velocity = _limits(_child(element, 'limit'), kind, where)
    return UrdfJoint(
        name=name,
        type=kind,
        parent=_link_of(element, 'parent', where),
        child=_link_of(element, 'child', where),
        origin=_origin(_child(element, 'origin'), where),
        axis=_axis(_child(element, 'axis'), kind, where),
        lower=lower,
        upper=upper,
        velocity=velocity,
        mimic=_child(element, 'mimic') is not None,
    )


def _link_of(element: Element, tag: str, where: str) -> str:
    child = _child(element, tag)
    link = '' if child is None else child.get('link', '')
    if not link:
        raise InvalidUrdfError(f'{where} names no {tag} link; add <{tag} link="…"/>')
    return link


def _numbers(element: Element | None, attribute: str, default: str, where: str) -> Any:
    text = default if element is None else element.get(attribute, default)
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        raise InvalidUrdfError(
            f"{where} has {attribute}='{text}'; numbers are expected (expand xacro first)"
        ) from None
    if len(values) != len(default.split()) or not np.all(np.isfinite(values)):
        count = len(default.split())
        wanted = 'one finite number is' if count == 1 else f'{count} finite numbers are'
        raise InvalidUrdfError(f"{where} has {attribute}='{text}'; {wanted} expected")
    return values


def _origin(element: Element | None, where: str) -> Matrix:
    roll, pitch, yaw = _numbers(element, 'rpy', '0 0 0', where)
    x_axis, y_axis, z_axis = np.eye(3)
    pose = np.eye(4)
    pose[:3, :3] = (
        rotation_about(z_axis, yaw) @ rotation_about(y_axis, pitch) @ rotation_about(x_axis, roll)
    )
    pose[:3, 3] = _numbers(element, 'xyz', '0 0 0', where)
    return pose


def _axis(element: Element | None, kind: str, where: str) -> Matrix:
    axis: Matrix = _numbers(element, 'xyz', '1 0 0', where)
    length = float(np.linalg.norm(axis))
    if kind not in MOVABLE:
        return axis
    if length < 1e-6:
        raise InvalidUrdfError(f'{where} has an axis of length {length:.3g}; give it a direction')
    return axis / length


def _limits(
    element: Element | None, kind: str, where: str
) -> tuple[float, float, float | None]:
    velocity = float(_numbers(element, 'velocity', '0', where)[0])
    known_velocity = velocity if velocity > 0.0 else None
    if kind not in ('revolute', 'prismatic'):
        return -math.inf, math.inf, known_velocity
    if element is None:
        raise InvalidUrdfError(f'{where} has no <limit>; a {kind} joint needs lower and upper')
    lower = float(_numbers(element, 'lower', '0', where)[0])
    upper = float(_numbers(element, 'upper', '0', where)[0])
    if lower > upper:
        raise InvalidUrdfError(
            f'{where} has its limits upside down: lower {lower:.6g} > upper {upper:.6g}; swap them'
        )
    return lower, upper, known_velocity
