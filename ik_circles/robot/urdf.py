# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reading a robot description (URDF) into a checked tree of links and joints.

The text is read in one pass that keeps only links and joints. Everything else in it costs no
memory, however deep it is. Unknown elements and elements of other namespaces are skipped. Anything
invalid in links and joints is refused with one sentence.
"""

import os
import stat
import sys
from os import PathLike, fsdecode
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from ik_circles.errors import InvalidSettingError, InvalidUrdfError
from ik_circles.geometry.values import quoted
from ik_circles.robot.shipped import meant, path_of, shipped
from ik_circles.robot.text import checked_name, listed, required_name, shown
from ik_circles.robot.tree import RobotTree, UrdfJoint
from ik_circles.robot.urdf_joint import PARTS, Attributes, Parts, joint_of

#: A longer text is refused without reading it [bytes]. Real ones have less than a tenth of this.
MAX_BYTES = 5_000_000
#: Elements nested deeper than this are refused [1], because the XML parser keeps something for each
#: open element. Real descriptions have 20 levels.
MAX_DEPTH = 1000
#: The text is fed to the XML parser in this many pieces. If something is refused, the parser only
#: stops at the end of a piece, and continues until then (even with the entities of a DTD). Many
#: small pieces would be slow for one long attribute: old parsers restart it with each piece.
PIECES = 64
#: Opens a named pipe without waiting for its writer; 0 on systems without named pipes.
NO_WAIT = getattr(os, 'O_NONBLOCK', 0)
#: Depth of an element inside a joint or link: <robot> has 1, <joint> 2 and <origin> 3.
PART_DEPTH = 3
#: The message of the XML parser is cut to this length [characters].
MAX_REASON = 100


def urdf_text(urdf: str | bytes | PathLike[str], max_bytes: int) -> str | bytes:
    """The text of a URDF. Without a `<`, it is the path of a file or the name of a shipped robot.

    Raises InvalidUrdfError if the file cannot be read. At most `max_bytes` and one more are read:
    the one more shows that the file is too long.
    """
    if not isinstance(max_bytes, int) or not 0 <= max_bytes < sys.maxsize:
        raise InvalidSettingError(f'max_bytes is {quoted(max_bytes)}; give a count of bytes')
    if isinstance(urdf, str) and ('<' in urdf or not urdf.strip()):
        return urdf
    if isinstance(urdf, bytes) and (b'<' in urdf or not urdf.strip()):
        return urdf
    if not isinstance(urdf, str | bytes | PathLike):
        raise InvalidUrdfError(
            f'the robot description is a {type(urdf).__name__}; give the text of a URDF, or the '
            'path of its file'
        )
    try:
        path = path_of(urdf) if isinstance(urdf, str) else urdf
        with open(path, 'rb', opener=lambda path, flags: os.open(path, flags | NO_WAIT)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError('not a regular file')
            return file.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, 'strerror', None) or str(error)
        name = fsdecode(urdf)
        hint = meant(name) if isinstance(error, FileNotFoundError) else ''
        raise InvalidUrdfError(
            f"'{shown(name)}' cannot be read ({why}); {hint}give the text of a URDF, or the "
            f'path of its file, or the name of a shipped robot: {listed([*shipped()])}'
        ) from None


def parse_urdf(urdf: str | bytes, *, max_bytes: int = MAX_BYTES) -> RobotTree:
    """Read and check a robot description. An InvalidUrdfError says in one sentence what is wrong.

    A text of more than `max_bytes` is refused without reading it. A str is counted as UTF-8.
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
    except (ValueError, LookupError, Warning) as error:  # from the encoding that the text declares
        raise _not_xml(str(error)) from None
    return RobotTree.of(reader.name, tuple(reader.links), tuple(reader.joints.values()))


class _Reader(ContentHandler):
    """Keeps the robot's own links and joints; of everything else, only how deep it is nested."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ''
        self.links: dict[str, None] = {}
        self.joints: dict[str, UrdfJoint] = {}
        self._depth = 0
        self._tags: dict[str, str] = {}  # by the name in the text, with its prefix
        self._namespace = ''
        self._joint: Parts = {}  # the open one

    def startElement(self, name: str, attrs: Attributes) -> None:  # noqa: N802
        self._depth += 1
        if self._depth == 1:
            self._start_robot(name, attrs)
        elif self._depth > MAX_DEPTH:
            raise InvalidUrdfError(
                f'elements are nested more than {MAX_DEPTH} deep; no robot needs that, remove them'
            )
        elif self._depth <= PART_DEPTH and name in self._tags and self._is_own(attrs):
            self._start_part(self._tags[name], attrs)

    def endElement(self, name: str) -> None:  # noqa: N802
        self._depth -= 1
        if self._depth == 1 and self._joint:
            joint = joint_of(self._joint)
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
        self._tags = {prefix + colon + tag: tag for tag in ('link', 'joint', *PARTS)}
        self._namespace = attrs.get('xmlns', '')
        self.name = attrs.get('name', '')
        if self.name:
            checked_name('robot', self.name)

    def _is_own(self, attrs: Attributes) -> bool:
        return attrs.get('xmlns', self._namespace) == self._namespace

    def _start_part(self, tag: str, attrs: Attributes) -> None:
        if self._depth == PART_DEPTH:
            if self._joint and tag not in self._joint:  # the first counts, as in other readers
                self._joint[tag] = attrs
        elif tag == 'joint':
            self._joint = {'joint': attrs}
        elif tag == 'link':
            name = required_name('link', attrs.get('name', ''))
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
    text = urdf.lstrip()  # XML allows no space before its declaration, but people write it
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
        f'the robot description is not well-formed XML ({shown(reason, MAX_REASON)}); '
        'is it a file name, or xacro that was not expanded?'
    )


def _twice(kind: str, name: str) -> InvalidUrdfError:
    return InvalidUrdfError(f"two {kind}s are named '{shown(name)}'; names must be unique")
