"""The choice among the joint positions for a point, where any orientation of the tool will do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ik_circles.geometry import checks
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.outermost import solve_outermost
from ik_circles.planar.redundancy.z_form import solve_z_form
from ik_circles.planar.selection import CENTERED, Policy, solve, solve_on_each_branch, turned_to
from ik_circles.planar.workspace import Workspace

KEEP_ORIENTATION, OUTERMOST, Z_FORM = 'keep_orientation', 'outermost', 'z_form'
REDUNDANCIES = (KEEP_ORIENTATION, CENTERED, OUTERMOST, Z_FORM)


@dataclass(frozen=True)
class Redundancy:
    """What to do with the freedom that is left at a point.

    Parameters
    ----------
    choice : {'keep_orientation', 'centered', 'outermost', 'z_form'}
        'keep_orientation' takes the seed's orientation, or the nearest to it on either branch.
        'centered' takes the middle of the widest interval of orientations. 'outermost' has the
        wrist as far out as possible. 'z_form' has link 2 cross the line to the target at a share of
        its length.
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
        checks.share('z_form_k', self.z_form_k)


def candidates(
    workspace: Workspace,
    x: float,
    y: float,
    seed: JointPositions | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[JointPositions]:
    """Joint triples at a point [m] to choose from; [] if there is none of the wanted kind."""
    model = workspace.model
    if redundancy.choice in (OUTERMOST, Z_FORM):
        found = (
            solve_outermost(workspace, x, y)
            if redundancy.choice == OUTERMOST
            else solve_z_form(workspace.solver, x, y, redundancy.z_form_k)
        )
        return [turned_to(model, q, seed or model.home) for q in found]
    if redundancy.choice == CENTERED:
        policy = replace(policy, orientation_mode=CENTERED)
    chosen = solve(workspace, x, y, None, seed, policy)
    if chosen is None:
        return []
    if seed is None or policy.orientation_mode == CENTERED:
        return [chosen]
    return [chosen, *solve_on_each_branch(workspace, x, y, seed, policy.branch)]
