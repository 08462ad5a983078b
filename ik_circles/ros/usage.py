# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a node prints for --help: what it does, how to start it, and its parameters."""

import argparse
import os
import sys
import textwrap

from rclpy.utilities import remove_ros_args

from ik_circles.control.parameters import Parameter, parameters_of
from ik_circles.robot.text import shown

#: Width of the text [characters].
WIDTH = 100
#: The last domain whose ports exist: DDS gives each domain 250 ports, from 7400 on. Above this
#: domain, Fast DDS aborts the program.
LAST_DOMAIN = 232


def explain(name: str, what: str, *groups: type) -> None:
    """Print the help and end if it is asked for; end with exit code 2 for any other argument."""
    parser = argparse.ArgumentParser(
        prog=name,
        usage=f'{name} [--help] [--ros-args -p urdf_file:=FILE -p NAME:=VALUE ... -r FROM:=TO ...]',
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
    """The arguments that are not for ROS. If ROS refuses its arguments or ROS_DOMAIN_ID, the
    program ends with a sentence."""
    try:
        own = remove_ros_args(sys.argv)[1:]
    except Exception as error:  # rclpy has several, some of them private
        said = ' '.join(str(error).split())
        if type(error).__name__ == 'UnknownROSArgsError':  # it has the list of them, and no word
            said = f'ROS does not know {said}; a parameter needs -p before it, a new name -r'
        parser.exit(1, f'cannot start: {said}\n')
    arguments = parser.parse_args(own)
    problem = domain_problem(os.getenv('ROS_DOMAIN_ID', ''))
    if problem:
        parser.exit(1, f'cannot start: {problem}\n')
    return arguments


def domain_problem(domain: str) -> str | None:
    """What is wrong with a ROS_DOMAIN_ID, if anything; an empty one is 0.

    ROS would read '7abc' as 7, and take some domain for -1. Both are refused here, too.
    """
    if not domain or (domain.isascii() and domain.isdecimal() and int(domain) <= LAST_DOMAIN):
        return None
    return (
        f'ROS_DOMAIN_ID is {shown(domain)!r}; it must be a whole number from 0 to {LAST_DOMAIN}: '
        'export ROS_DOMAIN_ID=0, or unset it'
    )


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
