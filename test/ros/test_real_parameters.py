# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The parameters for real arms, with a simulated one: gently, and as the controllers expect it."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from ros_processes import URDF, running

# isort: split
from motion_probe import ARRIVED, ROUNDING, MotionProbe, seconds
from ros_probe import IkProbe
from trajectory_msgs.msg import JointTrajectory

from ik_circles import RobotArm, load_arm
from ik_circles.control.moves.plan import limits_of
from ik_circles.reasons import Code

CONFIG = Path(__file__).resolve().parents[2] / 'config'
#: What the vendor's URDF of a UR has beyond the shipped one.
TOOL = (
    '<link name="tool0"/><joint name="flange-tool0" type="fixed">'
    '<parent link="wrist_3_link"/><child link="tool0"/></joint></robot>'
)
#: The shipped robot for each file of parameters, what its URDF lacks, and a point in reach [m].
ARMS = {
    'so101': ('so101', '</robot>', (0.25, 0.1, 0.1)),
    'open_manipulator_x': ('open_manipulator_x', '</robot>', (0.2, 0.1, 0.2)),
    'ur': ('ur5e', TOOL, (0.4, 0.2, 0.3)),
}


def check_gentle(trajectory: JointTrajectory, arm: RobotArm, acceleration: float) -> None:
    """From rest, where the controller begins, to rest, within the limits."""
    names = list(trajectory.joint_names)
    times = np.array([0.0, *(seconds(point.time_from_start) for point in trajectory.points)])
    speeds = np.array([[0.0] * len(names), *(list(one.velocities) for one in trajectory.points)])
    assert not speeds[-1].any()
    spans = np.diff(times)[:, None]
    assert spans.min() > 0.0
    limits = np.array(limits_of(arm, names, acceleration).velocities)
    assert (np.abs(speeds) <= limits * (1.0 + ROUNDING)).all()
    # A time is rounded to 1e-9 s.
    rounding = 1.0 + ROUNDING + 2e-9 / spans
    assert (np.abs(np.diff(speeds, axis=0)) / spans <= acceleration * rounding).all()


@pytest.mark.parametrize('name', ARMS)
def test_nothing_moves_before_it_is_enabled_and_then_within_the_limits(name: str) -> None:
    robot, rest, target = ARMS[name]
    given = yaml.safe_load((CONFIG / f'real_{name}.yaml').read_text())
    parameters = given['/**/ik_node']['ros__parameters']
    text = (URDF / f'{robot}.urdf').read_text().replace('</robot>', rest)
    arm = load_arm(text, parameters.get('base_link'), parameters.get('tip_link'))
    parameters['floor'] = 0.0  # with all joints at 0, the tip of a UR is lower than its floor
    described = {'robot_description': text}
    with (
        running('ik_node', parameters | described, f'/{name}') as process,
        running('sim_arm', described, f'/{name}') as simulated,
    ):
        probe, sent = MotionProbe(process, simulated), list[JointTrajectory]()
        IkProbe.connect(probe)
        probe.listen(JointTrajectory, 'joint_trajectory', sent)
        probe.wait(lambda: probe.measured, 'joint states')
        assert probe.send_point(target, arm.base_link).code == Code.DISABLED
        probe.enable(True)
        assert sent == []
        # The node may hear the arm later than the probe.
        probe.wait(lambda: probe.send_point(target, arm.base_link).code == Code.OK, 'the node')
        probe.wait(lambda: sent, 'a trajectory')
        trajectory = sent[0]
        assert list(trajectory.joint_names) == parameters['controller_joints']
        check_gentle(trajectory, arm, parameters['max_acceleration'])
        probe.wait(
            lambda: (
                probe.rests()
                and np.allclose(
                    [probe.measured[one] for one in trajectory.joint_names],
                    trajectory.points[-1].positions,
                    atol=ARRIVED,
                )
            ),
            'the arm at the end of the trajectory',
        )
        probe.close()
    end = dict(zip(trajectory.joint_names, trajectory.points[-1].positions))
    assert arm.forward_kinematics(end)[:3, 3] == pytest.approx(target, abs=1e-9)
