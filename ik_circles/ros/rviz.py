# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""RViz's configuration for one robot: its root as Fixed Frame, and a view of the arm's plane."""

import math
from contextlib import suppress
from typing import Any

import numpy as np
import yaml

from ik_circles.errors import IkCirclesError
from ik_circles.geometry.rigid import rotation_about
from ik_circles.robot.arm import RobotArm
from ik_circles.robot.load import load_arm
from ik_circles.robot.urdf import parse_urdf

#: A plane tilted by less than this is seen from above [rad].
NEARLY_LEVEL = 0.5
#: The view of an upright plane is from this far above, and from as far to the side [rad].
ASIDE = 0.5
#: The camera is this far away, in reaches of the arm, so that all of its workspace is seen.
DISTANCE = 3.2
#: Pixels for the length of the arm's reach, seen from above.
PIXELS = 252.0
#: A normal that points down by less than this counts as level [-]: then the side does not matter.
LEVEL_NORMAL = 1e-3


def configured(shipped: str, description: str) -> str:
    """The shipped configuration (YAML), with the root and the view for the described robot.

    rviz2's own option --fixed-frame comes too late: rviz2 applies it after the displays have
    subscribed. That clears what they have received by then, such as the workspace, which is sent
    only once.
    """
    config = yaml.safe_load(shipped)
    manager = config['Visualization Manager']
    with suppress(IkCirclesError):  # there is no arm yet, or ik_node says what is wrong with it
        manager['Global Options']['Fixed Frame'] = parse_urdf(description).root
        manager['Views']['Current'] = view(load_arm(description))
    return str(yaml.safe_dump(config))


def view(arm: RobotArm) -> dict[str, Any]:
    """A view of the arm as it is when the simulated arm starts: from above if its plane is nearly
    level, else at an angle to the plane."""
    yaw, reach, plane = arm.spatial.home.yaw, arm.arm.max_reach, arm.spatial.plane
    x, y, upwards = rotation_about(np.array(plane.yaw_axis), yaw) @ plane.normal
    at_x, at_y, at_z = plane.point_at(0.0, 0.0, yaw)
    if abs(upwards) > math.cos(NEARLY_LEVEL):
        return {
            'Class': 'rviz_default_plugins/TopDownOrtho',
            'Name': 'Current View',
            'Scale': PIXELS / reach,
            'X': at_x,
            'Y': at_y,
        }
    side = 1.0 if upwards > -LEVEL_NORMAL else -1.0  # the side from which more is seen from above
    return {
        'Class': 'rviz_default_plugins/Orbit',
        'Name': 'Current View',
        'Distance': DISTANCE * reach,
        'Yaw': math.atan2(side * y, side * x) + ASIDE,
        'Pitch': ASIDE,
        'Focal Point': {'X': at_x, 'Y': at_y, 'Z': at_z},
    }
