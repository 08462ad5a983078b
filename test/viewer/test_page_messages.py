# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many pages, and pages that send garbage: they cost the others nothing."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Event, Thread

import numpy as np
import pytest
from msgspec import msgpack
from page_socket import CAMERA, DRAG, Socket, page_at
from viewer_arms import ARMS, TEXTS
from websockets.exceptions import ConnectionClosed

from ik_circles.viewer.mesh_files import MeshFiles
from ik_circles.viewer.page import REFRESH_RATE, Page
from ik_circles.viewer.page_messages import BURST, LONGEST_MESSAGE, RATE, is_sound
from ik_circles.viewer.standalone import SimulatedBackend

PAGES = 20
#: Reach of planar_3r, and where its tip is at first [m].
REACH = 0.9
#: Longest wait for an answer [s]; the machine may be busy.
PATIENCE = 60.0
GUI = {'type': 'GuiUpdateMessage', 'uuid': 'x', 'updates': {'value': 1}}


class Served:
    """A page of the simulated planar_3r, shown again and again, and its open pages."""

    def __init__(self, stack: ExitStack) -> None:
        self.backend = SimulatedBackend(ARMS['planar_3r'], TEXTS['planar_3r'])
        self.page = Page(self.backend, '127.0.0.1', 0, MeshFiles())
        stack.callback(self.page.close)
        self.errors: list[Exception] = []
        self._at = REACH, 0.0, 0.0
        self._ended = Event()
        thread = Thread(target=self._show)
        thread.start()
        stack.callback(thread.join)
        stack.callback(self._ended.set)

    def _show(self) -> None:
        while not self._ended.wait(1.0 / REFRESH_RATE):
            try:
                self.page.show(self.backend.step(1.0 / REFRESH_RATE))
            except Exception as error:
                self.errors.append(error)


    def drag(self, page: Socket) -> str:
        """Drag the ball from where it is to where it was not, and return what is said of that."""
        to = self._at[0] + 1.0, 0.0, 0.0
        for phase in ('start', 'update', 'end'):
            page.say({**DRAG, 'phase': phase, 'start_position': self._at, 'end_position': to})
        self._at = to
        return f'Too far by {to[0] - REACH:.3f} m'

    def answers(self, page: Socket) -> bool:
        """Whether the page gets the answer to a target that it drags."""
        page.hear_of(self.drag(page))
        return True


@pytest.fixture
def served() -> Iterator[Served]:
    with ExitStack() as stack:
        served = Served(stack)
        yield served
        assert not served.errors


def test_of_many_pages_each_works_and_each_sees_what_another_does(served: Served) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(page_at(served.page.address)) for _ in range(PAGES)]
        for page in pages:
            page.hear_of('/robot')
        for page in pages:
            said = served.drag(page)
            for other in pages:
                other.hear_of(said)


def test_a_page_that_does_not_listen_delays_nobody(served: Served) -> None:
    deaf = page_at(served.page.address, max_queue=1, close_timeout=0.1)
    with deaf, page_at(served.page.address) as page:
        page.hear_of('/robot')
        for _ in range(20):
            assert served.answers(page)


def _noise() -> list[bytes | str]:
    rng = np.random.default_rng(7)
    return [
        *(rng.bytes(length) for length in (1, 10, 100, 1000, 10_000)),
        b'', '', 'text', b'\x91' * 20_000, b'\x81' * 20_000, b'\xdf\xff\xff\xff\xff',
        bytes(LONGEST_MESSAGE + 1), bytes(10_000_000),
    ]  # fmt: skip


