# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The exceptions for a refused request, with the code of the reason."""

from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code


class Refusal(IkCirclesError):
    """A target, a motion, a jog or a question is refused.

    Parameters
    ----------
    code : Code
        The code of the reason.
    message : str
        The reason as a sentence, with its figure and the fix.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotYet(Refusal):
    """The refusal of a target whose transform may still come."""
