// When figures are drawn: each when it comes near the part of the page that is seen, so that a page of hundreds opens at once.
// Until then, and in print, its static drawing stands there.

import { onOtherColours } from "./palette";
import { type Drawn, drawn } from "./plot";
import type { Place } from "./read";

/** Drawn this far ahead of scrolling. */
const AHEAD = "300px";

/** Draws the figures as they are needed; calls `ready` when those that are seen at first have been. */
export function stage(places: readonly Place[], ready: () => void): void {
  const figures = new Map<Element, Drawn>();
  const waiting = new Map<Element, Place>(places.map((place) => [place.element, place]));

  const drawNow = (place: Place) => {
    waiting.delete(place.element);
    views.unobserve(place.element);
    place.element.removeAttribute("tabindex");
    // Its place has a size from now on.
    place.element.classList.add("drawn");
    const figure = drawn(place.figure, place.plot);
    figures.set(place.element, figure);
    widths.observe(place.element);
    return figure;
  };

  // Each change of width is told once, and the first one when the watching begins.
  const widths = new ResizeObserver((changes) => changes.forEach((change) => figures.get(change.target)?.fit()));
  const views = new IntersectionObserver(
    (changes) => {
      for (const { isIntersecting, target } of changes) {
        const place = waiting.get(target);
        if (isIntersecting && place) {
          drawNow(place);
        }
      }
      // What was drawn reaches its canvas before the next frame.
      requestAnimationFrame(ready);
    },
    { rootMargin: AHEAD },
  );
  waiting.forEach((place, element) => {
    views.observe(element);
    // Who goes by keys may come to it before it came into view.
    place.element.tabIndex = 0;
    element.addEventListener("focus", () => {
      if (waiting.has(element)) {
        drawNow(place).focus();
      }
    });
  });
  if (waiting.size === 0) {
    ready();
  }
  onOtherColours(() => figures.forEach((figure) => figure.redraw()));
}
