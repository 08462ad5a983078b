"""The page on the core alone: a simulated arm in this process, without ROS."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue

from ik_circles.control.decision import decide
from ik_circles.control.settings import Settings
from ik_circles.control.simulation import SimulatedArm
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.planar.arm import PlanarArm
from ik_circles.robot.arm import RobotArm, SpatialPose
from ik_circles.viewer.page import RATE, Page
from ik_circles.viewer.state import Answer, Rate, Snapshot

#: Longest time that the arm moves at once [s]: while nobody looks it stands still.
LONGEST_STEP = 0.1


class CoreBackend:
    """Decides about targets as the node does, and moves a simulated arm.

    `aim` and `set` are called from any thread; what they ask for is done in `step`.
    """

    def __init__(self, chain: RobotArm, description: str) -> None:
        self._chain = chain
        self._arm = SimulatedArm(chain.tree)
        self._state = Snapshot(chain, description, measured=dict(self._arm.positions))
        self._asked: SimpleQueue[Target | tuple[str, str | float]] = SimpleQueue()
        self._answers = Rate()

    def aim(self, target: Target) -> None:
        """Send the arm to a target; a newer one takes its place."""
        self._asked.put(target)

    def set(self, name: str, value: str | float) -> None:
        """Change a setting."""
        self._asked.put((name, value))

    def step(self, duration: float) -> Snapshot:
        """Do what was asked for, move the arm for `duration` [s]; what is to be shown."""
        newest = None
        try:
            while True:
                asked = self._asked.get_nowait()
                if isinstance(asked, Target):
                    newest = asked
                else:
                    self._set(*asked)
        except Empty:
            pass
        if newest is not None:
            self._answer(newest)
        self._arm.step(duration)
        measured = dict(self._arm.positions)
        self._state = replace(self._state, measured=measured, rate=self._answers.count())
        return self._state

    def _set(self, name: str, value: str | float) -> None:
        try:
            settings = replace(self._state.settings, **{name: value})  # type: ignore[arg-type]
            settings.zones(self._chain)
        except IkCirclesError as error:
            self._state = replace(self._state, notice=str(error))
            return
        self._state = replace(self._state, settings=settings, notice='')
        if self._state.target is not None:
            self._answer(self._state.target)

    def _answer(self, target: Target) -> None:
        begin = time.perf_counter()
        settings = self._state.settings
        decision = decide(self._chain, settings, target, self._arm.positions)
        command = decision.command or {}
        if command:
            self._arm.command(list(command), list(command.values()))
        answer = Answer(
            decision.code,
            decision.message,
            _position(decision.nearest),
            command,
            tuple(self._solutions(settings, command)),
        )
        took = time.perf_counter() - begin
        self._answers.add()
        self._state = replace(self._state, target=target, answer=answer, latency=took)

    def _solutions(self, settings: Settings, command: dict[str, float]) -> list[dict[str, float]]:
        """Every way to be where the command has the tip."""
        if not command:
            return []
        pose = self._chain.forward_kinematics(command)
        found = self._chain.check_reachability(
            pose[:3, 3].tolist(), rotation=pose[:3, :3], zones=settings.zones(self._chain)
        )
        return found.solutions


def _position(pose: SpatialPose | None) -> tuple[float, float, float] | None:
    return None if pose is None else (pose.x, pose.y, pose.z)


def serve(
    chain: RobotArm, description: str, folder: Path | None, host: str, port: int
) -> None:
    """Serve the page until Ctrl-C; the address goes to standard output."""
    backend = CoreBackend(chain, description)
    page = Page(backend, host, port, folder)
    print(f'open {page.address} in a browser; Ctrl-C ends it', flush=True)
    before = time.monotonic()
    try:
        while True:
            time.sleep(1.0 / RATE)
            now = time.monotonic()
            duration, before = min(now - before, LONGEST_STEP), now
            if page.watched:
                page.show(backend.step(duration))
    finally:
        page.close()


def description_of(arm: PlanarArm) -> str:
    """A URDF of the arm in the plane z = 0 of base_link, its joints q1, q2 and q3 about z."""
    before, joints = 'base_link', []
    offsets = (0.0, *arm.link_lengths[:2])
    for number, (offset, limits) in enumerate(zip(offsets, arm.joint_limits or 3 * (None,)), 1):
        kind = 'continuous' if limits is None else 'revolute'
        lower, upper = limits or (0.0, 0.0)
        bounds = '' if limits is None else f'lower="{lower!r}" upper="{upper!r}"'
        joints.append(
            f'<link name="link_{number}"/><joint name="q{number}" type="{kind}">'
            f'<parent link="{before}"/><child link="link_{number}"/>'
            f'<origin xyz="{offset!r} 0 0"/><axis xyz="0 0 1"/>'
            f'<limit {bounds} effort="1" velocity="2"/></joint>'
        )
        before = f'link_{number}'
    return (
        f'<robot name="arm"><link name="base_link"/>{"".join(joints)}'
        '<link name="tip"/><joint name="tip_joint" type="fixed"><parent link="link_3"/>'
        f'<child link="tip"/><origin xyz="{arm.link_lengths[2]!r} 0 0"/></joint></robot>'
    )
