# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles view`: see the arm and steer it in a browser, without ROS."""

from argparse import ArgumentParser, Namespace

from ik_circles.cli import arms
from ik_circles.control.floor import stands
from ik_circles.robot.load import load_arm
from ik_circles.robot.shipped import file_of

SUMMARY = 'see the arm and steer it in a browser, without ROS'


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    arms.add_arguments(parser)
    arms.add_floor(parser)
    parser.add_argument('--host', default='127.0.0.1', help='address to serve the page on')
    parser.add_argument('--port', type=int, default=8080, help='port; 0 takes any free one')


def run(options: Namespace) -> bool:
    """Serve the page until Ctrl-C."""
    from ik_circles.viewer.description import description_of
    from ik_circles.viewer.standalone import serve

    given = arms.given_arm(options)
    path = None if options.urdf is None else file_of(options.urdf)
    description = path.read_text() if path else description_of(given.planar)
    folder = path.parent if path else None
    arm = given.arm or load_arm(description, floor=options.floor)
    if options.floor is None and stands(arm):
        arm = arm.above(0.0)
    serve(arm, description, folder, options.host, options.port)
    return True