def _wrong() -> list[object]:
    """Messages in the right format that no control sends."""
    values = 'x', None, float('nan'), float('inf'), [], ['x'], {'x': 1}, [1, 2], 'x' * 2000, [[1]]
    return [
        None, 1, [], {}, {'type': 1}, {'type': 'Nothing'}, {'type': 'Message'}, {'type': []},
        *({**CAMERA, 'position': value} for value in values),
        *({**CAMERA, 'fov': value} for value in values),
        *({**DRAG, 'end_position': value} for value in values),
        *({**DRAG, 'name': value} for value in values if value != 'x'),
        {**DRAG, 'phase': 'x'}, {**DRAG, 'more': 1}, {**DRAG, 'end_position': (1e300, 0.0, 0.0)},
        *({**GUI, 'updates': {'value': values[number]}} for number in (2, 3, 6, 8)),
        {**GUI, 'updates': {'removed': True}}, {**GUI, 'updates': {'update_cb': 1, 'value': 1}},
        {**GUI, 'uuid': 5}, {**GUI, 'updates': 5}, {**GUI, 'updates': {'value': 100 * [1]}},
        {'type': 'ShareUrlRequest'}, {'type': 'ShareUrlDisconnect'},
        {'type': 'FileTransferStartUpload', 'source_component_uuid': 'x', 'transfer_uuid': 'x',
         'filename': 'x', 'mime_type': 'x', 'part_count': 1, 'size_bytes': 1},
        {'type': 'RunJavascriptMessage', 'source': 'alert(1)'},
    ]  # fmt: skip


def test_what_the_controls_send_is_sound() -> None:
    right = CAMERA, DRAG, {**DRAG, 'phase': 'start'}, {**CAMERA, 'fov': 1}, GUI
    values = True, -1.5, 'nearest', None, [1.0, 2.0], (1, 'x')
    for message in (*right, *({**GUI, 'updates': {'value': value}} for value in values)):
        assert is_sound(msgpack.encode(message)), message


@pytest.mark.parametrize('number', range(len(_noise()) + len(_wrong())))
def test_anything_else_is_not(number: int) -> None:
    message = (_noise() + [msgpack.encode(one) for one in _wrong()])[number]
    assert not is_sound(message)


def test_a_page_that_sends_garbage_costs_the_others_nothing(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    garbage = [*_noise(), *map(msgpack.encode, _wrong())]
    with page_at(served.page.address) as page, page_at(served.page.address) as bad:
        page.hear_of('/robot')
        for message in garbage:
            if len(message) <= LONGEST_MESSAGE:
                bad.say(message)
        assert served.answers(bad)  # all before is left out
        assert served.answers(page)
    assert len([one for one in caplog.records if 'no control sends' in one.getMessage()]) == 1
    assert not [record for record in caplog.records if record.exc_info]


def test_a_page_that_sends_too_much_at_once_is_closed(served: Served) -> None:
    for message in (bytes(LONGEST_MESSAGE + 1), bytes(10_000_000), (LONGEST_MESSAGE + 1) * 'x'):
        with page_at(served.page.address) as page, page_at(served.page.address) as bad:
            page.hear_of('/robot')
            _until_closed(lambda bad=bad, message=message: bad.say(message), bad)
            assert served.answers(page)


def _until_closed(say: Callable[[], None], page: Socket) -> None:
    with pytest.raises(ConnectionClosed):
        say()
        while True:
            page.connection.recv(PATIENCE)


def test_a_value_of_a_wrong_type_is_left_out(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """A text is no number: one sentence says so."""
    with page_at(served.page.address) as page:
        page.hear_of('/robot')
        slider = next(one for one in page.heard if one['type'] == 'GuiSliderMessage')
        page.say({**GUI, 'uuid': slider['uuid'], 'updates': {'value': 'x'}})
        assert served.answers(page)
        page.connection.close()
    assert not [record for record in caplog.records if record.exc_info]


def test_a_flood_of_messages_is_read_no_faster_than_pages_send_them(served: Served) -> None:
    count = int(BURST + 2.0 * RATE)
    with page_at(served.page.address) as flood, page_at(served.page.address) as page:
        page.hear_of('/robot')
        begin = time.perf_counter()
        for _ in range(count):
            flood.say(GUI)
        assert served.answers(page)
        assert served.answers(flood)
        assert time.perf_counter() - begin > (count - BURST) / RATE
