# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An argument parser that accepts -1e-3 as a number, and each option once.

Before Python 3.14, argparse takes a negative number with an exponent for an option
(https://github.com/python/cpython/issues/105712). It has no setting for that, so this module sets a
private attribute of the parser. Remove it once Python 3.14 is the oldest supported version.
"""

import argparse
import re
from typing import Any

NEGATIVE_NUMBER = re.compile(r'-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$')


class Once(argparse.Action):
    """Stores a value; a second one is refused, where argparse would take it without a word."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the value of an option or an argument."""
        if getattr(namespace, self.dest, self.default) is not self.default:
            raise argparse.ArgumentError(self, 'given twice; give it once')
        setattr(namespace, self.dest, values)


class NumberParser(argparse.ArgumentParser):
    """An ArgumentParser that accepts -1e-3 as a number, and each option once.

    Its subparsers have the same class.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._negative_number_matcher = NEGATIVE_NUMBER
        self.register('action', None, Once)
