// The cursor: one for all figures on the run's time line, and what it means in each.

import type uPlot from "uplot";
import { type Figure, isOnTheTimeLine } from "./figure";
import type { Reading } from "./key";
import { nearest } from "./nearest";
import { colour } from "./palette";

/** What all time lines of the page share. */
const TIME_LINE = "the run's time line";

export function cursor(figure: Figure): uPlot.Cursor {
  const onTimeLine = isOnTheTimeLine(figure);
  return {
    x: true,
    y: false,
    drag: { x: false, y: false },
    points: { size: 7, width: 2, fill: () => colour("ground") },
    dataIdx: (plot, series, closest, x) => {
      const curve = figure.curves[series - 1];
      return curve ? (nearest(plot, curve, series, closest, x) as number) : closest;
    },
    // By their places on the time line, not by pixels: plots need not be equally wide.
    ...(onTimeLine ? { sync: { key: TIME_LINE, setSeries: false, scales: ["x", null] } } : {}),
  };
}

/** What the cursor of a plot means; null where there is none. */
export function reading(figure: Figure, plot: uPlot): Reading | null {
  const left = plot.cursor.left ?? -1;
  if (left < 0) {
    return null;
  }
  const at = plot.posToVal(left, "x");
  const points = figure.curves.map((_, i) => {
    const index = plot.cursor.idxs?.[i + 1];
    if (index === null || index === undefined) {
      return null;
    }
    const value = plot.data[i + 1]?.[index];
    return typeof value === "number" ? { at: plot.data[0]![index]!, value } : null;
  });
  return { at, points, events: happened(figure, plot, left) };
}

/** Marks that the cursor touches, and stretches that it is in. */
function happened(figure: Figure, plot: uPlot, left: number): string[] {
  const touches = (at: number) => Math.abs(plot.valToPos(at, "x") - left) <= 4;
  const at = plot.posToVal(left, "x");
  const marks = figure.marks.filter((mark) => touches(mark.at));
  const stretches = figure.stretches.filter((stretch) => stretch.from <= at && at < stretch.to);
  return [...marks, ...stretches].map((event) => event.text);
}
