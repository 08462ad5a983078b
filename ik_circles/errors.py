# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Exceptions for bad input. Unreachable is an answer, not an exception."""


class IkCirclesError(ValueError):
    """Base of everything this package raises; the message names the value, the rule and the fix."""


class NotFiniteError(IkCirclesError):
    """A number is NaN or infinite."""


class InvalidArmError(IkCirclesError):
    """Numbers do not describe an arm or a question to it: their kind, count or size is wrong."""


class InvalidUrdfError(IkCirclesError):
    """The robot description is not a sound URDF."""


class NoPlanarArmError(IkCirclesError):
    """The robot has no three successive joints with parallel axes, or more than one such set."""


class InvalidSettingError(IkCirclesError):
    """A setting (branch, orientation mode, margin, …) has a value outside its choices."""
