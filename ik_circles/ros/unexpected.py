# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Exceptions that nobody expects: the node answers, says where they come from, and goes on."""

import functools
import traceback
from collections.abc import Callable

import rclpy

from ik_circles.control.refusals import Refusal
from ik_circles.errors import IkCirclesError
from ik_circles.geometry.arguments import Answer, Arguments
from ik_circles.reasons import Code

#: The same exception may come with every message; it is logged at most once in this time [s].
LOGGED = 1.0


def log_unexpected(error: Exception) -> None:
    """Say what has happened, and where."""
    where = ''.join(traceback.format_exception(error))
    rclpy.logging.get_logger('ik_circles').error(
        f'an error inside the node, which goes on; please report it: {where}',
        throttle_duration_sec=LOGGED,
    )


def refused(call: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """The same function, but an unexpected exception becomes a Refusal, answered like any other."""

    @functools.wraps(call)
    def answered(*given: Arguments.args, **named: Arguments.kwargs) -> Answer:
        try:
            return call(*given, **named)
        except IkCirclesError:
            raise
        except Exception as error:
            log_unexpected(error)
            raise Refusal(
                Code.NO_MODEL,
                f'an error inside the node ({type(error).__name__}: {error}); please report what '
                'its log says',
            ) from error

    return answered
