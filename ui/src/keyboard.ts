// Arrow keys move the cursor of the plot that has the focus. To a screen reader the plot is a slider: where it is and what the
// curves say there is its value's text, which is read out when it changes.

import type uPlot from "uplot";
import { type Figure, isOnTheTimeLine } from "./figure";
import { sentence } from "./key";
import { reading } from "./cursor";

const FAR = 10;

/** Makes `element` a control of the plot in it. */
export function keyboard(figure: Figure, element: HTMLElement, plot: uPlot): void {
  const places = stops(figure, plot);
  element.tabIndex = 0;
  const attributes = {
    role: "slider",
    "aria-label": `${figure.title}: read it with the arrow keys`,
    "aria-valuemin": "0",
    "aria-valuemax": String(Math.max(places.length - 1, 0)),
    "aria-valuenow": "0",
    "aria-valuetext": figure.x.label,
  };
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || places.length === 0) {
      return;
    }
    if (event.key === "Escape") {
      plot.setCursor({ left: -10, top: -10 });
      return;
    }
    const next = target(event.key, current(plot, places), places.length);
    if (next === undefined) {
      return;
    }
    event.preventDefault();
    plot.setCursor({ left: plot.valToPos(places[next]!, "x"), top: 0 });
    const now = reading(figure, plot);
    element.setAttribute("aria-valuenow", String(next));
    element.setAttribute("aria-valuetext", now ? sentence(figure, now) : figure.x.label);
  });
}

/** Where the cursor can stop: in the middle of each second of a time line, else at each point. */
function stops(figure: Figure, plot: uPlot): number[] {
  if (!isOnTheTimeLine(figure)) {
    return figure.curves.length > 0 ? Array.from(plot.data[0]) : [];
  }
  const seconds = Math.ceil(figure.x.range[1] - figure.x.range[0]);
  return Array.from({ length: seconds }, (_, i) => figure.x.range[0] + i + 0.5);
}

/** The stop at which the cursor is, or before the first. */
function current(plot: uPlot, places: number[]): number {
  const left = plot.cursor.left ?? -1;
  if (left < 0) {
    return -1;
  }
  const at = plot.posToVal(left, "x");
  const distance = (i: number) => Math.abs(places[i]! - at);
  return places.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
}

function target(pressed: string, from: number, count: number): number | undefined {
  const to = {
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    PageUp: from + FAR,
    PageDown: from - FAR,
    Home: 0,
    End: count - 1,
  }[pressed];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}
