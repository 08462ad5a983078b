"""Reading a robot description (URDF): a checked tree of links and joints, and nothing else.

The text is read in one pass that keeps links and joints only, so that whatever else it holds, and
however deep that is, costs no memory. Unknown elements and those of other namespaces are skipped.
Anything unsound in links and joints is refused in one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from ik_circles.errors import InvalidUrdfError
from ik_circles.geometry.rigid import Matrix
from ik_circles.robot.text import listed, shown
from ik_circles.robot.tree import MOVABLE, Robot, UrdfJoint

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

    Attributes = AttributesImpl[str]
    #: The attributes of a <joint> and of the first of each element in it, by tag.
    Parts = dict[str, Attributes]


#: Real descriptions have less than a tenth of this; reading as much takes about a second.
MAX_BYTES = 5_000_000
#: Longer names than this would make sentences that nobody can read.
MAX_NAME = 200
#: Numbers in an <origin> are at most this [m or rad]: sums of them stay finite and exact enough.
MAX_NUMBER = 1e6
#: Three joints of n turns each have up to 2 n^3 solutions of a pose: 5 take 2 ms, 10 take 70 ms.
MAX_TURNS = 5
#: Limits beyond this to both sides stand for none [rad]: converters write 1e16.
NO_LIMIT = 100.0
#: The XML parser keeps something of every element that is open; real descriptions have 20 levels.
MAX_DEPTH = 1000
#: The text is read in so many pieces: the XML parser hears that something is refused at the end of
#: the piece, and until then goes on (with the entities of a DTD, too). Many small pieces would take
#: long over one long attribute, which old parsers begin anew with each of them.
PIECES = 64

TYPES = (*MOVABLE, 'fixed', 'floating', 'planar')
READ_IN_JOINTS = ('parent', 'child', 'origin', 'axis', 'limit', 'mimic')

#: What joints without an origin or axis share.
IDENTITY: Matrix = np.eye(4)
X_AXIS: Matrix = np.array([1.0, 0.0, 0.0])
IDENTITY.flags.writeable = X_AXIS.flags.writeable = False






def parse_urdf(urdf: str | bytes, *, max_bytes: int = MAX_BYTES) -> Robot:
    """Read and check a robot description; InvalidUrdfError says what is wrong in one sentence.

    More than `max_bytes` are refused unread; a str counts as its UTF-8.
    """
    text = _checked_text(urdf, max_bytes)
    reader = _Reader()
    parser = DefusedExpatParser(forbid_dtd=True)  # namespaces off: a prefix need not be declared
    parser.setContentHandler(reader)
    try:
        _feed(parser, text)
    except InvalidUrdfError:
        raise
    except DefusedXmlException:
        raise InvalidUrdfError(
            'the robot description has a DTD or entities, which are not read; remove them'
        ) from None
    except SAXParseException as error:
        where = f'{error.getMessage()}: line {error.getLineNumber()}'
        raise _not_xml(f'{where}, column {error.getColumnNumber()}') from None
    except (ValueError, LookupError, Warning) as error:  # of the encoding that it declares
        raise _not_xml(str(error)) from None
    return _tree(reader.name, tuple(reader.links), tuple(reader.joints.values()))










# --- text -----------------------------------------------------------------------------------------


class _Reader(ContentHandler):
    """Keeps the robot's own links and joints; of anything else, how deep it is nested."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ''
        self.links: dict[str, None] = {}
        self.joints: dict[str, UrdfJoint] = {}
        self._depth = 0
        self._tags: dict[str, str] = {}  # by name as written, prefix and all
        self._namespace = ''
        self._joint: Parts = {}  # the one that is open

    def startElement(self, name: str, attrs: Attributes) -> None:  # noqa: N802
        self._depth += 1
        if self._depth == 1:
            self._start_robot(name, attrs)
        elif self._depth > MAX_DEPTH:
            raise InvalidUrdfError(
                f'elements are nested more than {MAX_DEPTH} deep; no robot needs that, remove them'
            )
        elif self._depth <= 3 and name in self._tags and self._is_own(attrs):
            self._start_part(self._tags[name], attrs)

    def endElement(self, name: str) -> None:  # noqa: N802
        self._depth -= 1
        if self._depth == 1 and self._joint:
            joint = _joint(self._joint)
            self._joint = {}
            if joint.name in self.joints:
                raise _twice('joint', joint.name)
            self.joints[joint.name] = joint

    def _start_robot(self, name: str, attrs: Attributes) -> None:
        prefix, colon, tag = name.rpartition(':')
        if tag != 'robot':
            raise InvalidUrdfError(
                f'the top element is <{shown(name)}>; a URDF starts with <robot>'
            )
        self._tags = {prefix + colon + tag: tag for tag in ('link', 'joint', *READ_IN_JOINTS)}
        self._namespace = attrs.get('xmlns', '')
        self.name = attrs.get('name', '')
        if self.name:
            _check_name('robot', self.name)

    def _is_own(self, attrs: Attributes) -> bool:
        return attrs.get('xmlns', self._namespace) == self._namespace

    def _start_part(self, tag: str, attrs: Attributes) -> None:
        if self._depth == 3:
            if self._joint and tag not in self._joint:  # the first counts, as in other readers
                self._joint[tag] = attrs
        elif tag == 'joint':
            self._joint = {'joint': attrs}
        elif tag == 'link':
            name = _name('link', attrs.get('name', ''))
            if name in self.links:
                raise _twice('link', name)
            self.links[name] = None


