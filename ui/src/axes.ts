// Axes: lines and numbers where Rust put them, fewer numbers where there is no room.

import type uPlot from "uplot";
import type { Axis, Tick } from "./figure";
import { colour } from "./palette";
import { fraction } from "./scales";

export const FONT = "12px system-ui, sans-serif";

/** About the width of a character, and what is left free between two numbers, in CSS pixels. */
const CHARACTER = 7;
const BETWEEN = 10;
/** What stands beside the plotting area, about. */
const BESIDE = 64;
const LINE = 16;

/** Both axes of a figure. */
export function axes(x: Axis, y: Axis): uPlot.Axis[] {
  const common: uPlot.Axis = {
    font: FONT,
    labelFont: FONT,
    stroke: () => colour("faint"),
    grid: { stroke: () => colour("line"), width: 1 },
    ticks: { stroke: () => colour("line"), width: 1, size: 4 },
    gap: 4,
  };
  return [
    {
      ...common,
      scale: "x",
      label: x.label,
      size: 26,
      labelSize: 18,
      labelGap: 0,
      splits: () => x.ticks.map((tick) => tick.at),
      values: (plot) => texts(x, plot.width - BESIDE, (tick) => tick.text.length * CHARACTER + BETWEEN),
    },
    {
      ...common,
      scale: "y",
      label: y.ticks.some((tick) => tick.text.includes(" ")) ? y.label : withUnit(y),
      // As wide in all plots of a page as it can be, so that their time lines stand under each other.
      size: 16 + CHARACTER * Math.max(6, ...y.ticks.map((tick) => tick.text.length)),
      labelSize: 18,
      labelGap: 0,
      splits: () => y.ticks.map((tick) => tick.at),
      values: (plot) => texts(y, plot.height - BESIDE, () => LINE),
    },
  ];
}

/** The ticks' texts; null for one that would touch the one before it. */
function texts(axis: Axis, length: number, needs: (tick: Tick) => number): (string | null)[] {
  let free = -Infinity;
  return axis.ticks.map((tick) => {
    const at = fraction(axis, tick.at) * length;
    const half = needs(tick) / 2;
    if (at - half < free) {
      return null;
    }
    free = at + half;
    return tick.text;
  });
}

function withUnit(axis: Axis): string {
  const unit = { seconds: "s", milliseconds: "ms", mbps: "Mbps", dbm: "dBm", share: "" }[axis.unit];
  return unit ? `${axis.label}, ${unit}` : axis.label;
}
