// Which point of a curve a cursor means.

import type uPlot from "uplot";
import type { Curve } from "./figure";

/**
 * The index of a curve's point among all places: the nearest on the horizontal axis, and of steps the one that holds there,
 * be it a gap. Null beyond the curve's ends.
 */
export function nearest(plot: uPlot, curve: Curve, series: number, closest: number, x: number): number | null {
  const places = plot.data[0];
  const values = plot.data[series] ?? [];
  const from = places[closest]! > x ? closest - 1 : closest;
  const before = own(values, from, -1);
  const after = own(values, from + 1, 1);
  if (curve.style === "steps") {
    return before !== null && after === null && places[before] !== x ? null : before;
  }
  if (before === null || after === null) {
    // Half a second beyond the last of a curve's points is still within its second.
    const end = before ?? after;
    return end !== null && Math.abs(places[end]! - x) <= 0.5 ? end : null;
  }
  return x - places[before]! <= places[after]! - x ? before : after;
}

/** The next index at which the curve has a point of its own. */
function own(values: ArrayLike<unknown>, from: number, step: 1 | -1): number | null {
  for (let i = from; i >= 0 && i < values.length; i += step) {
    if (values[i] !== undefined) {
      return i;
    }
  }
  return null;
}
