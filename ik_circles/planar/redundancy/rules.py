# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The rules of the choice among joint positions for a point, if any orientation is good."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from ik_circles.geometry import checks
from ik_circles.planar.floor import is_above
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.outermost import outermost_in
from ik_circles.planar.redundancy.z_form import solve_z_form
from ik_circles.planar.selection import (
    CENTERED,
    Policy,
    has_branch,
    is_on_branch,
    solve,
    solve_at,
    turned_to,
)
from ik_circles.planar.workspace import Workspace

KEEP_ORIENTATION, OUTERMOST, Z_FORM = 'keep_orientation', 'outermost', 'z_form'
REDUNDANCIES = (KEEP_ORIENTATION, CENTERED, OUTERMOST, Z_FORM)


@dataclass(frozen=True)
class Redundancy:
    """How to use the freedom that is left at a point.

    Parameters
    ----------
    choice : {'keep_orientation', 'centered', 'outermost', 'z_form'}
        'keep_orientation' takes the seed's orientation, or the nearest to it on the branch. If that
        would move a joint much farther than to a solution close to the seed, it takes that solution
        instead. 'centered' takes the middle of the widest interval of orientations. 'outermost'
        puts the wrist as far out as possible. With 'z_form', link 2 crosses the line to the target
        at a share of its length.
    z_form_k : float
        That share, 0 to 1.

    Raises
    ------
    InvalidSettingError
        The choice is none of these, or the share is outside of its range.
    NotFiniteError
        The share is NaN or infinite.
    """

    choice: str = KEEP_ORIENTATION
    z_form_k: float = 0.5

    def __post_init__(self) -> None:
        checks.choice('redundancy', self.choice, REDUNDANCIES)
        object.__setattr__(self, 'z_form_k', checks.share('z_form_k', self.z_form_k))


def candidates(
    workspace: Workspace,
    x: float,
    y: float,
    seed: JointPositions | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[JointPositions]:
    """The joint triples at a point [m] among which to choose.

    They are on the branch if any solution at the point is. [] if there is none of the wanted kind;
    for a Z-form, also if the branch has solutions there but no Z.
    """
    model, branch = workspace.model, policy.branch
    if redundancy.choice == OUTERMOST:
        pick = partial(outermost_in, model, x, y)
        found = solve_at(workspace, x, y, pick, seed, branch)
        return [turned_to(model, q, seed or model.home) for q in found]
    if redundancy.choice == Z_FORM:
        found = solve_z_form(workspace.solver, x, y, redundancy.z_form_k)
        found = [turned_to(model, q, seed or model.home) for q in found if is_above(model, q)]
        fits = [q for q in found if is_on_branch(q, branch)]
        return fits or ([] if has_branch(workspace, x, y, branch) else found)
    if redundancy.choice == CENTERED:
        policy = replace(policy, orientation_mode=CENTERED)
    chosen = solve(workspace, x, y, None, seed, policy)
    return [] if chosen is None else [chosen]
