# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robot descriptions as large as is read: in bounded time and memory."""

import re
import time
import tracemalloc
from itertools import product

import pytest
from hostile_texts import (
    ARM,
    LONGEST_SENTENCE,
    arm_with,
    chain_of,
    is_the_arm,
    joint,
    laughs,
    many,
    outcome,
    robot,
)
from law_cases import cases

from ik_circles import load_arm
from ik_circles.errors import InvalidUrdfError
from ik_circles.robot.urdf import MAX_BYTES, parse_urdf

#: Size of the text, the CPU time that each byte may take [s], and memory as a multiple of the text:
#: what is measured is a quarter of that, and 21 times (attributes of one element; others 8 times).
LARGEST, SECONDS, MEMORY = cases(MAX_BYTES - 300_000, 8), 1e-6, 40

LARGE = {
    'elements': (lambda n: robot(ARM, '<a/>' * (n // 4)), None),
    'names': (lambda n: robot(many(lambda i: f'<b{i}/>', n), ARM), None),
    'attributes': (
        lambda n: robot('<joint ', *(f'b{i}="" ' for i in range(n // 12)), '/>'), 'has no name'
    ),
    'a value': (lambda n: robot(f'<a b="{"x" * n}"/>', ARM), None),
    'an element': (lambda n: robot(f'<{"x" * n}/>', ARM), None),
    'a comment': (lambda n: f'<!--{"x" * n}-->' + robot(ARM), None),
    'text': (lambda n: robot('x\n&lt;' * (n // 6), ARM), None),
    'spaces': (lambda n: ' ' * n, 'is empty'),
    'levels': (lambda n: robot(ARM, '<a>' * (n // 7) + '</a>' * (n // 7)), 'more than 1000 deep'),
    'joints in joints': (lambda n: robot('<joint>' * (n // 7)), 'more than 1000 deep'),
    'origins': (
        lambda n: robot(f'<joint name="1" type="fixed">{"<origin/>" * (n // 9)}</joint>'),
        'no parent link',
    ),
    'laughs': (lambda n: laughs('&a9;' * (n // 5)), 'a DTD or entities'),
    'slow laughs': (lambda n: laughs('&a0;' * (n // 5)), 'a DTD or entities'),
    'a late DTD': (lambda n: f'<!--{"x" * n}-->' + laughs('&a9;'), 'a DTD or entities'),
    'entities': (
        lambda n: '<!DOCTYPE r [' + many(lambda i: f'<!ENTITY e{i} "">', n), 'a DTD or entities'
    ),
    'links': (
        lambda n: robot(many(lambda i: f'<link name="{i}"/>', n)), 'and [0-9]+ more have no parent'
    ),
    'joints': (
        lambda n: robot(ARM, many(lambda i: joint(f'j{i}', 'a', 'b', '', 'fixed'), n)),
        'has two parents',
    ),
    'a chain': (lambda n: chain_of(n // 120), 'only 0 joint'),
    'a cycle': (
        lambda n: chain_of(n // 120).replace('</robot>', joint('9', n // 120, '0') + '</robot>'),
        'more form a cycle',
    ),
    'a link': (lambda n: robot(f'<link name="{"x" * n}"/>', ARM), r'x… \([0-9]+ characters\)'),
    'a type': (lambda n: arm_with('', 'x' * n), 'has type .* one of revolute'),
    'a top element': (lambda n: f'<{"x" * n}/>', 'the top element is <xxx'),
    'a number': (lambda n: arm_with(f'<origin xyz="{"1" * n} 0 0"/>'), '3 finite numbers'),
    'numbers': (lambda n: arm_with(f'<origin xyz="{"1 " * (n // 2)}"/>'), '3 finite numbers'),
}  # fmt: skip


def time_to_read(text):
    begin = time.process_time()
    outcome(text)
    return time.process_time() - begin


@pytest.mark.parametrize('name', LARGE)
def test_time_is_bounded(name):
    make, message = LARGE[name]
    text = make(LARGEST)
    found = outcome(text)
    # Once in three times: the garbage of other tests may be collected meanwhile.
    assert any(time_to_read(text) < SECONDS * LARGEST for _ in range(3))
    if message:
        assert re.search(message, found)
        assert len(found) < LONGEST_SENTENCE
    else:
        is_the_arm(found)


@pytest.mark.parametrize('name', LARGE)
def test_memory_is_bounded(name):
    text = LARGE[name][0](cases(300_000, 3))
    tracemalloc.start()
    outcome(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MEMORY * len(text)


def test_the_size_cap_counts_bytes():
    text = robot(ARM, '<!--ä-->')
    size = len(text.encode())
    assert parse_urdf(text, max_bytes=size) and parse_urdf(text.encode(), max_bytes=size)
    urdfs = text, text.encode(), 'ä' * size, b' ' * 2 * size
    for urdf, most in product(urdfs, (0, size - 1)):
        with pytest.raises(InvalidUrdfError, match=f'bytes; at most {most} are read'):
            parse_urdf(urdf, max_bytes=most)
    with pytest.raises(InvalidUrdfError, match='at most 0 are read'):
        load_arm(text, max_bytes=0)
