# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An open page that a test tells what there is to show, and what its user does."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

import pytest
from page_socket import DRAG, Socket, page_at
from viewer_arms import ARMS, TEXTS

from ik_circles.control.target import Target
from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.page import Page
from ik_circles.viewer.state import NO_ARRIVAL, Arrival, Snapshot

#: Longest wait for one condition [s]; the machine may be busy.
PATIENCE = 60.0


class Asked:
    """A backend that does nothing, and keeps what it is asked for."""

    def __init__(self) -> None:
        self.targets: list[Target] = []
        self.newest: Target | None = None
        self.moves: list[Mapping[str, float]] = []
        self.speeds: list[float] = []
        self.arrivals: list[Arrival] = []
        self.stops = 0

    def aim(self, target: Target) -> None:
        self.targets.append(target)
        self.newest = target

    def move_joints(
        self, positions: Mapping[str, float], speed: float, there: Arrival = NO_ARRIVAL
    ) -> None:
        self.moves.append(positions)
        self.speeds.append(speed)
        self.arrivals.append(there)
        self.newest = there.target

    def move(self, target: Target, speed: float) -> None:
        self.speeds.append(speed)

    def stop(self) -> None:
        self.stops += 1

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: None


class Visitor:
    """What an open page has been told, and what its user does, at the page's socket."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket

    def hear(self, condition: Callable[[], bool]) -> None:
        """Hear what the page is told until a condition holds; else TimeoutError."""
        while not condition():
            self.socket.hear()

    def _said(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.socket.heard if one['type'] == kind]

    @property
    def ball(self) -> tuple[float, ...]:
        """Where the ball is [m]."""
        said = reversed(self._said('SetPositionMessage'))
        return next((tuple(one['position']) for one in said if one['name'] == '/target'), ())

    def newest(self, kind: str) -> str:
        """The newest HTML with an element of this class; '' before there is one."""
        contents = [str(one['updates'].get('content')) for one in self._said('GuiUpdateMessage')]
        return next((one for one in reversed(contents) if f'class="{kind}"' in one), '')

    def control(self, label: str) -> str:
        """The number of a control."""
        said = (one for one in self.socket.heard if 'props' in one and 'uuid' in one)
        return next(one['uuid'] for one in said if one['props'].get('label') == label)

    def slider(self, joint: str) -> str:
        """What the slider of a joint is called."""
        labels = (str(one['props'].get('label')) for one in self._said('GuiSliderMessage'))
        return next(label for label in labels if label.startswith(f'{joint} '))

    def values(self, label: str, of: str = 'value') -> list[object]:
        """What a control has been told to show."""
        return self.updates(self.control(label), of)

    def updates(self, number: str, of: str) -> list[object]:
        """The same of the control of a number."""
        updates = [one for one in self._said('GuiUpdateMessage') if one['uuid'] == number]
        return [one['updates'][of] for one in updates if of in one['updates']]

    def set(self, label: str, value: object = True) -> None:
        """Press a button, or change a control."""
        uuid = self.control(label)
        self.socket.say({'type': 'GuiUpdateMessage', 'uuid': uuid, 'updates': {'value': value}})

    def drag(self, to: tuple[float, ...]) -> None:
        """Drag the ball, which is seen from straight above."""
        start = self.ball
        for phase, end in (('start', start), ('update', to), ('end', to)):
            at = {'start_position': start, 'end_position': end}
            self.socket.say({**DRAG, 'phase': phase, **at})


class User(Visitor):
    """An open page, and the server that is told what there is to show."""

    def __init__(self, stack: ExitStack, name: str = 'planar_3r') -> None:
        arm, self.asked = ARMS[name], Asked()
        self._page = Page(self.asked, '127.0.0.1', 0, MeshFiles())
        stack.callback(self._page.close)
        super().__init__(stack.enter_context(page_at(self._page.address)))
        self._state = Snapshot(
            arm, TEXTS[name], measured=dict.fromkeys(arm.commanded_joints, 0.0)
        )
        self.socket.hear_of('Home')  # else controls may be called as the first robot has them
        self.show()
        tip = arm.forward_kinematics(self._state.measured)[:3, 3]
        self.hear(lambda: self.ball == pytest.approx(tip))

    def show(self, **changes: Any) -> None:
        self._state = replace(self._state, **changes)
        self._page.show(self._state)

    def see(self, condition: Callable[[], bool]) -> None:
        """Show what there is again and again, and hear, until a condition holds."""

        def seen() -> bool:
            self.show()
            with suppress(TimeoutError):
                self.socket.hear(0.1)
            return condition()

        waits(seen)

    def stop(self) -> None:
        """Press Stop, and wait until the page has done that and all before it."""
        count = self.asked.stops
        self.set('Stop')
        waits(lambda: self.asked.stops > count)


def waits(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)
