# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The two ends of each topic fit each other, as running nodes, RViz and the document have them."""

import re
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from ros_processes import PLANAR_3R, started

# isort: split
from rclpy.duration import Infinite
from rclpy.qos import (
    DurabilityPolicy,
    LivelinessPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)
from ros_probe import Probe

ROOT = Path(__file__).parents[2]
ROW = re.compile(r'^\| (in|out) \| `([^`]+)` \| (.*)$', re.MULTILINE)
#: What the document says of `ik_node`: direction, topic, and the rest of the row.
ROWS = [
    (direction, topic.replace('~/', 'ik_node/').strip('/'), said)
    for direction, topic, said in ROW.findall((ROOT / 'docs' / 'topics.md').read_text())
    if topic != 'position_commands'  # instead of joint_trajectory
]
#: What is left to the middleware, as the graph has it.
AS_IN_A_GRAPH = {
    'liveliness': LivelinessPolicy.AUTOMATIC,
    'deadline': Infinite,
    'liveliness_lease_duration': Infinite,
}
NODES = {
    'ik_node': {'robot_description': PLANAR_3R, 'command_interface': 'trajectory'},
    'sim_arm': {'robot_description': PLANAR_3R},
}


class End(NamedTuple):
    """One end of a topic."""

    topic: str
    is_sent: bool
    profile: QoSProfile
    node: str


def ends_of(node):
    """The ends of all topics in the graph."""
    for topic, _ in node.get_topic_names_and_types():
        for is_sent, ends in (
            (True, node.get_publishers_info_by_topic(topic)),
            (False, node.get_subscriptions_info_by_topic(topic)),
        ):
            for one in ends:
                yield End(topic.strip('/'), is_sent, one.qos_profile, one.node_name)


def ends_in_rviz():
    """Those of RViz's configuration: displays listen and tools publish."""
    manager = yaml.safe_load((ROOT / 'rviz' / 'arm.rviz').read_text())['Visualization Manager']
    for part in (*manager['Displays'], *manager['Tools']):
        given = part.get('Description Topic') or part.get('Topic')
        if given:
            profile = QoSProfile(depth=5, **AS_IN_A_GRAPH)
            if given.get('Durability Policy') == 'Transient Local':
                profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
            if given.get('Reliability Policy') == 'Best Effort':
                profile.reliability = ReliabilityPolicy.BEST_EFFORT
            yield End(given['Value'].strip('/'), part in manager['Tools'], profile, 'arm.rviz')


@pytest.fixture(scope='module')
def ends():
    """The ends of all topics of the nodes and of RViz."""
    with ExitStack() as stack:
        found = {}

        def seen():
            found.update({one[:2] + one[3:]: one for one in ends_of(probe.node)})
            return {(end.node, end.topic) for end in found.values()}

        # The demo ends by itself, maybe before it is seen: until the others begin, it waits.
        demo = stack.enter_context(started('demo'))
        probe = Probe(demo)
        stack.callback(probe.close)
        probe.wait(lambda: ('demo', 'ik_node/status') in seen(), 'the demo')
        probe.process, _ = [stack.enter_context(started(*one)) for one in NODES.items()]
        names = {*NODES}
        if find_spec('viser'):
            stack.enter_context(started('viewer', {'port': 0}))
            names.add('viewer')

        def is_complete():
            ends = seen()
            return (
                {('ik_node', topic) for _, topic, _ in ROWS} <= ends
                and {name for name, _ in ends} >= names
                and ('sim_arm', 'joint_states') in ends
            )

        probe.wait(is_complete, 'all ends')
        yield [*found.values(), *ends_in_rviz()]


def test_each_publisher_fits_each_subscription(ends):
    pairs = [
        (one, other) for one, other in product(ends, repeat=2)
        if one.topic == other.topic and one.is_sent and not other.is_sent
    ]  # fmt: skip
    between = {(one.node, other.node) for one, other in pairs}
    assert between >= {('ik_node', 'sim_arm'), ('sim_arm', 'ik_node'), ('ik_node', 'arm.rviz')}
    for one, other in pairs:
        found, why = qos_check_compatible(one.profile, other.profile)
        assert found == QoSCompatibility.OK, f'{one.topic} of {one.node}, {other.node}: {why}'


def test_the_document_says_which_topics_are_latched_or_best_effort(ends):
    for direction, topic, said in ROWS:
        (profile,) = {
            (end.profile.durability, end.profile.reliability) for end in ends
            if end[:2] == (topic, direction == 'out') and end.node == 'ik_node'
        }  # fmt: skip
        is_latched = profile[0] is DurabilityPolicy.TRANSIENT_LOCAL
        is_lossy = profile[1] is ReliabilityPolicy.BEST_EFFORT
        assert (is_latched, is_lossy) == ('latched' in said, 'best effort' in said), topic
