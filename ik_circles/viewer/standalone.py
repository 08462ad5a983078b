# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page without ROS: a simulated arm in this process."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from ik_circles.control.decision import decide
from ik_circles.control.home import start_positions
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.mover import Mover
from ik_circles.control.moves.plan import State
from ik_circles.control.moves.playing import Playing
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import MotionParameters
from ik_circles.control.simulation import SimulatedArm, TrajectoryPoint
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.page import REFRESH_RATE, Page
from ik_circles.viewer.state import NO_ARRIVAL, Arrival, LastSecond, Snapshot, TargetAnswer
from ik_circles.viewer.targets import answer_of

#: Longest time that the arm moves in one step [s]. The arm stands still while nobody watches.
LONGEST_FRAME = 0.1
#: How fast the arm may accelerate, and what else a node takes from its parameters.
MOTION = MotionParameters()


class SimulatedBackend:
    """Decides about targets as the node does, and moves a simulated arm.

    `step` carries out what the other public methods ask for, which any thread may call.
    """

    def __init__(self, arm: RobotArm, description: str) -> None:
        self._arm = arm
        self._simulated = SimulatedArm(arm.tree, start=start_positions(arm))
        self._state = Snapshot(arm, description, measured=dict(self._simulated.positions))
        self._requests: SimpleQueue[Target | Callable[[], object]] = SimpleQueue()
        self._answers = LastSecond()
        self._mover = Mover(enabled=True)
        self._played: Playing | None = None
        self._now = 0.0
        self._aimed: Target | None = None
        self._there = NO_ARRIVAL

    def aim(self, target: Target) -> None:
        """Send the arm to a target; a newer target replaces it."""
        self._requests.put(target)

    def move(self, target: Target, speed: float) -> None:
        """Move the tip straight to a target, at a share of the full speed."""
        self._requests.put(partial(self._move, Wish(target, straight=True, speed=speed)))

    def move_joints(
        self, positions: Mapping[str, float], speed: float, there: Arrival = NO_ARRIVAL
    ) -> None:
        """Move joints to positions by name [rad or m], at a share of the full speed."""
        self._requests.put(partial(self._move, Wish(joints=positions, speed=speed), there))

    def stop(self) -> None:
        """Bring the arm to rest."""
        why = 'canceled; the arm was brought to rest'
        self._requests.put(partial(self._rest, Code.CANCELED, why))

    def enable(self, enabled: bool) -> None:
        """Let the arm move, or bring it to rest and let it move no more."""
        self._requests.put(partial(self._enable, enabled))

    def set(self, name: str, value: str | float, again: bool) -> None:
        """Change a setting; if `again`, aim at the last target of `aim` once more."""
        self._requests.put(partial(self._change, name, value, again))

    def step(self, duration: float) -> Snapshot:
        """Carry out the requests, move the arm for `duration` [s], and return what to show."""
        newest = None
        while not self._requests.empty():
            request = self._requests.get()
            if isinstance(request, Target):
                newest = request
            else:
                request()
        if newest is not None:
            self._aimed = newest
            self._answer(newest)
        self._play()
        self._simulated.step(duration)
        self._now += duration
        measured = dict(self._simulated.positions)
        self._arm = self._arm.holding(measured)
        self._state = replace(
            self._state,
            arm=self._arm,
            measured=measured,
            rate=self._answers.count(),
            enabled=self._mover.enabled,
            share=self._mover.share(self._now) if self._mover.motion else None,
        )
        return self._state

    # --- motions ---

    def _move(self, wish: Wish, there: Arrival = NO_ARRIVAL) -> None:
        """Begin a motion, or answer why not."""
        self._aimed, self._there = None, there
        self._state = replace(self._state, target=wish.target or there.target, answer=None)
        positions, velocities = self._simulated.positions, self._simulated.velocities
        state = State(dict(positions), dict(velocities))
        if self._mover.motion is not None:
            state = self._mover.state(self._now, dict(positions))
        try:
            self._mover.check_free(is_goal=True)
            planned = plan(self._arm, self._state.settings, MOTION, wish, state)
        except IkCirclesError as error:
            self._tell(error.code if isinstance(error, Refusal) else Code.NO_MODEL, str(error))
            return
        self._mover.begin(Playing(planned, self._now), is_goal=True)

    def _play(self) -> None:
        """Let the simulated arm follow a motion that has begun or changed, and end it when it is
        done."""
        motion = self._mover.motion
        if not isinstance(motion, Playing):
            return
        if motion is not self._played:
            self._played = motion
            waypoints = motion.plan.trajectory.waypoints
            points = [TrajectoryPoint(*one) for one in waypoints if one.time > 0.0]
            self._simulated.follow(motion.joints, points)
        self._mover.hear(motion.joints, self._now)
        ending = self._mover.step(self._now, MOTION, self._simulated.positions).ending
        if ending is None:
            return
        if ending.code is Code.OK and self._there.answer is not None:
            answer, self._aimed = self._with_solutions(self._there.answer), self._there.target
            self._state = replace(self._state, answer=answer)
        else:
            self._tell(ending.code, ending.message or 'arrived')

    def _enable(self, enabled: bool) -> None:
        self._mover.enabled = enabled
        if enabled:
            return
        self._rest(Code.DISABLED, 'the arm was disabled while it moved, and brought to rest')

    def _rest(self, code: Code, why: str) -> None:
        """End a motion, or stop on the way to a target, for this reason."""
        self._mover.stop(code, why, self._now)
        if self._mover.motion is None and any(self._simulated.velocities.values()):
            self._simulated.follow((), ())
            self._aimed = None
            self._tell(code, why)

    def _tell(self, code: Code, message: str) -> None:
        self._state = replace(self._state, answer=TargetAnswer(code, message))

    # --- targets and settings ---

    def _change(self, name: str, value: str | float, again: bool) -> None:
        try:
            settings = replace(self._state.settings, **{name: value})  # type: ignore[arg-type]
            settings.zones(self._arm)
        except IkCirclesError as error:
            self._state = replace(self._state, notice=str(error))
            return
        self._state = replace(self._state, settings=settings, notice='')
        if again and self._aimed is not None:
            self._answer(self._aimed)

    def _answer(self, target: Target) -> None:
        begin = time.perf_counter()
        try:
            self._mover.check_free()
        except Refusal as refusal:
            self._state = replace(self._state, target=target)
            self._tell(refusal.code, str(refusal))
            return
        settings = self._state.settings
        measured = dict(self._simulated.positions)
        decision = decide(self._arm, settings, target, measured)
        command = decision.command or {}
        if command:
            self._simulated.command(list(command), list(command.values()))
        answer = self._with_solutions(answer_of(self._arm, settings, target, decision, measured))
        took = time.perf_counter() - begin
        self._answers.add()
        self._state = replace(self._state, target=target, answer=answer, latency=took)

    def _with_solutions(self, answer: TargetAnswer) -> TargetAnswer:
        """An answer with every solution at the pose of its command."""
        if not answer.command:
            return answer
        arm, settings = self._arm, self._state.settings
        pose = arm.forward_kinematics(answer.command)
        found = arm.check_reachability(
            pose[:3, 3].tolist(), rotation=pose[:3, :3], zones=settings.zones(arm)
        )
        return replace(answer, solutions=tuple(found.solutions))


def serve(arm: RobotArm, description: str, folder: Path | None, host: str, port: int) -> None:
    """Serve the page until Ctrl-C; the address goes to standard output.

    `folder` is the folder of the URDF, for relative names of mesh files.
    """
    backend = SimulatedBackend(arm, description)
    page = Page(backend, host, port, MeshFiles(folder))
    print(f'open {page.address} in a browser; Ctrl-C ends it', flush=True)
    before = time.monotonic()
    try:
        while True:
            time.sleep(1.0 / REFRESH_RATE)
            now = time.monotonic()
            duration, before = min(now - before, LONGEST_FRAME), now
            if page.watched:
                page.show(backend.step(duration))
    finally:
        page.close()
