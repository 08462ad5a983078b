# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many targets at once, in numpy: the same geometry as for one target, column by column.

Rounding makes some rows doubtful: a joint at its limit, a straight or folded elbow, a link without
length, a point next to the outline. The code for one target answers these. So the answers are the
same.
"""

from ik_circles.planar.batch.questions import Batch, ReachabilityBatch

__all__ = ['Batch', 'ReachabilityBatch']
