# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The tool orientations with which a point above a floor can be reached.

They are those of the arm without the floor that keep the wrist above it, with joint 1 inside the
ranges in which the elbow is above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from ik_circles.geometry.angles import Limits
from ik_circles.geometry.intervals import Interval, shared, united
from ik_circles.planar.floor.solver import FloorSolver
from ik_circles.planar.model import JointPositions
from ik_circles.planar.orientations import Looks, Orientations


class FloorOrientations(Orientations):
    """Finds the orientations of points; `cuts` and `stationary` are those without the floor."""

    def __init__(self, solver: FloorSolver) -> None:
        super().__init__(solver)
        self._above = solver.above
        self._pieces = [Orientations(piece) for piece in solver.distinct]

    def of_point(self, x: float, y: float) -> list[Interval]:
        """Every orientation with which a point can be reached, in normal form."""
        allowed = self._above.orientations((x, y))
        if not allowed:
            return []
        found = chain.from_iterable(piece.of_point(x, y) for piece in self._pieces)
        return united(shared(found, allowed))

    def reach(self, x: float, y: float) -> bool:
        """Whether any orientation reaches a point."""
        return bool(self.of_point(x, y))

    def looks(self, x: float, y: float, cuts: Iterable[float]) -> Looks:
        """None: the cuts of the arm without the floor say too little."""
        return [], []

    def nearest(self, x: float, y: float, cuts: Iterable[float], wanted: float) -> None:
        """None, for the same reason."""

    def intervals(self, x: float, y: float, looks: Looks) -> list[Interval]:
        """The same as `of_point`."""
        return self.of_point(x, y)

    def intervals_by_elbow(self, x: float, y: float) -> tuple[list[Interval], list[Interval]]:
        """The orientations with elbow up and with elbow down; a straight elbow is neither."""
        allowed = self._above.orientations((x, y))
        both = [piece.intervals_by_elbow(x, y) for piece in self._pieces] if allowed else []
        up, down = zip(*both) if both else ((), ())
        return (
            united(shared(chain.from_iterable(up), allowed)),
            united(shared(chain.from_iterable(down), allowed)),
        )

    def near(
        self, x: float, y: float, q: JointPositions, limits: Sequence[Limits] | None = None
    ) -> list[float]:
        """Orientations at a point; one of them is about as near to joint positions as any [rad].

        The curves of solutions also end where the wrist meets the floor.
        """
        some = [*chain.from_iterable(self._above.orientations((x, y)))]
        for piece in self._pieces:
            some += piece.near(x, y, q)  # joint 1 of a piece has limits of its own
            some += piece.near(x, y, q, limits) if limits else ()
        return some