def _checked_text(urdf: str | bytes, max_bytes: int) -> str | bytes:
    if not isinstance(urdf, str | bytes):
        raise InvalidUrdfError(
            f'the robot description is a {type(urdf).__name__}; give the text of a URDF'
        )
    size = len(urdf)
    if isinstance(urdf, str) and size <= max_bytes and not urdf.isascii():
        try:
            size = len(urdf.encode())
        except UnicodeEncodeError as error:
            raise _not_xml(str(error)) from None
    if size > max_bytes:
        raise InvalidUrdfError(
            f'the robot description has at least {size} bytes; at most {max_bytes} are read'
        )
    text = urdf.lstrip()  # XML allows no space before its declaration, people do
    if not text:
        raise InvalidUrdfError('the robot description is empty; give the text of a URDF')
    return text


def _feed(parser: DefusedExpatParser, text: str | bytes) -> None:
    piece = len(text) // PIECES + 1
    for begin in range(0, len(text), piece):
        parser.feed(text[begin : begin + piece])
    parser.close()


def _not_xml(reason: str) -> InvalidUrdfError:
    return InvalidUrdfError(
        f'the robot description is not well-formed XML ({shown(reason, 100)}); is it a file name, '
        'or xacro that was not expanded?'
    )


def _twice(kind: str, name: str) -> InvalidUrdfError:
    return InvalidUrdfError(f"two {kind}s are named '{shown(name)}'; names must be unique")


def _name(tag: str, name: str) -> str:
    if not name:
        raise InvalidUrdfError(f'a <{tag}> has no name; add one')
    _check_name(tag, name)
    return name


def _check_name(kind: str, name: str) -> None:
    if len(name) > MAX_NAME or not name.isprintable():
        raise InvalidUrdfError(
            f"a {kind} is named '{shown(name)}'; names have at most {MAX_NAME} characters, "
            'all of them printable'
        )
    if '${' in name or '$(' in name:
        raise InvalidUrdfError(f"a {kind} is named '{shown(name)}'; expand xacro first")


# --- the tree -------------------------------------------------------------------------------------


def _tree(name: str, links: tuple[str, ...], joints: tuple[UrdfJoint, ...]) -> Robot:
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
    return Robot(name, links, joints, roots[0], joint_above)


def _joint_above(known: set[str], joints: Sequence[UrdfJoint]) -> dict[str, UrdfJoint]:
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
    """Names of the joints of one cycle, [] in a tree; each link is passed once."""
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


# --- joints ---------------------------------------------------------------------------------------


