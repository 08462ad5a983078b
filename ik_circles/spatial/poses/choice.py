# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The one configuration that a policy chooses among those of the whole arm."""

from collections.abc import Sequence

from ik_circles.planar import selection
from ik_circles.planar.selection import Policy
from ik_circles.spatial.poses.held_candidates import Candidate
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm


def chosen(
    arm: WholeArm, found: Sequence[Sequence[float]], near: Whole, policy: Policy
) -> Sequence[float] | None:
    """The configuration on the branch whose largest change of a joint is the smallest."""
    if len(found) == 1:
        return found[0]
    some = found
    if policy.branch != selection.NEAREST:
        some = [one for one in found if _is_on_branch(arm, arm.of_angles(one), policy)] or found
    start = arm.angles(near)
    changes = ([abs(angle - its) for angle, its in zip(one, start)] for one in some)
    return selection.closest(some, [(max(each), sum(each)) for each in changes])


def chosen_candidate(
    arm: WholeArm, some: Sequence[Candidate], near: Whole, policy: Policy
) -> Sequence[float] | None:
    """The same among candidates, with each joint at the turn nearest to `near`."""
    most = policy.orientation_tolerance
    found = [arm.angles(arm.turned(one.whole, near)) for one in some if one.away <= most]
    return chosen(arm, found, near, policy)


def _is_on_branch(arm: WholeArm, one: Whole, policy: Policy) -> bool:
    """Whether the elbow is as the policy asks; see `WayToPoint.policy`."""
    return selection.is_on_branch(one.q, arm.carrier.policy_at(one.q, policy).branch, arm.lean)
