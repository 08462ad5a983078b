"""Inverse kinematics of a pose: the wrist point, then one intersection of two circles.

The elbow is an intersection of the circle about the base and the circle about the wrist. Only its
directions count, so that of the single-division form (Inigo Quilez, "Simple inverse kinematics")
even the division falls away; the offset from the line of centres is Heron's product.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, copysign, cos, hypot, inf, remainder, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import intersect_circles
from ik_circles.planar.families import family_member, is_family
from ik_circles.planar.limits import CLOSURE, CLOSURE_OF_LOOKS, home, inside_limits

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions

ORIGIN = (0.0, 0.0)
#: On which side of the line from base to wrist the elbow is: left, then right.
ELBOW_UP_AND_DOWN = (1.0, -1.0)
#: Limit range above which a joint may have a second turn inside it, even with rounding [rad].
NEARLY_A_TURN = TURN - 1e-3

#: More than rounding does to a joint [rad], unless links are tiny or the wrist is on the base: on
#: wrists whose squared distance is above this share of the squared reach.
LARGE_ROUNDING, ROOM = 1e-3, 1e-8
#: A joint that is past its limit by no more than this is on it [rad].
NO_EXCESS = 1e-9


class Triangle(NamedTuple):
    """What the pose's triangle needs of the arm, computed once; lengths in metres.

    `difference` is that of the squares of links 1 and 2. Squared distances from base to wrist make
    a triangle between `inner` and `outer`, with room for rounding between `folded` and `straight`.
    `nearest` and `farthest` are where the elbow is folded or straight to within the tolerance, the
    former -1 where the wrist may be on the base. Beyond `roomy`, rounding moves no joint by as much
    as LARGE_ROUNDING. `plain`: no joint has more than one turn inside
    its limits, and no link is without length.
    """

    length_3: float
    difference: float
    inner: float
    outer: float
    nearest: float
    folded: float
    straight: float
    farthest: float
    roomy: float
    plain: bool
    lower_1: float
    upper_1: float
    middle_1: float
    lower_2: float
    upper_2: float
    middle_2: float
    lower_3: float
    upper_3: float
    middle_3: float

    @classmethod
    def of(cls, arm: PlanarArm) -> Triangle:
        """The constants of an arm; a continuous joint is given the turn from -pi to pi."""
        length_1, length_2, length_3 = arm.link_lengths
        hole = abs(length_1 - length_2)
        ranges: list[float] = []
        plain = min(length_1, length_2) > arm.tolerance
        for lower, upper in arm.limits:
            if lower == -inf:
                lower, upper = -TURN / 2.0, TURN / 2.0
            elif upper - lower > NEARLY_A_TURN:
                plain = False
            ranges += [lower, upper, (lower + upper) / 2.0]
        return cls(
            length_3,
            (length_1 - length_2) * (length_1 + length_2),
            (length_1 - length_2) ** 2,
            (length_1 + length_2) ** 2,
            (hole - arm.tolerance) ** 2 if hole > arm.tolerance else -1.0,
            (hole + arm.tolerance) ** 2,
            max(0.0, length_1 + length_2 - arm.tolerance) ** 2,
            (length_1 + length_2 + arm.tolerance) ** 2,
            ROOM * arm.max_reach**2 if arm.rounding_at_fold < LARGE_ROUNDING / 2.0 else inf,
            plain,
            *ranges,
        )


def solutions(
    arm: PlanarArm, x: float, y: float, phi: float, seed: JointPositions | None = None
) -> list[JointPositions]:
    """Every joint triple inside the limits for the pose; see PlanarArm.inverse_kinematics."""
    (
        length_3, difference, inner, outer, nearest, folded, straight, farthest, roomy, plain,
        lower_1, upper_1, middle_1, lower_2, upper_2, middle_2, lower_3, upper_3, middle_3,
    ) = arm.triangle_numbers  # fmt: skip
    try:
        wrist_x, wrist_y = x - length_3 * cos(phi), y - length_3 * sin(phi)
    except ValueError:  # an infinite angle has no cosine
        return []
    square = wrist_x * wrist_x + wrist_y * wrist_y
    if not (folded < square < straight and plain):
        if not square < inf or (plain and not nearest <= square <= farthest):
            return []
        return _awkward_solutions(arm, (x, y, phi), (wrist_x, wrist_y), seed, CLOSURE)
    aside = sqrt((outer - square) * (square - inner))
    to_wrist = atan2(wrist_y, wrist_x)
    at_base = atan2(aside, square + difference)
    at_wrist = atan2(aside, square - difference)
    found: list[JointPositions] = []
    for side in ELBOW_UP_AND_DOWN:
        q1, forearm = to_wrist + side * at_base, to_wrist - side * at_wrist
        q2, q3 = forearm - q1, phi - forearm
        if lower_1 <= q1 <= upper_1 and lower_2 <= q2 <= upper_2 and lower_3 <= q3 <= upper_3:
            found.append((q1, q2, q3))
            continue
        if not lower_1 <= q1 <= upper_1:
            q1 = middle_1 + remainder(q1 - middle_1, TURN)
        if not lower_2 <= q2 <= upper_2:
            q2 = middle_2 + remainder(q2 - middle_2, TURN)
        if not lower_3 <= q3 <= upper_3:
            q3 = middle_3 + remainder(q3 - middle_3, TURN)
        if lower_1 <= q1 <= upper_1 and lower_2 <= q2 <= upper_2 and lower_3 <= q3 <= upper_3:
            found.append((q1, q2, q3))
            continue
        near = LARGE_ROUNDING if square > roomy else TURN
        if (
            lower_1 - near <= q1 <= upper_1 + near
            and lower_2 - near <= q2 <= upper_2 + near
            and lower_3 - near <= q3 <= upper_3 + near
        ):
            put = inside_limits(arm, (q1, q2, q3), (x, y, phi), sqrt(square), CLOSURE)
            found += [one for one in put if one not in found]
    return found


def reached_with(
    arm: PlanarArm, x: float, y: float, orientations: Iterable[float]
) -> list[bool]:
    """Whether the position can be reached, with each of the orientations.

    The formulas are those of `solutions`, left at the first joint that is past its limits. This is
    stricter about rounding: orientations beside one that is reached are then reached, too.
    """
    (
        length_3, difference, inner, outer, nearest, folded, straight, farthest, roomy, plain,
        lower_1, upper_1, middle_1, lower_2, upper_2, middle_2, lower_3, upper_3, middle_3,
    ) = arm.triangle_numbers  # fmt: skip
    reached: list[bool] = []
    for phi in orientations:
        wrist_x, wrist_y = x - length_3 * cos(phi), y - length_3 * sin(phi)
        square = wrist_x * wrist_x + wrist_y * wrist_y
        if not (folded < square < straight and plain):
            pose, wrist = (x, y, phi), (wrist_x, wrist_y)
            may = not plain or nearest <= square <= farthest
            reached.append(
                may and bool(_awkward_solutions(arm, pose, wrist, None, CLOSURE_OF_LOOKS))
            )
            continue
        aside = sqrt((outer - square) * (square - inner))
        to_wrist = atan2(wrist_y, wrist_x)
        at_base = atan2(aside, square + difference)
        at_wrist = atan2(aside, square - difference)
        near = LARGE_ROUNDING if square > roomy else TURN
        for side in ELBOW_UP_AND_DOWN:
            q1, forearm = to_wrist + side * at_base, to_wrist - side * at_wrist
            if not lower_1 <= q1 <= upper_1:
                q1 = middle_1 + remainder(q1 - middle_1, TURN)
                if not lower_1 - near <= q1 <= upper_1 + near:
                    continue
            q2 = forearm - q1
            if not lower_2 <= q2 <= upper_2:
                q2 = middle_2 + remainder(q2 - middle_2, TURN)
                if not lower_2 - near <= q2 <= upper_2 + near:
                    continue
            q3 = phi - forearm
            if not lower_3 <= q3 <= upper_3:
                q3 = middle_3 + remainder(q3 - middle_3, TURN)
                if not lower_3 - near <= q3 <= upper_3 + near:
                    continue
            q = q1, q2, q3
            inside = (
                lower_1 <= q1 <= upper_1 and lower_2 <= q2 <= upper_2 and lower_3 <= q3 <= upper_3
            )
            if inside or inside_limits(arm, q, (x, y, phi), sqrt(square), CLOSURE_OF_LOOKS):
                reached.append(True)
                break
        else:
            reached.append(False)
    return reached


def least_excess(
    arm: PlanarArm, x: float, y: float, orientations: Iterable[float]
) -> list[tuple[int, float]]:
    """What keeps a position from being reached: joints, and how far past their limits they are.

    Over the orientations and both branches, the one in which the fewest joints pass their limits,
    and the worst of them least [rad, negative below the lower limit]; the worst joint first. [] if
    the wrist is out of reach with all of them.
    """
    length_3, difference, inner, outer, _, _, _, _, _, _, *ranges = arm.triangle_numbers
    _, upper_1, middle_1, _, upper_2, middle_2, _, upper_3, middle_3 = ranges
    fewest, least = 4, inf
    for phi in orientations:
        wrist_x, wrist_y = x - length_3 * cos(phi), y - length_3 * sin(phi)
        square = wrist_x * wrist_x + wrist_y * wrist_y
        room = (outer - square) * (square - inner)
        if room < -arm.tolerance * arm.max_reach * outer:
            continue
        aside = sqrt(room) if room > 0.0 else 0.0
        to_wrist = atan2(wrist_y, wrist_x)
        at_base = atan2(aside, square + difference)
        at_wrist = atan2(aside, square - difference)
        for upper_arm, forearm in (
            (to_wrist + at_base, to_wrist - at_wrist),
            (to_wrist - at_base, to_wrist + at_wrist),
        ):
            bound = least if fewest == 1 else inf  # no joint alone does with more
            off_1 = remainder(upper_arm - middle_1, TURN)
            over_1 = abs(off_1) + middle_1 - upper_1
            if over_1 > bound:
                continue
            off_2 = remainder(forearm - upper_arm - middle_2, TURN)
            over_2 = abs(off_2) + middle_2 - upper_2
            if over_2 > bound:
                continue
            off_3 = remainder(phi - forearm - middle_3, TURN)
            over_3 = abs(off_3) + middle_3 - upper_3
            passed = (over_1 > NO_EXCESS) + (over_2 > NO_EXCESS) + (over_3 > NO_EXCESS)
            if passed > fewest or not passed:
                continue
            worst = max(over_1, over_2, over_3)
            if passed < fewest or worst < least:
                fewest, least = passed, worst
                over, off = (over_1, over_2, over_3), (off_1, off_2, off_3)
    if fewest > 3:
        return []
    joints = [(joint, copysign(over[joint], off[joint])) for joint in (0, 1, 2)]
    return sorted(
        (one for one in joints if over[one[0]] > NO_EXCESS), key=lambda one: -abs(one[1])
    )


def _branches(arm: PlanarArm, wrist: tuple[float, float], phi: float) -> list[JointPositions]:
    """One triple for each elbow: none, the straight or folded one, or elbow up and elbow down."""
    length_1, length_2, _ = arm.link_lengths
    found: list[JointPositions] = []
    for elbow in intersect_circles(ORIGIN, length_1, wrist, length_2, arm.tolerance):
        upper_arm = atan2(elbow[1], elbow[0])
        forearm = atan2(wrist[1] - elbow[1], wrist[0] - elbow[0])
        found.append((upper_arm, forearm - upper_arm, phi - forearm))
    return found


def _awkward_solutions(
    arm: PlanarArm,
    pose: tuple[float, float, float],
    wrist: tuple[float, float],
    seed: JointPositions | None,
    closure: float,
) -> list[JointPositions]:
    """Straight or folded elbows, joints of more than a turn, families, and wrists out of reach."""
    distance = hypot(*wrist)
    if is_family(arm, distance):
        member = family_member(arm, wrist, pose[2], seed or home(arm), closure)
        return [] if member is None else [member]
    found: list[JointPositions] = []
    for angles in _branches(arm, wrist, pose[2]):
        put = inside_limits(arm, angles, pose, distance, closure)
        found += [one for one in put if one not in found]
    return found
