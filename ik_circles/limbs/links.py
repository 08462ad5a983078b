# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a chain of links is, and how far each of its joints can be from the base.

A chain of links reaches exactly the distances from `max(0, 2 longest - sum)` to their `sum`. These
two are its safe zones. Consider a joint of the chain whose neighbor towards the tip is at the
distance D from the base, and the link of length l between the two. The joint may be at exactly the
distances R from the base with

    max(inner zone of the links before it, |D - l|)  <=  R  <=  min(outer zone of them, D + l).

This range is never empty if D is inside the safe zones of the links up to the neighbor.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from ik_circles.geometry import checks
from ik_circles.geometry.tolerances import TOLERANCE


@dataclass(frozen=True)
class Links:
    """Links in a plane, from the base to the tip, with a joint that turns freely before each."""

    link_lengths: tuple[float, ...]

    def __post_init__(self) -> None:
        lengths = checks.link_lengths('link_lengths', self.link_lengths)
        object.__setattr__(self, 'link_lengths', lengths)

    @cached_property
    def zones(self) -> tuple[tuple[float, float], ...]:
        """Inner and outer safe zone of each joint and of the tip [m], from the base on.

        These are the smallest and the largest distance from the base that the links up to it allow.
        """
        longest = accumulate(self.link_lengths, max)
        outer = accumulate(self.link_lengths)
        return ((0.0, 0.0), *((max(0.0, 2.0 * m - s), s) for m, s in zip(longest, outer)))

    @cached_property
    def concentrations(self) -> tuple[float, ...]:
        """For the first 0, 1, 2 … links: the sum of their cubes divided by the cube of their sum.

        For n equal links, this is 1 / n². On a circle so large that the links are nearly straight,
        links with the same sum and the same value have the same chord.
        """
        found = [1.0]
        outer = 0.0
        for length in self.link_lengths:
            before, outer = outer, outer + length
            if outer > 0.0:
                found.append(found[-1] * (before / outer) ** 3 + (length / outer) ** 3)
            else:
                found.append(1.0)
        return tuple(found)

    @cached_property
    def tolerance(self) -> float:
        """TOLERANCE in meters of this chain."""
        return TOLERANCE * self.zones[-1][1]

    def feasible_radii(self, joint: int, distance: float) -> tuple[float, float]:
        """Smallest and largest distance of a joint from the base that both of its sides allow.

        Parameters
        ----------
        joint : int
            Its number; the base is 0.
        distance : float
            From the base to the next joint, or to the tip [m], inside the zones of that point.

        Returns
        -------
        tuple of two floats
            Smallest and largest distance [m].
        """
        length = self.link_lengths[joint]
        inner, outer = self.zones[joint]
        folded, straight = abs(distance - length), distance + length
        # Rounding may separate the two intervals. The triangle's wins, so that no link stretches.
        return (
            min(max(inner, folded), straight),
            max(min(outer, straight), folded),
        )
