"""How often the page is drawn where the processor does it, which the IK node needs.

viser draws as often as the browser lets it for a quarter of a second after each change, so an arm
that moves is drawn without a pause, and has no option for that.
"""

from __future__ import annotations

from typing import Any

#: Pictures a second at most that are drawn for each processor while nobody drags.
PICTURES = 1.5

#: The first script of the page; it tells from the name of the renderer who draws.
SCRIPT = """<script>(() => {
  const canvas = document.createElement('canvas').getContext('webgl2');
  const named = canvas?.getExtension('WEBGL_debug_renderer_info');
  const renderer = named ? canvas.getParameter(named.UNMASKED_RENDERER_WEBGL) : '';
  canvas?.getExtension('WEBGL_lose_context')?.loseContext();
  if (!/swiftshader|llvmpipe|softpipe|basic render/i.test(renderer)) return;

  const request = window.requestAnimationFrame.bind(window);
  const pause = 1000 / (PICTURES * (navigator.hardwareConcurrency || 2));
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
  const drags = held => () => { dragged = held; };
  window.addEventListener('pointerdown', drags(true), true);
  for (const end of ['pointerup', 'pointercancel'])
    window.addEventListener(end, drags(false), true);
  window.addEventListener('pointermove', event => { dragged &&= event.buttons > 0; }, true);
})();</script>""".replace('PICTURES', str(PICTURES))


def paced(response: Any) -> Any:
    """An answer of viser's server (websockets' Response, or None); the page gets the script."""
    page = response is not None and response.headers.get('Content-Type', '').startswith('text/html')
    if page:
        response.body = response.body.replace(b'<head>', b'<head>' + SCRIPT.encode(), 1)
        del response.headers['Content-Length']
        response.headers['Content-Length'] = str(len(response.body))
    return response
