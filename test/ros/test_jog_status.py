# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a jog does is a status when it changes, not with each message; and how it is stopped."""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import pytest
from ros_processes import URDF

# isort: split
from motion_probe import MotionProbe, moving
from test_motion_streams import BENT, jog
from trajectory_msgs.msg import JointTrajectory

from ik_circles.reasons import Code

assert URDF.is_dir()
#: A busy machine may send a jog so late [s].
TIMEOUT = 1.0


@pytest.fixture(scope='module')
def arm() -> Iterator[MotionProbe]:
    with moving('/jogged', {'jog_timeout': TIMEOUT}) as probe:
        yield probe


def codes(arm: MotionProbe) -> list[int]:
    """Codes of the statuses of jogs, which have no command."""
    found = [one for one, _ in arm.statuses]
    assert not any(one.command.name or one.nearest.header.frame_id for one in found)
    assert all(one.message for one in found)
    return [one.code for one in found]


def jog_until(
    arm: MotionProbe, told: Callable[[], bool], linear: Sequence[float], frame: str = 'base_link'
) -> None:
    """Jog until something is told: on a busy machine, the tip may take long to get there."""

    def jogged() -> bool:
        jog(arm, 1, linear, frame)
        return told()

    arm.wait(jogged, f'what is told of a jog along {linear}')


def test_a_jog_is_told_as_followed_sliding_and_stale(arm: MotionProbe) -> None:
    arm.home(**BENT)
    arm.statuses.clear()
    jog_until(arm, lambda: Code.TOO_FAR in codes(arm), (0.15, 0.0, 0.0))
    jog(arm, 50, (0.15, 0.0, 0.0))
    assert codes(arm)[0] == Code.OK
    told = {one.code: one for one, _ in reversed(arm.statuses)}  # the first of each code
    assert 'elbow_flex would have to move ' in told[Code.JUMP].message  # where it is straight
    assert 'slides along the edge' in told[Code.TOO_FAR].message
    assert told[Code.TOO_FAR].header.frame_id == 'base_link'
    assert len(arm.statuses) < 10
    jog_until(arm, lambda: codes(arm)[-1] == Code.OK, (-0.1, 0.0, 0.0))
    arm.wait(lambda: codes(arm)[-1] == Code.STALE, 'the end of the jog')
    arm.wait(arm.rests, 'rest')


def test_a_jog_that_is_refused_says_so_once(arm: MotionProbe) -> None:
    """Anew with each stream."""
    arm.enable(False)
    for _ in range(2):
        arm.statuses.clear()
        jog_until(arm, lambda: bool(codes(arm)), (0.0, 0.05, 0.0))
        jog(arm, 15, (0.0, 0.05, 0.0))
        jog(arm, 15)  # a stick that is let go
        assert codes(arm) == [Code.DISABLED]
        until = time.monotonic() + TIMEOUT + 0.5
        arm.wait(lambda until=until: time.monotonic() > until, 'the end of the stream')
    arm.enable(True)
    arm.statuses.clear()
    jog_until(arm, lambda: bool(codes(arm)), (0.0, 0.05, 0.0), frame='nowhere')
    assert codes(arm) == [Code.BAD_FRAME]


def test_a_jog_that_is_stopped_sends_no_path_twice() -> None:
    """Law: a controller begins each path when it comes, so one that has begun is not sent again."""
    given = {'jog_timeout': TIMEOUT, 'command_interface': 'trajectory', 'command_rate': 10.0}
    with moving('/stopped', given) as arm:
        paths: list[JointTrajectory] = []
        arm.home(**BENT)
        arm.listen(JointTrajectory, 'joint_trajectory', paths)
        jog_until(arm, lambda: len(paths) > 3, (0.0, 0.03, 0.0))
        arm.enable(False)
        arm.wait(arm.rests, 'rest')
        arm.all_sent()
        assert all(one != other for one, other in pairwise(paths))
