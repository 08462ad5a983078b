# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Targets as plain numbers, read from a message, or from the bytes that the middleware receives.

rclpy makes a PoseStamped out of six objects, and writes each number twice. Reading the numbers from
the bytes is faster.
"""

import struct
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from geometry_msgs.msg import PointStamped, PoseStamped
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from std_msgs.msg import Header

from ik_circles.robot.arm import Point3
from ik_circles.ros import qos

Numbers4 = tuple[float, float, float, float]
Kind = type[PoseStamped] | type[PointStamped]

#: Topics of targets, and what they carry.
TARGETS: dict[str, Kind] = {'target_pose': PoseStamped, 'target_point': PointStamped}
#: In this time [s], there is at most one warning about targets that cannot be read.
UNREADABLE_TARGETS = 10.0
#: The bytes of a message begin with these four if they are plain CDR with the little end first.
#: Numbers are aligned to their own size, counted from the end of these four bytes (OMG DDSI-RTPS
#: 10.2).
LITTLE_END_FIRST = b'\x00\x01\x00\x00'
DATA = len(LITTLE_END_FIRST)
#: Seconds and nanoseconds of the stamp, and the length of frame_id with its closing zero [bytes].
HEADER = struct.Struct('<iII')
#: The numbers of a target after its header.
NUMBERS = {PoseStamped: struct.Struct('<7d'), PointStamped: struct.Struct('<3d')}


class Stamped(NamedTuple):
    """The header of a message: the frame, and the time since the epoch [s, ns]."""

    frame: str
    sec: int
    nanosec: int

    @classmethod
    def of(cls, header: Header) -> 'Stamped':
        """Read the header from a message."""
        stamp = header.stamp
        return cls(header.frame_id, stamp.sec, stamp.nanosec)

    @property
    def nanoseconds(self) -> int:
        """The time since the epoch [ns]; negative before it."""
        return self.sec * 10**9 + self.nanosec


class Given(NamedTuple):
    """A target as it was sent: its header, its position [m], and its quaternion if it has one.

    The quaternion has w first.
    """

    stamped: Stamped
    position: Point3
    quaternion: Numbers4 | None


def given_by(message: PoseStamped | PointStamped, with_orientation: bool = True) -> Given:
    """Read a target from its message."""
    stamped, is_point = Stamped.of(message.header), isinstance(message, PointStamped)
    at = message.point if is_point else message.pose.position
    quaternion = None
    if with_orientation and not is_point:
        q = message.pose.orientation
        quaternion = q.w, q.x, q.y, q.z
    return Given(stamped, (at.x, at.y, at.z), quaternion)


def given_in(kind: Kind, data: bytes) -> Given:
    """Read a target from the bytes of its message.

    If the bytes are written in another way, rclpy reads them; RuntimeError if rclpy cannot.
    """
    numbers = NUMBERS[kind]
    try:
        sec, nanosec, length = HEADER.unpack_from(data, DATA)
        begin = DATA + HEADER.size
        end = begin + length
        aligned = end + (DATA - end) % 8
        frame = data[begin : end - 1].decode()
        x, y, z, *vector_and_w = numbers.unpack_from(data, aligned)
    except (struct.error, UnicodeDecodeError):
        return given_by(deserialize_message(data, kind))
    if data[:DATA] != LITTLE_END_FIRST or data.find(b'\0', begin) != end - 1:
        return given_by(deserialize_message(data, kind))
    quaternion = (vector_and_w[3], *vector_and_w[:3]) if vector_and_w else None
    return Given(Stamped(frame, sec, nanosec), (x, y, z), quaternion)


def hear_targets(node: Node, heard: Callable[[Given], None]) -> None:
    """Call `heard` with each target that comes; log a warning about targets that cannot be read."""
    for topic, kind in TARGETS.items():
        hear = partial(_hear, node, heard, kind)
        node.create_subscription(kind, topic, hear, qos.LATEST, raw=True)


def _hear(node: Node, heard: Callable[[Given], None], kind: Kind, data: bytes) -> None:
    try:
        given = given_in(kind, data)
    except RuntimeError as error:
        warned = f'a target was left out, because it cannot be read as a message: {error}'
        node.get_logger().warning(warned, throttle_duration_sec=UNREADABLE_TARGETS)
    else:
        heard(given)
