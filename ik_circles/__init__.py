# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Exact inverse kinematics and reachability of small robot arms, by intersecting circles.

Can this arm get there, and with which joint angles? For three revolute joints with parallel axes,
alone or behind a yaw joint, that question has a closed-form answer. Nothing here searches or times
out: you get every solution inside the joint limits, or a "no" that is a proof. A "no" comes with
the reason, a distance, and the nearest pose that works.

There are two places to start:

- `PlanarArm`: three link lengths and joint limits. It lives in a plane, with joint 1 at the origin.
- `load_arm`: reads a URDF, finds the three joints, the yaw joint before them and the wrist after
  them, and returns a `RobotArm`. It takes points and poses in the robot's base frame, and answers
  with positions by joint name.

Both answer the same questions:

- `inverse_kinematics`: every set of joint positions that reaches a pose;
- `check_reachability`: whether a target can be reached, why not, and what can be reached instead;
- `solve`: one solution, chosen for you, close to where the arm is;
- `straight_line`: how much of a straight line of the tip can be followed, and why no more.

Units are meters, radians and seconds. Angles are counter-clockwise. `phi` is the orientation of the
tool in the plane of the arm: the sum of the three joint angles. A target that cannot be reached is
an answer, not an exception; only bad input raises an exception, a subclass of `IkCirclesError`.

Look next at `help(PlanarArm)` and `help(RobotArm)`. `ik_circles.planar.redundancy` has ways to use
the freedom that a point without an orientation leaves, `ik_circles.limbs` has published ways to
solve other limbs, and `ik_circles.control` decides about a stream of targets, as the ROS node does.

Examples
--------
>>> from ik_circles import PlanarArm, load_arm
>>> planar = PlanarArm((0.4, 0.3, 0.2))
>>> for q in planar.inverse_kinematics(0.6, 0.2, phi=0.5):
...     print('%.3f %.3f %.3f' % q)
0.968 -1.819 1.351
-0.487 1.819 -0.832
>>> answer = planar.check_reachability(1.0, 0.2)
>>> answer.reachable, answer.message
(False, 'too far by 0.120 m: the links reach 0.900 m from joint 1')
>>> print('%.3f %.3f %.3f' % answer.nearest)
0.883 0.177 0.197

A robot that comes with this package; for others, give the file of the URDF:

>>> arm = load_arm('so101')
>>> arm.commanded_joints
('shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll')
>>> arm.check_reachability((0.2, 0.1, 0.1)).message
'reachable with tool orientations -84.4 to 2.1 deg'
>>> down = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]  # the orientation of the tip: it points down
>>> [round(position, 3) for position in arm.solve((0.2, 0.1, 0.05), rotation=down).values()]
[-0.448, 0.355, -0.292, 1.508, -0.448]
"""

from pkgutil import extend_path

from ik_circles.errors import (
    IkCirclesError,
    InvalidArmError,
    InvalidSettingError,
    InvalidUrdfError,
    NoPlanarArmError,
    NotFiniteError,
)
from ik_circles.geometry.arcs import Arc
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.batch import ReachabilityBatch
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.lines.straight import StraightLine
from ik_circles.planar.model import Pose2D
from ik_circles.planar.outline import Boundary
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import Code
from ik_circles.robot.arm import (
    RobotArm,
    RobotPoseReachability,
    RobotReachability,
    SpatialPose,
)
from ik_circles.robot.load import load_arm
from ik_circles.spatial.batch.points import SpatialReachabilityBatch

__all__ = [
    'Arc',
    'Boundary',
    'Code',
    'Floor',
    'IkCirclesError',
    'InvalidArmError',
    'InvalidSettingError',
    'InvalidUrdfError',
    'NoPlanarArmError',
    'NotFiniteError',
    'PlanarArm',
    'Pose2D',
    'Reachability',
    'ReachabilityBatch',
    'RobotArm',
    'RobotPoseReachability',
    'RobotReachability',
    'SafeZones',
    'SpatialPose',
    'SpatialReachabilityBatch',
    'StraightLine',
    '__version__',
    'load_arm',
]

# msg, srv and action are only in the built package. In the folder of the repository, which comes
# first on the path there, they are found in the next one.
__path__ = extend_path(__path__, __name__)

#: The same as in package.xml, which is not installed with `pip install`.
__version__ = '0.1.0'
