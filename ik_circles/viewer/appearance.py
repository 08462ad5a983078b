# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Dark and light colors, chosen for each browser separately."""

from typing import Any

from ik_circles.palette import LIGHT, rgb
from ik_circles.viewer.own_script import DARK_SWITCH

HINT = 'Dark colors, at first as your system has them'


def set_up(server: Any, folder: Any) -> None:
    """Give the page its colors, and add a check box for dark ones to a folder in each browser."""
    _configure(server.gui, dark=False)

    async def connected(client: Any) -> None:
        with folder:
            box = client.gui.add_checkbox(DARK_SWITCH, False, hint=HINT)

        async def changed(event: Any) -> None:
            _configure(client.gui, dark=box.value)

        box.on_update(changed)

    server.on_client_connect(connected)


def _configure(gui: Any, dark: bool) -> None:
    gui.configure_theme(
        show_logo=False, show_share_button=False, brand_color=rgb(LIGHT.blue), dark_mode=dark
    )
