"""What a command is, and its exit codes."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple

OK, UNREACHABLE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class Command(NamedTuple):
    """A command: `run` does it and returns the exit code; `summary` is its line in the help."""

    name: str
    summary: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
    description: str | None = None
