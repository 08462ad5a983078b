# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The few lines of script in the page's own HTML elements, for what viser cannot do.

As of viser 1.1.1, it cannot name the tab, follow the system's dark or light mode, report where the
pointer is in an HTML element, or show the hint of a button: it takes one, and drops it. No issue
about any of these was found. An element of `add_html` may have handlers. These handlers do what a
user could do: they click a check box, and type into a field. They change nothing in viser's page
other than the titles of its buttons. Remove each one once viser can do the same.
"""

import html
import json
from collections.abc import Mapping

from ik_circles.viewer import theme

#: Labels of the controls that the scripts use.
DARK_SWITCH, PLANE_FIELD = 'Dark', 'Right, up [m]'
#: The plane view types this before a place to which the target was dragged.
DRAGGED = '→'

#: The label of a control, and the controls that are found by it.
_LABEL = "[...document.querySelectorAll('label')].find(one => one.textContent === 'NAME')"
_BOX = f"{_LABEL.replace('NAME', DARK_SWITCH)}?.control"
_FIELD = f"{_LABEL.replace('NAME', PLANE_FIELD)}.closest('form').querySelector('input')"

#: Runs when its element appears: names the tab, gives buttons their hints as titles, and makes
#: `Dark` follow the system's mode. A button may get another label, so each move to another element
#: looks at all of them; a button that is gray hears of no move itself.
_AT_FIRST = (
    """(() => {
  document.title = TITLE;
  const hints = HINTS;
  document.onmouseover = () => {
    for (const one of document.querySelectorAll('button'))
      if (hints[one.textContent]) one.title = hints[one.textContent];
  };
  const box = () => CONTROL;
  const system = window.ikSystem ??= matchMedia('(prefers-color-scheme: dark)');
  const follow = () => { if (box() && box().checked !== system.matches) box().click(); };
  const begin = () => {
    if (!box()) setTimeout(begin, 100);
    else if (box() !== window.ikBox) { window.ikBox = box(); follow(); }
  };
  system.onchange = follow;
  begin();
})()"""
).replace('CONTROL', _BOX)

#: Types where the grip of the plane view is while it is dragged, at most 20 times per second. The
#: picture is drawn again meanwhile, which may remove the grip, so the window is asked, too.
_ON_GRIP = (
    """
  event.preventDefault();
  const grip = this, field = HTMLInputElement.prototype;
  const type = Object.getOwnPropertyDescriptor(field, 'value').set;
  const at = event => {
    const svg = document.querySelector('svg.plane-view'), frame = svg.getScreenCTM();
    const scale = frame.a * svg.dataset.scale;
    return [(event.clientX - frame.e) / scale, (frame.f - event.clientY) / scale];
  };
  const first = at(event), own = grip.getBoundingClientRect();
  const middle = at({clientX: own.x + own.width / 2, clientY: own.y + own.height / 2});
  let last = 0;
  const say = (event, now) => {
    if (event.pointerId !== pointer || (!now && event.timeStamp - last < 50)) return;
    last = event.timeStamp;
    const [x, y] = at(event).map((value, i) => value - first[i] + middle[i]), to = CONTROL;
    type.call(to, `DRAGGED ${x.toFixed(4)}, ${y.toFixed(4)}`);
    to.dispatchEvent(new Event('input', {bubbles: true}));
  };
  const pointer = event.pointerId, places = [window, grip], moved = event => say(event, false);
  const ended = event => {
    if (event.pointerId !== pointer) return;
    if (event.type === 'pointerup') say(event, true);
    for (const place of places) {
      place.removeEventListener('pointermove', moved);
      for (const end of ['pointerup', 'pointercancel']) place.removeEventListener(end, ended);
    }
  };
  for (const place of places) {
    place.addEventListener('pointermove', moved);
    for (const end of ['pointerup', 'pointercancel']) place.addEventListener(end, ended);
  }
"""
).replace('CONTROL', _FIELD).replace('DRAGGED', DRAGGED)

#: The attributes of the grip in the plane view.
GRIP_ATTRIBUTES = (
    'class="grip" fill="transparent" style="cursor:grab;touch-action:none" '
    f'onpointerdown="{html.escape(_ON_GRIP)}"'
)


def first_element(title: str, hints: Mapping[str, str]) -> str:
    """An invisible element that sets the page's colors, the tab's name, dark or light, and the
    hints of buttons by their labels."""
    script = _AT_FIRST.replace('HINTS', json.dumps(hints)).replace('TITLE', json.dumps(title))
    script = html.escape(script)
    return f'<style onload="{script}">{theme.STYLE}</style>'
