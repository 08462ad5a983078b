# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How often a browser without a graphics card draws the page.

Without a graphics card, the processor draws, and the IK node needs the processor, too. As of viser
1.1.1, viser draws as often as the browser allows for a quarter of a second after each change, so it
draws a moving arm without a pause. viser has no option to limit that, and no issue about it was
found. So this module adds a script to viser's page that delays its frames. Remove it once viser
limits its frame rate.
"""

from typing import Any

#: Most frames per second and processor core, while nobody drags the target.
FRAMES_PER_CORE = 1.5

#: The first script of the page. The renderer's name shows whether the processor draws.
SCRIPT = """<script>(() => {
  const canvas = document.createElement('canvas').getContext('webgl2');
  const named = canvas?.getExtension('WEBGL_debug_renderer_info');
  const renderer = named ? canvas.getParameter(named.UNMASKED_RENDERER_WEBGL) : '';
  canvas?.getExtension('WEBGL_lose_context')?.loseContext();
  if (!/swiftshader|llvmpipe|softpipe|basic render/i.test(renderer)) return;

  const request = window.requestAnimationFrame.bind(window);
  const pause = 1000 / (FRAMES_PER_CORE * (navigator.hardwareConcurrency || 2));
  let waiting = new Map(), drawing = new Map(), last = 0, id = 0, asked = false, dragged = false;
  const draw = time => {
    [asked, last, drawing, waiting] = [false, performance.now(), waiting, new Map()];
    for (const callback of drawing.values())
      try { callback(time); } catch (error) { reportError(error); }
  };
  window.requestAnimationFrame = callback => {
    waiting.set(++id, callback);
    if (!asked) {
      const rest = dragged ? 0 : last + pause - performance.now();
      setTimeout(() => request(draw), rest);
      asked = true;
    }
    return id;
  };
  window.cancelAnimationFrame = number => {
    waiting.delete(number);
    drawing.delete(number);
  };
  const drags = pressed => () => { dragged = pressed; };
  window.addEventListener('pointerdown', drags(true), true);
  for (const end of ['pointerup', 'pointercancel'])
    window.addEventListener(end, drags(false), true);
  window.addEventListener('pointermove', event => { dragged &&= event.buttons > 0; }, true);
})();</script>""".replace('FRAMES_PER_CORE', str(FRAMES_PER_CORE))


def with_script(response: Any) -> Any:
    """A response of viser's server (websockets' Response or None), with the script in its page."""
    if response is None or not response.headers.get('Content-Type', '').startswith('text/html'):
        return response
    response.body = response.body.replace(b'<head>', b'<head>' + SCRIPT.encode(), 1)
    del response.headers['Content-Length']
    response.headers['Content-Length'] = str(len(response.body))
    return response
