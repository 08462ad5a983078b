"""Why a target in space cannot be reached, as sentences."""

import math
from collections.abc import Sequence

from ik_circles.geometry.angles import wrap
from ik_circles.reasons import Reason, excess_text, meters_text, wrong_orientation
from ik_circles.spatial.arm import SpatialArm, SpatialPose
from ik_circles.spatial.ways import Question, Way

#: Why an arm does not reach what it would with exactly parallel axes.
LEANING = 'its axes are parallel only to rounding, which is just too little for it'


def out_of_plane(question: Question, way: Way) -> str:
    """The point is beside a plane that no joint turns."""
    message = (
        f'out of the plane of {", ".join(label.name for label in question.arm.labels)} '
        f'by {way.shoulder.beside:.3g} m, {question.out_of_plane_tolerance:.3g} m are allowed'
    )
    return message if way.found.reachable else f'{message}; in the plane: {way.found.message}'


def tilted(arm: SpatialArm, tilt: float) -> str:
    """The orientation differs by `tilt` [rad] from what any joint can do."""
    by = f'{math.degrees(tilt):.1f} deg'
    if arm.yaw is None:
        return (
            f"the orientation tilts the arm's plane by {by}, which no joint can do; turn the "
            'tool about the joint axes only, or set orientation_mode to free'
        )
    return (
        f'the orientation is {by} away from what the arm can do there: only its pitch is '
        "free, the position decides the tool's heading; set orientation_mode to preferred"
    )


def leaning(way: Way, nearest: SpatialPose | None) -> str:
    """Exactly parallel axes would reach the orientation, the true ones do not."""
    works = math.nan if nearest is None else nearest.phi
    return wrong_orientation(wrap(way.phi or 0.0), LEANING, works)


def out_of_reach(question: Question, ways: Sequence[Way]) -> Reason:
    """The position is out of reach by every shoulder."""
    arm, yaw = question.arm, question.arm.yaw
    if any(way.yaws and way.found.position_reachable for way in ways):
        return Reason(LEANING, 0.0)
    if yaw is None:
        return ways[0].found.reason
    if not ways:
        aside = abs(yaw.aside)
        missing = aside - yaw.place_of(*arm.plane.into(question.point)).radius
        return Reason(
            f'too close to the axis of {yaw.label.name} by {meters_text(missing)}: '
            f"the arm's plane passes it at {meters_text(aside)}",
            missing,
        )
    way = least_wrong(arm, ways)
    turn = excess_text(yaw.label, yaw.excess(way.shoulder.yaw))
    if way.found.position_reachable:
        return Reason(turn, 0.0)
    sentence, explains = way.found.reason
    if not yaw.faces(way.shoulder):
        sentence = f'reaching backwards, {sentence}'
    return Reason(sentence, explains) if way.yaws else Reason(f'{sentence}, and {turn}', 0.0)


def least_wrong(arm: SpatialArm, ways: Sequence[Way]) -> Way:
    """The shoulder to give the reason for: the one with fewer obstacles, facing first."""
    yaw = arm.yaw

    def wrong(way: Way) -> tuple[int, bool]:
        obstacles = (not way.yaws) + (not way.found.position_reachable)
        return obstacles, yaw is not None and not yaw.faces(way.shoulder)

    return min(ways, key=wrong)
