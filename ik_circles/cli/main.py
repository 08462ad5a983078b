# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The entry point of `ik-circles`.

Exit code 0: reachable; 1: not reachable; 2: bad input, with a sentence on standard error.
"""

import argparse
import sys
from collections.abc import Sequence

from ik_circles import __version__
from ik_circles.cli import line, methods, output, reach, robots, solve, view, workspace
from ik_circles.cli.argparse_numbers import NumberParser
from ik_circles.errors import IkCirclesError

OK, UNREACHABLE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
COMMANDS = {
    'solve': solve, 'reach': reach, 'workspace': workspace, 'methods': methods, 'view': view,
    'robots': robots, 'line': line,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    try:
        output.check_plot(options.plot)
        reachable = options.run(options)
        sys.stdout.flush()
        return OK if reachable else UNREACHABLE
    except IkCirclesError as error:
        return _failed(str(error))
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return OK
    except OSError as error:
        return _failed(f'{error.filename or "standard output"}: {error.strerror}')
    except ValueError as error:  # a file that is not text
        return _failed(' '.join(str(error).split()))
    except ModuleNotFoundError as error:
        return _failed(
            f"--plot needs {error.name}; run pip install '.[plot]' in the repository of ik_circles"
        )
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = NumberParser(
        prog='ik-circles', description='Can this arm get there, and with which joint angles?'
    )
    parser.add_argument('--version', action='version', version=f'%(prog)s {__version__}')
    parser.set_defaults(run=None, plot=None)  # without a command; for commands that draw nothing
    subparsers = parser.add_subparsers(metavar='COMMAND')
    for name, command in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=command.SUMMARY, description=command.SUMMARY)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _failed(sentence: str) -> int:
    print(f'ik-circles: {sentence}', file=sys.stderr)
    return BAD_INPUT
