"""`ik-circles view`: see the arm and steer it in a browser, without ROS."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ik_circles.cli import arms
from ik_circles.cli.command import OK, Command
from ik_circles.robot.arm import load_arm


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    arms.add_arguments(parser)
    parser.add_argument('--host', default='127.0.0.1', help='address to serve the page on')
    parser.add_argument('--port', type=int, default=8080, help='port; 0 takes any free one')


def run(options: Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from ik_circles.viewer.description import description_of
    from ik_circles.viewer.standalone import serve

    given = arms.given_arm(options)
    if given.arm is None:
        description = description_of(given.planar)
        serve(load_arm(description), description, None, options.host, options.port)
    else:
        path = Path(options.urdf)
        serve(given.arm, path.read_text(), path.parent, options.host, options.port)
    return OK


COMMAND = Command(
    'view', 'see the arm and steer it in a browser, without ROS', add_arguments, run
)
