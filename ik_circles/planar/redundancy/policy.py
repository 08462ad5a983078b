"""Which of the joint triples for a point, where any orientation of the tool will do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ik_circles.geometry import checks
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.outermost import solve_outermost
from ik_circles.planar.redundancy.z_form import solve_z_form
from ik_circles.planar.selection import Policy, solve, solve_on_each_branch, turned_to

KEEP_ORIENTATION, CENTRED, OUTERMOST, Z_FORM = CHOICES = (
    'keep_orientation',
    'centred',
    'outermost',
    'z_form',
)


@dataclass(frozen=True)
class Redundancy:
    """What to do with the freedom that is left at a point.

    choice : 'keep_orientation' (the seed's, or the nearest to it on either branch), 'centred' (the
        middle of the widest interval), 'outermost' (the wrist as far out as possible: methods.
        outermost), 'z_form' (link 2 crosses the line to the target at the share `z_form_k` of its
        length: methods.z_form)
    """

    choice: str = KEEP_ORIENTATION
    z_form_k: float = 0.5

    def __post_init__(self) -> None:
        checks.choice('redundancy', self.choice, CHOICES)
        checks.share('z_form_k', self.z_form_k)


def candidates(
    arm: PlanarArm,
    x: float,
    y: float,
    seed: JointPositions | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[JointPositions]:
    """Joint triples at a point [m] to choose from; [] if there is none of the wanted kind."""
    if redundancy.choice in (OUTERMOST, Z_FORM):
        found = (
            solve_outermost(arm, x, y)
            if redundancy.choice == OUTERMOST
            else solve_z_form(arm, x, y, redundancy.z_form_k)
        )
        return [turned_to(arm, q, seed or arm.home) for q in found]
    if redundancy.choice == CENTRED:
        policy = replace(policy, orientation_mode='centred')
    chosen = solve(arm.workspace, x, y, None, seed, policy)
    if chosen is None:
        return []
    if seed is None or policy.orientation_mode == 'centred':
        return [chosen]
    return [chosen, *solve_on_each_branch(arm.workspace, x, y, seed, policy.branch)]
