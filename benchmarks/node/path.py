"""The path of the targets: a circle that the planar arm can follow, tool level."""

import math

from processes import URDF

from ik_circles import load_arm

CENTER, RADIUS = (0.65, 0.15), 0.1  # [m]
PLACES = 500


def _follow(arm, points):
    """Joint positions at each point, near to those before."""
    path = []
    for x, y in points:
        solutions = [list(q.values()) for q in arm.inverse_kinematics((x, y, 0.0), 0.0)]
        before = path[-1] if path else solutions[0]
        path.append(min(solutions, key=lambda q, before=before: math.dist(q, before)))
    return path


_arm = load_arm(URDF)
NAMES = list(_arm.joint_names)
POINTS = [
    (CENTER[0] + RADIUS * math.cos(turn), CENTER[1] + RADIUS * math.sin(turn))
    for turn in (2.0 * math.pi * i / PLACES for i in range(PLACES))
]
JOINTS = _follow(_arm, POINTS)
