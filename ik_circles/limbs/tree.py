# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A tree of links with several end effectors: a shared trunk, and a limb for each effector.

Source: S. Ramachandran and N. W. John (see n_links), whose hand and cyclist are such trees. The
paper solves each limb separately and does not say how to choose the joints that they share.

Added: the fork, where the trunk ends and the limbs begin, is chosen so that every effector reaches
its target. The fork must lie in the trunk's ring of safe zones about the base, and in each limb's
ring about the target of that limb. Arcs of the rings' circles bound the region that all rings have
in common. So the nearest point of that region to a given point is the given point itself, the
nearest point on one of the circles, or a point where two of the circles meet. These are a handful
of candidates, without a search. Trunk and limbs are then solved as chains.

For joints that turn freely, there is a guarantee: if any fork lets all targets be reached, they are
reached, and None proves that there is no such fork (both to within TOLERANCE of the tree's reach).
Limbs that begin on the base itself (no trunk) are trees, too. Not covered are a fork whose limbs
begin at different points of a rigid palm, and trees that fork again. In these cases, make the
common part a piece of each limb (such as a hand's metacarpal bones), or solve one fork after the
other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.geometry.values import quoted
from ik_circles.limbs.bends import NEAR, POLICIES, SIDES, Bends
from ik_circles.limbs.n_links import ChainShape, LinkChain, closed, relative
from ik_circles.limbs.rings import Ring, eased, nearest_common, on_the_way

#: A fork that nobody asked for keeps this share of each ring's width away from the ring's circles,
#: so that no limb is stretched needlessly. The first share that is possible is taken.
EASE = (0.2, 0.05, 0.01, 0.0)


@dataclass(frozen=True)
class TreeShape:
    """The positions of the joints of a trunk and its limbs.

    Parameters
    ----------
    trunk : ChainShape
        The trunk from the base to the fork; one point and no angle without a trunk.
    limbs : tuple of ChainShape
        Each limb from the fork to its tip. Its first joint angle is measured from the trunk's last
        link, or from the +x axis if there is no trunk.
    """

    trunk: ChainShape
    limbs: tuple[ChainShape, ...]

    @property
    def fork(self) -> Point:
        """The point where the trunk ends and the limbs begin [m]."""
        return self.trunk.points[-1]


@dataclass(frozen=True)
class LinkTree:
    """A trunk of links from the base to the fork, and limbs of links from there to their tips.

    Parameters
    ----------
    trunk : sequence of floats
        Lengths of its links [m], starting at the base; () for limbs that begin on the base.
    limbs : sequence of sequences of floats
        For each end effector, the lengths of its links [m], starting at the fork.

    Raises
    ------
    InvalidArmError
        There is no limb, or a length is negative or outside of its range.
    NotFiniteError
        A length is NaN or infinite.

    Examples
    --------
    >>> tree = LinkTree(trunk=(1.0,), limbs=((1.0, 1.0), (1.0, 1.0)))
    >>> shape = tree.solve([(2.0, 1.0), (2.0, -1.0)])
    >>> [limb.points[-1] for limb in shape.limbs]
    [(2.0, 1.0), (2.0, -1.0)]
    >>> tree.solve([(3.0, 0.0), (-3.0, 0.0)]) is None
    True
    """

    trunk: tuple[float, ...]
    limbs: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        trunk = checks.numbers('trunk', self.trunk)
        if trunk:
            trunk = checks.link_lengths('trunk', trunk)
        limbs = tuple(
            checks.link_lengths(f'limb {number}', limb)
            for number, limb in enumerate(_rows('limbs', self.limbs), 1)
        )
        if not limbs:
            raise InvalidArmError('limbs is empty; give the link lengths of one limb or more')
        object.__setattr__(self, 'trunk', trunk)
        object.__setattr__(self, 'limbs', limbs)

    @cached_property
    def trunk_chain(self) -> LinkChain | None:
        """The trunk as a chain; None without one."""
        return LinkChain(self.trunk) if self.trunk else None

    @cached_property
    def limb_chains(self) -> tuple[LinkChain, ...]:
        """Each limb as a chain."""
        return tuple(map(LinkChain, self.limbs))

    @cached_property
    def reach(self) -> float:
        """Farthest that a tip can be from the base [m]."""
        return sum(self.trunk) + max(map(sum, self.limbs))

    def rings(self, targets: Sequence[Point], base: Point = ORIGIN) -> tuple[Ring, ...]:
        """The rings that the fork must lie in.

        Parameters
        ----------
        targets : sequence of points
            (x, y) [m], one for each limb.
        base : tuple of two floats
            (x, y) [m].

        Returns
        -------
        tuple of Ring
            The trunk's about the base, then each limb's about its target.

        Raises
        ------
        InvalidArmError, NotFiniteError
            A point is not two finite numbers, or there is not one target for each limb.
        """
        trunk = self.trunk_chain.zones[-1] if self.trunk_chain else (0.0, 0.0)
        places = _rows('targets', targets)
        if len(places) != len(self.limbs):
            raise InvalidArmError(
                f'{len(places)} targets given; the tree has {len(self.limbs)} limbs, give one each'
            )
        centers = [checks.point(f'target {number}', one) for number, one in enumerate(places, 1)]
        return (
            Ring(checks.point('base', base), *trunk),
            *(Ring(place, *limb.zones[-1]) for place, limb in zip(centers, self.limb_chains)),
        )

    def fork_near(
        self, targets: Sequence[Point], near: Point, base: Point = ORIGIN
    ) -> Point | None:
        """The fork nearest to a point, among all forks from which every target can be reached.

        Parameters
        ----------
        targets : sequence of points
            (x, y) [m], one for each limb.
        near, base : tuple of two floats
            (x, y) [m].

        Returns
        -------
        tuple of two floats or None
            (x, y) [m]; None if there is no such fork.

        Raises
        ------
        InvalidArmError, NotFiniteError
            A point is not two finite numbers, or there is not one target for each limb.
        """
        rings = self.rings(targets, base)
        return nearest_common(rings, checks.point('near', near), TOLERANCE * self.reach)

    def solve(
        self,
        targets: Sequence[Point],
        policy: str = 'even',
        *,
        trunk_side: str = 'left',
        limb_sides: str | Sequence[str] = 'left',
        previous: TreeShape | None = None,
        fork: Point | None = None,
        base: Point = ORIGIN,
    ) -> TreeShape | None:
        """Place the joints so that every tip is on its target.

        Parameters
        ----------
        targets : sequence of points
            (x, y) [m], one for each limb.
        policy : {'even', 'outermost', 'near'}
            As in `LinkChain.solve`, for trunk and limbs.
        trunk_side : {'left', 'right'}
            As `side` in `LinkChain.solve`.
        limb_sides : {'left', 'right'} or sequence of these
            One for all limbs, or one for each.
        previous : TreeShape, optional
            The previous shape, for 'near'. Its fork moves as little as possible, too.
        fork : tuple of two floats, optional
            The wanted fork (x, y) [m]; the nearest place that works is taken. By default, the fork
            of `previous` is wanted; without that, a place on the way to the targets.
        base : tuple of two floats
            (x, y) [m].

        Returns
        -------
        TreeShape or None
            None if and only if no shape reaches all targets.

        Raises
        ------
        InvalidArmError, InvalidSettingError, NotFiniteError
            A point or a choice is invalid, or 'near' has no shape of this tree.
        """
        checks.choice('policy', policy, POLICIES)
        before = self._checked_previous(policy, previous)
        sides = self._checked_sides(limb_sides)
        checks.choice('trunk_side', trunk_side, SIDES)
        rings = self.rings(targets, base)
        start = rings[0].center
        place = self._fork(rings, before, fork)
        if place is None:
            return None
        trunk = ChainShape((place,), ())
        if self.trunk_chain is not None:
            points = relative(before.trunk.points, start) if before else ()
            trunk = closed(Bends(self.trunk_chain, policy, trunk_side, points), place, start, 0.0)
        heading = sum(trunk.joint_angles)
        limbs = []
        for index, chain in enumerate(self.limb_chains):
            points = relative(before.limbs[index].points, place) if before else ()
            bends = Bends(chain, policy, sides[index], points)
            limbs.append(closed(bends, rings[index + 1].center, place, heading))
        return TreeShape(trunk, tuple(limbs))

    def _fork(
        self, rings: tuple[Ring, ...], before: TreeShape | None, wanted: Point | None
    ) -> Point | None:
        tolerance = TOLERANCE * self.reach
        if wanted is not None:
            return nearest_common(rings, checks.point('fork', wanted), tolerance)
        if before is not None:
            return nearest_common(rings, before.fork, tolerance)
        near = on_the_way(rings)
        forks = (nearest_common(eased(rings, share), near, tolerance) for share in EASE)
        return next((fork for fork in forks if fork is not None), None)

    def _checked_sides(self, sides: str | Sequence[str]) -> tuple[str, ...]:
        names = (sides,) * len(self.limbs) if isinstance(sides, str) else _rows('limb_sides', sides)
        if len(names) != len(self.limbs):
            raise InvalidSettingError(
                f'limb_sides has {len(names)} sides; give one for all, or {len(self.limbs)}'
            )
        return tuple(checks.choice('limb_sides', name, SIDES) for name in names)

    def _checked_previous(self, policy: str, previous: object) -> TreeShape | None:
        """The previous shape, which must be one of this tree if the policy is 'near'."""
        if policy != NEAR:
            return None
        counts = len(self.trunk), *map(len, self.limbs)
        if not isinstance(previous, TreeShape) or counts != tuple(
            len(chain.points) - 1 for chain in (previous.trunk, *previous.limbs)
        ):
            raise InvalidSettingError(
                "the policy 'near' needs `previous`, a shape that this tree was solved with; give "
                'it, or choose outermost or even for the first one'
            )
        for chain in (previous.trunk, *previous.limbs):
            for point in chain.points:
                checks.point('a point of the previous shape', point)
        return previous


def _rows(name: str, values: object) -> tuple[object, ...]:
    try:
        return tuple(cast(Iterable[object], values))
    except TypeError:
        raise InvalidArmError(f'{name} is {quoted(values)}; give a sequence') from None
