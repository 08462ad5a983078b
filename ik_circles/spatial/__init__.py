"""The arm in space, where a yaw joint may turn its plane; it knows angles, no names and no URDF.

From the bottom: `yaw` and `turned_arcs` (what turning the plane does), `plane` (between space and
the plane), `tool` (orientations of the tip), `model` (what the arm is), `question` (one planar
question for each shoulder), `nearest` (distances behind a yaw joint), `selection`, `sentences`,
`verdict` (the answer) and `arm` (`SpatialArm`, on top).
"""
