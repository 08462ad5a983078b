# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles robots`: the robots that come with this package; a name stands for its URDF."""

from argparse import ArgumentParser, Namespace

from ik_circles.cli import output
from ik_circles.robot.load import load_arm
from ik_circles.robot.shipped import shipped

SUMMARY = 'the robots that come with this package'


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    output.add_json(parser)


def run(options: Namespace) -> bool:
    """Print the name of each robot, and which of its joints are solved or held."""
    arms = {name: load_arm(file) for name, file in shipped().items()}
    values = {
        name: {
            'base_link': arm.base_link,
            'tip_link': arm.tip_link,
            'yaw_joint': arm.yaw_joint,
            'three_joints': list(arm.joint_names),
            'wrist_joints': list(arm.wrist_joints),
            'held_joints': list(arm.held),
        }
        for name, arm in arms.items()
    }
    if options.json:
        output.print_json(values)
    else:
        head = 'robot', 'base_link', 'tip_link', 'yaw', 'three', 'wrist', 'held'
        rows = [[name, *map(output.text, one.values())] for name, one in values.items()]
        output.print_table(head, rows)
    return True
