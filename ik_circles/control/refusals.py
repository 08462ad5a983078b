# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Why what was asked of the arm is not done, with its code."""

from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code


class Refusal(IkCirclesError):
    """What was asked of the arm is not done: a target, a motion, a jog or a question.

    Parameters
    ----------
    code : Code
        Why not.
    message : str
        The reason as a sentence, with its figure and the fix.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotYet(Refusal):
    """The refusal of a target whose transform may still come."""
