"""The demonstration's scenario against the installed executables."""

from collections.abc import Iterator

import pytest
from ros_processes import URDF, running

# isort: split
import rclpy

from ik_circles import load_planar_chain
from ik_circles.planner import Settings, Target, assess
from ik_circles.reachability import Code
from ik_circles.ros.demo import DEMO_MARGIN, run_scenario
from ik_circles.scenario import scenario_targets

#: Level and upright, with and without a yaw joint, joints counted with and against the plane.
#: Refusals: behind a yaw joint no point is out of the plane; youbot_arm reaches what is too close
#: from behind.
ROBOTS = {
    'planar_3r.urdf': {Code.TOO_CLOSE, Code.OUT_OF_PLANE},
    'open_manipulator_x.urdf': {Code.TOO_CLOSE},
    'youbot_arm.urdf': set(),
}
EVERYWHERE = {Code.OK, Code.TOO_FAR, Code.JOINT_LIMIT, Code.NOT_FINITE}
#: The tip of the simulated arm ends up this near to its target [m].
ALLOWED_ERROR = 1e-6
#: What is past a limit is at least this far from what can be reached [m]. Everywhere but at a UR5e,
#: whose limits are wide, there is such a target.
CLEARLY = 0.02
WITHOUT_LIMITS = 'ur5e.urdf'


@pytest.fixture
def ros() -> Iterator[None]:
    rclpy.init()
    yield
    rclpy.try_shutdown()


@pytest.mark.parametrize('robot', ROBOTS)
def test_the_arm_does_what_it_is_told(robot: str, ros: None) -> None:
    description = {'robot_description': (URDF / robot).read_text()}
    # The margin makes a safe zone of its own inside, for a target that is too close.
    with (
        running('ik_node', {**description, 'safe_zone_margin': 0.02}),
        running('sim_arm', description),
    ):
        _, _, rows = run_scenario()
    assert [row.problem for row in rows] == [''] * len(rows)
    sent = [row for row in rows if row.status.command.name]
    assert len(sent) >= 3
    assert all(row.error <= ALLOWED_ERROR for row in sent)
    assert {Code(row.status.code) for row in rows} == EVERYWHERE | ROBOTS[robot]


@pytest.mark.parametrize('robot', sorted(path.name for path in URDF.glob('*.urdf')))
def test_past_a_limit_is_clearly_past(robot: str) -> None:
    chain = load_planar_chain((URDF / robot).read_text())
    for settings in (Settings(), Settings(safe_zone_margin=DEMO_MARGIN)):
        targets = scenario_targets(chain, settings)
        past = [one.position for one in targets if one.expected is Code.JOINT_LIMIT]
        assert len(past) == (robot != WITHOUT_LIMITS)
        for position in past:
            found = assess(chain, settings, Target(position))
            assert found.code is Code.JOINT_LIMIT
            assert found.margin <= -CLEARLY
