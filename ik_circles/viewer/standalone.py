"""The page without ROS: a simulated arm in this process."""

import time
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

from ik_circles.control.decision import decide
from ik_circles.control.simulation import SimulatedArm
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.viewer.page import REFRESH_RATE, Page
from ik_circles.viewer.state import LastSecond, Snapshot, TargetAnswer

#: Longest time that the arm moves in one step [s]. While nobody watches, the arm stands still.
LONGEST_STEP = 0.1


class SimulatedBackend:
    """Decides about targets as the node does, and moves a simulated arm.

    `aim` and `set` may be called from any thread; `step` carries them out.
    """

    def __init__(self, arm: RobotArm, description: str) -> None:
        self._arm = arm
        self._simulated = SimulatedArm(arm.tree)
        self._state = Snapshot(arm, description, measured=dict(self._simulated.positions))
        self._requests: SimpleQueue[Target | tuple[str, str | float]] = SimpleQueue()
        self._answers = LastSecond()

    def aim(self, target: Target) -> None:
        """Send the arm to a target; a newer target replaces it."""
        self._requests.put(target)

    def set(self, name: str, value: str | float) -> None:
        """Change a setting."""
        self._requests.put((name, value))

    def step(self, duration: float) -> Snapshot:
        """Carry out the requests, move the arm for `duration` [s], and return what to show."""
        newest = None
        while not self._requests.empty():
            request = self._requests.get()
            if isinstance(request, Target):
                newest = request
            else:
                self._change(*request)
        if newest is not None:
            self._answer(newest)
        self._simulated.step(duration)
        measured = dict(self._simulated.positions)
        self._arm = self._arm.holding(measured)
        self._state = replace(
            self._state, arm=self._arm, measured=measured, rate=self._answers.count()
        )
        return self._state

    def _change(self, name: str, value: str | float) -> None:
        try:
            settings = replace(self._state.settings, **{name: value})  # type: ignore[arg-type]
            settings.zones(self._arm)
        except IkCirclesError as error:
            self._state = replace(self._state, notice=str(error))
            return
        self._state = replace(self._state, settings=settings, notice='')
        if self._state.target is not None:
            self._answer(self._state.target)

    def _answer(self, target: Target) -> None:
        begin = time.perf_counter()
        settings = self._state.settings
        decision = decide(self._arm, settings, target, self._simulated.positions)
        command = decision.command or {}
        solutions: list[NamedPositions] = []
        if command:
            self._simulated.command(list(command), list(command.values()))
            pose = self._arm.forward_kinematics(command)
            found = self._arm.check_reachability(
                pose[:3, 3].tolist(), rotation=pose[:3, :3], zones=settings.zones(self._arm)
            )
            solutions = found.solutions
        nearest = decision.nearest and decision.nearest[:3]
        answer = TargetAnswer(decision.code, decision.message, nearest, command, tuple(solutions))
        took = time.perf_counter() - begin
        self._answers.add()
        self._state = replace(self._state, target=target, answer=answer, latency=took)


def serve(arm: RobotArm, description: str, folder: Path | None, host: str, port: int) -> None:
    """Serve the page until Ctrl-C; the address goes to standard output.

    `folder` is the folder of the URDF, for relative names of mesh files.
    """
    backend = SimulatedBackend(arm, description)
    page = Page(backend, host, port, folder)
    print(f'open {page.address} in a browser; Ctrl-C ends it', flush=True)
    before = time.monotonic()
    try:
        while True:
            time.sleep(1.0 / REFRESH_RATE)
            now = time.monotonic()
            duration, before = min(now - before, LONGEST_STEP), now
            if page.watched:
                page.show(backend.step(duration))
    finally:
        page.close()
