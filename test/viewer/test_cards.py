# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's text: the verdict and the readings."""

import math
import re
from dataclasses import replace

from viewer_arms import ARMS

from ik_circles import Code
from ik_circles.viewer import cards
from ik_circles.viewer.state import Snapshot, TargetAnswer


def test_the_verdict_says_code_and_reason_and_no_markup() -> None:
    refused = TargetAnswer(Code.JOINT_LIMIT, '<b> would exceed its upper limit by 6.1 deg')
    state = Snapshot(ARMS['so101'], answer=refused, notice='a note')
    text = re.sub('<[^>]*>', ' ', cards.verdict(state))
    assert 'JOINT LIMIT' in text
    assert '&lt;b&gt; would exceed its upper limit by 6.1 deg' in text
    assert text.index('a note') < text.index('JOINT LIMIT')
    assert 'Drag the ball' in cards.verdict(replace(state, answer=None, notice=''))


def test_the_readings_say_latency_rate_and_joints() -> None:
    measured = {'shoulder_pan': math.radians(12.34), 'gripper': 1.0}
    state = Snapshot(ARMS['so101'], measured=measured, latency=0.00123, rate=20)
    text = re.sub('<[^>]*>', ' ', cards.readings(state))
    assert re.search(r'time to answer\s+1\.2 ms', text)
    assert re.search(r'last second\s+20', text)
    assert re.search(r'shoulder_pan\s+12\.3°', text)
    assert 'gripper' not in text
