# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""From a robot description to the arm inside it."""

from os import PathLike

from ik_circles.robot.arm import RobotArm
from ik_circles.robot.search import find_arm
from ik_circles.robot.urdf import MAX_BYTES, parse_urdf, urdf_text


def load_arm(
    urdf: str | bytes | PathLike[str],
    base_link: str | None = None,
    tip_link: str | None = None,
    *,
    floor: float | None = None,
    max_bytes: int = MAX_BYTES,
) -> RobotArm:
    """Return the arm inside a robot description.

    Parameters
    ----------
    urdf : str, bytes or path
        The text of the URDF, or the path of its file: a str or bytes with a `<` is text. Or the
        name of a shipped robot, such as `so101`; `ik-circles robots` lists them.
    base_link : str, optional
        Link that the arm starts at; the root if not given.
    tip_link : str, optional
        Link to send to targets. If not given, the one leaf behind three parallel joints with the
        fewest movable joints after them.
    floor : float, optional
        Height of a floor under the arm along base_link's z [m]; see `RobotArm.above`.
    max_bytes : int
        A longer text is refused unread.

    Returns
    -------
    RobotArm
        The arm, with all other joints held at 0.

    Raises
    ------
    InvalidUrdfError
        If the description is unsound, cannot be read, or has no such link.
    NoPlanarArmError
        If no three successive revolute joints have parallel axes, if several sets do, or if
        several tips are equally near to them.
    """
    return arm_in(urdf_text(urdf, max_bytes), base_link, tip_link, max_bytes).above(floor)


def arm_in(
    text: str | bytes, base_link: str | None, tip_link: str | None, max_bytes: int
) -> RobotArm:
    """The arm in the text of a URDF, as `load_arm`; no file is opened, whatever the text is."""
    return RobotArm(find_arm(parse_urdf(text, max_bytes=max_bytes), base_link, tip_link), {})
