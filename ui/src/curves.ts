// Curves: columns of numbers on common places, and how each is joined.

import uPlot from "uplot";
import type { Axis, Curve, Figure } from "./figure";
import { colour, toneName } from "./palette";

const DASH = [6, 4];
const POINT = 3;

/** The curves' values over all of their places. Undefined: the curve has no point there, and goes on. Null: a gap. */
export function columns(figure: Figure): uPlot.AlignedData {
  const tables = figure.curves.map((curve): uPlot.AlignedData => [curve.x, drawable(figure.y, curve.y)]);
  // A figure without a curve is still drawn: what is held against it says why.
  return tables.length > 0 ? uPlot.join(tables) : [[...figure.x.range]];
}

/** The curves as uPlot draws them, behind its series of places. */
export function series(figure: Figure): uPlot.Series[] {
  return [{}, ...figure.curves.map(one)];
}

/** A logarithmic axis has no place for zero: what lies below its range is drawn at its edge. */
function drawable(axis: Axis, values: (number | null)[]): (number | null)[] {
  const least = axis.range[0];
  return axis.scale === "logarithmic" ? values.map((y) => (y === null ? null : Math.max(y, least))) : values;
}

function one(curve: Curve): uPlot.Series {
  const stroke = () => colour(toneName(curve.tone));
  const common: uPlot.Series = { scale: "y", stroke, width: 2, points: { show: true, size: POINT, fill: stroke, filter: alone } };
  switch (curve.style) {
    case "line":
      return common;
    case "dashed":
      return { ...common, dash: DASH };
    case "steps":
      return { ...common, paths: uPlot.paths.stepped!({ align: 1 }) };
    case "points":
      return { ...common, paths: () => null, points: { show: true, size: POINT, fill: stroke } };
  }
}

/** The points that have a gap on both sides: no line shows them. */
function alone(plot: uPlot, index: number, show: boolean): number[] | null {
  if (!show) {
    return null;
  }
  const values = plot.data[index] ?? [];
  const found: number[] = [];
  let before = true;
  let last: number | undefined;
  // A point is known to be alone when the next place that is the curve's own is a gap, or there is none.
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === undefined) {
      continue;
    }
    if (value === null) {
      if (last !== undefined) {
        found.push(last);
      }
      [before, last] = [true, undefined];
    } else {
      [last, before] = [before ? i : undefined, false];
    }
  }
  return last === undefined ? found : [...found, last];
}
