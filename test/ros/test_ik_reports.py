# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the IK node reports: diagnostics, warnings that do not flood, and simulated time."""

from collections.abc import Callable

from ros_processes import PLANAR_3R

# isort: split
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from ros_probe import IkProbe, probed
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ik_circles.reasons import Code

GOOD = (0.6, 0.2, 0.0)
FAR = (1.0, 0.0, 0.0)
BESIDE = (0.6, 0.2, 0.1)


class Reports:
    """The diagnostics of one IK node."""

    def __init__(self, ik: IkProbe) -> None:
        self._ik = ik
        self._name = f'{ik.process.namespace.strip("/")}/ik_node: targets'
        self.seen: list[tuple[DiagnosticArray, int]] = []
        ik.collect(DiagnosticArray, '/diagnostics', self.seen)

    def first(self, what: str, check: Callable[[DiagnosticStatus], bool]) -> DiagnosticStatus:
        """The first report from now on that passes the check."""
        self.seen.clear()

        def found() -> list[DiagnosticStatus]:
            own = [s for m, _ in self.seen for s in m.status if s.name == self._name]
            return [status for status in own if check(status)]

        self._ik.wait(found, what)
        return found()[0]


def test_a_parameter_that_the_node_does_not_have_is_named() -> None:
    start = {'robot_description': PLANAR_3R, 'brunch': 'elbow_up', 'rate': 3.0}
    with probed(start, '/misnamed') as ik:
        words = (
            'this node has no parameter brunch, rate: what was given has no effect; '
            "did you mean 'branch'? correct the name"
        )
        ik.wait(lambda: words in ik.process.output, 'the warning')
    with probed({'robot_description': PLANAR_3R, 'use_sim_time': True}, '/named') as ik:
        ik.send(GOOD)
        assert 'has no parameter' not in ik.process.output


def test_bad_joint_states_draw_one_line() -> None:
    with probed({'robot_description': PLANAR_3R}, '/junk') as ik:
        bad = JointState(name=['elbow_joint', 'wrist_joint'], position=[0.1])
        words = 'joint_states: 2 names with 1 positions; give one for each'

        def warned() -> bool:
            ik.joint_states.publish(bad)
            return words in ik.process.output

        ik.wait(warned, 'the warning')
        for _ in range(20):
            ik.joint_states.publish(bad)
        assert ik.send(GOOD).code == Code.OK
        assert ik.process.output.count('joint_states: ') == 1


def test_joint_states_in_degrees_are_asked_about_and_count_as_none() -> None:
    with probed({'robot_description': PLANAR_3R}, '/degrees') as ik:
        names = ['shoulder_joint', 'elbow_joint', 'wrist_joint']
        degrees = JointState(name=names, position=[10.0, 45.0, -60.0])
        words = 'wrist_joint is -60 rad, more than a turn past its limit of -1.9 rad; is it in deg'

        def asked() -> bool:
            ik.joint_states.publish(degrees)
            return words in ik.process.output

        ik.wait(asked, 'the question')
        assert ik.send(GOOD).code == Code.OK  # it goes on
        assert 'no joint_states received for shoulder_joint' in ik.process.output


def test_commands_without_joint_states_draw_one_line() -> None:
    words = 'no joint_states received for shoulder_joint, elbow_joint, wrist_joint: '
    with probed({'robot_description': PLANAR_3R}, '/blind') as ik:
        assert words not in ik.process.output
        for _ in range(3):
            assert ik.send(GOOD).code == Code.OK
        ik.wait(lambda: words in ik.process.output, 'the warning')
        assert ik.process.output.count(words) == 1


def test_diagnostics() -> None:
    with probed({}, '/reports') as ik:
        reports = Reports(ik)
        none = reports.first('an error', lambda s: s.level == DiagnosticStatus.ERROR)
        assert 'no robot_description yet' in none.message
        ik.descriptions.publish(String(data=PLANAR_3R))
        fine = reports.first('the model', lambda s: s.level == DiagnosticStatus.OK)
        assert fine.hardware_id == 'reports/ik_node' and fine.message == 'no target yet'
        for position in (GOOD, FAR, FAR, BESIDE):
            ik.send(position)
        bad = reports.first('a warning', lambda s: s.level == DiagnosticStatus.WARN)
        values = {pair.key: pair.value for pair in bad.values}
        assert 'out of the plane' in bad.message and values['last reason'] in bad.message
        assert values['model'] == 'planar_3r'
        assert values['joints'] == 'shoulder_joint, elbow_joint, wrist_joint'
        assert (values['targets taken'], values['targets refused']) == ('1', '3')
        assert (values['refused TOO_FAR'], values['refused OUT_OF_PLANE']) == ('2', '1')
        idle = reports.first(
            'a period without targets',
            lambda s: any(p.key == 'targets in this period' and p.value == '0' for p in s.values),
        )
        assert idle.level == DiagnosticStatus.WARN
        ik.send(GOOD)
        reports.first('recovery', lambda s: s.level == DiagnosticStatus.OK)


def test_recovery_is_reported_once() -> None:
    with probed({'robot_description': PLANAR_3R}, '/recovers') as ik:  # it sends a refused target
        for position in (FAR, BESIDE, FAR):
            ik.send(position)
        for _ in range(3):
            ik.send(GOOD)
        ik.wait(lambda: 'targets are accepted again' in ik.process.output, 'the news')
        assert ik.process.output.count('targets are accepted again') == 1
        assert ik.process.output.count('too far by 0.100 m') == 1
        assert ik.process.output.count('out of the plane') == 1


def test_simulated_time_that_jumps_back_and_stands_still() -> None:
    start = {'robot_description': PLANAR_3R, 'use_sim_time': True, 'target_timeout': 0.5}
    with probed(start, '/simulated') as ik:
        clock = ik.node.create_publisher(Clock, '/clock', 1)
        for second in (1000, 20, 1000):  # a bag that starts over
            tick = Clock(clock=Time(sec=second))

            def taken(tick: Clock = tick, second: int = second) -> bool:
                clock.publish(tick)
                ik.statuses.clear()  # it may have been asked before the tick came
                return ik.send_stamped(GOOD, second * 10**9 + 1).code == Code.OK

            ik.wait(taken, f'{second} s')
            ik.statuses.clear()
            status = ik.send_stamped(GOOD, second * 10**9 + 2)
            assert status.code == Code.OK and status.command.header.stamp.sec == second
            for away, words in ((-2, 'is 2.000 s old'), (2, '2.000 s ahead')):
                status = ik.send_stamped(GOOD, (second + away) * 10**9)
                assert status.code == Code.STALE and words in status.message
        reports = Reports(ik)
        for what in ('a report', 'a report, though time stands still'):
            reports.first(what, lambda status: True)
        assert reports.seen[-1][0].header.stamp.sec == 1000
        for simulated in (False, True):
            assert ik.set(use_sim_time=simulated).successful
            ik.statuses.clear()
            status = ik.send_stamped(GOOD, 0)
            assert (status.command.header.stamp.sec == 1000) == simulated
