"""A tree of links with several end effectors: a trunk that all of them share, a limb for each.

Source: S. Ramachandran and N. W. John (see n_links), whose hand and cyclist are such trees; the
paper solves each limb for itself and does not say how the joints they share are chosen.

Added: the fork, where the trunk ends and the limbs begin, is chosen so that every effector reaches.
It must lie in the trunk's ring of safe zones about the base, and in each limb's ring about that
limb's target. What all rings have in common, if anything, is bounded by arcs of their circles, so
the point of it that is nearest to a given one is that point itself, or its nearest on one of the
circles, or where two of the circles meet: a handful of candidates, no search. Trunk and limbs then
close as chains do.

What is guaranteed, for joints that turn freely: all targets are reached whenever there is a fork
from which they are, and None is the proof that there is none (both to within TOLERANCE of the
tree's reach). Limbs that begin on the base itself (no trunk) are trees, too. Not covered: a fork
whose limbs begin at different points of a rigid palm, and trees that fork again: put what is common
into the limbs (a hand's metacarpal bones), or solve one fork after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, cast

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.limbs.n_links import ORIGIN, POLICIES, SIDES, ChainShape, LinkChain

#: A fork may miss a ring by so many tolerances: it is rounded, and so are the rings.
SLACK = 4.0
#: Shares of each ring's width that a fork keeps away from its circles, the first that is possible:
#: so that no limb is stretched needlessly where no place is asked for.
EASE = (0.2, 0.05, 0.01, 0.0)


class Ring(NamedTuple):
    """Points at distances from `inner` to `outer` about a centre [m]."""

    center: Point
    inner: float
    outer: float

    def eased(self, share: float) -> Ring:
        """Narrower by a share of the width on both sides."""
        step = share * (self.outer - self.inner)
        return Ring(self.center, self.inner + step, self.outer - step)

    def contains(self, point: Point, tolerance: float) -> bool:
        """Whether a point is in the ring, or misses it by no more than the tolerance [m]."""
        distance = math.hypot(point[0] - self.center[0], point[1] - self.center[1])
        return self.inner - tolerance <= distance <= self.outer + tolerance


@dataclass(frozen=True)
class TreeShape:
    """Joints of a trunk and of its limbs. The first joint angle of a limb counts from the trunk's
    last link, or from the +x axis if there is no trunk."""

    trunk: ChainShape
    limbs: tuple[ChainShape, ...]

    @property
    def fork(self) -> Point:
        """Where the trunk ends and the limbs begin [m]."""
        return self.trunk.points[-1]


@dataclass(frozen=True)
class LinkTree:
    """A trunk of links from the base to the fork, and limbs of links from there to their tips.

    Parameters
    ----------
    trunk : lengths of its links [m], from the base on; () for limbs that begin on the base
    limbs : for each end effector the lengths of its links [m], from the fork on

    Raises
    ------
    InvalidArmError, NotFiniteError
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
        """What the fork must lie in: the trunk's ring, and each limb's about its target."""
        trunk = self.trunk_chain.zones[-1] if self.trunk_chain else (0.0, 0.0)
        places = self._checked_targets(targets)
        return (
            Ring(checks.point('base', base), *trunk),
            *(Ring(place, *limb.zones[-1]) for place, limb in zip(places, self.limb_chains)),
        )

    def fork_near(
        self, targets: Sequence[Point], near: Point, base: Point = ORIGIN
    ) -> Point | None:
        """The fork that is nearest to a point, of all those from which every target is reached [m];
        None if there is none."""
        rings = self.rings(targets, base)
        return _nearest_common(rings, checks.point('near', near), TOLERANCE * self.reach)

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
        """The joints with every tip on its target; None exactly if no shape reaches them all.

        Parameters
        ----------
        targets : (x, y) [m], one for each limb
        policy : as LinkChain.solve's, for trunk and limbs: 'outermost', 'even' or 'near'
        trunk_side, limb_sides : as LinkChain.solve's; one for all limbs, or one for each
        previous : the shape before, for 'near': its fork moves as little as possible, too
        fork : where the fork is wanted [m]: it will be the nearest place that works. Without one,
            that of `previous`, else on the way to the targets, with ease where there is room
        base : (x, y) [m]

        Raises
        ------
        InvalidArmError, InvalidSettingError, NotFiniteError
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
        trunk = self._trunk_to(place, policy, trunk_side, before, start)
        heading = sum(trunk.joint_angles)
        limbs = tuple(
            chain.closed(
                ring.center, policy, sides[index],
                _moved(before.limbs[index].points, place) if before else (), place, heading,
            )
            for index, (chain, ring) in enumerate(zip(self.limb_chains, rings[1:]))
        )  # fmt: skip
        return TreeShape(trunk, limbs)

    def _fork(
        self, rings: tuple[Ring, ...], before: TreeShape | None, wanted: Point | None
    ) -> Point | None:
        tolerance = TOLERANCE * self.reach
        if wanted is not None:
            return _nearest_common(rings, checks.point('fork', wanted), tolerance)
        if before is not None:
            return _nearest_common(rings, before.fork, tolerance)
        near = _on_the_way(rings)
        eased = ([ring.eased(share) for ring in rings] for share in EASE)
        forks = (_nearest_common(narrow, near, tolerance) for narrow in eased)
        return next((fork for fork in forks if fork is not None), None)

    def _trunk_to(
        self, fork: Point, policy: str, side: str, before: TreeShape | None, start: Point
    ) -> ChainShape:
        if self.trunk_chain is None:
            return ChainShape((fork,), ())
        points = _moved(before.trunk.points, start) if before else ()
        return self.trunk_chain.closed(fork, policy, side, points, start, 0.0)

    def _checked_targets(self, targets: object) -> tuple[Point, ...]:
        rows = _rows('targets', targets)
        if len(rows) != len(self.limbs):
            raise InvalidArmError(
                f'{len(rows)} targets given; the tree has {len(self.limbs)} limbs, give one each'
            )
        return tuple(checks.point(f'target {number}', row) for number, row in enumerate(rows, 1))

    def _checked_sides(self, sides: str | Sequence[str]) -> tuple[str, ...]:
        names = (sides,) * len(self.limbs) if isinstance(sides, str) else _rows('limb_sides', sides)
        if len(names) != len(self.limbs):
            raise InvalidSettingError(
                f'limb_sides has {len(names)} sides; give one for all, or {len(self.limbs)}'
            )
        return tuple(checks.choice('limb_sides', name, SIDES) for name in names)

    def _checked_previous(self, policy: str, previous: object) -> TreeShape | None:
        """The shape before if the policy is 'near', which must be one of this tree."""
        if policy != 'near':
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
        raise InvalidArmError(f'{name} is {values!r}; give a sequence') from None


def _moved(points: tuple[Point, ...], base: Point) -> tuple[Point, ...]:
    """Points relative to a base."""
    return tuple((x - base[0], y - base[1]) for x, y in points)


def _on_the_way(rings: Sequence[Ring]) -> Point:
    """From the base towards the targets' mean, by the trunk's share of the way."""
    (start_x, start_y), _, trunk = rings[0]
    targets = [ring.center for ring in rings[1:]]
    limbs = sum(ring.outer for ring in rings[1:]) / len(targets)
    share = trunk / (trunk + limbs)
    mean_x = sum(x / len(targets) for x, _ in targets)
    mean_y = sum(y / len(targets) for _, y in targets)
    return start_x + share * (mean_x - start_x), start_y + share * (mean_y - start_y)


def _nearest_common(rings: Sequence[Ring], near: Point, tolerance: float) -> Point | None:
    """The point of all rings that is nearest to a given one; None if they have none in common."""
    common = [
        place
        for place in _candidates(rings, near, tolerance)
        if all(ring.contains(place, SLACK * tolerance) for ring in rings)
    ]
    return min(common, key=lambda place: math.dist(place, near), default=None)


def _candidates(rings: Sequence[Ring], near: Point, tolerance: float) -> Iterator[Point]:
    """The point itself, its nearest on each circle, and where two circles meet."""
    yield near
    circles = [(ring.center, radius) for ring in rings for radius in {ring.inner, ring.outer}]
    for (x, y), radius in circles:
        direction = math.atan2(near[1] - y, near[0] - x)
        yield x + radius * math.cos(direction), y + radius * math.sin(direction)
    for (center_a, radius_a), (center_b, radius_b) in combinations(circles, 2):
        yield from intersect_circles(center_a, radius_a, center_b, radius_b, tolerance)
