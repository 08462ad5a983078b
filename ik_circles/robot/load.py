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
        The text of the URDF, the path of its file, or the name of a shipped robot such as `so101`
        (`ik-circles robots` lists them). A str or bytes with a `<` is text.
    base_link : str, optional
        Link at which the arm starts; by default, the root.
    tip_link : str, optional
        Link to send to targets. By default, the leaf behind three parallel joints that has the
        fewest movable joints after them.
    floor : float, optional
        Height of a floor under the arm along base_link's z [m]; see `RobotArm.above`.
    max_bytes : int
        A longer text is refused without reading it.

    Returns
    -------
    RobotArm
        The arm, with all other joints held at 0. Joints that follow others are where these put
        them.

    Raises
    ------
    InvalidUrdfError
        If the description is invalid, cannot be read, or lacks one of these links.
    NoPlanarArmError
        If no three successive revolute joints have parallel axes, if several sets of three do, or
        if several tips are equally near to them.
    """
    return arm_in(urdf_text(urdf, max_bytes), base_link, tip_link, max_bytes).above(floor)


def arm_in(
    text: str | bytes, base_link: str | None, tip_link: str | None, max_bytes: int
) -> RobotArm:
    """Like `load_arm`, for the text of a URDF only: it never opens a file, whatever the text is."""
    tree = parse_urdf(text, max_bytes=max_bytes)
    return RobotArm(find_arm(tree, base_link, tip_link), tree.unmoved)
