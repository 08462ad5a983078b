# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientation that a free line is followed with, and its proof.

It stays as it is while its window allows that; else it is led through the windows of the line, and
a branch in certified steps proves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ik_circles.geometry.angles import nearest_in
from ik_circles.planar.lines.branch import Branch
from ik_circles.planar.lines.free_line import BOTH_SIDES, ROOM_BETWEEN, FreeLine
from ik_circles.planar.lines.phi_path import PhiPath
from ik_circles.planar.lines.track import End
from ik_circles.planar.lines.turning_branch import LEAST_STEP, RatedWay, TurningBranch
from ik_circles.planar.lines.windows import Window

#: The orientation keeps this far off the ends of a window [rad].
OFF_ENDS = 0.1
#: In a narrow window, it keeps this share of the width off them [1].
SHARE_OFF_ENDS = 0.45
#: In a part this short, all windows are taken: next to the start and the end of a line, they may
#: move ever faster [share].
SHORT_PART = 0.02
#: How often knots are added where a path is not yet proven.
ROUNDS = 20


def freed(branch: Branch, way: RatedWay) -> tuple[Branch, End]:
    """The branch that follows a held one where it ends, with an orientation that changes."""
    held = branch.end()
    model = branch.model
    if held.share == 1.0 or model.has_families:
        return branch, held
    line = FreeLine(branch, way)
    if held.share >= line.upto - ROOM_BETWEEN or (branch.square is not None and line.rate is None):
        return branch, held
    for kept in line.direct(held.share):
        one = _through(line, kept)
        if not one.refused(line.upto) and (end := one.end()).share >= line.upto:
            return one, end
    chain = line.chain()
    if len(chain) < 2 or chain[-1].share <= held.share:
        return branch, held
    proven = (
        one for leaving in line.leaving for one in _proven(line, chain, held.share, leaving)
    )
    return max(((branch, held), *proven), key=lambda one: one[1].share)


def _proven(
    line: FreeLine, chain: list[Window], held: float, leaving: Sequence[Window]
) -> Iterator[tuple[Branch, End]]:
    """Branches through the windows of a chain; knots are added until one follows all of it."""
    wanted, phi = chain[-1].share, sum(line.branch.start)
    # A chain may leave the orientation before it has to: the window in which it stays may close.
    left = min((one.share for one in chain[1:] if not one.lower <= phi <= one.upper), default=held)
    kept = [chain[0], *(leaving or line.kept(chain[0], min(held, left))), chain[-1]]
    for _ in range(ROUNDS):
        kept = _fitted(line, kept, chain)
        one = _through(line, kept)
        end = one.end()
        yield one, end
        if end.share >= wanted - BOTH_SIDES - LEAST_STEP:
            return
        more = [*_refined(line, kept, chain, [end.share])]
        if len(more) == len(kept):
            return
        kept = more


def _through(line: FreeLine, kept: Sequence[Window]) -> TurningBranch:
    """A branch through windows."""
    branch = line.branch
    path = _path(sum(branch.start), kept)
    return TurningBranch(branch.solver, line.way, branch.start, branch.elbow, path)


def _fitted(line: FreeLine, kept: list[Window], chain: Sequence[Window]) -> list[Window]:
    """The windows that are kept, with more of them where a branch through these is refused.

    Looks at single shares find that. They cost little beside the proof, which would fail there.
    """
    for _ in range(ROUNDS):
        refused = _through(line, kept).refused(chain[-1].share)
        more = [*_refined(line, kept, chain, refused)]
        if len(more) == len(kept):
            break
        kept = more
    return kept


def _path(phi: float, chain: Sequence[Window]) -> PhiPath:
    """A path through windows that turns no more than they ask for."""
    phis = [phi]
    for window in chain[1:]:
        off = min(OFF_ENDS, SHARE_OFF_ENDS * (window.upper - window.lower))
        phis.append(nearest_in(phis[-1], (window.lower + off, window.upper - off)))
    return PhiPath([window.share for window in chain], phis)


def _refined(
    line: FreeLine, kept: Sequence[Window], chain: Sequence[Window], refused: Sequence[float]
) -> Iterator[Window]:
    """The windows that are kept, with one more in each part in which a branch is refused."""
    for before, after in pairwise(kept):
        yield before
        leaves = before is kept[0] and line.rate is not None
        if not leaves and any(before.share <= share < after.share for share in refused):
            middle = (before.share + after.share) / 2.0
            between = [one for one in chain if before.share < one.share < after.share]
            if after.share - before.share < SHORT_PART:
                yield from between
            elif between:
                yield min(between, key=lambda one: abs(one.share - middle))
            if not between:
                yield from line.between(before, middle)
    yield kept[-1]
