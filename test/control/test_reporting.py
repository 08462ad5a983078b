# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reports: warnings that do not flood, figures for each period, rivals on a topic."""


from three_joints import shipped_arm

from ik_circles.control import reporting
from ik_circles.control.decision import Decision
from ik_circles.control.reporting import ERROR, OK, QUIET, WARN, Rivals, Tally, Warnings
from ik_circles.control.settings import ModelParameters, MotionParameters, Settings
from ik_circles.reasons import Code

ARM = shipped_arm('planar_3r')
STRAIGHT = dict.fromkeys(ARM.joint_names, 0.0)


def test_each_reason_is_said_once_a_second_and_recovery_once():
    warnings = Warnings()
    said = [
        warnings.worth_saying(code, now)
        for code, now in [
            (Code.OK, 0.0), (Code.TOO_FAR, 0.1), (Code.TOO_FAR, 0.2), (Code.JUMP, 0.3),
            (Code.TOO_FAR, 0.4), (Code.TOO_FAR, 1.2), (Code.OK, 1.3), (Code.OK, 1.4),
            (Code.TOO_FAR, 1.5), (Code.OK, 1.6), (Code.STALE, 1.7), (Code.OK, 1.8),
        ]
    ]
    assert said == [
        False, True, False, True, False, True, True, False, False, False, True, True
    ]
    assert warnings.worth_saying(Code.JUMP, 2.0)
    assert not warnings.worth_saying(Code.JUMP, 2.0 + 0.999 * QUIET)
    assert warnings.worth_saying(Code.JUMP, 2.0 + QUIET)


def test_what_a_node_starts_with():
    line = reporting.in_force(ModelParameters(), Settings(), MotionParameters(), '/ik_node/enable')
    assert line == 'no floor, motion direct, commands as joint_state, enabled'
    gently = MotionParameters(motion='smooth', start_enabled=False)
    line = reporting.in_force(
        ModelParameters(floor=0.0), Settings(command_interface='trajectory'), gently, '/l/ik/enable'
    )
    assert line == (
        'floor at 0 m, motion smooth, commands as trajectory, disabled until /l/ik/enable is '
        'called with true'
    )


def test_the_figures_of_a_period():
    assert (OK, WARN, ERROR) == (0, 1, 2)  # as diagnostic_msgs/DiagnosticStatus has them
    tally = Tally()
    assert tally.summary(None, 'nothing yet').level == ERROR
    first = tally.summary(ARM, '')
    assert (first.level, first.message) == (OK, 'no target yet')
    assert first.values['model'] == 'planar_3r'
    assert first.values['joints'] == ', '.join(ARM.commanded_joints)
    tally.answered(Decision(Code.OK, 'fine', command=STRAIGHT), 0.001)
    tally.answered(Decision(Code.TOO_FAR, 'too far', command=STRAIGHT), 0.002)
    tally.answered(Decision(Code.JUMP, 'a jump'), 0.006)
    summary = tally.summary(ARM, '')
    assert (summary.level, summary.message) == (WARN, 'the last target was refused: a jump')
    values = summary.values
    assert (values['targets taken'], values['nearest pose sent instead']) == ('1', '1')
    assert (values['targets refused'], values['refused JUMP']) == ('1', '1')
    assert values['last reason'] == 'a jump' and values['targets in this period'] == '3'
    assert (values['latency median [ms]'], values['latency max [ms]']) == ('2.000', '6.000')
    idle = tally.summary(ARM, '')
    assert (idle.level, idle.values['targets in this period']) == (WARN, '0')
    assert idle.values['latency max [ms]'] == '-'
    tally.answered(Decision(Code.OK, 'fine', command=STRAIGHT), 0.001)
    assert tally.summary(ARM, '').level == OK


def test_rivals_are_told_of_once_per_change():
    rivals = Rivals('/sim_arm')
    alone, two = ['/sim_arm'], ['/sim_arm', '/driver']
    looks = [[], alone, two, two, two, alone, two, alone, alone, alone]
    assert [rivals.news(look) for look in looks] == [
        None, None, None, ['/driver'], None, None, None, None, [], None
    ]
    assert rivals.news(['/sim_arm'] * 2) is None
    assert rivals.news(['/sim_arm'] * 2) == ['/sim_arm']
