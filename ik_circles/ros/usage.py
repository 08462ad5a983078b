"""What a node prints for --help: what it does, how to start it, and its parameters."""

import argparse
import sys
import textwrap

from rclpy.utilities import remove_ros_args

from ik_circles.control.parameters import Parameter, parameters_of

#: Width of the text [characters].
WIDTH = 100


def explain(name: str, what: str, *groups: type) -> None:
    """End with the help if it is asked for, and with exit code 2 for any other argument."""
    parser = argparse.ArgumentParser(
        prog=name,
        usage=f'{name} [--help] [--ros-args -p NAME:=VALUE ... -r FROM:=TO ...]',
        description=what,
        epilog='\n'.join([
            f'for example: {name} --ros-args -p urdf_file:=so101',
            '',
            described(*groups),
        ]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    own_arguments(parser)


def own_arguments(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments that are not for ROS; the program ends with a sentence if ROS has no use for
    the others."""
    try:
        own = remove_ros_args(sys.argv)[1:]
    except Exception as error:  # rclpy has several, some of them private
        parser.exit(1, f'cannot start: {" ".join(str(error).split())}\n')
    return parser.parse_args(own)


def described(*groups: type) -> str:
    """The parameters of some groups, a paragraph each."""
    return '\n'.join(
        ['parameters:', *(_line(one) for group in groups for one in parameters_of(group))]
    )


def _line(one: Parameter) -> str:
    unit = f' [{one.unit}]' if one.unit else ''
    default = list(one.default) if isinstance(one.default, tuple) else one.default
    text = f'{one.name}{unit}, default {default!r}: {one.sentence}'
    return textwrap.fill(text, WIDTH, initial_indent='  ', subsequent_indent='      ')
