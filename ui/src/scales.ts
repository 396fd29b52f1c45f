// From numbers to places on an axis.

import type uPlot from "uplot";
import type { Axis } from "./figure";

/** uPlot's numbers of its distributions (uPlot.Scale.Distr). */
const LINEAR = 1;
const LOGARITHMIC = 3;
const CUSTOM = 100;

/** 1 − 10^−12 is past what any run can tell, and keeps the place of 1 finite. */
const LEAST_REST = 1e-12;

/** A share's place on an axis by nines: 0.9 at 1, 0.99 at 2. */
export function nines(share: number): number {
  return -Math.log10(Math.max(1 - share, LEAST_REST));
}

/** The share at a place. */
export function share(place: number): number {
  return 1 - 10 ** -place;
}

/** An axis as a scale of uPlot's, over its whole range. */
export function scale(axis: Axis): uPlot.Scale {
  const [from, to] = axis.range;
  const fixed = { time: false, auto: false, range: (): uPlot.Range.MinMax => [from, to] };
  switch (axis.scale) {
    case "linear":
      return { ...fixed, distr: LINEAR };
    case "logarithmic":
      return { ...fixed, distr: LOGARITHMIC, log: 10 };
    case "nines":
      return { ...fixed, distr: CUSTOM, fwd: nines, bwd: share };
  }
}

/** Where a value lies between the ends of its axis, 0 to 1. */
export function fraction(axis: Axis, value: number): number {
  const forward = { linear: (v: number) => v, logarithmic: Math.log10, nines }[axis.scale];
  const [from, to] = [forward(axis.range[0]), forward(axis.range[1])];
  return to > from ? (forward(value) - from) / (to - from) : 0;
}