def _joint(parts: Parts) -> UrdfJoint:
    own = parts['joint']
    name, kind = _name('joint', own.get('name', '')), own.get('type', '')
    where = f"joint '{shown(name)}'"
    if kind not in TYPES:
        raise InvalidUrdfError(
            f"{where} has type '{shown(kind)}'; it must be one of {', '.join(TYPES)}"
        )
    limit = parts.get('limit')
    lower, upper = _limits(limit, kind, where)
    return UrdfJoint(
        name=name,
        type=kind,
        parent=_link_of(parts, 'parent', where),
        child=_link_of(parts, 'child', where),
        origin=_origin(parts.get('origin'), where),
        axis=_axis(parts.get('axis'), kind, where),
        lower=lower,
        upper=upper,
        velocity=_velocity(limit, kind, where),
        mimic='mimic' in parts,
    )


def _link_of(parts: Parts, tag: str, where: str) -> str:
    link = parts[tag].get('link', '') if tag in parts else ''
    if not link:
        raise InvalidUrdfError(f'{where} names no {tag} link; add <{tag} link="…"/>')
    return link


def _numbers(part: Attributes, attribute: str, default: str, where: str) -> list[float]:
    text, count = part.get(attribute, default), len(default.split())
    words = text.split(None, count)
    try:
        values = [float(word) for word in words[:count]]
        sound = text.isascii() and '_' not in text  # float() reads more than other readers do
    except ValueError:
        sound = False
    if not sound:
        raise InvalidUrdfError(
            f"{where} has {attribute}='{shown(text)}'; numbers are expected (expand xacro first)"
        )
    if len(words) != count or not all(map(math.isfinite, values)):
        wanted = 'one finite number is' if count == 1 else f'{count} finite numbers are'
        raise InvalidUrdfError(f"{where} has {attribute}='{shown(text)}'; {wanted} expected")
    return values


def _origin(part: Attributes | None, where: str) -> Matrix:
    if part is None:
        return IDENTITY
    xyz, rpy = (_numbers(part, attribute, '0 0 0', where) for attribute in ('xyz', 'rpy'))
    for attribute, values in (('xyz', xyz), ('rpy', rpy)):
        if max(map(abs, values)) > MAX_NUMBER:
            raise InvalidUrdfError(
                f"{where} has {attribute}='{shown(part[attribute])}'; numbers of at most "
                f'{MAX_NUMBER:.0e} are expected'
            )
    (cr, cp, cy), (sr, sp, sy) = map(math.cos, rpy), map(math.sin, rpy)
    x, y, z = xyz
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, x],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, y],
            [-sp, cp * sr, cp * cr, z],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def _axis(part: Attributes | None, kind: str, where: str) -> Matrix:
    if part is None or kind not in MOVABLE:
        return X_AXIS
    axis = _numbers(part, 'xyz', '1 0 0', where)
    largest = max(map(abs, axis))
    if largest < 1e-6:
        raise InvalidUrdfError(
            f"{where} has axis='{shown(part['xyz'])}' of no length; give it a direction"
        )
    axis = [value / largest for value in axis]  # the square of 1e200 is no number
    return np.array(axis) / math.hypot(*axis)


def _limits(part: Attributes | None, kind: str, where: str) -> tuple[float, float]:
    if kind not in ('revolute', 'prismatic'):
        return -math.inf, math.inf
    if part is None:
        raise InvalidUrdfError(f'{where} has no <limit>; a {kind} joint needs lower and upper')
    (lower,), (upper,) = (_numbers(part, name, '0', where) for name in ('lower', 'upper'))
    if lower > upper:
        raise InvalidUrdfError(
            f'{where} has its limits upside down: lower {lower:.6g} > upper {upper:.6g}; swap them'
        )
    if kind == 'revolute' and upper - lower > MAX_TURNS * 2.0 * math.pi:
        if min(-lower, upper) >= NO_LIMIT:
            return -math.inf, math.inf
        raise InvalidUrdfError(
            f'{where} has limits {lower:.6g} to {upper:.6g} rad, more than {MAX_TURNS} turns; '
            "narrow them, or give it type 'continuous'"
        )
    return lower, upper


def _velocity(part: Attributes | None, kind: str, where: str) -> float | None:
    """Many exporters write 0 for what they do not know."""
    if part is None or kind not in MOVABLE:
        return None
    (velocity,) = _numbers(part, 'velocity', '0', where)
    if velocity < 0.0:
        raise InvalidUrdfError(
            f'{where} has velocity {velocity:.6g}; it must be at least 0, where 0 means not given'
        )
    return velocity or None
