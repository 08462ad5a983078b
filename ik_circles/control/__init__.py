# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a node decides, without ROS: from a target to a joint command, or to a reason.

Examples
--------
>>> from ik_circles import load_arm
>>> from ik_circles.control import Settings, Target, decide
>>> arm = load_arm('urdf/planar_3r.urdf')
>>> decision = decide(arm, Settings(), Target((0.95, 0.0, 0.0)), seed=None)
>>> decision.message
'too far by 0.050 m: the links reach 0.900 m from shoulder_joint'
>>> print(decision.command)
None
"""

from ik_circles.control.decision import Decision, decide
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target

__all__ = ['Decision', 'Refusal', 'Settings', 'Target', 'decide']
