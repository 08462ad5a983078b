"""What a user should know about a reduction: joints that are held, and axes that lean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ik_circles.geometry.rigid import Matrix
from ik_circles.robot.tree import TURNING, PlacedJoint

#: What moves the tip by less than this is not worth a word [m].
MOVES_THE_TIP = 1e-6
HELD = 'held where it is measured, or at 0'


def held_notes(
    before: Sequence[PlacedJoint], after: Sequence[PlacedJoint], tip: Matrix
) -> Iterator[str]:
    """Notes on the joints that are not commanded, before and after the three; `tip` is where the
    tip is in the base [m]."""
    for one in before:
        yield f'{one.joint.name} comes before the arm and is {HELD}'
    for joint, axis, position in after:
        moves = 2.0 * float(np.linalg.norm(np.cross(axis, tip - position)))
        if joint.mimic:
            yield f'{joint.name} follows another joint, which is not accounted for: it is held'
        elif joint.type not in TURNING:
            yield f'{joint.name} moves the tip; it is {HELD}'
        elif moves > MOVES_THE_TIP:
            yield f'{joint.name} moves the tip by up to {1000.0 * moves:.3g} mm; it is {HELD}'


def slack_notes(commanded: Sequence[PlacedJoint], slack: float) -> Iterator[str]:
    """A note on axes that are parallel or perpendicular only to within `slack` [m] at the tip."""
    if slack > MOVES_THE_TIP:
        yield (
            f'the axes of {", ".join(one.joint.name for one in commanded)} are only nearly '
            'parallel or perpendicular: the '
            f'tip may be up to {1000.0 * slack:.2g} mm from where it was sent'
        )
