# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What docs/how_to/so101.md starts with: the official URDF's kinematics, and a calibration.

The official file is not part of this repository. Its frames and limits are written here as figures.
"""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Figures of the shipped so101, and those of so101_new_calib.urdf in their place.
OFFICIAL = (
    ('xyz="0 0 0.1166"', 'xyz="0.0388353 0 0.1166"'),
    ('0 -0.0079016"/>', '0 -0.0079016" rpy="1.570796 1.522117 1.570796"/>'),
    ('lower="-1.745" upper="1.745"', 'lower="-1.74533" upper="1.74533"'),
    ('lower="-1.658" upper="1.658"', 'lower="-1.65806" upper="1.65806"'),
    (
        '</robot>',
        '<link name="moving_jaw_so101_v1_link"/><joint name="gripper" type="revolute">'
        '<parent link="gripper_link"/><child link="moving_jaw_so101_v1_link"/>'
        '<origin xyz="0.0234 0.0202 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-0.174533" upper="1.74533" effort="10" velocity="10"/></joint></robot>',
    ),
)
#: As lerobot-calibrate writes it; a shoulder_lift that cannot go as far as the URDF says.
CALIBRATION = {
    'shoulder_pan': (1, 758, 3292), 'shoulder_lift': (2, 1000, 3100), 'elbow_flex': (3, 905, 3107),
    'wrist_flex': (4, 899, 3251), 'wrist_roll': (5, 0, 4095), 'gripper': (6, 2034, 3480),
}  # fmt: skip


def put_into(folder):
    """Write so101_new_calib.urdf and my_arm.json into a folder."""
    text = (ROOT / 'urdf' / 'so101.urdf').read_text()
    for ours, theirs in OFFICIAL:
        assert text.count(ours) == 1, ours
        text = text.replace(ours, theirs)
    (folder / 'so101_new_calib.urdf').write_text(text)
    calibration = {
        name: {'id': servo, 'drive_mode': 0, 'homing_offset': 0, 'range_min': low, 'range_max': up}
        for name, (servo, low, up) in CALIBRATION.items()
    }
    (folder / 'my_arm.json').write_text(json.dumps(calibration))
