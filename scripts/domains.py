# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""ROS domains of runs that must not meet: a run holds the lock of its domain while it lives.

`take()` is for a Python process. `python scripts/domains.py NAME PROGRAM ...` is for the others: it
says which domain it has taken, unless ROS_DOMAIN_ID is set, and becomes the program. The kernel
frees a lock when its process has ended, however it ended.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

#: Above 101, the ports of DDS are among those that Linux gives to any program (32768 and up).
DOMAINS = range(1, 102)
#: The same for every user and checkout, whatever their TMPDIR is: their nodes share one machine.
FOLDER = Path('/tmp')


def take(domains: Sequence[int] = DOMAINS) -> int:
    """A domain that no other process has, until this one ends."""
    start = os.getpid() % len(domains)  # seldom the one freed last: nodes may linger
    for domain in (*domains[start:], *domains[:start]):
        if locked(FOLDER / f'ik_circles.ros_domain.{domain}.lock'):
            return domain
    raise RuntimeError(f'no ROS domain is free: see {FOLDER}/ik_circles.ros_domain.*.lock')


def locked(path: Path) -> bool:
    """Whether this process has locked the file, which it then keeps open."""
    import fcntl  # not on Windows, where there are no nodes to test

    try:
        file = os.open(path, os.O_RDONLY | (0 if path.exists() else os.O_CREAT), 0o644)
    except OSError:
        return False  # that of a user who lets nobody read it
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return False
    os.set_inheritable(file, True)  # for the program that this process may become
    return True


def main() -> None:
    """Become a program in a domain of its own, or in that of the shell."""
    name, *command = sys.argv[1:]
    try:
        domain = os.environ.get('ROS_DOMAIN_ID') or str(take())
    except RuntimeError as error:
        sys.exit(f'{name}: {error}')
    print(f'{name}: in ROS_DOMAIN_ID={domain}', file=sys.stderr, flush=True)
    os.execve(command[0], command, {**os.environ, 'ROS_DOMAIN_ID': domain})


if __name__ == '__main__':
    main()
