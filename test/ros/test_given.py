# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Targets read from the bytes of the middleware, beside the messages that rclpy makes of them."""

import math
import struct

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='no ROS 2 is installed or sourced')
# isort: split
from geometry_msgs.msg import PointStamped, PoseStamped
from rclpy.serialization import deserialize_message, serialize_message

from ik_circles.ros.given import DATA, given_by, given_in

#: Letters of one to four bytes.
LETTERS = ['a', '_', 'ä', '€', '𝄞']
#: Numbers at the ends of what a message may hold.
EXTREMES = [math.inf, -math.inf, math.nan, 5e-324, -0.0, 1.7e308]


def message_of(kind, rng):
    message = kind()
    message.header.frame_id = ''.join(rng.choice(LETTERS, rng.integers(0, 12)))
    stamp = message.header.stamp
    stamp.sec, stamp.nanosec = int(rng.integers(-(2**31), 2**31)), int(rng.integers(0, 2**32))
    numbers = rng.normal(size=7)
    numbers[rng.integers(0, 7)] = rng.choice(EXTREMES)
    x, y, z, *turned = numbers.tolist()
    at = message.point if kind is PointStamped else message.pose.position
    at.x, at.y, at.z = x, y, z
    if kind is PoseStamped:
        q = message.pose.orientation
        q.x, q.y, q.z, q.w = turned
    return message


def big_end_first(data, numbers):
    """The same data with each number turned round, which is as good."""
    length = struct.unpack_from('<I', data, DATA + 8)[0]
    end = DATA + 12 + length
    found = bytearray(data)
    found[:2] = b'\x00\x00'
    for at in (DATA, DATA + 4, DATA + 8):
        found[at : at + 4] = data[at : at + 4][::-1]
    for at in range(len(data) - 8 * numbers, len(data), 8):
        found[at : at + 8] = data[at : at + 8][::-1]
    assert end <= len(data) - 8 * numbers
    return bytes(found)


@pytest.mark.parametrize(('kind', 'numbers'), [(PoseStamped, 7), (PointStamped, 3)])
def test_bytes_say_what_their_message_says(kind, numbers):
    rng = np.random.default_rng(20)
    for _ in range(500):
        message = message_of(kind, rng)
        data = serialize_message(message)
        expected = repr(given_by(message))  # NaN is not equal to itself
        assert repr(given_in(kind, data)) == expected
        assert repr(given_in(kind, big_end_first(data, numbers))) == expected


def test_the_quaternion_has_w_first_and_a_point_has_none():
    message = PoseStamped()
    message.pose.orientation.w, message.pose.orientation.x = 0.6, 0.8
    assert given_in(PoseStamped, serialize_message(message)).quaternion == (0.6, 0.8, 0.0, 0.0)
    assert given_in(PointStamped, serialize_message(PointStamped())).quaternion is None


@pytest.mark.parametrize('kind', [PoseStamped, PointStamped])
def test_other_bytes_are_read_as_rclpy_reads_them_or_refused_as_it_refuses_them(kind):
    """Law: cut off anywhere, changed anywhere, or just noise, no other error comes out."""
    rng = np.random.default_rng(21)
    refused = 0
    for case in range(600):
        data = bytearray(serialize_message(message_of(kind, rng)))
        if case % 3 == 0:
            del data[rng.integers(0, len(data)) :]
        elif case % 3 == 1:
            data[rng.integers(0, len(data))] = rng.integers(0, 256)
        else:
            data = bytearray(rng.integers(0, 256, rng.integers(0, 100), dtype=np.uint8))
        try:
            expected = given_by(deserialize_message(bytes(data), kind))
        except RuntimeError:
            refused += 1
            with pytest.raises(RuntimeError):
                given_in(kind, bytes(data))
        else:
            assert repr(given_in(kind, bytes(data))) == repr(expected)
    assert refused > 100
