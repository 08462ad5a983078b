# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The two ends of each topic fit each other, as the modules, RViz and the document state them."""

import ast
import importlib
import re
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from rclpy.qos import (
    DurabilityPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)

from ik_circles.ros import qos
from ik_circles.ros.command_output import TOPICS
from ik_circles.ros.given import TARGETS

ROOT = Path(__file__).parents[2]
#: What makes a publisher or a subscription, and where it has its topic and its profile.
MAKERS = {
    'publisher': (2, 3), 'create_publisher': (1, 2), 'create_subscription': (1, 3), 'listen': (1, 3)
}  # fmt: skip
#: The topics of a loop or of a table.
SEVERAL = {'topic': [*TARGETS], '*TOPICS[interface]': [topic for _, topic in TOPICS.values()]}
ROW = re.compile(r'^\| (in|out) \| `([^`]+)` \| (.*)$', re.MULTILINE)


class End(NamedTuple):
    """One end of a topic."""

    topic: str
    is_sent: bool
    profile: QoSProfile
    where: str


def ends_in(file):
    """The ends that a module makes. The module's names are known, those of its functions not."""
    for call in ast.walk(ast.parse(file.read_text())):
        maker = ast.unparse(call.func).rpartition('.')[2] if isinstance(call, ast.Call) else ''
        if maker in MAKERS and file.stem != 'executor':  # which only passes on what it is given
            names = vars(importlib.import_module(f'ik_circles.ros.{file.stem}'))
            words = [ast.unparse(one) for one in call.args]
            (at, then), last = MAKERS[maker], len(words) - 1
            topics = SEVERAL.get(words[min(at, last)]) or [eval(words[at], names)]
            profile = eval(words[then], names) if then <= last else qos.QUEUED
            for topic in topics:
                full = topic.replace('~/', 'ik_node/')
                yield End(full, 'publisher' in maker, profile, f'{file.name}:{call.lineno}')


def ends_in_rviz():
    """Those of RViz's configuration: displays listen and tools publish."""
    manager = yaml.safe_load((ROOT / 'rviz' / 'arm.rviz').read_text())['Visualization Manager']
    for part in (*manager['Displays'], *manager['Tools']):
        given = part.get('Description Topic') or part.get('Topic')
        if given:
            profile = QoSProfile(depth=5)
            if given.get('Durability Policy') == 'Transient Local':
                profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
            if given.get('Reliability Policy') == 'Best Effort':
                profile.reliability = ReliabilityPolicy.BEST_EFFORT
            yield End(given['Value'], part in manager['Tools'], profile, 'arm.rviz')


FILES = sorted((ROOT / 'ik_circles' / 'ros').glob('*.py'))
OWN = [end for file in FILES for end in ends_in(file)]
ENDS = [*OWN, *ends_in_rviz()]


@pytest.mark.parametrize('topic', sorted({end.topic for end in ENDS}))
def test_each_publisher_fits_each_subscription(topic):
    ends = [end for end in ENDS if end.topic == topic]
    for one, other in permutations(ends, 2):
        if not one.is_sent or other.is_sent:
            continue
        found, why = qos_check_compatible(one.profile, other.profile)
        assert found != QoSCompatibility.ERROR, f'{one.where} and {other.where}: {why}'


def test_the_document_says_which_topics_are_latched_or_best_effort():
    document = (ROOT / 'docs' / 'topics.md').read_text()
    for direction, topic, said in ROW.findall(document):
        full = topic.replace('~/', 'ik_node/')
        for end in OWN:
            if (end.topic, end.is_sent) == (full, direction == 'out'):
                is_latched = end.profile.durability is DurabilityPolicy.TRANSIENT_LOCAL
                is_lossy = end.profile.reliability is ReliabilityPolicy.BEST_EFFORT
                assert (is_latched, is_lossy) == ('latched' in said, 'best effort' in said), topic
